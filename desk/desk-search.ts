import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {formatTime} from '../widgets/core/format-time.ts';
import {css} from '../widgets/core/styles/css.ts';
import {DeskProblem} from './client.ts';
import {codeText} from './code-text.ts';
import {DeskElement} from './desk-element.ts';
import {deskStyles} from './desk.styles.ts';
import {formatSum} from './format.ts';
import {inParallel} from './in-parallel.ts';
import {stateName, toneOf} from './locales/names.ts';
import {searchTexts} from './locales/search.ts';
import {workTexts} from './locales/work.ts';
import {hrefOf, readRoute} from './route.ts';
import {type Found, questionsFor, type SearchAnswer, withoutRepeats} from './search-questions.ts';
import {session} from './session.ts';
import {cleanText, maskNumbers} from './stranger-text.ts';
import {toReturnText} from './to-return.ts';

/** Whether it is a row of the books, which says what happened then. The order may have reached other states since. */
const isRecord = ({as}: Found) => as !== 'code' && as !== 'order';

type ServiceAnswer = SearchAnswer & {readonly service: string};

/** How many questions are under way at the same time. */
const CONCURRENCY = 4;

/**
 * One field for everything that names a payment. What is typed stays here: no address and no storage has it.
 *
 * @tag desk-search
 */
export class DeskSearch extends DeskElement {
  static override styles = [
    ...deskStyles,
    css`
      form.panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.375em 0.5em;
      }
      label,
      .muted,
      .wide {
        grid-column: 1 / -1;
      }
      label {
        font-weight: 650;
      }
      [role='option'] {
        display: grid;
        grid-template-columns: minmax(0, 1fr) fit-content(40%);
        gap: 0.125em 1em;
        padding: 0.625em 0.75em;
        border-radius: 8px;
        cursor: pointer;
      }
      [role='option'] + [role='option'] {
        border-block-start: 1px solid var(--_line);
      }
      [aria-selected='true'] {
        background: var(--_tint);
        outline: 2px solid var(--_link);
        outline-offset: -2px;
      }
      [role='option'] > :nth-child(even) {
        text-align: end;
      }
      strong {
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
    `,
  ];
  static override properties = {
    found: {state: true},
    active: {state: true},
    done: {state: true},
    all: {state: true},
    problem: {state: true},
    isListed: {attribute: false},
    shown: {attribute: false},
  };

  /** What was found; null before the first search. */
  declare found: readonly Found[] | null;
  declare active: number;
  declare done: number;
  declare all: number;
  declare problem: DeskProblem | null;
  /** Whether what was found is shown: not beside a payment, but again when somebody goes back from it. */
  declare isListed: boolean;
  /** The order that is shown below. */
  declare shown: {readonly service: string; readonly order: string} | null;

  #search: AbortController | undefined;
  /** What the questions of the search found, each for a service. */
  #answers: readonly ServiceAnswer[] = [];

  constructor() {
    super();
    this.found = null;
    this.active = 0;
    this.done = 0;
    this.all = 0;
    this.problem = null;
    this.isListed = false;
    this.shown = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search?.abort();
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('isListed') || !this.isListed) return;
    this.#input?.focus();
    // Another text replaces the one that is there.
    this.#input?.select();
  }

  get #listed(): readonly Found[] | null {
    return this.isListed ? this.found : null;
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }

  protected override renderContent(): TemplateResult {
    const t = searchTexts[this.locale];
    const {done, all, problem} = this;
    const found = this.#listed;
    const isSearching = done < all;
    const status = isSearching
      ? t.searching(done, all)
      : found === null
        ? ''
        : found.length === 0
          ? t.nothing
          : t.found(found.length);
    // A text that did not lead to this payment would look as if it had.
    const {shown} = this;
    const isFound = this.found?.some(({service, order}) => service === shown?.service && order === shown.order);
    const isOther = shown !== null && this.#input?.value && !isFound;
    return html`<form role="search" class="panel" @submit=${this.#onSubmit}>
      <label for="text">${t.label}</label>
      <input
        id="text"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        enterkeyhint="search"
        maxlength="200"
        role="combobox"
        aria-expanded=${found && found.length > 0 ? 'true' : 'false'}
        aria-controls="results"
        aria-describedby="hint"
        aria-activedescendant=${found && found.length > 0 ? `option-${this.active}` : nothing}
        @keydown=${this.#onKey}
        @input=${this.#onInput}
      />
      <button class="button">${t.button}</button>
      <p id="hint" class="muted">${t.hint}</p>
      <div class="muted" role="status">
        <p>${isOther ? t.other : status}</p>
        ${found === null || isSearching ? nothing : this.#renderLimits()}
      </div>
      ${found === null || isSearching ? nothing : this.#renderOtherLists()}
      ${problem ? this.renderProblem(problem) : nothing}
      <div id="results" role="listbox" aria-label=${t.results} class="muted" ?hidden=${!found || found.length === 0}>
        ${found?.map((each, index) => this.#renderFound(each, index))}
      </div>
    </form>`;
  }

  /** What the search did not find: more rows, money that was sent later, and orders that no page has read again. */
  #renderLimits(): TemplateResult {
    const t = searchTexts[this.locale];
    const searchedAt = new Map(
      this.#answers.flatMap(({service, searchedAt: at}) => (at === undefined ? [] : [[service, at]])),
    );
    const isOne = searchedAt.size === 1;
    return html`${this.#answers.some(({isCut}) => isCut) ? html`<p>${t.cut}</p>` : nothing}
      ${[...searchedAt].map(
        ([service, at]) =>
          html`<p>
            ${isOne ? nothing : `${service}: `}${at === null ? t.neverSearched : t.searched(formatTime(at, this.locale))}
          </p>`,
      )}
      ${this.found?.some(isRecord) ? html`<p>${t.records}</p>` : nothing}
      <p>${t.limits}</p>`;
  }

  #renderOtherLists(): TemplateResult {
    const {kinds} = workTexts[this.locale];
    const services = session?.services ?? [];
    return html`${services.map(
      (service) =>
        html`<p class="row wide">
          ${services.length > 1 ? `${service}:` : nothing}
          ${(['waiting', 'unmatched'] as const).map((kind) => html`<a class="link" href=${hrefOf({view: 'work', service, kind, page: ''})}>${kinds[kind]}</a>`)}
        </p>`,
    )}`;
  }

  #renderFound(found: Found, index: number): TemplateResult {
    const t = searchTexts[this.locale];
    const {order, service, amount, state, sender, at, code, as, toReturn = null} = found;
    return html`<div
      id=${`option-${index}`}
      role="option"
      aria-selected=${index === this.active ? 'true' : 'false'}
      @click=${() => this.#open(found)}
    >
      <strong>${order ?? t.noOrder}</strong><strong class="number">${formatSum(amount, this.locale)}</strong>
      <span>${service}${code ? html`&nbsp;· ${codeText(code)}` : nothing} · ${t.as[as]} ${at ? html`· ${formatTime(at, this.locale)}` : nothing} ${sender ? html`· <bdi>${maskNumbers(cleanText(sender))}</bdi>` : nothing}${toReturn ? ` · ${toReturnText(toReturn, this.locale)}` : nothing}</span>
      ${isRecord(found) ? html`<span>${t.record} ${stateName(state, this.locale)}</span>` : html`<span class=${toneOf(state)}>${stateName(state, this.locale)}</span>`}
    </div>`;
  }

  /** Money without an order is in the list of such money, with the orders that it may be for. */
  #open({service, order}: Found): void {
    location.hash = hrefOf(
      order === null
        ? {view: 'work', service, kind: 'unmatched', page: ''}
        : {view: 'payment', service, order, language: ''},
    );
  }

  /** A changed text has other results. */
  #onInput(): void {
    this.#search?.abort();
    this.found = null;
    this.done = this.all;
    this.requestUpdate();
  }

  #onKey(event: KeyboardEvent): void {
    const found = this.#listed;
    if (!found || found.length === 0 || event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      this.active = (this.active + step + found.length) % found.length;
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest'}),
      );
    } else if (event.key === 'Escape') this.found = null;
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const chosen = this.#listed?.[this.active];
    const isButton = (event.submitter as HTMLElement | null)?.matches(':focus');
    if (chosen && !isButton) return this.#open(chosen);
    // So that one goes back from the payment that was found to what was found.
    if (!this.isListed) location.hash = hrefOf({view: 'search'});
    void this.#run(this.#input?.value ?? '');
  }

  async #run(text: string): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const questions = questionsFor(text);
    const work = questions.flatMap((question) => (session?.services ?? []).map((service) => ({question, service})));
    const answers = work.map(({service}): ServiceAnswer => ({service, found: []}));
    this.#answers = answers;
    this.found = work.length === 0 ? [] : null;
    this.problem = null;
    this.active = 0;
    this.done = 0;
    this.all = work.length;
    try {
      await inParallel(work, CONCURRENCY, async ({question, service}, index) => {
        const answer = await question.ask(service, search.signal);
        search.signal.throwIfAborted();
        answers[index] = {service, ...answer};
        this.done += 1;
        this.found = withoutRepeats(answers.flatMap(({found}) => found));
      });
    } catch (error) {
      if (search.signal.aborted) return;
      search.abort();
      this.done = this.all;
      this.problem = error instanceof DeskProblem ? error : new DeskProblem('unreadable');
      return;
    }
    // One exact answer needs no choice.
    const [only, ...others] = this.found ?? [];
    const isExact = only && others.length === 0 && only.order !== null;
    if (isExact && !search.signal.aborted && readRoute(location.hash).view === 'search') this.#open(only);
  }
}
