import {html, type TemplateResult} from 'lit';
import {css} from './styles/css.ts';

/** The spaces between groups, which are not in the text. */
export const groupStyles = css`
  .groups span {
    white-space: nowrap;
    margin-inline-end: 0.28em;
  }
  .groups span:last-of-type {
    margin: 0;
  }
`;

/**
 * Splits a code into groups that are easy to read and compare. The groups are only displayed; the copied code has no
 * spaces. A code stays one group if it is short or contains characters other than letters and digits.
 */
export function codeGroups(code: string): readonly string[] {
  const letters = [...code];
  if (letters.length < 6 || /[^\p{L}\p{N}]/u.test(code)) return [code];
  const count = Math.ceil(letters.length / 4);
  const size = Math.floor(letters.length / count);
  const longer = letters.length % count;
  return Array.from({length: count}, (_, index) => {
    const start = index * size + Math.min(index, longer);
    return letters.slice(start, start + size + (index < longer ? 1 : 0)).join('');
  });
}

/** Splits an IBAN into groups of four, as banks print it. */
export function ibanGroups(iban: string): readonly string[] {
  return iban.match(/.{1,4}/g) ?? [iban];
}

/** Separates all characters, so that a screen reader does not read one huge number. A comma makes the reader pause. */
export function spellOut(groups: readonly string[]): string {
  return groups.map((group) => [...group].join(' ')).join(', ');
}

/**
 * Renders the groups without spaces between them, so that text that the shopper selects contains no spaces.
 * @param isSpelled - Whether there is also a spelled copy for screen readers. If so, the groups are hidden from them.
 */
export function groupedText(groups: readonly string[], isSpelled = false): TemplateResult {
  return html`<bdi class="groups" translate="no" aria-hidden=${isSpelled}
    >${groups.map((group) => html`<span>${group}</span><wbr />`)}</bdi
  >`;
}
