import {html, nothing, type TemplateResult} from 'lit';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import {adopt} from '../../core/styles/adopt.ts';
import {css} from '../../core/styles/css.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages} from '../../locales/payment.ts';
import {priceChangedMessages} from '../../locales/payment/price-changed.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {next} from '../payment/payment-events.ts';
import {paymentView, type PaymentView} from '../payment/payment-view.ts';
import {fillIn} from '../payment/payment-words.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import type {PurchaseFacts} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {hasMouse, renderWhenResized} from '../resize.ts';

/** What the shopper sees of the payment in a checkout. */
export function checkoutView({api, facts}: Purchase): PaymentView {
  return paymentView(facts, Date.now(), {in: 'checkout', banks: bankDirectory(api).value?.banks});
}

/** Says that the offer costs another amount than the page's script says. The payment bundle contains the sentence. */
export function priceNote({outdatedAmount, session}: PurchaseFacts, locale: Locale): TemplateResult | typeof nothing {
  if (!outdatedAmount || !session?.amount) return nothing;
  const [before, now] = [formatAmount(outdatedAmount, locale), formatAmount(session.amount, locale)];
  return html`<p class="problem warn" role="alert">${priceChangedMessages[locale](before, now)}</p>`;
}

/** The label of the amount, if only a part of it has arrived. */
export function restLabel({amount}: PaymentView, locale: Locale): string {
  return amount?.is === 'remaining' ? paymentMessages[locale].amountRemainingLabel : '';
}

type Host = VezneElement<unknown>;

/** How wide a checkout is if two columns have room: 44em. */
const WIDE_PX = 704;

/** With a mouse and room, the payment step is wide, and what follows stays as wide, so that nothing moves. */
const payStyles = css`
  .step-title {
    margin-block-end: -0.375em;
    font-size: 1.25em;
  }
  /* A screen reader reads a text only if its live region was rendered before. */
  .offline:empty {
    position: absolute;
  }
  @media print {
    .steps,
    .step-title,
    .due vezne-payment-status {
      display: none;
    }
  }
  .end + .closed {
    margin-block-start: calc(-1em * var(--_density));
  }
  /* Closed instructions would move when the status above them is loaded. */
  vezne-payment-status:not([complete]) + .closed {
    visibility: hidden;
  }
  @media (hover: hover) and (pointer: fine) {
    .base:has(.wide) {
      max-inline-size: 50em;
    }
    .closed {
      inline-size: 100%;
      max-inline-size: 30em;
      margin-inline: auto;
    }
  }
`;

const isWide = (host: Host): boolean => hasMouse() && host.clientWidth >= WIDE_PX;

/** Adds to the checkout what only the payment step needs: styles, and a new rendering when it becomes wide or narrow. */
function prepare(host: Host): void {
  if (adopt(host, payStyles)) renderWhenResized(host, () => isWide(host) !== !!host.find('.wide'));
}

/**
 * Renders the checkout's payment step: the instructions while the shopper has to pay, and the status of the payment.
 * Closed instructions are below the status. The payment bundle contains this function.
 * @param parts - The CSS parts that a page can style through the checkout.
 */
export function payStep(host: Host, purchase: Purchase, parts: string): TemplateResult {
  const {locale, offer, session, address: api} = host;
  const view = checkoutView(purchase);
  const {instructions} = view;
  prepare(host);
  // Without an account, no money can be sent yet.
  const hasAccount = view.code ? view.code.account : purchase.facts.orderCode.status !== 'failed';
  const code = () => codeStep(host, purchase, view, parts);
  return html`<div class="offline" role="status">${view.isOffline ? offlineNote(view, locale) : nothing}</div>
    ${instructions === 'open' ? html`${hasAccount ? stepTitle(view, locale) : nothing}${code()}` : nothing}
    <vezne-payment-status
      class="${instructions} ${view.isEnded ? 'end' : ''} ${isWide(host) ? 'wide' : ''}"
      ?data-autofocus=${!view.isSilent}
      ?hidden=${view.isSilent}
      lang=${locale}
      exportparts=${parts}
      .isInner=${true}
      .offer=${offer}
      .session=${session}
      .api=${api}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-status>
    ${instructions === 'closed' ? code() : nothing}`;
}

/** Says that the device is offline, and that the shopper can still pay if an account is shown. */
function offlineNote({code, instructions}: PaymentView, locale: Locale): TemplateResult {
  const {offlineTitle, offlineText} = troubleMessages[locale];
  const canPay = code?.account && instructions === 'open';
  return html`<div class="problem warn">
    <h3>${offlineTitle}</h3>
    <p class="muted">${canPay ? paymentMessages[locale].offlinePay : offlineText}</p>
  </div>`;
}

/** The title of the step. If a part has arrived, it says so and asks for the rest, because the status is below the code. */
function stepTitle({part}: PaymentView, locale: Locale): TemplateResult {
  const t = paymentMessages[locale];
  const [title, text] = t.views.partial;
  const said = part ? fillIn(title, [part.paid, part.remaining], locale) : t.payTitle;
  const heading = html`<h3 class="step-title" tabindex="-1" data-autofocus>${said}</h3>`;
  return part ? html`<div class="problem warn">${heading}<p>${text}</p></div>` : heading;
}

function codeStep(
  {locale, offer, session, address: api}: Host,
  purchase: Purchase,
  {code, instructions}: PaymentView,
  parts: string,
): TemplateResult {
  const t = paymentMessages[locale];
  // The account is null if the bank is no longer listed, or if no bank was chosen.
  const isChosen = code ? code.account : purchase.facts.bank;
  return html`<vezne-payment-code
    class=${instructions}
    lang=${locale}
    exportparts=${parts}
    .isInner=${true}
    .offer=${offer}
    .session=${session}
    .api=${api}
  >
    <button slot="account" type="button" class=${isChosen ? 'link' : 'button'} part="button" aria-label=${isChosen ? t.bankChange : nothing} @click=${() => purchase.send({is: 'bank-change-asked', isClosed: instructions === 'closed'}, next)}>
      ${isChosen ? t.change : t.bankChoose}
    </button>
    <slot name="human-check" slot="human-check"></slot>
  </vezne-payment-code>`;
}
