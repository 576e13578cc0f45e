import {isMobileNumber, isTestNumber} from '../billing/mobile-numbers.ts';
import type {Context} from '../context.ts';
import {cancellability} from '../records/cancellable.ts';
import type {Subscription} from '../records/subscriptions.ts';
import type {Answer} from '../visit.ts';
import type {Target} from './envelope.ts';
import {Failure} from './errors.ts';
import {toSubscriptionDetail, toSubscriptionFields} from './subscription-fields.ts';

/** Shown as the source of a cancellation through this interface (subscriptions 2.2). */
const SOURCE = 'mi';

/** /subscription/detail (subscriptions 4.A). */
export function getSubscription(target: Target, context: Context): Answer {
  return {subscription: toSubscriptionDetail(requireSubscription(target, context), context)};
}

/** /subscription/cancel, of a subscription or, as the path has the same shape, of a test number (subscriptions 4.A). */
export function cancelSubscription(target: Target, context: Context): Answer {
  if (isMobileNumber(target.id)) return resetTestNumber(target, context);
  const subscription = requireSubscription(target, context);
  const state = cancellability(subscription);
  if (state !== 'cancellable') {
    const echo = {subscription: toSubscriptionFields(subscription)};
    const code = state === 'cancelled' ? 'API_ERR_2005' : 'API_ERR_2006';
    throw new Failure(code, {detail: `Current status: ${subscription.status}`, echo});
  }
  return {subscription: toSubscriptionFields(context.billing.cancel(subscription, SOURCE))};
}

/** Afterwards the number may subscribe as if it never had. Nobody is told. */
function resetTestNumber({serviceId, id}: Target, {clock, subscriptions}: Context): Answer {
  if (!isTestNumber(id)) throw new Failure('API_ERR_2007');
  const ofNumber = {sql: 'msisdn = ? AND service_id = ?', bindings: [id, serviceId]};
  for (const subscription of subscriptions.page(ofNumber, 'id', -1, 0))
    subscriptions.cancel(subscription, 'test', clock.now());
  return {};
}

function requireSubscription({serviceId, id}: Target, {subscriptions}: Context): Subscription {
  const subscription = subscriptions.find(Number(id));
  if (subscription?.serviceId !== serviceId) throw new Failure('API_ERR_2001');
  return subscription;
}
