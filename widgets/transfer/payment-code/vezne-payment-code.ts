import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import {lazyElements} from '../../core/define.ts';
import {VezneEvent} from '../../core/events.ts';
import {formatAmount, plainAmount, formatTime} from '../../core/format.ts';
import {property} from '../../core/property.ts';
import {Watching} from '../../core/store.ts';
import {bones, button} from '../../core/templates.ts';
import type {PayingWords} from '../../locales/payment.ts';
import {bankTileStyles} from '../bank-list/bank-tile.styles.ts';
import {bankTile} from '../bank-list/bank-tile.ts';
import {outcome} from '../payment-status/outcomes.ts';
import {byHandStyles} from '../payment/clipboard.ts';
import {PayingElement} from '../payment/payment-element.ts';
import {codeOf, keepSlip, slipOf} from '../payment/saved-instructions.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/validate-order.ts';
import {codeGroups, ibanGroups, spelled} from './code-groups.ts';
import {Copying, type CopyField} from './copy-buttons.ts';
import {styles} from './vezne-payment-code.styles.ts';

const handoffElements = lazyElements(() => import('../../bundles/handoff.ts'));

/**
 * Shows what a shopper writes into their bank's app: the order code above all, then IBAN, recipient and amount, each
 * to be copied. After a payment of less than the amount it asks for what remains.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-payment-code
 * @event {OrderCodeEvent} vezne-order-code - The order has a code.
 * @event {CopyEvent} vezne-copy - The shopper copied something.
 * @event {ProblemEvent} vezne-error - There is no code, or no account.
 * @slot account - Beside the account's name; a way to choose another bank.
 * @csspart base - Everything.
 * @csspart slip - The slip with the code.
 * @csspart code - The code itself.
 * @csspart row - Each row of the account.
 * @csspart advice - What to keep in mind.
 * @csspart qr - The QR code that opens the order on a phone.
 * @csspart copy - Each button that copies.
 * @csspart logo - The logo or initials of the bank.
 * @csspart problem - What is said when something cannot be had.
 * @csspart button - The way on from there.
 */
export class VeznePaymentCode extends PayingElement {
  static readonly tag = 'vezne-payment-code';
  static override styles = [PayingElement.styles, bankTileStyles, byHandStyles, styles];

  /** Code of the bank whose account is shown; by default the one chosen on this page. */
  @property() bank = '';

  readonly #code = new Watching(this, () => this.purchase.orderCode);
  readonly #banks = new Watching(this, () => bankDirectory(this.address));
  readonly #choice = new Watching(this, () => this.purchase.choice);
  readonly #payment = new Watching(this, () => (codeOf(this.purchase) ? this.payment : undefined));
  readonly #handoff = new Watching(this, () => (this.#isPhoneWanted ? handoffElements : undefined));
  readonly #copying = new Copying(this);
  #isPhoneWanted = false;
  #announced: OrderCode | undefined;

  protected override updated(): void {
    super.updated();
    const orderCode = codeOf(this.purchase);
    if (orderCode) keepSlip(this.purchase, orderCode, this.#account);
    if (orderCode === this.#announced) return;
    this.#announced = orderCode;
    if (orderCode) this.dispatchEvent(new OrderCodeEvent(orderCode));
  }

  protected override renderIn(say: PayingWords): TemplateResult {
    const orderCode = codeOf(this.purchase);
    const payment = this.#payment.target?.value;
    if (isSettled(payment)) return this.#renderSettled(payment, say);
    return orderCode
      ? this.#renderSlip(orderCode, say)
      : this.renderAnswer(this.#code.target, () => this.renderSkeleton());
  }

  protected override renderSkeleton(): TemplateResult {
    return bones(4);
  }

  /** Nobody is asked to send what has arrived. */
  #renderSettled(payment: Payment, say: PayingWords): TemplateResult {
    const {title, text} = outcome(payment, say, this.locale);
    return html`<div class="card"><h3 tabindex="-1" data-begin>${title}</h3><p class="muted">${text}</p></div>`;
  }

  #renderSlip(orderCode: OrderCode, say: PayingWords): TemplateResult {
    const code = orderCode.order_code;
    const groups = codeGroups(code);
    const partial = this.#payment.target?.value?.state === 'partial';
    return html`${this.#renderNote(say)}
      <section class="slip" part="slip" aria-labelledby="code-label">
        <h3 id="code-label">${say.codeLabel}</h3>
        <p class="code" part="code">
          ${this.#renderGroups(groups, true)}<span class="unseen">${spelled(groups)}</span>
        </p>
        <div class="tear" aria-hidden="true"></div>
        ${this.#copying.button('code', code, say)} ${this.#copying.byHand('code', code, say)}
        ${orderCode.pay_until ? this.#renderUntil(orderCode.pay_until, say) : nothing}
      </section>
      ${this.#renderAccount(say)}
      <dl>${this.#renderSum(orderCode, say)}</dl>
      <ul class="advice muted" part="advice">
        ${partial ? nothing : html`<li>${say.payOnce}</li>`}
        <li>${say.codeOnly}</li>
      </ul>
      ${this.#renderPhone(say)}
      <span class="unseen" role="status">${this.#copying.news(say)}</span>`;
  }

  #renderUntil(time: string, say: PayingWords): TemplateResult {
    return html`<p class="until">${say.payUntil} <time datetime=${time}>${formatTime(time, this.locale, 'full')}</time></p>`;
  }

  /** What to know before paying: that the order came by a link, or that nobody will see here that it was paid. */
  #renderNote(say: PayingWords): TemplateResult | typeof nothing {
    const {isLost, isBrought, own, purchase} = this.purchase;
    const isOwnWaiting = isBrought && (purchase.session !== '' || own.read().stage === 'pay');
    if (!this.onlyReads) return nothing;
    const {startOver} = this;
    return html`<div class="origin" part="advice">
      <p>${isLost ? say.lost : say.begunElsewhere}</p>
      ${startOver ? button(isOwnWaiting ? say.backToOwn : startOver.label, startOver.press, 'link') : nothing}
    </div>`;
  }

  #renderPhone(say: PayingWords): TemplateResult | typeof nothing {
    if (this.onlyReads) return nothing;
    return html`<div class="phone">
      <button type="button" class="link" part="button" aria-expanded=${this.#isPhoneWanted} @click=${this.#onPhone}>
        ${say.openOnPhone}
      </button>
      ${
        this.#isPhoneWanted
          ? this.renderAnswer(
              this.#handoff.target,
              () => this.#renderHandoff(),
              () => bones(1),
            )
          : nothing
      }
    </div>`;
  }

  #renderHandoff(): TemplateResult {
    return html`<vezne-handoff
      lang=${this.locale}
      exportparts="qr,button,problem"
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
    ></vezne-handoff>`;
  }

  #renderAccount(say: PayingWords): TemplateResult {
    const account = this.#account;
    if (account) return this.#renderBank(account, say);
    return this.renderAnswer(
      this.#banks.target,
      ({banks}) => this.#renderBank(this.#bankAmong(banks), say),
      () => bones(3),
    );
  }

  #renderBank(bank: Bank | undefined, say: PayingWords): TemplateResult {
    if (!bank) {
      const wanted = this.bank || this.#choice.target?.bank;
      return html`<div class="account">
        <span class="name">${wanted ? say.bankGone : say.bankUnchosen}</span><slot name="account"></slot>
      </div>`;
    }
    return html`<div class="account">
        ${bankTile(bank, this.address)}
        <span class="name"><small>${say.account}</small>${bank.name}</span>
        <slot name="account"></slot>
      </div>
      <dl>
        ${this.#renderRow('iban', bank.iban, this.#renderGroups(ibanGroups(bank.iban)), say)}
        ${this.#renderRow('holder', bank.account_holder, html`${bank.account_holder}`, say)}
      </dl>`;
  }

  #renderSum({amount}: OrderCode, say: PayingWords): TemplateResult {
    const payment = this.#payment.target?.value;
    const partial = payment?.state === 'partial';
    const sum = partial ? payment.remaining : (payment?.amount ?? amount);
    const shown = html`<b>${formatAmount(sum, this.locale)}</b>`;
    const label = partial ? say.amountRemainingLabel : say.amountLabel;
    return this.#renderRow('amount', plainAmount(sum, this.locale), shown, say, label);
  }

  #renderRow(
    field: CopyField,
    text: string,
    shown: TemplateResult,
    say: PayingWords,
    label = say[`${field}Label`],
  ): TemplateResult {
    return html`<div class="row" part="row">
      <dt>${label}</dt>
      <dd>${shown}</dd>
      <dd class="action">${this.#copying.button(field, text, say)}</dd>
      <dd class="hand">${this.#copying.byHand(field, text, say)}</dd>
    </div>`;
  }

  /** No spaces between groups, so that text selected by hand has none either. */
  #renderGroups(groups: readonly string[], isSpelled = false): TemplateResult {
    return html`<bdi class="groups" translate="no" aria-hidden=${isSpelled}
      >${groups.map((group) => html`<span>${group}</span><wbr />`)}</bdi
    >`;
  }

  /** The account to send to: as it is listed now, else as it was shown before where the list cannot be had or says no more of this order. */
  get #account(): Bank | undefined {
    const banks = this.#banks.target?.value?.banks;
    const listed = banks && this.#bankAmong(banks);
    const {isLost} = this.purchase;
    const account = slipOf(this.purchase)?.account;
    const isWanted = account?.code === (this.bank || this.#choice.target?.bank);
    return listed ?? (isWanted && (!banks || isLost) ? account : undefined);
  }

  #bankAmong(banks: readonly Bank[]): Bank | undefined {
    const wanted = this.bank || this.#choice.target?.bank;
    return banks.find(({code}) => code === wanted) ?? (banks.length === 1 ? banks[0] : undefined);
  }

  #onPhone(): void {
    this.#isPhoneWanted = !this.#isPhoneWanted;
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-code': VeznePaymentCode;
  }
}

/** The order has a code: from now on the shopper can pay. */
export class OrderCodeEvent extends VezneEvent {
  static readonly type = 'vezne-order-code';
  constructor(readonly orderCode: OrderCode) {
    super(OrderCodeEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-order-code': OrderCodeEvent;
  }
}
