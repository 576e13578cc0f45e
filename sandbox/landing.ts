/**
 * The landing interface (`docs/spec/subscriptions.md` 4.C): its statuses, its operations and the checks before each
 * operation.
 */

import {isMobileNumber, isOperator, landingStatusOf, type LandingStage} from './billing/mobile-numbers.ts';
import {findProduct, type Product} from './config.ts';
import type {Context} from './context.ts';
import type {PinHolder} from './records/landing.ts';
import {messageTexts} from './records/messages.ts';
import type {Readings} from './records/readings.ts';
import {cancellability, type Subscription} from './records/subscriptions.ts';
import {
  logUnexpectedError,
  type AnswerFields,
  type PlatformInterface,
  type PlatformRequest,
  type Parameters,
} from './request.ts';

/** The values of the JSON field `status` and their descriptions (subscriptions.md 7.2). */
export const LANDING_STATUSES = {
  '400': 'Missing Parameter',
  '000': 'Request Successfully',
  '001': 'Landing Page Not Found',
  '002': 'Failed To Get Subscribed',
  '003': 'Pin Is Out Of Time',
  '004': 'Invalid Phone Number',
  '005': 'Internal System Error',
  '006': 'Invalid Operator',
  '007': 'Phone Number Is In Blacklist',
  '018': 'Billing cap reached, try again later',
  '019': 'Daily billing cap for this number reached',
  '020': 'Number already has an active subscription',
  '021': 'Landing in test mode',
  '025': 'Missing Parameter(s)',
  '026': 'Invalid Request',
  '027': 'Invalid Token',
  '028': 'Invalid Pin',
  '029': 'Invalid Authorization',
  '030': 'IP address not allowed',
  '031': 'Subscription not found',
  '032': 'Subscription has been already cancelled',
  '033': 'Subscription status is not available for cancellation',
} as const satisfies Record<string, string>;

type LandingStatus = keyof typeof LANDING_STATUSES;

function isLandingStatus(text: string): text is LandingStatus {
  return Object.hasOwn(LANDING_STATUSES, text);
}

/** Thrown to end an operation with a status other than success. */
class LandingRefusal extends Error {
  constructor(readonly status: Exclude<LandingStatus, '000'>) {
    super(LANDING_STATUSES[status]);
  }
}

/** Finds the product that the parameter `product` names. */
function requireProduct(parameters: Parameters): Product {
  const product = findProduct(Number(parameters.text('product')));
  if (!product) throw new LandingRefusal('001');
  return product;
}

interface Subscriber {
  readonly msisdn: string;
  readonly operator: number;
}

/** Reads the number and the mobile operator, and checks their format. */
function requireSubscriber(parameters: Parameters): Subscriber {
  const operator = Number(parameters.text('operator'));
  if (!isOperator(operator)) throw new LandingRefusal('006');
  const msisdn = parameters.text('msisdn');
  if (!isMobileNumber(msisdn)) throw new LandingRefusal('004');
  return {msisdn, operator};
}

/** Refuses a test number that selects a status for this stage (`docs/sandbox.md`). Accepts every other number. */
function rejectTestNumber({msisdn}: Subscriber, stage: LandingStage): void {
  const status = landingStatusOf(msisdn, stage);
  if (status !== undefined && isLandingStatus(status) && status !== '000') throw new LandingRefusal(status);
}

function isWholeNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

interface LandingOperation {
  /** The required parameters in addition to `authorization` and `merchant` (subscriptions.md 4.C). */
  readonly required: readonly string[];
  /** @throws {LandingRefusal} */
  readonly handle: (parameters: Parameters, context: Context) => AnswerFields;
}

const COMMON = ['authorization', 'merchant'] as const;
/** Parameters that must be whole numbers if they are sent (subscriptions.md 4.C). The number token is read as text. */
const WHOLE_NUMBERS = ['merchant', 'product', 'operator', 'subscription'] as const;

const OPERATIONS: ReadonlyMap<string, LandingOperation> = new Map<string, LandingOperation>([
  [
    '/landing/generate-pin',
    {required: ['product', 'operator', 'msisdn', 'userip', 'tracking_id'], handle: generatePin},
  ],
  ['/landing/subscription-request', {required: ['product', 'userip', 'tracking_id'], handle: requestSubscription}],
  ['/landing/cancel-subscription', {required: ['subscription'], handle: cancelLandingSubscription}],
  ['/landing/get-msisdn', {required: ['token'], handle: getMsisdn}],
  ['/landing/user-activity', {required: ['product', 'tracking_id', 'type'], handle: addUserActivity}],
]);

export const landingInterface: PlatformInterface = {
  operationOf: (path) => (OPERATIONS.has(path) ? path : undefined),
  refuse,
  async answer(request, context) {
    try {
      return Response.json({status: '000', description: LANDING_STATUSES['000'], ...runOperation(request, context)});
    } catch (error) {
      if (error instanceof LandingRefusal) return refuse(error.status, context);
      logUnexpectedError(request.path, error);
      return refuse('005', context);
    }
  },
};

/** Returns an error body. A status that is not in the table is sent unchanged. */
function refuse(status: string, {config}: Context): Response {
  const description = isLandingStatus(status) ? LANDING_STATUSES[status] : 'Unknown';
  return Response.json({status, description}, {status: config.errorHttpStatus});
}

/** Checks for missing parameters, then checks the caller, then runs the operation. @throws {LandingRefusal} */
function runOperation({method, path, parameters}: PlatformRequest, context: Context): AnswerFields {
  const {config, merchantAddress} = context;
  const operation = OPERATIONS.get(path);
  if (!operation || (method !== 'GET' && method !== 'POST')) throw new LandingRefusal('026');
  if ([...COMMON, ...operation.required].some((name) => parameters.text(name) === '')) throw new LandingRefusal('400');
  if (parameters.text('authorization') !== config.landingAuthorization) throw new LandingRefusal('029');
  if (!merchantAddress.isAllowed()) throw new LandingRefusal('030');
  if (WHOLE_NUMBERS.map((name) => parameters.text(name)).some((text) => text !== '' && !isWholeNumber(text)))
    throw new LandingRefusal('026');
  if (Number(parameters.text('merchant')) !== config.merchantId) throw new LandingRefusal('029');
  return operation.handle(parameters, context);
}

/** The `cancellation_source` of a subscription that was cancelled through this interface. */
const SOURCE = 'landing';

/**
 * /subscription-request (subscriptions.md 4.C, rule 2): subscribes a number. The call has a number token (one-click) or
 * a PIN.
 */
function requestSubscription(parameters: Parameters, context: Context): AnswerFields {
  const product = requireProduct(parameters);
  const token = parameters.text('token');
  if (token === '') requestByPin(product, parameters, context);
  else requestByToken(product, token, parameters, context);
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
    case 'correct':
      subscribe(product, subscriber, context);
      context.pins.useUp(holder);
  }
}

function requestByToken(product: Product, token: string, parameters: Parameters, context: Context): void {
  const subscriber = context.numberTokens.find(token);
  if (!subscriber) throw new LandingRefusal('027');
  if (context.readings.get('one_click') === 'token_and_number' && !parameters.text('msisdn'))
    throw new LandingRefusal('025');
  // The number that comes with a token must be the token's.
  if (parameters.text('msisdn') && requireSubscriber(parameters).msisdn !== subscriber.msisdn)
    throw new LandingRefusal('004');
  rejectTestNumber(subscriber, 'subscribe');
  subscribe(product, subscriber, context);
  context.numberTokens.useUp(token);
}

function subscribe(product: Product, subscriber: Subscriber, {billing, subscriptions}: Context): void {
  if (product.testMode) throw new LandingRefusal('021');
  if (subscriptions.hasActive(subscriber.msisdn, product.id)) throw new LandingRefusal('020');
  billing.subscribeToProduct(product, subscriber);
}

/** /cancel-subscription (subscriptions.md 4.C, rule 3). The states of a subscription are in subscriptions.md 3. */
function cancelLandingSubscription(parameters: Parameters, {billing, subscriptions, readings}: Context): AnswerFields {
  const subscription = subscriptions.find(Number(parameters.text('subscription')));
  if (!subscription) throw new LandingRefusal('031');
  switch (cancellability(subscription)) {
    case 'cancelled':
      throw new LandingRefusal('032');
    case 'unavailable':
      throw new LandingRefusal('033');
    case 'cancellable':
      return {subscription: toSubscriptionFields(billing.cancel(subscription, SOURCE), readings)};
  }
}

/** The detail of a subscription as the landing interface shows it (subscriptions.md 2.7). */
function toSubscriptionFields(subscription: Subscription, readings: Readings): AnswerFields {
  const {id, productId, status, subscribedAt, renewsAt, cancelledAt, cancellationSource} = subscription;
  const zone = {offset: '+03', name: 'TRT', named_offset: 'GMT+0300'}[readings.get('landing_zone')];
  return {
    id,
    product: productId ?? null,
    status,
    subscription_date: `${subscribedAt}${zone}`,
    renewal_date: `${renewsAt}${zone}`,
    cancellation_date: `${cancelledAt}${zone}`,
    cancellation_source: cancellationSource,
  };
}

/**
 * /generate-pin (subscriptions.md 4.C, rule 1): sends a PIN of four digits by SMS. A newer PIN replaces an older one.
 */
function generatePin(parameters: Parameters, {messages, pins, subscriptions}: Context): AnswerFields {
  const product = requireProduct(parameters);
  const subscriber = requireSubscriber(parameters);
  rejectTestNumber(subscriber, 'pin');
  if (product.testMode) throw new LandingRefusal('021');
  if (subscriptions.hasActive(subscriber.msisdn, product.id)) throw new LandingRefusal('020');
  const pin = pins.issue(pinHolder(product.id, subscriber));
  messages.send({serviceId: product.service.id, ...subscriber}, messageTexts.pin(pin));
  return {};
}

function pinHolder(productId: number, {msisdn, operator}: Subscriber): PinHolder {
  return {purpose: `product:${productId}`, msisdn, operator};
}

/** /get-msisdn (subscriptions.md 4.C, rule 4): returns the number that belongs to a number token. */
function getMsisdn(parameters: Parameters, {numberTokens}: Context): AnswerFields {
  const owner = numberTokens.find(parameters.text('token'));
  if (!owner) throw new LandingRefusal('027');
  rejectTestNumber(owner, 'pin');
  return {msisdn: owner.msisdn, operator: owner.operator};
}

const TYPES: ReadonlySet<string> = new Set(['visit', 'subscribe_clicked', 'confirm_clicked']);
const VISIT_FIELDS = ['url', 'userip', 'browser', 'referer'] as const;

/** /user-activity (subscriptions.md 4.C, rule 5): records a visit or a click on a landing page. */
function addUserActivity(parameters: Parameters, {activities}: Context): AnswerFields {
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
