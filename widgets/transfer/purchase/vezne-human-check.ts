import {html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult} from 'lit';
import type {HumanCheck} from '../../../worker/contract/browser/answers.ts';
import type {Problem} from '../../core/problem.ts';
import {button} from '../../core/templates.ts';
import {TurnstileCheck} from '../../core/turnstile.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {humanCheckMessages} from '../../locales/human-check.ts';
import {troubleMessages} from '../../locales/trouble.ts';

/**
 * Tells the shopper that the Worker requires a human check for a new order, and shows the check. Only other Vezne
 * elements use this element. It has no shadow root. The check becomes a child of the outermost Vezne element.
 *
 * @tag vezne-human-check
 */
export class VezneHumanCheck extends VezneElement<null> {
  static readonly tag = 'vezne-human-check';
  static override properties: PropertyDeclarations = {problem: {attribute: false}, assurance: {attribute: false}};

  /** The Worker's refusal that requires the check. Every new refusal needs a new check. */
  problem: Problem | undefined;

  /** What the session says of the check. */
  parameters: HumanCheck | null | undefined;

  /** Sends the refused request again, with the token of the check. */
  retry: (human: string) => void = () => {};

  /** What is certain, if the check has failed. */
  assurance: string | undefined;

  #check: TurnstileCheck | undefined;
  /** Whether the check has failed or cannot be shown. */
  #hasFailed = false;
  protected override readonly messages = {tr: null, en: null};

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#check?.remove();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override frame(content: TemplateResult): TemplateResult {
    return content;
  }

  protected override updated(changed?: PropertyValues): void {
    if (changed?.has('problem')) void this.#show();
  }

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(): TemplateResult {
    const {locale} = this;
    const t = troubleMessages[locale];
    // Before it has failed, the notice is neutral, as that of a subscription.
    const messages = this.#hasFailed ? humanCheckMessages : this.problem?.refusal?.messages;
    const {title, text} = messages?.[locale] ?? {};
    return html`<div class=${this.#hasFailed ? 'problem' : 'problem calm'} part="problem" role="alert">
      <h3>${title}</h3>
      <p class="muted">${text}</p>
      ${this.#hasFailed ? html`<p class="muted">${this.assurance}</p>${button(t.tryAgain, () => void this.#show())}` : nothing}
    </div>`;
  }

  async #show(): Promise<void> {
    this.#check?.remove();
    const {parameters} = this;
    if (!parameters) return;
    this.#check = new TurnstileCheck(
      this,
      (token) => this.retry(token),
      () => this.#onChange(true),
    );
    this.#onChange(!!(await this.#check.show(parameters, this.locale)));
  }

  #onChange(hasFailed: boolean): void {
    const wasFocused = this.#check?.isFocused;
    if (hasFailed) this.#check?.remove();
    this.#hasFailed = hasFailed;
    this.requestUpdate();
    // The focus must not be lost with the check.
    if (hasFailed && wasFocused) void this.updateComplete.then(() => this.querySelector('button')?.focus());
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-human-check': VezneHumanCheck;
  }
}
