import {html, nothing, svg, type PropertyValues, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {lazyElements} from '../../core/define.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {expiredText, lostOutcomeOf, wayBack} from '../payment-code/payment-details.ts';
import {isFinal} from '../payment/payment-store.ts';
import {
  isKept,
  isLost,
  isReadOnly,
  isSent,
  isTooEarly,
  paymentStoreOf,
  knownReference,
} from '../payment/purchase-payment.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/order-client.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {ForgottenCode} from './forgotten-code.ts';
import {paymentOutcome, type Outcome, type WaitingFor} from './outcomes.ts';
import {SubmittedNotice} from './submitted-notice.ts';
import type {OutcomeOptions} from './vezne-payment-outcome.ts';
import {styles} from './vezne-payment-status.styles.ts';

/** An exclamation mark. */
const ATTENTION_ICON = html`<svg viewBox="0 0 24 24">${svg`<path d="M12 7v6m0 4v.01" />`}</svg>`;

const outcomeElements = lazyElements(() => import('../../bundles/outcome.ts'));

/**
 * Shows the state of a payment. The element keeps it up to date through a socket, or by polling if sockets are blocked,
 * and announces each change once to screen readers. While the shopper waits, it loads the card that ends the payment.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-payment-status
 * @event {PaymentEvent} vezne-payment - The state of the payment is known for the first time, or has changed.
 * @event {ProblemEvent} vezne-error - The payment could not be read.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot paid - Shown after the payment arrived, for example a link back to the order.
 * @csspart base - The card around everything.
 * @csspart status - The card with the state.
 * @csspart title - The heading of the card.
 * @csspart row - Each row of details of a settled payment.
 * @csspart transaction - Each transfer that arrived.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button.
 */
export class VeznePaymentStatus extends VezneElement<PaymentMessages> {
  static readonly tag = 'vezne-payment-status';
  static override properties = {
    via: {},
    quiet: {type: Boolean},
    isUnpaid: {attribute: false},
    isOffline: {attribute: false},
  };
  static override styles = [VezneElement.styles, styles];

  /** `payment-page` if the shopper pays on the payment page, so that the element must not mention transfers. */
  via = '';

  /** When the money arrives, the title of the tab does not change, and the phone does not vibrate. */
  quiet = false;

  /** Whether the shopper has returned from the page `via` without paying, as the return URL says. */
  isUnpaid = false;

  /** Whether the checkout around this element says that the device is offline. */
  isOffline = false;

  protected override readonly messages = paymentMessages;

  protected override readonly purchase = new PurchaseController(this);
  readonly #payment = new StoreController(this, () => paymentStoreOf(this.purchase.current));
  readonly #banks = new StoreController(this, () =>
    this.#isExpected && !this.#isOnPaymentPage ? bankDirectory(this.address) : undefined,
  );
  readonly #outcomeElements = new StoreController(this, () =>
    this.#payment.store?.value || isLost(this.purchase.current) ? outcomeElements : undefined,
  );
  readonly #submittedNotice = new SubmittedNotice(this, () => this.purchase.current);
  readonly #forgottenCode = new ForgottenCode(
    this,
    () => this.#mayNotify,
    () => this.#isNoticeUnsent,
    () => this.purchase.current,
  );
  #announcedPayment: Payment | undefined;
  #announcement = '';
  #wasLost = false;

  get #isOnPaymentPage(): boolean {
    return this.via === 'payment-page';
  }

  /** Whether money is still expected. */
  get #isExpected(): boolean {
    const payment = this.#payment.store?.value;
    return payment !== undefined && !isSettled(payment);
  }

  /** Whether the shopper may send a notice. A shopper who has submitted a notice on the platform's page may not. */
  get #mayNotify(): boolean {
    const payment = this.#payment.store?.value;
    return (
      (this.#isExpected || payment?.state === 'expired') &&
      !this.#isOnPaymentPage &&
      !isReadOnly(this.purchase.current) &&
      !this.#submittedNotice.isSubmitted &&
      !payment?.unclear &&
      !payment?.notice?.sent
    );
  }

  /** Whether a notice was started but not submitted. */
  get #isNoticeUnsent(): boolean {
    return this.#payment.store?.value?.notice?.sent === false && !this.#submittedNotice.isSubmitted;
  }

  /** Focuses the title. A status that a checkout has just added has no title before its first update. */
  override focus(options?: FocusOptions): void {
    if (!this.hasUpdated) void this.updateComplete.then(() => this.focus(options));
    this.renderRoot.querySelector<HTMLElement>('[data-autofocus]')?.focus(options);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const payment = this.#payment.store?.value;
    const {current} = this.purchase;
    if (isLost(current) !== this.#wasLost) {
      this.#wasLost = !this.#wasLost;
      this.#announcement = this.#wasLost ? this.t.lostTitle : '';
    }
    if (!payment || !this.#announcedPayment || payment === this.#announcedPayment) return;
    const {title} = this.#outcome(payment);
    if (title !== this.#outcome(this.#announcedPayment).title) this.#announcement = title;
  }

  protected override updated(): void {
    const {store} = this.#payment;
    this.reportProblem(store?.connectionProblem);
    super.updated();
    const payment = store?.value;
    if (payment === this.#announcedPayment) return;
    // The money arrived while the checkout showed the banks and no status.
    if (payment && !this.#announcedPayment && store?.hasWaited && isFinal(payment)) {
      this.#announcement = this.#outcome(payment).title;
      this.requestUpdate();
    }
    this.#announcedPayment = payment;
    if (payment) this.dispatchEvent(new PaymentEvent(payment));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    return html`<span class="visually-hidden" role="status">${this.#announcement}</span> 
      ${
        isLost(this.purchase.current)
          ? this.#renderLost(t)
          : this.renderQuery(this.#payment.store, (payment) => this.#renderPayment(payment, t))
      }`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  #renderPayment(payment: Payment, t: PaymentMessages): TemplateResult {
    if (!this.via && isTooEarly(payment, this.purchase.current, this.#banks.store?.value?.banks)) return html``;
    const outcome = this.#outcome(payment);
    const isEnd = payment.unclear || isSettled(payment);
    const {locale: lang, offer, session, address: api} = this;
    return html`${
      isEnd && this.#outcomeElements.store?.value
        ? this.#renderEnd(outcome, t, payment)
        : this.#renderWait(payment, outcome, t)
    }
    ${this.#forgottenCode.renderForm({lang, offer, session, api}, t)}`;
  }

  #renderWait(payment: Payment, {mood, title, text}: Outcome, t: PaymentMessages): TemplateResult {
    return html`<div class="card ${mood}" part="status">
      <span class="sign" aria-hidden="true">${mood === 'waiting' ? html`<i class=${this.isOffline ? 'pulse off' : 'pulse'}></i>` : ATTENTION_ICON}</span>
      <div class="words">
        <h3 part="title" tabindex="-1" data-autofocus>${title}</h3>
        ${text ? html`<p class="muted">${text}</p>` : nothing}
        ${payment.unclear || payment.notice ? nothing : this.#renderArrival()}
        ${this.#payment.store?.connectionProblem ? this.#renderConnectionProblem(t) : nothing}
        ${this.#forgottenCode.renderQuestion(t)}
      </div>
      ${payment.transactions.length > 0 ? this.#renderReceipt(payment.transactions, t) : nothing}
    </div>`;
  }

  #renderLost(t: PaymentMessages): TemplateResult {
    const outcome = lostOutcomeOf(this.purchase.current, t, this.locale);
    return this.renderQuery(this.#outcomeElements.store, () => this.#renderEnd(outcome, t));
  }

  #renderEnd(outcome: Outcome, t: PaymentMessages, payment?: Payment): TemplateResult {
    const startOver = wayBack(this.purchase, t);
    const options: OutcomeOptions = {
      payment,
      outcome: outcome.mood === 'expired' ? {...outcome, text: expiredText(outcome.text, startOver, t)} : outcome,
      reference: knownReference(this.purchase.current, payment),
      hasArrived: !!this.#payment.store?.hasWaited,
      startOver,
    };
    return html`<vezne-payment-outcome
      lang=${this.locale}
      exportparts="status,title,row,transaction,button"
      data-autofocus
      .options=${options}
      ?quiet=${this.#isQuiet}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-outcome>
    <div class="after">${this.#forgottenCode.renderQuestion(t)}</div>`;
  }

  /** Whether this element, or the checkout or button around it, has the attribute `quiet`. */
  get #isQuiet(): boolean {
    return this.quiet || !!this.#outer?.hasAttribute('quiet');
  }

  /** The element that contains this element in its shadow root. */
  get #outer(): Element | undefined {
    const root = this.getRootNode();
    return root instanceof ShadowRoot ? root.host : undefined;
  }

  #outcome(payment: Payment): Outcome {
    return paymentOutcome(payment, this.t, this.locale, this.#waitingFor);
  }

  get #waitingFor(): WaitingFor | undefined {
    const {current} = this.purchase;
    const {state, notice} = this.#payment.store?.value ?? {};
    if (state === 'waiting' && this.#isNoticeUnsent && this.#mayNotify) return 'noticeUnsent';
    if (this.via) return this.isUnpaid ? 'unpaid' : 'onPage';
    if (!isSent(current)) return this.isOffline ? 'offline' : isKept(current) ? undefined : 'unsaved';
    const {isBeingChecked, isSubmitted} = this.#submittedNotice;
    if (isBeingChecked) return 'noticeCheck';
    // If `sent` is false, the platform does not have the report yet.
    return isSubmitted && notice?.sent !== false ? 'reported' : 'sent';
  }

  /** Renders when money that is sent now will arrive. The texts are the merchant's. */
  #renderArrival(): TemplateResult | typeof nothing {
    const {same_bank: same, other_bank: other} = this.#banks.store?.value?.arrival ?? {};
    const texts = [same, other].flatMap((each) => each?.[this.locale] ?? []).join(' ');
    return texts ? html`<p class="muted">${texts}</p>` : nothing;
  }

  #renderConnectionProblem(t: PaymentMessages): TemplateResult | typeof nothing {
    if (this.isOffline) return nothing;
    return html`<p class="trouble" role="status">${t.connectionLost}</p>
      ${button(t.checkNow, () => this.#payment.store?.reload(), 'link')}`;
  }

  #renderReceipt(transactions: readonly Transaction[], t: PaymentMessages): TemplateResult {
    return html`<ul class="receipt" aria-label=${t.received}>
      ${transactions.map(
        ({amount, currency, bank, at}) => html`<li part="transaction">
          <span>${bank ? t.receivedAt(bank) : t.phoneBill}<small>${formatTime(at, this.locale)}</small></span>
          <b>${formatAmount(amount, this.locale, currency)}</b>
        </li>`,
      )}
    </ul>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-status': VeznePaymentStatus;
  }
}

/** The state of the payment is known for the first time, or has changed. */
export class PaymentEvent extends VezneEvent {
  constructor(readonly payment: Payment) {
    super('vezne-payment');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-payment': PaymentEvent;
  }
}
