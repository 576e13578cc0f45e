/**
 * Looks up in mobile billing whether a subscription that nobody answered for has begun (subscriptions 4.A): the landing
 * interface itself shows none. See docs/decisions/mobile-billing.md.
 */

import type {Context} from '../../context.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {failureOf} from '../../platform/failure.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {subscriptionState} from '../../platform/statuses.ts';

/** Clocks differ. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** A number has few subscriptions, and the newest come first. */
const NEWEST_COUNT = 10;
const STARTED_STATES = new Set(['active', 'retry', 'suspend']);

export interface SoughtSubscription {
  readonly msisdn: string;
  readonly operator: number;
  /** Of one period. */
  readonly price: Kurus;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Whether it is there. That it is not says nothing: an offer does not name its service, and not every service is known here. */
export async function hasSubscriptionStarted(
  sought: SoughtSubscription,
  {platform, config}: Context,
): Promise<boolean> {
  const serviceIds = new Set([...config.services.values()].flatMap(({micropaymentId}) => micropaymentId ?? []));
  for (const serviceId of serviceIds) {
    const search = {
      serviceId,
      search: [{column: 'msisdn', term: sought.msisdn}],
      sort: [{column: 'id', asc: false}],
      limit: NEWEST_COUNT,
    };
    const found = await platform.call('subscriptionSearch', search).catch(failureOf);
    if ('subscriptions' in found && found.subscriptions.rows.some((record) => matches(record, sought))) return true;
  }
  return false;
}

function matches(
  {status, operator, subscriptionFee, subscriptionDate}: SimpleSubscriptionRecord,
  {operator: own, price, since}: SoughtSubscription,
): boolean {
  return (
    STARTED_STATES.has(subscriptionState(status)) &&
    operator === String(own) &&
    parseAmount(subscriptionFee ?? '') === price &&
    Date.parse(subscriptionDate ?? '') >= since - CLOCK_TOLERANCE_MS
  );
}
