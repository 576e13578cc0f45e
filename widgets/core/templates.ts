import {html, type TemplateResult, nothing} from 'lit';
import type {RefusalText} from '../locales/refusals.ts';
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

/** What a notice says and offers to the shopper of a purchase. */
export interface NextSteps {
  /** The button that starts a new payment after an order or session has ended. Set only if the page may start one. */
  readonly startOver?: {readonly label: string; readonly press: () => void} | undefined;
  /** One sentence that tells the shopper that nothing is lost. */
  readonly assurance?: string | undefined;
}

/**
 * Tells the shopper what went wrong, what is safe, and what to do now.
 * @param retry - Retries immediately. It is set only if the element also retries without the shopper.
 */
export function problemNotice(
  {code, refusal}: Problem,
  locale: Locale,
  retry?: () => void,
  {startOver, assurance}: NextSteps = {},
): TemplateResult {
  const t = troubleMessages[locale];
  const next = retry ? t.repeats : t.repeat;
  const {title, text = next, startOverText} = refusal?.messages[locale] ?? troubleMessage(code, t, next);
  const {nextStep = 'retry', tone = '', isComplete} = refusal ?? {};
  const freshStart = nextStep === 'start-over' && startOver;
  return html`<div class="problem ${tone}" part="problem" role="alert">
    <h2>${title}</h2>
    <p class="muted">${((freshStart && startOverText) || text).replace('{code}', code)}</p>
    ${assurance && !isComplete ? html`<p class="muted">${assurance}</p>` : nothing}
    ${
      nextStep === 'retry'
        ? retry && button(t.tryAgain, retry)
        : freshStart
          ? button(freshStart.label, freshStart.press, 'button')
          : nextStep === 'none'
            ? nothing
            : button(t.reload, () => location.reload(), 'button')
    }
  </div>`;
}

/**
 * The texts for failures other than refusals. The first bundle contains them, so that showing them needs no request.
 * Without a text, the notice says what follows next.
 */
function troubleMessage(code: Problem['code'], t: TroubleMessages, next: string): RefusalText {
  if (code === 'offline') return {title: t.offlineTitle, text: t.offlineText};
  return code === 'network' || code === 'timeout'
    ? {title: t.unreachableTitle, text: `${t.unreachableText} ${next}`}
    : {title: t.busyTitle};
}
