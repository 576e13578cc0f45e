import {html, nothing, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {codeGroups, groupedText, groupStyles} from '../../core/code-groups.ts';
import {formatMoney} from '../../core/format-money.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {INTL_LOCALES} from '../../core/intl-locales.ts';
import type {Locale} from '../../core/locale.ts';
import {resultCard, resultRows, resultStyles, type ResultRow} from '../../core/result.ts';
import {sellerContacts, sellerContactStyles} from '../../core/seller-contacts.ts';
import {button} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {paymentOutcomeMessages, type PaymentOutcomeMessages} from '../../locales/payment-outcome.ts';
import {sellerContactMessages} from '../../locales/seller-contacts.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {canShare, shareText} from '../payment/clipboard.ts';
import {CopyController} from '../payment/copy-controller.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {wordsOf, type Words} from '../payment/payment-words.ts';
import {AfterPayment} from './after-payment.ts';
import {cardOf, type Card, type CardName} from './outcome-cards.ts';
import {markTab} from './tab-mark.ts';
import {styles} from './vezne-payment-outcome.styles.ts';

/** How long the amount counts up. */
const COUNT_MS = 400;

/** The orders whose money has arrived on this page: a card that is added again does not move again. */
const celebrated = new Set<string>();

/** How the payment ended, and what the shopper can do next; or where the money is. */
export interface OutcomeOptions {
  /** When money that is sent now will arrive, in the words of the merchant. */
  readonly arrival?: string;
  readonly view: PaymentView;
  /** The card, if it is not that of the view. */
  readonly card?: CardName;
  /** What the card says, if it is not that of the view. */
  readonly words?: Words;
  /** Starts another payment of the same offer, or shows the shopper's own order. Set only if the page may do so. */
  readonly leave?: (() => void) | undefined;
  /** Repeats the request that was refused. */
  readonly retry?: (() => void) | undefined;
}

/**
 * The card that ends a payment: what happened, the reference, and one next step. While the shopper waits for the money,
 * a drawing of its way. The element is a part of
 * `vezne-payment-status`. With the attribute `quiet` of that element, the title of the tab does not change, and the
 * phone does not vibrate.
 *
 * @tag vezne-payment-outcome
 * @slot paid - Shown after the payment arrived.
 * @slot way - What else the shopper can do.
 * @csspart status - The card.
 * @csspart title - The heading of the card.
 * @csspart row - Each row of details.
 * @csspart transaction - Each transfer that arrived.
 * @csspart button - Each button.
 */
export class VeznePaymentOutcome extends VezneElement<PaymentOutcomeMessages> {
  static readonly tag = 'vezne-payment-outcome';
  static override properties = {options: {attribute: false}, quiet: flag};
  static override styles = [VezneElement.styles, resultStyles, groupStyles, sellerContactStyles, styles];

  protected override readonly messages = paymentOutcomeMessages;

  options: OutcomeOptions | undefined;
  declare quiet: boolean;

  readonly #copies = new CopyController(this);
  readonly #after = new AfterPayment(this);
  #restoreTitle: (() => void) | undefined;
  /** The amount that is shown below the check mark, and its language. */
  #summed = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unmarkTab();
    // A card that is moved on the page does not draw its sign again.
    this.removeAttribute('arrived');
  }

  /** Focuses the title, so that a screen reader reads the card. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.find('h2')?.focus(options));
  }

  protected override updated(): void {
    super.updated();
    const {hasWaited, payment} = this.options?.view ?? {};
    const {isPaid, tone} = this.#card;
    // The seller has to look at money that is late or too much, and may send it back later.
    const isDone = tone === 'good';
    if (payment && isDone) this.#showSum(payment, !!hasWaited);
    if (payment && isPaid) this.#after.tell(payment, isDone);
    if (!isDone) return this.#unmarkTab();
    if (this.quiet || this.#restoreTitle) return;
    this.#restoreTitle = markTab(this.t.tab);
    // A browser logs an error if a page vibrates that the shopper has not touched.
    if (hasWaited && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  }

  #unmarkTab(): void {
    this.#restoreTitle?.();
    this.#restoreTitle = undefined;
  }

  /** Shows the amount below the check mark. When the money arrives, the amount counts up once. */
  #showSum({order, amount}: Payment, hasArrived: boolean): void {
    const sum = this.find('.sum');
    if (!sum || (sum.textContent && this.#summed === amount + this.locale)) return;
    const isMoving =
      hasArrived && !celebrated.has(order) && !globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    celebrated.add(order);
    this.#summed = amount + this.locale;
    this.toggleAttribute('arrived', isMoving);
    sum.textContent = formatAmount(amount, this.locale);
    // The first digit keeps its place while digits are added.
    sum.style.minInlineSize = `${sum.offsetWidth}px`;
    const start = performance.now();
    const step = (now: number) => {
      // The first frame may have begun before the count.
      const part = Math.min(1, Math.max(0, now - start) / COUNT_MS);
      sum.textContent = formatAmount((Number(amount) * (1 - (1 - part) ** 3)).toFixed(2), this.locale);
      if (part < 1) requestAnimationFrame(step);
    };
    if (isMoving) step(start);
  }

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(t: PaymentOutcomeMessages): TemplateResult {
    const {options} = this;
    if (!options) return html``;
    if (!options.view.isEnded) return this.#renderWait(options, t);
    const {tone, sign} = this.#card;
    const paid = tone === 'good' ? options.view.payment : undefined;
    // A screen reader reads the amount once, and not while it counts up.
    const sum =
      paid &&
      html`<span class="visually-hidden" translate="no">${formatAmount(paid.amount, this.locale)}</span><b class="sum" translate="no" aria-hidden="true"></b>`;
    return resultCard({
      tone,
      sign,
      title: this.#title(options, t),
      text: paid?.purchase?.thanks?.[this.locale] ?? this.#words(options, t).text,
      sum,
      rows: this.#rows(options, t),
      footer: this.#renderFooter(options, t),
    });
  }

  /** Where the money is: sent, at the bank, here; or which part of it has arrived. */
  #renderWait({view, arrival}: OutcomeOptions, t: PaymentOutcomeMessages): TemplateResult {
    const {payment, isSent, sentAt, amount, code, part} = view;
    const isOverdue = payment?.overdue;
    const sent: ResultRow[] = [
      [part ? t.amountRemainingLabel : t.amountLabel, amount && formatAmount(amount.sum, this.locale)],
      ...(isOverdue
        ? this.#references(view, t)
        : ([[t.code, code && groupedText(codeGroups(code.order_code))]] as const)),
    ];
    return html`<div class="wait">
      ${
        isSent
          ? html`<ol class="line" aria-label=${t.wayOfMoney}>
              <li>${t.sentPoint}${sentAt === undefined ? nothing : html`<small>${timeOf(sentAt, this.locale)}</small>`}</li>
              <li aria-current="step">${t[this.#card.point ?? 'bankPoint']}</li>
              <li>${t.herePoint}</li>
            </ol>`
          : html`<progress aria-label=${t.wayOfMoney} value=${Number(payment?.paid)} max=${Number(payment?.amount)}></progress>`
      }
      ${arrival ? html`<p class="muted">${arrival}</p>` : nothing}
      ${resultRows([...this.#transactions(payment, t), ...(isSent ? sent : [])])}
      ${isOverdue ? this.#renderContacts(view, t) : nothing}
    </div>`;
  }

  #transactions(payment: Payment | undefined, t: PaymentOutcomeMessages): ResultRow[] {
    return transactionsOf(payment).map(({amount, currency, bank, at, time_unknown: isUnknown}) => [
      html`<span part="transaction">${bank ? withUntranslated(t.receivedAt(bank), bank) : t.phoneBill}${isUnknown ? nothing : html`<small>${formatTime(at, this.locale)}</small>`}</span>`,
      formatMoney(amount, currency, this.locale),
    ]);
  }

  #rows({view}: OutcomeOptions, t: PaymentOutcomeMessages): ResultRow[] {
    const {payment} = view;
    return [
      ...this.#transactions(payment, t),
      [t.amountLabel, view.isSent && view.amount ? formatAmount(view.amount.sum, this.locale) : null],
      [t.due, payment && isForeign(payment) ? formatAmount(payment.amount, this.locale) : null],
      [t.refunded, this.#refunded(payment)],
      [t.seller, view.reference.seller?.name],
      ...this.#references(view, t),
    ];
  }

  #references({reference: {order, order_code: code}}: PaymentView, t: PaymentOutcomeMessages): ResultRow[] {
    return [
      [t.order, this.#reference(t.order, order, t)],
      [t.code, this.#card.isCodeless ? null : this.#reference(t.code, code, t, codeGroups)],
    ];
  }

  #refunded(payment: Payment | undefined): string | undefined {
    const {refunded = '0'} = payment ?? {};
    return Number(refunded) > 0 ? formatAmount(refunded, this.locale) : undefined;
  }

  #reference(
    name: string,
    text: string | null | undefined,
    t: PaymentOutcomeMessages,
    groupsOf = orderGroups,
  ): TemplateResult | null {
    if (!text) return null;
    return html`${groupedText(groupsOf(text))}<button
        type="button"
        class="link"
        part="button"
        aria-label=${this.#copies.isCopied(text) ? nothing : `${t.copy}: ${name}`}
        @click=${() => void this.#copies.copy(text)}
      >
        ${this.#copies.label(text, t.copy, t.copied)}
      </button>`;
  }

  #renderFooter(options: OutcomeOptions, t: PaymentOutcomeMessages): TemplateResult {
    const {view, leave, retry} = options;
    const {payment} = view;
    const card = this.#card;
    const trouble = troubleMessages[this.locale];
    const again = wayOf(card.again, view.leavesTo);
    // A shopper who has sent nothing starts a new payment. Otherwise, the next step is to ask the seller.
    const isAgainFirst = view.action === 'start-over';
    const isAlone = card.isAgainNeeded && !hasContact(view);
    const style =
      isAgainFirst && again !== 'notSent' ? 'button' : isAgainFirst || isAlone ? 'button soft' : ('link' as const);
    const label = retry ? trouble.tryAgain : again && t[again];
    const press = retry ?? leave;
    // The session of a page that may start no payment has ended before there was a code.
    const reload = isAgainFirst ? button(trouble.reload, () => location.reload(), 'button') : nothing;
    const startAgain = press && label ? button(label, press, style) : reload;
    const summary = this.#summary(options, t);
    const copyLabel = this.#copies.label(summary, canShare() ? t.share : t.allCopy, t.copied);
    return html`${this.#copies.fallback()}
      <div class="next">
      ${isAgainFirst ? startAgain : nothing} ${card.tone === 'good' ? nothing : this.#renderContacts(view, t)}
      ${isAlone ? startAgain : nothing}
      ${card.isPaid ? html`<slot name="paid"></slot>${payment && this.#after.render(payment, t)}` : nothing}
      <div class="ways">
        ${payment && card.isReceipt && 'print' in globalThis ? button(t.print, () => print(), 'link') : nothing}
        ${payment && card.isReceipt ? button(copyLabel, () => void shareText(summary, () => this.#copies.copy(summary)), 'link') : nothing}
        <slot name="way"></slot>
        ${style === 'link' ? startAgain : nothing}
      </div></div>
      <span class="visually-hidden" role="status">${this.#copies.isConfirming ? `${t.copied}.` : ''}</span>`;
  }

  /** The seller's contacts, or where to find them. If the next step is a new payment, only the first contact. */
  #renderContacts(
    {reference: {order = '', seller = {name: ''}}, action, leavesTo}: PaymentView,
    t: PaymentOutcomeMessages,
  ): TemplateResult | typeof nothing {
    const options = {
      subject: t.subject(order),
      isNextStep: action === 'ask-seller',
      limit: action === 'start-over' && leavesTo !== 'nothing' ? 1 : this.#card.maxContacts,
    };
    const contacts = sellerContacts(seller, options, sellerContactMessages[this.locale]);
    return contacts === nothing && options.isNextStep ? html`<p class="muted">${t.contactShop}</p>` : contacts;
  }

  /** What the shopper can share or copy, as one text. */
  #summary(options: OutcomeOptions, t: PaymentOutcomeMessages): string {
    const {payment, reference} = options.view;
    const {order, order_code: code, seller} = reference;
    return [
      this.#title(options, t),
      ...transactionsOf(payment).map(({amount, currency, bank, at, time_unknown: isUnknown}) =>
        [
          formatMoney(amount, currency, this.locale),
          bank ? t.receivedAt(bank) : t.phoneBill,
          ...(isUnknown ? [] : [formatTime(at, this.locale)]),
        ].join(' · '),
      ),
      ...[
        [t.refunded, this.#refunded(payment)],
        [t.seller, seller?.name],
        [t.order, order],
        [t.code, code],
      ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])),
    ].join('\n');
  }

  /** A payment in another currency has a title of its own; the card also shows the order's amount. */
  #title(options: OutcomeOptions, t: PaymentOutcomeMessages): string {
    const {payment} = options.view;
    return this.#card.mayBeForeign && payment && isForeign(payment) ? t.foreignTitle : this.#words(options, t).title;
  }

  #words({words, view}: OutcomeOptions, t: PaymentOutcomeMessages): Words {
    return words ?? wordsOf(view, t, this.locale);
  }

  get #card(): Card {
    const {card, view} = this.options ?? {};
    return cardOf(card ?? view?.is ?? 'unread');
  }
}

/** Whether the page knows how to reach the seller. */
function hasContact({reference: {seller}}: PaymentView): boolean {
  return !!(seller?.support_url || seller?.support_email || seller?.support_phone);
}

/** The text of the button that leaves the order. */
function wayOf(again: Card['again'], leavesTo: PaymentView['leavesTo']): Card['again'] {
  if (leavesTo === 'own-order') return again && 'backToOwn';
  return leavesTo === 'nothing' || again === 'backToOwn' ? undefined : again;
}

/** `19:30`, in Turkish time; half a day later also the day. */
function timeOf(at: number, locale: Locale): string {
  const day = Date.now() - at > 43_200_000 ? ({day: 'numeric', month: 'short'} as const) : {};
  const format = {...day, hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Istanbul'} as const;
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], format).format(at);
}

function transactionsOf(payment: Payment | undefined): readonly Transaction[] {
  return payment?.transactions ?? [];
}

/** Whether money has arrived that could not be matched because it is in another currency. */
function isForeign({unclear, transactions}: Payment): boolean {
  return unclear && transactions.some(({currency}) => currency !== 'TRY');
}

/** Splits a long reference into groups of six, if it has no form of its own, such as dashes. */
function orderGroups(order: string): readonly string[] {
  return /^[\dA-Z]{9,}$/.test(order) ? (order.match(/.{1,6}/g) ?? []) : [order];
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-outcome': VeznePaymentOutcome;
  }
}
