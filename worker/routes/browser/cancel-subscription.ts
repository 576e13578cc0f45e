import * as z from 'zod';
import {ApiError} from '../../api-error.ts';
import {describeSubscription} from '../../billing-events.ts';
import type {RequestOf, ResultOf} from '../../commands/deeds.ts';
import type {Refusal} from '../../commands/refusal.ts';
import type {ShownSubscription} from '../../contract/browser-subscriptions.ts';
import {recordEvent} from '../../events.ts';
import {log} from '../../log.ts';
import type {Outcome} from '../../objects/command-run.ts';
import {failureOf} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/operations.ts';
import type {ManagementSession} from '../../session.ts';
import {json, readJson} from '../json.ts';
import {codeOfBillingId} from '../merchant/services.ts';
import {platformTrouble} from '../platform-trouble.ts';
import type {RouteContext} from '../routes.ts';
import {billingIdOf, limitReads, type ManagedRecord, NOTHING_SAID, toShown} from './managed-subscription.ts';
import {sessionOf} from './session-of.ts';

/** POST /v1/subscription/cancel: ends the session's subscription. */
export async function cancelSubscription(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'management'});
  await readJson(request, z.strictObject({}));
  const record = session.via === 'landing' ? await cancelByLanding(session, context) : await cancelByBilling(session, context);
  return json<ShownSubscription>(toShown(record));
}

/** One attempt: nobody can read there what became of it, and "cancelled already" says it when the shopper asks again. */
async function cancelByLanding({service, subscription: id}: ManagementSession, context: RouteContext): Promise<ManagedRecord> {
  const record = await sendToLanding(id, context);
  const data = describeSubscription({...record, status: record.status ?? 'cancelled'}, codeOfBillingId(context.config, service));
  await recordEvent(context, {type: 'subscription.cancelled', key: [data.service, record.id].join('\n'), at: Date.now(), data});
  return record;
}

async function sendToLanding(id: string, {platform}: RouteContext): Promise<ManagedRecord> {
  try {
    const {subscription} = await platform.call('landingSubscriptionCancel', {subscription: id});
    const {subscription_date: subscriptionDate = null, renewal_date: renewalDate = null, cancellation_date: cancellationDate = null, status = 'cancelled'} = subscription ?? {};
    return {...NOTHING_SAID, id, status, subscriptionDate, renewalDate, cancellationDate};
  } catch (error) {
    throw platformTrouble(failureOf(error), 'landingSubscriptionCancel');
  }
}

/** A command, as the merchant's own: the state before is read, one attempt is made, and it is looked for until it is known. */
async function cancelByBilling(session: ManagementSession, context: RouteContext): Promise<ManagedRecord> {
  const {subscription} = session;
  // Reset test number has the same path: there, ten digits beginning with 5 are a number.
  if (/^5\d{9}$/.test(subscription)) throw new ApiError('cannot_cancel');
  const serviceId = billingIdOf(session, context);
  await limitReads(session, context);
  const outcome = await perform({service: codeOfBillingId(context.config, serviceId), serviceId, subscription}, context);
  switch (outcome.state) {
    case 'done': return (outcome.result as ResultOf<'cancelSubscription'>).subscription;
    case 'failed': throw toPageError(outcome.refusal);
    // It is known by and by; until then nobody sends another.
    default: throw new ApiError('outcome_unknown');
  }
}

async function perform(request: RequestOf<'cancelSubscription'>, {objects}: RouteContext): Promise<Outcome> {
  try {
    return await objects.commands(request.service).perform(crypto.randomUUID(), {name: 'cancelSubscription', request, patient: false});
  } catch (cause) {
    throw new ApiError('outcome_unknown', {cause});
  }
}

function toPageError(refusal: Refusal): ApiError {
  if ('failure' in refusal) return platformTrouble(refusal.failure, refusal.operation as OperationName);
  if (refusal.code !== 'egress_unsafe') return new ApiError(refusal.code);
  // What the way out does not promise is the operator's to mend.
  log('error', 'misconfigured', {names: ['EGRESS']});
  return new ApiError('misconfigured');
}
