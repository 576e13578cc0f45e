import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {Store} from '../../core/store.ts';
import {paymentMessages} from '../../locales/payment.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {paymentOutcome} from '../payment-status/outcomes.ts';
import {isFinal} from '../payment/payment-store.ts';
import {areInstructionsClosed, isLost, isSent, orderCodeOf, paymentStoreOf} from '../payment/purchase-payment.ts';
import {isSettled} from '../purchase/order-client.ts';
import type {Purchase} from '../purchase/purchase.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';

const CONNECTION_EVENTS = ['online', 'offline'] as const;

/** Notifies when the device goes offline or online. */
class Connection extends Store {
  readonly #onChange = () => this.notify();

  get isOnline(): boolean {
    return navigator.onLine;
  }

  protected override start(): void {
    for (const type of CONNECTION_EVENTS) addEventListener(type, this.#onChange);
  }

  protected override stop(): void {
    for (const type of CONNECTION_EVENTS) removeEventListener(type, this.#onChange);
  }
}

export const connection = new Connection();

/**
 * The step that the checkout shows. Without a choice of the shopper, the checkout does not ask for a bank if money has
 * arrived that could not be matched, or if the shopper says that the money is sent.
 * @param chosen - The step that the shopper has reached.
 */
export function stepOf(purchase: Purchase, chosen: CheckoutStep): CheckoutStep | 'done' {
  const store = paymentStoreOf(purchase);
  if (isFinal(store.value)) return 'done';
  const isOnItsWay = !store.isChangingBank && store.value && isSent(purchase);
  return store.value?.unclear || isOnItsWay ? 'pay' : chosen;
}

interface PayStepOptions {
  readonly purchase: Purchase;
  readonly connection: Connection | undefined;
  readonly locale: Locale;
  /** The CSS parts that a page can style through the checkout. */
  readonly parts: string;
  readonly offer: string;
  readonly session: string;
  readonly api: string;
}

/**
 * Renders the checkout's payment step: the order code until the payment is settled, and the status of the payment. If
 * the shopper need not send money now, the status is first, and the code is below it in closed details. If money has
 * arrived that could not be matched, the code is not shown. The payment bundle contains this function.
 */
export function payStep(step: PayStepOptions): TemplateResult {
  const {purchase, connection: device, locale, parts, offer, session, api} = step;
  const payment = purchase.payment?.value;
  const isPaying = !isSettled(payment);
  const isClosed = areInstructionsClosed(purchase);
  const isOffline = isPaying && device?.isOnline === false;
  return html`<div class="offline" role="status">${isOffline ? offlineNote(purchase, locale) : nothing}</div>
    ${!isPaying || isClosed ? nothing : html`${mayPay(purchase) ? stepTitle(step) : nothing}${codeStep(step)}`}
    <vezne-payment-status
      ?data-autofocus=${!isStatusHidden(purchase)}
      ?hidden=${isStatusHidden(purchase)}
      lang=${locale}
      exportparts=${parts}
      .isOffline=${isOffline}
      .offer=${offer}
      .session=${session}
      .api=${api}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-status>
    ${isClosed && !payment?.unclear ? codeStep(step) : nothing}`;
}

/** Says that the device is offline, and that the shopper can still pay if an account is shown. */
function offlineNote(purchase: Purchase, locale: Locale): TemplateResult {
  const {offlineTitle, offlineText} = troubleMessages[locale];
  const canPay = orderCodeOf(purchase)?.account && !areInstructionsClosed(purchase);
  return html`<div class="problem warn">
    <h3>${offlineTitle}</h3>
    <p class="muted">${canPay ? paymentMessages[locale].offlinePay : offlineText}</p>
  </div>`;
}

/** After a part of the money has arrived, the title says so and asks for the rest: the status is below the code. */
function stepTitle({purchase, locale}: PayStepOptions): TemplateResult {
  const t = paymentMessages[locale];
  const payment = purchase.payment?.value;
  const {title, text} = payment?.state === 'partial' ? paymentOutcome(payment, t, locale) : {title: t.payTitle};
  return html`<h3 class="step-title" tabindex="-1" data-autofocus>${title}</h3>
    ${text ? html`<p class="muted">${text}</p>` : nothing}`;
}

function codeStep({purchase, locale, parts, offer, session, api}: PayStepOptions): TemplateResult {
  const t = paymentMessages[locale];
  const account = orderCodeOf(purchase)?.account;
  const changeBank = () => {
    paymentStoreOf(purchase).isChangingBank = isSent(purchase);
    purchase.checkout.goTo('bank');
  };
  // The account is null if the bank is no longer listed. An older Worker leaves the account out.
  const isChosen = account || (account === undefined && purchase.checkout.bank);
  return html`<vezne-payment-code
    lang=${locale}
    exportparts=${parts}
    .isInner=${true}
    .offer=${offer}
    .session=${session}
    .api=${api}
  >
    <button slot="account" type="button" class=${isChosen ? 'link' : 'button'} part="button" aria-label=${isChosen ? t.bankChange : nothing} @click=${changeBank}>
      ${isChosen ? t.change : t.bankChoose}
    </button>
    <slot name="human-check" slot="human-check"></slot>
  </vezne-payment-code>`;
}

/** Whether the shopper sees an order code with an account, or will see them. Otherwise no money can be sent yet. */
function mayPay(purchase: Purchase): boolean {
  const orderCode = orderCodeOf(purchase);
  return orderCode ? orderCode.account !== null : purchase.orderCode.result.status !== 'failed';
}

/** Whether the status is hidden: without an order code, `vezne-payment-code` already tells the shopper the reason. */
function isStatusHidden(purchase: Purchase): boolean {
  const payment = purchase.payment?.value;
  if (payment?.unclear) return false;
  if (purchase.isSessionEnded) return !isLost(purchase) && !isSettled(payment);
  return !orderCodeOf(purchase) && (payment?.state ?? 'waiting') === 'waiting' && !isSent(purchase);
}
