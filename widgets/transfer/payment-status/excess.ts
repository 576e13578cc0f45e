/** What of `paid` is more than `amount`. */
export function excess(paid: string, amount: string): string {
  const kurus = Math.max(0, toKurus(paid) - toKurus(amount));
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}

function toKurus(amount: string): number {
  return Number(amount.replace('.', ''));
}
