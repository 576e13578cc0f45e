/** The doctor says in words what is wrong with a set-up, and no secret. */

import {expect, test, vi} from 'vitest';
import type {CheckName} from '../../../../worker/contract/merchant/doctor.ts';
import {explainFailure} from '../../../../worker/doctor/explain.ts';
import {control, setLine, setFault} from '../../support/sandbox.ts';
import {ask, expectProblem, read} from './support/merchant-server.ts';

const examine = (bindings?: Record<string, unknown>) => read('examine', {}, bindings && {bindings});
type Findings = Partial<Record<CheckName, [state: string, action: string | null]>>;

async function findings(bindings?: Record<string, unknown>): Promise<Findings> {
  const {checks, healthy} = await examine(bindings);
  expect(healthy).toBe(checks.every(({state}) => state !== 'failed'));
  expect(checks.map(({name}) => name)).toEqual([
    'configuration',
    'egress',
    'token',
    'services',
    'banks',
    'landing',
    'micropayment',
    'clock',
  ]);
  for (const {message} of checks) expect(message).toMatch(/^[A-Z\d].*[.)]$/);
  return Object.fromEntries(checks.map(({name, state, action}) => [name, [state, action]]));
}

const clock = async (bindings?: Record<string, unknown>) =>
  (await examine(bindings)).checks.find(({name}) => name === 'clock')?.message;
const unsent = (limit?: 'second' | 'day') =>
  explainFailure({
    check: 'micropayment',
    failure: {outcome: 'unsent', retryAfterMs: 1000, ...(limit && {limit})},
    egress: 'direct',
  });
const refused = (action: string) => ['failed', expect.stringContaining(action) as string];

test('a set-up that is right', async () => {
  const {checks, healthy} = await examine();
  expect(healthy).toBe(true);
  for (const {name, state, action} of checks) expect([name, state, action]).toEqual([name, 'ok', null]);
  expect(checks[0]?.message).toBe(
    'Complete. PAYMENT_PAGE_SECRET is not tried out: a wrong one shows when a payment page is opened.',
  );
});

test('the platform’s clock is read from what it answers', async () => {
  expect(await clock()).toBe('The platform’s clock and ours agree within a minute.');
  await control('clock', {advance_seconds: 600});
  expect(await clock()).toMatch(/^The platform’s clock is (59\d|60\d) seconds ahead of ours\.$/);
  vi.setSystemTime(Date.now() + 1_200_000);
  expect(await clock()).toMatch(/^The platform’s clock is (59\d|60\d) seconds behind ours\.$/);
  expect(await clock({MICROPAYMENT_URL: undefined})).toBe('The platform tells no time.');
});

test('a page instead of an answer is a platform that broke, not a wrong address', async () => {
  await setFault({operation: '/bank/getAll', kind: '500-html', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'banks')).toEqual({
    name: 'banks',
    state: 'failed',
    message: 'What answers has an error of its own (HTTP 500): the platform is down, or what stands in front of it.',
    action: 'Nothing needs doing here; ask the platform if it lasts. If it was never reached, check PHS_URL.',
  });
});

test('a landing interface that answers something else does not say that it knows us', async () => {
  await setFault({operation: '/landing/get-msisdn', kind: 'status', status: '025', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'landing')).toMatchObject({
    state: 'warning',
    message:
      'The landing interface answers with the status 025, which does not say whether it takes our authorization.',
  });
});

test('a limit of ours that is used up is no trouble of the platform’s', () => {
  expect(unsent('second')).toEqual({
    state: 'warning',
    message: 'Not asked: others make all the calls that the platform takes in a second.',
    action: 'Ask again in a moment.',
  });
  expect(unsent('day')).toEqual({
    state: 'warning',
    message: 'Not asked: the calls that the platform takes in a day are used up.',
    action: 'GET /merchant/v1/quotas says when there are more.',
  });
  expect(unsent()).toMatchObject({state: 'failed', message: 'The platform fails and is left alone for now.'});
});

test('it takes no fields', async () => {
  expectProblem(await ask('/merchant/v1/doctor?x=1'), 'invalid_request', {
    fields: [{path: 'x', message: 'This field is not accepted.'}],
  });
});

test('a wrong key', async () => {
  expect(await findings({MERCHANT_KEY: 'sandbox-wrong-key'})).toMatchObject({
    token: refused('MERCHANT_IP'),
    services: ['skipped', null],
    banks: ['ok', null],
  });
});

test('a wrong address in the key looks the same, and the doctor says so', async () => {
  const {checks} = await examine({MERCHANT_IP: '198.51.100.9'});
  expect(checks.find(({name}) => name === 'token')).toEqual({
    name: 'token',
    state: 'failed',
    message: 'The platform refuses the key that is made of MERCHANT_ID, MERCHANT_IP and MERCHANT_KEY. (ERR_007)',
    action:
      'Check the three. MERCHANT_IP is the address registered at the platform: another address in the key looks like a wrong key.',
  });
});

test('an address the platform does not know', async () => {
  await control('address', {allowed: false});
  const found = await findings();
  expect(
    Object.values(found).filter(([state, action]) => state === 'failed' && action?.includes('EGRESS')).length,
  ).toBeGreaterThanOrEqual(2);
  await control('address', {allowed: true});
});

test('a service the platform does not know', async () => {
  const OFFERS = {gold: {kind: 'payment', service: 'NONE', amount: '1.00', title: {tr: 'a', en: 'b'}}};
  const {checks} = await examine({SERVICES: {NONE: {micropaymentId: 99}}, SERVICE_PRIVATE_KEYS: undefined, OFFERS});
  expect(checks.find(({name}) => name === 'services')).toMatchObject({
    state: 'failed',
    message: 'The platform does not know the service NONE. (ERR_005)',
    action: 'Check its code in SERVICES.',
  });
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({
    state: 'failed',
    action: expect.stringContaining('micropaymentId') as string,
  });
});

test('a wrong landing authorization', async () => {
  expect(await findings({LANDING_AUTHORIZATION: 'sandbox-wrong-authorization'})).toMatchObject({
    landing: refused('LANDING_AUTHORIZATION'),
    token: ['ok', null],
  });
});

test('interfaces that are not set up are no fault', async () => {
  expect(await findings({MICROPAYMENT_URL: undefined, LANDING_URL: undefined})).toMatchObject({
    configuration: ['ok', null],
    landing: ['skipped', null],
    micropayment: ['skipped', null],
  });
});

test('a service without a number is worth a word', async () => {
  expect(await findings({SERVICES: {DEMO: {}}})).toMatchObject({
    configuration: ['warning', expect.stringContaining('micropaymentId') as string],
  });
});

test('a platform that is down', async () => {
  await setLine('refused');
  const found = await findings();
  await setLine('open');
  expect(found).toMatchObject({
    token: refused('PHS_URL'),
    banks: refused('PHS_URL'),
    landing: refused('LANDING_URL'),
    micropayment: refused('MICROPAYMENT_URL'),
    services: ['skipped', null],
  });
});

test('something else at the platform’s address', async () => {
  await setFault({operation: '/bank/getAll', kind: 'malformed', times: 3});
  expect(await findings()).toMatchObject({banks: refused('PHS_URL')});
});

test('a platform that redirects is not followed', async () => {
  await setFault({operation: '/bank/getAll', kind: 'redirect', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'banks')?.message).toContain('never followed');
});

test('a configuration that cannot be read is told to whoever has the key, and to nobody else', async () => {
  const {checks, healthy} = await examine({MERCHANT_ID: 'x', OFFERS: '{'});
  expect(healthy).toBe(false);
  expect(checks[0]).toEqual({
    name: 'configuration',
    state: 'failed',
    message: expect.stringMatching(
      /^Missing or wrong: (MERCHANT_ID, OFFERS|OFFERS, MERCHANT_ID)\. OFFERS: not JSON\.$/,
    ) as string,
    action: 'Set these bindings. docs/deploy.md describes each of them.',
  });
  expect(checks.slice(1).every(({state}) => state === 'skipped')).toBe(true);
  expectProblem(
    await ask('/merchant/v1/doctor', {headers: {authorization: 'Bearer wrong'}, bindings: {MERCHANT_ID: 'x'}}),
    'unauthorized',
  );
  expectProblem(
    await ask('/merchant/v1/doctor', {
      headers: {authorization: 'Bearer short'},
      bindings: {MERCHANT_ID: 'x', MERCHANT_API_KEY: 'short'},
    }),
    'unauthorized',
  );
});

test.for<[what: string, bindings: Record<string, unknown>, message: string]>([
  [
    'an offer of a service that is not there',
    {OFFERS: {lamp: {kind: 'payment', service: 'SHOP', amount: '1.00', title: {tr: 'a', en: 'b'}}}},
    'Missing or wrong: SERVICES. OFFERS.lamp.service: SHOP is not in SERVICES.',
  ],
  [
    'an offer without a word',
    {OFFERS_2: {lamp: {kind: 'payment', service: 'DEMO', amount: '1.00', title: {tr: 'a'}}}},
    'Missing or wrong: OFFERS_2. OFFERS_2.lamp.title.en: Invalid input: expected string, received undefined.',
  ],
  [
    'a limit that is none',
    {LIMITS: '{"pin_attempts": "hush"}'},
    'Missing or wrong: LIMITS. LIMITS.pin_attempts: Invalid input: expected number, received string.',
  ],
  [
    'a key where a name belongs',
    {SERVICE_PRIVATE_KEYS: {hush: 'DEMO'}, SERVICES: {DEMO: {hush: 1}}},
    'Missing or wrong: SERVICES, SERVICE_PRIVATE_KEYS.',
  ],
])('of %s the doctor says where it stands, and no value', async ([, bindings, message]) => {
  const {checks} = await examine(bindings);
  expect(checks[0]).toEqual({
    name: 'configuration',
    state: 'failed',
    message,
    action: 'Set these bindings. docs/deploy.md describes each of them.',
  });
});
