import {LitElement, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult} from 'lit';
import {localeOf} from '../../core/locale.ts';
import type {Problem} from '../../core/problem.ts';
import {TurnstileCheck} from '../../core/turnstile.ts';
import type {Purchase} from './purchase.ts';

/**
 * Shows the human check that the Worker requires for a new order. Only other Vezne elements use this element. It has no
 * shadow root. The check becomes a child of the outermost Vezne element.
 *
 * @tag vezne-human-check
 */
export class VezneHumanCheck extends LitElement {
  static readonly tag = 'vezne-human-check';
  static override properties: PropertyDeclarations = {problem: {attribute: false}};

  /** The Worker's refusal that requires the check. Every new refusal needs a new check. */
  problem: Problem | undefined;

  /** The purchase whose session contains the parameters of the check. */
  purchase: Purchase | undefined;

  /** Sends the refused request again, with the token of the check. */
  retry: (human: string) => void = () => {};

  #check: TurnstileCheck | undefined;
  /** The text to show if the check cannot be shown. */
  #failure: string | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#check?.remove();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('problem')) void this.#show();
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.#failure ? html`<p class="muted" role="alert">${this.#failure}</p>` : nothing;
  }

  async #show(): Promise<void> {
    this.#check?.remove();
    const parameters = this.purchase?.session.value?.human_check;
    if (!parameters) return;
    this.#check = new TurnstileCheck(this, (token) => this.retry(token));
    this.#failure = await this.#check.show(parameters, localeOf(this));
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-human-check': VezneHumanCheck;
  }
}
