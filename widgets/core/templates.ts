import {html, type TemplateResult, nothing} from 'lit';
import {troubleMessages, type TroubleMessages} from '../locales/trouble.ts';
import type {Locale} from './locale.ts';
import type {Problem} from './problem.ts';

/** A way on: the one thing to do, a quiet choice, or a link among words. */
export type ButtonStyle = 'button' | 'button soft' | 'link';

export function button(label: string, onClick: () => void, style: ButtonStyle = 'button soft'): TemplateResult {
  return html`<button type="button" class=${style} part="button" @click=${onClick}>${label}</button>`;
}

/** The outlines of what is on its way, so many. */
export function skeleton(count: number): TemplateResult {
  return html`${Array.from({length: count}, () => html`<span class="skeleton"></span>`)}`;
}

/** The ways on a notice offers. */
export interface NextSteps {
  /** Asks at once for what is asked for again by itself; not given where nothing is. */
  readonly retry?: () => void;
  /** Given where the page itself may begin anew what ended. */
  readonly startOver?: {readonly text: string; readonly label: string; readonly press: () => void} | undefined;
}

/** Says what went wrong, what is not lost, and what to do now. */
export function problemNotice(problem: Problem, locale: Locale, {retry, startOver}: NextSteps = {}): TemplateResult {
  const t = troubleMessages[locale];
  const {code, refusal} = problem;
  const {title, text} = refusal?.messages[locale] ?? troubleMessage(code, t, retry ? t.repeats : t.repeat);
  const nextStep = refusal?.nextStep ?? 'retry';
  const freshStart = nextStep === 'start-over' ? startOver : undefined;
  return html`<div class="problem" part="problem" role="alert">
    <h3>${title}</h3>
    <p class="muted">${freshStart?.text ?? text}</p>
    ${freshStart ? button(freshStart.label, freshStart.press) : nextStep === 'retry' && retry ? button(t.tryAgain, retry) : nothing}
    <small>${t.errorCode(code)}</small>
  </div>`;
}

/** What went wrong although nobody said no: told with words that need no network. */
function troubleMessage(
  code: Problem['code'],
  t: TroubleMessages,
  next: string,
): {readonly title: string; readonly text: string} {
  switch (code) {
    case 'offline':
      return {title: t.offlineTitle, text: t.offlineText};
    case 'network':
    case 'timeout':
      return {title: t.unreachableTitle, text: `${t.unreachableText} ${next}`};
    default:
      return {title: t.busyTitle, text: `${t.busyText} ${next}`};
  }
}
