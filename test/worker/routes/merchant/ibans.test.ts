/** Tests that the Worker checks the IBANs of refunds and vendors before it calls the platform or an object. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import {countObjectCalls} from '../../support/durable-objects.ts';
import {pay} from '../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const IBAN = 'TR330006100519786457841326';
const SPACED = ' İBAN: tr33 0006-1005 1978 6457 8413 26 ';
const vendor = {service: 'DEMO', vendor_code: 'V-7', name: 'Ayşe Yılmaz', phone: '5321234567'};
const returnUrls = {success_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no'};

/** The endpoints that take an IBAN, with the path of the field. */
const INPUTS: readonly [name: EndpointName, path: string, input: (iban: string) => object][] = [
  [
    'createRefund',
    'contact.iban',
    (iban) => ({service: 'DEMO', order: newOrder(), amount: '149.90', contact: {name: 'Deniz', iban}}),
  ],
  ['createVendorForm', 'iban', (iban) => ({...vendor, ...returnUrls, iban})],
  ['createSession', 'iban', (iban) => ({kind: 'vendor', origin: 'http://localhost:5173', ...vendor, iban})],
];

const SHAPE = 'Expected an IBAN, such as TR and 24 digits.';
const CHECK_DIGITS = 'The check digits of this IBAN are wrong.';

const WRONG_SHAPE = ['hello', SHAPE] as const;
const WRONG_DIGITS = ['TR330006100519786457841327', CHECK_DIGITS] as const;
const WRONG: readonly (readonly [iban: string, message: string])[] = [
  WRONG_SHAPE,
  ['', SHAPE],
  ['TR33', SHAPE],
  [IBAN.slice(0, -1), SHAPE],
  [`${IBAN}0`, SHAPE],
  ['DE8937040044', SHAPE],
  ['D889370400440532013000', SHAPE],
  ['DE89370400440532013001', CHECK_DIGITS],
  [`${IBAN} Deniz`, SHAPE],
  // The next IBANs have one wrong digit, two exchanged digits, and wrong check digits.
  WRONG_DIGITS,
  ['TR330006100519786457841362', CHECK_DIGITS],
  ['TR000006100519786457841326', CHECK_DIGITS],
];

test('a wrong IBAN is refused before an object or the platform is called', async () => {
  const calls = await countObjectCalls(async () => {
    for (const [name, path, input] of INPUTS)
      for (const [iban, message] of name === 'createVendorForm' ? WRONG : [WRONG_SHAPE, WRONG_DIGITS])
        expectProblem(await call(name, input(iban)), 'invalid_request', {fields: [{path, message}]});
  });
  expect(calls).toEqual({});
  expect(await platformCalls()).toEqual([]);
});

test('an IBAN may be of any country of IBAN_COUNTRIES', async () => {
  // Examples of ISO 13616. The length of foreign IBANs is not checked, so that the platform decides.
  const [german, norwegian, maltese] = [
    'DE89370400440532013000',
    'NO93 8601 1117 947',
    'mt84MALT011000012345MTLCAST001S',
  ] as const;
  const bindings = {IBAN_COUNTRIES: 'DE NO MT'};
  for (const [name, path, input] of INPUTS) {
    expectProblem(await call(name, input(german)), 'invalid_request', {
      fields: [{path, message: 'IBAN_COUNTRIES does not list DE.'}],
    });
    expectProblem(await call(name, input(IBAN), {bindings}), 'invalid_request', {
      fields: [{path, message: 'IBAN_COUNTRIES does not list TR.'}],
    });
  }
  expect(await platformCalls()).toEqual([]);
  for (const [name, , input] of INPUTS)
    for (const iban of [german, norwegian, maltese])
      expect((await call(name, input(iban), {bindings})).status, `${name} ${iban}`).not.toBe(422);
});

const askFor = (phone: string) => call('createVendorForm', {...vendor, ...returnUrls, iban: IBAN, phone});

test('a vendor’s phone reaches the platform without prefix and spaces, or is refused', async () => {
  for (const phone of ['+90 (0532) 123–45–67', '+49 151 / 1234-5678']) await askFor(phone);
  for (const phone of ['+90 212 555 12 34', '0049 151 12345678', '+49'])
    expectProblem(await askFor(phone), 'invalid_request', {
      fields: [{path: 'phone', message: 'Expected a Turkish mobile number, or + and a foreign number.'}],
    });
  const forms = await platformCalls('/marketPlace/get-vendor-form-url');
  expect(forms.map(({params}) => params['phone'])).toEqual(['5321234567', '+4915112345678']);
});

test('an IBAN of 65 characters is too long', async () => {
  const answer = await call('createVendorForm', {...vendor, ...returnUrls, iban: `${IBAN}${' '.repeat(39)}`});
  expect(answer.status).toBe(422);
});

test('spaces and small letters in an IBAN are accepted, and do not reach the platform', async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  await pay({order_code: (await read('createOrderCode', order)).order_code});
  await read('createRefund', {...order, contact: {name: 'Deniz', iban: SPACED}});
  const [refund] = await platformCalls('/refund/create');
  expect(refund?.params).toMatchObject({'contact[iban]': IBAN});
  await read('createVendorForm', {...vendor, ...returnUrls, iban: SPACED});
  const {token} = await read('createSession', {
    kind: 'vendor',
    origin: 'http://localhost:5173',
    ...vendor,
    iban: SPACED,
  });
  const {sessions, objects} = contextOf(env);
  const {details} = await sessions.verify(token, 'vendor');
  expect(await objects.details(details).readDetails()).toMatchObject({iban: IBAN});
});

const refund = (iban: string) => ({
  service: 'DEMO',
  order: 'S-nothing',
  amount: '149.90',
  contact: {name: 'Deniz', iban},
});

test('a wrong IBAN is refused before the order is looked up, and leaves the idempotency key free', async () => {
  expectProblem(await call('createRefund', refund('hello'), {key: 'refund-1'}), 'invalid_request', {
    fields: [{path: 'contact.iban', message: SHAPE}],
  });
  const answer = await call('createRefund', refund(IBAN), {key: 'refund-1'});
  expect((answer.body as {code: string}).code).not.toBe('idempotency_key_reused');
});
