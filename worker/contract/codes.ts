/** The closed list of error codes of our API, with their statuses and titles, and whether the caller may retry. */

export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** A sentence for developers. Shoppers read the texts of `widgets/locales/` instead. */
  readonly title: string;
  /** Whether the same request, without changes, may succeed later. */
  readonly retryable: boolean;
}

const final = (status: number, title: string): ErrorKind => ({status, title, retryable: false});
const retryable = (status: number, title: string): ErrorKind => ({status, title, retryable: true});

/** Codes that a payment page may receive. */
const PAYMENT_ERRORS = {
  invalid_request: final(422, 'Some fields of the request are missing or wrong.'),
  unauthorized: final(401, 'A valid session or key is required.'),
  session_expired: final(401, 'The session no longer allows this. Make a new session.'),
  session_kind: final(403, 'A session of this kind does not allow this.'),
  origin_not_allowed: final(403, 'Pages of this origin may not do this.'),
  not_found: final(404, 'The requested resource does not exist.'),
  method_not_allowed: final(405, 'This URL does not accept this method.'),
  too_large: final(413, 'The body is too large.'),
  rate_limited: retryable(429, 'Too many requests. Wait before you retry.'),
  human_check_required: final(403, 'This needs a human check first. Send its token as `human`.'),
  human_check_failed: final(403, 'The human check failed, or could not be verified. Repeat the check.'),
  unknown_offer: final(404, 'There is no such offer.'),
  offer_expired: final(410, 'The offer has expired.'),
  price_changed: final(409, 'The offer has another price than the page shows.'),
  buyer_required: final(
    422,
    'The order asks for the buyer, and `buyer` is missing, of another form, or wrong in `fields`.',
  ),
  handoff_invalid: final(404, 'This hand-off was already used, has expired or is wrong.'),
  return_url_not_allowed: final(422, 'Shoppers may not return to this URL: it is not among the allowed return URLs.'),
  unknown_order: final(404, 'There is no such order.'),
  order_exists: final(409, 'The order already exists, with other terms or in another system.'),
  order_cancelled: final(409, 'The merchant has cancelled the order.'),
  order_paid: final(409, 'The order is already paid or completed.'),
  bank_page_unavailable: final(
    409,
    'The platform’s bank page possibly does not know the order’s code. Show the code with our elements instead.',
  ),
  amount_invalid: final(422, 'The platform does not accept this amount.'),
  bank_invalid: final(422, 'The platform does not know this bank.'),
  temporarily_unavailable: retryable(503, 'The payment platform does not answer at the moment.'),
  platform_refused: final(502, 'The payment platform refused the request.'),
  misconfigured: final(503, 'The Worker’s configuration is incomplete or wrong; its /health says where.'),
  internal: retryable(500, 'The Worker had an internal error.'),
};

/** Further codes that a page may receive when it starts, shows or cancels a subscription. */
const SUBSCRIPTION_ERRORS = {
  number_invalid: final(422, 'This is not an accepted mobile number.'),
  operator_invalid: final(422, 'The number does not belong to this mobile operator.'),
  pin_wrong: final(422, 'The PIN is wrong.'),
  pin_expired: final(422, 'The PIN has expired. Request a new PIN.'),
  pin_blocked: final(422, 'The PIN is blocked after too many wrong attempts.'),
  one_click_off: final(403, 'One-click is off. Use a PIN.'),
  number_token_invalid: final(422, 'The number token is not valid.'),
  not_eligible: final(422, 'This number may not subscribe.'),
  already_subscribed: final(409, 'The number already has an active subscription.'),
  subscription_failed: final(422, 'The mobile operator did not start the subscription.'),
  billing_cap_reached: retryable(429, 'The number has reached its billing cap. Retry later.'),
  daily_cap_reached: retryable(429, 'The number has reached its billing cap of the day. Retry tomorrow.'),
  test_mode: final(409, 'The landing page is in test mode.'),
  landing_not_found: final(404, 'There is no such product.'),
  subscription_not_found: final(404, 'There is no such subscription.'),
  already_cancelled: final(409, 'The subscription is already cancelled.'),
  cannot_cancel: final(409, 'The subscription’s state does not allow a cancellation.'),
  outcome_unknown: final(504, 'The outcome is unknown. Read the resource before retrying with a new key.'),
};

const PAGE_ERRORS = {...PAYMENT_ERRORS, ...SUBSCRIPTION_ERRORS};

/** Codes that only the merchant's server may receive. */
const SERVER_ERRORS = {
  sessions_scope_missing: final(403, 'This API key lacks the scope `sessions`.'),
  read_scope_missing: final(403, 'This API key lacks the scope `read`.'),
  money_scope_missing: final(403, 'This API key lacks the scope `money`.'),
  webhooks_scope_missing: final(403, 'This API key lacks the scope `webhooks`.'),
  offers_scope_missing: final(403, 'This API key lacks the scope `offers`.'),
  root_key_required: final(403, 'Only the root key, `MERCHANT_API_KEY`, may do this.'),
  all_services_required: final(403, 'This API key is limited to services, and the request is about all of them.'),
  key_limit_reached: final(409, 'There are 100 API keys already. Revoke one first.'),
  idempotency_key_missing: final(400, 'A write needs its own `Idempotency-Key`.'),
  idempotency_key_reused: final(422, 'This `Idempotency-Key` was already used for another request.'),
  in_progress: retryable(409, 'A request with this `Idempotency-Key`, or for this order, is still running.'),
  command_pending: retryable(
    409,
    'An earlier command for the same resource is not settled yet; see `GET /merchant/v1/commands`.',
  ),
  not_done: final(
    409,
    'For twelve minutes, the platform has shown no sign of this command. Read the resource before retrying with a ' +
      'new key.',
  ),
  offer_configured: final(409, 'OFFERS sets the offer with this name. Change it in the Worker’s configuration.'),
  unknown_service: final(404, 'There is no such service.'),
  service_not_enabled: final(403, 'The platform has not enabled this for the service.'),
  refund_too_large: final(422, 'The refund is more than what is left of the order’s money.'),
  already_refunded: final(409, 'This was already refunded, or a refund is in progress.'),
  test_number_refused: final(422, 'This looks like a test number, not like a subscription id.'),
  egress_unsafe: final(
    503,
    'This must be sent at most once, which the Worker’s egress cannot promise; see EGRESS in docs/deploy.md.',
  ),
  action_invalid: final(409, 'The platform does not allow this in the present state.'),
  quota_exhausted: retryable(429, 'The platform’s limit for this is used up. Retry later.'),
  not_configured: final(501, 'This call needs something that is not configured here.'),
  webhook_limit: final(
    409,
    'There are as many webhooks as may be: ten, or five for a key that is limited to services. Delete one first.',
  ),
  rotation_limit: final(409, 'Five secrets of the webhook sign at present. Wait until one of them ends.'),
  webhook_configured: final(409, 'WEBHOOK_URL sets this webhook. Change it in the Worker’s configuration.'),
  platform_unauthorized: final(502, 'The platform refuses the Worker’s credentials; see `GET /merchant/v1/doctor`.'),
  platform_address_refused: final(
    502,
    'The platform does not accept the IP address the Worker calls from; see `GET /merchant/v1/doctor`.',
  ),
};

export const ERROR_KINDS = {...PAGE_ERRORS, ...SERVER_ERRORS};

export type PaymentErrorCode = keyof typeof PAYMENT_ERRORS;
export type PageErrorCode = keyof typeof PAGE_ERRORS;
export type ErrorCode = keyof typeof ERROR_KINDS;

/** All codes that a page may receive. */
export const PAGE_ERROR_CODES = Object.keys(PAGE_ERRORS) as PageErrorCode[];
export const ERROR_CODES = /* @__PURE__ */ Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]];
