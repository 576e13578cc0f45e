import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import {lazyElements} from '../../core/define.ts';
import {formatTime, timeFormat} from '../../core/format-time.ts';
import {formatAmount, formatPlainAmount} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {bankTileStyles} from '../bank-list/bank-tile.styles.ts';
import {bankTile} from '../bank-list/bank-tile.ts';
import {paymentOutcome} from '../payment-status/outcomes.ts';
import {copyFallbackStyles} from '../payment/clipboard.ts';
import {
  findAccount,
  isAccountAwaited,
  isReadOnly,
  paymentStoreOf,
  orderCodeOf,
  saveInstructions,
  savedInstructions,
} from '../payment/purchase-payment.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/order-client.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {codeGroups, groupedText, ibanGroups, spellOut} from './code-groups.ts';
import {CopyButtons, type CopyField} from './copy-buttons.ts';
import {styles} from './vezne-payment-code.styles.ts';

const handoffElements = lazyElements(() => import('../../bundles/handoff.ts'));
const humanCheckBundle = lazyElements(() => import('../../bundles/human-check.ts'));

/**
 * Shows what a shopper enters in their bank's app: first the order code, then IBAN, recipient and amount. Each of them
 * has a copy button. After a partial payment, the element shows the remaining amount.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-payment-code
 * @event {OrderCodeEvent} vezne-order-code - The order has a code.
 * @event {CopyEvent} vezne-copy - The shopper copied the code or another field.
 * @event {ProblemEvent} vezne-error - The code or the account could not be loaded.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot account - Shown next to the account's name, for example a button to choose another bank.
 * @csspart base - The card around everything.
 * @csspart slip - The card with the order code.
 * @csspart code - The order code.
 * @csspart row - Each row of the account.
 * @csspart advice - Advice for the transfer.
 * @csspart qr - The QR code that opens the order on a phone.
 * @csspart copy - Each copy button.
 * @csspart logo - The logo or initials of the bank.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button that is not a copy button.
 */
export class VeznePaymentCode extends VezneElement<PaymentMessages> {
  static readonly tag = 'vezne-payment-code';
  static override properties = {bank: {}};
  static override styles = [VezneElement.styles, bankTileStyles, copyFallbackStyles, styles];

  /** The code of the bank whose account is shown. By default, this is the bank that the shopper chose on this page. */
  bank = '';

  protected override readonly messages = paymentMessages;

  protected override readonly purchase = new PurchaseController(this);
  readonly #code = new StoreController(this, () => this.purchase.current.orderCode);
  readonly #banks = new StoreController(this, () =>
    isAccountAwaited(this.purchase.current, this.#wantedBank) ? undefined : bankDirectory(this.address),
  );
  readonly #payment = new StoreController(this, () => {
    const {current} = this.purchase;
    return orderCodeOf(current) ? paymentStoreOf(current) : undefined;
  });
  readonly #handoff = new StoreController(this, () => (this.#isHandoffOpen ? handoffElements : undefined));
  readonly #copyButtons = new CopyButtons(this);
  readonly #humanCheck = new StoreController(this, () =>
    this.#orderCodeProblem?.code.startsWith('human_check_') ? humanCheckBundle : undefined,
  );
  #isHandoffOpen = false;
  #announced: OrderCode | undefined;

  protected override updated(): void {
    super.updated();
    const {current} = this.purchase;
    const orderCode = orderCodeOf(current);
    if (orderCode) saveInstructions(current, orderCode, this.#account);
    else timeFormat(this.locale, 'full'); // The deadline of the code will need this format.
    if (orderCode === this.#announced) return;
    this.#announced = orderCode;
    if (orderCode) this.dispatchEvent(new OrderCodeEvent(orderCode));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    const orderCode = orderCodeOf(this.purchase.current);
    const payment = this.#payment.store?.value;
    if (isSettled(payment)) return this.#renderSettled(payment, t);
    return orderCode
      ? this.#renderInstructions(orderCode, t)
      : html`${this.renderQuery(this.#code.store, () => this.renderSkeleton())}${
          this.#humanCheck.store
            ? this.renderQuery(
                this.#humanCheck.store,
                ({humanCheck}) =>
                  humanCheck({
                    purchase: this.purchase.current,
                    problem: this.#orderCodeProblem,
                    retry: this.#onHumanCheckPassed,
                  }),
                () => html``,
              )
            : nothing
        }`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  /** After the payment is settled, the outcome replaces the instructions. */
  #renderSettled(payment: Payment, t: PaymentMessages): TemplateResult {
    const {title, text} = paymentOutcome(payment, t, this.locale);
    return html`<div class="card"><h3 tabindex="-1" data-autofocus>${title}</h3><p class="muted">${text}</p></div>`;
  }

  #renderInstructions(orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const code = orderCode.order_code;
    const groups = codeGroups(code);
    const partial = this.#payment.store?.value?.state === 'partial';
    return html`${this.#renderReadOnlyNote(t)}
      <section class="slip" part="slip" aria-labelledby="code-label">
        <h3 id="code-label">${t.codeLabel}</h3>
        <p class="code" part="code">
          ${groupedText(groups, true)}<span class="visually-hidden">${spellOut(groups)}</span>
        </p>
        <div class="tear" aria-hidden="true"></div>
        ${this.#copyButtons.button('code', code, t)} ${this.#copyButtons.fallback('code', code, t)}
        ${orderCode.pay_until ? this.#renderUntil(orderCode.pay_until, t) : nothing}
      </section>
      ${this.#renderAccount(t)}<dl>${this.#renderAmount(orderCode, t)}</dl>
      <ul class="advice muted" part="advice">
        ${partial ? nothing : html`<li>${t.payOnce}</li>`}
        <li>${t.codeOnly}</li>
      </ul>
      ${this.#renderHandoffToggle(t)}
      <span class="visually-hidden" role="status">${this.#copyButtons.announcement(t)}</span>`;
  }

  #renderUntil(time: string, t: PaymentMessages): TemplateResult {
    return html`<p class="until">${t.payUntil} <time datetime=${time}>${formatTime(time, this.locale, 'full')}</time></p>`;
  }

  /**
   * Renders a warning before the shopper pays: the order was started on another device, or this page can no longer show
   * whether the order is paid.
   */
  #renderReadOnlyNote(t: PaymentMessages): TemplateResult | typeof nothing {
    const {startOver, current} = this.purchase;
    const {isSessionEnded, isFromHandoff, ownStorage, key} = current;
    if (!isReadOnly(current)) return nothing;
    const isOwnWaiting = isFromHandoff && (key.session !== '' || ownStorage.read().stage === 'pay');
    return html`<div class="origin" part="advice">
      <p>${isSessionEnded ? t.lost : t.begunElsewhere}</p>
      ${startOver ? button(isOwnWaiting ? t.backToOwn : startOver.label, startOver.press, 'link') : nothing}
    </div>`;
  }

  #renderHandoffToggle(t: PaymentMessages): TemplateResult | typeof nothing {
    if (isReadOnly(this.purchase.current)) return nothing;
    return html`<div class="phone">
      <button type="button" class="link" part="button" aria-expanded=${this.#isHandoffOpen} @click=${this.#onHandoffToggle}>
        ${t.openOnPhone}
      </button>
      ${
        this.#isHandoffOpen
          ? this.renderQuery(
              this.#handoff.store,
              () => this.#renderHandoff(),
              () => skeleton(1),
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

  #renderAccount(t: PaymentMessages): TemplateResult {
    const account = this.#account;
    if (account) return this.#renderBank(account, t);
    return this.renderQuery(
      this.#banks.store,
      ({banks}) => this.#renderBank(findAccount(this.purchase.current, banks, this.#wantedBank), t),
      () => skeleton(3),
    );
  }

  #renderBank(bank: Bank | undefined, t: PaymentMessages): TemplateResult {
    if (!bank) {
      return html`<div class="account">
        <span class="name">${this.#wantedBank ? t.bankGone : t.bankUnchosen}</span><slot name="account"></slot>
      </div>`;
    }
    return html`<div class="account">
        ${bankTile(bank, this.address)}
        <span class="name"><small>${t.account}</small>${bank.name}</span>
        <slot name="account"></slot>
      </div>
      <dl>
        ${this.#renderRow('iban', bank.iban, groupedText(ibanGroups(bank.iban)), t)}
        ${this.#renderRow('holder', bank.account_holder, html`${bank.account_holder}`, t)}
      </dl>`;
  }

  #renderAmount({amount}: OrderCode, t: PaymentMessages): TemplateResult {
    const payment = this.#payment.store?.value;
    const partial = payment?.state === 'partial';
    const sum = partial ? payment.remaining : (payment?.amount ?? amount);
    const displayed = html`<b>${formatAmount(sum, this.locale)}</b>`;
    const label = partial ? t.amountRemainingLabel : t.amountLabel;
    return this.#renderRow('amount', formatPlainAmount(sum, 'tr'), displayed, t, label);
  }

  #renderRow(
    field: CopyField,
    text: string,
    displayed: TemplateResult,
    t: PaymentMessages,
    label = t[`${field}Label`],
  ): TemplateResult {
    return html`<div class="row" part="row">
      <dt>${label}</dt>
      <dd>${displayed}</dd>
      <dd class="action">${this.#copyButtons.button(field, text, t)}</dd>
      <dd class="fallback">${this.#copyButtons.fallback(field, text, t)}</dd>
    </div>`;
  }

  /** The code of the bank whose account is to be shown. */
  get #wantedBank(): string | undefined {
    return this.bank || this.purchase.checkout?.bank;
  }

  /**
   * The account to which the shopper sends the money. It comes with the code. If an older Worker sent the code without
   * an account, or that of another bank, it comes from the list of banks. The saved account is used if the list is not
   * loaded, or if the session has ended and the bank is no longer in the list.
   */
  get #account(): Bank | undefined {
    const {current} = this.purchase;
    const answered = orderCodeOf(current)?.account;
    if (answered && (!this.#wantedBank || this.#wantedBank === answered.code)) return answered;
    const banks = this.#banks.store?.value?.banks;
    const listed = banks && findAccount(this.purchase.current, banks, this.#wantedBank);
    const account = savedInstructions(current)?.account;
    const isWanted = account?.code === this.#wantedBank;
    return listed ?? (isWanted && (!banks || current.isSessionEnded) ? account : undefined);
  }

  #onHandoffToggle(): void {
    this.#isHandoffOpen = !this.#isHandoffOpen;
    this.requestUpdate();
  }

  readonly #onHumanCheckPassed = (human: string) => {
    this.purchase.current.humanToken = human;
    this.purchase.current.orderCode.reload();
  };

  /** Why there is no order code. */
  get #orderCodeProblem(): Problem | undefined {
    const {result} = this.purchase.current.orderCode;
    return result.status === 'failed' ? result.problem : undefined;
  }
}

/** The order has a code, so the shopper can pay. */
export class OrderCodeEvent extends VezneEvent {
  constructor(readonly orderCode: OrderCode) {
    super('vezne-order-code');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-code': VeznePaymentCode;
  }
  interface GlobalEventHandlersEventMap {
    'vezne-order-code': OrderCodeEvent;
  }
}
