import * as z from 'zod';
import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {log} from '../../lib/log.ts';
import {toBillingRecord} from '../../objects/commands/cancel-landing-subscription.ts';
import type {Refusal} from '../../objects/commands/command-refusal.ts';
import type {Outcome} from '../../objects/commands/command-runner.ts';
import type {CommandOrder, Commands} from '../../objects/commands/commands.ts';
import type {RequestOf, ResultOf} from '../../objects/commands/registry.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import type {ManagementSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {codeOfBillingId} from '../services.ts';
import {sessionOf} from './auth.ts';
import {billingIdOf, limitReads, toShown} from './managed-subscription--managed-subscription.ts';

/** POST /v1/subscription/cancel: ends the session's subscription, by a command as the merchant's own. */
export async function cancelSubscription(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'management'});
  await readJson(request, z.strictObject({}));
  const record =
    session.via === 'landing' ? await cancelByLanding(session, context) : await cancelByBilling(session, context);
  return json<ShownSubscription>(toShown(record));
}

/** One attempt: nobody can read there what became of it, and "cancelled already" says it when the shopper asks again, twelve minutes later. */
async function cancelByLanding(
  {service, subscription}: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  const request = {service: codeOfBillingId(context.config, service), subscription};
  return toBillingRecord(
    (await carryOut('cancelLandingSubscription', request, context.objects.commands(null))).subscription,
  );
}

/** The state before is read, one attempt is made, and it is looked for until it is known. */
async function cancelByBilling(session: ManagementSession, context: RouteContext): Promise<SimpleSubscriptionRecord> {
  const {subscription} = session;
  // Reset test number has the same path: there, ten digits beginning with 5 are a number.
  if (/^5\d{9}$/.test(subscription)) throw new ApiError('cannot_cancel');
  const serviceId = billingIdOf(session, context);
  await limitReads(session, context);
  const service = codeOfBillingId(context.config, serviceId);
  return (await carryOut('cancelSubscription', {service, serviceId, subscription}, context.objects.commands(service)))
    .subscription;
}

type Cancellation = 'cancelSubscription' | 'cancelLandingSubscription';

async function carryOut<N extends Cancellation>(
  name: N,
  request: RequestOf<N>,
  commands: DurableObjectStub<Commands>,
): Promise<ResultOf<N>> {
  const outcome = await perform({name, request: request as object, patient: false}, commands);
  switch (outcome.state) {
    case 'done':
      return outcome.result as ResultOf<N>;
    case 'failed':
      throw await toCancellationError(outcome.refusal);
    // It is known by and by; until then nobody sends another.
    default:
      throw new ApiError('outcome_unknown');
  }
}

async function perform(order: CommandOrder, commands: DurableObjectStub<Commands>): Promise<Outcome> {
  try {
    return await commands.perform(crypto.randomUUID(), order);
  } catch (cause) {
    throw new ApiError('outcome_unknown', {cause});
  }
}

async function toCancellationError(refusal: Refusal): Promise<ApiError> {
  if ('failure' in refusal) return platformTrouble(refusal.failure, refusal.operation as OperationName);
  if (refusal.code !== 'egress_unsafe') return new ApiError(refusal.code);
  // What the way out does not promise is the operator's to mend.
  log('error', 'misconfigured', {names: ['EGRESS']});
  return new ApiError('misconfigured');
}
