/** The offers that pages may sell: the variables `OFFERS`, `OFFERS_2`, … */

import * as z from 'zod';
import {Amount, Localized} from '../contract/fields.ts';
import {tableOrJson, describeIssues} from './variables.ts';

const PaymentOffer = z.strictObject({
  kind: z.literal('payment'),
  service: z.string().min(1),
  amount: Amount.refine((amount) => Number(amount) > 0),
  title: Localized,
  product: z.int().optional(),
  hours: z
    .number()
    .positive()
    .max(24 * 90)
    .default(72),
});

const SubscriptionOffer = z.strictObject({
  kind: z.literal('subscription'),
  product: z.int().nonnegative(),
  price: Amount.refine((price) => Number(price) > 0),
  period: z.string().min(1),
  title: Localized,
  terms: Localized,
  operators: z.array(z.strictObject({id: z.int().min(1).max(7), name: z.string().min(1)})).min(1),
});

export const Offer = z.discriminatedUnion('kind', [PaymentOffer, SubscriptionOffer]);

const Offers = tableOrJson(z.record(z.string().min(1).max(64), Offer));

export type PaymentOffer = z.infer<typeof PaymentOffer>;

export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>;

export type Offer = z.infer<typeof Offer>;

/**
 * Merges `OFFERS`, `OFFERS_2`, …: one variable can hold at most 5 KB. If two offers have the same name, the
 * configuration is invalid.
 */
export function parseOffers(
  env: Record<string, unknown>,
  invalidBindings: Set<string>,
  reasons: string[],
): Map<string, Offer> {
  const merged = new Map<string, Offer>();
  const bindings = Object.keys(env).filter((name) => /^OFFERS(_\d+)?$/.test(name));
  if (bindings.length === 0) invalidBindings.add('OFFERS');
  for (const binding of bindings) {
    const parsed = Offers.safeParse(env[binding]);
    if (!parsed.success) {
      invalidBindings.add(binding);
      reasons.push(
        ...describeIssues(parsed.error.issues.map(({path, message}) => ({path: [binding, ...path], message}))),
      );
    }
    for (const [id, offer] of Object.entries(parsed.data ?? {})) {
      if (merged.has(id)) {
        invalidBindings.add(binding);
        reasons.push(`${binding}.${id}: defined twice`);
      }
      merged.set(id, offer);
    }
  }
  return merged;
}
