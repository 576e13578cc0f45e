import {
  LitElement,
  html,
  render as renderInto,
  type CSSResultGroup,
  type PropertyDeclaration,
  type PropertyValues,
  type ReactiveController,
  type TemplateResult,
} from 'lit';
import {brokenMessages} from '../locales/outdated.ts';
import {troubleMessages} from '../locales/trouble.ts';
import {type Locale, LocaleController} from './locale.ts';
import {markPrivate} from './private.ts';
import {Problem, type ProblemCode} from './problem.ts';
import {FileQuery, PENDING, type QueryLike} from './query.ts';
import {scriptTag} from './script-tag.ts';
import {type Store, StoreController} from './store.ts';
import {theme} from './styles/theme.styles.ts';
import {problemNotice, type NextSteps} from './templates.ts';
import {usePage} from './use-page.ts';

/** A controller that can render a part above its element's content, or replace that content. */
export interface ContentController extends NextSteps {
  render(renderContent: () => TemplateResult): TemplateResult;
}

/** A property and its attribute. */
export interface AttributeDeclaration extends PropertyDeclaration {
  /** The property without the attribute; an empty text by default. */
  readonly initial?: string | false;
}

/** An attribute of HTML is true if it is there. Templates and frameworks also write the text of a false value. */
const isTrue = (value: unknown): boolean => value !== null && !/^false$/i.test(value as string);

/** A property that is true if its attribute is there. */
export const flag = {initial: false, converter: isTrue} as const;

/**
 * The base class of all elements. It finds their Worker and their language, and shows answers and problems. Controllers
 * contain the parts that only some elements need, and use the public members of this class. A page should use only the
 * properties.
 *
 * @attr {'light' | 'dark' | 'auto'} theme - Colors; `auto` for those of the device. By default, those of the page.
 */
export abstract class VezneElement<W> extends LitElement {
  static override properties: Readonly<Record<string, AttributeDeclaration>> = {
    offer: {},
    // It opens an order, so a page's scripts and recorders must not find it in the markup.
    session: {reflect: false},
    api: {},
    theme: {},
  };
  static override styles: CSSResultGroup = theme;

  /** The name of the offer to sell, as in the Worker's configuration. */
  declare offer: string;

  /** A session created by the merchant's server. If it is set, `offer` is ignored. */
  declare session: string;

  /** Address of the Worker. The default is the Worker that serves the script. */
  declare api: string;

  /** Colors: `light`, `dark`, or `auto` for those of the device. By default, those of the page. */
  declare theme: '' | 'light' | 'dark' | 'auto';

  /** The texts of the element in all languages. */
  protected abstract readonly messages: Readonly<Record<Locale, W>>;

  readonly #localeController = new LocaleController(this);
  /** The stores that the element observes. Some of them are files that load later. */
  readonly #stores: StoreController<Store>[] = [];
  /** The problems that this update shows. */
  readonly #shown = new Set<Problem>();
  /** The problems for which `vezne-error` was dispatched. */
  readonly #reported = new WeakSet<Problem>();
  /** Set while the element cannot be rendered. */
  #broken: Problem | undefined;

  /** The purchase of an element for a bank transfer. It can render something above the content, or instead of it. */
  protected readonly purchase?: ContentController;

  protected abstract renderContent(t: W): TemplateResult;
  abstract renderSkeleton(): TemplateResult;

  /**
   * Makes the property of an attribute work as in an element of HTML: setting the property sets the attribute at once,
   * unless `reflect` is false; a boolean property takes any value; without the attribute, a property has its default.
   */
  static override getPropertyDescriptor(
    name: PropertyKey,
    key: string | symbol,
    options: AttributeDeclaration,
  ): PropertyDescriptor | undefined {
    const accessor = super.getPropertyDescriptor(name, key, options) as Required<PropertyDescriptor>;
    const {reflect = true, initial = ''} = options;
    const attribute = (options.attribute ?? name) as string;
    if (!attribute) return accessor;
    return {
      ...accessor,
      get(this: Readonly<Record<string | symbol, unknown>>) {
        return this[key] ?? initial;
      },
      set(this: Element, given: unknown) {
        const value = initial === false ? !!given && isTrue(given) : `${given ?? initial}`;
        accessor.set.call(this, value);
        if (!reflect) return;
        if (typeof value === 'boolean') this.toggleAttribute(attribute, value);
        else if (value !== (this.getAttribute(attribute) ?? initial)) this.setAttribute(attribute, value);
      },
    };
  }

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

  /** The first node inside the element that the selector finds. There is none before the first rendering. */
  find<E extends Element = HTMLElement>(selector: string): E | null | undefined {
    return this.shadowRoot?.querySelector<E>(selector);
  }

  /** Dispatches `vezne-error` after the current update, once for each problem. The caller shows the problem. */
  reportProblem(problem: Problem | undefined): void {
    if (!problem) return;
    this.#shown.add(problem);
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    queueMicrotask(() => this.dispatchEvent(new ProblemEvent(problem)));
  }

  override addController(controller: ReactiveController): void {
    if (controller instanceof StoreController) this.#stores.push(controller);
    super.addController(controller);
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
    if (result.status === 'done') return render(result.value);
    if (result.status === 'pending')
      return html`${renderPending()}<span class="visually-hidden" role="status">${troubleMessages[this.locale].loading}</span>`;
    const {problem} = result;
    this.reportProblem(problem);
    return problemNotice(problem, this.locale, () => query?.reload(), this.purchase ?? (this.t as NextSteps));
  }

  /**
   * Hides what is private from session recorders. If the update removes the focused node, moves the focus to another node
   * of the element. Otherwise the focus would be lost.
   */
  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    // A browser that translates the page has put text nodes into `<font>`, where Lit would not find them.
    for (const font of this.renderRoot.querySelectorAll('font')) font.replaceWith(font.textContent ?? '');
    super.update(changed);
    markPrivate(this.renderRoot);
    if (!focused || focused.isConnected) return;
    (this.find('[data-autofocus]') ?? this.find('.base'))?.focus();
  }

  protected override updated(): void {
    const [base, meta] = this.renderRoot.children as unknown as HTMLElement[];
    const own = getComputedStyle(this);
    const {fontFamily} = getComputedStyle(meta as Element);
    base?.style.setProperty('--_font', own.fontFamily === fontFamily ? 'system-ui' : null);
    // Elements in their own colors need no file.
    if (['accent', 'paper'].some((name) => own.getPropertyValue(`--vezne-${name}`)))
      void usePage(({watchColors}) => watchColors(this.renderRoot));
  }

  /**
   * If an update throws, the element says that it cannot be shown, until an update succeeds. An update that a failing
   * one requests, such as by a frame that loads while it is rendered, would fail again, without end.
   */
  protected override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.#shown.clear();
    try {
      super.performUpdate();
      this.#broken = undefined;
    } catch (thrown) {
      if (this.#broken) this.isUpdatePending = false;
      else {
        reportError(thrown);
        this.#broken = new Problem('unreadable', false, 0, brokenMessages);
      }
      this.reportProblem(this.#broken);
      renderInto(this.frame(problemNotice(this.#broken, this.locale)), this.renderRoot, this.renderOptions);
    }
  }

  protected override render(): TemplateResult {
    const renderContent = () => this.renderContent(this.t);
    const content = this.purchase?.render(renderContent) ?? renderContent();
    return this.frame(content, this.#renderMissingFiles());
  }

  /** Renders what is around the content. An element without a shadow root has nothing around it. */
  protected frame(content: TemplateResult, notices?: readonly TemplateResult[]): TemplateResult {
    return html`<div class="base" part="base" tabindex="-1" lang=${this.locale} dir="ltr">${content}${notices}</div><meta>`;
  }

  /** Renders a notice for each file that did not load, unless the content shows it. */
  #renderMissingFiles(): readonly TemplateResult[] {
    return this.#stores.flatMap(({store}) => {
      const problem = store instanceof FileQuery && store.problem;
      return problem && !this.#shown.has(problem) ? this.renderQuery(store, () => html``) : [];
    });
  }
}

/** The base class of all events. The events leave the shadow roots, and bubble unless an event says otherwise. */
export abstract class VezneEvent extends Event {
  constructor(type: string, bubbles = true) {
    super(type, {bubbles, composed: true});
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
