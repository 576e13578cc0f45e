import {html, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {formatAmount} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';

/** `₺12.00 every week` */
export function formatPrice({price, period}: SubscriptionTerms, locale: Locale): string {
  const say = pinSubscribeMessages[locale];
  const amount = formatAmount(price, locale);
  const every = say.every[period];
  return every ? say.priceEvery(amount, every) : say.priceOf(amount, period);
}

/** What is subscribed to, what it costs and how often: read before anything can be pressed. */
export function offerTerms(offer: SubscriptionTerms, locale: Locale): TemplateResult {
  const {title, terms} = offer;
  const say = pinSubscribeMessages[locale];
  return html`<div class="offer" part="offer">
    <h2 part="title"><slot name="title">${title[locale]}</slot></h2>
    <p class="price" part="price"><span class="unseen">${say.price}</span> ${formatPrice(offer, locale)}</p>
    <p class="muted" part="terms">${terms[locale]}</p>
    <p class="muted">${say.renews}</p>
  </div>`;
}
