/**
 * Decides where a refusal is shown: beside the field that the shopper must correct, or above the button if there is no
 * such field.
 */

import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../core/locale.ts';
import type {Problem, ProblemCode} from '../core/problem.ts';
import {problemNotice} from '../core/templates.ts';

type Field = 'number' | 'operator' | 'pin';

const FIELD_BY_CODE: {readonly [code in ProblemCode]?: Field} = {
  number_invalid: 'number',
  operator_invalid: 'operator',
  pin_wrong: 'pin',
  pin_expired: 'pin',
  pin_blocked: 'pin',
};

/** The message for a field, if the Worker refused the field's value. */
export function fieldMessage(field: Field, problem: Problem | undefined, locale: Locale): string | undefined {
  const messages = problem && FIELD_BY_CODE[problem.code] === field ? problem.refusal?.messages[locale] : undefined;
  return messages && `${messages.title}. ${messages.text}`;
}

/** A sentence that does not look like a failure. A screen reader reads it once, even if it contains a countdown. */
function calmNotice(sentence: string): TemplateResult {
  return html`<div class="problem calm" part="problem" role="alert"><p aria-live="off">${sentence}</p></div>`;
}

/**
 * The notice above the button: why the last request failed, or how long the shopper must wait. A problem that is shown
 * beside one of the fields is left out.
 * @param wait - The sentence with the time that is left; null if the element shows such a countdown, but the time is
 * over; undefined if the element shows no countdown for this problem.
 * @param assurance - One sentence that tells the shopper that nothing is lost.
 */
export function problemOutsideFields(
  problem: Problem | undefined,
  locale: Locale,
  fields: readonly Field[] = [],
  wait?: string | null,
  assurance?: string,
): TemplateResult | typeof nothing {
  if (!problem) return wait ? calmNotice(wait) : nothing;
  if (fields.some((field) => fieldMessage(field, problem, locale))) return nothing;
  // The shopper has waited as long as the Worker required.
  if (wait === null && problem.code === 'rate_limited' && problem.retryAfterMs) return nothing;
  return html`${problemNotice(problem, locale, undefined, {assurance})} ${wait ? html`<p class="muted">${wait}</p>` : nothing}`;
}
