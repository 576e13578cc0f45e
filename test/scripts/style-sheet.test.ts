/** What `vezne.css` may contain, so that it changes nothing else of a page, and survives what tools do to style sheets. */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

const css = readFileSync('widgets/vezne.css', 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
const manifest = readFileSync('docs/elements.md', 'utf8');

interface Rule {
  readonly selectors: readonly string[];
  readonly body: string;
}

/** The rules of a part of the sheet. A rule has no braces inside, so that a nested rule would be found in a body. */
const rulesOf = (part: string): Rule[] =>
  [...part.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, list = '', body = '']) => ({
    selectors: list.split(',').map((selector) => selector.trim()),
    body,
  }));

const withoutKeyframes = css.replaceAll(/@keyframes [\w-]+ \{[^{}]*\{[^{}]*\}\s*\}/g, '');
const flat = withoutKeyframes.replaceAll(/@media [^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/g, '$1');

test('every rule of vezne.css is flat, and names only our elements before their script has run', () => {
  const rest = flat.replaceAll(/[^{}]+\{[^{}]*\}/g, '').trim();
  expect(rest).toBe('');
  const ours =
    /^vezne-[a-z-]+(?:\[[^\]]+\])*:not\(:defined\)(?::not\(\[[^\]]+\]\))*(?:::before| > \*| > \[slot(?:='no-script')?\])?$/;
  expect(rulesOf(flat).flatMap(({selectors}) => selectors.filter((selector) => !ours.test(selector)))).toEqual([]);
});

test('vezne.css has a skeleton for every element that shows something', () => {
  const named = new Set([...manifest.matchAll(/^## `(vezne-[a-z-]+)`/gm)].map(([, tag]) => tag));
  named.delete('vezne-activity');
  const drawn = rulesOf(flat).filter(({selectors}) => selectors.length > 5);
  for (const {selectors} of drawn)
    expect(new Set(selectors.map((selector) => /^[a-z-]+/.exec(selector)?.[0]))).toEqual(named);
});

test('vezne.css uses no color, selector or at-rule that tools for older browsers translate', () => {
  expect(css.match(/light-dark|color-mix|:is\(|:where\(|:has\(|&|@layer|@container|#[0-9a-f]{8}\b/g)).toBe(null);
  // Each animation is defined here.
  const named = [...css.matchAll(/\b(vezne-\w+) 0s/g)].map(([, name]) => name).toSorted();
  const defined = [...css.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name).toSorted();
  expect(named).toEqual(defined);
});
