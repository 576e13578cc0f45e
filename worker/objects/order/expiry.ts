/**
 * Decides when an order that is not paid, or only in part, has expired for the merchant: when a search that began after
 * the time to pay has not found the missing money. Pages stop asking for money as soon as the time to pay has passed.
 */

import {DEFAULT_BANK_DELAY_MINUTES} from '../../config/variables.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {DueTime} from '../alarm.ts';
import {type OrderAccess, paymentOf} from './order-effects.ts';
import {isPayable, isUntracked, type OrderState, withRecord} from './order-state.ts';
import type {OrderWatchers} from './order-watchers.ts';

/**
 * When the alarm asks whether a search has not found the missing money; null if the order does not wait for this. The delay grows
 * with the time that has passed.
 */
export function expiryDueAt(order: OrderAccess): DueTime {
  const now = Date.now();
  const state = order.state();
  if (!state.record || !awaitsSearch(state, now)) return null;
  const searchableFrom = state.record.expiresAt + bankDelayOf(order);
  const waitMs = Math.min(Math.max(now - searchableFrom, MINUTE_MS), HOUR_MS);
  return Math.max(now, searchableFrom) + waitMs;
}

/** Lets the order expire for the merchant if a search has not found money that was sent in time. */
export async function checkExpiry(order: OrderAccess, watchers: OrderWatchers): Promise<void> {
  const {record} = order.state();
  const since = (record?.expiresAt ?? 0) + bankDelayOf(order);
  if (!record || Date.now() < since || isUntracked(record) || !awaitsSearch(order.state(), Date.now())) return;
  if (await watchers.haveSearched(record, since))
    await order.commit((state) =>
      state.record?.expiresAt === record.expiresAt ? withRecord(state, {expired: true}) : state,
    );
}

/** How long after a transfer the platform may show it. While the configuration is wrong, an alarm still needs a time. */
function bankDelayOf(order: OrderAccess): number {
  try {
    return order.services().config.bankDelayMs;
  } catch {
    return DEFAULT_BANK_DELAY_MINUTES * MINUTE_MS;
  }
}

/** Whether the time to pay has passed without all money, but no later search has shown that there is no more. */
function awaitsSearch({record, money}: OrderState, now: number): boolean {
  return (
    record !== null &&
    now >= record.expiresAt &&
    !record.expired &&
    isPayable(record) &&
    paymentOf(record, money, {now, asOf: now}).overdue
  );
}
