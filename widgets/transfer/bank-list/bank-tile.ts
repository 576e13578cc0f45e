import {html, nothing, type TemplateResult} from 'lit';
import type {Bank} from '../../../worker/contract/browser/answers.ts';

const TONES = 6;

/**
 * Renders a bank's logo on top of its initials. The initials stay visible if the network or the page's
 * Content-Security-Policy blocks the logo. They are gray, so that a logo that arrives later replaces no other color. If
 * the bank has no logo, its code decides the color behind the initials.
 */
export function bankTile({name, code, logo}: Bank, workerAddress: string): TemplateResult {
  const address = logo && absoluteUrl(logo, workerAddress);
  return html`<span class="tile ${address ? '' : `tone-${tone(code)}`}" part="logo" translate="no" aria-hidden="true">
    ${initials(name)}<img
      src=${address || nothing}
      alt=""
      loading="lazy"
      ?hidden=${!address}
      @load=${onImageEvent}
      @error=${onImageEvent}
  /></span>`;
}

function absoluteUrl(logo: string, workerAddress: string): string | undefined {
  try {
    return new URL(logo, `${workerAddress}/`).href;
  } catch {
    return undefined;
  }
}

function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toLocaleUpperCase('tr');
}

function tone(code: string): number {
  let sum = 0;
  for (const letter of code) sum = (sum * 33 + (letter.codePointAt(0) ?? 0)) % 509;
  return sum % TONES;
}

function onImageEvent({type, target}: Event): void {
  (target as Element).classList.toggle('loaded', type === 'load');
}
