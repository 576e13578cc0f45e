/**
 * The closed list of what our API can refuse with. A new code does not compile until it has a status,
 * a title and an answer to "may the caller simply try again?".
 */

/** What a page that takes a payment may be told. */
export const PAYMENT_ERROR_CODES = [
  'invalid_request',
  'unauthorized',
  'session_expired',
  'session_kind',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'too_large',
  'rate_limited',
  'human_check_required',
  'human_check_failed',
  'unknown_offer',
  'handoff_invalid',
  'return_url_not_allowed',
  'unknown_order',
  'order_completed',
  'order_paid',
  'amount_invalid',
  'bank_invalid',
  'temporarily_unavailable',
  'platform_refused',
  'misconfigured',
  'internal',
] as const;

/** What only a page that subscribes numbers, or shows and ends a subscription, may be told. */
export const SUBSCRIPTION_ERROR_CODES = [
  'number_invalid',
  'operator_invalid',
  'pin_wrong',
  'pin_expired',
  'pin_blocked',
  'one_click_off',
  'number_token_invalid',
  'not_eligible',
  'already_subscribed',
  'subscription_failed',
  'billing_cap_reached',
  'test_mode',
  'landing_not_found',
  'subscription_not_found',
  'already_cancelled',
  'cannot_cancel',
  'outcome_unknown',
] as const;

/** What a page may be told. */
export const PAGE_ERROR_CODES = [...PAYMENT_ERROR_CODES, ...SUBSCRIPTION_ERROR_CODES] as const;

/** What only a merchant's server is told. */
const SERVER_ERROR_CODES = [
  'idempotency_key_missing',
  'idempotency_key_reused',
  'in_progress',
  'command_pending',
  'not_done',
  'unknown_service',
  'service_not_enabled',
  'order_exists',
  'not_paid',
  'already_refunded',
  'test_number_refused',
  'egress_unsafe',
  'action_invalid',
  'quota_exhausted',
  'not_configured',
  'platform_unauthorized',
  'platform_address_refused',
] as const;

export const ERROR_CODES = [...PAGE_ERROR_CODES, ...SERVER_ERROR_CODES] as const;

export type PaymentErrorCode = (typeof PAYMENT_ERROR_CODES)[number];
export type PageErrorCode = (typeof PAGE_ERROR_CODES)[number];
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** One sentence for a developer; shoppers read `widgets/locales/`. */
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

export const ERROR_KINDS: Readonly<Record<ErrorCode, ErrorKind>> = {
  invalid_request: {status: 422, title: 'The request has fields that are missing or wrong.', retryable: false},
  unauthorized: {status: 401, title: 'A valid session or key is required.', retryable: false},
  session_expired: {status: 401, title: 'The session no longer allows this; make a new one.', retryable: false},
  session_kind: {status: 403, title: 'A session of this kind may not do this.', retryable: false},
  origin_not_allowed: {status: 403, title: 'This origin may not do this.', retryable: false},
  not_found: {status: 404, title: 'What was asked for does not exist.', retryable: false},
  method_not_allowed: {status: 405, title: 'This address does not take this method.', retryable: false},
  too_large: {status: 413, title: 'The body is too large.', retryable: false},
  rate_limited: {status: 429, title: 'Too many requests; wait before trying again.', retryable: true},
  idempotency_key_missing: {status: 400, title: 'A write carries an `Idempotency-Key` of its own.', retryable: false},
  idempotency_key_reused: {
    status: 422,
    title: 'This `Idempotency-Key` was used for another request.',
    retryable: false,
  },
  in_progress: {status: 409, title: 'A request with this `Idempotency-Key` is still running.', retryable: true},
  command_pending: {
    status: 409,
    title: 'A command about the same is not settled yet; see `GET /merchant/v1/commands`.',
    retryable: true,
  },
  not_done: {
    status: 409,
    title:
      'The platform shows no trace of this, for twelve minutes; read the resource before you decide to ask again with another key.',
    retryable: false,
  },
  outcome_unknown: {
    status: 504,
    title: 'Whether this was done is not known; read the resource before you decide to ask again with another key.',
    retryable: false,
  },
  unknown_offer: {status: 404, title: 'There is no such offer.', retryable: false},
  unknown_service: {status: 404, title: 'There is no such service.', retryable: false},
  service_not_enabled: {status: 403, title: 'The platform has not enabled this for the service.', retryable: false},
  unknown_order: {status: 404, title: 'The platform knows no such order.', retryable: false},
  order_exists: {status: 409, title: 'The order has a code already.', retryable: false},
  order_completed: {status: 409, title: 'The order is completed; this is no longer possible.', retryable: false},
  order_paid: {status: 409, title: 'The order is paid; no other way to pay is opened.', retryable: false},
  amount_invalid: {status: 422, title: 'The platform does not take this amount.', retryable: false},
  bank_invalid: {status: 422, title: 'The platform does not know this bank.', retryable: false},
  not_paid: {status: 409, title: 'No money arrived for this order.', retryable: false},
  already_refunded: {status: 409, title: 'This was refunded already, or a refund is on its way.', retryable: false},
  handoff_invalid: {status: 404, title: 'This hand-off was used, has expired or never was.', retryable: false},
  return_url_not_allowed: {
    status: 422,
    title: 'This address is not among those a customer may return to.',
    retryable: false,
  },
  pin_wrong: {status: 422, title: 'The PIN is wrong.', retryable: false},
  pin_expired: {status: 422, title: 'The PIN has expired; ask for another one.', retryable: false},
  pin_blocked: {status: 422, title: 'Too many wrong PINs; this one counts no more.', retryable: false},
  human_check_required: {
    status: 403,
    title: 'This needs a human check first: send its token as `human`.',
    retryable: false,
  },
  human_check_failed: {
    status: 403,
    title: 'The human check was not passed, or could not be verified; make a new one.',
    retryable: false,
  },
  one_click_off: {status: 403, title: 'One-click is off here; use a PIN.', retryable: false},
  number_invalid: {status: 422, title: 'This is not a mobile number that is taken here.', retryable: false},
  operator_invalid: {status: 422, title: 'This is not the number’s operator.', retryable: false},
  number_token_invalid: {status: 422, title: 'The number token is not valid.', retryable: false},
  not_eligible: {status: 422, title: 'This number may not subscribe.', retryable: false},
  already_subscribed: {status: 409, title: 'The number has an active subscription.', retryable: false},
  subscription_failed: {status: 422, title: 'The operator did not start the subscription.', retryable: false},
  billing_cap_reached: {status: 429, title: 'The number’s billing cap is reached; try again later.', retryable: true},
  test_mode: {status: 409, title: 'The landing page is in test mode.', retryable: false},
  landing_not_found: {status: 404, title: 'There is no such product.', retryable: false},
  subscription_not_found: {status: 404, title: 'There is no such subscription.', retryable: false},
  already_cancelled: {status: 409, title: 'The subscription is cancelled already.', retryable: false},
  cannot_cancel: {status: 409, title: 'The subscription’s state does not allow a cancellation.', retryable: false},
  test_number_refused: {
    status: 422,
    title: 'This looks like a test number, not like a subscription.',
    retryable: false,
  },
  egress_unsafe: {
    status: 503,
    title: 'The way out does not promise one single attempt, which this needs; see EGRESS in docs/deploy.md.',
    retryable: false,
  },
  action_invalid: {status: 409, title: 'The platform does not do this in the state things are in.', retryable: false},
  quota_exhausted: {status: 429, title: 'The platform’s limit for this is used up; try again later.', retryable: true},
  not_configured: {status: 501, title: 'This interface of the platform is not configured here.', retryable: false},
  platform_unauthorized: {
    status: 502,
    title: 'The platform refuses our credentials; ask the doctor.',
    retryable: false,
  },
  platform_address_refused: {
    status: 502,
    title: 'The platform does not know the address our calls come from; ask the doctor.',
    retryable: false,
  },
  temporarily_unavailable: {status: 503, title: 'The payment platform does not answer right now.', retryable: true},
  platform_refused: {status: 502, title: 'The payment platform refused the request.', retryable: false},
  misconfigured: {
    status: 503,
    title: 'This Worker is not set up right; its /health names what is missing or wrong.',
    retryable: false,
  },
  internal: {status: 500, title: 'Something went wrong on our side.', retryable: true},
};
