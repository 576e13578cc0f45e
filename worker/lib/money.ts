/** Money: integer kuruş in code, decimal text with two places on the wire, never a float. */
export type Kurus = number;

const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;
/** Twelve digits of lira. */
const MAX_KURUS = 99_999_999_999_999;
/** How many digits after the kuruş must be zeros, or nines: the value is then within a millionth of a kuruş. */
const EXACT_DIGITS = 6;
/** A text with fewer digits says a decimal number exactly. With more, it may be a binary fraction that was written out. */
const DIGITS_OF_FRACTION = 16;

/**
 * Reads decimal text as kuruş, by its value: `149.9`, `149.9000`, and `149.90000000000001`, which is how PHP writes 149.90
 * with `serialize_precision = 17`. Returns null if the text is no amount in whole kuruş, or has more than twelve digits of
 * lira.
 */
export function parseAmount(text: string): Kurus | null {
  const match = DECIMAL.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const end = whole.length + Number(exponent) + 2;
  const digits = '0'.repeat(Math.max(0, -end)) + (whole + fraction).padEnd(end, '0');
  const down = Number(digits.slice(0, Math.max(0, end)));
  const rest = digits.slice(Math.max(0, end)).padEnd(EXACT_DIGITS, '0').slice(0, EXACT_DIGITS);
  const kurus = down + (rest >= '5' ? 1 : 0);
  const isExact = /^(?:0+|9+)$/.test(rest);
  // In large amounts, a binary fraction differs by more than a millionth.
  const isFraction = digits.replace(/^0+/, '').length >= DIGITS_OF_FRACTION && Math.abs(Number(text)) === kurus / 100;
  if (!(isExact || isFraction) || kurus > MAX_KURUS) return null;
  return sign && kurus > 0 ? -kurus : kurus;
}

/** Turns `"149.9"` into `"149.90"`. Returns other text unchanged. */
export function normalizeAmount(text: string): string {
  const kurus = parseAmount(text);
  return kurus === null ? text : formatAmount(kurus);
}

/** Formats `14990` as `"149.90"`. */
export function formatAmount(kurus: Kurus): string {
  const sign = kurus < 0 ? '-' : '';
  const digits = String(Math.abs(kurus)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Like `formatAmount`; null if the amount is not known. */
export const formatAmountOrNull = (kurus: Kurus | null): string | null => (kurus === null ? null : formatAmount(kurus));
