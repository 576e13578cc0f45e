import {waitUntil} from 'cloudflare:workers';
import {SubscribeRequest} from '../../contract/browser/requests.ts';
import type {Subscribed} from '../../contract/browser/subscription-answers.ts';
import {addressOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {describeError, log} from '../../lib/log.ts';
import type {GuardTicket} from '../../objects/limits/guard.ts';
import type {Subscribing} from '../../objects/subscriber/subscriber.ts';
import type {SubscriptionSession} from '../../session.ts';
import {limitFlood} from '../limit-flood.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {numberOf} from './number-of.ts';
import {withNumberToken} from './number-token.ts';
import {confirm} from './pin-limits.ts';

type ByPin = Extract<SubscribeRequest, {pin: string}>;

/** POST /v1/subscriptions: subscribes the number that was sent this PIN, or the one the network made this token for. */
export async function createSubscription(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'subscription'});
  const asked = await readJson(request, SubscribeRequest);
  await limitFlood('subscriptions', request, context);
  const tickets =
    'pin' in asked
      ? await byPin(asked, session, request, context)
      : await withNumberToken(asked.number_token, request, context, (token) =>
          byToken(token, asked.tracking_id, session, request, context),
        );
  // The shopper does not wait for our bookkeeping, nor hears of it when it fails.
  waitUntil(
    confirm(tickets, context).catch((error: unknown) =>
      log('warn', 'confirm_failed', {request_id: context.requestId, error: describeError(error)}),
    ),
  );
  return json<Subscribed>({state: 'subscribed'}, {status: 201});
}

async function byPin(
  {pin: typed, tracking_id, ...number}: ByPin,
  session: SubscriptionSession,
  request: Request,
  {config, objects}: RouteContext,
) {
  const {msisdn, operator} = numberOf(number, session);
  const pin = typed.replace(/\s/g, '');
  if (!/^\d+$/.test(pin)) throw new ApiError('pin_wrong', {fields: [{path: 'pin', message: 'Digits are expected.'}]});
  const {numberAttemptsPerDay: perDay, pinAttempts: perPin} = config.limits;
  const subscriber = await objects.subscriber(msisdn);
  const asked = {product: session.product, userip: addressOf(request), tracking_id, operator, msisdn, pin};
  return ticketsOf(await subscriber.subscribe(asked, session.price, {perDay, perPin}));
}

async function byToken(
  token: string,
  tracking_id: string,
  {product}: SubscriptionSession,
  request: Request,
  {objects}: RouteContext,
) {
  const subscriber = await objects.subscriber(`token ${token}`);
  return ticketsOf(await subscriber.subscribeUncounted({product, userip: addressOf(request), tracking_id, token}));
}

/** @throws {ApiError} for everything but a subscription. */
async function ticketsOf(result: Subscribing): Promise<readonly GuardTicket[]> {
  if ('refused' in result) throw new ApiError(result.refused);
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await platformTrouble(result.failure, 'subscriptionRequest');
  return result.tickets;
}
