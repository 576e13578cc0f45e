import {html, nothing, type TemplateResult} from 'lit';

/** What is wrong with a field, read out when it is said. */
export function fault(field: string, words: string | undefined): TemplateResult {
  return html`<p id="${field}-fault" class="fault" role="alert">${words ?? nothing}</p>`;
}
