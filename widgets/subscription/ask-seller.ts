/** Shows the seller's contacts where a text sends the shopper to the seller. */

import {html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {Seller} from '../../worker/contract/fields.ts';
import {lazyElements} from '../core/define.ts';
import type {Problem} from '../core/problem.ts';
import {StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';

const contactsElement = lazyElements(() => import('../bundles/seller.ts'));
/** The elements that have loaded the file. */
const askingHosts = new WeakSet<object>();

/**
 * Renders the seller's contacts in an element. Their file loads when it is first needed.
 * @param about - The subscription that the shopper asks about, if it is known.
 * @param isNextStep - Whether the shopper's next step is to ask the seller.
 */
export function askSeller(
  host: VezneElement<unknown>,
  seller: Seller | undefined,
  about: string | undefined,
  isNextStep = false,
): TemplateResult | typeof nothing {
  if (!seller) return nothing;
  if (!askingHosts.has(host)) void new StoreController(host, () => contactsElement);
  askingHosts.add(host);
  return html`<vezne-seller-contacts
    class=${isNextStep ? nothing : 'card'}
    lang=${host.locale}
    exportparts="button"
    .seller=${seller}
    .about=${about ?? ''}
    .isNextStep=${isNextStep}
  ></vezne-seller-contacts>`;
}

/** Renders the seller's contacts below a problem, if its text sends the shopper to the seller. */
export function askSellerAbout(
  host: VezneElement<unknown>,
  problem: Problem | undefined,
  terms?: Pick<SubscriptionTerms, 'seller' | 'title'>,
): TemplateResult | typeof nothing {
  if (!problem?.refusal?.asksSeller) return nothing;
  return askSeller(host, problem.details?.seller ?? terms?.seller, terms?.title[host.locale]);
}
