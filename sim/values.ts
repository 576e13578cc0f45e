/** Times are in milliseconds, amounts in kuruş. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export type Json = Readonly<Record<string, unknown>>;
export const toKurus = (text: unknown): number => Math.round(Number(text) * 100);
export const toText = (kurus: number): string => (kurus / 100).toFixed(2);
export const amountOf = (entries: Iterable<{readonly kurus: number}>): number =>
  [...entries].reduce((total, {kurus}) => total + kurus, 0);
export const list = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];
export const idsIn = (view: Json): string[] => list(view['transactions']).map(({id}) => String(id));

/** The largest sum of some of the amounts, but not all of them, that is at most `most`. */
export function largestPart(amounts: readonly number[], most: number): number {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const sums = new Set([0]);
  for (const amount of amounts)
    for (const sum of Array.from(sums)) if (sum + amount <= most && sum + amount < total) sums.add(sum + amount);
  return Array.from(sums).reduce((best, sum) => Math.max(best, sum), 0);
}

export function parse(text: string | null | undefined): Json {
  try {
    return (JSON.parse(text ?? '') as Json | null) ?? {};
  } catch {
    return {};
  }
}

/** The PIN of an SMS. */
export const pinIn = ({message}: Json): string | readonly string[] => /\b(\d{4})\b/.exec(String(message))?.[1] ?? [];
/** The mobile number of the person with this count. */
export const toNumber = (count: number): string => String(5_321_000_000 + count * 7_919);
/** Whether money is from a phone bill. */
export const isCharge = ({bank, bank_name: name}: Json): boolean => (bank ?? name ?? null) === null;
