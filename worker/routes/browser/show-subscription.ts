import type {ShownSubscription} from '../../contract/browser/subscription-answers.ts';
import {json} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {NOTHING_SAID} from '../../objects/billing/billing-events.ts';
import {failureOf} from '../../platform/failure.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import type {ManagementSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {billingIdOf, limitReads, toShown} from './managed-subscription--managed-subscription.ts';

/**
 * GET /v1/subscription: the session's subscription. The landing interface shows none, and its ids need not be those of
 * mobile billing: of such a session no more is known than the id.
 */
export async function showSubscription(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'management'});
  const record =
    session.via === 'landing' ? {...NOTHING_SAID, id: session.subscription} : await readManaged(session, context);
  return json<ShownSubscription>(toShown(record));
}

/** What mobile billing says of it. @throws {ApiError} `subscription_not_found`, `rate_limited`, and trouble of the platform's. */
export async function readManaged(
  session: ManagementSession,
  context: RouteContext,
): Promise<SimpleSubscriptionRecord> {
  await limitReads(session, context);
  try {
    return (
      await context.platform.call('subscriptionGet', {
        serviceId: billingIdOf(session, context),
        subscriptionId: session.subscription,
      })
    ).subscription;
  } catch (error) {
    throw await platformTrouble(failureOf(error), 'subscriptionGet');
  }
}
