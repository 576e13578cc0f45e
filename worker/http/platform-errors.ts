/** Turns a failed platform call into an error of the Worker's APIs. */

import {type ErrorCode, PAGE_ERROR_CODES} from '../contract/codes.ts';
import {lookUp} from '../lib/look-up.ts';
import {nextHourInTurkey} from '../lib/time.ts';
import {isBroken, isRateLimited, isTokenRefused, type PlatformFailure, retryAfterMsOf} from '../platform/failure.ts';
import type {InterfaceName, Operation} from '../platform/operation.ts';
import type {OperationName} from '../platform/operations/index.ts';
import {loadOperation} from '../platform/operations/load-operation.ts';
import {ApiError} from './errors.ts';

const RETRY_AFTER_SECONDS = 5;
/** The delay before a retry after `billing_cap_reached`, which the platform explains as "try again later". */
const CAP_RETRY_AFTER_SECONDS = 3_600;

/**
 * The error that a page gets for a failed platform call. It never contains the platform's message.
 * @param name - Name of the failed operation, if a page can react to its refusals.
 */
export async function toPageError(failure: PlatformFailure, name?: OperationName): Promise<ApiError> {
  const operation = name && (await loadOperation(name));
  const movesMoney = operation?.effect === 'money';
  switch (failure.outcome) {
    case 'unsent':
      return temporarilyUnavailable(failure, Math.ceil(failure.retryAfterMs / 1000));
    case 'unconfigured':
      return new ApiError('platform_refused', {failure});
    case 'unknown':
      return movesMoney
        ? new ApiError('outcome_unknown', {failure})
        : temporarilyUnavailable(failure, RETRY_AFTER_SECONDS);
    case 'refused': {
      // The platform reported an internal error for a call that moves money. The money may nevertheless have moved.
      if (isBroken(failure) && movesMoney) return new ApiError('outcome_unknown', {failure});
      // The platform failed, or refused the Worker's token twice. A different request from the page would not help.
      if (isBroken(failure) || isTokenRefused(failure)) return temporarilyUnavailable(failure, RETRY_AFTER_SECONDS);
      if (isRateLimited(failure))
        return new ApiError('rate_limited', {failure, retryAfterSeconds: retryAfterSecondsOf(failure)});
      const code = name && operation ? errorCodeOf(name, operation, failure) : 'platform_refused';
      const retryAfterSeconds = CAPS.has(code) ? retryAfterSecondsOf(failure, code) : undefined;
      return new ApiError(toPageCode(code), {failure, ...(retryAfterSeconds && {retryAfterSeconds})});
    }
  }
}

const CAPS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['billing_cap_reached', 'daily_cap_reached']);

/** The delay that the platform asked for, otherwise a default. A cap of the day ends with the day. */
export function retryAfterSecondsOf(failure: PlatformFailure, code?: ErrorCode): number {
  const asked = Math.ceil((retryAfterMsOf(failure) ?? 0) / 1000);
  const now = Date.now();
  if (asked > 0) return asked;
  if (code === 'daily_cap_reached') return Math.ceil((nextHourInTurkey(0, now) - now) / 1000);
  return code === 'billing_cap_reached' ? CAP_RETRY_AFTER_SECONDS : RETRY_AFTER_SECONDS;
}

/**
 * These codes say that the caller's request is wrong. A page must not get such a code if the platform refused the
 * Worker's request.
 */
const CODES_ABOUT_THE_CALLER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'not_found',
  'unauthorized',
]);

function toPageCode(code: ErrorCode): ErrorCode {
  return (PAGE_ERROR_CODES as readonly ErrorCode[]).includes(code) && !CODES_ABOUT_THE_CALLER.has(code)
    ? code
    : 'platform_refused';
}

function temporarilyUnavailable(failure: PlatformFailure, retryAfterSeconds: number): ApiError {
  return new ApiError('temporarily_unavailable', {failure, retryAfterSeconds});
}

type Digits =
  | '001'
  | '002'
  | '004'
  | '005'
  | '006'
  | '007'
  | '008'
  | '009'
  | '010'
  | '011'
  | '012'
  | '013'
  | '014'
  | '015'
  | '016'
  | '017'
  | '018'
  | '019'
  | '020'
  | '021'
  | '039';
/** Statuses of /phs (`docs/spec/observed.md`, "/phs response status"). */
type PhsStatus = '400' | '404' | '500' | `ERR_${Digits}`;

const PHS: Readonly<Record<PhsStatus, ErrorCode>> = {
  '400': 'invalid_request',
  '404': 'platform_refused',
  '500': 'temporarily_unavailable',
  ERR_001: 'platform_unauthorized',
  ERR_002: 'platform_address_refused',
  ERR_004: 'platform_unauthorized',
  ERR_005: 'unknown_service',
  ERR_006: 'not_found',
  ERR_007: 'invalid_request',
  ERR_008: 'invalid_request',
  ERR_009: 'service_not_enabled',
  ERR_010: 'temporarily_unavailable',
  ERR_011: 'bank_invalid',
  ERR_012: 'amount_invalid',
  ERR_013: 'not_found',
  ERR_014: 'unknown_order',
  ERR_015: 'platform_unauthorized',
  ERR_016: 'platform_unauthorized',
  ERR_017: 'amount_invalid',
  ERR_018: 'action_invalid',
  ERR_019: 'order_exists',
  ERR_020: 'platform_unauthorized',
  ERR_021: 'amount_invalid',
  ERR_039: 'action_invalid',
};

/** Statuses of the landing interface (`docs/spec/subscriptions.md`, 7.2). */
type LandingStatus =
  | '400'
  | '001'
  | '002'
  | '003'
  | '004'
  | '005'
  | '006'
  | '007'
  | '018'
  | '019'
  | '020'
  | '021'
  | '025'
  | '026'
  | '027'
  | '028'
  | '029'
  | '030'
  | '031'
  | '032'
  | '033';

const LANDING: Readonly<Record<LandingStatus, ErrorCode>> = {
  '400': 'invalid_request',
  '001': 'landing_not_found',
  '002': 'subscription_failed',
  '003': 'pin_expired',
  '004': 'number_invalid',
  '005': 'temporarily_unavailable',
  '006': 'operator_invalid',
  '007': 'not_eligible',
  '018': 'billing_cap_reached',
  '019': 'daily_cap_reached',
  '020': 'already_subscribed',
  '021': 'test_mode',
  '025': 'invalid_request',
  '026': 'invalid_request',
  '027': 'number_token_invalid',
  '028': 'pin_wrong',
  '029': 'platform_unauthorized',
  '030': 'platform_address_refused',
  '031': 'subscription_not_found',
  '032': 'already_cancelled',
  '033': 'cannot_cancel',
};

/**
 * Statuses of mobile billing (`docs/spec/subscriptions.md`, 7.1). The text of `API_ERR_1023` is "Invalid parameter,
 * key": the status says that a parameter is invalid, and the text says which one; see `isPageKeyRefused`.
 */
const MICROPAYMENT: Readonly<Record<'API_ERR_2005' | 'API_ERR_1023', ErrorCode>> = {
  API_ERR_2005: 'already_cancelled',
  API_ERR_1023: 'invalid_request',
};

/**
 * The HTTP statuses of mobile billing (`docs/spec/observed.md`). They apply if the status in the reply is not in the
 * tables.
 */
const MICROPAYMENT_HTTP: Readonly<Record<400 | 403 | 404 | 409 | 500 | 503, ErrorCode>> = {
  400: 'invalid_request',
  403: 'platform_address_refused',
  404: 'not_found',
  409: 'action_invalid',
  500: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

/**
 * The error code for each platform status, by interface. The tables cover all statuses in `docs/spec/`. Any other
 * status becomes `platform_refused`.
 */
const INTERFACE_CODES: Readonly<Record<InterfaceName, Readonly<Record<string, ErrorCode>>>> = {
  phs: PHS,
  landing: LANDING,
  micropayment: MICROPAYMENT,
  payment_page: MICROPAYMENT,
};

/**
 * Statuses that mean something more specific in one operation. If the contract does not say what a status means in an
 * operation, the operation has no entry for the status, and the code of the interface applies.
 */
const OPERATION_CODES: Readonly<Partial<Record<OperationName, Readonly<Record<string, ErrorCode>>>>> = {
  // The platform's message is "Invalid Request:key not true".
  tokenGet: {ERR_007: 'platform_unauthorized'},
  subscriptionGet: {404: 'subscription_not_found'},
  subscriptionCancel: {404: 'subscription_not_found', 409: 'cannot_cancel'},
};

/** The error code for a refusal by the platform. */
export function errorCodeOf(
  name: OperationName,
  {interface: interfaceName}: Operation,
  failure: PlatformFailure & {readonly outcome: 'refused'},
): ErrorCode {
  const {status, httpStatus} = failure;
  // Mobile billing limits the calls of a day, the other interfaces those of a shorter time.
  if (isRateLimited(failure)) return interfaceName === 'micropayment' ? 'quota_exhausted' : 'rate_limited';
  if (isPageKeyRefused(name, failure)) return 'platform_unauthorized';
  const codeForStatus = lookUp(OPERATION_CODES[name], status) ?? lookUp(INTERFACE_CODES[interfaceName], status);
  if (codeForStatus || httpStatus === undefined) return codeForStatus ?? 'platform_refused';
  const http = String(httpStatus);
  return (
    lookUp(OPERATION_CODES[name], http) ??
    lookUp(MICROPAYMENT_HTTP, http) ??
    (httpStatus >= 500 ? 'temporarily_unavailable' : 'platform_refused')
  );
}

/** Whether the platform refused the key of a payment page, which means that the Worker's secret is wrong. */
export function isPageKeyRefused(
  name: OperationName,
  {status, message}: PlatformFailure & {readonly outcome: 'refused'},
): boolean {
  return name === 'paymentPageToken' && status === 'API_ERR_1023' && /\bkey\b/i.test(message);
}
