/** Where a key may be sent. */

import {expect, test} from 'vitest';
import {explainUnsentKey} from '../../cli/key-address.mjs';

const OWN = {file: '.dev.vars', hosts: ['pay.shop.example', 'shop.stub.workers.dev', 'localhost:5173']};
const NOT_ENCRYPTED = 'A key is only sent over https. Over http it is only sent to this machine.';
const NOT_OWN =
  'The key in .dev.vars is only sent to the Worker of this folder (pay.shop.example, shop.stub.workers.dev, localhost:5173). ' +
  'Give another Worker its key in MERCHANT_API_KEY.';

test.for<[url: string, own: string | null, given: string | null]>([
  ['https://pay.shop.example', null, null],
  ['https://pay.shop.example:443/any/path', null, null],
  ['https://PAY.shop.example', null, null],
  ['https://shop.stub.workers.dev', null, null],
  ['http://localhost:5173', null, null],
  ['http://localhost:5174', NOT_OWN, null],
  ['http://127.0.0.1:5173', NOT_OWN, null],
  ['http://[::1]:5173', NOT_OWN, null],
  ['https://localhost:8443', NOT_OWN, null],
  ['https://pay.shop.example:8443', NOT_OWN, null],
  ['https://pay.shop.example.', NOT_OWN, null],
  ['https://pay.shop.example.evil.example', NOT_OWN, null],
  ['https://evil.example/pay.shop.example', NOT_OWN, null],
  ['https://x.pay.shop.example', NOT_OWN, null],
  ['https://pаy.shop.example', NOT_OWN, null],
  ['http://pay.shop.example', NOT_ENCRYPTED, NOT_ENCRYPTED],
  ['http://evil.example', NOT_ENCRYPTED, NOT_ENCRYPTED],
  ['http://192.168.1.5:5173', NOT_ENCRYPTED, NOT_ENCRYPTED],
  ['http://localhost.evil.example', NOT_ENCRYPTED, NOT_ENCRYPTED],
  ['http://10.0.0.5:5173', NOT_ENCRYPTED, NOT_ENCRYPTED],
  ['ftp://pay.shop.example', NOT_ENCRYPTED, NOT_ENCRYPTED],
])('the key of a folder, and a key that is given, may or may not be sent to %s', ([url, own, given]) => {
  expect(explainUnsentKey(new URL(url), OWN)).toBe(own);
  expect(explainUnsentKey(new URL(url), null)).toBe(given);
});

test('a folder without a known Worker sends its key nowhere', () => {
  expect(explainUnsentKey(new URL('https://pay.shop.example'), {file: '.dev.vars', hosts: []})).toContain(
    'none is known',
  );
});
