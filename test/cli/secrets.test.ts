/** What the commands read in a file of secrets, which they deploy. */

import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {readSecrets, toDotenv} from '../../cli/secrets.mjs';
import {makeScratchFolder} from '../../scripts/lib/scratch-folder.mjs';

const file = path.join(makeScratchFolder(), '.dev.vars');
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
