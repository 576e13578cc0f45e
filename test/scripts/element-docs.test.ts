/** Checks that the documents name what the elements have: attributes, events, slots and parts. */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {publicElements} from '../../scripts/build/manifest.mjs';
import {repoPath} from '../../scripts/lib/repo.mjs';

const elementsPage = readFileSync(repoPath('docs', 'elements.md'), 'utf8');
const sectionOf = (tag: string) => elementsPage.split(/^## /m).find((each) => each.startsWith(`\`${tag}\``)) ?? '';
const codes = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, code = '']) => code);
/** The names in the first column of the table with this title. */
const rowsOf = (title: string, section: string) =>
  (new RegExp(`^\\| ${title} \\|[^]*?\\n((?:\\|.*\\n)+)`, 'm').exec(section)?.[1] ?? '')
    .split('\n')
    .flatMap((row) => codes(row.split('|')[1] ?? ''));

test.each(publicElements())('README.md and docs/elements.md name what $tagName has', (element) => {
  const {tagName} = element;
  const [attributes, events, slots, parts] = (['attributes', 'events', 'slots', 'cssParts'] as const).map((kind) =>
    element[kind].map(({name}) => name),
  ) as [string[], string[], string[], string[]];
  expect(readFileSync(repoPath('README.md'), 'utf8')).toContain(`| \`<${tagName}>\` |`);
  const section = sectionOf(tagName);
  expect(attributes).toEqual(expect.arrayContaining(rowsOf('attribute', section)));
  expect(events).toEqual(expect.arrayContaining(rowsOf('event', section)));
  // These are described once, for all elements.
  const shared = new Set(['', 'offer', 'session', 'api', 'theme', 'vezne-error']);
  const described = codes(section + (tagName === 'vezne-one-click' ? sectionOf('vezne-pin-subscribe') : ''));
  const own = [...attributes, ...events, ...slots, ...parts].filter((name) => !shared.has(name));
  expect(described).toEqual(expect.arrayContaining(own));
});
