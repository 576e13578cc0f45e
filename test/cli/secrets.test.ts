/** What the commands read in a file of secrets, which they deploy. */

import {lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {removeLeftovers, reserve} from '../../cli/leftovers.mjs';
import {readSecrets, toDotenv, writePrivateFile} from '../../cli/secrets.mjs';
import {makeScratchFolder} from '../../scripts/lib/scratch-folder.mjs';

const scratch = makeScratchFolder();
const file = path.join(scratch, '.dev.vars');
const read = (text: string) => {
  writeFileSync(file, text);
  return readSecrets(file);
};

test.each([
  ['MERCHANT_KEY=\nSESSION_SECRET=abc\n', {MERCHANT_KEY: '', SESSION_SECRET: 'abc'}],
  ['MERCHANT_KEY= \r\nSESSION_SECRET = abc \r\n', {MERCHANT_KEY: '', SESSION_SECRET: 'abc'}],
  ["# All\n\n  A='x' # note\nexport B=y # note\nC=# note", {A: 'x', B: 'y', C: ''}],
  ['A=\'it"s #1\'\nB="it\'s"\nC={"DEMO":"k=="}\n', {A: 'it"s #1', B: "it's", C: '{"DEMO":"k=="}'}],
  ['KEY=\'-----BEGIN-----\nab=\n-----END-----\'\nB="l\\nm"', {KEY: '-----BEGIN-----\nab=\n-----END-----', B: 'l\nm'}],
  ['{"A": "1"}', {A: '1'}],
])('each secret has its own value: %j', (text, secrets) => {
  expect(read(text)).toEqual(secrets);
});

test.each([
  ["A=1\nB='open-value\nC=2\n", 'line 2'],
  ["A=1\nSECOND='open-value\nTHIRD='2'\nFOURTH='3'\n", 'line 2'],
  ['A=1\n\nopen-value', 'line 3'],
  ['A: open-value', 'line 1'],
  ["A='open-value'b", 'line 1'],
  // Some readers cut this at #.
  ['A=open-value#1', 'line 1'],
  ['{"A": open-value}', 'not valid JSON'],
])('a file that can be misread is refused, and the error names the place but no value: %j', (text, place) => {
  expect(() => read(text)).toThrow(place);
  expect(() => read(text)).not.toThrow('open-value');
});

test('a written secret is read again as it was', () => {
  const secrets = {A: "it's", B: '$x"y"', C: 'a\nb', D: '', E: String.raw`'\n`, F: '#'};
  expect(read(toDotenv(secrets))).toEqual(secrets);
});

test('a file of secrets is readable by its owner alone, also if an open file or a link had its name', () => {
  const open = path.join(scratch, 'modes', 'open');
  const link = path.join(scratch, 'modes', 'link');
  const fresh = path.join(scratch, 'modes', 'deeper', 'fresh');
  mkdirSync(path.dirname(open));
  writeFileSync(open, 'old', {mode: 0o666});
  symlinkSync(open, link);
  for (const target of [link, open, fresh]) {
    writePrivateFile(target, 'secret');
    expect([readFileSync(target, 'utf8'), lstatSync(target).mode.toString(8)]).toEqual(['secret', '100600']);
  }
  expect(readdirSync(path.dirname(open)).toSorted()).toEqual(['deeper', 'link', 'open']);
});

test('copies of secrets that a killed command left are removed, and those of a running one stay', () => {
  const folder = path.join(scratch, 'leftovers');
  const left = [
    'secrets.json',
    'secrets.json.0a',
    'dev/worker/.dev.vars',
    'dev-1-2/worker/.dev.vars',
    'dev-5-6/.dev.vars',
  ];
  const others = ['dev-3-4/worker/.dev.vars', 'site/dev/x', 'device', 'wrangler.json'];
  for (const name of [...left, ...others]) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    if (name === 'dev-3-4/worker/.dev.vars') reserve('dev-3-4', {folder, pid: process.ppid});
    writePrivateFile(path.join(folder, name), 'x');
  }
  // No process has this id.
  writeFileSync(path.join(folder, 'dev-1-2.owner'), JSON.stringify({pid: 2 ** 30}));
  removeLeftovers(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['dev-3-4', 'dev-3-4.owner', 'device', 'site', 'wrangler.json']);
});
