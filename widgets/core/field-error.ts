import {html, nothing, type TemplateResult} from 'lit';

/**
 * The error of a form field.
 * @param isAlert - Whether a screen reader reads the error out when the error appears. When the field gets the focus, a
 * screen reader reads the error out in any case.
 */
export function fieldError(field: string, message: string | undefined, isAlert = true): TemplateResult {
  return html`<p id="${field}-error" class="field-error" role=${isAlert ? 'alert' : nothing}>${message ?? nothing}</p>`;
}
