/** What the shopper must know before sending the money: the amount, the advice and the warnings. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import type {Line, PaymentMessages} from '../../locales/payment.ts';
import {fillIn} from '../payment/payment-words.ts';

/** Renders the amount that is to pay now. @param partial - The amounts of an order of which a part has arrived. */
export function amountText(
  amount: string,
  partial: Pick<Payment, 'paid' | 'remaining'> | undefined,
  t: PaymentMessages,
  locale: Locale,
): TemplateResult {
  const sum = formatAmount(amount, locale);
  return html`<b translate="no" class=${sum.length > 9 ? 'long' : ''}>${sum}</b>${partial ? html`<small>${fillIn(t.views.partial[0], [partial.paid, partial.remaining], locale)}</small>` : nothing}`;
}

/** Renders what the shopper must observe when sending the money. @param sum what to send; false if it is said above. */
export function transferAdvice(sum: Line | false, t: PaymentMessages): TemplateResult {
  return html`<ul class="advice muted" part="advice">
    <li ?hidden=${!sum}>${sum || ''}</li>
    <li>${t.codeOnly}</li>
  </ul>`;
}

/** Warns that the code is lost when the page is closed. @param copyAll the button that copies the details. */
export function unsavedNote(copyAll: TemplateResult, t: PaymentMessages): TemplateResult {
  return html`<div class="problem warn" part="problem"><p>${t.unsavedCode}</p>${copyAll}</div>`;
}

/** Says why there is no account. @param isGone whether the shopper chose a bank that is no longer listed. */
export function accountAdvice(isGone: boolean, t: PaymentMessages): TemplateResult {
  return html`<span class="name unchosen"><small>${isGone ? t.bankGone : t.bankUnchosen}</small></span>`;
}
