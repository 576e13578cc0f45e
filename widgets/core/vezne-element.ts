import {
  LitElement,
  html,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import {troubleMessages} from '../locales/trouble.ts';
import {ProblemEvent} from './events.ts';
import {type Locale, LocaleController} from './locale.ts';
import type {Problem} from './problem.ts';
import {PENDING, type QueryLike} from './query.ts';
import {scriptTag} from './script-tag.ts';
import {theme} from './styles/theme.styles.ts';
import {problemNotice, type NextSteps} from './templates.ts';

/** A controller that renders something above its element's content, or in its place. */
export interface ContentController {
  /** Another next step than to retry, where an order or session has ended. */
  readonly startOver: NextSteps['startOver'];
  render(renderContent: () => TemplateResult): TemplateResult;
}

/**
 * The base class of all elements: their Worker, their language, and how they show answers and problems. What only some of
 * them need is in controllers, which use its public members; a page uses the properties alone.
 */
export abstract class VezneElement<W> extends LitElement {
  static override properties: PropertyDeclarations = {offer: {}, session: {}, api: {}};
  static override styles: CSSResultGroup = theme;

  /** Name of an offer of the Worker's: what is sold here. */
  offer = '';

  /** A session made by the merchant's server; takes the place of an offer. */
  session = '';

  /** Address of another Worker than the script's own. */
  api = '';

  /** Every sentence of the element. */
  protected abstract readonly messages: Readonly<Record<Locale, W>>;

  readonly #localeController = new LocaleController(this);
  #problemToReport: Problem | undefined;
  #reportedProblem: Problem | undefined;

  /** The purchase an element of a transfer is about; it renders around the content. */
  protected readonly purchase?: ContentController;

  protected abstract renderContent(t: W): TemplateResult;
  abstract renderSkeleton(): TemplateResult;

  get locale(): Locale {
    return this.#localeController.locale;
  }

  /** The sentences of the language in use. */
  protected get t(): W {
    return this.messages[this.locale];
  }

  /** Address of the Worker, without a slash at the end. */
  get address(): string {
    return new URL(this.api || (scriptTag()?.api ?? location.origin), document.baseURI).href.replace(/\/+$/, '');
  }

  /** Has the page told of a problem after this update; once for each. */
  reportProblem(problem: Problem | undefined): void {
    this.#problemToReport ??= problem;
  }

  /** Renders an answer: a skeleton while it is awaited, what to do where it failed. */
  renderQuery<T>(
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
        return problemNotice(result.problem, this.locale, {
          retry: () => query?.reload(),
          startOver: this.purchase?.startOver,
        });
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
    const renderContent = () => this.renderContent(this.t);
    const content = this.purchase?.render(renderContent) ?? renderContent();
    return html`<div class="base" part="base" tabindex="-1" lang=${this.locale}>${content}</div>`;
  }
}
