import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {formatTime} from '../widgets/core/format-time.ts';
import type {Locale} from '../widgets/core/locale.ts';
import {ask, type Order, type Payment, type Timeline} from './client.ts';
import {codeText} from './code-text.ts';
import {customerSentence} from './customer-sentence.ts';
import {DeskElement} from './desk-element.ts';
import {formatMoment, formatSum} from './format.ts';
import {listOfOrder} from './list-of-order.ts';
import {advice} from './locales/advice.ts';
import {frameTexts} from './locales/frame.ts';
import {stateName, toneOf} from './locales/names.ts';
import {paymentTexts} from './locales/payment.ts';
import {workTexts} from './locales/work.ts';
import {Polled} from './polled.ts';
import {refundingOf} from './refunding.ts';
import {hrefOf} from './route.ts';
import {stranger} from './stranger-element.ts';

const READ_EVERY_MS = 15_000;

interface Shown {
  readonly order: Order;
  readonly timeline: Timeline;
  /** The language in which the buyer answered; null if nobody asked. */
  readonly language: Locale | null;
}

type Cell = string | TemplateResult | typeof nothing;

/** A table with a caption, or nothing without rows. */
const table = (caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[]) =>
  rows.length === 0
    ? nothing
    : html`<section class="panel"><div class="scroll" tabindex="0" role="group" aria-label=${caption}><table class="cards" role="table">
        <caption>${caption}</caption>
        <thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
        <tbody role="rowgroup">
          ${rows.map((cells) => html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" data-name=${heads[index] ?? ''}>${cell}</td>`)}</tr>`)}
        </tbody>
      </table></div></section>`;

/**
 * One payment: its state in words, what happens next, what happened, and the sentence for the customer.
 *
 * @tag desk-payment
 */
export class DeskPayment extends DeskElement {
  static override properties = {service: {}, order: {}, language: {}, chosen: {state: true}, copied: {state: true}};

  declare service: string;
  declare order: string;
  /** The language of the sentence, if the order does not say it; empty if nobody chose one. */
  declare language: Locale | '';
  /** The language of the sentence, if somebody chose it for this order. */
  declare chosen: Locale | null;
  /** The sentence that was copied; empty before. */
  declare copied: string;

  readonly #payment = new Polled<Shown>(this, (signal) => this.#read(signal), {everyMs: READ_EVERY_MS});
  #buyerLanguage: Promise<Locale | null> | undefined;

  constructor() {
    super();
    this.service = '';
    this.order = '';
    this.language = '';
    this.chosen = null;
    this.copied = '';
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('service') && !changed.has('order')) return;
    this.#buyerLanguage = undefined;
    this.chosen = null;
    this.#payment.show(`${this.service}\n${this.order}`);
  }

  async #read(signal: AbortSignal): Promise<Shown> {
    const fields = {service: this.service, order: this.order};
    const [order, timeline] = await Promise.all([
      ask<'getOrder'>('orders', fields, signal),
      ask<'showTimeline'>('orders/timeline', fields, signal),
    ]);
    if (order.buyer)
      this.#buyerLanguage ??= ask<'getOrderConsent'>('orders/consent', fields).then(
        ({language}) => (language === 'tr' || language === 'en' ? language : null),
        () => null,
      );
    return {order, timeline, language: (await this.#buyerLanguage) ?? null};
  }

  protected override renderContent(): TemplateResult {
    return html`<article class="stack">${this.renderPolled(this.#payment, (shown) => this.#renderShown(shown))}</article>`;
  }

  #renderShown({order, timeline, language}: Shown): TemplateResult {
    const {payment} = order;
    return html`
      ${this.#renderSummary(order)} ${this.#renderNext(order, timeline)} ${this.#renderAdvice(order)}
      ${payment ? this.#renderSentence(order, payment, language) : nothing} ${this.#renderBuyer(order)}
      ${this.#renderMoney(order)}
      <desk-timeline .timeline=${timeline}></desk-timeline>
    `;
  }

  #renderSummary({
    order,
    order_code,
    offer,
    service,
    user_id,
    created_at,
    title,
    payment,
    refunds,
  }: Order): TemplateResult {
    const {locale} = this;
    const t = paymentTexts[locale];
    const refunding = refundingOf(refunds);
    const facts: readonly (readonly [string, string | TemplateResult | null])[] = [
      ...(payment ? this.#sumsOf(payment, refunding) : []),
      [t.code, order_code && codeText(order_code)],
      [t.created, created_at && formatTime(created_at, locale)],
      [frameTexts[locale].service, service],
      [t.offer, offer],
      [t.user, user_id && html`${stranger(user_id)}`],
    ];
    return html`<section class="panel">
      <div class="row spread">
        <h1>${order}</h1>
        <span class="row">
          ${payment ? html`<span class=${toneOf(payment.state)}>${stateName(payment.state, locale)}</span>` : nothing}
          ${payment?.late ? html`<span class="tag warn">${t.lateTag}</span>` : nothing}
        </span>
      </div>
      <p role="status">
        <strong>${payment ? t.states[payment.state] : t.noPayment}</strong> ${payment?.late ? t.late : nothing}
        ${refunding ? t.refunding : nothing}
        ${payment?.unclear ? t.unclear : nothing} ${payment?.amount_unclear ? t.amountUnclear : nothing}
      </p>
      ${title ? html`<p>${stranger(title[locale])}</p>` : nothing}
      ${this.#renderFacts(facts)}
    </section>`;
  }

  #sumsOf(
    {amount, paid, remaining, refunded, refundable, pay_until}: Payment,
    refunding: string | null,
  ): readonly (readonly [string, string | null])[] {
    const {locale} = this;
    const t = paymentTexts[locale];
    return [
      [t.facts.due, formatSum(amount, locale)],
      [t.facts.paid, formatSum(paid, locale)],
      [t.facts.remaining, formatSum(remaining, locale)],
      [t.facts.refunded, formatSum(refunded, locale)],
      [t.facts.refunding, refunding && formatSum(refunding, locale)],
      ...(Number(refundable.amount) > 0
        ? [[t.facts[refundable.reason === 'late' ? 'late' : 'excess'], formatSum(refundable.amount, locale)] as const]
        : []),
      [t.until, formatTime(pay_until, locale)],
    ];
  }

  #renderFacts(facts: readonly (readonly [string, string | TemplateResult | null | undefined])[]): TemplateResult {
    return html`<dl class="facts">
      ${facts.map(([name, value]) => (value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing))}
    </dl>`;
  }

  #renderNext({check}: Order, {next}: Timeline): TemplateResult {
    const {locale} = this;
    const t = paymentTexts[locale];
    return html`<section class="panel">
      <h2>${t.next}</h2>
      ${
        next.length === 0
          ? html`<p>${t.nothingNext}</p>`
          : html`<ol class="stack">
              ${next.map(
                ({what, at}) =>
                  html`<li class="row spread"><span>${t.next_steps[what]}</span><time datetime=${at}>${formatMoment(at, locale)}</time></li>`,
              )}
            </ol>`
      }
      <p class="muted">
        ${check?.checked_at ? t.checked(formatMoment(check.checked_at, locale)) : nothing}
        ${check && check.open_pages > 0 ? t.pages(check.open_pages) : nothing} ${t.updated}
      </p>
    </section>`;
  }

  #renderAdvice(order: Order): TemplateResult | typeof nothing {
    const {locale} = this;
    const kind = listOfOrder(order, Date.now());
    if (!kind) return nothing;
    const {advice: heading, kinds} = workTexts[locale];
    const isSought = kind === 'waiting' || kind === 'expired';
    const href = hrefOf({view: 'work', service: order.service, kind: 'unmatched', page: ''});
    return html`<section class="panel">
      <h2>${heading}</h2>
      <p>${advice[locale][kind]} ${isSought ? html`<a href=${href}>${kinds.unmatched}</a>` : nothing}</p>
    </section>`;
  }

  #renderSentence(order: Order, payment: Payment, language: Locale | null): TemplateResult {
    const t = paymentTexts[this.locale];
    const chosen = this.chosen ?? language ?? (this.language || 'tr');
    const sentence = customerSentence(order, payment, chosen, Date.now());
    return html`<section class="panel">
      <div class="row spread">
        <h2>${t.sentence}</h2>
        <label class="row"
          >${t.language}
          <select .value=${chosen} @change=${this.#onLanguage}>
            ${(['tr', 'en'] as const).map((each) => html`<option value=${each} ?selected=${each === chosen}>${t.languages[each]}</option>`)}
          </select>
        </label>
      </div>
      <p lang=${chosen} class="card">${sentence}</p>
      <div class="row">
        <button type="button" class="button soft" @click=${() => this.#copy(sentence)}>${frameTexts[this.locale].copy}</button>
        <span role="status">${this.copied === sentence ? frameTexts[this.locale].copied : nothing}</span>
      </div>
    </section>`;
  }

  #renderBuyer({buyer}: Order): TemplateResult {
    const t = paymentTexts[this.locale];
    const {address} = buyer ?? {};
    const parts = [address?.line, address?.district, address?.province, address?.postal_code].filter(Boolean);
    return html`<section class="panel">
      <h2>${t.buyer}</h2>
      ${
        buyer
          ? this.#renderFacts([
              [t.name, buyer.name && html`${stranger(buyer.name)}`],
              [t.email, buyer.email && html`${stranger(buyer.email)}`],
              [t.phone, buyer.phone && html`${stranger(buyer.phone)}`],
              [t.address, parts.length > 0 ? html`${stranger(parts.join(', '))}` : null],
            ])
          : html`<p class="muted">${t.noBuyer}</p>`
      }
      <p class="muted">${t.erasure}</p>
    </section>`;
  }

  #renderMoney({payment, refunds, payment_notices: notices}: Order): TemplateResult {
    const {locale} = this;
    const t = paymentTexts[locale];
    const transactions = payment?.transactions ?? [];
    const time = (at: string | null) => (at ? html`<time datetime=${at}>${formatMoment(at, locale)}</time>` : nothing);
    return html`
      ${table(
        t.money,
        [t.amount, t.at, t.bank, t.state, t.bankWrote, t.id],
        transactions.map((each) => [
          formatSum(each.amount, locale, each.currency),
          html`${time(each.at)}`,
          each.bank_name ?? '–',
          stateName(each.state, locale),
          // A charge on a phone bill has no bank.
          each.kind === 'transfer' ? html`<desk-transfer .transaction=${each.id}></desk-transfer>` : '–',
          each.id,
        ]),
      )}
      ${table(
        t.refunds,
        [t.amount, t.at, t.state, t.receipt, t.id],
        refunds.map((each) => [
          formatSum(each.amount, locale),
          html`${time(each.requested_at)}`,
          stateName(each.state, locale),
          each.bank_receipt_no ?? '–',
          each.id,
        ]),
      )}
      ${table(
        t.notices,
        [t.amount, t.at, t.state, t.code],
        notices.map((each) => [
          formatSum(each.amount, locale),
          html`${time(each.created_at)}`,
          stateName(each.state, locale),
          each.notice_code,
        ]),
      )}
    `;
  }

  #onLanguage(event: Event): void {
    const language = (event.target as HTMLSelectElement).value as Locale;
    this.chosen = language;
    location.replace(hrefOf({view: 'payment', service: this.service, order: this.order, language}));
  }

  async #copy(sentence: string): Promise<void> {
    await navigator.clipboard.writeText(sentence);
    this.copied = sentence;
  }
}
