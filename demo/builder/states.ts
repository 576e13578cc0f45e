/**
 * The states that a preview can make with the sandbox, by element. Each has an address, `?element=…&state=…`; the
 * pictures of `npm run looks` walk the same list. An element without a state starts as for a new shopper.
 */

import type {Tag} from './elements.ts';

export const PAYMENT_STATES = ['partial', 'paid', 'overpaid', 'refunding'] as const;
export const SUBSCRIPTION_STATES = ['active', 'retry', 'suspend', 'cancelled', 'rejected', 'unknown'] as const;
export type State =
  | ''
  | 'waiting'
  | 'recognized'
  | (typeof PAYMENT_STATES)[number]
  | (typeof SUBSCRIPTION_STATES)[number];

const STATES: Readonly<Partial<Record<Tag, readonly State[]>>> = {
  'vezne-checkout': PAYMENT_STATES,
  'vezne-payment-code': ['waiting', ...PAYMENT_STATES],
  'vezne-payment-status': ['waiting', ...PAYMENT_STATES],
  'vezne-payment-notice': ['waiting'],
  'vezne-one-click': ['recognized'],
  'vezne-subscription': SUBSCRIPTION_STATES,
};

export const statesOf = (tag: Tag): readonly State[] => STATES[tag] ?? [];
