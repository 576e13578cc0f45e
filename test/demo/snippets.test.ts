/** Checks all HTML that merchants copy, and the demo's own pages: what they show before the script has run. */

import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {printedSnippets, shownSnippets, writtenElements} from '../../scripts/lib/snippets.mjs';

const SOURCES = [
  'README.md',
  'docs/elements.md',
  'demo/layout.html',
  ...['demo/pages', 'demo/partials', 'examples/html', 'examples/node', 'examples/php'].flatMap((folder) =>
    readdirSync(folder).flatMap((file) => (file.includes('.') ? `${folder}/${file}` : [])),
  ),
];
const read = (file: string) => readFileSync(file, 'utf8').replaceAll('&lt;', '<').replaceAll('&gt;', '>');

test('content for a later state is hidden in every snippet and page', () => {
  const later = /<\w+ slot="(?:paid|done|manage|cancelled|success)"(?! hidden)[^>]*>/g;
  const shown = SOURCES.flatMap((file) => read(file).match(later) ?? []);
  expect(shown).toEqual([]);
});

test('every snippet with a script of the elements has the style sheet before it', () => {
  // A page of the demo has it in its layout.
  expect(read('demo/layout.html')).toContain('/vezne.css');
  const without = SOURCES.flatMap(
    (file) => read(file).match(/(?:```html|<code>|<title>)[^]*?(?:```|<\/code>|`|$)/g) ?? [],
  )
    .filter((snippet) => /\/(?:checkout|subscribe|vezne|vendor)\.js/.test(snippet))
    .filter((snippet) => !/vezne\.css[^]*\.js/.test(snippet));
  expect(without).toEqual([]);
});

test('no element of a snippet or page contains a paragraph, another block or a blank line', () => {
  const blocks =
    /<(?:address|article|aside|blockquote|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|ul)\b/;
  const elements = writtenElements();
  expect(elements.length).toBeGreaterThan(30);
  expect(elements.filter(({html}) => blocks.test(html) || /\n\s*\n/.test(html))).toEqual([]);
});

test('every snippet is found where it is shown', () => {
  const files = new Set(shownSnippets().map(({file}) => file));
  for (const file of ['README.md', 'demo/builder/snippet.ts', 'docs/elements.md', 'examples/php/shop.php'])
    expect(files).toContain(file);
  for (const {html} of printedSnippets()) expect(html).not.toMatch(/\{\{|\$\{|<\?|&lt;/);
});
