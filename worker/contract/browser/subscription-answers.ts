/** What the Worker answers to pages that subscribe numbers: sessions, PINs, one-click, managing. */

import * as z from 'zod';
import {Amount, Instant, Localized, SUBSCRIPTION_STATES} from '../fields.ts';
import {HumanCheck, NewPaymentSession} from './answers.ts';

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
export const NewSubscriptionSession = z.strictObject({token: z.string(), ...SubscriptionTerms.shape});
export type NewSubscriptionSession = z.infer<typeof NewSubscriptionSession>;

/** `201` of `POST /v1/sessions`, by the offer's kind. */
export const NewSession = z.discriminatedUnion('kind', [NewPaymentSession, NewSubscriptionSession]);
export type NewSession = z.infer<typeof NewSession>;

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

/** `201` of `POST /v1/subscriptions`. */
export const Subscribed = z.strictObject({state: z.literal('subscribed')});
export type Subscribed = z.infer<typeof Subscribed>;

/** A number as far as its owner knows it again: ten characters, `"532*****67"`. */
export const MaskedNumber = z.string().regex(/^5[\d*]{9}$/);

/** `200` of `POST /v1/numbers`. */
export const ShownNumber = z.strictObject({
  msisdn: MaskedNumber,
  /** Null where the platform does not say. Its name stands among the session's `operators`, if it may subscribe. */
  operator: z.int().nullable(),
});
export type ShownNumber = z.infer<typeof ShownNumber>;

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
