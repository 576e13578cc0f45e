/** Shows the seller's contacts where a text sends the shopper to the seller. */

import {html, nothing, type TemplateResult} from 'lit';
import type {ShownSubscription, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {Seller} from '../../worker/contract/fields.ts';
import {lazyElements} from '../core/define.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem} from '../core/problem.ts';

const contactsElement = lazyElements(() => import('../bundles/seller.ts'));
let stopLoading: (() => void) | undefined;

/**
 * Renders the seller's contacts. Their file loads when it is first needed. All elements of the page share the file, so
 * one subscription loads it.
 * @param about - The subscription that the shopper asks about, if it is known.
 * @param isNextStep - Whether the shopper's next step is to ask the seller.
 */
export function askSeller(
  seller: Seller | undefined,
  about: string | undefined,
  locale: Locale,
  isNextStep = false,
): TemplateResult | typeof nothing {
  if (!seller) return nothing;
  // The query repeats a failed request.
  stopLoading ??= contactsElement.subscribe(() => {});
  return html`<vezne-seller-contacts
    class=${isNextStep ? nothing : 'card'}
    lang=${locale}
    exportparts="button"
    .seller=${seller}
    .about=${about ?? ''}
    .isNextStep=${isNextStep}
  ></vezne-seller-contacts>`;
}

/** Renders the seller's contacts below a problem, if its text sends the shopper to the seller. */
export function askSellerAbout(
  problem: Problem | undefined,
  terms: Pick<SubscriptionTerms, 'seller' | 'title'> | undefined,
  locale: Locale,
): TemplateResult | typeof nothing {
  if (!problem?.refusal?.asksSeller) return nothing;
  return askSeller(problem.details?.seller ?? terms?.seller, terms?.title[locale], locale);
}

/** Renders the contacts of a subscription's seller, if its state or a problem sends the subscriber to the seller. */
export function askSellerOf(
  {subscription: {id, state}, seller}: ShownSubscription,
  problem: Problem | undefined,
  locale: Locale,
): TemplateResult | typeof nothing {
  const isPaused = state === 'suspend';
  return problem?.refusal?.asksSeller || !/active|retry/.test(state)
    ? askSeller(seller, id, locale, isPaused)
    : nothing;
}
