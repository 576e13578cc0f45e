import {html, nothing, type TemplateResult} from 'lit';

/** The error of a form field. A screen reader reads it out when it appears. */
export function fieldError(field: string, message: string | undefined): TemplateResult {
  return html`<p id="${field}-error" class="field-error" role="alert">${message ?? nothing}</p>`;
}
