import {html, type TemplateResult} from 'lit';

/** The outlines of what is on its way, so many. */
export function bones(count: number): TemplateResult {
  return html`${Array.from({length: count}, () => html`<span class="bone"></span>`)}`;
}
