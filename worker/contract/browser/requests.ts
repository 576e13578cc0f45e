/**
 * What pages send to the Worker. These are the schemas it reads with; of its own answers it knows the types only, so that
 * an isolate that wakes for a shopper makes no schema of them.
 */

import * as z from 'zod';
import {Amount, isPlausibleTime, text} from '../fields.ts';

/** Both checks at once: each step of a chain is a schema to make when an isolate starts. */
const shortText = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** What ties visit, clicks and subscription together: the campaign's click id, or one the page made for the visit. */
export const TrackingId = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Up to 255 visible ASCII characters are expected.');

/** Digits of a Turkish mobile number, however people write them: `"0532 123 45 67"`, `"+90 532…"`, `"5321234567"`. What is none is refused with `number_invalid`. */
const Msisdn = shortText(32);

/** One of the session's `operators`; another one is refused with `operator_invalid`. */
const Operator = z.int().min(1).max(7);

/** What the network says of the visitor's number, from the page's address: digits, as text, for they outgrow 2^53. */
const NumberToken = shortText(64);

/**
 * Where the shopper returns to. A public session returns to its own origin only, a merchant's also below `RETURN_URLS`;
 * anything else is refused with `return_url_not_allowed`.
 */
const ReturnUrl = z.url({protocol: /^https?$/}).max(2000);

/** `POST /v1/sessions`: the page names an offer and never an amount. */
export const SessionRequest = z.strictObject({offer: shortText(64)});
export type SessionRequest = z.infer<typeof SessionRequest>;

/** `POST /v1/handoffs/preview`. */
export const HandoffRequest = z.strictObject({
  /** It names the order, and so is as long as a reference of 255 characters is in an address. */
  code: shortText(4096),
  /** What the page sells; left out where the merchant's server made its session. A hand-off of anything else is refused. */
  offer: shortText(64).optional(),
});
export type HandoffRequest = z.infer<typeof HandoffRequest>;

/** `POST /v1/handoffs/redeem`. */
export const RedeemRequest = HandoffRequest.extend({
  /** Made up by the page, unguessable: who asks again with it because the answer got lost is answered again. */
  attempt: shortText(64).optional(),
});
export type RedeemRequest = z.infer<typeof RedeemRequest>;

/** Turnstile's token, once `human_check_required` was answered. It is good for one request. */
const Human = shortText(2048).optional();

/** `POST /v1/order-code`. */
export const OrderCodeRequest = z.strictObject({human: Human});
export type OrderCodeRequest = z.infer<typeof OrderCodeRequest>;

/** `POST /v1/hosted-payment`: the platform's bank page shows the code instead of ours. */
export const HostedPaymentRequest = z.strictObject({
  /** Where the page sends the shopper when they are done. */
  redirect_url: ReturnUrl.optional(),
  /** Where its "back" leads. */
  back_url: ReturnUrl.optional(),
  human: Human,
});
export type HostedPaymentRequest = z.infer<typeof HostedPaymentRequest>;

/** `POST /v1/payment-notices`: a transfer whose description had no code. Who reads only (a hand-off) writes none. */
export const PaymentNoticeRequest = z.strictObject({
  /** The code of the bank the money was sent to. */
  bank: text(64),
  /** What the shopper says they sent; what the order still lacks unless said. */
  amount: Amount.optional(),
  notice: z.strictObject({
    name: text(255).optional(),
    email: text(255).optional(),
    phone: text(32).optional(),
    /** National identity number; it goes to the platform and is kept nowhere. */
    tc_no: text(32).optional(),
    /** When the money was sent; to the second, no fraction. */
    apply_time: z.iso
      .datetime({offset: true, precision: 0})
      .refine(isPlausibleTime, 'A time between the years 2000 and 2099 is expected.')
      .optional(),
    description: text(1000).optional(),
  }),
  redirect_url: ReturnUrl.optional(),
  back_url: ReturnUrl.optional(),
  human: Human,
});
export type PaymentNoticeRequest = z.infer<typeof PaymentNoticeRequest>;

/**
 * `POST /v1/payment-pages`: the common payment page, for what is still to be paid. An order has one at a time: who asks while one is
 * open is given its address, whatever return addresses they name. The session's own count where none is named, then the page's origin.
 */
export const PaymentPageRequest = z.strictObject({
  success_url: ReturnUrl.optional(),
  failure_url: ReturnUrl.optional(),
  /** The shopper comes back from the page and could not pay there: another one is opened. Both may be paid if that is not so. */
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

/** `POST /v1/subscriptions`: with the PIN a number got, or one-click with a number token. */
export const SubscribeRequest = z.union([
  z.strictObject({
    operator: Operator,
    msisdn: Msisdn,
    /** Digits, as many as the platform sends; spaces are ignored, anything else is refused with `pin_wrong`. */
    pin: shortText(32),
    tracking_id: TrackingId,
  }),
  z.strictObject({number_token: NumberToken, tracking_id: TrackingId}),
]);
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

/** `POST /v1/numbers`: whose number a token stands for. */
export const NumberRequest = z.strictObject({number_token: NumberToken});
export type NumberRequest = z.infer<typeof NumberRequest>;

export const ACTIVITY_TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/**
 * `POST /v1/activities`: what the tracker tells of a visit, as JSON, also sent as `text/plain` so that a beacon needs no preflight; no session. The Worker adds the
 * visitor's address and browser, and takes numbers, PINs and tokens out of `url` and `referer` whatever the page left in.
 * It answers `202` with `{}` at once and tells the platform then, or when it is back.
 */
export const Activity = z.strictObject({
  /** Names the product; an offer without one is refused with `unknown_offer`. */
  offer: shortText(64),
  type: z.enum(ACTIVITY_TYPES),
  tracking_id: TrackingId,
  /** The page's own name of this event: the same one counts once, however often it arrives in a day. */
  event_id: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
  /** Address of the page, of the same origin as the request; a `visit` needs it. */
  url: shortText(2000).optional(),
  /** Where the visitor came from, `"-"` where that is not known. */
  referer: shortText(2000).optional(),
});
export type Activity = z.infer<typeof Activity>;
