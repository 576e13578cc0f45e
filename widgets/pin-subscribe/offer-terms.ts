import {html, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser-subscriptions.ts';
import type {Locale} from '../internal/language.ts';
import {formatAmount} from '../internal/money.ts';
import type {SubscribeWords} from '../locales/subscribe.ts';

/** What is subscribed to, what it costs and how often: read before anything can be pressed. */
export function offerTerms({title, price, period, terms}: SubscriptionTerms, say: SubscribeWords, locale: Locale): TemplateResult {
  const amount = formatAmount(price, locale);
  const every = say.every[period];
  return html`<div class="offer" part="offer">
    <h2 part="title"><slot name="title">${title[locale]}</slot></h2>
    <p class="price" part="price"><span class="unseen">${say.price}</span> ${every ? say.priceEvery(amount, every) : say.priceOf(amount, period)}</p>
    <p class="muted" part="terms">${terms[locale]}</p>
    <p class="muted">${say.renews}</p>
  </div>`;
}
