/** Compares the log events that docs/operations.md explains with the code of the Worker. */

import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';

const read = (...parts: string[]) => readFileSync(repoPath(...parts), 'utf8');

/** The events of the type `LogEvent`. TypeScript lets the Worker log no other event. */
function eventsOfType(): string[] {
  const [, union = ''] = /export type LogEvent =([^;]+);/.exec(read('worker', 'lib', 'log.ts')) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, event = '']) => event);
}

const operations = read('docs', 'operations.md');
const rows = [...operations.matchAll(/^\| `(\w+)` \| ((?:info|warn|error)(?:, (?:warn|error))?) \| /gm)];

test('docs/operations.md explains each log event of the code, and its table has no other event', () => {
  const events = eventsOfType();
  expect(events.filter((event) => !operations.includes(`\`${event}\``))).toEqual([]);
  expect(rows.map(([, event]) => event).filter((event) => !events.includes(event ?? ''))).toEqual([]);
});

test('the code uses each log event', () => {
  const code = readdirSync(repoPath('worker'), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts') && !file.endsWith('lib/log.ts'))
    .map((file) => read('worker', file))
    .join('\n');
  expect(eventsOfType().filter((event) => !code.includes(`'${event}'`))).toEqual([]);
});

test('the table has each level at which the code logs an event', () => {
  const levels = new Map(rows.map(([, event = '', level = '']) => [event, level.split(', ')]));
  const wrong: string[] = [];
  for (const file of readdirSync(repoPath('worker'), {recursive: true, encoding: 'utf8'})) {
    if (!file.endsWith('.ts')) continue;
    for (const [call, level = '', event = ''] of read('worker', file).matchAll(/\blog\(\s*'(\w+)',\s*'(\w+)'/g))
      if (levels.get(event)?.includes(level) === false) wrong.push(`${file}: ${call}`);
  }
  expect(wrong).toEqual([]);
});
