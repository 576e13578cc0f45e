import {html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn, parseMsisdn} from '../../core/format.ts';
import type {PinSubscribeMessages} from '../../locales/pin-subscribe.ts';

/** The fields of the form. */
export type NumberField = 'operator' | 'number' | 'consent';

/** What is wrong with a field, in words. */
export type FieldErrors = {readonly [field in NumberField]?: string | undefined};

export interface NumberFormOptions {
  readonly operators: SubscriptionTerms['operators'];
  /** What is chosen to begin with. */
  readonly operator: number | undefined;
  /** Ten digits to begin with. */
  readonly msisdn: string | undefined;
  readonly errors: FieldErrors;
  readonly t: PinSubscribeMessages;
  readonly onSubmit: (event: SubmitEvent) => void;
  /** Something was typed or chosen. */
  readonly onInput: (form: HTMLFormElement) => void;
  /** What stands between the fields and the button, and the button. */
  readonly footer: TemplateResult;
}

/** Operator, number and consent. The fields keep what was typed, whatever happens. */
export function numberForm({
  operators,
  operator,
  msisdn,
  errors,
  t,
  onSubmit,
  onInput,
  footer,
}: NumberFormOptions): TemplateResult {
  return html`<form novalidate @submit=${onSubmit} @input=${({currentTarget}: Event) => onInput(currentTarget as HTMLFormElement)}>
    ${operators.length > 1 ? operatorChoice(operators, operator, errors.operator, t) : nothing}
    <div class="field">
      <label for="number">${t.number}</label>
      <input
        id="number"
        name="number"
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        part="field"
        data-autofocus
        .value=${msisdn ? formatMsisdn(msisdn) : ''}
        aria-invalid=${errors.number ? 'true' : nothing}
        aria-describedby="number-error number-hint"
        @change=${onNumberChange}
      />
      ${fieldError('number', errors.number)}
      <p id="number-hint" class="muted">${t.numberHint}</p>
    </div>
    <div class="field">
      <label class="consent"
        ><input type="checkbox" name="consent" aria-invalid=${errors.consent ? 'true' : nothing} aria-describedby="consent-error" /><span>${t.consent}</span></label
      >
      ${fieldError('consent', errors.consent)}
    </div>
    ${footer}
  </form>`;
}

function operatorChoice(
  operators: NumberFormOptions['operators'],
  chosen: number | undefined,
  message: string | undefined,
  t: PinSubscribeMessages,
): TemplateResult {
  return html`<fieldset role="radiogroup" aria-labelledby="operator" aria-describedby="operator-error">
    <h3 id="operator">${t.operator}</h3>
    <div class="operators">
      ${operators.map(
        ({id, name}) => html`<label class="operator" part="operator"
          ><input type="radio" name="operator" .value=${String(id)} ?checked=${id === chosen} ?data-autofocus=${message && id === chosen} />${name}</label
        >`,
      )}
    </div>
    ${fieldError('operator', message)}
  </fieldset>`;
}

/** Shows a number as people read it, once it is one. */
function onNumberChange({target}: Event): void {
  const field = target as HTMLInputElement;
  const msisdn = parseMsisdn(field.value);
  if (msisdn) field.value = formatMsisdn(msisdn);
}
