import {html, nothing, type TemplateResult} from 'lit';
import type {Query} from './query.ts';
import {resultCard} from './result.ts';
import type {VezneElement} from './vezne-element.ts';

/** The card for a refusal that no retry changes, with the next step; undefined if there is none. */
export function finalRefusal(
  host: VezneElement<unknown>,
  query: Query<unknown> | undefined,
  footer: TemplateResult | typeof nothing = nothing,
): TemplateResult | undefined {
  const problem = query?.problem;
  const {refusal, retryable} = problem ?? {};
  if (!refusal || retryable || refusal.nextStep === 'retry') return undefined;
  host.reportProblem(problem);
  const {title, text} = refusal.messages[host.locale];
  return html`<p class="visually-hidden" role="alert">${title}</p>
    ${resultCard({tone: 'stopped', title, text, footer})}`;
}
