import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import type {Problem} from '../../core/problem.ts';
import type {PinEntryMessages} from '../../locales/pin-entry.ts';
import {calmNotice, problemOutsideFields} from '../field-messages.ts';
import {endsPin} from '../pin-refusals.ts';

export interface PinOverOptions {
  readonly problem: Problem | undefined;
  /** The text for the shopper if the human check could not be shown. */
  readonly humanCheckFailure: string | undefined;
  readonly number: string;
  /** The button that goes back to the number form. */
  readonly changeNumber: TemplateResult;
  /** The button that requests another PIN. */
  readonly resend: TemplateResult;
  /** The seller's contacts, if the problem sends the shopper to the seller. */
  readonly contacts: TemplateResult | typeof nothing | undefined;
  readonly t: PinEntryMessages;
  readonly locale: Locale;
}

/** Says that the PIN has expired or is blocked. The shopper can only request another PIN. */
export function pinOver(options: PinOverOptions): TemplateResult {
  const {problem, humanCheckFailure, number, changeNumber, resend, contacts, t, locale} = options;
  const refusal = problem && endsPin(problem) ? problem.refusal?.messages[locale] : undefined;
  return html`<form>
    <div>
      <h3 tabindex="-1" data-autofocus>${refusal?.title ?? t.pinExpired}</h3>
      <p class="muted">${refusal?.text ?? t.requestPin}</p>
    </div>
    ${humanCheckFailure ? calmNotice(humanCheckFailure) : problemOutsideFields(problem, locale, ['pin'], null)} ${contacts}
    <slot name="human-check"></slot>
    ${resend}
    <p class="number"><span>${number}</span>${changeNumber}</p>
    ${problem ? nothing : html`<p class="muted">${t.noSms}</p>`}
  </form>`;
}
