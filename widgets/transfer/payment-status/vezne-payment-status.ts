import {html, nothing, svg, type PropertyValues, type TemplateResult} from 'lit';
import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {ignoreErrors} from '../../core/ignore-errors.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {flag, VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {isSettled} from '../payment/payment-client.ts';
import {isFinal, next} from '../payment/payment-events.ts';
import {paymentStoreOf} from '../payment/payment-of-purchase.ts';
import {paymentView, type PaymentView} from '../payment/payment-view.ts';
import {wordsOf, type Words} from '../payment/payment-words.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {endCard, outcomeElements} from './end-card.ts';
import {TransferReport} from './transfer-report.ts';
import {styles} from './vezne-payment-status.styles.ts';

/** An exclamation mark. */
const ATTENTION_ICON = html`<svg viewBox="0 0 24 24">${svg`<path d="M12 7v6m0 4v.01" />`}</svg>`;

/**
 * Shows the state of a payment. The element keeps it up to date through a socket, or by polling if sockets are blocked,
 * and announces each change once to screen readers. While the shopper waits, it loads the card that ends the payment.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-payment-status
 * @event {PaymentEvent} vezne-payment - The state of the payment is known for the first time, or has changed.
 * @event {PurchaseEvent} vezne-purchase - All money of an order has arrived; once in this browser.
 * @event {NoticeEvent} vezne-notice - The platform has created the shopper's payment notice.
 * @event {RedirectEvent} vezne-redirect - The shopper is leaving. The page can prevent this and open the URL itself.
 * @event {ProblemEvent} vezne-error - The payment could not be read.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot paid - Shown after the payment arrived, for example a link back to the order.
 * @csspart base - The card around everything.
 * @csspart status - The card with the state.
 * @csspart title - The heading of the card.
 * @csspart row - Each row of details of a settled payment.
 * @csspart transaction - Each transfer that arrived.
 * @csspart field - Each field of the form for a transfer without a code.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button.
 */
export class VeznePaymentStatus extends VezneElement<PaymentMessages> {
  static readonly tag = 'vezne-payment-status';
  static override properties = {
    via: {},
    quiet: flag,
    isUnpaid: {attribute: false},
    isInner: {attribute: false},
  };
  static override styles = [VezneElement.styles, styles];

  /** `payment-page` if the shopper pays on the payment page, so that the element must not mention transfers. */
  declare via: string;

  /** When the money arrives, the title of the tab does not change, and the phone does not vibrate. */
  declare quiet: boolean;

  /** Whether the shopper has returned from the page `via` without paying, as the return URL says. */
  isUnpaid = false;

  /** Whether the element is in a checkout, which says when the device is offline. */
  isInner = false;

  protected override readonly messages = paymentMessages;

  /** The page does not know whether the money is sent. */
  get assurance(): string {
    return this.t.notAgain;
  }

  protected override readonly purchase = new PurchaseController(this);
  readonly #payment = new StoreController(this, () => paymentStoreOf(this.purchase.current));
  readonly #banks = new StoreController(this, () => {
    const payment = this.#payment.store?.value;
    return payment && !isSettled(payment) && this.via !== 'payment-page' ? bankDirectory(this.address) : undefined;
  });
  readonly #outcomeElements = new StoreController(this, () =>
    this.#payment.store?.value || this.#view.isLost ? outcomeElements : undefined,
  );
  readonly #report = new TransferReport(
    this,
    () => this.purchase.current,
    () => this.#view,
  );
  readonly #states = this.attachInternals?.().states;
  /** Whether the skeleton is gone. Style sheets know it by the attribute and the state `complete`. */
  #isComplete = false;
  #announcedPayment: Payment | undefined;
  #announcement = '';
  /** The title of the last update. */
  #title = '';
  #wasLost = false;
  /** Whether the focus must still move to the title. */
  #shouldFocus = false;

  /** Focuses the title as soon as it is loaded. */
  override focus(options?: FocusOptions): void {
    this.#shouldFocus = !this.#isComplete;
    this.find('[data-autofocus]')?.focus(options);
  }

  /** A page may remove the attribute, when it makes its elements equal to the server's HTML. */
  static override get observedAttributes(): string[] {
    return super.observedAttributes.concat('complete');
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === 'complete') this.requestUpdate();
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const payment = this.#payment.store?.value;
    const view = this.#view;
    const {title} = this.#words(view);
    if (view.isLost !== this.#wasLost) {
      this.#wasLost = !this.#wasLost;
      this.#announcement = this.#wasLost ? title : '';
    }
    const isNew = payment && this.#announcedPayment && payment !== this.#announcedPayment;
    if (isNew && title !== this.#title) this.#announcement = title;
    this.#title = title;
  }

  protected override updated(): void {
    const {store} = this.#payment;
    this.reportProblem(store?.connectionProblem);
    super.updated();
    this.#isComplete = !this.find('.skeleton');
    this.toggleAttribute('complete', this.#isComplete);
    // Older browsers accept other names only.
    ignoreErrors(() => this.#states?.[this.#isComplete ? 'add' : 'delete']('complete'));
    if (this.#shouldFocus) this.focus({preventScroll: true});
    const {code: orderCode, account, instructions} = this.#view;
    // Nothing else saves the code of an order that was over before its code was shown.
    if (orderCode && instructions === 'hidden')
      this.purchase.current.send({is: 'code-shown', orderCode, account}, next);
    const payment = store?.value;
    if (payment === this.#announcedPayment) return;
    // The money arrived while the checkout showed the banks and no status.
    if (payment && !this.#announcedPayment && this.purchase.facts.order.hasWaited && isFinal(payment)) {
      this.#announcement = this.#title;
      this.requestUpdate();
    }
    this.#announcedPayment = payment;
    if (store && payment) this.dispatchEvent(new PaymentEvent(payment, store.isNews(payment)));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    const view = this.#view;
    return html`<span class="visually-hidden" role="status">${this.#announcement}</span> 
      ${
        view.isLost
          ? this.renderQuery(this.#outcomeElements.store, () => this.#renderEnd(view, t))
          : this.renderQuery(this.#payment.store, (payment) => this.#renderPayment(payment, view, t))
      }`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  #renderPayment(payment: Payment, view: PaymentView, t: PaymentMessages): TemplateResult {
    if (view.isSilent) return html``;
    const {store} = this.#outcomeElements;
    const isDrawn = !!view.part || (view.isSent && !view.isReportUnfinished);
    // What is drawn comes at once, so that nothing moves.
    if (
      (isDrawn || (view.isOver && !this.#isComplete)) &&
      [store, this.#banks.store].some((each) => each?.result.status === 'pending')
    )
      return this.renderSkeleton();
    return html`${
      view.isOver && store?.value
        ? this.#renderEnd(view, t)
        : this.#report.isOpen
          ? nothing
          : this.#renderWait(payment, view, isDrawn, t)
    }
    ${this.#report.renderForm(t)}`;
  }

  #renderWait(payment: Payment, view: PaymentView, isDrawn: boolean, t: PaymentMessages): TemplateResult {
    const {title, text} = this.#words(view);
    // A checkout says above the code what has arrived, and how to send the rest.
    const isEcho = this.isInner && view.part && view.instructions === 'open' && view.code?.account;
    const isCutOff = view.place.isCutOff && !view.isOffline;
    const arrival = payment.unclear || payment.notice ? '' : this.#arrival(view);
    return html`<div class="card ${view.isUrgent ? 'attention' : ''}" part="status">
      ${isDrawn ? nothing : view.isUrgent || view.isOver ? html`<span class="sign" aria-hidden="true">${ATTENTION_ICON}</span>` : html`<span class="sign"><i class=${view.isOffline || isCutOff ? 'pulse off' : 'pulse'}></i></span>`}
      <div class="words">
        ${isEcho ? nothing : html`<h3 part="title" tabindex="-1" data-autofocus>${title}</h3>`}
        ${isCutOff ? html`<p class="trouble" role="status">${t.connectionLost}</p>` : nothing}
        ${text && !isEcho ? html`<p class="muted">${text}</p>` : nothing}
        ${arrival && !isDrawn ? html`<p class="muted">${arrival}</p>` : nothing}
      </div>
      ${
        isDrawn
          ? html`<vezne-payment-outcome
              lang=${this.locale}
              exportparts="row,transaction"
              .options=${{view, arrival}}
            ></vezne-payment-outcome>`
          : nothing
      }
      <div class="actions">
        ${isCutOff ? button(t.checkNow, () => this.#payment.store?.reload()) : nothing}
        ${view.canUnsay ? button(t.unsent, () => this.purchase.current.send({is: 'money-unsent'}, next), 'link') : nothing}
        ${this.#report.renderQuestion(t)}
      </div>
    </div>`;
  }

  #renderEnd(view: PaymentView, t: PaymentMessages): TemplateResult {
    return endCard(
      this.locale,
      {view, leave: this.purchase.startOver?.press},
      this.#isQuiet,
      html`<slot name="paid" slot="paid"></slot>
        <div slot="way">${this.#report.renderQuestion(t)}</div>`,
    );
  }

  get #view(): PaymentView {
    const {via, isUnpaid, isInner} = this;
    const banks = this.#banks.store?.value?.banks;
    const isCutOff = !!this.#payment.store?.connectionProblem;
    const place = via ? 'button' : isInner ? 'checkout' : 'status';
    return paymentView(this.purchase.facts, Date.now(), {in: place, via, isUnpaid, isCutOff, banks});
  }

  #words(view: PaymentView): Words {
    return wordsOf(view, this.t, this.locale);
  }

  /** Whether this element, or the checkout or button around it, has the attribute `quiet`. */
  get #isQuiet(): boolean {
    const root = this.getRootNode();
    return this.quiet || (root instanceof ShadowRoot && root.host.hasAttribute('quiet'));
  }

  /**
   * When money that is sent now will arrive. The texts are the merchant's. In the last hour, money from another bank may
   * arrive too late; in the last minute, any money may.
   */
  #arrival({isSent, code}: PaymentView): string {
    const leftMs = isSent ? Infinity : Date.parse(code?.pay_until ?? '') - Date.now();
    if (leftMs < 60_000) return '';
    const {same_bank: same, other_bank: other} = this.#banks.store?.value?.arrival ?? {};
    return [same, leftMs < 3_600_000 ? undefined : other].flatMap((each) => each?.[this.locale] ?? []).join(' ');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-status': VeznePaymentStatus;
  }
}

/**
 * The state of the payment is known for the first time, or has changed. If several elements show the payment, only the
 * first element's event bubbles, so that `document` receives each state once.
 */
export class PaymentEvent extends VezneEvent {
  constructor(
    readonly payment: Payment,
    bubbles: boolean,
  ) {
    super('vezne-payment', bubbles);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-payment': PaymentEvent;
  }
}
