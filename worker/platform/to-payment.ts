/** Converts the platform's transactions and mobile billing charges into money that arrived for an order. */

import {log} from '../lib/log.ts';
import {type Kurus, parseAmount} from '../lib/money.ts';
import {parsePlatformTime} from '../lib/time.ts';
import type {ChargeRecord} from './operations/micropayment.ts';
import type {TransactionItem} from './operations/transactions.ts';
import {stateOf, type StatusNames} from './statuses.ts';

/**
 * Converts a transaction; null when its amount is zero or negative, so that no money arrived. With an unreadable amount
 * the money still arrived. Without a time it counts as arrived at `readAt`, the latest possible moment.
 * @param readAt when the platform was read, epoch milliseconds.
 */
export function toArrival(item: TransactionItem, readAt: number): Arrival | null {
  const amount = parseItemAmount(item);
  const at = parsePlatformTime(item.transaction_date ?? '') ?? parsePlatformTime(item.create_time ?? '');
  if (amount !== null && amount <= 0) return null;
  if (amount === null || at === null) log('error', 'transaction_unreadable', {transaction: item.id});
  return {
    id: item.id,
    amount,
    currency: toCurrency(item.currency),
    bank: item.bank_name ?? item.bank_code ?? '',
    at: at ?? readAt,
    state: 'unknown',
  };
}

/**
 * Converts a charge; null when its status is unknown, because then it says nothing about the money.
 * @param readAt when the platform was read, epoch milliseconds.
 */
export function toPaidCharge(
  {id, status, amount, transactionDate}: ChargeRecord,
  statuses: StatusNames,
  readAt: number,
): PaidCharge | null {
  const state = stateOf('charge', status, statuses);
  return state === 'unknown'
    ? null
    : {id, amount: parseAmount(amount ?? ''), at: Date.parse(transactionDate ?? '') || readAt, state};
}

/** Null when the amount cannot be read. */
export function parseItemAmount({amount}: Pick<TransactionItem, 'amount'>): Kurus | null {
  return parseAmount(amount ?? '');
}

/** The platform says `TL` where ISO 4217 says `TRY`. */
export function toCurrency(currency: string | null): string {
  return currency === null || currency === 'TL' ? 'TRY' : currency;
}

/** Money that arrived by a transaction of the platform. */
export interface Arrival {
  readonly id: string;
  /** Null when the platform's amount cannot be read: how much arrived is unknown. */
  readonly amount: Kurus | null;
  readonly currency: string;
  /** Null when it was paid on a phone bill. */
  readonly bank: string | null;
  /** The bank's time, epoch milliseconds. */
  readonly at: number;
  /** Name of the platform's status; `unknown` until the transaction itself was read. */
  readonly state: string;
}

/** Money paid by a mobile billing charge, on the platform's payment page. */
export interface PaidCharge {
  readonly id: string;
  /** Null when it cannot be read. */
  readonly amount: Kurus | null;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Name of mobile billing's status. */
  readonly state: string;
}
