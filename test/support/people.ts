/** What tells of the people in these tests, wherever it is shown. */
export const PEOPLE: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an IBAN', /TR\d{24}/],
  // The end of a random id may be all digits, and then looks like one.
  ['a number', /(?<!-[\da-f]{4}-)\b(?:90|0)?5\d{9}\b/],
  ['a name', /Ayşe|Yılmaz|Deniz Örnek/],
];
