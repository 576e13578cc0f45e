import {html, nothing, type TemplateResult} from 'lit';

/**
 * The error of a form field.
 * @param isAlert whether a screen reader reads the error out when it appears. It does so anyway when the field gets the
 * focus.
 */
export function fieldError(field: string, message: string | undefined, isAlert = true): TemplateResult {
  return html`<p id="${field}-error" class="field-error" role=${isAlert ? 'alert' : nothing}>${message ?? nothing}</p>`;
}
