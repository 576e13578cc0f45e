import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {formatAmount} from '../../core/format.ts';
import {Problem, toProblem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {spinner} from '../../core/styles/spinner.styles.ts';
import {button, skeleton} from '../../core/templates.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {payButtonMessages, type PayButtonMessages} from '../../locales/pay-button.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {savedOrder, type OpenSession} from '../purchase/facts.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {takeReturnOutcome} from '../return-url.ts';
import {FailedRequest} from './failed-request.ts';
import {HostedClient, RedirectEvent, savedOutcome, saveOutcome} from './hosted-pages.ts';
import {RestoredPage} from './restored-page.ts';
import {styles} from './vezne-pay-button.styles.ts';
import {hasOwnLabel, ViewController} from './view-controller.ts';

const paymentElements = lazyElements(() => import('../../bundles/payment.ts'));

/** The pay buttons of the page, in the order in which they were added. */
const payButtons = new Set<VeznePayButton>();

/** Renders all pay buttons again, because each shows less if another one speaks of the same payment. */
function renderAll(): void {
  for (const each of payButtons) each.requestUpdate();
}

/** After these events of the page's elements, the purchase may have another payment. */
const PAYMENT_EVENTS = ['vezne-payment', 'vezne-order-code'] as const;

/**
 * Sends the shopper to one of the platform's pages. With `via="bank-page"`, this is the page with the order code and
 * the banks; with `via="payment-page"`, it is the payment page. When the shopper returns, the element shows the state
 * of the payment. It reads this state from the Worker, and does not trust the outcome in the return URL. If it is
 * uncertain whether the bank page knows the order's code, the element shows `vezne-checkout` in place of the button.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-pay-button
 * @event {RedirectEvent} vezne-redirect - The shopper is leaving. The page can prevent this and open the URL itself.
 * @event {PaymentEvent} vezne-payment - After the shopper's return, the state of the payment is known or has changed.
 * @event {PurchaseEvent} vezne-purchase - All money of an order has arrived; once in this browser.
 * @event {ProblemEvent} vezne-error - The platform's page could not be opened.
 * @slot - The label of the button.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot paid - Shown after the payment has arrived.
 * @csspart base - The box around everything.
 * @csspart button - Each button.
 * @csspart status - The state of the payment.
 * @csspart transaction - Each payment that arrived.
 * @csspart field - Each field of the form that asks who buys.
 * @csspart problem - The notice of a problem.
 */
export class VeznePayButton extends VezneElement<PayButtonMessages> {
  static readonly tag = 'vezne-pay-button';
  static override properties = {via: {initial: 'bank-page'}, quiet: flag, reference: {}, metadata: {}};
  static override styles = [VezneElement.styles, spinner, styles];

  /** What the page calls the order, for the merchant. The merchant must not rely on it: a shopper can change it. */
  declare reference: string;

  /** More of it: up to ten texts, as JSON such as `{"size":"L"}`. */
  declare metadata: string;

  /** The platform's page to open: `bank-page` or `payment-page`. */
  declare via: string;

  /** When the money arrives, the title of the tab does not change, and the phone does not vibrate. */
  declare quiet: boolean;

  protected override readonly messages = payButtonMessages;

  /** After a return, the status says what has happened to the money. */
  get assurance(): string | undefined {
    return this.#returnOutcome || this.#otherOutcome ? '' : undefined;
  }

  protected override readonly purchase = new PurchaseController(this);
  /** The bundle that decides what is shown of the payment. Needed as soon as a payment is known. */
  readonly #paymentBundle = new StoreController(this, () =>
    this.#hasStatus || this.purchase.current.payment ? paymentElements : undefined,
  );
  readonly #payment = new StoreController(this, () => {
    const {current} = this.purchase;
    return (this.#returnOutcome && this.#paymentBundle.store?.value?.paymentStoreOf(current)) || current.payment;
  });
  readonly #view = new ViewController(this);
  /** The session that contains the amount of the label. A button with another label needs it only after a press. */
  readonly #offerSession = new StoreController(this, () =>
    this.#view.isSeen && !hasOwnLabel(this) && !this.#scriptAmount ? this.purchase.current.session : undefined,
  );
  /**
   * The outcome in the return URL. If the shopper has left and no outcome is known, it is `away`. If the shopper has
   * not left, it is empty or undefined.
   */
  #returnOutcome: string | null | undefined;
  /** The `#storageKey` of the outcome. A page may set the order, the Worker and `via` at any time. */
  #outcomeKey = '';
  /**
   * The session whose payment was read last. A different session means that the shopper has started another payment.
   */
  #session: OpenSession | undefined;
  #isRedirecting = false;
  readonly #failed = new FailedRequest(this, true);

  constructor() {
    super();
    this.addController(new RestoredPage(this, () => this.#onRestored()));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    payButtons.add(this);
    for (const type of PAYMENT_EVENTS) addEventListener(type, this.#onPayment);
    this.#outcomeKey = '';
    renderAll();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    payButtons.delete(this);
    for (const type of PAYMENT_EVENTS) removeEventListener(type, this.#onPayment);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const key = this.#storageKey;
    if (key === this.#outcomeKey || !(this.session || this.offer)) return;
    if (this.#outcomeKey) this.#failed.problem = this.#session = undefined;
    this.#outcomeKey = key;
    const isOther = ['offer', 'session', 'via'].some((name) => changed.has(name));
    this.#returnOutcome = takeReturnOutcome(this.via) ?? (isOther ? null : this.#returnOutcome);
    if (this.#returnOutcome) this.#saveReturnOutcome(this.#returnOutcome);
    this.#restoreReturnOutcome();
    renderAll();
  }

  protected override renderContent(t: PayButtonMessages): TemplateResult {
    if (!this.#failed.asksBuyer) this.reportProblem(this.#failed.problem);
    if (this.#failed.problem?.code === 'bank_page_unavailable')
      return html`<vezne-checkout
      lang=${this.locale}
      exportparts="status,transaction,problem,button"
      ?quiet=${this.quiet}
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      ><slot name="paid" slot="paid"></slot
    ></vezne-checkout>`;
    return html`${this.#hasStatus ? this.renderQuery(this.#paymentBundle.store, () => this.#renderStatus()) : nothing}
      ${this.#failed.isPaid ? nothing : this.#failed.render(this.purchase.current, this.#onAnswered, this.purchase)}
      ${this.#failed.asksBuyer ? nothing : (this.#renderNote(t) ?? this.#renderButton(t))}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  /** What the shopper reads in place of the button, if there is nothing to pay now. */
  #renderNote(t: PayButtonMessages): TemplateResult | undefined {
    const other = this.#other;
    const outcome = this.#otherOutcome;
    const mayBePaid = !this.#returnOutcome && /away|done|success/.test(outcome);
    if (!this.#isOver && !this.#isSent && !mayBePaid) return undefined;
    // After a return, the status says it. After a refusal, the notice says it.
    if (this.#returnOutcome || this.#failed.isFinal) return html``;
    // The status of the other button says it, unless the page shows only one of the two.
    if (other && outcome && [this, other].every((each) => each.checkVisibility?.())) return html``;
    return html`<p class="card muted">${this.#shown?.note ?? skeleton(1)}</p>
      ${other && outcome === 'away' && !this.#isSent ? button(t[this.#pages[0]].payHere, () => other.#onNotPaid()) : nothing}`;
  }

  #renderButton(t: PayButtonMessages): TemplateResult {
    // What the shopper has paid must be known before the page is offered again.
    const {result} = this.#payment.store ?? {};
    if (this.#returnOutcome && result?.status !== 'done') return result?.status === 'failed' ? html`` : skeleton(1);
    const {pay, again} = t[this.#pages[0]];
    const label = this.#failed.isSetup ? troubleMessages[this.locale].tryAgain : this.#returnOutcome && again;
    // The amount is empty until it is known.
    const amount = this.#amount && formatAmount(this.#amount, this.locale);
    const [before, after] = pay(amount).split(amount || '\n');
    return html`<button
      type="button"
      class=${label ? 'button soft' : 'button'}
      part="button"
      aria-disabled=${this.#isRedirecting || this.#failed.mustWait || nothing}
      aria-busy=${this.#isRedirecting || nothing}
      @click=${() => void this.#redirect()}
    >
      ${this.#isRedirecting ? t.leaving : label || html`<slot><span>${before}<b translate="no">${amount}</b>${after}</span></slot>`}
    </button>
    ${this.#returnOutcome === 'away' && this.#other ? button(t[this.#pages[1]].payHere, () => this.#onNotPaid(), 'link') : nothing}`;
  }

  #renderStatus(): TemplateResult {
    // With `via`, the status says that the shopper can open the platform's page again.
    return html`<vezne-payment-status
      class=${this.#shown?.view.isOver ? 'end' : ''}
      lang=${this.locale}
      via=${this.#isSent ? '' : this.via}
      .isUnpaid=${/failure|back/.test(this.#returnOutcome ?? '')}
      exportparts="status,title,row,transaction,problem,button"
      ?quiet=${this.quiet}
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-status>`;
  }

  /** Whether the state of the payment is shown: after a return, or because the order is paid already. */
  get #hasStatus(): boolean {
    return !!this.#returnOutcome || this.#failed.isPaid;
  }

  /** The page that the button opens, and the page that the other button of the merchant's page opens. */
  get #pages(): readonly ['bank-page' | 'payment-page', 'bank-page' | 'payment-page'] {
    return this.via === 'payment-page' ? ['payment-page', 'bank-page'] : ['bank-page', 'payment-page'];
  }

  get #amount(): string {
    return this.#payment.store?.value?.remaining ?? this.#sessionAmount ?? '';
  }

  /** The amount of a new payment. It is undefined if a saved session can create no order any more. */
  get #sessionAmount(): string | undefined {
    const {amount, create_until: until = ''} = this.#offerSession.store?.value ?? {};
    const isOver = Date.parse(until) < Date.now() && !savedOrder(this.purchase.facts).instructions;
    return isOver ? undefined : (amount ?? this.#scriptAmount);
  }

  get #scriptAmount(): string | undefined {
    return this.purchase.current.scriptOffer?.amount;
  }

  /** @param human - Token of the human check, if the Worker requires the check. */
  async #redirect(human = ''): Promise<void> {
    // The button stays focusable, because a button that becomes `disabled` loses the focus.
    if (this.#isRedirecting || this.#failed.mustWait) return;
    this.#isRedirecting = true;
    this.#failed.problem = undefined;
    this.requestUpdate();
    const key = this.#storageKey;
    const {session} = this.purchase.current;
    // The session may have failed when the page showed the button. The shopper need not wait for the next retry.
    if (session.problem) session.reload();
    try {
      const url = await this.#requestUrl(human, this.#sessionAmount);
      // The page has set another order in the meantime.
      if (key !== this.#storageKey) return this.#endRedirect();
      this.#returnOutcome &&= 'away';
      this.#saveReturnOutcome('away');
      if (this.dispatchEvent(new RedirectEvent(url))) return location.assign(url);
    } catch (thrown) {
      if (key !== this.#storageKey) return this.#endRedirect();
      this.#failed.problem = toProblem(thrown);
      this.#failed.endWait();
    }
    this.#endRedirect();
  }

  #endRedirect(): void {
    this.#isRedirecting = false;
    this.requestUpdate();
  }

  /**
   * @param shownAmount - The amount in the label. A new session may have another amount, which the shopper must see.
   */
  #requestUrl(human: string, shownAmount: string | undefined): Promise<string> {
    const {signal} = new AbortController();
    const {current} = this.purchase;
    // After a failure the old payment page can no longer be used.
    const anew = this.#returnOutcome === 'failure' || undefined;
    return current.withToken(signal, async (token) => {
      if (shownAmount && current.session.value?.amount !== shownAmount) throw new Problem('price_changed', false);
      return current.withBuyer(token, (order) =>
        new HostedClient(this.address).openPage(
          this.via,
          token,
          {human, anew, language: this.locale, ...order},
          signal,
        ),
      );
    });
  }

  #saveReturnOutcome(outcome: string): void {
    saveOutcome(this.#storageKey, outcome);
  }

  #restoreReturnOutcome(): void {
    this.#returnOutcome = savedOutcome(this.#storageKey) ?? this.#returnOutcome;
  }

  /** Whether the shopper must not pay: the payment is settled or refused, or money has arrived that is not matched. */
  get #isOver(): boolean {
    return !!this.#shown?.view.isOver || this.#failed.isFinal;
  }

  /** What is shown of the payment; undefined while no element of the page observes the payment. */
  get #shown(): {readonly view: PaymentView; readonly note: string} | undefined {
    const {current} = this.purchase;
    return current.payment && this.#paymentBundle.store?.value?.buttonView(current, this.via, this.locale);
  }

  /** Whether the shopper says, in any element of the page, that the money is sent. */
  get #isSent(): boolean {
    return !!this.#shown?.view.isSent;
  }

  /** The page's button for the same order and the platform's other page. */
  get #other(): VeznePayButton | undefined {
    return [...payButtons].find((each) => each.via !== this.via && each.purchase.current === this.purchase.current);
  }

  /** The outcome of the other button; empty if the shopper has not left for its page. */
  get #otherOutcome(): string {
    const other = this.#other;
    return (other && other.#returnOutcome) || '';
  }

  /** The shopper has left for the platform's page, and says not to have paid there. */
  #onNotPaid(): void {
    this.#saveReturnOutcome((this.#returnOutcome = ''));
    renderAll();
  }

  /** The key of `#returnOutcome` in `sessionStorage`. */
  get #storageKey(): string {
    return `vezne ${this.via} ${this.address} ${this.session?.slice(-12) || this.offer}`;
  }

  /**
   * Called when any element of the page has read a payment, or has begun to observe one. The button hides if the
   * payment is settled. If the shopper has started another payment, the outcome of the old payment is deleted.
   */
  readonly #onPayment = (): void => {
    const before = this.#session;
    this.#session = this.purchase.current.session.value ?? before;
    if (before && before !== this.#session) this.#saveReturnOutcome((this.#returnOutcome = ''));
    this.requestUpdate();
  };

  /**
   * The button of a page from the back-forward cache still says that the shopper is leaving, so the button is reset.
   * The saved outcome is read again, because a later page in this tab may have changed it.
   */
  #onRestored(): void {
    if (this.#isRedirecting) this.#returnOutcome ||= 'away';
    this.#isRedirecting = false;
    this.#restoreReturnOutcome();
    renderAll();
  }

  readonly #onAnswered = (human: string): void => void this.#redirect(human);
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pay-button': VeznePayButton;
  }
}
