/** Operations on transactions. */

import {BANKS} from '../banks.ts';
import {findService, MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {formatAmount, parseAmount, isLocalDate, isLocalTime} from '../formats.ts';
import type {Readings} from '../records/readings.ts';
import type {Condition} from '../records/sql.ts';
import type {Transaction} from '../records/transactions.ts';
import type {AnswerFields, PlatformRequest, Parameters, Parameter, ParameterBlock} from '../request.ts';
import {PhsRefusal, requireService, requireText} from './phs-statuses.ts';

/**
 * /transaction/get (orders.md 4.3). Unlike an item of a search, the answer has the status, and its times have no zone.
 */
export function getTransaction({parameters}: PlatformRequest, {config, transactions}: Context): AnswerFields {
  const id = requireText(parameters, 'id');
  const transaction = /^\d{1,15}$/.test(id) ? transactions.find(Number(id)) : undefined;
  if (!transaction) throw new PhsRefusal('ERR_006');
  return {
    transaction: {
      ...toTransactionFields(transaction, config.merchantId),
      transaction_date: transaction.transactionDate,
      create_time: transaction.createTime,
      status: transaction.status,
    },
  };
}

/** /transaction/order-complete (orders.md 4.3): the merchant has supplied the goods or services. */
export function completeOrder({parameters}: PlatformRequest, {orders}: Context): AnswerFields {
  const reference = requireText(parameters, 'order');
  const order = orders.find(requireService(parameters).code, reference);
  if (!order) throw new PhsRefusal('ERR_014');
  orders.complete(order);
  return {};
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_START = 0;
const DEFAULT_LENGTH = 100;

/**
 * /transaction/search (orders.md 4.3). A reading chooses the order of rows, which the spec does not define. A page
 * beyond the end is empty. In the answer, `start` and `length` are the text that the merchant sent, and the two totals
 * are numbers. The spec allows text and numbers for all four fields.
 */
export function searchTransactions(
  {parameters}: PlatformRequest,
  {config, clock, transactions, readings}: Context,
): AnswerFields {
  const ofService = {sql: 'service_code = ?', bindings: [requireService(parameters).code]};
  const start = readCount(parameters, 'start', DEFAULT_START);
  const length = readCount(parameters, 'length', DEFAULT_LENGTH);
  if (readings.get('search_length') === '100' && length > DEFAULT_LENGTH) throw new PhsRefusal('ERR_008', 'length');
  const filtered = joinConditions([ofService, ...readFilter(parameters.get('Transaction'), readings, clock.now())]);
  const page = transactions.page(filtered, length, start, readings.get('search_order'));
  return {
    recordsTotal: transactions.count(ofService),
    recordsFiltered: readings.get('records_filtered') === 'page' ? page.length : transactions.count(filtered),
    start: parameters.text('start') || start,
    length: parameters.text('length') || length,
    data: page.map((found) => toItem(found, config.merchantId)),
  };
}

/** An item of a search is a transaction with a `ref_no` and without `status`. Its times have zones (orders.md 2.3). */
function toItem(transaction: Transaction, merchantId: number): AnswerFields {
  return {
    ...toTransactionFields(transaction, merchantId),
    transaction_date: `${transaction.transactionDate}+03`,
    create_time: `${transaction.createTime}+03`,
    ref_no: `S${transaction.id}`,
  };
}

function readCount(parameters: Parameters, name: string, defaultValue: number): number {
  const text = parameters.text(name);
  if (text === '') return defaultValue;
  if (!/^\d{1,15}$/.test(text)) throw new PhsRefusal('ERR_008', name);
  return Number(text);
}

/** The transaction type of a transfer. The number is invented, because the spec does not show the types. */
const TRANSFER_TYPE = 1;

/**
 * The fields that a transaction and an item of a search share (orders.md 2.3). If the transaction has no order, `code`
 * and `order_refno` are empty.
 */
export function toTransactionFields(transaction: Transaction, merchantId: number): AnswerFields {
  const bank = BANKS.find(({id}) => id === transaction.bankId);
  const service = findService(transaction.serviceCode);
  return {
    id: transaction.id,
    merchant: merchantId,
    merchant_name: MERCHANT_NAME,
    bank_id: transaction.bankId,
    bank_code: bank?.code,
    bank_name: bank?.name,
    service_id: service?.id,
    service_name: service?.name,
    service_code: transaction.serviceCode,
    code: transaction.orderCode ?? '',
    amount: formatAmount(transaction.amountKurus),
    currency: 'TL',
    user_name: transaction.sender ?? null,
    order_refno: transaction.order ?? '',
    remote_bank: null,
    remote_description: transaction.description,
    transaction_type: TRANSFER_TYPE,
  };
}

type Value = string | number;

interface FilterColumn {
  readonly sql: string;
  /** @throws {PhsRefusal} for text that is not a value of the column. */
  readonly read: (text: string) => Value;
}

const COLUMNS: Readonly<Record<string, FilterColumn>> = {
  status: {sql: 'status', read: (text) => readInteger(text, 'status')},
  bank_id: {sql: 'bank_id', read: (text) => readInteger(text, 'bank_id')},
  amount: {sql: 'amount_kurus', read: readAmount},
  transaction_date: {sql: 'transaction_date', read: readTime},
};

const OPERATORS: ReadonlySet<string> = new Set(['<', '>', '>=', '<=', '=']);

/**
 * Reads the block `Transaction[…]` of a search as conditions (orders.md 4.3). Each column takes a value, a list of
 * alternative values, or a block of `con_operator` and `value`. Empty values do not filter; unknown names are ignored.
 *
 * @param now - The sandbox's time, `YYYY-MM-DD HH:MM:SS`.
 * @throws {PhsRefusal} 400 for an incomplete block, ERR_017 for a wrong amount, ERR_008 for other wrong values.
 */
export function readFilter(filter: Parameter | undefined, readings: Readings, now: string): Condition[] {
  if (!(filter instanceof Map)) return [];
  return [
    ...readDays(filter, readings, now),
    ...Object.entries(COLUMNS).flatMap(([name, column]) => readColumn(column, filter.get(name))),
  ];
}

export function joinConditions(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({sql}) => `(${sql})`).join(' AND '),
    bindings: conditions.flatMap(({bindings}) => bindings),
  };
}

/**
 * Returns the conditions for the days of a search, as the readings say (orders.md 4.3). By default the end date is not
 * searched, because the contract describes it as the start date plus one day.
 */
function readDays(filter: ParameterBlock, readings: Readings, now: string): Condition[] {
  const startDate = readOptionalDay(filter, 'startDate');
  const missingEnd = readings.get('missing_end_date') === 'one_day' && startDate ? dayAfter(startDate) : undefined;
  const sentEnd = readOptionalDay(filter, 'endDate') ?? missingEnd;
  if (readings.get('latest_end_date') === 'tomorrow' && sentEnd !== undefined && sentEnd > dayAfter(now))
    throw new PhsRefusal('ERR_008', 'endDate');
  const futureDay = readings.get('future_day');
  if (futureDay !== 'empty' && startDate && startDate > now) throw new PhsRefusal(futureDay, 'startDate');
  const endDate = limitSpan(startDate, sentEnd, readings);
  const end = endDate && readings.get('end_date') === 'inclusive' ? dayAfter(endDate) : endDate;
  const column = readings.get('search_time_of');
  return [
    ...(startDate ? [{sql: `${column} >= ?`, bindings: [startDate]}] : []),
    ...(end ? [{sql: `${column} < ?`, bindings: [end]}] : []),
  ];
}

const CLIPPED_DAYS = {clipped: 1, clipped_at_four: 4};

/**
 * Shortens or refuses a search that spans more days than the reading `search_days` allows. Returns the end of the
 * search.
 */
function limitSpan(start: string | undefined, end: string | undefined, readings: Readings): string | undefined {
  const searchDays = readings.get('search_days');
  if (searchDays === 'any' || (start !== undefined && end !== undefined && end <= dayAfter(start))) return end;
  if (searchDays === 'one') throw new PhsRefusal('ERR_008', 'endDate');
  const latestEnd = start && dayAfter(start, CLIPPED_DAYS[searchDays]);
  return end && latestEnd && end < latestEnd ? end : latestEnd;
}

function readOptionalDay(filter: ParameterBlock, name: string): string | undefined {
  const text = textOf(filter, name);
  return text ? readDay(text, name) : undefined;
}

/** Returns the first second of the day that is `days` days after `day`, as `YYYY-MM-DD 00:00:00`. */
function dayAfter(day: string, days = 1): string {
  return `${new Date(Date.parse(day.slice(0, 10)) + days * DAY_MS).toISOString().slice(0, 10)} 00:00:00`;
}

function readColumn(column: FilterColumn, parameter: Parameter | undefined): Condition[] {
  if (parameter === undefined || parameter === '') return [];
  if (typeof parameter === 'string') return [compare(column, '=', parameter)];
  if (parameter.has('con_operator') || parameter.has('value')) return [readComparison(column, parameter)];
  return readList(column, parameter);
}

function readComparison(column: FilterColumn, block: ParameterBlock): Condition {
  const operator = textOf(block, 'con_operator');
  const value = textOf(block, 'value');
  if (operator === '' || value === '') throw new PhsRefusal('400');
  if (!OPERATORS.has(operator)) throw new PhsRefusal('ERR_008', 'con_operator');
  return compare(column, operator, value);
}

/** The operator must be one of OPERATORS, because it becomes part of the SQL statement. */
function compare({sql, read}: FilterColumn, operator: string, value: string): Condition {
  return {sql: `${sql} ${operator} ?`, bindings: [read(value)]};
}

/** The whole list becomes one binding, because a statement can have at most a hundred bindings. */
function readList({sql, read}: FilterColumn, list: ParameterBlock): Condition[] {
  const values = [...list.keys()].map((name) => textOf(list, name)).filter((text) => text !== '');
  if (values.length === 0) return [];
  return [{sql: `${sql} IN (SELECT value FROM json_each(?))`, bindings: [JSON.stringify(values.map(read))]}];
}

function textOf(block: ParameterBlock, name: string): string {
  const value = block.get(name) ?? '';
  if (typeof value !== 'string') throw new PhsRefusal('ERR_008', name);
  return value;
}

function readInteger(text: string, name: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new PhsRefusal('ERR_008', name);
  return Number(text);
}

function readAmount(text: string): number {
  const amountKurus = parseAmount(text);
  if (amountKurus === undefined) throw new PhsRefusal('ERR_017');
  return amountKurus;
}

function readTime(text: string): string {
  if (!isLocalTime(text)) throw new PhsRefusal('ERR_008', 'transaction_date');
  return text;
}

function readDay(text: string, name: string): string {
  if (!isLocalDate(text)) throw new PhsRefusal('ERR_008', name);
  return `${text} 00:00:00`;
}
