/** Tests that leaked secrets and personal data are found. */

import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, inject, test} from 'vitest';
import {Workerd} from '../faults/support/workerd.ts';
import {SecretScanner} from './leak-scanner.ts';
import {LeakWatch} from './leak-watch.ts';

const SECRET = 'hush, this is the secret?';
const NESTED = 'and-this-one-is-in-json';

const plantedSecrets = () =>
  SecretScanner.of({ONE: SECRET, OTHERS: JSON.stringify({shop: {key: NESTED}})}, (algorithm, text) =>
    createHash(algorithm).update(text).digest('hex'),
  );

const digest = (algorithm: string) => createHash(algorithm).update(SECRET);

test.for<[what: string, leak: string]>([
  ['ONE', `{"error":"${SECRET}"}`],
  ['ONE', `?a=${encodeURIComponent(SECRET)}&b`],
  ['ONE in hex', `x${Buffer.from(SECRET).toString('hex')}`],
  ['ONE in hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['ONE in base64', Buffer.from(SECRET).toString('base64')],
  ['ONE in base64', Buffer.from(SECRET).toString('base64url')],
  ['ONE in base64', Buffer.from(`a${SECRET}b`).toString('base64')],
  ['ONE in base64', Buffer.from(`ab${SECRET}bc`).toString('base64')],
  ['ONE in base64', Buffer.from(`user:${SECRET}`).toString('base64')],
  ['ONE as md5', digest('md5').digest('hex')],
  ['ONE as sha1', digest('sha1').digest('hex').toUpperCase()],
  ['ONE as sha256', digest('sha256').digest('hex')],
  ['ONE as sha256', `sha256-${digest('sha256').digest('base64')}`],
  ['OTHERS', NESTED],
  ['OTHERS in hex', Buffer.from(NESTED).toString('hex')],
])('the scanner finds %s in %s', async ([what, leak]) => {
  expect((await plantedSecrets()).findIn(`before ${leak} after`)).toEqual([what]);
});

test('the scanner does not report parts of a secret or other hashes', async () => {
  expect(
    (await plantedSecrets()).findIn(
      `${SECRET.slice(0, -1)} ${Buffer.from(SECRET.slice(1)).toString('hex')} ${digest('sha512').digest('hex')}`,
    ),
  ).toEqual([]);
});

test.for<[what: string, logged: string]>([
  ['SESSION_SECRET in base64', "btoa('sandbox-session-secret-that-is-long-enough')"],
  ['an IBAN', "'TR330006100519786457841326'"],
  ['a mobile number', "'msisdn 5321234567'"],
  ['a name', "'Ayşe Yılmaz'"],
])('stopping a Worker that has logged %s fails the test', async ([what, logged]) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-leak-'));
  const module = path.join(folder, 'index.js');
  writeFileSync(
    module,
    `export default {fetch() { console.log(${logged}); console.log('{"level":"info"}'); return new Response('ok'); }}`,
  );
  try {
    const workerd = await Workerd.start([{name: 'leaking', module, vars: {}, classes: []}]);
    await fetch(workerd.url('leaking'));
    // The output arrives through a pipe, so it may come later than the answer.
    await expect.poll(() => workerd.logLines()).toHaveLength(1);
    await expect(workerd.stop()).rejects.toThrow(`The log of Workers shows ${what}`);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});

test('the end of a random id is never taken for a mobile number, wherever the text is split', () => {
  const line = '{"request_id":"0b8a3f0e-5c0d-4f3a-9d58-905321234567"}\n';
  for (let at = 0; at <= line.length; at += 1) {
    const watch = new LeakWatch('The log', {people: true});
    watch.scan('before '.repeat(40) + line.slice(0, at));
    watch.scan(line.slice(at));
    watch.assertClean();
  }
});

test('a mobile number that is split in two is found', () => {
  const watch = new LeakWatch('The log', {people: true});
  watch.scan('msisdn 53212');
  watch.scan('34567');
  expect(() => watch.assertClean()).toThrow('The log shows a mobile number.');
});

test('the bundle that would be deployed contains no secret', () => {
  const watch = new LeakWatch('The bundle');
  watch.scan(readFileSync(inject('bundles').worker, 'utf8'));
  watch.assertClean();
});
