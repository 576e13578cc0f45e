import type {Context} from '../context.ts';
import type {Transaction} from '../records/transactions.ts';
import type {Parameters} from '../request.ts';
import type {Answer, Visit} from '../visit.ts';
import {Refusal} from './phs-statuses.ts';
import {requireService} from './required.ts';
import {toTransactionFields} from './transaction-fields.ts';
import {joinConditions, readFilter} from './transactions.ts';

const DEFAULT_START = 0;
const DEFAULT_LENGTH = 100;

/**
 * /transaction/search (orders 4.3). Newest first, which the spec leaves open. A page past the end is empty.
 * `start` and `length` come back as the text that was sent, the totals as numbers: the spec allows both for all four.
 */
export function searchTransactions({parameters}: Visit, {config, transactions}: Context): Answer {
  const ofService = {sql: 'service_code = ?', bindings: [requireService(parameters).code]};
  const start = readCount(parameters, 'start', DEFAULT_START);
  const length = readCount(parameters, 'length', DEFAULT_LENGTH);
  const filtered = joinConditions([ofService, ...readFilter(parameters.get('Transaction'))]);
  return {
    recordsTotal: transactions.count(ofService),
    recordsFiltered: transactions.count(filtered),
    start: parameters.text('start') || start,
    length: parameters.text('length') || length,
    data: transactions.page(filtered, length, start).map((found) => toItem(found, config.merchantId)),
  };
}

/** Like a transaction, but with zones on its times, a `ref_no` and without `status` (orders 2.3). */
function toItem(transaction: Transaction, merchantId: number): Answer {
  return {
    ...toTransactionFields(transaction, merchantId),
    transaction_date: `${transaction.transactionDate}+03`,
    create_time: `${transaction.createTime}+03`,
    ref_no: `S${transaction.id}`,
  };
}

function readCount(parameters: Parameters, name: string, byDefault: number): number {
  const text = parameters.text(name);
  if (text === '') return byDefault;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('ERR_008', name);
  return Number(text);
}
