import * as z from 'zod';
import {ApiError} from '../../api-error.ts';
import {describeSubscription} from '../../billing-events.ts';
import type {ShownSubscription} from '../../contract/browser-subscriptions.ts';
import {recordEvent} from '../../events.ts';
import {log} from '../../log.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
import type {ManagementSession} from '../../session.ts';
import {json, readJson} from '../json.ts';
import {codeOfBillingId} from '../merchant/services.ts';
import {requireSingleAttempt} from '../merchant/single-attempt.ts';
import {platformTrouble} from '../platform-trouble.ts';
import type {RouteContext} from '../routes.ts';
import {billingIdOf, type ManagedRecord, NOTHING_SAID, toShown} from './managed-subscription.ts';
import {sessionOf} from './session-of.ts';
import {readManaged} from './show-subscription.ts';

/** POST /v1/subscription/cancel: ends the session's subscription. */
export async function cancelSubscription(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'management'});
  await readJson(request, z.strictObject({}));
  const record = session.via === 'landing' ? await cancelByLanding(session, context) : await cancelByBilling(session, context);
  const data = describeSubscription({...record, status: record.status ?? 'cancelled'}, codeOfBillingId(context.config, session.service));
  await recordEvent(context, {type: 'subscription.cancelled', key: [data.service, record.id].join('\n'), at: Date.now(), data});
  return json<ShownSubscription>(toShown(record));
}

/** One attempt: nobody can read there what became of it, and "cancelled already" says it when the shopper asks again. */
async function cancelByLanding({subscription: id}: ManagementSession, {platform}: RouteContext): Promise<ManagedRecord> {
  try {
    const {subscription} = await platform.call('landingSubscriptionCancel', {subscription: id});
    const {subscription_date: subscriptionDate = null, renewal_date: renewalDate = null, cancellation_date: cancellationDate = null, status = 'cancelled'} = subscription ?? {};
    return {...NOTHING_SAID, id, status, subscriptionDate, renewalDate, cancellationDate};
  } catch (error) {
    throw platformTrouble(failureOf(error), 'landingSubscriptionCancel');
  }
}

/** The state before is read, one attempt is made, and where its answer was lost the state after tells. */
async function cancelByBilling(session: ManagementSession, context: RouteContext): Promise<ManagedRecord> {
  // Reset test number has the same path: there, ten digits beginning with 5 are a number.
  if (/^5\d{9}$/.test(session.subscription)) throw new ApiError('cannot_cancel');
  checkEgress(context);
  const before = await readManaged(session, context);
  if (isCancelled(before)) throw new ApiError('already_cancelled');
  try {
    const {subscription} = await context.platform.call('subscriptionCancel', {serviceId: billingIdOf(session, context), subscriptionId: session.subscription});
    return subscription ?? {...before, status: 'cancelled'};
  } catch (error) {
    const failure = failureOf(error);
    const trouble = platformTrouble(failure, 'subscriptionCancel');
    if (!isBroken(failure) || failure.outcome === 'unsent') throw trouble;
    const after = await readManaged(session, context).catch(() => null);
    if (after && isCancelled(after)) return after;
    throw trouble;
  }
}

function isCancelled(record: ManagedRecord): boolean {
  return toShown(record).subscription.state === 'cancelled';
}

/** @throws {ApiError} `misconfigured`: what the way out does not promise is the operator's to mend. */
function checkEgress({config, egress}: RouteContext): void {
  try {
    requireSingleAttempt(config, egress);
  } catch (cause) {
    log('error', 'misconfigured', {names: ['EGRESS']});
    throw new ApiError('misconfigured', {cause});
  }
}
