/** Checks `docs/errors.md`: it must match the contract and list every error code. */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {errorDocs} from '../../../scripts/build/error-docs.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {ERROR_CODES, ERROR_KINDS} from '../../../worker/contract/codes.ts';

const text = readFileSync(repoPath('docs', 'errors.md'), 'utf8');

test('docs/errors.md is what `npm run describe` generates from the contract', () => {
  expect(text).toBe(errorDocs());
});

test('docs/errors.md has each error code once, with its status, its meaning and what to do', () => {
  const sections = text.split('\n### ').slice(1);
  expect(sections.map((section) => /^`(\w+)`/.exec(section)?.[1]).sort()).toEqual([...ERROR_CODES].sort());
  for (const section of sections) {
    const code = /^`(\w+)`/.exec(section)?.[1] as keyof typeof ERROR_KINDS;
    expect(section).toMatch(new RegExp(`\n${ERROR_KINDS[code].status}[^]*[.]\n\n→ `));
  }
});
