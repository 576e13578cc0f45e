/** What `vezne update` and `vezne rollback` read in CHANGELOG.md. */

import {expect, test} from 'vitest';
import {changesBetween} from '../../cli/update.mjs';

const CHANGELOG = `# Changes

## Unreleased

Stores: not yet.

## 1.10.0 (2026-12-09)

Stores: \`Order\` has a further step,
and so has \`Sweep\`.

Text.

## 1.9.0 (2026-12-02)

No line about stores.

## 1.2.0 (2026-12-01)

Stores: unchanged.
`;

const between = (from: string, to: string) =>
  changesBetween(CHANGELOG, from, to).map(({version, stores}) => [version, stores]);

test('an update shows the versions after the installed one, in the order of their numbers, with what their stores do', () => {
  expect(between('1.2.0', '1.10.0')).toEqual([
    ['1.10.0', '`Order` has a further step, and so has `Sweep`.'],
    // Without the line, a rollback is refused.
    ['1.9.0', 'unknown'],
  ]);
  expect(between('1.1.0', '1.2.0')).toEqual([['1.2.0', 'unchanged.']]);
  expect(between('1.10.0', '1.10.0')).toEqual([]);
});

test('a version without a section may have changed its stores', () => {
  expect(between('1.9.0', '1.11.0')).toEqual([
    ['1.11.0', 'unknown'],
    ['1.10.0', '`Order` has a further step, and so has `Sweep`.'],
  ]);
});
