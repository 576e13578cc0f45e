import {html, type TemplateResult} from 'lit';

/** A way on: the one thing to do, a quiet choice, or a link among words. */
export type ButtonLook = 'button' | 'button soft' | 'link';

export function button(label: string, press: () => void, look: ButtonLook = 'button soft'): TemplateResult {
  return html`<button type="button" class=${look} part="button" @click=${press}>${label}</button>`;
}
