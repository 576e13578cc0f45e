import {html, nothing, type TemplateResult} from 'lit';
import {formatAmount} from '../../core/format.ts';
import {valueOf} from '../../core/query.ts';
import {type Store, StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {checkoutMessages, type CheckoutMessages} from '../../locales/checkout.ts';
import {paymentElements} from '../payment-file.ts';
import {savedOrder, type OpenSession} from '../purchase/facts.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import type {Purchase} from '../purchase/purchase.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';
import {styles} from './vezne-checkout.styles.ts';

/** The CSS parts of the inner elements that a page can style through the checkout. */
const PARTS = 'field,search,bank,logo,slip,code,row,copy,advice,status,transaction,problem,button,qr';

/**
 * A complete checkout for a bank transfer. The shopper taps a bank, sends the money with the order code, and sees when
 * the money arrives. After a reload or in a new tab, the checkout continues at the same step. It contains
 * `vezne-bank-list`, which must be defined too. For the payment step, it loads `vezne-payment-code` and
 * `vezne-payment-status`. The events of these elements bubble through the checkout.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-checkout
 * @event {BankSelectEvent} vezne-bank-select - The shopper chose a bank.
 * @event {OrderCodeEvent} vezne-order-code - The order has a code.
 * @event {CopyEvent} vezne-copy - The shopper copied the code or another field.
 * @event {PaymentEvent} vezne-payment - The state of the payment is known for the first time, or has changed.
 * @event {PurchaseEvent} vezne-purchase - All money of an order has arrived; once in this browser.
 * @event {NoticeEvent} vezne-notice - The platform has created the shopper's payment notice.
 * @event {RedirectEvent} vezne-redirect - The shopper is leaving. The page can prevent this and open the URL itself.
 * @event {ProblemEvent} vezne-error - A request failed.
 * @slot title - The title of the purchase, in place of the offer's title.
 * @slot paid - Shown after the payment arrived, for example a link back to the order.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot footer - Shown below every step.
 * @csspart base - The card around everything.
 * @csspart header - Title and amount.
 * @csspart title - The title of the purchase.
 * @csspart amount - The amount of the purchase.
 * @csspart steps - The progress bar.
 * @csspart button - Each button.
 * @csspart problem - The notice of a problem.
 * @csspart slip - The card with the order code.
 * @csspart code - The order code.
 * @csspart field - Each field of the form that asks who buys.
 * @csspart search - The search field.
 * @csspart bank - Each bank.
 * @csspart logo - The logo or initials of a bank.
 * @csspart row - Each row of the account.
 * @csspart copy - Each copy button.
 * @csspart advice - Advice for the transfer.
 * @csspart status - The state of the payment.
 * @csspart transaction - Each transfer that arrived.
 * @csspart qr - The QR code that opens the order on a phone.
 */
export class VezneCheckout extends VezneElement<CheckoutMessages> {
  static readonly tag = 'vezne-checkout';
  static override properties = {quiet: flag, reference: {}, metadata: {}};
  static override styles = [VezneElement.styles, styles];

  /** What the page calls the order, for the merchant. The merchant must not rely on it: a shopper can change it. */
  declare reference: string;

  /** More of it: up to ten texts, as JSON such as `{"size":"L"}`. */
  declare metadata: string;

  /** When the money arrives, the title of the tab does not change, and the phone does not vibrate. */
  declare quiet: boolean;

  protected override readonly messages = checkoutMessages;

  protected override readonly purchase = new PurchaseController(this, (purchase) => this.#onPurchaseChange(purchase));
  readonly #session = new StoreController(this, () =>
    this.purchase.facts.step === 'bank' && this.purchase.current.scriptOffer
      ? undefined
      : this.purchase.current.session,
  );
  /** An order that this page did not start, or that has a code, may be paid at any step. */
  readonly #paymentBundle = new StoreController(this, () => {
    const {step, session, orderCode, order, outdatedAmount} = this.purchase.facts;
    const isPayable = step === 'pay' || (session && !order.isCreated) || valueOf(orderCode) || valueOf(order.payment);
    // The bundle also has the sentence about an outdated amount.
    return isPayable || outdatedAmount ? paymentElements : undefined;
  });
  #step: CheckoutStep | undefined;
  /** Whether the focus must still move to the new step. */
  #shouldFocus = false;

  constructor() {
    super();
    const observe = (findStore: () => Store | undefined) => new StoreController(this, findStore);
    observe(() => (this.purchase.facts.step === 'pay' ? this.purchase.current.orderCode : undefined));
    observe(() => this.#paymentBundle.store?.value?.paymentStoreOf(this.purchase.current));
  }

  protected override updated(): void {
    super.updated();
    if (!this.#shouldFocus) return;
    // The new step may still be loading.
    const target = this.find('[data-autofocus]');
    const isFocused = () => target && this.shadowRoot?.activeElement === target;
    if (!isFocused()) target?.focus({preventScroll: true});
    this.#shouldFocus = !isFocused();
    if (this.#shouldFocus) return;
    // The top of the checkout comes into view if it is above the window or in its lower two thirds.
    const {top} = this.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 3) this.scrollIntoView();
  }

  protected override renderContent(t: CheckoutMessages): TemplateResult {
    const session = this.#session.store;
    // The shopper can choose a bank while the session is still loading.
    const isChoosingBank = this.purchase.facts.step === 'bank';
    const offer = this.purchase.current.scriptOffer;
    if ((isChoosingBank || offer) && (!session || session.result.status === 'pending'))
      return this.#renderSession(offer, t);
    return this.renderQuery(session, (open) => this.#renderSession(open, t));
  }

  override renderSkeleton(): TemplateResult {
    return html`<div class="header">${skeleton(2)}</div>
      <div class="body">${skeleton(5)}</div>`;
  }

  /** @param session - Undefined while the session is loading. Title and amount are not known before. */
  #renderSession(
    session: Pick<OpenSession, 'title' | 'amount'> | null | undefined,
    t: CheckoutMessages,
  ): TemplateResult {
    const purchase = this.purchase.current;
    const {facts} = purchase;
    const bundle = this.#paymentBundle.store;
    const view = bundle?.value?.checkoutView(purchase);
    const {step} = view ?? facts;
    // Of a saved order, the page first has to know what to show.
    if (view?.isLoading || (savedOrder(facts).instructions && bundle?.result.status === 'pending'))
      return this.renderSkeleton();
    const {is, sum = valueOf(facts.orderCode)?.amount ?? session?.amount} = view?.amount ?? {};
    const rest = view && bundle?.value?.restLabel(view, this.locale);
    return html`<div class="header" part="header">
        ${
          session
            ? html`<h2 part="title"><slot name="title">${(view?.title ?? session.title)?.[this.locale] ?? t.transferTitle}</slot></h2>`
            : skeleton(2)
        }
        ${
          sum
            ? html`<p class="amount" part="amount">
                ${is === 'settled' ? nothing : html`<small class=${rest ? '' : 'visually-hidden'}>${rest || t.stepPay}</small>`}
                <bdi translate="no">${formatAmount(sum, this.locale)}</bdi>
              </p>`
            : nothing
        }
      </div>
      ${this.#renderSteps(step, t)}
      <div class="body ${is ?? ''}">
        ${
          step === 'bank'
            ? this.#renderBanks()
            : this.renderQuery(
                bundle,
                ({payStep}) => payStep(this, purchase, PARTS),
                () => skeleton(4),
              )
        }
      </div>
      <slot name="footer"></slot>`;
  }

  #renderSteps(now: CheckoutStep | 'done', t: CheckoutMessages): TemplateResult {
    const reached = ['bank', 'pay', 'done'].indexOf(now);
    return html`<ol class="steps" part="steps" aria-label=${t.steps}>
      ${[t.stepBank, t.stepPay, t.stepDone].map(
        (
          name,
          index,
        ) => html`<li class=${index <= reached ? 'reached' : ''} aria-current=${index === reached ? 'step' : nothing}>
          ${name}${index < reached ? html`<span class="visually-hidden">, ${t.stepFinished}</span>` : nothing}
        </li>`,
      )}
    </ol>`;
  }

  #renderBanks(): TemplateResult {
    const bundle = this.#paymentBundle.store?.value;
    return html`${bundle?.priceNote(this.purchase.facts, this.locale)}
      <vezne-bank-list
        data-autofocus
        lang=${this.locale}
        exportparts=${PARTS}
        .offer=${this.offer}
        .session=${this.session}
        .api=${this.address}
        .goOn=${this.#onGoOn}
      ></vezne-bank-list>`;
  }

  #onPurchaseChange(purchase: Purchase | undefined): void {
    const step = purchase?.facts.step;
    this.#shouldFocus ||= !!this.#step && !!step && this.#step !== step;
    this.#step = step;
  }

  /** Requests the order code before the next step is rendered: on a slow phone, rendering takes a while. */
  readonly #onGoOn = () => {
    this.purchase.current.send({is: 'chosen', choice: {step: 'pay'}});
    // This subscription ends when the rendered step has subscribed.
    void this.updateComplete.then(this.purchase.current.orderCode.subscribe(() => {}));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-checkout': VezneCheckout;
  }
}
