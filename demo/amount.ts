/** Reads amounts that people type, and formats amounts for display. The code stores amounts as decimal text. */

/** Amounts with thousands separators: `1.249,90` in Turkish, `1,249.90` in English. */
const GROUPED: Readonly<Record<string, RegExp>> = {
  tr: /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/,
  en: /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/,
};

/**
 * Converts typed text to decimal text with two places, or returns undefined if it is not an amount above zero.
 * Thousands separators follow the language. The decimal separator can be a comma or a point: `149,9`, `149.90`.
 */
export function readAmount(typed: string, language: string): string | undefined {
  const bare = typed.replaceAll(/\s|TL|TRY|lira|₺/gi, '');
  const plain = GROUPED[language]?.test(bare) ? bare.replaceAll(language === 'tr' ? '.' : ',', '') : bare;
  const dotted = plain.replace(',', '.');
  const [, whole, places = ''] = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(dotted) ?? [];
  if (whole === undefined) return undefined;
  const amount = `${Number(whole)}.${places.padEnd(2, '0')}`;
  return amount === '0.00' ? undefined : amount;
}

/** Formats an amount in the language, without the currency, for an input field. */
export function showNumber(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language, {minimumFractionDigits: 2, useGrouping: false});
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Formats an amount with the currency, as the Vezne elements do. */
export function showAmount(amount: string, language: string): string {
  const format = new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    style: 'currency',
    currency: 'TRY',
    currencyDisplay: 'narrowSymbol',
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Returns the part of an amount that is not paid yet, or the full amount if everything is paid. */
export function remainderOf(amount: string, arrived: string): string {
  const remaining = toKurus(amount) - toKurus(arrived);
  return fromKurus(remaining > 0 ? remaining : toKurus(amount));
}

/** Returns `numerator / denominator` of an amount, rounded down to the kuruş. */
export function shareOf(amount: string, numerator: number, denominator: number): string {
  return fromKurus(Math.floor((toKurus(amount) * numerator) / denominator));
}

const toKurus = (amount: string) => Number(amount.replace('.', ''));

function fromKurus(kurus: number): string {
  const digits = String(kurus).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
