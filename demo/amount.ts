/** Amounts as people type and read them; decimal text in between, never a float. */

/** Decimal text with two places of what was typed (`149,9`, `1.249,90`, `149.90`), or undefined where it is no amount above zero. */
export function readAmount(typed: string): string | undefined {
  const bare = typed.replaceAll(/\s|TL|₺/gi, '');
  const dotted = bare.includes(',') ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const [, whole, places = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(dotted) ?? [];
  if (whole === undefined) return undefined;
  const amount = `${Number(whole)}.${places.padEnd(2, '0')}`;
  return amount === '0.00' ? undefined : amount;
}

/** As the language writes it, without the currency: what a field holds. */
export function showNumber(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language, {minimumFractionDigits: 2, useGrouping: false});
  return format.format(amount as Intl.StringNumericLiteral);
}

export const showAmount = (amount: string, language: string) => `₺${showNumber(amount, language)}`;

/** What is left of an amount; all of it where nothing is. */
export function remainderOf(amount: string, arrived: string): string {
  const left = toKurus(amount) - toKurus(arrived);
  return fromKurus(left > 0 ? left : toKurus(amount));
}

/** `numerator / denominator` of an amount, rounded down to the kuruş. */
export function shareOf(amount: string, numerator: number, denominator: number): string {
  return fromKurus(Math.floor((toKurus(amount) * numerator) / denominator));
}

const toKurus = (amount: string) => Number(amount.replace('.', ''));

function fromKurus(kurus: number): string {
  const digits = String(kurus).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
