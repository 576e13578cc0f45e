/** Parts of the number form, and how it is read. */

import {html, nothing, type TemplateResult} from 'lit';
import {readMsisdn} from '../../../worker/contract/readers/mobile-number.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {PinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import type {ShownTerms} from '../offer.ts';
import type {Enrollee} from '../saved-pin.ts';
import type {FieldErrors} from './form-facts.ts';

/** Renders the choice of an operator. @param selected - The id of the operator that is selected at first. */
export function operatorChoice(
  operators: ShownTerms['operators'],
  selected: number | undefined,
  message: string | undefined,
  t: PinSubscribeMessages,
): TemplateResult {
  const count = operators.length;
  const longest = Math.max(...operators.map(({name}) => name.length));
  return html`<fieldset role="radiogroup" aria-required="true" aria-invalid=${message ? 'true' : nothing} aria-labelledby="operator" aria-describedby="operator-error">
    <h3 id="operator">${t.operator}</h3>
    <div class="operators" .style=${`--row:${count * (longest * 0.6 + 1.5)}em;--odd:${count % 2}`}>
      ${operators.map(
        ({id, name}) => html`<label class="operator" part="operator"
          ><input type="radio" name="operator" .value=${String(id)} ?checked=${id === selected} ?data-autofocus=${message && id === selected} /><bdi translate="no">${name}</bdi></label
        >`,
      )}
    </div>
    ${fieldError('operator', message, false)}
  </fieldset>`;
}

/** Groups the digits as soon as the number is complete: `0532 123 45 67`. */
export function onNumberChange({target}: Event): void {
  const field = target as HTMLInputElement;
  const msisdn = readMsisdn(field.value);
  if (msisdn) field.value = formatMsisdn(msisdn);
}

/** What the shopper has typed and selected. */
export interface NumberInput {
  /** Each field that is missing or wrong has an error. */
  readonly errors: FieldErrors;
  /** Undefined if there are errors. */
  readonly enrollee: Enrollee | undefined;
}

export function parseNumberForm(form: HTMLFormElement, operators: ShownTerms['operators']): NumberInput {
  const fields = new FormData(form);
  const msisdn = readMsisdn(String(fields.get('number')));
  const operator = Number(operators.length === 1 ? operators[0]?.id : fields.get('operator'));
  const hasConsent = fields.has('consent');
  const errors: FieldErrors = {
    ...(!operator && {operator: 'operatorMissing'}),
    ...(!msisdn && {number: 'numberWrong'}),
    ...(!hasConsent && {consent: 'consentMissing'}),
  };
  return {errors, enrollee: operator && msisdn && hasConsent ? {msisdn, operator} : undefined};
}
