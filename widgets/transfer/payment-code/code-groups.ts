import {html, type TemplateResult} from 'lit';

/**
 * Splits a code into groups that are easy to read and compare. Only for display: copied and spelled codes have no
 * spaces. A short code, or one with other characters than letters and digits, stays one group.
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

/** An IBAN in groups of four, as banks print it. */
export function ibanGroups(iban: string): readonly string[] {
  return iban.match(/.{1,4}/g) ?? [iban];
}

/** The characters one by one, with a pause between groups, so that a screen reader does not read one huge number. */
export function spellOut(groups: readonly string[]): string {
  return groups.map((group) => [...group].join(' ')).join(', ');
}

/**
 * The groups as markup, without spaces between them, so that manually selected text contains no spaces.
 * @param isSpelled whether a spelled copy for screen readers stands beside it.
 */
export function groupedText(groups: readonly string[], isSpelled = false): TemplateResult {
  return html`<bdi class="groups" translate="no" aria-hidden=${isSpelled}
    >${groups.map((group) => html`<span>${group}</span><wbr />`)}</bdi
  >`;
}
