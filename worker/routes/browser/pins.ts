/** Sends PINs by SMS. */

import {waitUntil} from 'cloudflare:workers';
import type {Limits} from '../../config/limits.ts';
import {readMsisdn} from '../../contract/readers/mobile-number.ts';
import {clientIp, siteSubnet} from '../../http/client-ip.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {humanCheckOf, PIN_ACTION} from '../../http/human-check.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {hmac} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatInstant} from '../../lib/time.ts';
import {counterOf} from '../../objects/limits/counting.ts';
import {PinLimits} from '../../objects/subscriber/pin-limits.ts';
import type {NumberRules, PinRequestResult} from '../../objects/subscriber/sent-pins.ts';
import type {Subscriber} from '../../objects/subscriber/subscriber.ts';
import {failureOf, isRateLimited, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {SubscriptionSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserHandlers} from './handler.ts';

/**
 * Statuses of refusals that do not depend on the number: an unknown product, a landing page in test mode, or wrong
 * parameters or credentials from the Worker. With these statuses, the platform sent no SMS. Pages must not learn about
 * any other refusal.
 */
const NUMBER_INDEPENDENT_REFUSALS = new Set(['001', '021', '025', '026', '029', '030', '400']);

export const pinHandlers = {
  /**
   * POST /v1/pins: sends a PIN by SMS. The answer reveals nothing about the number: the Worker sends the answer after a
   * fixed time, however long the platform takes. If the platform refuses the number, the answer is the same. The answer
   * reports only problems that would affect every number, after the same fixed time. If the platform has not replied by
   * that time, the answer says that the SMS was sent, because the SMS may have been sent. If the platform failed, the
   * answer reports a problem. Even then the platform may have sent the SMS, so the PIN counts and can be used.
   */
  async sendPin({tracking_id, human, ...number}, context, request) {
    const {session, subnet, receivedAt} = context;
    const answerTime = scheduler.wait(Math.max(0, receivedAt + context.config.limits.pinAnswerMs - Date.now()));
    const {msisdn, operator} = validateNumber(number, session);
    const {product} = session;
    const checkHuman = humanCheckOf(request, {human, action: PIN_ACTION}, context.config.turnstile);
    const tickets = await new PinLimits(() => context).admit({product, msisdn}, {subnet, checkHuman});
    const subscriber = await context.objects.subscriber(msisdn);
    const requested = await subscriber.requestPin(numberRules(context.config.limits), {
      product,
      network: await pinNetwork(context),
      tickets,
    });
    if (!requested.allowed) throw new ApiError('rate_limited', requested);
    const sending = requestPin(
      {product, operator, msisdn, tracking_id, userip: clientIp(request)},
      requested,
      subscriber,
      context,
    );
    // The platform may reply after the page has got its answer. The call must complete even if the page is closed.
    waitUntil(sending);
    const problem = await Promise.race([sending, answerTime.then(() => null)]);
    await answerTime;
    if (problem) throw problem;
    const {expiresAt, resendAt} = requested;
    return {expires_at: formatInstant(expiresAt), resend_at: formatInstant(resendAt), as_of: formatInstant(Date.now())};
  },
} satisfies Partial<BrowserHandlers>;

/** The network that requests or enters a PIN, as the number's object stores it. */
export function pinNetwork({config, subnet}: RouteContext): Promise<string> {
  return hmac(config.sessionSecrets[0], `pin network ${siteSubnet(subnet)}`);
}

/**
 * Requests the PIN. Returns the problem to report, or null if the SMS was sent or the refusal depends on the number.
 */
async function requestPin(
  input: OperationInput<'generatePin'>,
  requested: PinRequestResult & {allowed: true},
  subscriber: DurableObjectStub<Subscriber>,
  context: RouteContext,
): Promise<ApiError | null> {
  const failure = await context.platform.call('generatePin', input).then(() => null, failureOf);
  if (
    failure?.outcome === 'refused' &&
    failure.status !== PLATFORM_FAILED &&
    !isRateLimited(failure) &&
    !NUMBER_INDEPENDENT_REFUSALS.has(failure.status)
  )
    return null;
  if (failure && wasNotSent(failure)) {
    await subscriber.cancelPin(requested.pin);
    return toPageError(failure, 'generatePin');
  }
  // If recording fails, the shopper can still use the PIN.
  await subscriber
    .recordPinSent(requested.pin)
    .catch((error: unknown) => log('warn', 'record_failed', {names: ['pin'], error: describeError(error)}));
  const retryAfterSeconds = Math.max(1, Math.ceil((requested.resendAt - Date.now()) / 1000));
  return failure && new ApiError('temporarily_unavailable', {failure, retryAfterSeconds});
}

/** The platform's status for an internal error. The platform may have sent the SMS before the error. */
const PLATFORM_FAILED = '005';

function wasNotSent(failure: PlatformFailure): boolean {
  switch (failure.outcome) {
    case 'unsent':
    case 'unconfigured':
      return true;
    case 'refused':
      return failure.status !== PLATFORM_FAILED;
    case 'unknown':
      return false;
  }
}

/** The pause between two PINs of a number. Each further PIN of the day doubles it. */
const PIN_PAUSE_MS = MINUTE_MS;
const PINS_PER_10_MINUTES = 3;

function numberRules(limits: Limits): NumberRules {
  const {numberPinsPerDay: perDay, numberAttemptsPerDay: wrongPerDay} = limits;
  if (perDay === null) return {pauseMs: null, most: [], wrongPerDay};
  const most = [
    counterOf('number_pins_per_10_minutes', '', PINS_PER_10_MINUTES),
    counterOf('number_pins_per_day', '', perDay),
  ];
  return {pauseMs: PIN_PAUSE_MS, most, wrongPerDay};
}

/**
 * Checks the number that the shopper typed and the mobile operator that they chose.
 * @throws {ApiError} `number_invalid` if it is not a Turkish mobile number, `operator_invalid` if the session does not
 * offer this mobile operator.
 */
export function validateNumber(
  typed: {readonly msisdn: string; readonly operator: number},
  {operators}: SubscriptionSession,
): {msisdn: string; operator: number} {
  const msisdn = readMsisdn(typed.msisdn);
  if (msisdn === undefined) throw fieldError('number_invalid', 'msisdn', 'Expected a Turkish mobile number.');
  if (!operators.some(({id}) => id === typed.operator))
    throw fieldError('operator_invalid', 'operator', 'Expected one of the session’s mobile operators.');
  return {msisdn, operator: typed.operator};
}
