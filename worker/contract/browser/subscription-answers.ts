/** The Worker's answers to subscription pages: sessions, PINs, one-click and managing a subscription. */

import * as z from 'zod';
import {Amount, Instant, Localized, SUBSCRIPTION_STATES} from '../fields.ts';
import {HumanCheck, NewPaymentSession} from './answers.ts';

/** What a page must show before a shopper can agree. */
const terms = {
  title: Localized,
  /** What the shopper agrees to, as the merchant wrote it. */
  terms: Localized,
  /** Price of one `period`. */
  price: Amount,
  currency: z.literal('TRY'),
  /** The platform's word: `"weekly"`, `"monthly"`; others may follow. */
  period: z.string(),
  /** Mobile operators whose numbers may subscribe, in the order to show them. */
  operators: z.array(z.strictObject({id: z.int().min(1).max(7), name: z.string()})),
};

/** `GET /v1/session`: the terms of a subscription session, for pages whose session a merchant's server made. */
export const SubscriptionTerms = z.strictObject({
  kind: z.literal('subscription'),
  ...terms,
  /** A number may be subscribed until then. */
  create_until: Instant,
  /** Null when no human check is configured: then a shopper who exceeds a limit has to wait. */
  human_check: HumanCheck.nullable(),
  /** Whether `POST /v1/numbers` and one-click are on; when off, they answer `one_click_off`. */
  one_click: z.boolean(),
});
export type SubscriptionTerms = z.infer<typeof SubscriptionTerms>;

/** `201` of `POST /v1/sessions` for an offer of the kind `subscription`. */
export const NewSubscriptionSession = z.strictObject({token: z.string(), ...SubscriptionTerms.shape});
export type NewSubscriptionSession = z.infer<typeof NewSubscriptionSession>;

/** `201` of `POST /v1/sessions`, by the offer's kind. */
export const NewSession = z.discriminatedUnion('kind', [NewPaymentSession, NewSubscriptionSession]);
export type NewSession = z.infer<typeof NewSession>;

/**
 * `202` of `POST /v1/pins`: the same for every number, whether or not an SMS is sent. Why a number cannot subscribe is
 * reported by `POST /v1/subscriptions`, after the PIN.
 */
export const PinSent = z.strictObject({
  /** When the PIN expires. */
  expires_at: Instant,
  /** Until then another PIN for this number is refused with `rate_limited`. */
  resend_at: Instant,
  /** The Worker's time of this answer. Count down from it, because the device's clock may be wrong. */
  as_of: Instant,
});
export type PinSent = z.infer<typeof PinSent>;

/** `201` of `POST /v1/subscriptions`. */
export const Subscribed = z.strictObject({state: z.literal('subscribed')});
export type Subscribed = z.infer<typeof Subscribed>;

/** A number masked so that only its owner recognizes it: ten characters, `"532*****67"`. */
export const MaskedNumber = z.string().regex(/^5[\d*]{9}$/);

/** `200` of `POST /v1/numbers`. */
export const ShownNumber = z.strictObject({
  msisdn: MaskedNumber,
  /**
   * Id of the mobile operator; null when the platform does not say. The session's `operators` has its name if the
   * number may subscribe.
   */
  operator: z.int().nullable(),
});
export type ShownNumber = z.infer<typeof ShownNumber>;

/** The subscription of a `management` session. Values that the platform does not give are null. */
export const Subscription = z.strictObject({
  id: z.string(),
  /**
   * `retry`: the last charge failed and is tried again. `suspend`: it failed for good. `unknown`: offer only to cancel.
   */
  state: z.enum(SUBSCRIPTION_STATES),
  msisdn: MaskedNumber.nullable(),
  operator: z.int().nullable(),
  price: Amount.nullable(),
  /** The platform's word: `"weekly"`, `"monthly"`; others may follow. */
  period: z.string().nullable(),
  subscribed_at: Instant.nullable(),
  /** When the next charge is due. */
  renews_at: Instant.nullable(),
  cancelled_at: Instant.nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** `200` of `GET /v1/subscription` and of `POST /v1/subscription/cancel`. */
export const ShownSubscription = z.strictObject({subscription: Subscription});
export type ShownSubscription = z.infer<typeof ShownSubscription>;
