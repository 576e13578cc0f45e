/** Amounts: decimal text on the wire, whole kuruş inside, never a float. */

/** Kuruş of `149.90`, `149.9` or `149`; `undefined` where the text is no amount. */
export function parseAmount(text: string): number | undefined {
  const [, lira, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return lira === undefined ? undefined : Number(lira) * 100 + Number(fraction.padEnd(2, '0'));
}

/** Two decimals, as the platform writes amounts (orders 2.3). */
export function formatAmount(kurus: number): string {
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}
