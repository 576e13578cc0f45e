import {html, nothing, type TemplateResult} from 'lit';
import type * as Paying from '../../bundles/payment.ts';
import {lazyElements} from '../../core/define.ts';
import {formatAmount} from '../../core/format.ts';
import {PENDING} from '../../core/query.ts';
import {Watching} from '../../core/store.ts';
import {bones, button} from '../../core/templates.ts';
import type {ChoosingWords} from '../../locales/checkout.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import type {Choice} from '../purchase/checkout-state.ts';
import {ChoosingElement} from '../purchase/purchase-element.ts';
import type {OpenSession} from '../purchase/purchase.ts';
import type {Stage} from '../purchase/saved-order.ts';
import {isSettled} from '../purchase/validate-order.ts';
import {styles} from './vezne-checkout.styles.ts';

/** What of its elements a page can style through this one. */
const PARTS = 'search,bank,logo,slip,code,row,copy,advice,status,transaction,problem,button,qr';

const payingElements = lazyElements(() => import('../../bundles/payment.ts'));

/** More banks than fit on a phone. */
const MANY = 6;

const STEPS = ['bank', 'pay', 'done'] as const;
type Step = (typeof STEPS)[number];

/**
 * The whole way of a bank transfer: choose a bank, send with the code, see the money arrive. A reload or a closed tab
 * comes back to where the shopper was. Made of `vezne-bank-list`, which has to be defined beside it, and of
 * `vezne-payment-code` and `vezne-payment-status`, which it fetches when there is something to pay. Fires the events of its parts, and takes the custom properties of
 * `vezne-bank-list`.
 *
 * @tag vezne-checkout
 * @event {BankSelectEvent} vezne-bank-select - The shopper chose a bank.
 * @event {OrderCodeEvent} vezne-order-code - The order has a code.
 * @event {CopyEvent} vezne-copy - The shopper copied something.
 * @event {PaymentEvent} vezne-payment - How the payment stands: once it is known, and on every change.
 * @event {ProblemEvent} vezne-error - Something could not be done.
 * @slot title - What is bought, in words of the page's own.
 * @slot paid - What follows a payment that arrived: a way back to the order.
 * @slot footer - Below everything, in every step.
 * @csspart base - The slip everything is printed on.
 * @csspart header - Title and amount.
 * @csspart title - What is bought.
 * @csspart amount - What it costs.
 * @csspart steps - How far the shopper has come.
 * @csspart footer - The way from the banks to the code.
 * @csspart button - Each button of the way.
 * @csspart problem - What is said when something cannot be had.
 * @csspart slip - The slip with the code.
 * @csspart code - The code itself.
 * @csspart bank - Each bank.
 * @csspart advice - What to keep in mind when sending.
 * @csspart status - How the payment stands.
 * @csspart transaction - Each payment that arrived.
 * @csspart qr - The QR code that opens the order on a phone.
 */
export class VezneCheckout extends ChoosingElement {
  static readonly tag = 'vezne-checkout';
  static override styles = [ChoosingElement.styles, styles];

  readonly #session = new Watching(this, () => this.purchase.session);
  readonly #choice = new Watching(
    this,
    () => this.purchase.choice,
    (choice) => this.#onChoice(choice),
  );
  readonly #banks = new Watching(this, () => bankDirectory(this.address));
  readonly #code = new Watching(this, () =>
    this.#choice.target?.stage === 'pay' ? this.purchase.orderCode : undefined,
  );
  readonly #paying = new Watching(this, () => (this.#choice.target?.stage === 'pay' ? payingElements : undefined));
  readonly #payment = new Watching(this, () => this.#paying.target?.value?.paymentOf(this.purchase));
  #stage: Stage | undefined;
  /** The shopper went somewhere else: what begins there gets the focus. */
  #moved = false;
  #unchosen = false;

  protected override updated(): void {
    super.updated();
    if (!this.#moved) return;
    // What begins there may still be on its way.
    const begin = this.renderRoot.querySelector<HTMLElement>('[data-begin]');
    if (this.#focused !== begin) begin?.focus({preventScroll: true});
    this.#moved = !begin || this.#focused !== begin;
    if (!this.#moved) this.#bringIntoView();
  }

  protected override renderIn(say: ChoosingWords): TemplateResult {
    const session = this.#session.target;
    // Choosing a bank needs no session: nobody is kept waiting for one.
    const choosing = this.#choice.target?.stage === 'bank';
    if (choosing && (session?.state ?? PENDING).status === 'pending') return this.#renderSession(undefined, say);
    return this.renderAnswer(session, (open) => this.#renderSession(open, say));
  }

  protected override renderSkeleton(): TemplateResult {
    return html`<div class="header">${bones(2)}</div>
      <div class="body">${bones(5)}</div>`;
  }

  /** Without a session what is sold is not known yet. */
  #renderSession(session: OpenSession | undefined, say: ChoosingWords): TemplateResult {
    const payment = this.#payment.target?.value;
    const partial = payment?.state === 'partial';
    const amount = partial
      ? payment.remaining
      : (payment?.amount ?? this.#code.target?.value?.amount ?? session?.amount);
    const stage = this.#choice.target?.stage;
    const step = stage === 'bank' ? 'bank' : isSettled(payment) && payment.state !== 'expired' ? 'done' : 'pay';
    return html`<div class="header" part="header">
        ${
          session
            ? html`<h2 part="title"><slot name="title">${session.title?.[this.locale] ?? say.transferTitle}</slot></h2>`
            : bones(2)
        }
        ${
          amount
            ? html`<p class="amount" part="amount"><span class="unseen">${partial ? say.amountRemainingLabel : say.dueLabel}</span>
                ${formatAmount(amount, this.locale)}</p>`
            : nothing
        }
      </div>
      ${this.#renderSteps(step, say)}
      <div class="body ${payment?.unclear ? 'unclear' : (payment?.state ?? '')}">
        ${
          step === 'bank'
            ? this.#renderBanks(say)
            : this.renderAnswer(
                this.#paying.target,
                (paying) => this.#renderPay(paying),
                () => bones(4),
              )
        }
      </div>
      <slot name="footer"></slot>`;
  }

  get #focused(): Element | null | undefined {
    return this.shadowRoot?.activeElement;
  }

  #renderSteps(now: Step, say: ChoosingWords): TemplateResult {
    const names: Record<Step, string> = {bank: say.stepBank, pay: say.stepPay, done: say.stepDone};
    const reached = STEPS.indexOf(now);
    return html`<ol class="steps" part="steps" aria-label=${say.steps}>
      ${STEPS.map(
        (
          step,
          index,
        ) => html`<li class=${index <= reached ? 'reached' : ''} aria-current=${step === now ? 'step' : nothing}>
          ${names[step]}
        </li>`,
      )}
    </ol>`;
  }

  #renderBanks(say: ChoosingWords): TemplateResult {
    const count = this.#banks.target?.value?.banks.length ?? 0;
    return html`<div class="banks ${count > MANY ? 'long' : ''}">
      <vezne-bank-list
        data-begin
        lang=${this.locale}
        exportparts=${PARTS}
        .offer=${this.offer}
        .session=${this.session}
        .api=${this.address}
        @vezne-bank-select=${this.#onBankSelect}
      ></vezne-bank-list>
      ${
        count > 0
          ? html`<div class="footer" part="footer">
              ${this.#unchosen ? html`<p class="unchosen" role="alert">${say.chooseFirst}</p>` : nothing}
              ${button(say.next, () => this.#onNext(), 'button')}
            </div>`
          : nothing
      }
    </div>`;
  }

  #renderPay({payStep}: typeof Paying): TemplateResult {
    const {locale, offer, session, address: api, purchase} = this;
    return payStep({
      purchase,
      changeBank: () => this.#choice.target?.enter('bank'),
      locale,
      parts: PARTS,
      offer,
      session,
      api,
    });
  }

  /** What begins is read from its top: after a long list of banks, or where a link opened this far down a page. */
  #bringIntoView(): void {
    const {top} = this.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 3) this.scrollIntoView();
  }

  #onChoice(choice: Choice | undefined): void {
    this.#moved ||= this.#stage !== undefined && choice !== undefined && this.#stage !== choice.stage;
    this.#stage = choice?.stage;
  }

  #onBankSelect(): void {
    this.#unchosen = false;
    this.requestUpdate();
  }

  #onNext(): void {
    const choice = this.#choice.target;
    const banks = this.#banks.target?.value?.banks ?? [];
    const bank = banks.length === 1 ? banks[0] : banks.find(({code}) => code === choice?.bank);
    if (bank) {
      choice?.choose(bank.code);
      choice?.enter('pay');
    } else {
      this.#unchosen = true;
      this.#moved = true;
      this.requestUpdate();
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-checkout': VezneCheckout;
  }
}
