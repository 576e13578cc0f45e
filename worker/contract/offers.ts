/** What an offer says. The configuration and the merchant API accept the same, and mean the same. */

import * as z from 'zod/mini';
import {lazily} from '../lib/lazily.ts';
import {normalizeAmount} from '../lib/money.ts';
import {buyerSettings, requireNoticeOfFields} from './buyer.ts';
import {
  afterPayment,
  DECIMAL_AMOUNT,
  explainAmount,
  Localized,
  Seller,
  subscriptionLinks,
  text,
  Title,
  TrialDays,
  WrittenInstant,
} from './fields.ts';

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

const commonFields = lazily(() => ({
  title: Title(),
  seller: z.optional(Seller()),
  /** From this time on, nobody can buy the offer. Orders and sessions that exist go on. */
  expires_at: z.optional(WrittenInstant()),
  /** The look of the offer's own page. */
  theme: z.optional(
    z.strictObject({
      accent: z.optional(z.string().check(z.regex(/^#[\da-fA-F]{6}$/, 'Expected a color such as "#0b5cad".'))),
      scheme: z.optional(z.enum(['light', 'dark'])),
    }),
  ),
}));

export const paymentOffer = lazily(() => ({
  kind: z.literal('payment'),
  service: text(64),
  amount: Price(),
  product: z.optional(z.int()),
  /** How long a shopper has to pay after ordering, also if the offer expires in the meantime. */
  hours: z._default(z.number().check(z.positive(), z.maximum(24 * 90)), 72),
  ...afterPayment(),
  ...buyerSettings(),
  ...commonFields(),
}));
export const PaymentOffer = lazily(() => z.strictObject(paymentOffer()).check(requireNoticeOfFields));
export type PaymentOffer = z.infer<ReturnType<typeof PaymentOffer>>;

export const SubscriptionOffer = lazily(() =>
  z.strictObject({
    kind: z.literal('subscription'),
    product: z.int().check(z.nonnegative()),
    price: Price(),
    period: text(64),
    trial_days: z.optional(TrialDays()),
    terms: Localized(),
    ...subscriptionLinks(),
    operators: z
      .array(z.strictObject({id: z.int().check(z.minimum(1), z.maximum(7)), name: text(64)}))
      .check(z.minLength(1), z.maxLength(20)),
    ...commonFields(),
  }),
);
export type SubscriptionOffer = z.infer<ReturnType<typeof SubscriptionOffer>>;

export const AnyOffer = lazily(() => z.discriminatedUnion('kind', [PaymentOffer(), SubscriptionOffer()]));
export type Offer = PaymentOffer | SubscriptionOffer;

/** The id of an offer of the merchant API. The name of a bill has 31 characters more (`lib/link-name.ts`). */
export const OFFER_ID = /^[A-Za-z0-9_-]{1,40}$/;
