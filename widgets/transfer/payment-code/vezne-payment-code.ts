import {html, nothing, render, type PropertyValues, type TemplateResult} from 'lit';
import type {OrderCode} from '../../../worker/contract/browser/answers.ts';
import {onIdle} from '../../core/async.ts';
import {codeGroups, groupedText, groupStyles, ibanGroups, spellOut} from '../../core/code-groups.ts';
import {StoreController} from '../../core/store.ts';
import {button, skeleton} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {bankTileStyles} from '../bank-list/bank-tile.styles.ts';
import {bankTile} from '../bank-list/bank-tile.ts';
import {endCard, outcomeElements} from '../payment-status/end-card.ts';
import {requestAccount} from '../payment/instructions.ts';
import {next} from '../payment/payment-events.ts';
import {paymentStoreOf} from '../payment/payment-of-purchase.ts';
import {paymentView, type PaymentView} from '../payment/payment-view.ts';
import {wordsOf} from '../payment/payment-words.ts';
import {formatPlainAmount} from '../payment/plain-amount.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isBrought} from '../purchase/facts.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {bankChoice, elementBeside} from './bank-choice.ts';
import {CodeRequest} from './code-request.ts';
import {CopyButtons, type CopyField} from './copy-buttons.ts';
import {Deadline} from './deadline.ts';
import {HandoffToggle} from './handoff-toggle.ts';
import {appLink, leaveButton, originNote, paymentDetails, recipient} from './payment-details.ts';
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
 * @event {PurchaseEvent} vezne-purchase - All money of an order has arrived; once in this browser.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @slot account - Shown next to the account's name, for example a button to choose another bank.
 * @csspart base - The card around everything.
 * @csspart status - The card with the state of the payment, when there is nothing to send now.
 * @csspart title - The heading of the card that ends the payment.
 * @csspart transaction - Each transfer that arrived.
 * @csspart slip - The card with the order code.
 * @csspart code - The order code.
 * @csspart row - Each row of the account, or of the card that ends the payment.
 * @csspart advice - Advice for the transfer.
 * @csspart qr - The QR code that opens the order on a phone.
 * @csspart copy - Each copy button.
 * @csspart logo - The logo or initials of the bank.
 * @csspart field - Each field of the form that asks who buys.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button that is not a copy button.
 */
export class VeznePaymentCode extends VezneElement<PaymentMessages> {
  static readonly tag = 'vezne-payment-code';
  static override properties = {bank: {}, isInner: {attribute: false}, reference: {}, metadata: {}};
  static override styles = [VezneElement.styles, bankTileStyles, groupStyles, styles];

  /** What the page calls the order, for the merchant. The merchant must not rely on it: a shopper can change it. */
  declare reference: string;

  /** More of it: up to ten texts, as JSON such as `{"size":"L"}`. */
  declare metadata: string;

  /** Id of the account that is shown, or code of its bank. By default, this is the bank that the shopper chose on this page. */
  declare bank: string;

  /** Whether the element is in a checkout, which shows the state of the payment next to it. */
  isInner = false;

  protected override readonly messages = paymentMessages;

  protected override readonly purchase = new PurchaseController(this);
  // This controller comes before `#codeRequest`, because the code is requested with the account of the wanted bank.
  readonly #banks = new StoreController(
    this,
    () => (requestAccount(this, this.purchase.current, this.#wantedBank) ? undefined : bankDirectory(this.address)),
    () => onIdle(() => this.#rehearse()),
  );
  readonly #codeRequest = new CodeRequest(this, () => this.purchase.current);
  readonly #payment = new StoreController(this, () =>
    this.#view().code || this.#codeRequest.needsPayment ? paymentStoreOf(this.purchase.current) : undefined,
  );
  /** Loaded while the shopper waits, so that the focus can move to the card. */
  readonly #outcome = new StoreController(this, () => {
    const isKnown = this.#payment.store?.value || this.#view().isLost;
    return this.#codeRequest.needsPayment || (!this.isInner && isKnown) ? outcomeElements : undefined;
  });
  readonly #handoff = new HandoffToggle(this);
  readonly #copyButtons = new CopyButtons(this);
  /** Beside a code, only the account can be missing. */
  get assurance(): string | undefined {
    return this.#view().code && this.t.accountMissing;
  }

  readonly #deadline = new Deadline(this, () => this.#view().code?.pay_until);
  #announced: OrderCode | undefined;
  /** The code and the account that the element shows. */
  #shown: string | undefined;

  /** The purchase learns of the code before the code is rendered, because it renders all its elements then. */
  protected override update(changed: PropertyValues): void {
    const {code, account} = this.#view();
    // Only after a change, so that two elements with different banks do not take turns for ever.
    const shown = code && `${code.order_code} ${account?.iban}`;
    if (code && shown !== this.#shown) this.purchase.current.send({is: 'code-shown', orderCode: code, account}, next);
    this.#shown = shown;
    super.update(changed);
  }

  protected override updated(): void {
    super.updated();
    const {current} = this.purchase;
    const {code} = this.#view();
    if (code === this.#announced) return;
    this.#announced = code;
    // This payment was read before the order had its code. A status of the page waits for the code.
    if (code && current.payment?.value?.order_code === null) current.payment.reload();
    // A checkout renders the code anew when the instructions close or open, and after a change of the bank.
    const owner = this.isInner ? this.getRootNode() : this;
    if (!code || announcedCodes.get(owner) === code.order_code) return;
    announcedCodes.set(owner, code.order_code);
    this.dispatchEvent(new OrderCodeEvent(code, !!this.#payment.store?.isNews(code.order_code)));
  }

  protected override renderContent(t: PaymentMessages): TemplateResult {
    const view = this.#view();
    if (!view.code)
      return this.#payment.store && view.isOver
        ? this.#renderState(view, t)
        : this.#codeRequest.render(view, this.#outcome.store, this.purchase);
    if (view.instructions === 'hidden') return this.#renderState(view, t);
    const instructions = this.#renderInstructions(view, view.code, t);
    if (view.instructions === 'open') return instructions;
    return html`${this.#renderState(view, t)}
      <details><summary class="link">${t.details}</summary>${instructions}</details>`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  /**
   * The state of a payment that has ended, or for which the shopper need not send money now. A `vezne-payment-status` of
   * the page has the card that ends the payment; in a checkout, it says everything.
   */
  #renderState(view: PaymentView, t: PaymentMessages): TemplateResult {
    if (this.isInner) return html``;
    if (!view.isEnded || elementBeside(this, 'vezne-payment-status')) {
      const {title, text} = wordsOf(view, t, this.locale);
      return html`<div class="card" part="status">
        <h3 tabindex="-1" data-autofocus>${title}</h3>
        <p class="muted">${text}</p>
      </div>`;
    }
    return this.renderQuery(
      this.#outcome.store,
      () => endCard(this.locale, {view, leave: this.purchase.startOver?.press}),
      () => skeleton(1),
    );
  }

  #renderInstructions(view: PaymentView, orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const code = orderCode.order_code;
    const groups = codeGroups(code);
    const isNextStep = view.action === 'copy-code';
    const hasHandoff = !view.isReadOnly && !!view.account;
    const content = html`${originNote(this.purchase.facts, t)}
      <section class="slip" part="slip" aria-labelledby="code-label">
        <h3 id="code-label">${t.codeLabel}</h3>
        <p class="code" part="code">
          ${groupedText(groups, true)}<span class="visually-hidden">${spellOut(groups)}</span>
        </p>
        <div class="tear" aria-hidden="true"></div>
        ${this.#copyButtons.button('code', code, t, isNextStep && !this.#deadline.warning(t))} ${this.#copyButtons.fallback(code)}
        ${this.#deadline.render(orderCode.pay_until, t, this.locale)}
      </section>
      ${view.isKept ? nothing : unsavedNote(this.#renderCopyAll(view, orderCode, t), t)}
      ${this.#renderAccount(view, t)}<dl>${this.#renderAmount(view, orderCode, t)}</dl>
      ${isNextStep ? transferAdvice(view.part ? !this.isInner && t.views.partial[1] : this.#deadline.warning(t) ? t.overSoon : t.payOnce, t) : nothing}
      ${this.#renderWays(view, orderCode, t)}
      <span class="visually-hidden" role="status">${this.#copyButtons.announcement(t) || this.#deadline.warning(t)}</span>`;
    return this.#handoff.isBeside && hasHandoff && view.instructions === 'open'
      ? html`<div class="beside"><div>${content}</div>${this.#handoff.renderPanel()}</div>`
      : html`${content}${hasHandoff ? this.#handoff.renderPanel() : nothing}`;
  }

  #renderWays(view: PaymentView, orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const {account} = view;
    const {startOver, facts} = this.purchase;
    // On the device of a hand-off, a new payment is no next step before this one has ended.
    const mayLeave = isBrought(facts) && (view.leavesTo === 'own-order' || view.isEnded);
    return html`<div class="ways">
      ${account?.app_url ? appLink(account.app_url, account.name, t) : nothing}
      ${account && view.instructions === 'open' ? button(t.sent, () => this.#onSent()) : nothing}
      <div class="links">
        ${view.isKept ? this.#renderCopyAll(view, orderCode, t, 'link') : nothing}
        ${mayLeave ? leaveButton(view, startOver, t) : nothing}
        ${view.isReadOnly || !account ? nothing : this.#handoff.renderButton(t)}
      </div>
    </div>`;
  }

  #renderCopyAll(view: PaymentView, orderCode: OrderCode, t: PaymentMessages, style?: 'link'): TemplateResult {
    const {account} = view;
    const details = account && {orderCode, account, amount: amountDue(view, orderCode)};
    return this.#copyButtons.all(details && paymentDetails(details, t, this.locale), t, style);
  }

  #onSent(): void {
    this.purchase.current.send({is: 'money-sent', at: Date.now()}, next);
    // The button has disappeared. In a checkout, the focus moves to the state of the payment.
    void this.updateComplete.then(() => this.find('h3[tabindex], summary')?.focus());
  }

  #renderAccount({account, code}: PaymentView, t: PaymentMessages): TemplateResult {
    if (!account)
      return this.renderQuery(
        this.#banks.store,
        () => this.#renderChoice(t),
        () => skeleton(3),
      );
    const {name, iban, account_holder: holder} = account;
    return html`<div class="account">
        ${bankTile(account, this.address)}
        <span class="name"><small>${t.account}</small><bdi translate="no">${name}</bdi></span>
        <slot name="account"></slot>
      </div>
      <dl>
        ${this.#renderRow('iban', iban, groupedText(ibanGroups(iban)), t)}
        ${this.#renderRow('holder', holder, recipient(account, code?.seller, t), t)}
      </dl>`;
  }

  #renderChoice(t: PaymentMessages): TemplateResult {
    return html`<div class="account">
      ${accountAdvice(!!this.#wantedBank, t)}
      <slot name="account">${this.isInner ? nothing : bankChoice(this, t)}</slot>
    </div>`;
  }

  #renderAmount(view: PaymentView, orderCode: OrderCode, t: PaymentMessages): TemplateResult {
    const {part} = view;
    const sum = amountDue(view, orderCode);
    // Turkish banks read a comma before the kuruş, whatever the language of the page.
    const displayed = amountText(sum, this.isInner ? undefined : part, t, this.locale);
    return this.#renderRow('amount', formatPlainAmount(sum, 'tr'), displayed, t, part && t.amountRemainingLabel);
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
      <dd class="fallback">${this.#copyButtons.fallback(text)}</dd>
    </div>`;
  }

  /** The account that is to be shown. */
  get #wantedBank(): string {
    return this.bank || this.purchase.facts.bank;
  }

  #view(facts = this.purchase.facts): PaymentView {
    const {bank, isInner} = this;
    const banks = this.#banks.store?.value?.banks;
    return paymentView(facts, Date.now(), {in: isInner ? 'checkout' : 'code', bank, banks});
  }

  /**
   * Lays out the instructions while the code is on its way, and takes them away before the browser draws. When the code
   * arrives, the browser has their templates, fonts and formats.
   */
  #rehearse(): void {
    if (!this.isConnected) return;
    const {facts} = this.purchase;
    const value = {order_code: '0', amount: '0.00', pay_until: '2026'} as OrderCode;
    // The hand-off of an order needs its code.
    const view = {...this.#view({...facts, orderCode: {status: 'done', value}}), isReadOnly: true};
    if (!view.account || facts.orderCode.status !== 'pending') return;
    const stage = document.createElement('div');
    render(this.#renderInstructions(view, value, this.t), stage);
    this.find('.base')?.append(stage);
    void stage.offsetHeight;
    stage.remove();
  }
}

function amountDue({part, amount}: PaymentView, orderCode: OrderCode): string {
  return part?.remaining ?? amount?.sum ?? orderCode.amount;
}

/** The order code for which an element, or the root of a checkout, has dispatched `vezne-order-code`. */
const announcedCodes = new WeakMap<Node, string>();

/** The order has a code, so the shopper can pay. The page's first event for a code bubbles. */
export class OrderCodeEvent extends VezneEvent {
  readonly orderCode: OrderCode;
  /** An order of an offer also has the fields of its session, which the event leaves out. */
  constructor({order_code, order, amount, currency, pay_until, account, seller}: OrderCode, bubbles: boolean) {
    super('vezne-order-code', bubbles);
    this.orderCode = {order_code, order, amount, currency, pay_until, account, seller};
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
