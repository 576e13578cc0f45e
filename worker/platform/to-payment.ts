/** Converts the platform's transactions and mobile billing charges into records of money that arrived for an order. */

import {log} from '../lib/log.ts';
import {type Kurus, parseAmount} from '../lib/money.ts';
import {readTime} from './habits.ts';
import type {ChargeRecord} from './operations/micropayment.ts';
import type {TransactionItem} from './operations/transactions.ts';
import {stateOf, type StatusNames} from './statuses.ts';

/**
 * Converts a transaction. Returns null when the amount is zero or negative, because then no money arrived. If the
 * amount cannot be read, the money counts as arrived. If the bank's time is unknown, the result says so, and has the time
 * when the platform created the transaction; if that is unknown too, `readAt`.
 * @param readAt - When the Worker first read the transaction, epoch milliseconds.
 */
export function toArrival(
  item: ArrivalFields,
  readAt: number,
  status: ReadStatus = {state: 'unknown'},
): Arrival | null {
  const amount = parseItemAmount(item);
  const [at, createdAt] = [readTime(item.transaction_date), readTime(item.create_time)];
  if (amount !== null && amount <= 0) return null;
  if (amount === null || (at ?? createdAt) === null) log('error', 'transaction_unreadable', {transaction: item.id});
  return {
    id: item.id,
    amount,
    currency: toCurrency(item.currency),
    bank: item.bank_name ?? item.bank_code ?? '',
    ...timeOf(at, createdAt ?? readAt),
    ...(item.user_name && {sender: item.user_name}),
    ...(item.ref_no && {receipt: item.ref_no}),
    ...status,
  };
}

/**
 * Converts a charge. Returns null when the charge's status is unknown, because such a charge says nothing about money.
 * @param readAt - When the Worker read the platform, epoch milliseconds.
 */
export function toPaidCharge(
  {id, status, amount, transactionDate}: ChargeRecord,
  statuses: StatusNames,
  readAt: number,
): PaidCharge | null {
  const state = stateOf('charge', status, statuses);
  return state === 'unknown'
    ? null
    : {id, amount: parseAmount(amount ?? ''), ...timeOf(readTime(transactionDate), readAt), state};
}

function timeOf(at: number | null, knownAt: number): Pick<Arrival, 'at' | 'timeUnknown'> {
  return at === null ? {at: knownAt, timeUnknown: true} : {at};
}

/** Returns the transaction's amount; null when it cannot be read. */
export function parseItemAmount({amount}: Pick<TransactionItem, 'amount'>): Kurus | null {
  return parseAmount(amount ?? '');
}

/** Returns the ISO 4217 code of a currency. Money without a currency is in lira, which the platform calls `TL`. */
export function toCurrency(currency: string | null): string {
  const code = currency?.trim().toUpperCase() ?? '';
  return ['', 'TL', '₺'].includes(code) ? 'TRY' : code;
}

/** The fields of a transaction that say how much money arrived, when, at which bank, and from whom. */
export type ArrivalFields = Readonly<
  Pick<
    TransactionItem,
    'id' | 'amount' | 'currency' | 'bank_name' | 'bank_code' | 'transaction_date' | 'create_time' | 'user_name'
  >
> & {readonly ref_no?: string | null | undefined};

/** Money that arrived with a transaction. */
export interface Arrival {
  readonly id: string;
  /** Null when the amount cannot be read, so that it is unknown how much arrived. */
  readonly amount: Kurus | null;
  readonly currency: string;
  /** Name or code of the bank that received the money; null when it was charged to a phone bill. */
  readonly bank: string | null;
  /** The bank's time of the transaction, epoch milliseconds; if that is unknown, when the platform or the Worker first knew of it. */
  readonly at: number;
  /** Set if the bank's time is unknown. */
  readonly timeUnknown?: true | undefined;
  /** Name of the transaction's status; `unknown` until the Worker has read the transaction by its id. */
  readonly state: string;
  /** Set while the money does not count yet, because of its status; see `readStatus`. */
  readonly pending?: true | undefined;
  /** The sender's name, for the books alone: no page and no log gets it. */
  readonly sender?: string | undefined;
  /** The bank's number of the transfer, if a list has told it. */
  readonly receipt?: string | undefined;
}

/** What a transaction's status says about its money. */
export type ReadStatus = Pick<Arrival, 'state' | 'pending'>;

/**
 * Reads a transaction's status. Without `PAID_STATUSES`, all money that the platform shows counts as paid, whatever its
 * status. With it, only money with one of these statuses counts; refunded money has counted before.
 * @param status - Null if it is not read yet: lists of transactions show no status.
 */
export function readStatus(
  status: string | null,
  {statuses, paidStatuses}: {readonly statuses: StatusNames; readonly paidStatuses: ReadonlySet<string> | null},
): ReadStatus {
  const state = stateOf('transaction', status, statuses);
  const counts = paidStatuses === null || state === 'refunded' || (status !== null && paidStatuses.has(status));
  return counts ? {state} : {state, pending: true};
}

/** Money from a mobile billing charge, which a shopper confirmed on the platform's payment page. */
export interface PaidCharge {
  readonly id: string;
  /** Null when the amount cannot be read. */
  readonly amount: Kurus | null;
  /** The time of the charge, epoch milliseconds; if that is unknown, when the Worker read it. */
  readonly at: number;
  /** Set if the time of the charge is unknown. */
  readonly timeUnknown?: true | undefined;
  /** Name of the charge's status. */
  readonly state: string;
}
