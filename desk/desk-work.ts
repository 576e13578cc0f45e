import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {formatTime} from '../widgets/core/format-time.ts';
import {css} from '../widgets/core/styles/css.ts';
import {ask, type WorkItem} from './client.ts';
import {DeskElement} from './desk-element.ts';
import {deskStyles} from './desk.styles.ts';
import {formatSpan, formatSum} from './format.ts';
import {stateName, toneOf} from './locales/states.ts';
import {workTexts} from './locales/work.ts';
import {Polled} from './polled.ts';
import {hrefOf} from './route.ts';
import {serviceChoice} from './service-choice.ts';
import {session} from './session.ts';
import {stranger} from './stranger-element.ts';

const KINDS = [
  'unmatched',
  'overpaid',
  'late',
  'partial',
  'cancelled',
  'pending',
  'refund_failed',
  'refund_unknown',
  'delivery_failed',
  'waiting',
  'expired',
] as const;
type Kind = (typeof KINDS)[number];

interface List {
  readonly kind: Kind;
  readonly items: readonly WorkItem[];
  readonly next: string | null;
}

const go = (service: string, kind: string) => {
  location.hash = hrefOf({view: 'work', service, kind});
};

const READ_EVERY_MS = 60_000;
/** How many pages without an item are read before somebody has to ask for more. */
const MAX_EMPTY_PAGES = 14;

/**
 * The lists that ask for work, with how long each thing has waited.
 *
 * @tag desk-work
 */
export class DeskWork extends DeskElement {
  static override styles = [
    ...deskStyles,
    css`
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.25em 1em;
        padding-block: 0.625em;
        border-block-start: 1px solid var(--_line);
      }
      li > :nth-child(even) {
        text-align: end;
      }
      .wide {
        grid-column: 1 / -1;
        text-align: start !important;
      }
    `,
  ];
  static override properties = {service: {}, kind: {}, more: {state: true}};

  declare service: string;
  declare kind: string;
  /** Older items of the one list that is shown. */
  declare more: readonly List[];

  readonly #lists = new Polled<readonly List[]>(this, (signal, say) => this.#readAll(signal, say), {
    everyMs: READ_EVERY_MS,
  });
  readonly #older = new Polled<List>(this, (signal) => this.#readOlder(signal));

  constructor() {
    super();
    this.service = '';
    this.kind = '';
    this.more = [];
  }

  get #service(): string {
    return this.service || (session?.services[0] ?? '');
  }

  get #kinds(): readonly Kind[] {
    const one = KINDS.find((kind) => kind === this.kind);
    return one ? [one] : KINDS;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('service') && !changed.has('kind')) return;
    this.more = [];
    this.#older.show(null);
    this.#lists.show(`${this.#service}\n${this.#kinds.join()}`);
  }

  async #readAll(signal: AbortSignal, say: (progress: string) => void): Promise<readonly List[]> {
    const lists: List[] = [];
    for (const kind of this.#kinds) {
      say(workTexts[this.locale].reading(lists.length, this.#kinds.length));
      lists.push(await this.#read(kind, null, signal));
    }
    return lists;
  }

  /** A page may be empty although older items follow. */
  async #read(kind: Kind, start: string | null, signal: AbortSignal): Promise<List> {
    let cursor = start;
    for (let page = 0; ; page += 1) {
      const answer = await ask<'listWork'>('work', {service: this.#service, kind, cursor}, signal);
      cursor = answer.next_cursor;
      if (answer.items.length > 0 || cursor === null || page >= MAX_EMPTY_PAGES)
        return {kind, items: answer.items, next: cursor};
    }
  }

  async #readOlder(signal: AbortSignal): Promise<List> {
    const last = this.more.at(-1) ?? this.#lists.value?.[0];
    const list = await this.#read(last?.kind ?? 'unmatched', last?.next ?? null, signal);
    this.more = [...this.more, list];
    return list;
  }

  protected override renderContent(): TemplateResult {
    const {locale} = this;
    const t = workTexts[locale];
    return html`<div class="stack">
      <div class="panel">
        <h1>${t.title}</h1>
        <div class="row">
          ${serviceChoice(locale, this.#service, (service) => go(service, this.kind))}
          <label class="row"
            >${t.list}
            <select @change=${(event: Event) => go(this.#service, (event.target as HTMLSelectElement).value)}>
              <option value="" ?selected=${this.#kinds.length > 1}>${t.all}</option>
              ${KINDS.map((kind) => html`<option value=${kind} ?selected=${kind === this.kind}>${t.kinds[kind]}</option>`)}
            </select>
          </label>
        </div>
        ${this.#lists.isLoading && this.#lists.value ? html`<p class="muted" role="status">${this.#lists.progress}</p>` : nothing}
      </div>
      ${this.renderPolled(this.#lists, (lists) => this.#renderLists(lists))}
    </div>`;
  }

  #renderLists(lists: readonly List[]): TemplateResult {
    const t = workTexts[this.locale];
    const [first, ...others] = lists;
    if (first && others.length === 0) return this.#renderOne(first);
    const filled = lists.filter(({items, next}) => items.length > 0 || next !== null);
    if (filled.length === 0) return html`<p class="panel">${t.nothingAll}</p>`;
    return html`${filled.map((list) => this.#renderList(list, list.items))}`;
  }

  #renderOne(list: List): TemplateResult {
    const items = [list, ...this.more].flatMap((each) => each.items);
    return this.#renderList({...list, next: (this.more.at(-1) ?? list).next}, items);
  }

  #renderList({kind, next}: List, items: readonly WorkItem[]): TemplateResult {
    const t = workTexts[this.locale];
    const href = hrefOf({view: 'work', service: this.#service, kind});
    const isAlone = this.#kinds.length === 1;
    const onMore = () => {
      this.#older.show(null);
      this.#older.show(next);
    };
    return html`<section class="panel">
      <div class="row spread">
        <h2>${isAlone ? t.kinds[kind] : html`<a href=${href}>${t.kinds[kind]}</a>`}</h2>
        <span class="tag warn">${items.length}${next === null ? nothing : '+'}</span>
      </div>
      ${items.length === 0 ? html`<p class="muted">${t.nothing}</p>` : html`<ul>${items.map((item) => this.#renderItem(item))}</ul>`}
      ${isAlone && next !== null ? html`<button type="button" class="button soft" ?disabled=${this.#older.isLoading} @click=${onMore}>${t.more}</button>` : nothing}
      ${isAlone && this.#older.problem ? this.renderProblem(this.#older.problem) : nothing}
    </section>`;
  }

  #renderItem({booking, waiting, payment, proposals, command, delivery}: WorkItem): TemplateResult {
    const {locale} = this;
    const t = workTexts[locale];
    const order = booking?.order ?? waiting?.order ?? command?.order ?? delivery?.order ?? null;
    const since = booking?.at ?? waiting?.created_at ?? command?.created_at ?? delivery?.created_at;
    const amount = booking?.amount ?? payment?.amount ?? command?.amount ?? null;
    const state = payment?.state ?? booking?.state ?? command?.state ?? delivery?.state ?? null;
    const link = (name: string) =>
      html`<a href=${hrefOf({view: 'payment', service: this.#service, order: name})}>${name}</a>`;
    return html`<li>
      <strong>${order === null ? (delivery?.event_id ?? command?.id ?? t.noOrder) : link(order)}</strong>
      <strong class="number">${amount === null ? nothing : formatSum(amount, locale)}</strong>
      <span>
        ${since ? html`<time datetime=${since}>${formatTime(since, locale)}</time> · ${t.waited(formatSpan(Date.now() - Date.parse(since), locale))}` : nothing}
        ${booking?.bank_name ? html`&nbsp;· ${booking.bank_name}` : nothing} ${stranger(booking?.sender)}
      </span>
      <span class=${toneOf(state)}>${stateName(state, locale)}</span>
      ${booking?.description ? html`<span class="wide">${stranger(booking.description)}</span>` : nothing}
      ${payment && Number(payment.refundable.amount) > 0 ? html`<span class="wide">${t.refund(formatSum(payment.refundable.amount, locale))}</span>` : nothing}
      ${
        proposals.length > 0
          ? html`<span class="wide">${t.proposals}: ${proposals.map((each) => html`${link(each.order)} (${formatSum(each.amount, locale)}) `)}</span>`
          : nothing
      }
      ${delivery ? html`<span class="wide muted">${delivery.type} · ${delivery.last_status ?? delivery.last_fault ?? ''}</span>` : nothing}
    </li>`;
  }
}
