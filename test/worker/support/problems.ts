import {expect} from 'vitest';
import type {Answer} from './page.ts';

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly retryable?: boolean;
  readonly attempts_left?: number;
  readonly seller?: object;
  readonly fields?: readonly {readonly path: string; readonly message: string}[];
}

/** The problems of the API. They are copied from its documentation, not imported from the code. */
export const PROBLEMS = {
  invalid_request: {status: 422, code: 'invalid_request', title: 'Some fields of the request are missing or wrong.'},
  unauthorized: {status: 401, code: 'unauthorized', title: 'A valid session or key is required.'},
  session_expired: {
    status: 401,
    code: 'session_expired',
    title: 'The session no longer allows this. Make a new session.',
  },
  session_kind: {status: 403, code: 'session_kind', title: 'A session of this kind does not allow this.'},
  origin_not_allowed: {status: 403, code: 'origin_not_allowed', title: 'Pages of this origin may not do this.'},
  not_found: {status: 404, code: 'not_found', title: 'The requested resource does not exist.'},
  method_not_allowed: {status: 405, code: 'method_not_allowed', title: 'This URL does not accept this method.'},
  too_large: {status: 413, code: 'too_large', title: 'The body is too large.'},
  rate_limited: {
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests. Wait before you retry.',
    retryable: true,
  },
  unknown_offer: {status: 404, code: 'unknown_offer', title: 'There is no such offer.'},
  price_changed: {
    status: 409,
    code: 'price_changed',
    title: 'The offer has another price than the page shows.',
  },
  return_url_not_allowed: {
    status: 422,
    code: 'return_url_not_allowed',
    title: 'Shoppers may not return to this URL: it is not among the allowed return URLs.',
  },
  order_paid: {status: 409, code: 'order_paid', title: 'The order is already paid.'},
  bank_page_unavailable: {
    status: 409,
    code: 'bank_page_unavailable',
    title: 'The platform’s bank page possibly does not know the order’s code. Show the code with our elements instead.',
  },
  amount_invalid: {status: 422, code: 'amount_invalid', title: 'The platform does not accept this amount.'},
  bank_invalid: {status: 422, code: 'bank_invalid', title: 'The platform does not know this bank.'},
  number_invalid: {status: 422, code: 'number_invalid', title: 'This is not an accepted mobile number.'},
  operator_invalid: {
    status: 422,
    code: 'operator_invalid',
    title: 'The number does not belong to this mobile operator.',
  },
  human_check_required: {
    status: 403,
    code: 'human_check_required',
    title: 'This needs a human check first. Send its token as `human`.',
  },
  human_check_failed: {
    status: 403,
    code: 'human_check_failed',
    title: 'The human check failed, or could not be verified. Repeat the check.',
  },
  pin_wrong: {status: 422, code: 'pin_wrong', title: 'The PIN is wrong.'},
  pin_expired: {status: 422, code: 'pin_expired', title: 'The PIN has expired. Request a new PIN.'},
  pin_blocked: {status: 422, code: 'pin_blocked', title: 'The PIN is blocked after too many wrong attempts.'},
  one_click_off: {status: 403, code: 'one_click_off', title: 'One-click is off. Use a PIN.'},
  number_token_invalid: {status: 422, code: 'number_token_invalid', title: 'The number token is not valid.'},
  not_eligible: {status: 422, code: 'not_eligible', title: 'This number may not subscribe.'},
  already_subscribed: {
    status: 409,
    code: 'already_subscribed',
    title: 'The number already has an active subscription.',
  },
  subscription_not_found: {status: 404, code: 'subscription_not_found', title: 'There is no such subscription.'},
  already_cancelled: {status: 409, code: 'already_cancelled', title: 'The subscription is already cancelled.'},
  cannot_cancel: {status: 409, code: 'cannot_cancel', title: 'The subscription’s state does not allow a cancellation.'},
  subscription_failed: {
    status: 422,
    code: 'subscription_failed',
    title: 'The mobile operator did not start the subscription.',
  },
  order_cancelled: {status: 409, code: 'order_cancelled', title: 'The merchant has cancelled the order.'},
  billing_cap_reached: {
    status: 429,
    code: 'billing_cap_reached',
    title: 'The number has reached its billing cap. Retry later.',
    retryable: true,
  },
  daily_cap_reached: {
    status: 429,
    code: 'daily_cap_reached',
    title: 'The number has reached its billing cap of the day. Retry tomorrow.',
    retryable: true,
  },
  test_mode: {status: 409, code: 'test_mode', title: 'The landing page is in test mode.'},
  landing_not_found: {status: 404, code: 'landing_not_found', title: 'There is no such product.'},
  outcome_unknown: {
    status: 504,
    code: 'outcome_unknown',
    title: 'The outcome is unknown. Read the resource before retrying with a new key.',
  },
  temporarily_unavailable: {
    status: 503,
    code: 'temporarily_unavailable',
    title: 'The payment platform does not answer at the moment.',
    retryable: true,
  },
  platform_refused: {status: 502, code: 'platform_refused', title: 'The payment platform refused the request.'},
  misconfigured: {
    status: 503,
    code: 'misconfigured',
    title: 'The Worker’s configuration is incomplete or wrong; its /health says where.',
  },
  internal: {status: 500, code: 'internal', title: 'The Worker had an internal error.', retryable: true},
} as const satisfies Record<string, Expected>;

/** Checks the whole body of a problem, and its status and headers. */
export function expectProblem(answer: Answer, expected: Expected): void {
  const {retryable = false, ...rest} = expected;
  expect(answer.body).toEqual({
    type: `/problems/${expected.code}`,
    request_id: answer.headers.get('x-request-id'),
    retryable,
    ...rest,
  });
  expect(answer.status).toBe(expected.status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
