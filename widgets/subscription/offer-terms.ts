import {html, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {formatAmount} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';

/** `₺12.00 every week` */
export function formatPrice({price, period}: SubscriptionTerms, locale: Locale): string {
  const t = pinSubscribeMessages[locale];
  const amount = formatAmount(price, locale);
  const every = t.every[period];
  return every ? t.priceEvery(amount, every) : t.priceOf(amount, period);
}

/** What is subscribed to, what it costs and how often: read before anything can be pressed. */
export function offerTerms(offer: SubscriptionTerms, locale: Locale): TemplateResult {
  const {title, terms} = offer;
  const t = pinSubscribeMessages[locale];
  return html`<div class="offer" part="offer">
    <h2 part="title"><slot name="title">${title[locale]}</slot></h2>
    <p class="price" part="price"><span class="visually-hidden">${t.price}</span> ${formatPrice(offer, locale)}</p>
    <p class="muted" part="terms">${terms[locale]}</p>
    <p class="muted">${t.renews}</p>
  </div>`;
}
