/**
 * Checks that the operator's documents cover every secret the Worker reads, that only the log modules write logs, and
 * that the commands print and fetch in one place.
 */

import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {SECRET_NAMES, SETTING_NAMES} from '../../cli/worker-config.mjs';
import {repoPath} from '../../scripts/lib/repo.mjs';

const read = (...file: string[]) => readFileSync(repoPath(...file), 'utf8');
const rotated = SETTING_NAMES.flatMap((name) => /^(\w+)_PREVIOUS$/.exec(name)?.[1] ?? []).toSorted();
const sections = read('docs', 'operations.md').split(/^### /m);

test('docs/operations.md explains how to rotate every secret that has a variable for its previous value', () => {
  expect(rotated).toEqual(['MERCHANT_API_KEY', 'NOTIFICATION_KEY', 'RELAY_SECRET', 'SESSION_SECRET', 'WEBHOOK_SECRET']);
  for (const name of rotated)
    expect(sections.find((section) => section.startsWith(`\`${name}\`\n`))).toContain(`secret delete ${name}_PREVIOUS`);
});

/** The secrets in the table of docs/deploy.md. */
const names = (/## 2\. Set the secrets\n[^]*?\n\n(\|[^]*?)\n\n/.exec(read('docs', 'deploy.md'))?.[1] ?? '')
  .split('\n')
  .slice(2)
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

test('docs/operations.md says how to change every other secret that an operator sets', () => {
  expect(names).toEqual(expect.arrayContaining(rotated));
  const issuedByOthers = sections.find((section) => section.startsWith('Secrets of the platform')) ?? '';
  expect(names.filter((name) => !rotated.includes(name) && !issuedByOthers.includes(`\`${name}\``))).toEqual([]);
});

test('every secret of docs/deploy.md is one of those that the commands refuse among the settings', () => {
  expect(names.filter((name) => !SECRET_NAMES.has(name))).toEqual([]);
});

// In addition, two files of the relay print the reason when the relay cannot start.
test('the Worker and the relay each write their log in one module', () => {
  const sources = ['worker', 'relay'].flatMap((folder) =>
    readdirSync(repoPath(folder), {recursive: true, encoding: 'utf8'})
      .filter((file) => /\.[mc]?[jt]s$/.test(file))
      .map((file) => [`${folder}/${file}`, read(folder, file)] as const),
  );
  expect(sources.length).toBeGreaterThan(100);
  const writing = sources
    .filter(([, text]) => /\bconsole\b\s*[.[]|\bprocess\.(?:stdout|stderr)\b|\bprocess\.emitWarning\b/.test(text))
    .map(([file]) => file);
  expect(writing.toSorted()).toEqual([
    'relay/launch.mjs',
    'relay/log.ts',
    'relay/vezne-relay.ts',
    'worker/lib/log.ts',
    // This file writes to the console of pages.
    'worker/routes/page-scripts.ts',
  ]);
});

test.each([
  // The launcher prints before it knows whether this Node can load modules.
  ['print', /\bconsole\b\s*[.[]/, ['print.mjs', 'vezne.cjs']],
  // The servers of `vezne dev` are on this machine, and nothing of what they answer is read.
  ['fetch', /\bfetch\(/, ['servers.mjs', 'web/read-text.mjs']],
] as const)('the commands %s only where what comes from outside is bounded and stripped', (_, expression, files) => {
  const found = readdirSync(repoPath('cli'), {recursive: true, encoding: 'utf8'}).filter(
    (file) => /\.[mc]js$/.test(file) && expression.test(read('cli', file)),
  );
  expect(found.toSorted()).toEqual(files);
});
