import {LitElement, html, type CSSResultGroup, type PropertyValues, type TemplateResult} from 'lit';
import {troubleWords} from '../locales/trouble.ts';
import {ProblemEvent} from './events.ts';
import {type Locale, Localization} from './locale.ts';
import type {Problem} from './problem.ts';
import {property} from './property.ts';
import {PENDING, type Answer} from './query.ts';
import {type Script, SCRIPT} from './script-tag.ts';
import {theme} from './styles/theme.styles.ts';
import {problemNotice, type WaysOn} from './templates.ts';

/** What all elements have in common: whom they ask, what for, and in which language. */
export abstract class VezneElement<W> extends LitElement {
  static override styles: CSSResultGroup = theme;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  /** Name of an offer of the Worker's: what is sold here. */
  @property() offer = '';

  /** A session made by the merchant's server; takes the place of an offer. */
  @property() session = '';

  /** Address of another Worker than the script's own. */
  @property() api = '';

  /** Every sentence of the element. */
  protected abstract readonly words: Readonly<Record<Locale, W>>;

  readonly #localization = new Localization(this);
  #problem: Problem | undefined;
  #told: Problem | undefined;

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'lang') this.requestUpdate();
  }

  protected abstract renderIn(say: W): TemplateResult;
  protected abstract renderSkeleton(): TemplateResult;

  protected get locale(): Locale {
    return this.#localization.locale;
  }

  /** The sentences of the language in use. */
  protected get say(): W {
    return this.words[this.locale];
  }

  protected get address(): string {
    const script = (globalThis as {[SCRIPT]?: Script})[SCRIPT];
    return new URL(this.api || (script?.api ?? location.origin), document.baseURI).href.replace(/\/+$/, '');
  }

  /** What else can be done about a refusal than to try again. */
  protected get startOver(): WaysOn['startOver'] {
    return undefined;
  }

  /** Has the page told of a problem after this update; once for each. */
  protected tell(problem: Problem | undefined): void {
    this.#problem ??= problem;
  }

  /** Renders an answer: a skeleton while it is awaited, what to do where it failed. */
  protected renderAnswer<T>(
    answer: Answer<T> | undefined,
    render: (value: T) => TemplateResult,
    awaited = () => this.renderSkeleton(),
  ): TemplateResult {
    const state = answer?.state ?? PENDING;
    switch (state.status) {
      case 'pending':
        return html`${awaited()}<span class="unseen" role="status">${troubleWords[this.locale].loading}</span>`;
      case 'failed':
        this.tell(state.problem);
        return problemNotice(state.problem, this.locale, {tryAgain: () => answer?.reload(), startOver: this.startOver});
      case 'done':
        return render(state.value);
    }
  }

  /** Who goes by keyboard goes on where what had the focus was replaced, and is not sent back to the top of the page. */
  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    if (!focused || focused.isConnected) return;
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    (find('[data-begin]') ?? find('.base'))?.focus();
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = undefined;
    if (problem === this.#told) return;
    this.#told = problem;
    if (problem) this.dispatchEvent(new ProblemEvent(problem));
  }

  protected override render(): TemplateResult {
    return html`<div class="base" part="base" tabindex="-1" lang=${this.locale}>${this.renderWhole()}</div>`;
  }

  protected renderWhole(): TemplateResult {
    return this.renderIn(this.say);
  }
}
