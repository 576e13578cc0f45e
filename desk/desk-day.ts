import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {formatTime} from '../widgets/core/format-time.ts';
import type {Locale} from '../widgets/core/locale.ts';
import {ask, type Day, DeskProblem, readFile} from './client.ts';
import {type DayOfMonth, type Hours, readHours, readMonth} from './day-data.ts';
import type {Picture} from './day-plot.ts';
import {DeskElement} from './desk-element.ts';
import {dayOf, formatCount, formatDay, formatSum, shiftDay, sumOf} from './format.ts';
import {dayTexts} from './locales/day.ts';
import {stateName, toneOf} from './locales/names.ts';
import {Polled} from './polled.ts';
import {hrefOf, isDay} from './route.ts';
import {serviceChoice} from './service-choice.ts';
import {session} from './session.ts';

const READ_EVERY_MS = 60_000;

type Cell = string | TemplateResult;
/** A file that is being read, or was. */
type FileState = {readonly is: 'reading'; readonly bytes: number} | {readonly is: 'read'; readonly name: string};
type BankSum = Day['banks'][number];

/** By name, in the sequence of the language. */
const byBank = (locale: Locale) => (a: BankSum, b: BankSum) =>
  (a.bank_name ?? '').localeCompare(b.bank_name ?? '', locale);

/**
 * A day of a service: its sums, its pictures and its file.
 *
 * @tag desk-day
 */
export class DeskDay extends DeskElement {
  static override properties = {
    service: {},
    day: {},
    file: {state: true},
    fileProblem: {state: true},
  };

  declare service: string;
  declare day: string;
  declare file: FileState | null;
  declare fileProblem: DeskProblem | null;

  readonly #sums = new Polled<Day>(
    this,
    (signal) => ask<'showDay'>(`days/${this.#day}`, {service: this.#service}, signal),
    {everyMs: READ_EVERY_MS},
  );
  readonly #hours = new Polled<Hours>(this, (signal, say) =>
    readHours(
      this.#service,
      this.#day,
      (rows) => say(() => dayTexts[this.locale].rows(formatCount(rows, this.locale))),
      signal,
    ),
  );
  readonly #month = new Polled<readonly DayOfMonth[]>(this, (signal, say) =>
    readMonth(this.#service, this.#day, (done, all) => say(() => dayTexts[this.locale].days(done, all)), signal),
  );

  constructor() {
    super();
    this.service = '';
    this.day = '';
    this.file = null;
    this.fileProblem = null;
  }

  get #service(): string {
    return this.service || (session?.services[0] ?? '');
  }

  get #day(): string {
    return this.day || dayOf(new Date());
  }

  protected override willUpdate(changed: PropertyValues): void {
    const key = `${this.#service}\n${this.#day}`;
    this.#sums.show(key);
    // A day without sums, such as one to come, has no pictures either.
    const isDayThere = this.#sums.value !== undefined;
    for (const polled of [this.#hours, this.#month]) polled.show(isDayThere ? key : null);
    if (!changed.has('service') && !changed.has('day')) return;
    this.fileProblem = null;
    if (this.file?.is === 'read') this.file = null;
  }

  protected override renderContent(): TemplateResult {
    const {locale} = this;
    const t = dayTexts[locale];
    const today = dayOf(new Date());
    return html`<div class="stack">
      <div class="panel">
        <h1>${formatDay(this.#day, locale)}</h1>
        <div class="row">
          ${serviceChoice(locale, this.#service, (service) => this.#go(service, this.#day))}
          <label class="row">${t.day}<input type="date" .value=${this.#day} max=${today} @change=${this.#onDay} /></label>
          <a class="link" href=${this.#href(shiftDay(this.#day, -1))}>${t.before}</a>
          ${this.#day < today ? html`<a class="link" href=${this.#href(shiftDay(this.#day, 1))}>${t.after}</a>` : nothing}
        </div>
      </div>
      ${this.renderPolled(this.#sums, (sums) => this.#renderSums(sums))}
      ${
        this.#sums.value === undefined
          ? nothing
          : html`${this.renderPolled(this.#hours, (hours) => this.#renderHours(hours))}
              ${this.renderPolled(this.#month, (month) => this.#renderMonth(month))}`
      }
    </div>`;
  }

  #href(day: string): string {
    return hrefOf({view: 'day', service: this.#service, day});
  }

  #go(service: string, day: string): void {
    location.hash = hrefOf({view: 'day', service, day});
  }

  #renderSums(sums: Day): TemplateResult {
    const {locale} = this;
    const t = dayTexts[locale];
    const money = (amount: string) => formatSum(amount, locale);
    const counted = ({count, amount}: {readonly count: number; readonly amount: string}) =>
      `${money(amount)} (${formatCount(count, locale)})`;
    const facts: readonly (readonly [string, string])[] = [
      [t.facts.arrived, money(sums.arrived)],
      [t.facts.refunded, money(sums.refunded)],
      [t.facts.balance, money(sums.balance)],
      [t.facts.unmatched, counted(sums.unmatched)],
      [t.facts.late, counted(sums.late)],
      [t.facts.overdue, counted(sums.overdue)],
    ];
    const counts = (rows: readonly {readonly count: number}[]) =>
      formatCount(
        rows.reduce((sum, {count}) => sum + count, 0),
        locale,
      );
    const currencies = [...new Set(sums.banks.map(({currency}) => currency))];
    const settled = sums.refunds.filter(({state}) => state === 'settled');
    const kind = (method: 'transfer' | 'charge' | null) => (method === null ? '–' : t.kinds[method]);
    return html`
      <section class="panel">
        <p>
          ${sums.closed ? t.closed : t.open} ${sums.searched_at ? t.searched(formatTime(sums.searched_at, locale)) : nothing}
        </p>
        <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
        <div class="row">
          <span>${t.look}:</span>
          ${(['unmatched', 'late', 'overpaid'] as const).map(
            (list) =>
              html`<a class="link" href=${hrefOf({view: 'work', service: this.#service, kind: list, page: ''})}>${t.lists[list]}</a>`,
          )}
        </div>
        <div class="row">
          <button type="button" class="button soft" ?disabled=${this.file?.is === 'reading'} @click=${this.#onFile}>${t.file}</button>
          <span role="status">${this.#fileText(t)}</span>
        </div>
        ${this.fileProblem ? this.renderProblem(this.fileProblem) : nothing}
      </section>
      ${this.#renderTable(
        t.banks,
        [t.bank, t.kind, t.number, t.amount],
        sums.banks
          .toSorted(byBank(locale))
          .map((each) => [
            each.bank_name ?? '–',
            kind(each.method),
            formatCount(each.count, locale),
            formatSum(each.arrived, locale, each.currency),
          ]),
        currencies.map((currency) => {
          const rows = sums.banks.filter((each) => each.currency === currency);
          return [t.total, '', counts(rows), formatSum(sumOf(rows.map(({arrived}) => arrived)), locale, currency)];
        }),
        t.noMoney,
      )}
      ${this.#renderTable(
        t.orders,
        [t.state, t.number, t.amount],
        sums.orders.map((each) => [
          html`<span class=${toneOf(each.state)}>${stateName(each.state, locale)}</span>`,
          formatCount(each.count, locale),
          money(each.amount),
        ]),
      )}
      ${sums.orders.length > 0 ? html`<p class="muted">${t.ordersCount}</p>` : nothing}
      ${this.#renderTable(
        t.refunds,
        [t.state, t.bank, t.number, t.amount],
        sums.refunds.map((each) => [
          stateName(each.state, locale),
          each.bank_name ?? '–',
          formatCount(each.count, locale),
          money(each.amount),
        ]),
        // A refund that was sent is also among those that were requested.
        [[t.totalSent, '', counts(settled), money(sumOf(settled.map(({amount}) => amount)))]],
      )}
      ${this.#renderTable(
        t.corrections,
        [t.day, t.number, t.amount],
        sums.corrections.map((each) => [
          formatDay(each.day, locale, 'medium'),
          formatCount(each.count, locale),
          money(each.balance),
        ]),
        [[t.total, counts(sums.corrections), money(sumOf(sums.corrections.map(({balance}) => balance)))]],
      )}
    `;
  }

  #renderTable(
    caption: string,
    heads: readonly string[],
    rows: readonly (readonly Cell[])[],
    totals: readonly (readonly string[])[] = [],
    empty?: string,
  ) {
    if (rows.length === 0) return empty ? html`<p class="panel">${empty}</p>` : nothing;
    const isNumber = (index: number) => (index >= heads.length - 2 ? 'number' : nothing);
    return html`<section class="panel">
      <div class="scroll" tabindex="0" role="group" aria-label=${caption}>
        <table>
          <caption>${caption}</caption>
          <thead><tr>${heads.map((head, index) => html`<th scope="col" class=${isNumber(index)}>${head}</th>`)}</tr></thead>
          <tbody>
            ${rows.map((cells) => html`<tr>${cells.map((cell, index) => html`<td class=${isNumber(index)}>${cell}</td>`)}</tr>`)}
          </tbody>
          <tfoot>
            ${totals.map(
              ([label, ...cells]) =>
                html`<tr><th scope="row">${label}</th>${cells.map((cell, index) => html`<td class=${isNumber(index + 1)}>${cell}</td>`)}</tr>`,
            )}
          </tfoot>
        </table>
      </div>
    </section>`;
  }

  #renderHours({amounts}: Hours): TemplateResult {
    const t = dayTexts[this.locale];
    return this.#renderPicture(t.hours, {
      kind: 'bars',
      labels: amounts.map((_, hour) => `${String(hour).padStart(2, '0')}:00`),
      values: amounts,
      formatAxis: this.#formatLira,
    });
  }

  #renderMonth(month: readonly DayOfMonth[]): TemplateResult {
    const t = dayTexts[this.locale];
    return this.#renderPicture(t.month, {
      kind: 'line',
      labels: month.map(({day}) => `${day.slice(8)}.${day.slice(5, 7)}`),
      values: month.map(({arrived}) => arrived),
      formatAxis: this.#formatLira,
    });
  }

  #renderPicture(heading: string, picture: Picture): TemplateResult {
    return html`<desk-picture .heading=${heading} .picture=${picture}></desk-picture>`;
  }

  readonly #formatLira = (lira: number) => `₺${formatCount(Math.round(lira * 100) / 100, this.locale)}`;

  #onDay(event: Event): void {
    const day = (event.target as HTMLInputElement).value;
    // Somebody who types a year begins with 0002.
    if (isDay(day)) this.#go(this.#service, day);
  }

  #fileText({reading, fileThere}: (typeof dayTexts)[Locale]): string {
    const {file} = this;
    if (file?.is === 'reading') return reading(formatCount(Math.ceil(file.bytes / 1000), this.locale));
    return file ? fileThere(file.name) : '';
  }

  async #onFile(): Promise<void> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    this.fileProblem = null;
    this.file = {is: 'reading', bytes};
    try {
      const fields = {service: this.#service, ...(this.locale === 'tr' && {numbers: 'tr'})};
      const name = await readFile(`days/${this.#day}.csv`, fields, (piece) => {
        pieces.push(piece);
        bytes += piece.byteLength;
        this.file = {is: 'reading', bytes};
      });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(pieces, {type: 'text/csv'}));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.file = {is: 'read', name};
    } catch (error) {
      this.file = null;
      this.fileProblem = error instanceof DeskProblem ? error : new DeskProblem('network', true);
    }
  }
}
