import {LitElement, html, type CSSResultGroup, type PropertyValues, type TemplateResult} from 'lit';
import {troubleMessages} from '../locales/trouble.ts';
import {ProblemEvent} from './events.ts';
import {type Locale, LocaleController} from './locale.ts';
import type {Problem} from './problem.ts';
import {property} from './property.ts';
import {PENDING, type QueryLike} from './query.ts';
import {scriptTag} from './script-tag.ts';
import {theme} from './styles/theme.styles.ts';
import {problemNotice, type NextSteps} from './templates.ts';

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
  protected abstract readonly messages: Readonly<Record<Locale, W>>;

  readonly #localeController = new LocaleController(this);
  #problemToReport: Problem | undefined;
  #reportedProblem: Problem | undefined;

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'lang') this.requestUpdate();
  }

  protected abstract renderContent(t: W): TemplateResult;
  protected abstract renderSkeleton(): TemplateResult;

  protected get locale(): Locale {
    return this.#localeController.locale;
  }

  /** The sentences of the language in use. */
  protected get t(): W {
    return this.messages[this.locale];
  }

  protected get address(): string {
    return new URL(this.api || (scriptTag()?.api ?? location.origin), document.baseURI).href.replace(/\/+$/, '');
  }

  /** What else can be done about a refusal than to try again. */
  protected get startOver(): NextSteps['startOver'] {
    return undefined;
  }

  /** Has the page told of a problem after this update; once for each. */
  protected reportProblem(problem: Problem | undefined): void {
    this.#problemToReport ??= problem;
  }

  /** Renders an answer: a skeleton while it is awaited, what to do where it failed. */
  protected renderQuery<T>(
    query: QueryLike<T> | undefined,
    render: (value: T) => TemplateResult,
    renderPending = () => this.renderSkeleton(),
  ): TemplateResult {
    const result = query?.result ?? PENDING;
    switch (result.status) {
      case 'pending':
        return html`${renderPending()}<span class="visually-hidden" role="status">${troubleMessages[this.locale].loading}</span>`;
      case 'failed':
        this.reportProblem(result.problem);
        return problemNotice(result.problem, this.locale, {retry: () => query?.reload(), startOver: this.startOver});
      case 'done':
        return render(result.value);
    }
  }

  /** Who goes by keyboard goes on where what had the focus was replaced, and is not sent back to the top of the page. */
  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    if (!focused || focused.isConnected) return;
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    (find('[data-autofocus]') ?? find('.base'))?.focus();
  }

  protected override updated(): void {
    const problem = this.#problemToReport;
    this.#problemToReport = undefined;
    if (problem === this.#reportedProblem) return;
    this.#reportedProblem = problem;
    if (problem) this.dispatchEvent(new ProblemEvent(problem));
  }

  protected override render(): TemplateResult {
    return html`<div class="base" part="base" tabindex="-1" lang=${this.locale}>${this.renderBody()}</div>`;
  }

  protected renderBody(): TemplateResult {
    return this.renderContent(this.t);
  }
}
