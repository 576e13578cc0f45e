import {html, nothing, type TemplateResult} from 'lit';
import type {QueryLike} from './query.ts';
import {resultCard} from './result.ts';
import type {VezneElement} from './vezne-element.ts';

/** The card for a refusal that no retry changes, with the next step; undefined if there is none. */
export function finalRefusal(
  host: VezneElement<unknown>,
  query: QueryLike<unknown> | undefined,
  footer: TemplateResult | typeof nothing = nothing,
): TemplateResult | undefined {
  const problem = query?.result.status === 'failed' ? query.result.problem : undefined;
  if (!problem?.refusal || problem.retryable || problem.refusal.nextStep === 'retry') return undefined;
  host.reportProblem(problem);
  const {title, text} = problem.refusal.messages[host.locale];
  return html`<p class="visually-hidden" role="alert">${title}</p>
    ${resultCard({tone: 'stopped', title, text, footer})}`;
}
