/** What the operator's pages say of secrets, against those the Worker reads; and who may write what an operator reads. */

import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';

const read = (...file: string[]) => readFileSync(repoPath(...file), 'utf8');
const rotated = [...read('worker', 'config', 'config.ts').matchAll(/^ {2}(\w+)_PREVIOUS:/gm)]
  .map(([, name = '']) => name)
  .toSorted();
const sections = read('docs', 'operations.md').split(/^### /m);

test('every secret of ours has two slots, and the steps to change it', () => {
  expect(rotated).toEqual(['MERCHANT_API_KEY', 'RELAY_SECRET', 'SESSION_SECRET', 'WEBHOOK_SECRET']);
  for (const name of rotated)
    expect(sections.find((section) => section.startsWith(`\`${name}\`\n`))).toContain(`secret delete ${name}_PREVIOUS`);
});

test('what else the deployer sets has a line that says how it is changed', () => {
  const table = /\*\*Set the secrets\*\*[^]*?\n\n([^]*?)\n\n/.exec(read('docs', 'deploy.md'))?.[1] ?? '';
  const names = table
    .split('\n')
    .slice(2)
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(names).toEqual(expect.arrayContaining(rotated));
  const notOurs = sections.find((section) => section.startsWith('Secrets of the platform')) ?? '';
  const lines = [...notOurs.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell).join();
  expect(names.filter((name) => !rotated.includes(name) && !lines.includes(`\`${name}\``))).toEqual([]);
});

test('Worker and relay write to their logs by one function each, and to the console only what keeps the relay from starting', () => {
  const sources = ['worker', 'relay'].flatMap((folder) =>
    readdirSync(repoPath(folder), {recursive: true, encoding: 'utf8'})
      .filter((file) => /\.[mc]?[jt]s$/.test(file))
      .map((file) => [`${folder}/${file}`, read(folder, file)] as const),
  );
  expect(sources.length).toBeGreaterThan(100);
  const writing = sources
    .filter(([, text]) => /\bconsole\b\s*[.[]|\bprocess\.(?:stdout|stderr)\b|\bprocess\.emitWarning\b/.test(text))
    .map(([file]) => file);
  expect(writing.toSorted()).toEqual(['relay/launch.mjs', 'relay/log.ts', 'relay/vezne-relay.ts', 'worker/lib/log.ts']);
});
