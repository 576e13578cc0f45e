import {html, type TemplateResult, nothing} from 'lit';
import {troubleMessages, type TroubleMessages} from '../locales/trouble.ts';
import type {Locale} from './locale.ts';
import type {Problem} from './problem.ts';

/** The classes of a primary button, a secondary button, and a button that looks like a link. */
export type ButtonStyle = 'button' | 'button soft' | 'link';

export function button(label: string, onClick: () => void, style: ButtonStyle = 'button soft'): TemplateResult {
  return html`<button type="button" class=${style} part="button" @click=${onClick}>${label}</button>`;
}

/** Renders `count` gray shapes, which are shown while the content loads. */
export function skeleton(count: number): TemplateResult {
  return html`${Array.from({length: count}, () => html`<span class="skeleton"></span>`)}`;
}

/** The buttons of a notice, with which the shopper can continue. */
export interface NextSteps {
  /** Retries immediately. It is set only if the element also retries without the shopper. */
  readonly retry?: () => void;
  /** Starts a new payment. It is set only if the page may start a new payment. */
  readonly startOver?: {readonly label: string; readonly press: () => void} | undefined;
}

/** Tells the shopper what went wrong, and what to do now. */
export function problemNotice(problem: Problem, locale: Locale, {retry, startOver}: NextSteps = {}): TemplateResult {
  const t = troubleMessages[locale];
  const {code, refusal} = problem;
  const next = retry ? t.repeats : t.repeat;
  const {title, text = next, startOverText, codeLabel} = refusal?.messages[locale] ?? troubleMessage(code, t, next);
  const nextStep = refusal?.nextStep ?? 'retry';
  const freshStart = nextStep === 'start-over' ? startOver : undefined;
  const isReload = nextStep === 'reload';
  const again = isReload ? () => location.reload() : nextStep === 'retry' && retry;
  return html`<div class="problem ${refusal?.tone ?? ''}" part="problem" role="alert">
    <h2>${title}</h2>
    <p class="muted">${(freshStart && startOverText) || text}</p>
    ${codeLabel ? html`<small>${codeLabel}: ${code}</small>` : nothing}
    ${freshStart ? button(freshStart.label, freshStart.press) : again ? button(isReload ? t.reload : t.tryAgain, again) : nothing}
  </div>`;
}

/**
 * The texts for failures other than refusals. The first bundle contains them, so that showing them needs no request.
 */
function troubleMessage(
  code: Problem['code'],
  t: TroubleMessages,
  next: string,
): {readonly title: string; readonly text: string; readonly startOverText?: undefined; readonly codeLabel?: undefined} {
  switch (code) {
    case 'offline':
      return {title: t.offlineTitle, text: t.offlineText};
    case 'network':
    case 'timeout':
      return {title: t.unreachableTitle, text: `${t.unreachableText} ${next}`};
    default:
      return {title: t.busyTitle, text: next};
  }
}
