import {html, nothing, type TemplateResult} from 'lit';

/** What is wrong with a field, read out when it is said. */
export function fieldError(field: string, message: string | undefined): TemplateResult {
  return html`<p id="${field}-error" class="field-error" role="alert">${message ?? nothing}</p>`;
}
