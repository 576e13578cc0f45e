/** Cells of the books' file, as spreadsheets read them that take another character as the separator. */

import {expect, test} from 'vitest';
import {cell} from '../../../../../worker/routes/merchant/books-csv.ts';

/** Reads a file as spreadsheets do: a quote opens a cell only at its start, and what follows the closing one belongs to it. */
function readCells(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0, value = '', isQuoted = false, isStart = true; at <= text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || isStart)) {
      isQuoted = !isQuoted;
      isStart = false;
    } else if (character === undefined || (!isQuoted && [separator, '\r', '\n'].includes(character))) {
      cells.push(value);
      [value, isStart, isQuoted] = ['', true, false];
    } else {
      value += character;
      isStart = false;
    }
  }
  return cells;
}

const CODE = /^="[^"]*"$/;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
/** A program may remove blanks and quotes, and read fullwidth signs as the others. */
const isRun = (text: string) => /^[\s"\p{Cc}]*[=+\-@]/u.test(text.normalize('NFKC')) && !NUMBER.test(text);

const FORMULAS = ['=1', '+1', '-1', '@A1', '＝1', '＋1', '－1', '＠A1', '=HYPERLINK("http://evil.example";"x")'];
const BEFORE = ['', ' ', '\t', '\r', '\n', '\r\n', '"', '""', '\u00a0', '\0', '\ufeff', ' \t "', '\t\t', "'"];
const SEPARATORS = [',', ';', '\t'];
const RUNS = FORMULAS.flatMap((formula) => BEFORE.map((before) => before + formula));
const TEXTS = [
  ...RUNS,
  ...RUNS.flatMap((run) => SEPARATORS.map((separator) => `a${separator}${run}`)),
  ...RUNS.flatMap((run) => SEPARATORS.map((separator) => `"${separator}${run}"${separator}`)),
  ...SEPARATORS.flatMap((separator) => [`1${separator}-2+3`, `00${separator}+1`, `${separator}${separator}=1`]),
  '\tabc',
  '\rabc',
];

test.each([
  ['plain', ','],
  ['tr', ';'],
] as const)(
  'no text of strangers is run as a formula, whichever separator a spreadsheet takes (numbers=%s)',
  (numbers, own) => {
    const wrong: string[] = [];
    for (const text of TEXTS) {
      const row = [{time: '2026-11-21'}, text, {kurus: -1250}, text, '00123', text, null].map((value) =>
        cell(value as never, numbers),
      );
      for (const separator of SEPARATORS) {
        const cells = readCells(`${row.join(own)}\r\n`, separator);
        for (const found of cells)
          if (isRun(found) && !(separator === own && CODE.test(found)))
            wrong.push(`${JSON.stringify(text)} read with ${JSON.stringify(separator)}: ${JSON.stringify(found)}`);
      }
      // With the separator of the file, the cells are those that were written.
      expect(readCells(row.join(own), own)).toHaveLength(row.length);
    }
    expect(wrong).toEqual([]);
  },
);

test.each<[text: string, plain: string, tr: string]>([
  ['Deniz Örnek', 'Deniz Örnek', 'Deniz Örnek'],
  ['a, b; c', '"a, b; c"', '"a, b; c"'],
  ['a\tb', '"a\tb"', '"a\tb"'],
  ['a-b = c', 'a-b = c', 'a-b = c'],
  ['say "hi"', '"say ""hi"""', '"say ""hi"""'],
  ['00123', '00123', '"=""00123"""'],
  ['1,-2', `"1,'-2"`, `"=""1,'-2"""`],
  ['\t=1', `"'\t'=1"`, `"'\t'=1"`],
])('the text %j is written as little changed as is safe', (text, plain, tr) => {
  expect([cell(text, 'plain'), cell(text, 'tr')]).toEqual([plain, tr]);
});

test('an amount stays a number', () => {
  const amount = {kurus: -1250} as never;
  expect([cell(amount, 'plain'), cell(amount, 'tr'), cell(5, 'tr')]).toEqual(['-12.50', '-12,50', '5']);
});
