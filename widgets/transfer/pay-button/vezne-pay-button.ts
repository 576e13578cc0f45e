import {html, nothing, type TemplateResult} from 'lit';
import {formatAmount} from '../../core/format.ts';
import {Problem, toProblem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {spinner} from '../../core/styles/spinner.styles.ts';
import {button, skeleton} from '../../core/templates.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {payButtonMessages, type PayButtonMessages} from '../../locales/pay-button.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {paymentElements} from '../payment-file.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {savedOrder} from '../purchase/facts.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {HostedClient, RedirectEvent} from './hosted-pages.ts';
import {HostedVisit} from './hosted-visit.ts';
import {styles} from './vezne-pay-button.styles.ts';
import {hasOwnLabel, ViewController} from './view-controller.ts';

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
    const {outcome, other} = this.#visit;
    return outcome || other?.outcome ? '' : undefined;
  }

  protected override readonly purchase = new PurchaseController(this);
  readonly #visit = new HostedVisit(this, () => this.purchase.current);
  /** The bundle that decides what is shown of the payment. Needed as soon as a payment is known. */
  readonly #paymentBundle = new StoreController(this, () =>
    this.#hasStatus || this.purchase.current.payment ? paymentElements : undefined,
  );
  readonly #payment = new StoreController(this, () => {
    const {current} = this.purchase;
    return (this.#visit.outcome && this.#paymentBundle.store?.value?.paymentStoreOf(current)) || current.payment;
  });
  readonly #view = new ViewController(this);
  /** The session that contains the amount of the label. A button with another label needs it only after a press. */
  readonly #offerSession = new StoreController(this, () =>
    this.#view.isSeen && !hasOwnLabel(this) && !this.#scriptAmount ? this.purchase.current.session : undefined,
  );

  protected override renderContent(t: PayButtonMessages): TemplateResult {
    const {failed} = this.#visit;
    const {asksBuyer, isPaid, problem} = failed;
    if (!asksBuyer) this.reportProblem(problem);
    if (problem?.code === 'bank_page_unavailable')
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
      ${isPaid ? nothing : failed.render(this.purchase.current, this.#onAnswered, this.purchase)}
      ${asksBuyer ? nothing : (this.#renderNote(t) ?? this.#renderButton(t))}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  /** What the shopper reads in place of the button, if there is nothing to pay now. */
  #renderNote(t: PayButtonMessages): TemplateResult | undefined {
    const {outcome, other, failed} = this.#visit;
    const {isOver, isSent} = this.#shown?.view ?? {};
    const mayBePaid = !outcome && other?.mayBePaid;
    if (!isOver && !isSent && !failed.isFinal && !mayBePaid) return undefined;
    // After a return, the status says it. After a refusal, the notice says it.
    if (outcome || failed.isFinal) return html``;
    // The status of the other button says it, unless the page shows only one of the two.
    if (other?.outcome && [this, other.host].every((each) => each.checkVisibility?.())) return html``;
    return html`<p class="card muted">${this.#shown?.note ?? skeleton(1)}</p>
      ${other?.outcome === 'away' && !isSent ? button(textsOf(this.via, t).payHere, () => other.forget()) : nothing}`;
  }

  #renderButton(t: PayButtonMessages): TemplateResult {
    // What the shopper has paid must be known before the page is offered again.
    const {result} = this.#payment.store ?? {};
    const {outcome, isLeaving, other, failed} = this.#visit;
    if (outcome && result?.status !== 'done') return result?.status === 'failed' ? html`` : skeleton(1);
    const {pay, again} = textsOf(this.via, t);
    const label = failed.problem?.refusal?.onlySeller ? troubleMessages[this.locale].tryAgain : outcome && again;
    // The amount is empty until it is known.
    const amount = this.#amount && formatAmount(this.#amount, this.locale);
    const [before, after] = pay(amount).split(amount || '\n');
    return html`<button
      type="button"
      class=${label ? 'button soft' : 'button'}
      part="button"
      aria-disabled=${isLeaving || failed.mustWait || nothing}
      aria-busy=${isLeaving || nothing}
      @click=${() => void this.#redirect()}
    >
      ${isLeaving ? t.leaving : label || html`<slot><span>${before}<b translate="no">${amount}</b>${after}</span></slot>`}
    </button>
    ${outcome === 'away' && other ? button(textsOf(other.host.via, t).payHere, () => this.#visit.forget(), 'link') : nothing}`;
  }

  #renderStatus(): TemplateResult {
    const {isOver, isSent} = this.#shown?.view ?? {};
    // With `via`, the status says that the shopper can open the platform's page again.
    return html`<vezne-payment-status
      class=${isOver ? 'end' : ''}
      lang=${this.locale}
      via=${isSent ? '' : this.via}
      .isUnpaid=${this.#visit.isUnpaid}
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
    return !!this.#visit.outcome || this.#visit.failed.isPaid;
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
    const visit = this.#visit;
    const {key, failed} = visit;
    // The button stays focusable, because a button that becomes `disabled` loses the focus.
    if (visit.isLeaving || failed.mustWait) return;
    visit.isLeaving = true;
    failed.problem = undefined;
    this.requestUpdate();
    const {session} = this.purchase.current;
    // The session may have failed when the page showed the button. The shopper need not wait for the next retry.
    if (session.problem) session.reload();
    try {
      const url = await this.#requestUrl(human, this.#sessionAmount);
      // Unless the page has set another order in the meantime.
      if (key === visit.key) {
        visit.leave();
        if (this.dispatchEvent(new RedirectEvent(url))) return location.assign(url);
      }
    } catch (thrown) {
      if (key === visit.key) failed.refuse(toProblem(thrown));
    }
    visit.isLeaving = false;
    this.requestUpdate();
  }

  /**
   * @param shownAmount - The amount in the label. A new session may have another amount, which the shopper must see.
   */
  #requestUrl(human: string, shownAmount: string | undefined): Promise<string> {
    const {signal} = new AbortController();
    const {current} = this.purchase;
    // After a failure the old payment page can no longer be used.
    const anew = this.#visit.outcome === 'failure' || undefined;
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

  /** What is shown of the payment; undefined while no element of the page observes the payment. */
  get #shown(): {readonly view: PaymentView; readonly note: string} | undefined {
    const {current} = this.purchase;
    return current.payment && this.#paymentBundle.store?.value?.buttonView(current, this.via, this.locale);
  }

  readonly #onAnswered = (human: string): void => void this.#redirect(human);
}

/** The texts of the page that a button opens. */
function textsOf(via: string, t: PayButtonMessages): PayButtonMessages['bank-page'] {
  return t[via === 'payment-page' ? via : 'bank-page'];
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pay-button': VeznePayButton;
  }
}
