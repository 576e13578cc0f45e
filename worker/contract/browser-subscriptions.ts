/** What pages that subscribe numbers and the Worker say to each other: sessions, PINs, one-click, managing. */
import * as z from 'zod';
import {Amount, Instant, Localized, Session} from './browser.ts';

/** Digits of a Turkish mobile number, however people write them: `"0532 123 45 67"`, `"+90 532…"`, `"5321234567"`. What is none is refused with `number_invalid`. */
const Msisdn = z.string().min(1).max(32);

/** One of the session's `operators`; another one is refused with `operator_invalid`. */
const Operator = z.int().min(1).max(7);

/** What ties visit, clicks and subscription together: the campaign's click id, or one the page made for the visit. */
export const TrackingId = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Up to 255 visible ASCII characters');

/** What the network says of the visitor's number, from the page's address: digits, as text, for they outgrow 2^53. */
const NumberToken = z.string().min(1).max(64);

/** What a page must show before anybody can agree to it. */
const terms = {
  title: Localized,
  /** What the shopper agrees to, in the merchant's words. */
  terms: Localized,
  /** What each `period` costs. */
  price: Amount,
  currency: z.literal('TRY'),
  /** The platform's word: `"weekly"`, `"monthly"`, others may come. */
  period: z.string(),
  /** Whose numbers may subscribe, in the order to show them. */
  operators: z.array(z.strictObject({id: z.int().min(1).max(7), name: z.string()})),
};

/** What the human check needs to be shown. */
export const HumanCheck = z.strictObject({
  /** Turnstile's site key. */
  sitekey: z.string(),
  /** The `action` to render it with: a token made for another is refused. */
  action: z.string(),
});
export type HumanCheck = z.infer<typeof HumanCheck>;

/** `GET /v1/session`: what a subscription session is about, for pages whose session a merchant's server made. */
export const SubscriptionTerms = z.strictObject({
  kind: z.literal('subscription'),
  ...terms,
  /** Until when a number may be subscribed. */
  create_until: Instant,
  /** Null where there is none: above a limit one then waits. */
  human_check: HumanCheck.nullable(),
  /** Whether `POST /v1/numbers` and one-click are on; where not, they answer `one_click_off`. */
  one_click: z.boolean(),
});
export type SubscriptionTerms = z.infer<typeof SubscriptionTerms>;

/** `201` of `POST /v1/sessions` for an offer of the kind `subscription`. */
export const SubscriptionSession = z.strictObject({token: z.string(), ...SubscriptionTerms.shape});
export type SubscriptionSession = z.infer<typeof SubscriptionSession>;

/** `201` of `POST /v1/sessions`, by the offer's kind. */
export const NewSession = z.discriminatedUnion('kind', [Session, SubscriptionSession]);
export type NewSession = z.infer<typeof NewSession>;

/** `POST /v1/pins`: sends a PIN by SMS. */
export const PinRequest = z.strictObject({
  operator: Operator,
  msisdn: Msisdn,
  tracking_id: TrackingId,
  /** Turnstile's token, once `human_check_required` was answered. It is good for one request. */
  human: z.string().min(1).max(2048).optional(),
});
export type PinRequest = z.infer<typeof PinRequest>;

/**
 * `202` of `POST /v1/pins`: alike for every number, whether or not an SMS goes out. What stands in the way of a number is
 * told by `POST /v1/subscriptions`, after its PIN.
 */
export const PinSent = z.strictObject({
  /** Until when the PIN counts. */
  expires_at: Instant,
  /** Until when asking again for this number is refused with `rate_limited`. */
  resend_at: Instant,
  /** The Worker's clock at this answer: count down from here, for a device's clock may be wrong. */
  as_of: Instant,
});
export type PinSent = z.infer<typeof PinSent>;

/** `POST /v1/subscriptions`: with the PIN a number got, or one-click with a number token. */
export const SubscribeRequest = z.union([
  z.strictObject({
    operator: Operator,
    msisdn: Msisdn,
    /** Digits, as many as the platform sends; spaces are ignored, anything else is refused with `pin_wrong`. */
    pin: z.string().min(1).max(32),
    tracking_id: TrackingId,
  }),
  z.strictObject({number_token: NumberToken, tracking_id: TrackingId}),
]);
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

/** `201` of `POST /v1/subscriptions`. */
export const Subscribed = z.strictObject({state: z.literal('subscribed')});
export type Subscribed = z.infer<typeof Subscribed>;

/** `POST /v1/numbers`: whose number a token stands for. */
export const NumberRequest = z.strictObject({number_token: NumberToken});
export type NumberRequest = z.infer<typeof NumberRequest>;

/** A number as far as its owner knows it again: ten characters, `"532*****67"`. */
export const MaskedNumber = z.string().regex(/^5[\d*]{9}$/);

/** `200` of `POST /v1/numbers`. */
export const KnownNumber = z.strictObject({
  msisdn: MaskedNumber,
  /** Null where the platform does not say. Its name stands among the session's `operators`, if it may subscribe. */
  operator: z.int().nullable(),
});
export type KnownNumber = z.infer<typeof KnownNumber>;

export const SUBSCRIPTION_STATES = ['active', 'retry', 'suspend', 'cancelled', 'rejected', 'unknown'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** The subscription of a `management` session. What the platform does not say is null. */
export const Subscription = z.strictObject({
  id: z.string(),
  /** `retry`: the last charge failed and is tried again; `suspend`: it failed for good; `unknown`: ask nothing of it but to cancel. */
  state: z.enum(SUBSCRIPTION_STATES),
  msisdn: MaskedNumber.nullable(),
  operator: z.int().nullable(),
  price: Amount.nullable(),
  /** The platform's word: `"weekly"`, `"monthly"`, others may come. */
  period: z.string().nullable(),
  subscribed_at: Instant.nullable(),
  /** When it is charged next. */
  renews_at: Instant.nullable(),
  cancelled_at: Instant.nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** `200` of `GET /v1/subscription` and of `POST /v1/subscription/cancel`. */
export const ShownSubscription = z.strictObject({subscription: Subscription});
export type ShownSubscription = z.infer<typeof ShownSubscription>;
