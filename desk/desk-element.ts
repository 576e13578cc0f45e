import {html, LitElement, nothing, type TemplateResult} from 'lit';
import {type Locale, LocaleController} from '../widgets/core/locale.ts';
import type {DeskProblem} from './client.ts';
import {deskStyles} from './desk.styles.ts';
import {frameTexts} from './locales/frame.ts';
import {explainProblem} from './locales/problems.ts';
import type {Polled} from './polled.ts';

/** The base class of the desk's elements: the language, the styles, and how work and problems are shown. */
export abstract class DeskElement extends LitElement {
  static override styles = deskStyles;

  readonly #locale = new LocaleController(this);

  get locale(): Locale {
    return this.#locale.locale;
  }

  /** Renders what is inside the frame that carries the styles. */
  protected abstract renderContent(): TemplateResult;

  protected override render(): TemplateResult {
    return html`<div class="base" lang=${this.locale}>${this.renderContent()}</div>`;
  }

  /** Renders an answer, what went wrong, or how far the work is. An older answer stays while it is read again. */
  protected renderPolled<T>(polled: Polled<T>, render: (value: T) => TemplateResult): TemplateResult {
    const {value, problem, progress} = polled;
    if (value !== undefined) return html`${problem ? this.renderProblem(problem) : nothing}${render(value)}`;
    if (problem) return this.renderProblem(problem, () => polled.reload());
    return html`<p class="muted" role="status">${progress() || frameTexts[this.locale].loading}</p>`;
  }

  protected renderProblem({code}: DeskProblem, retry?: () => void): TemplateResult {
    const t = frameTexts[this.locale];
    return html`<div class="problem warn" role="alert">
      <p>${explainProblem(code, this.locale)}</p>
      ${retry ? html`<button type="button" class="button soft" @click=${retry}>${t.again}</button>` : nothing}
    </div>`;
  }
}
