/** Where a platform transaction, or a charge of mobile billing, becomes money that arrived. */

import {log} from '../lib/log.ts';
import {type Kurus, parseAmount} from '../lib/money.ts';
import {parsePlatformTime} from '../lib/time.ts';
import type {ChargeRecord} from './operations/micropayment.ts';
import type {TransactionItem} from './operations/transactions.ts';
import {stateOf, type StatusNames} from './statuses.ts';

/**
 * The transaction in our words; null where nothing arrived by it. One whose amount cannot be read arrived all the same,
 * and one without a time arrived, at the latest, when it was read.
 * @param readAt epoch milliseconds.
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

/** The charge in our words; null where its status is one that nobody knows: that says nothing of the money. @param readAt as above. */
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

/** Null where it cannot be read. */
export function parseItemAmount({amount}: Pick<TransactionItem, 'amount'>): Kurus | null {
  return parseAmount(amount ?? '');
}

/** The platform says `TL` where ISO 4217 says `TRY`. */
export function toCurrency(platform: string | null): string {
  return platform === null || platform === 'TL' ? 'TRY' : platform;
}

/** A transaction at the platform: money that arrived. */
export interface Arrival {
  readonly id: string;
  /** Null where the platform's amount cannot be read: it is not known how much arrived. */
  readonly amount: Kurus | null;
  readonly currency: string;
  /** Null where it was paid on a phone bill. */
  readonly bank: string | null;
  /** The bank's time, epoch milliseconds. */
  readonly at: number;
  /** Word for the platform's status; `unknown` until it was asked. */
  readonly state: string;
}

/** A charge of mobile billing: what was paid on the common payment page. */
export interface PaidCharge {
  readonly id: string;
  /** Null where it cannot be read. */
  readonly amount: Kurus | null;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Word for mobile billing's status. */
  readonly state: string;
}
