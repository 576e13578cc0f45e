/**
 * Looks up a subscription in mobile billing (`docs/spec/subscriptions.md`, 4.A), because the landing interface cannot
 * show subscriptions and does not return the id of a new subscription. See docs/decisions/mobile-billing.md.
 */

import type {Context} from '../../context.ts';
import {readMsisdn} from '../../contract/readers/mobile-number.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {failureOf, isBroken, isOrdinaryRefusal, isUnsent, type PlatformFailure} from '../../platform/failure.ts';
import {readTime} from '../../platform/habits.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {STARTED_STATES, stateOf, type StatusNames} from '../../platform/statuses.ts';

/** How far the platform's clock may differ from ours. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** A lookup may find a subscription that started so long before, as both of its times may be wrong. */
export const LOOKUP_TOLERANCE_MS = 2 * CLOCK_TOLERANCE_MS;
/** How long after the last request the platform may still begin the subscription. A later one is another one. */
export const MAY_START_MS = 15 * MINUTE_MS;
/** How many of a number's subscriptions are read, newest first. A number has only a few subscriptions. */
const NEWEST_COUNT = 10;
/** How long a shopper waits until the Worker has read the number behind a number token. */
const NUMBER_TIMEOUT_MS = 1_000;

export interface SoughtSubscription {
  readonly msisdn: string;
  readonly operator: number;
  /** Price of one period; null when it is unknown. */
  readonly price: Kurus | null;
  /** When the first and the last request for the subscription were sent, epoch milliseconds. */
  readonly since: number;
  readonly until: number;
}

/** The data with which a subscription can be looked up, without the times. */
export type Lookup = Omit<SoughtSubscription, 'since' | 'until'>;

export interface FoundSubscription {
  /** Code of the service. */
  readonly service: string;
  readonly record: SimpleSubscriptionRecord;
}

/**
 * Returns the number that a request subscribes; null if it is unknown or not needed. The number behind a number token
 * can be read only until the token is used, so this function must run before the request is sent. The read gets little
 * time, because the shopper waits.
 */
export async function readNumber(
  request: OperationInput<'subscriptionRequest'>,
  {platform, config}: Context,
): Promise<Pick<Lookup, 'msisdn' | 'operator'> | null> {
  if (request.msisdn !== undefined && request.operator !== undefined)
    return {msisdn: request.msisdn, operator: request.operator};
  if (!config.micropayment && config.oneClick !== 'with_number') return null;
  const number = await Promise.race([
    platform.call('numberGet', {token: request.token ?? ''}).catch(() => null),
    scheduler.wait(NUMBER_TIMEOUT_MS).then(() => null),
  ]);
  const msisdn = readMsisdn(number?.msisdn ?? '');
  const operator = Number(number?.operator);
  return msisdn !== undefined && operator >= 1 ? {msisdn, operator} : null;
}

export interface SubscriptionSearch {
  readonly matching: readonly FoundSubscription[];
  /**
   * Whether mobile billing answered, be it with a refusal. An internal error and too many calls are no answers to one
   * search; a refusal of the caller is no answer if no search got another one. Otherwise the lookup is repeated.
   */
  readonly isComplete: boolean;
}

/**
 * Finds the subscriptions of mobile billing that may be the sought one. An empty list proves nothing, because an offer
 * does not name its service, and the Worker possibly does not know every service.
 */
export async function findStartedSubscriptions(
  sought: SoughtSubscription,
  {platform, config}: Context,
): Promise<SubscriptionSearch> {
  const matching: FoundSubscription[] = [];
  const results = new Set<'answered' | 'interrupted' | 'forbidden'>();
  for (const [serviceId, service] of config.billedServices) {
    const search = {
      serviceId,
      search: [{column: 'msisdn', term: sought.msisdn}],
      sort: [{column: 'id', asc: false}],
      limit: NEWEST_COUNT,
    };
    const found = await platform.call('subscriptionSearch', search, {isOwn: true}).catch(failureOf);
    if (!('subscriptions' in found)) {
      results.add(resultOf(found));
      continue;
    }
    results.add('answered');
    for (const record of found.subscriptions.rows)
      if (matches(record, sought, config.statuses)) matching.push({service, record});
  }
  return {matching, isComplete: !results.has('interrupted') && (results.has('answered') || !results.has('forbidden'))};
}

/** How a search ended that found nothing. */
function resultOf(failure: PlatformFailure) {
  if (isOrdinaryRefusal(failure)) return 'answered';
  return isBroken(failure) || isUnsent(failure) ? 'interrupted' : 'forbidden';
}

function matches(
  {status, operator, subscriptionFee, subscriptionDate, hasTrialPeriod}: SimpleSubscriptionRecord,
  {operator: soughtOperator, price, since, until}: SoughtSubscription,
  statuses: StatusNames,
): boolean {
  const fee = parseAmount(subscriptionFee ?? '');
  const startedAt = readTime(subscriptionDate);
  return (
    STARTED_STATES.has(stateOf('subscription', status, statuses)) &&
    operator === String(soughtOperator) &&
    // In a trial, the record of some platforms has no fee yet.
    (price === null || fee === price || (hasTrialPeriod === true && fee === 0)) &&
    startedAt !== null &&
    startedAt >= since - CLOCK_TOLERANCE_MS &&
    startedAt <= until + MAY_START_MS + CLOCK_TOLERANCE_MS
  );
}
