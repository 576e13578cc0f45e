/** Checks that every test that `test/promises.md` names exists. */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';

/** Makes texts comparable: typographic apostrophes and escaped quotation marks count as plain ones. */
const plain = (text: string) => text.replaceAll('\\', '').replaceAll('’', "'");

/** The tests that the page names, below the path of their file. */
const rows = [
  ...readFileSync(repoPath('test', 'promises.md'), 'utf8').matchAll(/^`([\w/.-]+\.ts)`\n\n((?:- .*\n(?: .*\n)*)+)/gm),
].flatMap(([, file = '', list = '']) =>
  list
    .replaceAll(/\n +/g, ' ')
    .trim()
    .split('\n')
    .map((line) => ({file, titles: (line.slice(2).split(' → ').at(-1) ?? '').split(' › ')})),
);

test('every promise names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(100);
  const missing = rows.flatMap(({file, titles}) => {
    const source = plain(readFileSync(repoPath('test', file), 'utf8'));
    return titles.filter((title) => !source.includes(plain(title))).map((title) => `${file}: ${title}`);
  });
  expect(missing).toEqual([]);
});
