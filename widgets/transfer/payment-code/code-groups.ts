/**
 * Cuts a code into groups one can read and compare. For the eye only: what is copied or spelled has no spaces. Codes
 * that bring marks of their own stay as they are.
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

/** An IBAN in the groups of four it is printed in. */
export function ibanGroups(iban: string): readonly string[] {
  return iban.match(/.{1,4}/g) ?? [iban];
}

/** Letter by letter with a pause between groups, so that a screen reader spells instead of reading a huge number. */
export function spellOut(groups: readonly string[]): string {
  return groups.map((group) => [...group].join(' ')).join(', ');
}
