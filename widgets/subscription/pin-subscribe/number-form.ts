import {html, nothing, type TemplateResult} from 'lit';
import {readMsisdn} from '../../../worker/contract/readers/mobile-number.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {PinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import type {ShownTerms} from '../offer.ts';
import type {FieldErrors, NumberField} from './form-facts.ts';

/** The sentence about each invalid field. */
export type FieldMessages = {readonly [field in NumberField]?: string | undefined};

export interface NumberFormOptions {
  readonly operators: ShownTerms['operators'];
  /** The id of the mobile operator that is selected at first. */
  readonly operator: number | undefined;
  /** The number that is shown at first, as ten digits. */
  readonly msisdn: string | undefined;
  readonly errors: FieldMessages;
  /** Read out after the form was submitted with errors. */
  readonly summary: string;
  readonly t: PinSubscribeMessages;
  readonly onSubmit: (event: SubmitEvent) => void;
  /** Called when the shopper has typed or selected something. */
  readonly onInput: (form: HTMLFormElement) => void;
  /** What the shopper must know before the first field. */
  readonly header: TemplateResult | typeof nothing;
  /** Everything below the fields, including the submit button. */
  readonly footer: TemplateResult;
}

/** Renders the form for operator, number and consent. Rendering it again keeps what the shopper has typed. */
export function numberForm({
  operators,
  operator,
  msisdn,
  errors,
  summary,
  t,
  onSubmit,
  onInput,
  header,
  footer,
}: NumberFormOptions): TemplateResult {
  const [only, other] = operators;
  const isChoice = other !== undefined;
  const operatorNote = isChoice || !only ? undefined : t.onlyOperator(only.name);
  const numberError = errors.number ?? (errors.operator && operatorNote);
  return html`<form novalidate @submit=${onSubmit} @input=${({currentTarget}: Event) => onInput(currentTarget as HTMLFormElement)}>
    <p class="visually-hidden" role="alert">${summary}</p>
    ${header} ${isChoice ? operatorChoice(operators, operator, errors.operator, t) : nothing}
    <div class="field">
      <label for="number">${t.number}</label>
      <input
        id="number"
        name="number"
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        required
        part="field"
        data-autofocus
        .value=${msisdn ? formatMsisdn(msisdn) : ''}
        aria-invalid=${numberError ? 'true' : nothing}
        aria-describedby="number-error number-hint"
        @change=${onNumberChange}
      />
      ${fieldError('number', numberError, false)}
      <p id="number-hint" class="muted">${numberError === operatorNote ? nothing : operatorNote} ${t.numberHint}</p>
    </div>
    <div class="field">
      <label class="consent"
        ><input type="checkbox" name="consent" required aria-invalid=${errors.consent ? 'true' : nothing} aria-describedby="consent-error" /><span>${t.consent}</span></label
      >
      ${fieldError('consent', errors.consent, false)}
    </div>
    ${footer}
  </form>`;
}

function operatorChoice(
  operators: NumberFormOptions['operators'],
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
function onNumberChange({target}: Event): void {
  const field = target as HTMLInputElement;
  const msisdn = readMsisdn(field.value);
  if (msisdn) field.value = formatMsisdn(msisdn);
}

/** Reads the form. Each field that is missing or wrong has an error. */
export function parseNumberForm(
  form: HTMLFormElement,
  operators: ShownTerms['operators'],
): {msisdn: string | undefined; operator: number; errors: FieldErrors} {
  const fields = new FormData(form);
  const msisdn = readMsisdn(String(fields.get('number')));
  const operator = Number(operators.length === 1 ? operators[0]?.id : fields.get('operator'));
  const errors: FieldErrors = {
    ...(!operator && {operator: 'operatorMissing'}),
    ...(!msisdn && {number: 'numberWrong'}),
    ...(!fields.has('consent') && {consent: 'consentMissing'}),
  };
  return {msisdn, operator, errors};
}
