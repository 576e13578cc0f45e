/** Formats the price of a subscription. */

import {html, type TemplateResult} from 'lit';
import {formatAmount} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import {priceMessages} from '../locales/price.ts';

/** What a subscription costs in each period. */
interface Price {
  /** Decimal text, such as `12.00`. */
  readonly price: string;
  /** The platform's name of the period. */
  readonly period: string;
}

/** The price with its period, for example `₺12.00 a week`. */
export function formatPrice({price, period}: Price, locale: Locale): string {
  const t = priceMessages[locale];
  const amount = formatAmount(price, locale);
  return t.every[period]?.(amount) ?? t.everyOther(amount, period);
}

/**
 * The label of the button that starts the subscription, for example `Subscribe for ₺12.00 a week`. The price breaks into
 * two lines only if it is wider than the button.
 */
export function subscribeLabel(price: Price, locale: Locale): TemplateResult {
  return html`<span
    >${priceMessages[locale].subscribeFor} <span class="whole">${formatPrice(price, locale)}</span></span
  >`;
}
