import {html, type TemplateResult, nothing} from 'lit';
import {troubleWords, type TroubleWords} from '../locales/trouble.ts';
import type {Locale} from './locale.ts';
import type {Problem} from './problem.ts';

/** A way on: the one thing to do, a quiet choice, or a link among words. */
export type ButtonLook = 'button' | 'button soft' | 'link';

export function button(label: string, press: () => void, look: ButtonLook = 'button soft'): TemplateResult {
  return html`<button type="button" class=${look} part="button" @click=${press}>${label}</button>`;
}

/** The outlines of what is on its way, so many. */
export function bones(count: number): TemplateResult {
  return html`${Array.from({length: count}, () => html`<span class="bone"></span>`)}`;
}

/** What is wrong with a field, read out when it is said. */
export function fault(field: string, words: string | undefined): TemplateResult {
  return html`<p id="${field}-fault" class="fault" role="alert">${words ?? nothing}</p>`;
}

/** The ways on a notice offers. */
export interface WaysOn {
  /** Asks at once for what is asked for again by itself; not given where nothing is. */
  readonly tryAgain?: () => void;
  /** Given where the page itself may begin anew what ended. */
  readonly startOver?: {readonly text: string; readonly label: string; readonly press: () => void} | undefined;
}

/** Says what went wrong, what is not lost, and what to do now. */
export function problemNotice(problem: Problem, locale: Locale, {tryAgain, startOver}: WaysOn = {}): TemplateResult {
  const say = troubleWords[locale];
  const {code, refusal} = problem;
  const {title, text} = refusal?.words[locale] ?? trouble(code, say, tryAgain ? say.repeats : say.repeat);
  const way = refusal?.way ?? 'again';
  const anew = way === 'anew' ? startOver : undefined;
  return html`<div class="problem" part="problem" role="alert">
    <h3>${title}</h3>
    <p class="muted">${anew?.text ?? text}</p>
    ${anew ? button(anew.label, anew.press) : way === 'again' && tryAgain ? button(say.tryAgain, tryAgain) : nothing}
    <small>${say.errorCode(code)}</small>
  </div>`;
}

/** What went wrong although nobody said no: told with words that need no network. */
function trouble(
  code: Problem['code'],
  say: TroubleWords,
  next: string,
): {readonly title: string; readonly text: string} {
  switch (code) {
    case 'offline':
      return {title: say.offlineTitle, text: say.offlineText};
    case 'network':
    case 'timeout':
      return {title: say.unreachableTitle, text: `${say.unreachableText} ${next}`};
    default:
      return {title: say.busyTitle, text: `${say.busyText} ${next}`};
  }
}
