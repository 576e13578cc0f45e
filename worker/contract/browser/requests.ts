/**
 * The requests of pages. The Worker parses requests with these schemas. For its answers it has only types, so that a
 * starting isolate does not spend time on answer schemas.
 */

import * as z from 'zod';
import {Amount, isPlausibleTime, text} from '../fields.ts';

/**
 * Both checks are in one `check` call, because each chained call would create another schema when an isolate starts.
 */
const shortText = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** Ties a visit, its clicks and a subscription together: the campaign's click id, or an id that the page made. */
export const TrackingId = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Expected up to 255 visible ASCII characters.');

/**
 * A Turkish mobile number in any usual spelling: `"0532 123 45 67"`, `"+90 532…"`, `"5321234567"`. Anything else is
 * refused with `number_invalid`.
 */
const Msisdn = shortText(32);

/** One of the session's `operators`; any other is refused with `operator_invalid`. */
const Operator = z.int().min(1).max(7);

/** The number token that the mobile network put into the page's URL: digits, as text, because they may exceed 2^53. */
const NumberToken = shortText(64);

/**
 * The URL that the shopper returns to. It must be on the session's own origin or, if a merchant's server made the
 * session, below `RETURN_URLS`; any other is refused with `return_url_not_allowed`.
 */
const ReturnUrl = z.url({protocol: /^https?$/}).max(2000);

/** `POST /v1/sessions`: the page names an offer and never an amount. */
export const SessionRequest = z.strictObject({offer: shortText(64)});
export type SessionRequest = z.infer<typeof SessionRequest>;

/** `POST /v1/handoffs/preview`. */
export const HandoffRequest = z.strictObject({
  /** The code contains the order's reference: 255 characters, which become much longer when encoded for a URL. */
  code: shortText(4096),
  /**
   * The page's offer; omitted when the merchant's server makes its sessions. A hand-off of another offer is refused.
   */
  offer: shortText(64).optional(),
});
export type HandoffRequest = z.infer<typeof HandoffRequest>;

/** `POST /v1/handoffs/redeem`. */
export const RedeemRequest = HandoffRequest.extend({
  /**
   * Unguessable text that the page makes up. If the answer is lost, a repeated request with it gets the answer again.
   */
  attempt: shortText(64).optional(),
});
export type RedeemRequest = z.infer<typeof RedeemRequest>;

/** Turnstile's token, needed after the answer `human_check_required`. It is valid for one request. */
const Human = shortText(2048).optional();

/** `POST /v1/order-code`. */
export const OrderCodeRequest = z.strictObject({human: Human});
export type OrderCodeRequest = z.infer<typeof OrderCodeRequest>;

/** `POST /v1/hosted-payment`: the platform's bank page shows the code, in place of our elements. */
export const HostedPaymentRequest = z.strictObject({
  /** Where the platform's page sends the shopper at the end. */
  redirect_url: ReturnUrl.optional(),
  /** Target of the "back" link on the platform's page. */
  back_url: ReturnUrl.optional(),
  human: Human,
});
export type HostedPaymentRequest = z.infer<typeof HostedPaymentRequest>;

/** `POST /v1/payment-notices`: a transfer whose description had no code. Refused for read-only sessions (hand-offs). */
export const PaymentNoticeRequest = z.strictObject({
  /** The code of the bank the money was sent to. */
  bank: text(64),
  /** The amount that the shopper says they sent; by default the amount still to be paid. */
  amount: Amount.optional(),
  notice: z.strictObject({
    name: text(255).optional(),
    email: text(255).optional(),
    phone: text(32).optional(),
    /** National identity number. The Worker sends it to the platform and does not store it. */
    tc_no: text(32).optional(),
    /** When the money was sent; to the second, no fraction. */
    apply_time: z.iso
      .datetime({offset: true, precision: 0})
      .refine(isPlausibleTime, 'Expected a time between the years 2000 and 2099.')
      .optional(),
    description: text(1000).optional(),
  }),
  redirect_url: ReturnUrl.optional(),
  back_url: ReturnUrl.optional(),
  human: Human,
});
export type PaymentNoticeRequest = z.infer<typeof PaymentNoticeRequest>;

/**
 * `POST /v1/payment-pages`: the platform's payment page for the amount still to be paid. An order has one payment page
 * at a time: while it is open, every request gets its URL, whatever return URLs the request names. A request without
 * return URLs uses those of the session, or else the page's origin.
 */
export const PaymentPageRequest = z.strictObject({
  success_url: ReturnUrl.optional(),
  failure_url: ReturnUrl.optional(),
  /** Opens a new payment page although one is open: for a shopper who came back without paying. Both can be paid. */
  anew: z.boolean().optional(),
  human: Human,
});
export type PaymentPageRequest = z.infer<typeof PaymentPageRequest>;

/** `POST /v1/pins`: sends a PIN by SMS. */
export const PinRequest = z.strictObject({
  operator: Operator,
  msisdn: Msisdn,
  tracking_id: TrackingId,
  human: Human,
});
export type PinRequest = z.infer<typeof PinRequest>;

/** `POST /v1/subscriptions`: with the PIN that was sent to the number, or one-click with a number token. */
export const SubscribeRequest = z.union([
  z.strictObject({
    operator: Operator,
    msisdn: Msisdn,
    /** The digits that the platform sent; spaces are ignored, anything else is refused with `pin_wrong`. */
    pin: shortText(32),
    tracking_id: TrackingId,
  }),
  z.strictObject({number_token: NumberToken, tracking_id: TrackingId}),
]);
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

/** `POST /v1/numbers`: the number behind a number token. */
export const NumberRequest = z.strictObject({number_token: NumberToken});
export type NumberRequest = z.infer<typeof NumberRequest>;

export const ACTIVITY_TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/**
 * `POST /v1/activities`: a visit or a click, as JSON, without a session. The content type may be `text/plain`, so that
 * a beacon needs no preflight. The Worker adds the visitor's IP address and browser, and removes numbers, PINs and
 * tokens from `url` and `referer`. It answers `202` with `{}` immediately, and reports the activity to the platform
 * afterwards, or later if the platform is down.
 */
export const Activity = z.strictObject({
  /** An offer with a product; an offer without one is refused with `unknown_offer`. */
  offer: shortText(64),
  type: z.enum(ACTIVITY_TYPES),
  tracking_id: TrackingId,
  /** The page's own id of this event. An id that arrives several times within a day counts once. */
  event_id: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
  /** URL of the page, on the request's origin; required for a `visit`. */
  url: shortText(2000).optional(),
  /** URL that the visitor came from; `"-"` when unknown. */
  referer: shortText(2000).optional(),
});
export type Activity = z.infer<typeof Activity>;
