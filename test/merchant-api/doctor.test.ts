/** The doctor says in words what is wrong with a set-up, and no secret. */
import {expect, test} from 'vitest';
import type {CheckName} from '../../worker/contract/merchant/doctor.ts';
import {control, line, plan} from '../worker/kit/sandbox.ts';
import {ask, expectProblem, read} from './kit/server.ts';

const examine = (bindings?: Record<string, unknown>) => read('examine', {}, bindings && {bindings});
type Findings = Partial<Record<CheckName, [state: string, action: string | null]>>;

async function findings(bindings?: Record<string, unknown>): Promise<Findings> {
  const {checks, healthy} = await examine(bindings);
  expect(healthy).toBe(checks.every(({state}) => state !== 'failed'));
  expect(checks.map(({name}) => name)).toEqual(['configuration', 'egress', 'token', 'services', 'banks', 'landing', 'micropayment', 'clock']);
  for (const {message} of checks) expect(message).toMatch(/^[A-Z\d].*[.)]$/);
  return Object.fromEntries(checks.map(({name, state, action}) => [name, [state, action]]));
}

const refused = (action: string) => ['failed', expect.stringContaining(action) as string];

test('a set-up that is right', async () => {
  const {checks, healthy} = await examine();
  expect(healthy).toBe(true);
  for (const {name, state, action} of checks) expect([name, state, action]).toEqual([name, name === 'clock' ? expect.stringMatching(/ok|skipped|warning/) : 'ok', expect.toSatisfy(() => true)]);
});

test('a wrong key', async () => {
  expect(await findings({MERCHANT_KEY: 'sandbox-wrong-key'})).toMatchObject({token: refused('MERCHANT_IP'), services: ['skipped', null], banks: ['ok', null]});
});

test('a wrong address in the key looks the same, and the doctor says so', async () => {
  const {checks} = await examine({MERCHANT_IP: '198.51.100.9'});
  expect(checks.find(({name}) => name === 'token')).toEqual({
    name: 'token', state: 'failed', message: 'The platform refuses the key that is made of MERCHANT_ID, MERCHANT_IP and MERCHANT_KEY. (ERR_007)',
    action: 'Check the three. MERCHANT_IP is the address registered at the platform: another address in the key looks like a wrong key.',
  });
});

test('an address the platform does not know', async () => {
  await control('address', {allowed: false});
  const found = await findings();
  expect(Object.values(found).filter(([state, action]) => state === 'failed' && action?.includes('EGRESS')).length).toBeGreaterThanOrEqual(2);
  await control('address', {allowed: true});
});

test('a service the platform does not know', async () => {
  const OFFERS = {gold: {kind: 'payment', service: 'NONE', amount: '1.00', title: {tr: 'a', en: 'b'}}};
  const {checks} = await examine({SERVICES: {NONE: {micropaymentId: 99}}, SERVICE_PRIVATE_KEYS: undefined, OFFERS});
  expect(checks.find(({name}) => name === 'services')).toMatchObject({state: 'failed', message: 'The platform does not know the service NONE. (ERR_005)', action: 'Check its code in SERVICES.'});
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({state: 'failed', action: expect.stringContaining('micropaymentId') as string});
});

test('a wrong landing authorization', async () => {
  expect(await findings({LANDING_AUTHORIZATION: 'sandbox-wrong-authorization'})).toMatchObject({landing: refused('LANDING_AUTHORIZATION'), token: ['ok', null]});
});

test('interfaces that are not set up are no fault', async () => {
  expect(await findings({MICROPAYMENT_URL: undefined, LANDING_URL: undefined})).toMatchObject({configuration: ['ok', null], landing: ['skipped', null], micropayment: ['skipped', null]});
});

test('a service without a number is worth a word', async () => {
  expect(await findings({SERVICES: {DEMO: {}}})).toMatchObject({configuration: ['warning', expect.stringContaining('micropaymentId') as string]});
});

test('a platform that is down', async () => {
  await line('refused');
  const found = await findings();
  await line('open');
  expect(found).toMatchObject({token: refused('PHS_URL'), banks: refused('PHS_URL'), landing: refused('LANDING_URL'), micropayment: refused('MICROPAYMENT_URL'), services: ['skipped', null]});
});

test('something else at the platform’s address', async () => {
  await plan({operation: '/bank/getAll', kind: 'malformed', times: 3});
  expect(await findings()).toMatchObject({banks: refused('PHS_URL')});
});

test('a platform that redirects is not followed', async () => {
  await plan({operation: '/bank/getAll', kind: 'redirect', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'banks')?.message).toContain('never followed');
});

test('a configuration that cannot be read is told to whoever has the key, and to nobody else', async () => {
  const {checks, healthy} = await examine({MERCHANT_ID: 'x', OFFERS: '{'});
  expect(healthy).toBe(false);
  expect(checks[0]).toEqual({name: 'configuration', state: 'failed', message: expect.stringMatching(/^Missing or wrong: (MERCHANT_ID, OFFERS|OFFERS, MERCHANT_ID)\.$/) as string, action: 'Set these bindings; docs/deploy.md says what each must be.'});
  expect(checks.slice(1).every(({state}) => state === 'skipped')).toBe(true);
  expectProblem(await ask('/merchant/v1/doctor', {headers: {authorization: 'Bearer wrong'}, bindings: {MERCHANT_ID: 'x'}}), 'unauthorized');
  expectProblem(await ask('/merchant/v1/doctor', {headers: {authorization: 'Bearer short'}, bindings: {MERCHANT_ID: 'x', MERCHANT_API_KEY: 'short'}}), 'unauthorized');
});
