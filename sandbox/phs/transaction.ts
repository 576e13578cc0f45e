import type {Context} from '../context.ts';
import type {Answer, Visit} from '../visit.ts';
import {Refusal} from './phs-statuses.ts';
import {requireService, requireText} from './required.ts';
import {toTransactionFields} from './transaction-fields.ts';

/** /transaction/get (orders 4.3): times without a zone, and the status. */
export function getTransaction({parameters}: Visit, {config, transactions}: Context): Answer {
  const id = requireText(parameters, 'id');
  const transaction = /^\d{1,15}$/.test(id) ? transactions.find(Number(id)) : undefined;
  if (!transaction) throw new Refusal('ERR_006');
  return {
    transaction: {
      ...toTransactionFields(transaction, config.merchantId),
      transaction_date: transaction.transactionDate,
      create_time: transaction.createTime,
      status: transaction.status,
    },
  };
}

/** /transaction/order-complete (orders 4.3): the goods or services were supplied. */
export function completeOrder({parameters}: Visit, {orders}: Context): Answer {
  const reference = requireText(parameters, 'order');
  const order = orders.find(requireService(parameters).code, reference);
  if (!order) throw new Refusal('ERR_014');
  orders.complete(order);
  return {};
}
