import {expect} from 'vitest';
import type {Answer} from './page.ts';

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly retryable?: boolean;
  readonly fields?: readonly {readonly path: string; readonly message: string}[];
}

/** The problems of the API, written from its documentation and not taken from the code. */
export const PROBLEMS = {
  invalid_request: {status: 422, code: 'invalid_request', title: 'The request has fields that are missing or wrong.'},
  unauthorized: {status: 401, code: 'unauthorized', title: 'A valid session or key is required.'},
  session_expired: {status: 401, code: 'session_expired', title: 'The session no longer allows this; make a new one.'},
  session_kind: {status: 403, code: 'session_kind', title: 'A session of this kind may not do this.'},
  origin_not_allowed: {status: 403, code: 'origin_not_allowed', title: 'This origin may not do this.'},
  not_found: {status: 404, code: 'not_found', title: 'What was asked for does not exist.'},
  method_not_allowed: {status: 405, code: 'method_not_allowed', title: 'This address does not take this method.'},
  too_large: {status: 413, code: 'too_large', title: 'The body is too large.'},
  rate_limited: {
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests; wait before trying again.',
    retryable: true,
  },
  unknown_offer: {status: 404, code: 'unknown_offer', title: 'There is no such offer.'},
  return_url_not_allowed: {
    status: 422,
    code: 'return_url_not_allowed',
    title: 'This address is not among those a customer may return to.',
  },
  order_paid: {status: 409, code: 'order_paid', title: 'The order is paid; no other way to pay is opened.'},
  amount_invalid: {status: 422, code: 'amount_invalid', title: 'The platform does not take this amount.'},
  bank_invalid: {status: 422, code: 'bank_invalid', title: 'The platform does not know this bank.'},
  number_invalid: {status: 422, code: 'number_invalid', title: 'This is not a mobile number that is taken here.'},
  operator_invalid: {status: 422, code: 'operator_invalid', title: 'This is not the number’s operator.'},
  human_check_required: {
    status: 403,
    code: 'human_check_required',
    title: 'This needs a human check first: send its token as `human`.',
  },
  human_check_failed: {
    status: 403,
    code: 'human_check_failed',
    title: 'The human check was not passed, or could not be verified; make a new one.',
  },
  pin_wrong: {status: 422, code: 'pin_wrong', title: 'The PIN is wrong.'},
  pin_expired: {status: 422, code: 'pin_expired', title: 'The PIN has expired; ask for another one.'},
  pin_blocked: {status: 422, code: 'pin_blocked', title: 'Too many wrong PINs; this one counts no more.'},
  one_click_off: {status: 403, code: 'one_click_off', title: 'One-click is off here; use a PIN.'},
  number_token_invalid: {status: 422, code: 'number_token_invalid', title: 'The number token is not valid.'},
  not_eligible: {status: 422, code: 'not_eligible', title: 'This number may not subscribe.'},
  already_subscribed: {status: 409, code: 'already_subscribed', title: 'The number has an active subscription.'},
  subscription_not_found: {status: 404, code: 'subscription_not_found', title: 'There is no such subscription.'},
  already_cancelled: {status: 409, code: 'already_cancelled', title: 'The subscription is cancelled already.'},
  cannot_cancel: {status: 409, code: 'cannot_cancel', title: 'The subscription’s state does not allow a cancellation.'},
  subscription_failed: {
    status: 422,
    code: 'subscription_failed',
    title: 'The operator did not start the subscription.',
  },
  billing_cap_reached: {
    status: 429,
    code: 'billing_cap_reached',
    title: 'The number’s billing cap is reached; try again later.',
    retryable: true,
  },
  test_mode: {status: 409, code: 'test_mode', title: 'The landing page is in test mode.'},
  landing_not_found: {status: 404, code: 'landing_not_found', title: 'There is no such product.'},
  outcome_unknown: {
    status: 504,
    code: 'outcome_unknown',
    title: 'Whether this was done is not known; read the resource before you decide to ask again with another key.',
  },
  temporarily_unavailable: {
    status: 503,
    code: 'temporarily_unavailable',
    title: 'The payment platform does not answer right now.',
    retryable: true,
  },
  platform_refused: {status: 502, code: 'platform_refused', title: 'The payment platform refused the request.'},
  misconfigured: {
    status: 503,
    code: 'misconfigured',
    title: 'This Worker is not set up right; its /health names what is missing or wrong.',
  },
  internal: {status: 500, code: 'internal', title: 'Something went wrong on our side.', retryable: true},
} as const satisfies Record<string, Expected>;

/** Checks the whole body of a problem, and its status and headers. */
export function expectProblem(answer: Answer, expected: Expected): void {
  const {retryable = false, ...rest} = expected;
  expect(answer.body).toEqual({
    type: 'about:blank',
    request_id: answer.headers.get('x-request-id'),
    retryable,
    ...rest,
  });
  expect(answer.status).toBe(expected.status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
