import {
  LitElement,
  html,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import {troubleMessages} from '../locales/trouble.ts';
import {type Locale, LocaleController} from './locale.ts';
import type {Problem, ProblemCode} from './problem.ts';
import {PENDING, type QueryLike} from './query.ts';
import {scriptTag} from './script-tag.ts';
import {theme} from './styles/theme.styles.ts';
import {problemNotice, type NextSteps} from './templates.ts';

/** A controller that can render a part above its element's content, or replace that content. */
export interface ContentController extends NextSteps {
  render(renderContent: () => TemplateResult): TemplateResult;
}

/**
 * The base class of all elements. It finds their Worker and their language, and shows answers and problems. Controllers
 * contain the parts that only some elements need, and use the public members of this class. A page should use only the
 * properties.
 *
 * @attr {'light' | 'dark' | 'auto'} theme - Colors; `auto` for those of the device. By default, those of the page.
 */
export abstract class VezneElement<W> extends LitElement {
  static override properties: PropertyDeclarations = {offer: {}, session: {}, api: {}};
  static override styles: CSSResultGroup = theme;

  /** The name of the offer to sell, as in the Worker's configuration. */
  offer = '';

  /** A session created by the merchant's server. If it is set, `offer` is ignored. */
  session = '';

  /** Address of the Worker. The default is the Worker that serves the script. */
  api = '';

  /** The texts of the element in all languages. */
  protected abstract readonly messages: Readonly<Record<Locale, W>>;

  readonly #localeController = new LocaleController(this);
  #problemToReport: Problem | undefined;
  #reportedProblem: Problem | undefined;

  /** The purchase of an element for a bank transfer. It can render something above the content, or instead of it. */
  protected readonly purchase?: ContentController;

  protected abstract renderContent(t: W): TemplateResult;
  abstract renderSkeleton(): TemplateResult;

  get locale(): Locale {
    return this.#localeController.locale;
  }

  /** The texts in the current language. */
  protected get t(): W {
    return this.messages[this.locale];
  }

  /** Address of the Worker, without a slash at the end. */
  get address(): string {
    return new URL(this.api || (scriptTag()?.api ?? location.origin), document.baseURI).href.replace(/\/+$/, '');
  }

  /** Dispatches `vezne-error` after the current update, once for each problem. */
  reportProblem(problem: Problem | undefined): void {
    this.#problemToReport ??= problem;
  }

  /**
   * Renders a query: a skeleton while it is pending, and a notice with the next step if it has failed. An element without
   * a purchase has its own `assurance` among its texts.
   */
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
        return problemNotice(
          result.problem,
          this.locale,
          () => query?.reload(),
          this.purchase ?? (this.t as NextSteps),
        );
      case 'done':
        return render(result.value);
    }
  }

  /**
   * If the update removes the focused node, moves the focus to another node of the element. Otherwise the focus would
   * be lost.
   */
  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    if (!focused || focused.isConnected) return;
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    (find('[data-autofocus]') ?? find('.base'))?.focus();
  }

  protected override updated(): void {
    const [base, meta] = this.renderRoot.children as unknown as HTMLElement[];
    const [own, initial] = [this, meta].map((each) => getComputedStyle(each as Element).fontFamily);
    base?.style.setProperty('--_font', own === initial ? 'system-ui' : null);
    const problem = this.#problemToReport;
    this.#problemToReport = undefined;
    if (problem === this.#reportedProblem) return;
    this.#reportedProblem = problem;
    if (problem) this.dispatchEvent(new ProblemEvent(problem));
  }

  protected override render(): TemplateResult {
    const renderContent = () => this.renderContent(this.t);
    const content = this.purchase?.render(renderContent) ?? renderContent();
    return html`<div class="base" part="base" tabindex="-1" lang=${this.locale} dir="ltr">${content}</div><meta>`;
  }
}

/** The base class of all events. The events bubble, also out of shadow roots. */
export abstract class VezneEvent extends Event {
  constructor(type: string) {
    super(type, {bubbles: true, composed: true});
  }
}

/** A request failed. The element shows the problem itself, and the page can also react to it. */
export class ProblemEvent extends VezneEvent {
  /** An error code of the Worker, or one of `offline`, `network`, `timeout` and `unreadable`. */
  readonly code: ProblemCode;
  /** Whether the same request may succeed later. If so, the element repeats it without the shopper. */
  readonly retryable: boolean;
  constructor({code, retryable}: Pick<Problem, 'code' | 'retryable'>) {
    super('vezne-error');
    this.code = code;
    this.retryable = retryable;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-error': ProblemEvent;
  }
}
