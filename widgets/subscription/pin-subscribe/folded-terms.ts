import {html, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {pinEntryMessages} from '../../locales/pin-entry.ts';
import {offerTerms, type ShownTerms} from '../offer.ts';
import {formatPrice} from '../price.ts';

/** The terms once the shopper has agreed to them: the price, and the rest on a press. */
export function foldedTerms(offer: ShownTerms, locale: Locale): TemplateResult {
  return html`<details>
    <summary class="link">${formatPrice(offer, locale)} · ${pinEntryMessages[locale].terms}</summary>
    ${offerTerms(offer, locale)}
  </details>`;
}
