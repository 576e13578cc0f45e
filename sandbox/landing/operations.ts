import type {Product} from '../billing/products.ts';
import type {Context} from '../context.ts';
import type {PinHolder} from '../records/landing.ts';
import {messageTexts} from '../records/messages.ts';
import {cancellability, type Subscription} from '../records/subscriptions.ts';
import type {Parameters, AnswerFields} from '../request.ts';
import {
  LandingRefusal,
  rejectTestNumber,
  requireProduct,
  requireSubscriber,
  type Subscriber,
} from './landing-statuses.ts';

/** The source that a subscription shows after a cancellation through this interface. */
const SOURCE = 'landing';

/** /subscription-request (subscriptions 4.C, rule 2): one-click with a number token, otherwise confirmed by PIN. */
export function requestSubscription(parameters: Parameters, context: Context): AnswerFields {
  const product = requireProduct(parameters);
  const token = parameters.text('token');
  if (token === '') requestByPin(product, parameters, context);
  else requestByToken(product, token, context);
  return {};
}

function requestByPin(product: Product, parameters: Parameters, context: Context): void {
  if (['msisdn', 'operator', 'pin'].some((name) => parameters.text(name) === '')) throw new LandingRefusal('025');
  const subscriber = requireSubscriber(parameters);
  const holder = pinHolder(product.id, subscriber);
  rejectTestNumber(subscriber, 'subscribe');
  switch (context.pins.check(holder, parameters.text('pin'))) {
    case 'wrong':
      throw new LandingRefusal('028');
    case 'expired':
      throw new LandingRefusal('003');
    case 'right':
      subscribe(product, subscriber, context);
      context.pins.useUp(holder);
  }
}

function requestByToken(product: Product, token: string, context: Context): void {
  const subscriber = context.numberTokens.find(token);
  if (!subscriber) throw new LandingRefusal('027');
  rejectTestNumber(subscriber, 'subscribe');
  subscribe(product, subscriber, context);
  context.numberTokens.useUp(token);
}

function subscribe(product: Product, {msisdn, operator}: Subscriber, {billing, subscriptions}: Context): void {
  if (product.testMode) throw new LandingRefusal('021');
  if (subscriptions.hasActive(msisdn, product.id)) throw new LandingRefusal('020');
  const {id, service, item, feeKurus, period, trialDays} = product;
  billing.subscribe({
    serviceId: service.id,
    productId: id,
    msisdn,
    operator,
    item,
    feeKurus,
    period,
    trialDays,
    referenceCode: undefined,
  });
}

/** /cancel-subscription (subscriptions 4.C, rule 3; states in 3). */
export function cancelLandingSubscription(parameters: Parameters, {billing, subscriptions}: Context): AnswerFields {
  const subscription = subscriptions.find(Number(parameters.text('subscription')));
  if (!subscription) throw new LandingRefusal('031');
  switch (cancellability(subscription)) {
    case 'cancelled':
      throw new LandingRefusal('032');
    case 'unavailable':
      throw new LandingRefusal('033');
    case 'cancellable':
      return {subscription: toSubscriptionFields(billing.cancel(subscription, SOURCE))};
  }
}

/** The landing subscription detail (subscriptions 2.7). */
function toSubscriptionFields(subscription: Subscription): AnswerFields {
  const {id, productId, status, subscribedAt, renewsAt, cancelledAt, cancellationSource} = subscription;
  return {
    id,
    product: productId ?? null,
    status,
    subscription_date: `${subscribedAt}+03`,
    renewal_date: `${renewsAt}+03`,
    cancellation_date: `${cancelledAt}+03`,
    cancellation_source: cancellationSource,
  };
}

/** /generate-pin (subscriptions 4.C, rule 1): sends four digits by SMS. A newer PIN replaces an older one. */
export function generatePin(parameters: Parameters, {messages, pins, subscriptions}: Context): AnswerFields {
  const product = requireProduct(parameters);
  const subscriber = requireSubscriber(parameters);
  rejectTestNumber(subscriber, 'pin');
  if (product.testMode) throw new LandingRefusal('021');
  if (subscriptions.hasActive(subscriber.msisdn, product.id)) throw new LandingRefusal('020');
  const pin = pins.issue(pinHolder(product.id, subscriber));
  messages.send({serviceId: product.service.id, ...subscriber}, messageTexts.pin(pin));
  return {};
}

export function pinHolder(productId: number, {msisdn, operator}: Subscriber): PinHolder {
  return {purpose: `product:${productId}`, msisdn, operator};
}

/** /get-msisdn (subscriptions 4.C, rule 4): the number that a number token stands for. */
export function getMsisdn(parameters: Parameters, {numberTokens}: Context): AnswerFields {
  const owner = numberTokens.find(parameters.text('token'));
  if (!owner) throw new LandingRefusal('027');
  rejectTestNumber(owner, 'pin');
  return {msisdn: owner.msisdn, operator: owner.operator};
}

const TYPES: ReadonlySet<string> = new Set(['visit', 'subscribe_clicked', 'confirm_clicked']);
const VISIT_FIELDS = ['url', 'userip', 'browser', 'referer'] as const;

/** /user-activity (subscriptions 4.C, rule 5). */
export function addUserActivity(parameters: Parameters, {activities}: Context): AnswerFields {
  const product = requireProduct(parameters);
  const type = parameters.text('type');
  if (!TYPES.has(type)) throw new LandingRefusal('026');
  if (type === 'visit' && VISIT_FIELDS.some((name) => parameters.text(name) === '')) throw new LandingRefusal('025');
  activities.add({
    product: product.id,
    tracking_id: parameters.text('tracking_id'),
    type,
    url: parameters.text('url'),
    userip: parameters.text('userip'),
    browser: parameters.text('browser'),
    referer: parameters.text('referer'),
  });
  return {};
}
