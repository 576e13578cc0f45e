/** The text that a shopper passes on to another person, and the texts about the order and the recipient. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import {button} from '../../core/templates.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {paymentOutcome} from '../payment-status/outcomes.ts';
import {isReadOnly} from '../payment/purchase-payment.ts';
import type {PurchaseController} from '../purchase/purchase-controller.ts';
import {ibanGroups} from './code-groups.ts';

interface Details {
  readonly orderCode: OrderCode;
  readonly account: Bank;
  /** The amount that is still to pay. */
  readonly amount: string;
}

/** Everything that another person needs to send the money, as one text. */
export function paymentDetails(
  {orderCode, account: {name, iban, account_holder: holder}, amount}: Details,
  t: PaymentMessages,
  locale: Locale,
): string {
  const {order_code: code, pay_until: until} = orderCode;
  return [
    `${t.holderLabel}: ${holder}`,
    `${t.ibanLabel}: ${ibanGroups(iban).join(' ')} (${name})`,
    `${t.amountLabel}: ${formatAmount(amount, locale)}`,
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
  const reason = seller ? t.holderOf(seller.name) : t.holderOfSeller;
  return html`${holder}${holder === seller?.name ? nothing : html`<small>${reason}</small>`}`;
}

/** Renders the outcome, which replaces the instructions after the payment is settled. */
export function settledCard(payment: Payment, t: PaymentMessages, locale: Locale): TemplateResult {
  const {title, text} = paymentOutcome(payment, t, locale);
  return html`<div class="card"><h3 tabindex="-1" data-autofocus>${title}</h3><p class="muted">${text}</p></div>`;
}

/** Renders the link that opens the bank's app on a phone. */
export function appLink(address: string, bank: string, t: PaymentMessages): TemplateResult {
  return html`<a class="button soft app" part="button" href=${address}>${t.openApp(bank)}</a>`;
}

/**
 * Renders a warning before the shopper pays: the order was started on another device, or this page can no longer show
 * whether the order is paid.
 */
export function readOnlyNote(
  {startOver, current}: PurchaseController,
  t: PaymentMessages,
): TemplateResult | typeof nothing {
  const {isSessionEnded, isFromHandoff, ownStorage, key} = current;
  if (!isReadOnly(current)) return nothing;
  const isOwnWaiting = isFromHandoff && (key.session !== '' || ownStorage.read().stage === 'pay');
  return html`<div class="origin" part="advice">
    <p>${isSessionEnded ? t.lost : t.begunElsewhere}</p>
    ${startOver ? button(isOwnWaiting ? t.backToOwn : startOver.label, startOver.press, 'link') : nothing}
  </div>`;
}
