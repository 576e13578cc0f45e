/** Shows and cancels the subscription of a `management` session. */

import type {Config} from '../../config/config.ts';
import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import {Amount, SUBSCRIPTION_STATES} from '../../contract/fields.ts';
import {maskMsisdn, MSISDN} from '../../contract/readers/mobile-number.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {parseAmount} from '../../lib/money.ts';
import {EMPTY_SUBSCRIPTION} from '../../objects/billing/billing-events.ts';
import {toBillingRecord} from '../../objects/commands/cancel-subscription.ts';
import type {RequestOf, ResultOf} from '../../objects/commands/registry.ts';
import {count, counterOf, release} from '../../objects/limits/counting.ts';
import {failureOf, PlatformError} from '../../platform/failure.ts';
import {instantOf, readTime} from '../../platform/habits.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {SimpleSubscriptionRecord, SubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {stateOf} from '../../platform/statuses.ts';
import type {ManagementSession} from '../../session.ts';
import {misconfigured} from '../problems.ts';
import type {RouteContext} from '../route.ts';
import {runCommand} from '../run-command.ts';
import {findBilledService, requireBilledService} from '../services.ts';
import type {BrowserHandlers} from './handler.ts';

export const managedSubscriptionHandlers = {
  /**
   * GET /v1/subscription: the session's subscription. The landing interface cannot read subscriptions, and its ids may
   * differ from the ids of mobile billing. For a session of the landing interface, the Worker therefore knows only the
   * id.
   */
  async showSubscription(_input, context) {
    const {session} = context;
    return withSeller(session, () =>
      session.via === 'landing'
        ? toShownSubscription({...EMPTY_SUBSCRIPTION, id: session.subscription}, context.config)
        : readShownSubscription(session, context),
    );
  },

  /** POST /v1/subscription/cancel: cancels the session's subscription, with the same command as the merchant API. */
  async endSubscription(_input, context) {
    const {session} = context;
    return withSeller(session, () => cancelOnce(session, context));
  },
} satisfies Partial<BrowserHandlers>;

/** Adds the session's seller to the answer or to the error, because a page shows the seller with both. */
async function withSeller(
  {seller}: ManagementSession,
  show: () => ShownSubscription | Promise<ShownSubscription>,
): Promise<ShownSubscription> {
  try {
    return {...(await show()), ...(seller && {seller})};
  } catch (error) {
    throw seller && error instanceof ApiError ? new ApiError(error.code, {...error.options, seller}) : error;
  }
}

/**
 * How long a page gets the stored answer, because the platform allows few reads a day, and pages are often reloaded.
 */
const REMEMBERED_MS = 2 * MINUTE_MS;

/** Returns the subscription as the Worker last showed it to a page, or reads it from the platform. */
async function readShownSubscription(session: ManagementSession, context: RouteContext): Promise<ShownSubscription> {
  const details = await context.objects.shownSubscription(session.service, session.subscription);
  const known = await details.readDetails();
  if (known?.kind === 'shown') return known.shown;
  const shown = toShownSubscription(await readBilledSubscription(session, context), context.config);
  await details.saveDetails({kind: 'shown', shown}, Date.now() + REMEMBERED_MS);
  return shown;
}

/**
 * Reads the subscription from mobile billing.
 * @throws {ApiError} `subscription_not_found`, `rate_limited`, and errors of the platform.
 */
export async function readBilledSubscription(
  session: ManagementSession,
  context: RouteContext,
): Promise<SubscriptionRecord> {
  await limitManagement('subscription_reads_per_day', session, context);
  try {
    return (
      await context.platform.call('subscriptionGet', {
        serviceId: requireBilledService(context.config, session.service, 'misconfigured').serviceId,
        subscriptionId: session.subscription,
      })
    ).subscription;
  } catch (error) {
    throw await toPageError(failureOf(error), 'subscriptionGet');
  }
}

async function cancelOnce(session: ManagementSession, context: RouteContext): Promise<ShownSubscription> {
  await limitManagement('subscription_attempts_per_10_minutes', session, context);
  const uncount = await limitManagement('subscription_cancellations_per_day', session, context);
  try {
    const record =
      session.via === 'landing'
        ? await cancelLandingSubscriptionOf(session, context)
        : await cancelBilledSubscriptionOf(session, context);
    return toShownSubscription(record, context.config);
  } catch (error) {
    if (isUnsentCancellation(error)) await uncount();
    throw error;
  }
}

/**
 * Whether the platform got no cancellation and reported nothing about the subscription. Such an attempt does not count
 * towards the limit of a day; otherwise shoppers who try again and again during an outage could not cancel after the
 * outage.
 */
function isUnsentCancellation(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const {code, cause} = error;
  return (
    code === 'temporarily_unavailable' ||
    code === 'misconfigured' ||
    (cause instanceof ApiError && cause.code === 'command_pending')
  );
}

/**
 * Sends one cancellation. If its reply is lost, the Worker cannot find out the outcome, because the landing interface
 * cannot read subscriptions. A shopper who tries again twelve minutes later gets `already_cancelled` if the first
 * cancellation succeeded.
 */
async function cancelLandingSubscriptionOf(
  {service, subscription}: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  const code = findBilledService(context.config, {serviceId: service})?.service ?? service;
  const request = {service: code, subscription};
  return toBillingRecord((await runCancellation('cancelLandingSubscription', request, context)).subscription);
}

/**
 * Runs a command that reads the subscription, sends one cancellation, and reads the subscription again until the
 * outcome is known.
 */
async function cancelBilledSubscriptionOf(
  session: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  const {subscription} = session;
  // On this path, the platform also resets test numbers: it treats an id of ten digits that begins with 5 as a number.
  if (MSISDN.test(subscription)) throw new ApiError('cannot_cancel');
  const {service, serviceId} = requireBilledService(context.config, session.service, 'misconfigured');
  return (await runCancellation('cancelSubscription', {service, serviceId, subscription}, context)).subscription;
}

type Cancellation = 'cancelSubscription' | 'cancelLandingSubscription';

async function runCancellation<N extends Cancellation>(
  name: N,
  request: RequestOf<N>,
  {objects}: RouteContext,
): Promise<ResultOf<N>> {
  try {
    return await runCommand(objects, name, request, {id: crypto.randomUUID(), askedBy: null});
  } catch (error) {
    throw await toCancellationError(error);
  }
}

async function toCancellationError(error: unknown): Promise<unknown> {
  if (error instanceof PlatformError) return toPageError(error.failure, error.operation as OperationName);
  if (!(error instanceof ApiError)) return error;
  switch (error.code) {
    // The command verifies the outcome later. Before that, the Worker sends no second cancellation.
    case 'command_pending':
      return new ApiError('outcome_unknown', {cause: error});
    case 'outcome_unknown':
      return new ApiError('outcome_unknown', {cause: error.cause});
    // The operator must set `EGRESS` to a value with which each request is sent only once.
    case 'egress_unsafe':
      return misconfigured('EGRESS');
    default:
      return new ApiError(error.code);
  }
}

/**
 * What pages may do with one subscription. The platform allows 1,000 reads a day for all subscriptions together, and a page
 * must be able to cancel after many reloads.
 */
const MANAGEMENT_LIMITS = {
  subscription_reads_per_day: 30,
  subscription_attempts_per_10_minutes: 20,
  /** Those that were sent. */
  subscription_cancellations_per_day: 10,
} as const;

/** Counts a request towards a limit. Returns a function that removes this count. @throws {ApiError} `rate_limited` */
async function limitManagement(
  name: keyof typeof MANAGEMENT_LIMITS,
  {via, service, subscription}: ManagementSession,
  {objects}: RouteContext,
): Promise<() => Promise<void>> {
  const counted = await count(objects, `subscription ${via} ${service} ${subscription}`, [
    counterOf(name, '', MANAGEMENT_LIMITS[name]),
  ]);
  if (counted.full !== undefined) throw new ApiError('rate_limited', {retryAfterSeconds: counted.retryAfterSeconds});
  const {ticket} = counted;
  return () => release(objects, [ticket]);
}

/** A subscription. If `lastSuccessfulTransaction` is absent, it is unknown whether a charge was made. */
type BilledRecord = SimpleSubscriptionRecord & Partial<SubscriptionRecord>;

/** Converts a subscription record to what a page may see. */
function toShownSubscription(record: BilledRecord, {statuses}: Pick<Config, 'statuses'>): ShownSubscription {
  const state = stateOf('subscription', record.status, statuses);
  return {
    subscription: {
      id: record.id,
      state: SUBSCRIPTION_STATES.find((known) => known === state) ?? 'unknown',
      msisdn: maskMsisdn(record.msisdn ?? ''),
      operator: /^[1-7]$/.test(record.operator ?? '') ? Number(record.operator) : null,
      // In a trial, the record of some platforms has no fee yet.
      price: parseAmount(record.subscriptionFee ?? '') === 0 ? null : validOrNull(Amount(), record.subscriptionFee),
      period: record.period,
      trial_days: state === 'active' && isInFreeTrial(record) ? record.trialPeriodDay : null,
      subscribed_at: instantOf(record.subscriptionDate),
      renews_at: instantOf(record.renewalDate),
      cancelled_at: instantOf(record.cancellationDate),
    },
  };
}

/**
 * Whether a trial is running and nothing was charged yet. Where a platform charges at once, a trial only moves the next
 * charge.
 */
function isInFreeTrial({hasTrialPeriod, trialPeriodDay, subscriptionDate, lastSuccessfulTransaction}: BilledRecord) {
  const begunAt = readTime(subscriptionDate);
  const isRunning = begunAt !== null && begunAt + (trialPeriodDay ?? 0) * DAY_MS > Date.now();
  return hasTrialPeriod !== false && isRunning && lastSuccessfulTransaction === null;
}

/** Returns null for a value that a page could not parse, because the platform sent it in a different format. */
function validOrNull<T>(schema: {safeParse(value: unknown): {data?: T | undefined}}, value: T): T | null {
  return schema.safeParse(value).data ?? null;
}
