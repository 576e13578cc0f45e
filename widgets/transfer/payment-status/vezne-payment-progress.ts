import {css, html, nothing, type TemplateResult} from 'lit';
import type {Payment, Transaction} from '../../../worker/contract/browser/answers.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatAmount} from '../../core/format.ts';
import {INTL_LOCALES} from '../../core/locale.ts';
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
    padding-block-start: 0.25em;
    text-align: center;
    font-size: 0.9375em;
    line-height: 1.3;
  }
  /* Each point, with the line from the point before it. */
  .line li {
    position: relative;
    padding-block-start: 1.75em;
    color: var(--_muted);
  }
  .line li::before,
  .line li::after {
    content: '';
    position: absolute;
    inset-block-start: 0.5em;
    inset-inline-start: calc(50% - 0.5em);
    box-sizing: border-box;
    inline-size: 1em;
    block-size: 1em;
    border: 2px solid var(--_edge);
    border-radius: 50%;
    background: var(--_paper);
  }
  .line li + li::after {
    inset-block-start: calc(1em - 1px);
    inset-inline: calc(-50% + 0.75em) calc(50% + 0.75em);
    inline-size: auto;
    block-size: 2px;
    border: 0;
    border-radius: 1px;
    background: var(--_edge);
  }
  .line li:first-child::after {
    content: none;
  }
  .line .past,
  .line [aria-current] {
    color: var(--_ink);
    font-weight: 650;
  }
  .line .past::before,
  .line [aria-current]::before,
  .line [aria-current]::after {
    border-color: var(--_accent);
    background: var(--_accent);
  }
  .line [aria-current]::before {
    background: var(--_paper);
    box-shadow: 0 0 0 0.25em color-mix(in srgb, var(--_accent) 22%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      box-shadow: 0 0 0 0.0625em color-mix(in srgb, var(--_accent) 40%, transparent);
    }
  }
  .line small {
    display: block;
    color: var(--_muted);
    font-size: 0.9375em;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  progress {
    appearance: none;
    display: block;
    inline-size: 100%;
    block-size: 0.625em;
    border: 0;
    border-radius: 1em;
    overflow: hidden;
    background: color-mix(in srgb, var(--_warn) 22%, var(--_paper));
    color: var(--_warn);
  }
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
    border-block-start: 1px solid color-mix(in srgb, currentColor 14%, transparent);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0 1em;
    padding-block-start: 0.625em;
    line-height: 1.3;
  }
  dt,
  dt small {
    color: var(--_muted);
    font-size: 0.9375em;
  }
  dt small {
    display: block;
  }
  dd {
    margin-inline-start: auto;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .groups span {
    margin-inline-end: 0.28em;
  }
  .groups span:last-of-type {
    margin: 0;
  }
  @media (forced-colors: active) {
    .line li::before,
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
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = paymentOutcomeMessages;

  options: ProgressOptions | undefined;

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(t: PaymentOutcomeMessages): TemplateResult {
    if (!this.options) return html``;
    const {view, payment, arrival} = this.options;
    return html`${view.isSent ? this.#renderLine(view, t) : this.#renderPart(payment, t)}
      ${arrival ? html`<p class="muted">${arrival}</p>` : nothing}
      <dl>
        ${payment.transactions.map((each) => this.#renderTransaction(each, t))}
        ${view.isSent ? this.#renderSent(view, t) : nothing}
      </dl>`;
  }

  #renderLine({is, sentAt}: PaymentView, t: PaymentOutcomeMessages): TemplateResult {
    const isSearch = is.startsWith('report');
    return html`<ol class="line" aria-label=${t.wayOfMoney}>
      <li class="past">${t.sentPoint}${sentAt === undefined ? nothing : html`<small>${this.#timeOf(sentAt)}</small>`}</li>
      <li aria-current="step">${isSearch ? t.searchPoint : t.bankPoint}</li>
      <li>${t.herePoint}</li>
    </ol>`;
  }

  #renderPart({paid, amount}: Payment, t: PaymentOutcomeMessages): TemplateResult {
    return html`<progress aria-label=${t.wayOfMoney} value=${Number(paid)} max=${Number(amount)}></progress>`;
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
