import {html, nothing, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {formatMoney} from '../../core/format-money.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {INTL_LOCALES} from '../../core/intl-locales.ts';
import type {Locale} from '../../core/locale.ts';
import {resultCard, resultRows, resultStyles, type Result, type ResultRow} from '../../core/result.ts';
import {sellerContacts, sellerContactStyles} from '../../core/seller-contacts.ts';
import {button} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {paymentOutcomeMessages, type PaymentOutcomeMessages} from '../../locales/payment-outcome.ts';
import {sellerContactMessages} from '../../locales/seller-contacts.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {codeGroups, groupedText} from '../payment-code/code-groups.ts';
import {canShare, shareText} from '../payment/clipboard.ts';
import {CopyController} from '../payment/copy-controller.ts';
import {copyFallbackStyles} from '../payment/copy-fallback.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import type {Mood, Words} from '../payment/payment-words.ts';
import {AfterPayment} from './after-payment.ts';
import {styles} from './vezne-payment-outcome.styles.ts';

/** The tone of each mood. Some moods also replace the sign of the tone: by a clock, a plus or an arrow back. */
const SIGNS: {readonly [mood in Mood]?: readonly [tone: Result['tone'], sign?: string]} = {
  good: ['good'],
  late: ['stopped', 'M12 5v7.5l4.5 2.5'],
  overpaid: ['stopped', 'M12 6v12M6 12h12'],
  refunded: ['over', 'M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3'],
  expired: ['over', 'M12 5v7.5l4.5 2.5'],
  over: ['stopped', 'M12 5v7.5l4.5 2.5'],
};

/** The sign of a cancelled order: a cross. */
const CROSS = 'm7 7 10 10M17 7 7 17';

/** How long the amount counts up. */
const COUNT_MS = 400;

/** The orders whose money has arrived on this page: a card that is added again does not move again. */
const celebrated = new Set<string>();

/** How the payment ended, and what the shopper can do next; or where the money is. */
export interface OutcomeOptions {
  /** Undefined if the page can no longer read the payment. */
  readonly payment?: Payment | undefined;
  /** When money that is sent now will arrive, in the words of the merchant. */
  readonly arrival?: string;
  readonly view: PaymentView;
  readonly words: Words;
  /** Whether the payment has been settled while the page was open. */
  readonly hasArrived?: boolean | undefined;
  /** Starts another payment of the same offer, or shows the shopper's own order. Set only if the page may do so. */
  readonly leave: (() => void) | undefined;
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
  static override styles = [VezneElement.styles, resultStyles, copyFallbackStyles, sellerContactStyles, styles];

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
    const {words, hasArrived, payment} = this.options ?? {};
    if (payment && words?.mood === 'good') this.#showSum(payment, !!hasArrived);
    if (payment && words && isPaid(words.mood)) this.#after.tell(payment, words.mood === 'good');
    // The seller has to look at money that is late or too much, and may send it back later.
    if (words?.mood !== 'good') return this.#unmarkTab();
    if (this.quiet || this.#restoreTitle) return;
    this.#restoreTitle = markTab(this.t.tab);
    // A browser logs an error if a page vibrates that the shopper has not touched.
    if (hasArrived && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
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
    const {mood, text} = options.words;
    if (!options.view.isOver && !options.view.isLost) return this.#renderWait(options, t);
    const title = titleOf(options, t);
    const [tone = 'stopped', sign] = SIGNS[mood] ?? [];
    const isPaidInFull = mood === 'good' ? options.payment : undefined;
    // A screen reader reads the amount once, and not while it counts up.
    const sum = isPaidInFull
      ? html`<span class="visually-hidden" translate="no">${formatAmount(isPaidInFull.amount, this.locale)}</span><b class="sum" translate="no" aria-hidden="true"></b>`
      : undefined;
    return resultCard({
      tone,
      sign: options.view.is === 'cancelled' ? CROSS : sign,
      title,
      text: isPaidInFull?.purchase?.thanks?.[this.locale] ?? text,
      sum,
      rows: this.#rows(options, t),
      footer: this.#renderFooter(options, t),
    });
  }

  /** Where the money is: sent, at the bank, here; or which part of it has arrived. */
  #renderWait({payment, view, arrival}: OutcomeOptions, t: PaymentOutcomeMessages): TemplateResult {
    const {is, isSent, sentAt, amount, code, part} = view;
    const isOverdue = payment?.overdue;
    const now = is.startsWith('report') ? t.searchPoint : t.bankPoint;
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
              <li aria-current="step">${now}</li>
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

  #rows({payment, view}: OutcomeOptions, t: PaymentOutcomeMessages): ResultRow[] {
    return [
      ...this.#transactions(payment, t),
      [t.amountLabel, view.isSent && view.amount ? formatAmount(view.amount.sum, this.locale) : null],
      [t.due, payment && isForeign(payment) ? formatAmount(payment.amount, this.locale) : null],
      [t.refunded, this.#refunded(payment)],
      [t.seller, view.reference.seller?.name],
      ...this.#references(view, t),
    ];
  }

  #references({is, reference: {order, order_code: code}}: PaymentView, t: PaymentOutcomeMessages): ResultRow[] {
    return [
      [t.order, this.#reference(t.order, order, t)],
      // Without instructions, the code is of no use.
      [t.code, is === 'no-code' ? null : this.#reference(t.code, code, t, codeGroups)],
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
    const {payment, view, words, leave, retry} = options;
    const {mood} = words;
    const {is, leavesTo} = view;
    const isExpired = mood === 'expired';
    const isNew = leavesTo === 'new-order';
    // The money may have been sent, so the button says that it was not.
    const mayBeSent = isNew && /^(expired|lost|report)/.test(is);
    const label = mayBeSent ? t.notSent : isNew ? t.startOver : t.backToOwn;
    const isLeavable = leavesTo !== 'nothing' && !(/^(report-received|refunding|lost-elsewhere)$/.test(is) && isNew);
    const again = retry
      ? troubleMessages[this.locale].tryAgain
      : isLeavable && (isExpired || mood === 'refunded' ? label : isPaid(mood) && t.orderAgain);
    // A shopper who has sent nothing starts a new payment. Otherwise, the next step is to ask the seller.
    const isAgainFirst = view.action === 'start-over';
    // Without contacts, an expired order has no other button.
    const isAlone = is === 'expired-sent' && !hasContact(view);
    const style = isAgainFirst && !mayBeSent ? 'button' : isAgainFirst || isAlone ? 'button soft' : 'link';
    // The session of a page that may start no payment has ended before there was a code.
    const reload = isAgainFirst && button(troubleMessages[this.locale].reload, () => location.reload(), 'button');
    const press = retry ?? leave;
    const startAgain = press && again ? button(again, press, style) : reload || nothing;
    const hasContacts = mood !== 'good' && mood !== 'waiting';
    const summary = this.#summary(options, t);
    const copyLabel = this.#copies.label(summary, canShare() ? t.share : t.allCopy, t.copied);
    return html`${this.#copies.fallback(t)}
      <div class="next">
      ${isAgainFirst ? startAgain : nothing} ${hasContacts ? this.#renderContacts(view, t) : nothing}
      ${isAlone ? startAgain : nothing}
      ${isPaid(mood) ? html`<slot name="paid"></slot>${payment && this.#after.render(payment, t)}` : nothing}
      <div class="ways">
        ${isExpired || !payment || !('print' in globalThis) ? nothing : button(t.print, () => print(), 'link')}
        ${isExpired || !payment ? nothing : button(copyLabel, () => void shareText(summary, () => this.#copies.copy(summary)), 'link')}
        <slot name="way"></slot>
        ${style === 'link' ? startAgain : nothing}
      </div></div>
      <span class="visually-hidden" role="status">${this.#copies.isConfirming ? `${t.copied}.` : ''}</span>`;
  }

  /** The seller's contacts, or where to find them. If the next step is a new payment, or to wait for a refund, only the first contact. */
  #renderContacts(
    {is, reference: {order = '', seller = {name: ''}}, action, leavesTo}: PaymentView,
    t: PaymentOutcomeMessages,
  ): TemplateResult | typeof nothing {
    const options = {
      subject: t.subject(order),
      isNextStep: action === 'ask-seller',
      limit: (action === 'start-over' && leavesTo !== 'nothing') || is.startsWith('refund') ? 1 : undefined,
    };
    const contacts = sellerContacts(seller, options, sellerContactMessages[this.locale]);
    return contacts === nothing && options.isNextStep ? html`<p class="muted">${t.contactShop}</p>` : contacts;
  }

  /** What the shopper can share or copy, as one text. */
  #summary(options: OutcomeOptions, t: PaymentOutcomeMessages): string {
    const {payment, view} = options;
    const {order, order_code: code, seller} = view.reference;
    return [
      titleOf(options, t),
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
}

/** Whether the page knows how to reach the seller. */
function hasContact({reference: {seller}}: PaymentView): boolean {
  return !!(seller?.support_url || seller?.support_email || seller?.support_phone);
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

/** A payment in another currency has a title of its own; the card also shows the order's amount. */
function titleOf({payment, words: {mood, title}}: OutcomeOptions, t: PaymentOutcomeMessages): string {
  return mood === 'attention' && payment && isForeign(payment) ? t.foreignTitle : title;
}

/** Splits a long reference into groups of six, if it has no form of its own, such as dashes. */
function orderGroups(order: string): readonly string[] {
  return /^[\dA-Z]{9,}$/.test(order) ? (order.match(/.{1,6}/g) ?? []) : [order];
}

/** Whether the money has arrived, so that the card shows the page's own next step in the slot `paid`. */
function isPaid(mood: Mood): boolean {
  return mood === 'good' || mood === 'late' || mood === 'overpaid';
}

/** The title of the tab: the page's own title, the title with the mark, and how many cards show the mark. */
const tab = {before: '', marked: '', marks: 0};

/** Shows in the title of the tab that the order is paid. @returns A function that restores the title. */
function markTab(mark: string): () => void {
  if (tab.marks++ === 0) {
    tab.before = document.title;
    document.title = [`✓ ${mark}`, tab.before].filter(Boolean).join(' · ');
    // The browser may have changed the white space.
    tab.marked = document.title;
  }
  return () => {
    if (--tab.marks === 0 && document.title === tab.marked) document.title = tab.before;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-outcome': VeznePaymentOutcome;
  }
}
