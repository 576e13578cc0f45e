/**
 * Formats of amounts, times and web addresses. Amounts are decimal text in requests and answers and whole kuruş in the
 * code, never fractions of a lira.
 */

/** Reads `149.90`, `149.9` or `149` as kuruş. Returns `undefined` if the text is not an amount. */
export function parseAmount(text: string): number | undefined {
  const [, lira, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return lira === undefined ? undefined : Number(lira) * 100 + Number(fraction.padEnd(2, '0'));
}

/** Writes an amount with two decimals, as the platform does (orders.md 2.3). */
export function formatAmount(kurus: number): string {
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}

/** Writes an amount in 17 digits, as PHP does with `serialize_precision = 17` and `precision = 17`. */
export function inSeventeenDigits(kurus: number): string {
  return (kurus / 100).toPrecision(17).replace(/\.?0+$/, '');
}

// The platform writes times as `YYYY-MM-DD HH:MM:SS` in UTC+3, without a zone (orders.md 2.3). Sorting these texts
// sorts them by time.
const OFFSET_MS = 3 * 60 * 60 * 1000;

export function toLocalTime(epochMs: number): string {
  return new Date(epochMs + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** Writes a time in the platform's format, but in UTC. */
export function toUtcTime(epochMs: number): string {
  return toLocalTime(epochMs - OFFSET_MS);
}

/** Converts a time in the platform's format to epoch milliseconds. */
export function fromLocalTime(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`) - OFFSET_MS;
}

/**
 * Converts a time in the platform's format to ISO 8601 without a zone, as mobile billing writes it (subscriptions.md
 * 2.1).
 */
export function toIsoLocal(text: string): string {
  return text.replace(' ', 'T');
}

export function addDays(text: string, days: number): string {
  return addSeconds(text, days * 24 * 60 * 60);
}

export function addSeconds(text: string, seconds: number): string {
  return toLocalTime(fromLocalTime(text) + seconds * 1000);
}

/** Returns the same day of the next month, or the last day of the next month if that month has no such day. */
export function addMonth(text: string): string {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10);
  return `${date}${text.slice(10)}`;
}

/** Returns true for a time `YYYY-MM-DD HH:MM:SS` that exists in the calendar. */
export function isLocalTime(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return false;
  const epochMs = Date.parse(`${text.replace(' ', 'T')}Z`);
  // An impossible day such as 30 February either fails to parse or is parsed as another day.
  return !Number.isNaN(epochMs) && toLocalTime(epochMs - OFFSET_MS) === text;
}

/** Returns true for a date `YYYY-MM-DD` that exists in the calendar. */
export function isLocalDate(text: string): boolean {
  return isLocalTime(`${text} 00:00:00`);
}

/** Returns true for an absolute URL that a page may send a browser to: http or https, never `javascript:`. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
