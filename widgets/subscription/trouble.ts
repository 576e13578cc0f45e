/** Renders what went wrong above the button of a form, and how long the shopper must wait. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../core/locale.ts';
import type {Problem} from '../core/problem.ts';
import {problemNotice} from '../core/templates.ts';

/**
 * @param wait - The sentence with the time that is left. Without a problem, it does not look like a failure, and a screen
 * reader reads it once, even though it contains a countdown.
 * @param assurance - One sentence that tells the shopper that nothing is lost.
 */
export function troubleNotice(
  problem: Problem | undefined,
  locale: Locale,
  assurance?: string,
  wait?: string | false,
): TemplateResult | typeof nothing {
  if (problem)
    return html`${problemNotice(problem, locale, undefined, {assurance})} ${wait ? html`<p class="muted">${wait}</p>` : nothing}`;
  return wait
    ? html`<div class="problem calm" part="problem" role="alert"><p aria-live="off">${wait}</p></div>`
    : nothing;
}

/** What the Worker says of the field that it has refused. */
export function fieldText(problem: Problem | undefined, locale: Locale): string | undefined {
  const texts = problem?.refusal?.messages[locale];
  return texts && `${texts.title}. ${texts.text}`;
}
