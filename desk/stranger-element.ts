import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {DeskElement} from './desk-element.ts';
import {frameTexts} from './locales/frame.ts';
import {cleanText, maskNumbers} from './stranger-text.ts';

/**
 * Shows what a stranger wrote as text, with IBANs and long numbers masked until somebody asks for them.
 *
 * @tag desk-stranger
 */
export class DeskStranger extends DeskElement {
  static override properties = {text: {}, isShown: {state: true}};

  declare text: string;
  declare isShown: boolean;

  constructor() {
    super();
    this.text = '';
    this.isShown = false;
  }

  /** A list may give the place of one text to another. */
  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('text')) this.isShown = false;
  }

  protected override renderContent(): TemplateResult {
    const clean = cleanText(this.text);
    const masked = maskNumbers(clean);
    if (masked === clean || this.isShown) return html`<bdi>${clean}</bdi>`;
    const t = frameTexts[this.locale];
    return html`<bdi>${masked}</bdi>
      <button type="button" class="link" aria-label=${`${t.show}: ${masked}`} @click=${this.#onShow}>${t.show}</button>`;
  }

  #onShow(): void {
    this.isShown = true;
  }
}

/** A text of a stranger, or nothing. */
export const stranger = (text: string | null | undefined) =>
  text ? html`<desk-stranger .text=${text}></desk-stranger>` : nothing;
