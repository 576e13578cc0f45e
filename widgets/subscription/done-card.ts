import {css, html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {Locale} from '../core/locale.ts';
import type {PinEntryMessages} from '../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';
import {formatPrice} from './offer.ts';

/** Shows that the subscription has started, what it costs, and what happens next. */
export function doneCard(t: PinEntryMessages, terms: SubscriptionTerms | undefined, locale: Locale): TemplateResult {
  const {renews} = pinSubscribeMessages[locale];
  return html`<div class="card done" part="status" role="status">
    <span class="sign" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="m6 12.5 4 4 8-9" /></svg></span>
    <h3 tabindex="-1" data-autofocus>${t.doneTitle}</h3>
    ${terms ? html`<p>${terms.title[locale]}: ${formatPrice(terms, locale)}</p>` : nothing}
    <p class="muted">${renews}</p>
    <p class="muted">${t.doneText}</p>
    <slot name="done"></slot>
  </div>`;
}

export const doneCardStyles = css`
  .done {
    display: grid;
    justify-items: center;
    gap: 0.5em;
    padding-block: 2em;
    text-align: center;
  }
  .sign {
    display: grid;
    place-items: center;
    inline-size: 3.5em;
    block-size: 3.5em;
    border-radius: 50%;
    background: var(--_good);
    color: var(--_paper);
  }
  .sign svg {
    inline-size: 2em;
    block-size: 2em;
  }
`;
