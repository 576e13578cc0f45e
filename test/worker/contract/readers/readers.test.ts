/** Tests of the readers that elements and Worker share. `spellings.ts` has what they accept and refuse. */

import {array, assert, constantFrom, integer, property, tuple} from 'fast-check';
import {expect, test} from 'vitest';
import {hasCorrectCheckDigits, parseTurkishIban, readIban} from '../../../../worker/contract/readers/iban.ts';
import {maskMsisdn, readMsisdn, readPhone} from '../../../../worker/contract/readers/mobile-number.ts';
import {readTypedAmount} from '../../../../worker/contract/readers/typed-amount.ts';
import {AMOUNTS, IBAN, IBANS, MOBILE_NUMBERS} from './spellings.ts';

type Reader = (text: string) => string | null | undefined;
type Rows = readonly (readonly [text: string, ...rest: unknown[]])[];

/** What a reader makes of every text of a table. */
const readAll = (rows: Rows, read: Reader) => rows.map(([text]) => [text, read(text) ?? null]);
const meanings = (rows: Rows) => rows.map(([text, meaning]) => [text, meaning]);

const readValidIban: Reader = (text) => {
  const iban = readIban(text);
  return iban !== undefined && hasCorrectCheckDigits(iban) ? iban : null;
};

test('a mobile number is read in every spelling that people use, and nothing else is', () => {
  expect(readAll(MOBILE_NUMBERS, readMsisdn)).toEqual(meanings(MOBILE_NUMBERS));
});

test('a phone number of another country is read with its plus, and a Turkish one only if it is mobile', () => {
  expect(readAll(MOBILE_NUMBERS, readPhone).filter(([, number]) => number)).toEqual(
    meanings(MOBILE_NUMBERS.filter(([, number]) => number)).concat([
      ['+49 1512 3456789', '+4915123456789'],
      ['+1 532 123 4567', '+15321234567'],
      ['+5321234567', '+5321234567'],
    ]),
  );
  expect(['+90 212 123 45 67', '+0532 123 45 67', '4915123456789', '+49 15'].map(readPhone)).toEqual(
    Array(4).fill(undefined),
  );
});

test('an IBAN is read in every spelling that people use, and nothing else is', () => {
  expect(readAll(IBANS, readValidIban)).toEqual(meanings(IBANS));
});

test('the IBAN of a refund is Turkish, and has the same spellings', () => {
  const turkish = IBANS.map(([text, iban]) => [text, iban?.startsWith('TR') ? iban : null]);
  expect(
    readAll(IBANS, (text) => {
      const {iban, error} = parseTurkishIban(text);
      return error ? null : iban;
    }),
  ).toEqual(turkish);
});

test('what is wrong with the IBAN of a refund has a name', () => {
  const cases = {
    '': {error: 'missing'},
    DE89370400440532013000: {error: 'foreign'},
    'IBAN: DE89 3704': {error: 'foreign'},
    [IBAN.slice(0, -1)]: {iban: IBAN.slice(0, -1), error: 'length'},
    [`İBAN NO: ${IBAN.slice(0, -1)}`]: {iban: IBAN.slice(0, -1), error: 'length'},
    [IBAN.replace('6', 'O')]: {error: 'length'},
    [IBAN.replace('33', '34')]: {iban: IBAN.replace('33', '34'), error: 'mistyped'},
  };
  for (const [text, parsed] of Object.entries(cases)) expect(parseTurkishIban(text), text).toEqual(parsed);
});

test('an amount is read in every spelling that people use, and what could be two amounts is refused', () => {
  expect(readAll(AMOUNTS, readTypedAmount)).toEqual(meanings(AMOUNTS));
});

test('maskMsisdn keeps the first three and the last two of ten places, however a platform masks the number', () => {
  const forms = [
    '5321234567',
    '05321234567',
    '+90 (0532) 123–45–67',
    '532***4567',
    '532*****67',
    '532XXXXX67',
    '90532xxxxx67',
    '+90 532 *** ** 67',
    '0532•••••67',
  ];
  expect(forms.map(maskMsisdn)).toEqual(forms.map(() => '532*****67'));
  expect(maskMsisdn('5*******67')).toBe('5*******67');
  expect(['532', '532*****6', 'XXXXXXXXXX', '*****67', 'unknown', ''].map(maskMsisdn)).toEqual(Array(6).fill(null));
});

/** The digits of a script, from its zero. */
const digitsFrom = (zero: string) =>
  Array.from({length: 10}, (_, digit) => String.fromCharCode(zero.charCodeAt(0) + digit));
const SCRIPTS = ['0', '٠', '۰', '０'].map(digitsFrom);
const GAPS = ['', ' ', '-', '\u00a0', '\u202f', '\u2011', '\u2013', '\u2014', '\u2212', '\u200e', '\u2009', '\ufeff'];
const script = constantFrom(...SCRIPTS);
const gaps = array(constantFrom(...GAPS), {minLength: 40, maxLength: 40});
const digits = (length: number) =>
  array(integer({min: 0, max: 9}), {minLength: length, maxLength: length}).map((each) => each.join(''));

/** Writes digits in a script, and a gap behind each character. */
const write = (text: string, zeroToNine: readonly string[], between: readonly string[]) =>
  Array.from(
    text,
    (character, at) => (/\d/.test(character) ? zeroToNine[Number(character)] : character) + (between[at] ?? ''),
  ).join('');

test('every spelling of a mobile number reads back', () => {
  const prefix = constantFrom('', '0', '90', '+90', '0090', '+900', '+90(0)', '00900', '(+90)', 'tel:+90', 'GSM: 0');
  assert(
    property(tuple(prefix, digits(9), script, gaps), ([start, rest, zeroToNine, between]) => {
      expect(readMsisdn(`${start}${write(`5${rest}`, zeroToNine, between)}`)).toBe(`5${rest}`);
    }),
  );
});

test('every spelling of an IBAN reads back', () => {
  const prefix = constantFrom('', 'IBAN: ', 'İBAN: ', 'ıban no ', 'IBAN NUMARASI:', 'Hesap – ');
  const country = constantFrom('TR', 'tr', 'ＴＲ', 'T R');
  assert(
    property(tuple(prefix, country, digits(24), script, gaps), ([start, code, rest, zeroToNine, between]) => {
      expect(readIban(`${start}${code}${write(rest, zeroToNine, between)}`)).toBe(`TR${rest}`);
    }),
  );
});

test('every spelling of an amount reads back', () => {
  const currencies = constantFrom(
    ['', ''],
    ['₺', ''],
    ['TL ', ''],
    ['TRY\u00a0', ''],
    ['', '₺'],
    ['', ' TL'],
    ['', ' lira'],
  );
  const separators = constantFrom(
    ['', ','],
    ['', '.'],
    ['.', ','],
    [',', '.'],
    [' ', ','],
    ['’', '.'],
    ['\u00a0', ','],
  );
  assert(
    property(
      tuple(integer({min: 1, max: 9_999_999_999}), currencies, separators, script),
      ([kurus, [before = '', after = ''], [group = '', point = ''], zeroToNine]) => {
        const whole = String(Math.floor(kurus / 100));
        const places = String(kurus % 100).padStart(2, '0');
        const typed = whole.replace(/\B(?=(\d{3})+$)/g, group) + point + places;
        expect(readTypedAmount(before + write(typed, zeroToNine, []) + after)).toBe(`${whole}.${places}`);
      },
    ),
  );
});
