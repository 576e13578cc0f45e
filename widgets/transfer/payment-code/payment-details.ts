/** The text that a shopper shares with another person who pays, and the texts about the order and the recipient. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode} from '../../../worker/contract/browser/answers.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import {button, type NextSteps} from '../../core/templates.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {isBrought, type PurchaseFacts} from '../purchase/facts.ts';

interface Details {
  readonly orderCode: OrderCode;
  readonly account: Bank;
  /** The amount that is still to pay. */
  readonly amount: string;
}

/**
 * Everything that another person needs to send the money, as one text. Parts of it are pasted into a bank's app, so the
 * IBAN has no spaces, and the amount is written as Turkish banks read it.
 */
export function paymentDetails(
  {orderCode, account: {name, iban, account_holder: holder}, amount}: Details,
  t: PaymentMessages,
  locale: Locale,
): string {
  const {order_code: code, pay_until: until} = orderCode;
  return [
    `${t.holderLabel}: ${holder}`,
    `${t.ibanLabel}: ${iban}`,
    `${t.account}: ${name}`,
    `${t.amountLabel}: ${formatAmount(amount, 'tr')}`,
    `${t.codeLabel}: ${code}`,
    ...(until ? [`${t.payUntil} ${formatTime(until, locale, 'full')}`] : []),
  ].join('\n');
}

/** Renders the recipient, and says why the recipient is not the seller. Otherwise a shopper may fear a fraud. */
export function recipient(
  {account_holder: holder}: Bank,
  seller: Seller | undefined,
  t: PaymentMessages,
): TemplateResult {
  return html`<bdi translate="no">${holder}</bdi>${holder === seller?.name ? nothing : html`<small>${t.holderOf(seller?.name)}</small>`}`;
}

/** Renders the link that leaves this order for a new one, or for the own order, if the page may do so. */
export function leaveButton(
  {leavesTo}: PaymentView,
  startOver: NextSteps['startOver'],
  t: PaymentMessages,
): TemplateResult | typeof nothing {
  if (!startOver || leavesTo === 'nothing') return nothing;
  return button(leavesTo === 'own-order' ? t.backToOwn : startOver.label, startOver.press, 'link');
}

/** Renders the link that opens the bank's app on a phone. On a phone without the app, this page stays open. */
export function appLink(address: string, bank: string, t: PaymentMessages): TemplateResult {
  return html`<a class="button soft app" part="button" href=${address} target="_blank" rel="noopener">${t.openApp(bank)}</a>`;
}

/**
 * Renders a sentence that warns the shopper before paying an order that was started on another device. The question
 * whether to open the order says the same, so the sentence is for later visits.
 */
export function originNote(facts: PurchaseFacts, t: PaymentMessages): TemplateResult | typeof nothing {
  return isBrought(facts) && facts.session?.token !== facts.acceptedToken
    ? html`<p class="origin muted" part="advice">${t.begunElsewhere}</p>`
    : nothing;
}
