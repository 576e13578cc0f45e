import {css, html, nothing, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {INTL_LOCALES} from '../../core/locale.ts';
import {resultStyles} from '../../core/result.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {paymentOutcomeMessages, type PaymentOutcomeMessages} from '../../locales/payment-outcome.ts';
import {codeGroups, groupedText} from '../payment-code/code-groups.ts';
import type {PaymentView} from '../payment/payment-view.ts';

const styles = css`
  :host {
    color-scheme: inherit;
  }
  .base {
    display: grid;
    gap: 0.75em;
    padding: 0;
    background: none;
  }
  .line {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    text-align: center;
    line-height: 1.3;
  }
  /* Each point, with the line from the point before it. */
  li {
    position: relative;
    padding-block-start: 2em;
    color: var(--_muted);
  }
  li::before,
  li + li::after {
    content: '';
    position: absolute;
    inset: 0.5em calc(50% - 0.5em) auto;
    block-size: 1em;
    border: 2px solid var(--_edge);
    border-radius: 50%;
    background: var(--_paper);
  }
  li + li::after {
    inset: calc(1em - 1px) calc(50% + 0.75em) auto calc(-50% + 0.75em);
    block-size: 0;
    border-width: 1px 0;
    border-radius: 0;
  }
  li:not(:last-child) {
    color: var(--_ink);
    font-weight: 650;
  }
  li:not(:last-child)::before,
  [aria-current]::after {
    border-color: var(--_accent) !important;
  }
  li:first-child::before {
    background: var(--_accent);
  }
  [aria-current]::before {
    box-shadow: 0 0 0 0.25em color-mix(in srgb, var(--_accent) 22%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  small {
    display: block;
    color: var(--_muted);
    font-size: 0.9375em;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  progress {
    inline-size: 100%;
    block-size: 0.625em;
    border: 0;
    border-radius: 1em;
    overflow: hidden;
    appearance: none;
  }
  progress,
  ::-webkit-progress-bar {
    background: color-mix(in srgb, var(--_warn) 22%, var(--_paper));
  }
  ::-webkit-progress-value {
    background: var(--_warn);
  }
  ::-moz-progress-bar {
    background: var(--_warn);
  }
  dl {
    border-block-start: 1px solid var(--_line);
  }
  .row {
    padding-block: 0.625em 0;
    border: 0;
  }
  .groups span + span {
    margin-inline-start: 0.28em;
  }
  @media (forced-colors: active) {
    progress {
      border: 1px solid;
      forced-color-adjust: none;
    }
  }
`;

/** Where the money is. */
export interface ProgressOptions {
  readonly payment: Payment;
  readonly view: PaymentView;
  /** When money that is sent now will arrive, in the words of the merchant. It may be empty. */
  readonly arrival: string;
}

/**
 * Draws where the money is while the shopper waits: sent, at the bank, here; or which part of it has arrived. It is a
 * part of `vezne-payment-status`, and in the same file as the card that ends the payment.
 *
 * @tag vezne-payment-progress
 * @csspart row - Each row of details.
 * @csspart transaction - Each transfer that arrived.
 */
export class VeznePaymentProgress extends VezneElement<PaymentOutcomeMessages> {
  static readonly tag = 'vezne-payment-progress';
  static override properties = {options: {attribute: false}};
  static override styles = [VezneElement.styles, resultStyles, styles];

  protected override readonly messages = paymentOutcomeMessages;

  options: ProgressOptions | undefined;

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(t: PaymentOutcomeMessages): TemplateResult {
    if (!this.options) return html``;
    const {view, payment, arrival} = this.options;
    return html`${view.isSent ? this.#renderLine(view, t) : html`<progress aria-label=${t.wayOfMoney} value=${Number(payment.paid)} max=${Number(payment.amount)}></progress>`}
      ${arrival ? html`<p class="muted">${arrival}</p>` : nothing}
      <dl>
        ${payment.transactions.map((each) => this.#renderTransaction(each, t))}
        ${view.isSent ? this.#renderSent(view, t) : nothing}
      </dl>`;
  }

  #renderLine({is, sentAt}: PaymentView, t: PaymentOutcomeMessages): TemplateResult {
    const isSearch = is.startsWith('report');
    return html`<ol class="line" aria-label=${t.wayOfMoney}>
      <li>${t.sentPoint}${sentAt === undefined ? nothing : html`<small>${this.#timeOf(sentAt)}</small>`}</li>
      <li aria-current="step">${isSearch ? t.searchPoint : t.bankPoint}</li>
      <li>${t.herePoint}</li>
    </ol>`;
  }

  #renderTransaction({amount, currency, bank, at}: Transaction, t: PaymentOutcomeMessages): TemplateResult {
    return html`<div class="row" part="row">
      <dt part="transaction">${bank ? t.receivedAt(bank) : t.phoneBill}<small>${formatTime(at, this.locale)}</small></dt>
      <dd>${formatAmount(amount, this.locale, currency)}</dd>
    </div>`;
  }

  /** The amount and the code that the shopper has sent, to compare them with the receipt of the bank. */
  #renderSent({amount, code, part}: PaymentView, t: PaymentOutcomeMessages): TemplateResult {
    const rows: readonly (readonly [string, unknown])[] = [
      [part ? t.amountRemainingLabel : t.amountLabel, amount && formatAmount(amount.sum, this.locale)],
      [t.code, code && groupedText(codeGroups(code.order_code))],
    ];
    return html`${rows.map(([name, value]) =>
      value ? html`<div class="row" part="row"><dt>${name}</dt><dd>${value}</dd></div>` : nothing,
    )}`;
  }

  /** `19:30`; on another day also the day. In Turkish time. */
  #timeOf(at: number): string {
    const isToday = Math.abs(Date.now() - at) < 12 * 3_600_000;
    return new Intl.DateTimeFormat(INTL_LOCALES[this.locale], {
      ...(isToday ? {} : {day: 'numeric', month: 'short'}),
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Europe/Istanbul',
    }).format(at);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-progress': VeznePaymentProgress;
  }
}
