import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {digest} from '../../../../worker/lib/crypto.ts';
import {contradictsIban, fingerprintIban} from '../../../../worker/objects/commands/iban-fingerprint.ts';
import {everythingStored} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const IBAN = 'TR33 0006 1005 1978 6457 8413 26';
const OTHER = 'TR33 0006 1005 1978 6457 8413 27';
const DIGITS = IBAN.replace(/\D/g, '');

test('nothing that is stored about a refund contains its account number or a plain digest of the number', async () => {
  const input = {service: 'DEMO', order: 'S-1', amount: '1.00', contact: {name: 'Deniz Örnek', iban: IBAN}};
  const commands = contextOf(env).objects.commands('DEMO');
  await commands.run('refund-1', {name: 'createRefund', input, mayQueue: false, askedBy: null});
  const rows = await runInDurableObject(commands, (_object, {storage}) =>
    storage.sql.exec<{stored: string}>('SELECT stored FROM commands').toArray(),
  );
  expect(rows).toHaveLength(1);
  const stored = JSON.stringify(rows) + (await everythingStored());
  for (const text of [DIGITS, await digest('SHA-256', DIGITS), await digest('MD5', DIGITS)])
    expect(stored).not.toContain(text);
});

test('a fingerprint recognizes its IBAN and contradicts another IBAN, also after the secret was rotated', async () => {
  const fingerprint = await fingerprintIban(IBAN, 'secret one');
  for (const secrets of [['secret one'], ['secret two', 'secret one']]) {
    expect(await contradictsIban('33-0006-1005-1978-6457-8413-26', fingerprint, secrets)).toBe(false);
    expect(await contradictsIban(OTHER, fingerprint, secrets)).toBe(true);
  }
});

test('a fingerprint contradicts no IBAN if its secret is gone or the IBAN is missing, masked or foreign', async () => {
  const fingerprint = await fingerprintIban(IBAN, 'secret one');
  expect(await contradictsIban(OTHER, fingerprint, ['secret two', 'secret three'])).toBe(false);
  for (const actual of [null, '', 'TR33 **** 26', 'DE89 3704 0044 0532 0130 00'])
    expect(await contradictsIban(actual, fingerprint, ['secret one'])).toBe(false);
});
