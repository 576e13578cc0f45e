/** Controls of mobile billing. They simulate what phones, mobile networks and mobile operators do. */

import * as z from 'zod';
import {isMobileNumber, isOperator} from '../billing/mobile-numbers.ts';
import {findProduct, readUsageLimits, USAGE_LIMITS_SETTING} from '../config.ts';
import type {Context} from '../context.ts';
import {formatAmount} from '../formats.ts';
import {CHARGE_STATUSES, type Charge} from '../records/charges.ts';
import {cancellability, SUBSCRIPTION_STATUSES, type Subscription} from '../records/subscriptions.ts';
import {ControlError, type ControlInput, ListLimit, readInput} from './control-input.ts';

const Msisdn = z
  .string('must be a number of ten digits')
  .refine(isMobileNumber, 'must be a number of ten digits that begins with 5');
const Operator = z.int('must be an operator from 1 to 7').refine(isOperator, 'must be an operator from 1 to 7');

const NumberOwnerInput = z.object({msisdn: Msisdn, operator: Operator.default(1)});
const NewSubscriptionInput = NumberOwnerInput.extend({product: z.int('must be the id of a product').default(77)});
const SubscriptionStatus = z.object({
  status: z.enum(SUBSCRIPTION_STATUSES, `must be one of ${SUBSCRIPTION_STATUSES.join(', ')}`),
});
const CancellationSource = z.object({source: z.string('must be a text').min(1).max(32).default('sms')});
const ChargeStatus = z.object({status: z.literal(CHARGE_STATUSES, `must be one of ${CHARGE_STATUSES.join(', ')}`)});
const NewLimits = z.object({limits: z.unknown().optional()});
const MobileQuery = z.object({msisdn: z.string().optional(), limit: ListLimit});

/** GET /_sandbox/sms: the messages to one number, or to all numbers, oldest first. */
export function listSms({query}: ControlInput, {messages}: Context) {
  const {msisdn, limit} = readInput(MobileQuery, Object.fromEntries(query));
  const condition = msisdn ? {sql: 'msisdn = ?', bindings: [msisdn]} : {sql: 'TRUE', bindings: []};
  const newest = messages.page(condition, 'id DESC', limit, 0);
  return {
    messages: newest
      .toReversed()
      .map(({message, sentAt, msisdn: to}) => (msisdn ? {message, at: sentAt} : {message, at: sentAt, msisdn: to})),
  };
}

/** POST /_sandbox/number-tokens: issues a token for the number of a visitor, as a mobile network does. */
export function makeNumberToken({body}: ControlInput, {numberTokens, readings}: Context) {
  return {number_token: numberTokens.issue(readInput(NumberOwnerInput, body), readings.get('number_tokens'))};
}

/**
 * POST /_sandbox/subscriptions: creates a subscription directly, without a call to one of the platform's interfaces.
 */
export function makeSubscription({body}: ControlInput, {billing}: Context) {
  const {product: productId, ...owner} = readInput(NewSubscriptionInput, body);
  const product = findProduct(productId);
  if (!product) throw new ControlError(`There is no product ${productId}.`);
  const subscription = billing.subscribeToProduct(product, owner);
  return {subscription_id: subscription.id};
}

/** GET /_sandbox/subscriptions: every cycle, newest first, with its charges. */
export function listSubscriptions({query}: ControlInput, {charges, subscriptions}: Context) {
  const {msisdn, limit} = readInput(MobileQuery, Object.fromEntries(query));
  const condition = msisdn ? {sql: 'msisdn = ?', bindings: [msisdn]} : {sql: 'TRUE', bindings: []};
  const chargesOf = (id: number) => charges.page({sql: 'subscription_id = ?', bindings: [id]}, 'id', -1, 0);
  return {
    subscriptions: subscriptions
      .page(condition, 'id DESC', limit, 0)
      .map((subscription) => toShownSubscription(subscription, chargesOf(subscription.id))),
  };
}

function toShownSubscription(subscription: Subscription, charges: readonly Charge[]) {
  return {
    subscription_id: subscription.id,
    msisdn: subscription.msisdn,
    operator: subscription.operator,
    product: subscription.productId ?? null,
    reference: subscription.referenceCode ?? null,
    status: subscription.status,
    fee: formatAmount(subscription.feeKurus),
    subscribed_at: subscription.subscribedAt,
    renews_at: subscription.renewsAt,
    cancelled_at: subscription.cancelledAt ?? null,
    charges: charges.map(({id, status, amountKurus, chargedAt}) => ({
      charge_id: id,
      status,
      amount: formatAmount(amountKurus),
      at: chargedAt,
    })),
  };
}

/** POST /_sandbox/subscriptions/{id}/status */
export function setSubscriptionStatus({body, part}: ControlInput, {clock, subscriptions}: Context) {
  const {status} = readInput(SubscriptionStatus, body);
  const subscription = subscriptions.find(Number(part('id')));
  if (!subscription) throw new ControlError(`There is no subscription ${part('id')}.`);
  subscriptions.setStatus(subscription, status, clock.now());
  return {};
}

/** POST /_sandbox/subscriptions/{id}/cancel: cancels a subscription as a subscriber does by SMS. */
export function cancelElsewhere({body, part}: ControlInput, {billing, subscriptions}: Context) {
  const {source} = readInput(CancellationSource, body);
  const subscription = subscriptions.find(Number(part('id')));
  if (!subscription) throw new ControlError(`There is no subscription ${part('id')}.`);
  if (cancellability(subscription) !== 'cancellable')
    throw new ControlError(`Subscription ${part('id')} cannot be cancelled.`);
  billing.cancel(subscription, source);
  return {};
}

/** POST /_sandbox/subscriptions/{id}/renew: begins the next cycle now, and answers with its id. */
export function renewNow({part}: ControlInput, {billing, subscriptions}: Context) {
  const subscription = subscriptions.find(Number(part('id')));
  if (!subscription) throw new ControlError(`There is no subscription ${part('id')}.`);
  const cycle = billing.renewNow(subscription);
  if (!cycle) throw new ControlError(`Subscription ${part('id')} is not going to be renewed.`);
  return {subscription_id: cycle.id};
}

/** POST /_sandbox/charges/{id}/status */
export function setChargeStatus({body, part}: ControlInput, {charges, clock}: Context) {
  const {status} = readInput(ChargeStatus, body);
  const charge = charges.find(Number(part('id')));
  if (!charge) throw new ControlError(`There is no charge ${part('id')}.`);
  charges.setStatus(charge, status, clock.now());
  return {};
}

/** GET /_sandbox/activities */
export function listActivities({query}: ControlInput, {activities}: Context) {
  return {activities: activities.recent(readInput(MobileQuery, Object.fromEntries(query)).limit)};
}

/** POST /_sandbox/limits: `{"limits": null}` lifts all limits, `{"limits": {}}` deletes the overrides. */
export function setLimits({body}: ControlInput, {settings}: Context) {
  const limits = readUsageLimits(readInput(NewLimits, body).limits);
  if (limits === undefined)
    throw new ControlError(
      'limits: must be null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}.',
    );
  settings.set(USAGE_LIMITS_SETTING, limits);
  return {};
}
