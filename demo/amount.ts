/** Amounts as people type and read them; decimal text in between, never a float. */

/** Between thousands: `1.249,90` in Turkish, `1,249.90` in English. */
const GROUPED: Readonly<Record<string, RegExp>> = {
  tr: /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/,
  en: /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/,
};

/**
 * Decimal text with two places of what was typed, or undefined where it is no amount above zero. Marks between thousands are read as
 * the language writes them, and decimals after a comma or a point: `149,9`, `149.90`.
 */
export function readAmount(typed: string, language: string): string | undefined {
  const bare = typed.replaceAll(/\s|TL|₺/gi, '');
  const plain = GROUPED[language]?.test(bare) ? bare.replaceAll(language === 'tr' ? '.' : ',', '') : bare;
  const dotted = plain.replace(',', '.');
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

/** With the currency, as the kit writes it. */
export function showAmount(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    style: 'currency',
    currency: 'TRY',
    currencyDisplay: 'narrowSymbol',
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

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
