import {html, nothing, type TemplateResult} from 'lit';
import {troubleMessages} from '../locales/trouble.ts';
import type {QueryLike} from './query.ts';
import {resultCard} from './result.ts';
import {button} from './templates.ts';
import type {VezneElement} from './vezne-element.ts';

/** The card for a refusal that no retry changes; undefined if there is none. Only a reload of the page may help. */
export function finalRefusal(
  host: VezneElement<unknown>,
  query: QueryLike<unknown> | undefined,
): TemplateResult | undefined {
  const problem = query?.result.status === 'failed' ? query.result.problem : undefined;
  const {nextStep = 'retry', messages} = problem?.refusal ?? {};
  if (!problem || problem.retryable || !messages || nextStep === 'retry') return undefined;
  host.reportProblem(problem);
  const {title, text} = messages[host.locale];
  return html`<p class="visually-hidden" role="alert">${title}</p>
    ${resultCard({
      tone: 'stopped',
      title,
      text,
      footer:
        nextStep === 'reload'
          ? button(troubleMessages[host.locale].reload, () => location.reload(), 'button')
          : nothing,
    })}`;
}
