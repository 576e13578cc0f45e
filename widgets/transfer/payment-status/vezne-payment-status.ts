import {html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {takeReturnOutcome} from '../../core/return-url.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {isReadOnly, paymentStoreOf} from '../payment/purchase-payment.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/order-client.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {ForgottenCode} from './forgotten-code.ts';
import {paymentOutcome, type Mood, type Outcome} from './outcomes.ts';
import {styles} from './vezne-payment-status.styles.ts';

const CLOCK_ICON = svg`<path d="M12 7v5.5l3.5 2" /><circle cx="12" cy="12" r="9" />`;

const ICONS: Record<Mood, SVGTemplateResult | undefined> = {
  waiting: undefined,
  attention: svg`<path d="M12 7v6m0 4v.01" />`,
  good: svg`<path d="m6 12.5 4 4 8-9" />`,
  late: CLOCK_ICON,
  // Two coins, one behind the other.
  overpaid: svg`<circle cx="9" cy="12" r="6.5" /><path d="M14.5 5.7a6.5 6.5 0 0 1 0 12.6" />`,
  refunded: svg`<path d="M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3" />`,
  expired: CLOCK_ICON,
};

/**
 * Shows the state of a payment. The element keeps it up to date through a socket, or by polling if sockets are blocked,
 * and announces each change once to screen readers.
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
 * @csspart transaction - Each transfer that arrived.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button.
 */
export class VeznePaymentStatus extends VezneElement<PaymentMessages> {
  static readonly tag = 'vezne-payment-status';
  static override properties = {via: {}};
  static override styles = [VezneElement.styles, styles];

  /** `payment-page` if the shopper pays on the common payment page, so that the element must not mention transfers. */
  via = '';

  protected override readonly messages = paymentMessages;

  protected override readonly purchase = new PurchaseController(this);
  readonly #payment = new StoreController(this, () => paymentStoreOf(this.purchase.current));
  readonly #banks = new StoreController(this, () =>
    this.#isExpected && !this.#isOnPaymentPage ? bankDirectory(this.address) : undefined,
  );
  readonly #forgottenCode = new ForgottenCode(
    this,
    () => this.#mayNotify,
    () => this.#isNoticeUnsent,
  );
  #returnOutcome: string | null = null;
  #announcedPayment: Payment | undefined;
  #announcement = '';

  get #isOnPaymentPage(): boolean {
    return this.via === 'payment-page';
  }

  /** Whether money is still expected. */
  get #isExpected(): boolean {
    const payment = this.#payment.store?.value;
    return payment !== undefined && !isSettled(payment);
  }

  /** Whether the shopper may send a notice. A shopper who has submitted one on the platform's page may not. */
  get #mayNotify(): boolean {
    return (
      this.#isExpected &&
      !this.#isOnPaymentPage &&
      !isReadOnly(this.purchase.current) &&
      !this.#payment.store?.value?.notice?.sent
    );
  }

  /**
   * Whether a notice was started but not submitted. It counts as submitted if the shopper returned with `done`, because
   * the platform may confirm it later.
   */
  get #isNoticeUnsent(): boolean {
    return this.#payment.store?.value?.notice?.sent === false && this.#returnOutcome !== 'done';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#returnOutcome ??= takeReturnOutcome('notice');
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('h3')?.focus(options);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const payment = this.#payment.store?.value;
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
    this.#announcedPayment = payment;
    if (payment) this.dispatchEvent(new PaymentEvent(payment));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    return html`<span class="visually-hidden" role="status">${this.#announcement}</span> 
      ${this.renderQuery(this.#payment.store, (payment) => this.#renderPayment(payment, t))}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  #renderPayment(payment: Payment, t: PaymentMessages): TemplateResult {
    const settled = isSettled(payment);
    const {mood, title, text} = this.#outcome(payment);
    return html`<div class="card ${mood} ${settled ? 'final' : ''}" part="status">
      <span class="sign" aria-hidden="true">${this.#renderIcon(mood)}</span>
      <div class="words">
        <h3 part="title" tabindex="-1" data-autofocus>${title}</h3>
        <p class="muted">${text}</p>
        ${payment.unclear ? nothing : this.#renderArrival()}
        ${this.#payment.store?.connectionProblem ? this.#renderConnectionProblem(t) : nothing}
        ${this.#forgottenCode.renderQuestion(t)}
      </div>
      ${this.#forgottenCode.renderForm({lang: this.locale, offer: this.offer, session: this.session, api: this.address})}
      ${payment.transactions.length > 0 ? this.#renderReceipt(payment.transactions, t) : nothing}
      ${settled && mood !== 'expired' && mood !== 'refunded' ? html`<slot name="paid"></slot>` : nothing}
      ${settled ? this.#renderStartOver(payment) : nothing}
    </div>`;
  }

  #outcome(payment: Payment): Outcome {
    return paymentOutcome(payment, this.t, this.locale, this.#isOnPaymentPage);
  }

  #renderIcon(mood: Mood): TemplateResult {
    const icon = ICONS[mood];
    return icon ? html`<svg viewBox="0 0 24 24">${icon}</svg>` : html`<i class="pulse"></i>`;
  }

  /** Renders when money that is sent now will arrive. The texts are the merchant's. */
  #renderArrival(): TemplateResult | typeof nothing {
    const {same_bank: same, other_bank: other} = this.#banks.store?.value?.arrival ?? {};
    const texts = [same, other].flatMap((each) => each?.[this.locale] ?? []).join(' ');
    return texts ? html`<p class="muted">${texts}</p>` : nothing;
  }

  #renderConnectionProblem(t: PaymentMessages): TemplateResult {
    return html`<p class="trouble" role="status">${t.connectionLost}</p>
      ${button(t.checkNow, () => this.#payment.store?.reload(), 'link')}`;
  }

  #renderReceipt(transactions: readonly Transaction[], t: PaymentMessages): TemplateResult {
    return html`<ul class="receipt" aria-label=${t.received}>
      ${transactions.map(
        ({amount, currency, bank, at}) => html`<li part="transaction">
          <span>${bank ?? t.phoneBill}<small>${formatTime(at, this.locale)}</small></span>
          <b>${formatAmount(amount, this.locale, currency)}</b>
        </li>`,
      )}
    </ul>`;
  }

  #renderStartOver({state}: Payment): TemplateResult | typeof nothing {
    const {startOver} = this.purchase;
    return startOver ? button(startOver.label, startOver.press, state === 'expired' ? 'button' : 'link') : nothing;
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
