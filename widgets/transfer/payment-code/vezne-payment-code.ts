import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, OrderCode} from '../../../worker/contract/browser/answers.ts';
import {timeFormat} from '../../core/format-time.ts';
import {formatPlainAmount} from '../../core/format.ts';
import {StoreController} from '../../core/store.ts';
import {button, skeleton} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {bankTileStyles} from '../bank-list/bank-tile.styles.ts';
import {bankTile} from '../bank-list/bank-tile.ts';
import {copyFallbackStyles} from '../payment/clipboard.ts';
import {
  accountOf,
  findAccount,
  isKept,
  isNewCode,
  isReadOnly,
  isSent,
  paymentStoreOf,
  orderCodeOf,
  partialAmounts,
  requestAccount,
  saveInstructions,
  areInstructionsClosed,
  markSent,
} from '../payment/purchase-payment.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/order-client.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {bankChoice} from './bank-choice.ts';
import {codeGroups, groupedText, ibanGroups, spellOut} from './code-groups.ts';
import {CodeRequest} from './code-request.ts';
import {CopyButtons, type CopyField} from './copy-buttons.ts';
import {Deadline} from './deadline.ts';
import {HandoffToggle} from './handoff-toggle.ts';
import {appLink, originNote, paymentDetails, recipient, stateCard, wayBack} from './payment-details.ts';
import {accountAdvice, amountText, transferAdvice, unsavedNote} from './transfer-advice.ts';
import {styles} from './vezne-payment-code.styles.ts';

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
 * @csspart status - The card with the state of the payment, when there is nothing to send now.
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
  static override properties = {bank: {}, isInner: {attribute: false}};
  static override styles = [VezneElement.styles, bankTileStyles, copyFallbackStyles, styles];

  /** The code of the bank whose account is shown. By default, this is the bank that the shopper chose on this page. */
  bank = '';

  /** Whether the element is in a checkout, which shows the state of the payment next to it. */
  isInner = false;

  protected override readonly messages = paymentMessages;

  protected override readonly purchase = new PurchaseController(this);
  // This controller comes before `#codeRequest`, because the code is requested with the account of the wanted bank.
  readonly #banks = new StoreController(this, () =>
    requestAccount(this, this.purchase.current, this.#wantedBank) ? undefined : bankDirectory(this.address),
  );
  readonly #codeRequest = new CodeRequest(this, () => this.purchase.current);
  readonly #payment = new StoreController(this, () => {
    const {current} = this.purchase;
    return orderCodeOf(current) || this.#codeRequest.needsSeller ? paymentStoreOf(current) : undefined;
  });
  readonly #handoff = new HandoffToggle(this);
  readonly #copyButtons = new CopyButtons(this);
  readonly #deadline = new Deadline(this, () => orderCodeOf(this.purchase.current)?.pay_until);
  #announced: OrderCode | undefined;

  protected override updated(): void {
    super.updated();
    const {current} = this.purchase;
    const orderCode = orderCodeOf(current);
    if (orderCode) saveInstructions(current, orderCode, this.#account);
    else timeFormat(this.locale, 'full'); // The deadline of the code will need this format.
    if (orderCode === this.#announced) return;
    this.#announced = orderCode;
    // This payment was read before the order had its code. A status of the page waits for the code.
    if (orderCode && current.payment?.value?.order_code === null) current.payment.reload();
    if (orderCode && (!this.isInner || isNewCode(current, orderCode)))
      this.dispatchEvent(new OrderCodeEvent(orderCode));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    const orderCode = orderCodeOf(this.purchase.current);
    const payment = this.#payment.store?.value;
    // In a checkout, `vezne-payment-status` shows the state.
    const state = () => (this.isInner ? html`` : stateCard(this.purchase, t, this.locale));
    if (payment?.unclear || (isSettled(payment) && !(payment.state === 'expired' && orderCode))) return state();
    if (!orderCode) return this.#codeRequest.render(t);
    const instructions = this.#renderInstructions(orderCode, t);
    if (!areInstructionsClosed(this.purchase.current)) return instructions;
    return html`${state()}
      <details><summary class="link">${t.details}</summary>${instructions}</details>`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  #renderInstructions(orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const code = orderCode.order_code;
    const groups = codeGroups(code);
    const {current} = this.purchase;
    const isNextStep = !this.#isBankMissing && !isSent(current);
    return html`${originNote(current, t)}
      <section class="slip" part="slip" aria-labelledby="code-label">
        <h3 id="code-label">${t.codeLabel}</h3>
        <p class="code" part="code">
          ${groupedText(groups, true)}<span class="visually-hidden">${spellOut(groups)}</span>
        </p>
        <div class="tear" aria-hidden="true"></div>
        ${this.#copyButtons.button('code', code, t, isNextStep)} ${this.#copyButtons.fallback(t, code)}
        ${this.#deadline.render(t, this.locale)}
      </section>
      ${isKept(current) ? nothing : unsavedNote(this.#renderCopyAll(orderCode, t), t)}
      ${this.#renderAccount(t)}<dl>${this.#renderAmount(orderCode, t)}</dl>
      ${isNextStep ? transferAdvice(!!partialAmounts(current), t) : nothing}
      ${this.#renderWays(orderCode, t)} ${isReadOnly(current) || !this.#account ? nothing : this.#handoff.render(t)}
      <span class="visually-hidden" role="status">${this.#copyButtons.announcement(t)}</span>`;
  }

  #renderWays(orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const account = this.#account;
    const {current} = this.purchase;
    const back = wayBack(this.purchase, t);
    return html`<div class="ways">
      ${account?.app_url ? appLink(account.app_url, account.name, t) : nothing}
      ${isKept(current) ? this.#renderCopyAll(orderCode, t, 'link') : nothing}
      ${account && !areInstructionsClosed(current) ? button(t.sent, () => this.#onSent()) : nothing}
      ${back && current.isFromHandoff ? button(back.label, back.press, 'link') : nothing}
    </div>`;
  }

  #renderCopyAll(orderCode: OrderCode, t: PaymentMessages, style?: 'link'): TemplateResult {
    const [account, amount] = [this.#account, this.#amountDue(orderCode)];
    return this.#copyButtons.all(account && paymentDetails({orderCode, account, amount}, t, this.locale), t, style);
  }

  #onSent(): void {
    markSent(this.purchase.current);
    // The button has disappeared. In a checkout, the focus moves to the state of the payment.
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h3[tabindex], summary')?.focus());
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
        ${accountAdvice(!!this.#wantedBank, this.isInner, t)}
        <slot name="account">${this.isInner ? nothing : bankChoice(this, t)}</slot>
      </div>`;
    }
    return html`<div class="account">
        ${bankTile(bank, this.address)}
        <span class="name"><small>${t.account}</small>${bank.name}</span>
        <slot name="account"></slot>
      </div>
      <dl>
        ${this.#renderRow('iban', bank.iban, groupedText(ibanGroups(bank.iban)), t)}
        ${this.#renderRow('holder', bank.account_holder, recipient(bank, orderCodeOf(this.purchase.current)?.seller, t), t)}
      </dl>`;
  }

  #renderAmount(orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const sum = this.#amountDue(orderCode);
    const partial = partialAmounts(this.purchase.current);
    // Turkish banks read a comma before the kuruş, whatever the language of the page.
    const displayed = amountText(sum, this.isInner ? undefined : partial, t, this.locale);
    return this.#renderRow('amount', formatPlainAmount(sum, 'tr'), displayed, t, partial && t.amountRemainingLabel);
  }

  #amountDue({amount}: OrderCode): string {
    return partialAmounts(this.purchase.current)?.remaining ?? this.#payment.store?.value?.amount ?? amount;
  }

  #renderRow(
    field: Exclude<CopyField, 'all'>,
    text: string,
    displayed: TemplateResult,
    t: PaymentMessages,
    label = t[`${field}Label`],
  ): TemplateResult {
    return html`<div class="row" part="row">
      <dt>${label}</dt>
      <dd>${displayed}</dd>
      <dd class="action">${this.#copyButtons.button(field, text, t)}</dd>
      <dd class="fallback">${this.#copyButtons.fallback(t, text)}</dd>
    </div>`;
  }

  /** The code of the bank whose account is to be shown. */
  get #wantedBank(): string | undefined {
    return this.bank || this.purchase.checkout?.bank;
  }

  /** Whether the shopper has to choose a bank first. */
  get #isBankMissing(): boolean {
    return this.#banks.store?.value !== undefined && !this.#account;
  }

  get #account(): Bank | undefined {
    return accountOf(this.purchase.current, this.#wantedBank, this.#banks.store?.value?.banks);
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
