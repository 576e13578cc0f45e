/**
 * Decides where a refusal is shown: beside the field that the shopper must correct. If there is no such field, above
 * the button.
 */

import {nothing, type TemplateResult} from 'lit';
import type {Locale} from '../core/locale.ts';
import type {Problem, ProblemCode} from '../core/problem.ts';
import {problemNotice} from '../core/templates.ts';
import {troubleMessages} from '../locales/trouble.ts';

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

/** The title of a refusal. */
export function refusalTitle({refusal}: Problem, locale: Locale): string {
  return refusal?.messages[locale].title ?? troubleMessages[locale].busyTitle;
}

/** The notice for a problem that concerns no field of this form. */
export function problemOutsideFields(
  problem: Problem | undefined,
  locale: Locale,
  fields: readonly Field[],
): TemplateResult | typeof nothing {
  return problem && !fields.some((field) => fieldMessage(field, problem, locale))
    ? problemNotice(problem, locale)
    : nothing;
}
