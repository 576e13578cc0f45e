/** Where a platform transaction becomes money that arrived. */
import {log} from '../log.ts';
import {parsePlatformTime} from '../instant.ts';
import {parseAmount} from '../money.ts';
import type {Arrival} from '../payment.ts';
import type {TransactionItem} from './operations/transactions.ts';

/** The transaction in our words; null where it is not an amount of money that arrived, or no time of it can be read. */
export function toArrival(item: TransactionItem): Arrival | null {
  const amount = parseAmount(item.amount ?? '');
  const at = parsePlatformTime(item.transaction_date ?? '') ?? parsePlatformTime(item.create_time ?? '');
  if (amount === null || amount <= 0 || at === null) {
    log('error', 'transaction_unreadable', {transaction: item.id});
    return null;
  }
  return {id: item.id, amount, currency: toCurrency(item.currency), bank: item.bank_name ?? item.bank_code ?? '', at, state: 'unknown'};
}

/** The platform says `TL` where ISO 4217 says `TRY`. */
export function toCurrency(platform: string | null): string {
  return platform === null || platform === 'TL' ? 'TRY' : platform;
}
