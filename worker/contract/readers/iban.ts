/** Reads IBANs (ISO 13616). Each names an account to which a merchant sends money. */

import {foldText} from './characters.ts';

/** What is wrong with an IBAN that a shopper typed. */
export type IbanError = 'missing' | 'foreign' | 'length' | 'mistyped';

/** With an error, `iban` is what was typed, if it has only digits after `TR`. */
export type ParsedIban =
  | {readonly iban: string; readonly error?: undefined}
  | {readonly iban?: string; readonly error: IbanError};

/**
 * Only letters and digits, in capitals, without the words before the country: `İBAN no: tr33 0006…` → `TR330006…`. Only
 * after a word that says what it is, or after nothing, 24 digits without a country are Turkish.
 */
function compactIban(text: string): string {
  return foldText(text)
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/^(?:IBAN(?:N(?:O|UMARASI))?)?(?=\d{24}$)/, 'TR')
    .replace(/^[A-Z]+(?=[A-Z]{2}\d\d)/, '');
}

/**
 * Reads an IBAN of any country as capital letters and digits: in Turkey 24 digits, elsewhere two check digits and 11 to
 * 30 letters or digits. Returns undefined for anything else. Neither how long the IBANs of other countries are nor the
 * check digits are checked here.
 */
export function readIban(text: string): string | undefined {
  return /^(?:TR\d{24}|(?!TR)[A-Z]{2}\d\d[A-Z\d]{11,30})$/.exec(compactIban(text))?.[0];
}

/**
 * Whether the check digits of a read IBAN are correct: with country and check digits at its end, and letters as
 * numbers, the remainder divided by 97 is 1.
 */
export function hasCorrectCheckDigits(iban: string): boolean {
  const places = [...iban.slice(4), ...iban.slice(0, 4)];
  return places.reduce((remainder, place) => Number(`${remainder}${Number.parseInt(place, 36)}`) % 97, 0) === 1;
}

/** Reads a Turkish IBAN that a shopper types: `tr33 0006 1005…` → `TR3300061005…`. `TR` may be missing. */
export function parseTurkishIban(input: string): ParsedIban {
  const text = compactIban(input);
  if (text === '') return {error: 'missing'};
  if (/^(?!TR)[A-Z]{2}\d/.test(text)) return {error: 'foreign'};
  const [, digits] = /^(?:TR)?(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return {error: 'length'};
  const iban = `TR${digits}`;
  if (digits.length !== 24) return {iban, error: 'length'};
  return hasCorrectCheckDigits(iban) ? {iban} : {iban, error: 'mistyped'};
}

/** The bank's five digits in an IBAN, also in one that is not complete; undefined if they are missing. */
export function bankNumber(text: string): string | undefined {
  return /^(?:TR)?\d\d(\d{5})/.exec(compactIban(text))?.[1];
}
