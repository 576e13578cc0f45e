import {html, nothing, type TemplateResult} from 'lit';
import type * as PaymentBundle from '../../bundles/payment.ts';
import {lazyElements} from '../../core/define.ts';
import {formatAmount} from '../../core/format.ts';
import {PENDING} from '../../core/query.ts';
import {IS_PAGE_SCRIPT} from '../../core/script-tag.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {checkoutMessages, type CheckoutMessages} from '../../locales/checkout.ts';
import type {CheckoutState} from '../purchase/checkout-state.ts';
import {isSettled} from '../purchase/order-client.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {directOrders, type OpenSession, type Purchase} from '../purchase/purchase.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';
import {styles} from './vezne-checkout.styles.ts';

/** The CSS parts of the inner elements that a page can style through the checkout. */
const PARTS = 'search,bank,logo,slip,code,row,copy,advice,status,transaction,problem,button,qr';

const paymentElements = lazyElements(() => import('../../bundles/payment.ts'));

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
 * @csspart bank - Each bank.
 * @csspart advice - Advice for the transfer.
 * @csspart status - The state of the payment.
 * @csspart transaction - Each transfer that arrived.
 * @csspart qr - The QR code that opens the order on a phone.
 */
export class VezneCheckout extends VezneElement<CheckoutMessages> {
  static readonly tag = 'vezne-checkout';
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = checkoutMessages;

  protected override readonly purchase = new PurchaseController(this, {
    onCheckoutChange: (checkout) => this.#onCheckoutChange(checkout),
  });
  readonly #session = new StoreController(this, () =>
    IS_PAGE_SCRIPT && this.purchase.checkout?.step === 'bank' && knownOffer(this.purchase.current)
      ? undefined
      : this.purchase.current.session,
  );
  readonly #code = new StoreController(this, () =>
    this.purchase.checkout?.step === 'pay' ? this.purchase.current.orderCode : undefined,
  );
  /** An order that this page did not start, or that has a code, may be paid at any step. */
  readonly #paymentBundle = new StoreController(this, () => {
    const {checkout, isResumed, orderCode, payment} = this.purchase.current;
    const isPayable = checkout.step === 'pay' || isResumed || orderCode.value || payment?.value;
    return isPayable ? paymentElements : undefined;
  });
  readonly #connection = new StoreController(this, () => this.#paymentBundle.store?.value?.connection);
  readonly #payment = new StoreController(this, () =>
    this.#paymentBundle.store?.value?.paymentStoreOf(this.purchase.current),
  );
  #step: CheckoutStep | undefined;
  /** Whether the focus must still move to the new step. */
  #shouldFocus = false;

  protected override updated(): void {
    super.updated();
    if (!this.#shouldFocus) return;
    // The new step may still be loading.
    const target = this.renderRoot.querySelector<HTMLElement>('[data-autofocus]');
    if (this.#focusedElement !== target) target?.focus({preventScroll: true});
    this.#shouldFocus = !target || this.#focusedElement !== target;
    if (!this.#shouldFocus) this.#bringIntoView();
  }

  protected override renderContent(t: CheckoutMessages): TemplateResult {
    const session = this.#session.store;
    // The shopper can choose a bank while the session is still loading.
    const isChoosingBank = this.purchase.checkout?.step === 'bank';
    const offer = IS_PAGE_SCRIPT ? knownOffer(this.purchase.current) : undefined;
    if ((isChoosingBank || offer) && (session?.result ?? PENDING).status === 'pending')
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
    const payment = this.#payment.store?.value;
    const partial = payment?.state === 'partial';
    const amount = partial
      ? payment.remaining
      : (payment?.amount ?? this.#code.store?.value?.amount ?? session?.amount);
    const chosen = this.purchase.checkout?.step ?? 'pay';
    const step = this.#paymentBundle.store?.value?.stepOf(this.purchase.current, chosen) ?? chosen;
    return html`<div class="header" part="header">
        ${
          session
            ? html`<h2 part="title"><slot name="title">${session.title?.[this.locale] ?? t.transferTitle}</slot></h2>`
            : skeleton(2)
        }
        ${
          amount
            ? html`<p class="amount" part="amount">
                ${isSettled(payment) ? nothing : html`<small class=${partial ? '' : 'visually-hidden'}>${partial ? t.amountRemainingLabel : t.dueLabel}</small>`}
                ${formatAmount(amount, this.locale)}
              </p>`
            : nothing
        }
      </div>
      ${this.#renderSteps(step, t)}
      <div class="body ${payment?.unclear ? 'unclear' : (payment?.state ?? '')}">
        ${
          step === 'bank'
            ? this.#renderBanks()
            : this.renderQuery(
                this.#paymentBundle.store,
                (bundle) => this.#renderPay(bundle),
                () => skeleton(4),
              )
        }
      </div>
      <slot name="footer"></slot>`;
  }

  get #focusedElement(): Element | null | undefined {
    return this.shadowRoot?.activeElement;
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
    const {notice, session} = this.purchase.current;
    const amount = session.value?.amount;
    return html`${
      IS_PAGE_SCRIPT && notice && amount
        ? html`<p class="problem warn" role="alert">${notice(formatAmount(amount, this.locale), this.locale)}</p>`
        : nothing
    }
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

  #renderPay({payStep}: typeof PaymentBundle): TemplateResult {
    const {locale, offer, session, address: api, purchase} = this;
    return payStep({
      purchase: purchase.current,
      connection: this.#connection.store,
      locale,
      parts: PARTS,
      offer,
      session,
      api,
    });
  }

  /** Scrolls to the top of the checkout if the top is above the window or in its lower two thirds. */
  #bringIntoView(): void {
    const {top} = this.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 3) this.scrollIntoView();
  }

  #onCheckoutChange(checkout: CheckoutState | undefined): void {
    this.#shouldFocus ||= this.#step !== undefined && checkout !== undefined && this.#step !== checkout.step;
    this.#step = checkout?.step;
  }

  /** Requests the order code before the next step is rendered: on a slow phone, rendering takes a while. */
  readonly #onGoOn = () => {
    this.purchase.checkout?.goTo('pay');
    // This subscription ends when the rendered step has subscribed.
    void this.updateComplete.then(this.purchase.current.orderCode.subscribe(() => {}));
  };
}

/** Title and amount of an offer that needs no session yet. */
function knownOffer(purchase: Purchase): Pick<OpenSession, 'title' | 'amount'> | null | undefined {
  return directOrders?.offerOf(purchase);
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-checkout': VezneCheckout;
  }
}
