/** Money: integer kuruş in code, decimal text with two places on the wire, never a float. */
export type Kurus = number;

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;

/** Reads `"149.9"`, `"149.90"` or `"149.9000"` as kuruş. Returns null if the text is not an amount in whole kuruş. */
export function parseAmount(text: string): Kurus | null {
  const match = DECIMAL.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const places = fraction.padEnd(2, '0');
  if (/[^0]/.test(places.slice(2))) return null;
  const kurus = Number(whole) * 100 + Number(places.slice(0, 2));
  return sign ? -kurus : kurus;
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
