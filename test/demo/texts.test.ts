/** The texts of the demo's pages. */

import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';

const FOLDER = new URL('../../demo/locales/', import.meta.url);
/** People replace the number in the lines that they copy. */
const names = readdirSync(FOLDER).filter((name) => name !== 'snippet.ts');

test.each(names)('a phone number in %s stays on one line', async (name) => {
  const languages = (await import(new URL(name, FOLDER).href)) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  const texts = Object.values(languages).flatMap((language) => Object.values(language));
  expect(texts.filter((text) => /\d{4} \d{3}/.test(text))).toEqual([]);
});
