/** Subscribes numbers, and shows the number behind a number token. */

import type {SubscribeRequest} from '../../contract/browser/requests.ts';
import type {ShownNumber} from '../../contract/browser/subscription-answers.ts';
import {maskMsisdn, readMsisdn} from '../../contract/readers/mobile-number.ts';
import {clientIp} from '../../http/client-ip.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import type {SubscribeResult} from '../../objects/subscriber/subscriber.ts';
import {failureOf} from '../../platform/failure.ts';
import type {SubscriptionSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {readConsent} from './consents.ts';
import type {BrowserContext, BrowserHandlers} from './handler.ts';
import {withNumberToken} from './number-tokens.ts';
import {requireAccepted} from './payment.ts';
import {pinNetwork, validateNumber} from './pins.ts';

type PinInput = Extract<SubscribeRequest, {pin: string}>;

export const subscriptionHandlers = {
  /**
   * POST /v1/subscriptions: subscribes a number. The PIN that was sent to the number, or the mobile network's number
   * token, proves that the number is the shopper's.
   */
  async createSubscription(body, context, request) {
    const {session} = context;
    if ('pin' in body) await subscribeByPin(body, session, request, context);
    else
      await withNumberToken(body.number_token, context, (token) =>
        subscribeByToken(token, body, session, request, context),
      );
    return {state: 'subscribed'};
  },

  /** POST /v1/numbers: the masked number of a number token. The owner of the number can recognize it. */
  async showNumber({number_token}, context) {
    return withNumberToken(number_token, context, (token) => readNumber(token, context));
  },
} satisfies Partial<BrowserHandlers>;

/** How many wrong attempts end a PIN. */
const ATTEMPTS_PER_PIN = 5;

async function subscribeByPin(
  {pin: typed, tracking_id, language, ...number}: PinInput,
  session: SubscriptionSession,
  request: Request,
  context: BrowserContext<'subscription'>,
): Promise<void> {
  const {config, objects, receivedAt} = context;
  const {msisdn, operator} = validateNumber(number, session);
  const pin = typed.replace(/\s/g, '');
  if (pin === '') throw fieldError('pin_wrong', 'pin', 'Expected a PIN.');
  const {numberAttemptsPerDay: perDay} = config.limits;
  const perPin = perDay === null ? null : ATTEMPTS_PER_PIN;
  const confirmation = {trackingId: tracking_id, confirmedBy: 'pin', language} as const;
  const [subscriber, consent, network] = await Promise.all([
    objects.subscriber(msisdn),
    readConsent(confirmation, session, context),
    pinNetwork(context),
  ]);
  const input = {product: session.product, userip: clientIp(request), tracking_id, operator, msisdn, pin};
  const result = await subscriber.subscribe(input, consent, {perDay, perPin}, network);
  // The time must not show whether the platform was asked.
  if ('refused' in result && result.refused === 'pin_wrong')
    await scheduler.wait(Math.max(0, receivedAt + config.limits.pinAnswerMs - Date.now()));
  await requireSubscribed(result);
}

async function subscribeByToken(
  token: string,
  {tracking_id, language}: Pick<SubscribeRequest, 'tracking_id' | 'language'>,
  session: SubscriptionSession,
  request: Request,
  context: RouteContext,
): Promise<void> {
  const {product, price} = session;
  const confirmation = {trackingId: tracking_id, confirmedBy: 'click', language} as const;
  const [subscriber, consent] = await Promise.all([
    context.objects.subscriber(`token ${token}`),
    readConsent(confirmation, session, context),
  ]);
  const input = {product, userip: clientIp(request), tracking_id, token};
  await requireSubscribed(await subscriber.subscribeUnlimited(input, {price, consent}));
}

/** @throws {ApiError} if the number was not subscribed. */
async function requireSubscribed(result: SubscribeResult): Promise<void> {
  if (!('failure' in result)) return void (await requireAccepted(result));
  const error = await toPageError(result.failure, 'subscriptionRequest');
  const {attemptsLeft} = result;
  throw attemptsLeft === undefined ? error : new ApiError(error.code, {...error.options, attemptsLeft});
}

async function readNumber(token: string, {platform}: RouteContext): Promise<ShownNumber> {
  try {
    const number = await platform.call('numberGet', {token});
    const msisdn = maskMsisdn(readMsisdn(number.msisdn) ?? number.msisdn);
    // The Worker cannot mask this number, and the shopper could not recognize it.
    if (msisdn === null) throw new ApiError('number_token_invalid');
    return {msisdn, operator: /^[1-7]$/.test(number.operator ?? '') ? Number(number.operator) : null};
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw await toPageError(failureOf(error), 'numberGet');
  }
}
