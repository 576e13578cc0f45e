import {html, type TemplateResult} from 'lit';
import type {Locale} from '../core/locale.ts';
import {priceMessages} from '../locales/pin-subscribe.ts';
import {formatPrice, type Price} from './price.ts';

/**
 * The label of the button that starts the subscription, for example `Subscribe for ₺12.00 a week`. The price breaks into
 * two lines only if it is wider than the button.
 */
export function subscribeLabel(price: Price, locale: Locale): TemplateResult {
  return html`<span
    >${priceMessages[locale].subscribeFor} <span class="whole">${formatPrice(price, locale)}</span></span
  >`;
}
