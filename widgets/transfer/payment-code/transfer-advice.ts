/** What the shopper must know before sending the money. */

import {html, nothing, type TemplateResult} from 'lit';
import type {PaymentMessages} from '../../locales/payment.ts';

/** Renders what the shopper must observe when sending the money. @param isRest whether a part has already arrived. */
export function transferAdvice(isRest: boolean, t: PaymentMessages): TemplateResult {
  return html`<ul class="advice muted" part="advice">
    ${isRest ? nothing : html`<li>${t.payOnce}</li>`}
    <li>${t.codeOnly}</li>
  </ul>`;
}

/** Warns that the code is lost when the page is closed. @param copyAll the button that copies the details. */
export function unsavedNote(copyAll: TemplateResult, t: PaymentMessages): TemplateResult {
  return html`<div class="problem warn" part="problem"><p>${t.unsavedCode}</p>${copyAll}</div>`;
}

/**
 * Says why there is no account. In a checkout, it is above a button; otherwise above the list's own question.
 * @param isGone whether the shopper chose a bank that is no longer listed.
 */
export function accountAdvice(isGone: boolean, isInner: boolean, t: PaymentMessages): TemplateResult {
  return html`<span class="name unchosen">
    ${isGone && isInner ? t.bankOther : nothing}<small>${isGone ? t.bankGone : t.bankUnchosen}</small>
  </span>`;
}
