import {html, nothing, type TemplateResult} from 'lit';
import {formatTime} from '../widgets/core/format-time.ts';
import {css} from '../widgets/core/styles/css.ts';
import {ask, type WorkItem, type WorkKind} from './client.ts';
import {codeText} from './code-text.ts';
import {DeskElement} from './desk-element.ts';
import {deskStyles} from './desk.styles.ts';
import {formatCount, formatSpan, formatSum} from './format.ts';
import {inParallel} from './in-parallel.ts';
import {advice} from './locales/advice.ts';
import {explainDelivery, nameOf, stateName, toneOf} from './locales/names.ts';
import {WORK_LISTS, workTexts} from './locales/work.ts';
import {Polled} from './polled.ts';
import {hrefOf} from './route.ts';
import {serviceChoice} from './service-choice.ts';
import {session} from './session.ts';
import {stranger} from './stranger-element.ts';
import {toReturnOf, toReturnText} from './to-return.ts';

interface List {
  readonly kind: WorkKind;
  readonly items: readonly WorkItem[];
  readonly next: string | null;
}

const go = (service: string, kind: string) => {
  location.hash = hrefOf({view: 'work', service, kind, page: ''});
};

const pageLink = (href: string, text: string) => html`<a class="button soft" href=${href}>${text}</a>`;

const READ_EVERY_MS = 60_000;
/** How many lists are read at the same time. */
const CONCURRENCY = 3;
/** A page of the Worker has only what still asks for work. So several make one of the desk, which has so many items. */
const ENOUGH = 20;
const MAX_PAGES = 15;
/** How many items of each list are shown beside the other lists. */
const FIRST = 5;
/** The lists that begin with what has waited longest. */
const OLDEST_FIRST: ReadonlySet<WorkKind> = new Set(['waiting', 'refund_unknown', 'delivery_failed']);

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
  static override properties = {service: {}, kind: {}, page: {}};

  declare service: string;
  declare kind: string;
  /** Where the page of the one list begins; empty for its first page. */
  declare page: string;

  readonly #lists = new Polled<readonly List[]>(this, (signal, say) => this.#readAll(signal, say), {
    everyMs: READ_EVERY_MS,
  });

  constructor() {
    super();
    this.service = '';
    this.kind = '';
    this.page = '';
  }

  get #service(): string {
    return this.service || (session?.services[0] ?? '');
  }

  get #kinds(): readonly WorkKind[] {
    const one = WORK_LISTS.find((kind) => kind === this.kind);
    return one ? [one] : WORK_LISTS;
  }

  get #isOne(): boolean {
    return this.#kinds.length === 1;
  }

  get #page(): string {
    return this.#isOne ? this.page : '';
  }

  protected override willUpdate(): void {
    this.#lists.show(`${this.#service}\n${this.#kinds.join()}\n${this.#page}`);
  }

  #readAll(signal: AbortSignal, say: (progress: () => string) => void): Promise<readonly List[]> {
    let done = 0;
    const tell = () => say(() => workTexts[this.locale].reading(done, this.#kinds.length));
    tell();
    return inParallel(this.#kinds, CONCURRENCY, async (kind) => {
      const list = await this.#read(kind, signal);
      done += 1;
      tell();
      return list;
    });
  }

  /** A page may be empty although more items follow. */
  async #read(kind: WorkKind, signal: AbortSignal): Promise<List> {
    const items: WorkItem[] = [];
    // The Worker names an order once in each of its pages.
    const seen = new Set<string>();
    const isNew = ({booking}: WorkItem) => {
      const order = kind === 'refund_failed' ? null : booking?.order;
      return !order || (!seen.has(order) && seen.add(order));
    };
    let cursor = this.#page || null;
    for (let page = 1; ; page += 1) {
      const answer = await ask<'listWork'>('work', {service: this.#service, kind, cursor}, signal);
      items.push(...answer.items.filter(isNew));
      cursor = answer.next_cursor;
      if (items.length >= (this.#isOne ? ENOUGH : 1) || cursor === null || page === MAX_PAGES)
        return {kind, items, next: cursor};
    }
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
              <option value="" ?selected=${!this.#isOne}>${t.all}</option>
              ${WORK_LISTS.map((kind) => html`<option value=${kind} ?selected=${kind === this.kind}>${t.kinds[kind]}</option>`)}
            </select>
          </label>
        </div>
        ${this.#lists.isLoading && this.#lists.value ? html`<p class="muted" role="status">${this.#lists.progress()}</p>` : nothing}
      </div>
      ${this.renderPolled(this.#lists, (lists) => this.#renderLists(lists))}
      ${
        this.#page && this.#lists.problem?.code === 'invalid_request'
          ? pageLink(hrefOf({view: 'work', service: this.#service, kind: this.kind, page: ''}), t.toBeginning)
          : nothing
      }
    </div>`;
  }

  #renderLists(lists: readonly List[]): TemplateResult {
    const filled = lists.filter(({items, next}) => this.#isOne || items.length > 0 || next !== null);
    if (filled.length === 0) return html`<p class="panel">${workTexts[this.locale].nothingAll}</p>`;
    return html`${filled.map((list) => this.#renderList(list))}`;
  }

  #href(kind: WorkKind, page = ''): string {
    return hrefOf({view: 'work', service: this.#service, kind, page});
  }

  #renderList({kind, items: all, next}: List): TemplateResult {
    const t = workTexts[this.locale];
    const items = this.#isOne ? all : all.slice(0, FIRST);
    const count = formatCount(items.length, this.locale);
    const isWhole = next === null && this.#page === '' && items.length === all.length;
    return html`<section class="panel">
      <div class="row spread">
        <h2>${this.#isOne ? t.kinds[kind] : html`<a href=${this.#href(kind)}>${t.kinds[kind]}</a>`}</h2>
        ${isWhole ? html`<span class="tag warn">${t.count(items.length, count)}</span>` : nothing}
      </div>
      <p class="muted">
        ${items.length > 0 ? t.first[OLDEST_FIRST.has(kind) ? 'oldest' : 'newest'] : isWhole ? t.nothing : t.nothingHere}
      </p>
      <details ?open=${this.#isOne}><summary>${t.advice}</summary><p>${advice[this.locale][kind]}</p></details>
      ${items.length > 0 ? html`<ul>${items.map((item) => this.#renderItem(item))}</ul>` : nothing}
      ${isWhole ? nothing : this.#renderPaging({kind, items: all, next}, count)}
    </section>`;
  }

  /** Says how much of a list is shown, and leads to the rest. */
  #renderPaging({kind, items, next}: List, count: string): TemplateResult {
    const t = workTexts[this.locale];
    if (!this.#isOne)
      return html`<p class="row"><span>${t.beginning(count, items.length > FIRST)}</span> ${pageLink(this.#href(kind), t.wholeList)}</p>`;
    return html`<p class="row">
      <span>${next === null ? t.lastPage(count) : t.onePage(count)}</span>
      ${this.#page ? pageLink(this.#href(kind), t.toBeginning) : nothing}
      ${next === null ? nothing : pageLink(this.#href(kind, next), t.nextPage)}
    </p>`;
  }

  #renderItem({booking, waiting, payment, proposals, command, delivery}: WorkItem): TemplateResult {
    const {locale} = this;
    const t = workTexts[locale];
    const order = booking?.order ?? waiting?.order ?? command?.order ?? delivery?.order ?? null;
    const since = booking?.at ?? waiting?.created_at ?? command?.created_at ?? delivery?.created_at;
    const toReturn = toReturnOf(payment);
    const moved = booking?.amount ?? null;
    // The last transfer would look as if it were the excess.
    const amount = toReturn?.amount ?? moved ?? payment?.amount ?? command?.amount ?? null;
    const code = booking?.order_code ?? waiting?.order_code;
    const facts = [
      code && html`${t.code} ${codeText(code)}`,
      payment && Number(payment.remaining) > 0 && t.missing(formatSum(payment.remaining, locale)),
      waiting && t.until(formatTime(waiting.pay_until, locale)),
      toReturn && toReturnText(toReturn, locale),
    ].filter(Boolean);
    const state = payment?.state ?? booking?.state ?? command?.state ?? delivery?.state ?? null;
    const link = (name: string) =>
      html`<a href=${hrefOf({view: 'payment', service: this.#service, order: name, language: ''})}>${name}</a>`;
    return html`<li>
      <strong>${order === null ? (delivery?.event_id ?? command?.id ?? t.noOrder) : link(order)}</strong>
      <strong class="number">${amount === null ? nothing : formatSum(amount, locale)}</strong>
      <span>
        ${since ? html`<time datetime=${since}>${formatTime(since, locale)}</time> · ${t.waited(formatSpan(Date.now() - Date.parse(since), locale))}` : nothing}${booking?.bank_name ? ` · ${booking.bank_name}` : nothing}${toReturn && booking?.type === 'money.arrived' ? ` · ${t.arrived(formatSum(moved, locale))}` : nothing}
        ${stranger(booking?.sender)}
      </span>
      ${state === null ? html`<span></span>` : html`<span class=${toneOf(state)}>${stateName(state, locale)}</span>`}
      ${booking?.description ? html`<span class="wide">${stranger(booking.description)}</span>` : nothing}
      ${facts.length > 0 ? html`<span class="wide">${facts.map((fact, index) => html`${index > 0 ? ' · ' : ''}${fact}`)}</span>` : nothing}
      ${
        proposals.length > 0
          ? html`<span class="wide">${t.proposals}: ${proposals.map((each, index) => html`${index > 0 ? ', ' : ''}${link(each.order)} (${formatSum(each.amount, locale)})`)}</span>`
          : booking?.type === 'money.unmatched'
            ? html`<span class="wide muted">${t.noProposals}</span>`
            : nothing
      }
      ${delivery ? html`<span class="wide muted">${nameOf(['event'], delivery.type, locale)} · ${explainDelivery(delivery, locale)}</span>` : nothing}
    </li>`;
  }
}
