/**
 * Finds the order code in what a shopper wrote as a transfer's description.
 *
 * A code counts when whole groups of digits make twelve together: `881200450017`, `8812 0045 0017`,
 * `kod: 8812-0045-0017, tel 0532 123 45 67`. It never counts as part of a longer unbroken run of digits or of an IBAN:
 * money on the wrong order is worse than money that waits for a payment notice.
 */

const ORDER_CODE_LENGTH = 12;

/** Blanks, dots, dashes and the like that people put inside a number; invisible characters come along with pasted text. */
const SEPARATORS = String.raw`[\s\p{Cf}\p{Pd}\u2212.,/_]{0,5}`;
const NUMBER = new RegExp(String.raw`\d(?:${SEPARATORS}\d)*`, 'gu');
/** With whatever digits are glued to its end: those belong to no code either. */
const TURKISH_IBAN = new RegExp(String.raw`(?<!\p{L})TR(?:${SEPARATORS}\d){24}\d*`, 'giu');

/** Every twelve digits that may be meant as an order code, each once. */
export function findOrderCodes(description: string): string[] {
  const text = description.normalize('NFKC').replace(TURKISH_IBAN, ' IBAN ');
  const numbers = text.match(NUMBER) ?? [];
  return [...new Set(numbers.flatMap((number) => joinGroups(number.match(/\d+/g) ?? [])))];
}

/** Neighbouring groups of digits that have the length of a code together; a group is never cut. */
function joinGroups(groups: readonly string[]): string[] {
  return groups.flatMap((_, start) => {
    let joined = '';
    for (const group of groups.slice(start, start + ORDER_CODE_LENGTH)) {
      joined += group;
      if (joined.length >= ORDER_CODE_LENGTH) break;
    }
    return joined.length === ORDER_CODE_LENGTH ? [joined] : [];
  });
}
