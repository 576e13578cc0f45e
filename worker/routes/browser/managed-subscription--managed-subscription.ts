/** The one subscription of a `management` session, as a page shows it. */

import {findBillingId} from '../../config/config.ts';
import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import {Amount, Instant, SUBSCRIPTION_STATES, type SubscriptionState} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {log} from '../../lib/log.ts';
import {maskMsisdn} from '../../lib/msisdn.ts';
import {most} from '../../objects/limits/guard-rules.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import type {ManagementSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';

/** A session lives ten minutes: a page that is loaded again and again must not use up what the platform allows us a day. */
const READS = 20;
const READS_WINDOW_MS = 10 * 60_000;

/** @throws {ApiError} `rate_limited` */
export async function limitReads(
  {via, service, subscription}: ManagementSession,
  {objects}: RouteContext,
): Promise<void> {
  const taken = await (
    await objects.guard(`management ${via} ${service} ${subscription}`)
  ).take([most(READS, READS_WINDOW_MS)]);
  if (!taken.allowed) throw new ApiError('rate_limited', {retryAfterSeconds: taken.retryAfterSeconds});
}

/** The number of the session's service in mobile billing. @throws {ApiError} `misconfigured` where it was taken away since. */
export function billingIdOf({service}: ManagementSession, {config}: RouteContext): string {
  const id = findBillingId(config, service);
  if (id !== null) return id;
  log('error', 'misconfigured', {names: ['SERVICES']});
  throw new ApiError('misconfigured');
}

/** What a page is told of it. */
export function toShown({
  id,
  status,
  msisdn,
  operator,
  subscriptionFee,
  period,
  subscriptionDate,
  renewalDate,
  cancellationDate,
}: SimpleSubscriptionRecord): ShownSubscription {
  return {
    subscription: {
      id,
      state: toState(status),
      msisdn: maskMsisdn(msisdn ?? ''),
      operator: /^[1-7]$/.test(operator ?? '') ? Number(operator) : null,
      price: readable(Amount, subscriptionFee),
      period,
      subscribed_at: readable(Instant, subscriptionDate),
      renews_at: readable(Instant, renewalDate),
      cancelled_at: readable(Instant, cancellationDate),
    },
  };
}

function toState(status: string | null): SubscriptionState {
  const word = subscriptionState(status);
  return SUBSCRIPTION_STATES.find((state) => state === word) ?? 'unknown';
}

/** Null for what a page could not read: the platform's own spelling is of no use there. */
function readable<T>(schema: {safeParse(value: unknown): {data?: T | undefined}}, value: T): T | null {
  return schema.safeParse(value).data ?? null;
}
