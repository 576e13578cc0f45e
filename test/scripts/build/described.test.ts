/** Checks the pages that `npm run describe` writes from the contract. */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {describedPages} from '../../../scripts/build/described.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {browserEndpoints} from '../../../worker/contract/browser/endpoints.ts';
import {ERROR_CODES, ERROR_KINDS} from '../../../worker/contract/codes.ts';
import {endpoints} from '../../../worker/contract/merchant/endpoints.ts';

const pages = describedPages();
const pageOf = (file: string) => new Map(pages).get(file) ?? '';

test.each(pages)('%s is what `npm run describe` writes from the contract', (file, text) => {
  expect(readFileSync(repoPath(file), 'utf8')).toBe(text);
});

test('docs/endpoints.md has a line for each endpoint, with the fields of input and answer', () => {
  const lines = pageOf('docs/endpoints.md').split('\n');
  for (const {method, path} of [...Object.values(endpoints), ...Object.values(browserEndpoints)])
    expect(lines.filter((line) => line.startsWith(`| \`${method} ${path}\` |`))).toHaveLength(1);
  expect(lines).toContain(
    '| `POST /merchant/v1/charges/{service}/{id}/refund` | money | `service, id, when_exhausted?` | `Charge` · 202 `state = queued, command_id, queue_position, expected_at` |',
  );
  expect(lines).toContain('| `POST /v1/numbers` | subscription session | `number_token` | `msisdn, operator` |');
});

test('docs/errors.md has each error code once, with its status, its meaning and what to do', () => {
  const sections = pageOf('docs/errors.md').split('\n### ').slice(1);
  expect(sections.map((section) => /^`(\w+)`/.exec(section)?.[1]).sort()).toEqual([...ERROR_CODES].sort());
  for (const section of sections) {
    const code = /^`(\w+)`/.exec(section)?.[1] as keyof typeof ERROR_KINDS;
    expect(section).toMatch(new RegExp(`\n${ERROR_KINDS[code].status}[^]*[.]\n\n→ `));
  }
});

test('merchant/README.md names every method of the client', () => {
  const readme = pageOf('merchant/README.md');
  expect(readme).toContain('| `refunds` | `get` `list` `create` |\n');
  for (const {docs} of Object.values(endpoints)) {
    const [resource, method] = docs.client.split('.');
    expect(readme).toMatch(new RegExp(`^\\| \`${resource}\` \\|.* \`${method}\``, 'm'));
  }
});
