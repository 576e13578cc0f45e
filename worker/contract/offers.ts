/** What an offer says. The configuration and the merchant API accept the same, and mean the same. */

import * as z from 'zod/mini';
import {lazily} from '../lib/lazily.ts';
import {normalizeAmount} from '../lib/money.ts';
import {DECIMAL_AMOUNT, explainAmount, Localized, Seller, subscriptionLinks, TrialDays} from './fields.ts';

/** A price as the merchant API accepts it: `149`, `149.9` or `149.90`. The parsed price has two decimal places. */
const Price = lazily(() =>
  z.pipe(
    z.string().check(
      z.regex(DECIMAL_AMOUNT, {error: explainAmount}),
      z.refine((amount) => /[1-9]/.test(amount), 'Expected more than 0.'),
    ),
    z.transform(normalizeAmount),
  ),
);

export const PaymentOffer = lazily(() =>
  z.strictObject({
    kind: z.literal('payment'),
    service: z.string().check(z.minLength(1)),
    amount: Price(),
    title: Localized(),
    product: z.optional(z.int()),
    hours: z._default(z.number().check(z.positive(), z.maximum(24 * 90)), 72),
    seller: z.optional(Seller()),
  }),
);

export const SubscriptionOffer = lazily(() =>
  z.strictObject({
    kind: z.literal('subscription'),
    product: z.int().check(z.nonnegative()),
    price: Price(),
    period: z.string().check(z.minLength(1)),
    trial_days: z.optional(TrialDays()),
    title: Localized(),
    terms: Localized(),
    ...subscriptionLinks(),
    operators: z
      .array(z.strictObject({id: z.int().check(z.minimum(1), z.maximum(7)), name: z.string().check(z.minLength(1))}))
      .check(z.minLength(1)),
    seller: z.optional(Seller()),
  }),
);

export const AnyOffer = lazily(() => z.discriminatedUnion('kind', [PaymentOffer(), SubscriptionOffer()]));

export type PaymentOffer = z.infer<ReturnType<typeof PaymentOffer>>;

export type SubscriptionOffer = z.infer<ReturnType<typeof SubscriptionOffer>>;

export type Offer = PaymentOffer | SubscriptionOffer;
