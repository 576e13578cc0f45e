/** What is accepted only with a platform on this machine: the sandbox's secrets, local pages, Turnstile's test keys. */

import {expect, test} from 'vitest';
import {readConfig} from '../../../worker/config/config.ts';
import {invalidBindings, VALID} from './support/bindings.ts';

const SANDBOX = {
  PHS_URL: 'http://localhost:8790/phs',
  MICROPAYMENT_URL: 'http://localhost:8790/micropayment',
  PAYMENT_PAGE_URL: 'http://localhost:8790/pay',
  LANDING_URL: 'http://localhost:8790/landing',
};
const ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'PAYMENT_PAGE_URL', 'LANDING_URL'] as const;
const SANDBOX_SECRETS: readonly [binding: string, value: unknown][] = [
  ['MERCHANT_KEY', 'sandbox-merchant-key'],
  ['MERCHANT_PRIVATE_KEY', 'sandbox-merchant-private-key'],
  ['SERVICE_PRIVATE_KEYS', '{"KTP":"sandbox-service-private-key"}'],
  ['LANDING_AUTHORIZATION', 'sandbox-landing-authorization'],
  ['PAYMENT_PAGE_SECRET', 'sandbox-payment-page-secret'],
  ['SESSION_SECRET', 'sandbox-session-secret-that-is-long-enough'],
  ['SESSION_SECRET_PREVIOUS', 'sandbox-session-secret-that-is-long-enough'],
  ['MERCHANT_API_KEY', 'sandbox-merchant-api-key'],
  ['WEBHOOK_SECRET', 'sandbox-webhook-secret-that-is-long-enough'],
  ['RELAY_SECRET', 'sandbox-relay-secret-that-is-long-enough'],
  ['RELAY_SECRET_PREVIOUS', 'sandbox-relay-secret-that-is-long-enough'],
  ['SERVICES', {KTP: {privateKey: 'sandbox-service-private-key'}}],
  ['SERVICES', '{"KTP": {"privateKey": "sandbox-service-private-key"}}'],
];

test.for(SANDBOX_SECRETS)(
  'the sandbox’s %s is accepted only if the whole platform is on this machine',
  ([binding, value]) => {
    expect(invalidBindings({...SANDBOX, [binding]: value})).toEqual([]);
    for (const address of ADDRESSES)
      expect(invalidBindings({...SANDBOX, [address]: VALID[address], [binding]: value}), address).toEqual([binding]);
  },
);

test('a platform with a loopback address counts as local behind a local relay, but not behind a remote one', () => {
  const platform = {fetch: () => Promise.resolve(new Response())};
  const relay = {EGRESS: 'relay', RELAY_SECRET: 'hush-0123456789abcdef0123456789abcdef'};
  const MERCHANT_KEY = 'sandbox-merchant-key';
  const bindings = {...SANDBOX, MERCHANT_KEY, ALLOWED_ORIGINS: 'http://localhost:5173'};
  const refused = ['MERCHANT_KEY', 'ALLOWED_ORIGINS'];
  expect(invalidBindings({...bindings, EGRESS: 'binding', PLATFORM: platform})).toEqual(refused);
  expect(invalidBindings({...bindings, ...relay, RELAY_URL: 'https://relay.example'})).toEqual(refused);
  expect(readConfig({...VALID, ...bindings, ...relay, RELAY_URL: 'http://localhost:8791'}).isSandbox).toBe(true);
});

test('pages on this machine are allowed only if the whole platform is on this machine', () => {
  const ALLOWED_ORIGINS = 'http://localhost:5173 https://*.localhost';
  expect(invalidBindings({...SANDBOX, ALLOWED_ORIGINS})).toEqual([]);
  for (const address of ADDRESSES)
    expect(invalidBindings({...SANDBOX, [address]: VALID[address], ALLOWED_ORIGINS}), address).toEqual([
      'ALLOWED_ORIGINS',
    ]);
});

const TEST_SITEKEY = '1x00000000000000000000AA';
const TEST_SECRET = '1x0000000000000000000000000000000AA';
const SITEKEY = '0x4AAAAAAAB';
const SECRET = 'hush-0x4AAAAAAAC';

test('the human check needs both keys', () => {
  const {turnstile} = readConfig({...VALID, TURNSTILE_SECRET: SECRET, TURNSTILE_SITEKEY: SITEKEY});
  expect(turnstile).toEqual({secret: SECRET, sitekey: SITEKEY, forTests: false});
  expect(invalidBindings({TURNSTILE_SECRET: SECRET})).toEqual(['TURNSTILE_SITEKEY']);
  expect(invalidBindings({TURNSTILE_SITEKEY: SITEKEY})).toEqual(['TURNSTILE_SECRET']);
});

test('Turnstile’s test keys are allowed only if all pages and the platform are on this machine', () => {
  const onThisMachine = {
    ...SANDBOX,
    ALLOWED_ORIGINS: 'http://localhost:5173',
    TURNSTILE_SECRET: TEST_SECRET,
    TURNSTILE_SITEKEY: TEST_SITEKEY,
  };
  expect(invalidBindings(onThisMachine)).toEqual([]);
  expect(invalidBindings({...onThisMachine, ALLOWED_ORIGINS: 'http://localhost:5173 https://shop.example'})).toEqual([
    'TURNSTILE_SECRET',
    'TURNSTILE_SITEKEY',
  ]);
  expect(invalidBindings({TURNSTILE_SECRET: TEST_SECRET, TURNSTILE_SITEKEY: SITEKEY})).toEqual(['TURNSTILE_SECRET']);
  expect(invalidBindings({TURNSTILE_SECRET: SECRET, TURNSTILE_SITEKEY: '3x00000000000000000000FF'})).toEqual([
    'TURNSTILE_SITEKEY',
  ]);
});

test('a Turnstile secret of the sandbox is refused with a real platform', () => {
  expect(invalidBindings({TURNSTILE_SECRET: 'sandbox-turnstile-secret', TURNSTILE_SITEKEY: SITEKEY})).toEqual([
    'TURNSTILE_SECRET',
  ]);
});

test('a platform on this machine counts as the sandbox only with the sandbox’s merchant key', () => {
  expect(readConfig({...VALID, ...SANDBOX, MERCHANT_KEY: 'sandbox-merchant-key'}).isSandbox).toBe(true);
  expect(readConfig({...VALID, ...SANDBOX}).isSandbox).toBe(false);
});

test('a secret that contains the word sandbox but does not begin with it is accepted', () => {
  expect(invalidBindings({MERCHANT_KEY: 'hush-of-the-sandbox-merchant'})).toEqual([]);
});
