/** When a page gets each error code, and what to do about it. Servers may get most of these codes too. */

import type {PageErrorCode} from './codes.ts';

/** What the page of an error code says in addition to the code's title and status. */
export interface ErrorGuide {
  /** When a caller gets the code, in one or two sentences. */
  readonly meaning: string;
  /** What the developer or operator does about it. */
  readonly action: string;
}

export const PAGE_ERROR_GUIDE: Readonly<Record<PageErrorCode, ErrorGuide>> = {
  invalid_request: {
    meaning: 'A field is missing, unknown or wrong. The status is 400 if the request could not be read at all.',
    action: 'Correct the fields that `fields` names.',
  },
  unauthorized: {
    meaning: 'The session or key is missing or wrong. A page’s session may have been signed with an old secret.',
    action: 'A page makes a new session. A server sends its API key as `Authorization: Bearer …`.',
  },
  session_expired: {
    meaning:
      'The session is too old for this request. The time in which a session can create something is shorter ' +
      'than the time in which it can read.',
    action: 'Make a new session. For an order, use the same reference again.',
  },
  session_kind: {
    meaning: 'The session is for something else, such as a subscription, or it is read-only because of a hand-off.',
    action: 'Use a session of the right kind, made on this device.',
  },
  origin_not_allowed: {
    meaning: 'The page’s origin is not in `ALLOWED_ORIGINS`, or it is not the origin of the session.',
    action: 'Add the origin to `ALLOWED_ORIGINS` and deploy, or make the session for this origin.',
  },
  not_found: {
    meaning: 'No endpoint has this path, or no resource has this id.',
    action: 'Check the path and the id.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    action: 'Use a method that the header `Allow` lists.',
  },
  too_large: {
    meaning: 'The body is longer than the endpoint accepts.',
    action: 'Send less.',
  },
  rate_limited: {
    meaning: 'A limit of the Worker or of the platform is reached for a short time. Nothing was done.',
    action: 'Wait as long as `Retry-After` says, then repeat the request. `LIMITS` sets the Worker’s own limits.',
  },
  human_check_required: {
    meaning: 'Requests from this network are above a limit. A shopper who passes the human check may continue.',
    action: 'Show the check. Repeat the request with a session, and the token as `human`. Our elements do this.',
  },
  human_check_failed: {
    meaning: 'The token of the human check is wrong, was used before, or could not be verified.',
    action: 'Repeat the check. If it fails for everyone, check the secret `TURNSTILE_SECRET`.',
  },
  unknown_offer: {
    meaning: 'Neither the configuration nor the merchant API has an offer with this name.',
    action: 'Correct the name, or make the offer with `PUT /merchant/v1/offers/{id}` or in `OFFERS`.',
  },
  offer_expired: {
    meaning: 'The offer’s `expires_at` has passed, or the order of a bill was deleted unpaid.',
    action: 'Make a new offer. The offer’s orders go on.',
  },
  price_changed: {
    meaning:
      'The `shown_amount` of `POST /v1/order-code` differs from the offer’s amount, because the price changed after the ' +
      'page was loaded. The Worker did nothing.',
    action:
      'Open a session with `POST /v1/sessions`, show its amount, and let the shopper go on. Our elements do this ' +
      'themselves.',
  },
  buyer_required: {
    meaning:
      'The offer or session asks who buys, and a field of `buyer` is missing or wrong. `fields` names each, such as ' +
      '`buyer.email`. Without `fields`, `buyer.form` is not the `version` of the present form: the page did not ask, or ' +
      'the offer changed after the page was loaded. Nothing was stored.',
    action:
      'Show the fields of `buyer_form`, and repeat the request with `buyer`. Without `fields`, read the form anew, with ' +
      '`GET /v1/payment` or `POST /v1/sessions`. Our elements do both.',
  },
  handoff_invalid: {
    meaning: 'A hand-off works once, within ten minutes. This hand-off was used, is too old, or never existed.',
    action: 'Make a new hand-off on the first device.',
  },
  return_url_not_allowed: {
    meaning: 'The Worker sends shoppers back only to URLs that the configuration allows.',
    action: 'Use an allowed URL, or add this URL to `RETURN_URLS` and deploy.',
  },
  unknown_order: {
    meaning: 'Neither the platform nor the Worker knows an order with this reference in this service.',
    action: 'Check the reference and the service. An order has no code until a page or your server requests the code.',
  },
  order_exists: {
    meaning:
      'The order exists already: with other terms, of which `fields` says those that the Worker knows, or because ' +
      'another shop or environment has created an order with this reference at the platform. A page gets only the second.',
    action:
      'Use a new reference for a new purchase, which no other shop and no staging environment uses. If it is your order, ' +
      'change its amount with `PATCH /merchant/v1/order-codes`, or take it with `adopt: true` in ' +
      '`POST /merchant/v1/order-codes`.',
  },
  order_cancelled: {
    meaning: 'Your server has cancelled the order, so no page asks for its money any more.',
    action: 'Use a new reference for a new purchase.',
  },
  order_paid: {
    meaning:
      'All money of the order has arrived, or your server has completed the order, so there is nothing left to pay.',
    action: 'Show the payment’s state instead.',
  },
  bank_page_unavailable: {
    meaning: 'The order’s code was not made for the platform’s bank page, so this page may not know the code.',
    action: 'Show the code with our elements, or create the code with `POST /merchant/v1/order-codes/hosted`.',
  },
  amount_invalid: {
    meaning:
      'The platform does not accept this amount. For example, a refund is more than the money that arrived, or an order is above the platform’s limit.',
    action: 'Read the order and use an amount that fits it.',
  },
  bank_invalid: {
    meaning: 'The platform has no bank with this code.',
    action: 'Take the code from the bank list.',
  },
  temporarily_unavailable: {
    meaning:
      'The platform or a part of the Worker does not answer. Nothing was done, or only something that can safely be ' +
      'repeated.',
    action: 'Repeat the request after `Retry-After`. If the error persists, read `/health` and ask the doctor.',
  },
  platform_refused: {
    meaning: 'The platform refused the request for a reason for which there is no other code.',
    action:
      'Find the platform’s status and message: a server gets them in `platform`, and the log has the status. Ask the ' +
      'platform’s support.',
  },
  misconfigured: {
    meaning: 'A value of the configuration is missing or wrong, so the Worker cannot answer.',
    action: 'Read `/health`, which names the values, correct them and deploy.',
  },
  internal: {
    meaning: 'The Worker failed because of a bug, or because of a fault for which it has no other code.',
    action: 'Find `request_id` in the log. A request that changes nothing may be repeated.',
  },
  number_invalid: {
    meaning: 'The mobile number is malformed, or its mobile operator does not take part.',
    action: 'Ask the shopper for the number again: ten digits that begin with 5.',
  },
  operator_invalid: {
    meaning: 'The shopper chose a mobile operator to which the number does not belong.',
    action: 'Let the shopper choose the mobile operator again.',
  },
  pin_wrong: {
    meaning: 'The PIN differs from the PIN that was sent.',
    action: 'Let the shopper type the PIN again.',
  },
  pin_expired: {
    meaning: 'The PIN is too old.',
    action: 'Send a new PIN.',
  },
  pin_blocked: {
    meaning: 'Too many wrong PINs were tried for this number.',
    action: 'Let the shopper request a new PIN later.',
  },
  one_click_off: {
    meaning: 'Subscribing without a PIN is switched off.',
    action: 'Subscribe with a PIN, or set `ONE_CLICK = "on"` and deploy.',
  },
  number_token_invalid: {
    meaning: 'The number token of the mobile network is wrong, used or too old.',
    action: 'Open the landing page through the mobile network again, or subscribe with a PIN.',
  },
  not_eligible: {
    meaning: 'The mobile operator does not let this number subscribe.',
    action: 'Tell the shopper. Another number may work.',
  },
  already_subscribed: {
    meaning: 'The number has this subscription already.',
    action: 'Treat the shopper as subscribed.',
  },
  subscription_failed: {
    meaning: 'The mobile operator refused, for example because the number has no credit.',
    action: 'Let the shopper try again later or use another number.',
  },
  billing_cap_reached: {
    meaning: 'The number has been billed as much as its mobile operator allows.',
    action: 'Try again later. The platform does not say when the cap ends.',
  },
  daily_cap_reached: {
    meaning: 'The number has been billed as much as its mobile operator allows in a day.',
    action: 'Try again tomorrow. `Retry-After` ends with the day in Turkey.',
  },
  test_mode: {
    meaning: 'The platform’s landing page accepts only test numbers at present.',
    action: 'Use a test number, or ask the platform to put the product into operation.',
  },
  landing_not_found: {
    meaning: 'The platform has no product with this number.',
    action: 'Correct `product` in the offer or session.',
  },
  subscription_not_found: {
    meaning: 'The platform has no subscription with this id in this service.',
    action: 'Check the id, the service and `via`.',
  },
  already_cancelled: {
    meaning: 'The subscription had ended before the request.',
    action: 'Treat the subscription as cancelled.',
  },
  cannot_cancel: {
    meaning: 'The platform cancels subscriptions only in certain states.',
    action: 'Read the subscription, and try again when its state has changed.',
  },
  outcome_unknown: {
    meaning:
      'The request was sent to the platform, but no readable answer came. The platform may have carried out ' +
      'the request.',
    action:
      'Do not repeat the request with a new key. Read the resource, or find `command_id` with ' +
      '`GET /merchant/v1/commands`. The Worker verifies the outcome, and the event `command.settled` reports it.',
  },
};
