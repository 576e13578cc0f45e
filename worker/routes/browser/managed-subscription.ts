/** The one subscription of a `management` session: shows and cancels it. */

import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import {Amount, Instant, SUBSCRIPTION_STATES, type SubscriptionState} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {maskMsisdn} from '../../lib/msisdn.ts';
import {EMPTY_SUBSCRIPTION} from '../../objects/billing/billing-events.ts';
import {toBillingRecord} from '../../objects/commands/cancel-subscription.ts';
import type {Commands} from '../../objects/commands/commands.ts';
import type {RequestOf, ResultOf} from '../../objects/commands/registry.ts';
import {atMost} from '../../objects/limits/guard-rules.ts';
import {failureOf, PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import type {ManagementSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {runCommand} from '../run-command.ts';
import {findBilledService, requireBilledService} from '../services.ts';
import type {BrowserContext} from './handler.ts';

/**
 * GET /v1/subscription: the session's subscription. The landing interface shows none, and its ids need not be those of
 * mobile billing: of such a session no more is known than the id.
 */
export async function showSubscription(
  _input: null,
  context: BrowserContext<'management'>,
): Promise<ShownSubscription> {
  const {session} = context;
  const record =
    session.via === 'landing'
      ? {...EMPTY_SUBSCRIPTION, id: session.subscription}
      : await readBilledSubscription(session, context);
  return toShownSubscription(record);
}

/** What mobile billing says of it. @throws {ApiError} `subscription_not_found`, `rate_limited`, and trouble of the platform's. */
export async function readBilledSubscription(
  session: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  await limitSubscriptionReads(session, context);
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

/** POST /v1/subscription/cancel: ends the session's subscription, by a command as the merchant's own. */
export async function endSubscription(
  _input: object,
  context: BrowserContext<'management'>,
): Promise<ShownSubscription> {
  const {session} = context;
  const record =
    session.via === 'landing'
      ? await cancelLandingSubscriptionOf(session, context)
      : await cancelBilledSubscriptionOf(session, context);
  return toShownSubscription(record);
}

/** One attempt: nobody can read there what became of it, and "cancelled already" says it when the shopper asks again, twelve minutes later. */
async function cancelLandingSubscriptionOf(
  {service, subscription}: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  const code = findBilledService(context.config, {serviceId: service})?.service ?? service;
  const request = {service: code, subscription};
  return toBillingRecord(
    (await runCancellation('cancelLandingSubscription', request, () => context.objects.commands(null))).subscription,
  );
}

/** The state before is read, one attempt is made, and it is looked for until it is known. */
async function cancelBilledSubscriptionOf(
  session: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  const {subscription} = session;
  // Reset test number has the same path: there, ten digits beginning with 5 are a number.
  if (/^5\d{9}$/.test(subscription)) throw new ApiError('cannot_cancel');
  const {service, serviceId} = requireBilledService(context.config, session.service, 'misconfigured');
  await limitSubscriptionReads(session, context);
  return (
    await runCancellation('cancelSubscription', {service, serviceId, subscription}, () =>
      context.objects.commands(service),
    )
  ).subscription;
}

type Cancellation = 'cancelSubscription' | 'cancelLandingSubscription';

async function runCancellation<N extends Cancellation>(
  name: N,
  request: RequestOf<N>,
  commands: () => DurableObjectStub<Commands>,
): Promise<ResultOf<N>> {
  try {
    return await runCommand(commands, name, request, {id: crypto.randomUUID()});
  } catch (error) {
    throw await toCancellationError(error);
  }
}

async function toCancellationError(error: unknown): Promise<unknown> {
  if (error instanceof PlatformError) return toPageError(error.failure, error.operation as OperationName);
  if (!(error instanceof ApiError)) return error;
  switch (error.code) {
    // It is known by and by; until then nobody sends another.
    case 'command_pending':
    case 'outcome_unknown':
      return new ApiError('outcome_unknown', {cause: error.cause});
    // What the way out does not promise is the operator's to mend.
    case 'egress_unsafe':
      log('error', 'misconfigured', {names: ['EGRESS']});
      return new ApiError('misconfigured');
    default:
      return new ApiError(error.code);
  }
}

/** A session lives ten minutes: a page that is loaded again and again must not use up what the platform allows us a day. */
const MAX_READS = 20;
const READS_WINDOW_MS = 10 * MINUTE_MS;

/** @throws {ApiError} `rate_limited` */
export async function limitSubscriptionReads(
  {via, service, subscription}: ManagementSession,
  {objects}: RouteContext,
): Promise<void> {
  const permit = await (
    await objects.guard(`management ${via} ${service} ${subscription}`)
  ).acquire([atMost(MAX_READS, READS_WINDOW_MS)]);
  if (!permit.allowed) throw new ApiError('rate_limited', {retryAfterSeconds: permit.retryAfterSeconds});
}

/** What a page is told of it. */
export function toShownSubscription({
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
      price: validOrNull(Amount, subscriptionFee),
      period,
      subscribed_at: validOrNull(Instant, subscriptionDate),
      renews_at: validOrNull(Instant, renewalDate),
      cancelled_at: validOrNull(Instant, cancellationDate),
    },
  };
}

function toState(status: string | null): SubscriptionState {
  const word = subscriptionState(status);
  return SUBSCRIPTION_STATES.find((state) => state === word) ?? 'unknown';
}

/** Null for what a page could not read: the platform's own spelling is of no use there. */
function validOrNull<T>(schema: {safeParse(value: unknown): {data?: T | undefined}}, value: T): T | null {
  return schema.safeParse(value).data ?? null;
}
