/** The text that a shopper shares with another person who pays, and the texts about the order and the recipient. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import {button, type NextSteps} from '../../core/templates.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {lostOutcome, paymentOutcome, type Outcome} from '../payment-status/outcomes.ts';
import {isLost, isSent, orderCodeOf, partialAmounts} from '../payment/purchase-payment.ts';
import type {PurchaseController} from '../purchase/purchase-controller.ts';
import type {Purchase} from '../purchase/purchase.ts';

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
    `${t.ibanLabel}: ${iban} (${name})`,
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
  const reason = seller ? t.holderOf(seller.name) : t.holderOfSeller;
  return html`${holder}${holder === seller?.name ? nothing : html`<small>${reason}</small>`}`;
}

/** The moods of outcomes after which the shopper may need the seller. */
const FOR_SELLER: ReadonlySet<Outcome['mood']> = new Set(['attention', 'late', 'overpaid', 'expired', 'expiredSent']);

/**
 * Renders the state of a payment that is settled, or for which the shopper need not send money now. It is for a page
 * without `vezne-payment-status`.
 */
export function stateCard(controller: PurchaseController, t: PaymentMessages, locale: Locale): TemplateResult {
  const {current} = controller;
  const {mood, title, text} = shownOutcome(current, t, locale);
  const again = mood === 'expired' ? wayBack(controller, t) : undefined;
  return html`<div class="card ${mood}" part="status">
    <h3 tabindex="-1" data-autofocus>${title}</h3>
    <p class="muted">${mood === 'expired' ? expiredText(text, again, t) : text}</p>
    ${again ? button(again.label, again.press, 'button') : nothing}
    ${FOR_SELLER.has(mood) ? contacts(current, t) : nothing}
  </div>`;
}

/** The text about an order that is over. It names the step that the page offers. */
export function expiredText(text: string, again: NextSteps['startOver'], t: PaymentMessages): string {
  if (!again) return t.reopenText;
  return again.label === t.backToOwn ? t.elsewhereText : text;
}

/** The texts about the purchase's order, which the page can no longer read. */
export function lostOutcomeOf(purchase: Purchase, t: PaymentMessages, locale: Locale): Outcome {
  const {isFromHandoff} = purchase;
  return lostOutcome({isSent: isSent(purchase), isFromHandoff, paid: partialAmounts(purchase)?.paid}, t, locale);
}

/** The title of a payment's state, for an element without the payment's texts. */
export function paymentTitle(payment: Payment, locale: Locale): string {
  return paymentOutcome(payment, paymentMessages[locale], locale).title;
}

function shownOutcome(purchase: Purchase, t: PaymentMessages, locale: Locale): Outcome {
  const payment = purchase.payment?.value;
  if (isLost(purchase)) return lostOutcomeOf(purchase, t, locale);
  if (payment) return paymentOutcome(payment, t, locale, isSent(purchase) ? 'sent' : undefined);
  // While the payment is not loaded, the page knows only that the shopper has sent the money.
  return {mood: 'waiting', title: t.waitingTitle, text: t.sentText};
}

/**
 * Renders how to reach the seller, if the page knows the seller. The text of a link is the URL's host, the e-mail
 * address or the number.
 */
export function contacts(purchase: Purchase, t: PaymentMessages): TemplateResult | typeof nothing {
  const seller = purchase.payment?.value?.seller ?? orderCodeOf(purchase)?.seller;
  if (!seller) return nothing;
  const {name, support_url: url, support_email: email, support_phone: phone} = seller;
  const links = [
    url && [new URL(url).host, url],
    email && [email, `mailto:${email}`],
    phone && [phone, `tel:${phone.replace(/[^+\d]/g, '')}`],
  ].filter((contact) => !!contact);
  return html`<p>${t.contact} ${name}</p>
    <ul class="contacts">
      ${links.map(([label, address]) => html`<li><a class="link" part="button" href=${address} target="_blank" rel="noopener">${label}</a></li>`)}
    </ul>`;
}

/** Renders the link that opens the bank's app on a phone. On a phone without the app, this page stays open. */
export function appLink(address: string, bank: string, t: PaymentMessages): TemplateResult {
  return html`<a class="button soft app" part="button" href=${address} target="_blank" rel="noopener">${t.openApp(bank)}</a>`;
}

/**
 * Renders a sentence that warns the shopper before paying an order that was started on another device. The question
 * whether to open the order says the same, so the sentence is for later visits.
 */
export function originNote(
  {acceptedToken, isFromHandoff, session}: Purchase,
  t: PaymentMessages,
): TemplateResult | typeof nothing {
  return isFromHandoff && session.value?.token !== acceptedToken
    ? html`<p class="origin muted" part="advice">${t.begunElsewhere}</p>`
    : nothing;
}

/**
 * The button that starts another payment, or that returns from a hand-off link's order to the shopper's own order. If
 * a part of the money of a lost order has arrived, no button starts another payment.
 */
export function wayBack({startOver, current}: PurchaseController, t: PaymentMessages): NextSteps['startOver'] {
  const {isFromHandoff, key, ownStorage} = current;
  const hasOwn = isFromHandoff && (key.session !== '' || ownStorage.read().stage === 'pay');
  if (startOver && hasOwn) return {...startOver, label: t.backToOwn};
  return isLost(current) && partialAmounts(current) ? undefined : startOver;
}
