/** Where a refusal is said: beside the field that is to be changed, or else above the button. */

import {nothing, type TemplateResult} from 'lit';
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

/** What the Worker said of a field. */
export function fieldMessage(field: Field, problem: Problem | undefined, locale: Locale): string | undefined {
  const messages = problem && FIELD_BY_CODE[problem.code] === field ? problem.refusal?.messages[locale] : undefined;
  return messages && `${messages.title}. ${messages.text}`;
}

/** What is about none of the fields that are here. */
export function problemOutsideFields(
  problem: Problem | undefined,
  locale: Locale,
  here: readonly Field[],
): TemplateResult | typeof nothing {
  return problem && !here.some((field) => fieldMessage(field, problem, locale))
    ? problemNotice(problem, locale)
    : nothing;
}
