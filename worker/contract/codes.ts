/** The closed list of error codes of our API, with their statuses and titles, and whether the caller may retry. */

/** Codes that a payment page may receive. */
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
  'offer_expired',
  'price_changed',
  'handoff_invalid',
  'return_url_not_allowed',
  'unknown_order',
  'order_cancelled',
  'order_paid',
  'bank_page_unavailable',
  'amount_invalid',
  'bank_invalid',
  'temporarily_unavailable',
  'platform_refused',
  'misconfigured',
  'internal',
] as const satisfies readonly ErrorCode[];

/** Further codes that a page may receive when it starts, shows or cancels a subscription. */
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
  'daily_cap_reached',
  'test_mode',
  'landing_not_found',
  'subscription_not_found',
  'already_cancelled',
  'cannot_cancel',
  'outcome_unknown',
] as const satisfies readonly ErrorCode[];

/** All codes that a page may receive. */
export const PAGE_ERROR_CODES = [...PAYMENT_ERROR_CODES, ...SUBSCRIPTION_ERROR_CODES] as const;

export type PaymentErrorCode = (typeof PAYMENT_ERROR_CODES)[number];
export type PageErrorCode = (typeof PAGE_ERROR_CODES)[number];
export type ErrorCode = keyof typeof ERROR_KINDS;

export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** A sentence for developers. Shoppers read the texts of `widgets/locales/` instead. */
  readonly title: string;
  /** Whether the same request, without changes, may succeed later. */
  readonly retryable: boolean;
}

/** All codes. A code that is in none of the lists above is only for merchants' servers. */
export const ERROR_KINDS = {
  invalid_request: {status: 422, title: 'Some fields of the request are missing or wrong.', retryable: false},
  unauthorized: {status: 401, title: 'A valid session or key is required.', retryable: false},
  session_expired: {status: 401, title: 'The session no longer allows this. Make a new session.', retryable: false},
  session_kind: {status: 403, title: 'A session of this kind does not allow this.', retryable: false},
  origin_not_allowed: {status: 403, title: 'Pages of this origin may not do this.', retryable: false},
  not_found: {status: 404, title: 'The requested resource does not exist.', retryable: false},
  method_not_allowed: {status: 405, title: 'This URL does not accept this method.', retryable: false},
  too_large: {status: 413, title: 'The body is too large.', retryable: false},
  rate_limited: {status: 429, title: 'Too many requests. Wait before you retry.', retryable: true},
  sessions_scope_missing: {status: 403, title: 'This API key lacks the scope `sessions`.', retryable: false},
  read_scope_missing: {status: 403, title: 'This API key lacks the scope `read`.', retryable: false},
  money_scope_missing: {status: 403, title: 'This API key lacks the scope `money`.', retryable: false},
  webhooks_scope_missing: {status: 403, title: 'This API key lacks the scope `webhooks`.', retryable: false},
  offers_scope_missing: {status: 403, title: 'This API key lacks the scope `offers`.', retryable: false},
  root_key_required: {status: 403, title: 'Only the root key, `MERCHANT_API_KEY`, may do this.', retryable: false},
  all_services_required: {
    status: 403,
    title: 'This API key is limited to services, and the request is about all of them.',
    retryable: false,
  },
  key_limit_reached: {status: 409, title: 'There are 100 API keys already. Revoke one first.', retryable: false},
  idempotency_key_missing: {status: 400, title: 'A write needs its own `Idempotency-Key`.', retryable: false},
  idempotency_key_reused: {
    status: 422,
    title: 'This `Idempotency-Key` was already used for another request.',
    retryable: false,
  },
  in_progress: {status: 409, title: 'A request with this `Idempotency-Key` is still running.', retryable: true},
  command_pending: {
    status: 409,
    title: 'An earlier command for the same resource is not settled yet; see `GET /merchant/v1/commands`.',
    retryable: true,
  },
  not_done: {
    status: 409,
    title:
      'For twelve minutes, the platform has shown no sign of this command. Read the resource before retrying with a ' +
      'new key.',
    retryable: false,
  },
  outcome_unknown: {
    status: 504,
    title: 'The outcome is unknown. Read the resource before retrying with a new key.',
    retryable: false,
  },
  unknown_offer: {status: 404, title: 'There is no such offer.', retryable: false},
  offer_expired: {status: 410, title: 'The offer has expired.', retryable: false},
  offer_configured: {
    status: 409,
    title: 'OFFERS sets the offer with this name. Change it in the Worker’s configuration.',
    retryable: false,
  },
  price_changed: {status: 409, title: 'The offer has another price than the page shows.', retryable: false},
  unknown_service: {status: 404, title: 'There is no such service.', retryable: false},
  service_not_enabled: {status: 403, title: 'The platform has not enabled this for the service.', retryable: false},
  unknown_order: {status: 404, title: 'There is no such order.', retryable: false},
  order_exists: {
    status: 409,
    title: 'The order already has a code. `PATCH /merchant/v1/order-codes` changes its amount.',
    retryable: false,
  },
  order_cancelled: {status: 409, title: 'The merchant has cancelled the order.', retryable: false},
  order_paid: {status: 409, title: 'The order is already paid.', retryable: false},
  bank_page_unavailable: {
    status: 409,
    title: 'The platform’s bank page possibly does not know the order’s code. Show the code with our elements instead.',
    retryable: false,
  },
  amount_invalid: {status: 422, title: 'The platform does not accept this amount.', retryable: false},
  bank_invalid: {status: 422, title: 'The platform does not know this bank.', retryable: false},
  refund_too_large: {
    status: 422,
    title: 'The refund is more than what is left of the order’s money.',
    retryable: false,
  },
  already_refunded: {status: 409, title: 'This was already refunded, or a refund is in progress.', retryable: false},
  handoff_invalid: {status: 404, title: 'This hand-off was already used, has expired or is wrong.', retryable: false},
  return_url_not_allowed: {
    status: 422,
    title: 'Shoppers may not return to this URL: it is not among the allowed return URLs.',
    retryable: false,
  },
  pin_wrong: {status: 422, title: 'The PIN is wrong.', retryable: false},
  pin_expired: {status: 422, title: 'The PIN has expired. Request a new PIN.', retryable: false},
  pin_blocked: {status: 422, title: 'The PIN is blocked after too many wrong attempts.', retryable: false},
  human_check_required: {
    status: 403,
    title: 'This needs a human check first. Send its token as `human`.',
    retryable: false,
  },
  human_check_failed: {
    status: 403,
    title: 'The human check failed, or could not be verified. Repeat the check.',
    retryable: false,
  },
  one_click_off: {status: 403, title: 'One-click is off. Use a PIN.', retryable: false},
  number_invalid: {status: 422, title: 'This is not an accepted mobile number.', retryable: false},
  operator_invalid: {status: 422, title: 'The number does not belong to this mobile operator.', retryable: false},
  number_token_invalid: {status: 422, title: 'The number token is not valid.', retryable: false},
  not_eligible: {status: 422, title: 'This number may not subscribe.', retryable: false},
  already_subscribed: {status: 409, title: 'The number already has an active subscription.', retryable: false},
  subscription_failed: {status: 422, title: 'The mobile operator did not start the subscription.', retryable: false},
  billing_cap_reached: {status: 429, title: 'The number has reached its billing cap. Retry later.', retryable: true},
  daily_cap_reached: {
    status: 429,
    title: 'The number has reached its billing cap of the day. Retry tomorrow.',
    retryable: true,
  },
  test_mode: {status: 409, title: 'The landing page is in test mode.', retryable: false},
  landing_not_found: {status: 404, title: 'There is no such product.', retryable: false},
  subscription_not_found: {status: 404, title: 'There is no such subscription.', retryable: false},
  already_cancelled: {status: 409, title: 'The subscription is already cancelled.', retryable: false},
  cannot_cancel: {status: 409, title: 'The subscription’s state does not allow a cancellation.', retryable: false},
  test_number_refused: {
    status: 422,
    title: 'This looks like a test number, not like a subscription id.',
    retryable: false,
  },
  egress_unsafe: {
    status: 503,
    title: 'This must be sent at most once, which the Worker’s egress cannot promise; see EGRESS in docs/deploy.md.',
    retryable: false,
  },
  action_invalid: {status: 409, title: 'The platform does not allow this in the present state.', retryable: false},
  quota_exhausted: {status: 429, title: 'The platform’s limit for this is used up. Retry later.', retryable: true},
  not_configured: {status: 501, title: 'This interface of the platform is not configured here.', retryable: false},
  webhook_limit: {status: 409, title: 'There are already ten webhooks. Delete one first.', retryable: false},
  webhook_configured: {
    status: 409,
    title: 'WEBHOOK_URL sets this webhook. Change it in the Worker’s configuration.',
    retryable: false,
  },
  platform_unauthorized: {
    status: 502,
    title: 'The platform refuses the Worker’s credentials; see `GET /merchant/v1/doctor`.',
    retryable: false,
  },
  platform_address_refused: {
    status: 502,
    title: 'The platform does not accept the IP address the Worker calls from; see `GET /merchant/v1/doctor`.',
    retryable: false,
  },
  temporarily_unavailable: {status: 503, title: 'The payment platform does not answer at the moment.', retryable: true},
  platform_refused: {status: 502, title: 'The payment platform refused the request.', retryable: false},
  misconfigured: {
    status: 503,
    title: 'The Worker’s configuration is incomplete or wrong; its /health says where.',
    retryable: false,
  },
  internal: {status: 500, title: 'The Worker had an internal error.', retryable: true},
} satisfies Readonly<Record<string, ErrorKind>>;

export const ERROR_CODES = Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]];
