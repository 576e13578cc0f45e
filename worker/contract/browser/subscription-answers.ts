/** The Worker's answers to subscription pages, about sessions, PINs, one-click and a subscription's management. */

import * as z from 'zod/mini';
import '../described.ts';
import {Amount, Instant, Localized, Seller, SUBSCRIPTION_STATES, subscriptionLinks, TrialDays} from '../fields.ts';
import {HumanCheck, NewPaymentSession} from './answers.ts';

/** What a page must show before a shopper can agree. */
const terms = DESCRIBED && {
  title: Localized(),
  /** What the shopper agrees to, as the merchant wrote it. */
  terms: Localized(),
  ...subscriptionLinks(),
  /** Left out if neither the offer nor the merchant's server names the seller. */
  seller: z.optional(Seller()),
  /** Price of one `period`. */
  price: Amount(),
  currency: z.literal('TRY'),
  /** As the platform names it: `"weekly"` or `"monthly"`; the platform may add others. */
  period: z.string(),
  /** Free days before the first charge; left out if there are none. */
  trial_days: z.optional(TrialDays()),
  /** Mobile operators whose numbers may subscribe, in the order in which the page shows them. */
  operators: z.array(z.strictObject({id: z.int().check(z.minimum(1), z.maximum(7)), name: z.string()})),
};

/** `GET /v1/session`: a subscription session's terms, for pages whose session was created by a merchant's server. */
export const SubscriptionTerms =
  DESCRIBED &&
  z.strictObject({
    kind: z.literal('subscription'),
    ...terms,
    /** The time until which a number may be subscribed. */
    create_until: Instant(),
    /** Null when no human check is configured. In that case a shopper who exceeds a limit has to wait. */
    human_check: z.nullable(HumanCheck),
    /** Whether `POST /v1/numbers` and one-click are enabled; otherwise they are refused with `one_click_off`. */
    one_click: z.boolean(),
  });
export type SubscriptionTerms = z.infer<typeof SubscriptionTerms>;

/** `201` of `POST /v1/sessions` for an offer of the kind `subscription`. */
export const NewSubscriptionSession = DESCRIBED && z.strictObject({token: z.string(), ...SubscriptionTerms.shape});
export type NewSubscriptionSession = z.infer<typeof NewSubscriptionSession>;

/** `201` of `POST /v1/sessions`. The offer's kind determines which of the two shapes the answer has. */
export const NewSession = DESCRIBED && z.discriminatedUnion('kind', [NewPaymentSession, NewSubscriptionSession]);
export type NewSession = z.infer<typeof NewSession>;

/**
 * `202` of `POST /v1/pins`: the same for every number, whether or not an SMS is sent. `POST /v1/subscriptions` reports
 * why a number cannot subscribe, after the PIN is entered.
 */
export const PinSent =
  DESCRIBED &&
  z.strictObject({
    /** When the PIN expires. */
    expires_at: Instant(),
    /** The time until which a further PIN for this number is refused with `rate_limited`. */
    resend_at: Instant(),
    /** The time at the Worker when it answered. Count down from it, because the device's clock may be wrong. */
    as_of: Instant(),
  });
export type PinSent = z.infer<typeof PinSent>;

/** `201` of `POST /v1/subscriptions`. */
export const Subscribed = DESCRIBED && z.strictObject({state: z.literal('subscribed')});
export type Subscribed = z.infer<typeof Subscribed>;

/** A number with only some of its digits, so that only its owner recognizes the number: `"532*****67"`. */
export const MaskedNumber = DESCRIBED && z.string().check(z.regex(/^5[\d*]{9}$/));

/** `200` of `POST /v1/numbers`. */
export const ShownNumber =
  DESCRIBED &&
  z.strictObject({
    msisdn: MaskedNumber,
    /**
     * Id of the mobile operator; null when the platform does not say it. If the number may subscribe, the session's
     * `operators` contains the name of this operator.
     */
    operator: z.nullable(z.int()),
  });
export type ShownNumber = z.infer<typeof ShownNumber>;

/** The subscription of a `management` session. Values that the platform does not give are null. */
export const Subscription =
  DESCRIBED &&
  z.strictObject({
    id: z.string(),
    /**
     * `retry`: the last charge failed and will be tried again. `suspend`: the last charge failed for good. `unknown`: the
     * platform does not name the state; show only how to cancel.
     */
    state: z.enum(SUBSCRIPTION_STATES),
    msisdn: z.nullable(MaskedNumber),
    operator: z.nullable(z.int()),
    price: z.nullable(Amount()),
    /** As the platform names it: `"weekly"` or `"monthly"`; the platform may add others. */
    period: z.nullable(z.string()),
    /** Free days at the beginning; null if nothing says that a free trial is running. */
    trial_days: z.nullable(TrialDays()),
    subscribed_at: z.nullable(Instant()),
    /** When the next charge is due. */
    renews_at: z.nullable(Instant()),
    cancelled_at: z.nullable(Instant()),
  });
export type Subscription = z.infer<typeof Subscription>;

/** `200` of `GET /v1/subscription` and of `POST /v1/subscription/cancel`. */
export const ShownSubscription =
  DESCRIBED &&
  z.strictObject({
    subscription: Subscription,
    /** Left out if the session names no seller. */
    seller: z.optional(Seller()),
  });
export type ShownSubscription = z.infer<typeof ShownSubscription>;
