/** Transactions: the money that arrived (`docs/spec/orders.md`, 4.3). */

import {DAY_MS} from '../../lib/durations.ts';
import {formatPlatformDay, formatPlatformTime} from '../../lib/time.ts';
import {timeFields} from '../../platform/habits.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';
import {toCurrency} from '../../platform/to-payment.ts';
import {readCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';
import {type Filter, type Position, readTransactions, type Search} from './transaction-pages.ts';

export const transactionHandlers = {
  async getTransaction({id}, {platform, config}) {
    const {transaction} = await platform.call('transactionGet', {id});
    const {ref_no: _, ...item} = toItem(transaction);
    return {
      ...item,
      status: numberOrText(transaction.status),
      state: stateOf('transaction', transaction.status, config.statuses),
    };
  },

  async searchTransactions(input, context) {
    const cursor = await readCursor<Position>(input, 'transactions', context);
    const {rows, next_cursor, total} = await readTransactions(input, cursor, toFilter, context);
    return {items: rows.map(toItem), next_cursor, total};
  },
} satisfies Partial<Handlers>;

type Comparison<T> = {readonly operator: '<' | '>' | '<=' | '>=' | '='; readonly value: T};

/**
 * Builds the block `Transaction[…]` (`docs/spec/orders.md`, 4.3). The platform's end date is exclusive, the merchant
 * API's end date is inclusive.
 */
function toFilter({start_date, end_date, status, bank_id, amount, transaction_date}: Search): Filter {
  const filter = {
    startDate: start_date,
    endDate: end_date === undefined ? undefined : formatPlatformDay(Date.parse(`${end_date}T00:00:00+03:00`) + DAY_MS),
    status,
    bank_id,
    amount: isCompared(amount) ? compare(amount.operator, amount.value) : amount,
    transaction_date: toDateFilter(transaction_date),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
}

/** The spec defines only comparisons for a transaction's date, so a single time becomes a comparison with `=`. */
function toDateFilter(date: Search['transaction_date']) {
  if (date === undefined) return undefined;
  if (Array.isArray(date)) return date.map(toPlatformTime);
  return isCompared(date) ? compare(date.operator, toPlatformTime(date.value)) : compare('=', toPlatformTime(date));
}

function isCompared<T>(value: T | readonly T[] | Comparison<T> | undefined): value is Comparison<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compare<T>(operator: Comparison<T>['operator'], value: T) {
  return {con_operator: operator, value};
}

function toPlatformTime(instant: string): string {
  return formatPlatformTime(Date.parse(instant));
}

function toItem(item: TransactionItem) {
  const {service_code: service, code: order_code, order_refno: order, currency, transaction_type, ...rest} = item;
  return {
    ...rest,
    service,
    order_code,
    order,
    currency: toCurrency(currency),
    ...timeFields('transaction_date', item.transaction_date),
    transaction_type: numberOrText(transaction_type),
    ...timeFields('create_time', item.create_time),
  };
}
