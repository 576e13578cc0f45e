import {html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {groupMsisdn, readMsisdn} from '../../core/format.ts';
import {fault} from '../../core/templates.ts';
import type {SubscribeWords} from '../../locales/pin-subscribe.ts';

/** The fields of the form, and of its faults. */
export type NumberField = 'operator' | 'number' | 'consent';

/** What is wrong with a field, in words. */
export type Faults = {readonly [field in NumberField]?: string | undefined};

export interface NumberForm {
  readonly operators: SubscriptionTerms['operators'];
  /** What is chosen to begin with. */
  readonly operator: number | undefined;
  /** Ten digits to begin with. */
  readonly msisdn: string | undefined;
  readonly faults: Faults;
  readonly say: SubscribeWords;
  readonly onSubmit: (event: SubmitEvent) => void;
  /** Something was typed or chosen. */
  readonly onInput: (form: HTMLFormElement) => void;
  /** What stands between the fields and the button, and the button. */
  readonly end: TemplateResult;
}

/** Operator, number and consent. The fields keep what was typed, whatever happens. */
export function numberForm({
  operators,
  operator,
  msisdn,
  faults,
  say,
  onSubmit,
  onInput,
  end,
}: NumberForm): TemplateResult {
  return html`<form novalidate @submit=${onSubmit} @input=${({currentTarget}: Event) => onInput(currentTarget as HTMLFormElement)}>
    ${operators.length > 1 ? operatorChoice(operators, operator, faults.operator, say) : nothing}
    <div class="field">
      <label for="number">${say.number}</label>
      <input
        id="number"
        name="number"
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        part="field"
        data-begin
        .value=${msisdn ? groupMsisdn(msisdn) : ''}
        aria-invalid=${faults.number ? 'true' : nothing}
        aria-describedby="number-fault number-hint"
        @change=${onNumberChange}
      />
      ${fault('number', faults.number)}
      <p id="number-hint" class="muted">${say.numberHint}</p>
    </div>
    <div class="field">
      <label class="consent"
        ><input type="checkbox" name="consent" aria-invalid=${faults.consent ? 'true' : nothing} aria-describedby="consent-fault" /><span>${say.consent}</span></label
      >
      ${fault('consent', faults.consent)}
    </div>
    ${end}
  </form>`;
}

function operatorChoice(
  operators: NumberForm['operators'],
  chosen: number | undefined,
  words: string | undefined,
  say: SubscribeWords,
): TemplateResult {
  return html`<fieldset role="radiogroup" aria-labelledby="operator" aria-describedby="operator-fault">
    <h3 id="operator">${say.operator}</h3>
    <div class="operators">
      ${operators.map(
        ({id, name}) => html`<label class="operator" part="operator"
          ><input type="radio" name="operator" .value=${String(id)} ?checked=${id === chosen} ?data-begin=${words && id === chosen} />${name}</label
        >`,
      )}
    </div>
    ${fault('operator', words)}
  </fieldset>`;
}

/** Shows a number as people read it, once it is one. */
function onNumberChange({target}: Event): void {
  const field = target as HTMLInputElement;
  const msisdn = readMsisdn(field.value);
  if (msisdn) field.value = groupMsisdn(msisdn);
}
