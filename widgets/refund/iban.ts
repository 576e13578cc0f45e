/** Reads a Turkish IBAN as people type and paste it. */

import {normalizeDigits} from '../core/format.ts';

/** What is wrong with the text, by the name of its message. */
export type IbanError = 'missing' | 'foreign' | 'length' | 'mistyped';

/** With an error, `iban` is what was typed, if it has only digits after `TR`. */
export type ParsedIban =
  | {readonly iban: string; readonly error?: undefined}
  | {readonly iban?: string; readonly error: IbanError};

const DIGITS = 24;

/** `tr33 0006 1005…` → `TR3300061005…`. `TR` may be missing. */
export function parseIban(input: string): ParsedIban {
  const text = normalizeDigits(input)
    .replace(/^iban:?/i, '')
    .toUpperCase();
  if (text === '') return {error: 'missing'};
  if (/^(?!TR)[A-Z]{2}\d/.test(text)) return {error: 'foreign'};
  const digits = text.replace(/^TR/, '');
  if (!/^\d+$/.test(digits)) return {error: 'length'};
  const iban = `TR${digits}`;
  return digits.length !== DIGITS ? {iban, error: 'length'} : isValid(iban) ? {iban} : {iban, error: 'mistyped'};
}

/** ISO 13616: with country and check digits at its end and letters as numbers, the remainder divided by 97 is 1. */
function isValid(iban: string): boolean {
  const digits = `${iban.slice(4)}2927${iban.slice(2, 4)}`;
  return [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

/** The bank's five digits in an IBAN, also in one that is not complete; undefined if they are missing. */
export function bankNumber(iban: string): string | undefined {
  return /^(?:TR)?\d\d(\d{5})/i.exec(normalizeDigits(iban))?.[1];
}

/** `TR33 0006 1005 …` */
export function groupedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

/** `TR33 •••• 1326` */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)}\u00a0••••\u00a0${iban.slice(-4)}`;
}
