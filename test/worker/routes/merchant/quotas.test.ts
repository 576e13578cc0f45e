/** Tests through the merchant API that the Worker does not exceed the platform's limits. */

import {env} from 'cloudflare:workers';
import {beforeEach, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {Platform} from '../../../../worker/objects/platform/platform.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/platform/quota-store.ts';
import {advance, SECOND, wireTime} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {control} from '../../support/sandbox.ts';
import {call, expectProblem, newKey, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const QUOTAS = JSON.stringify({
  phs_calls: {minute: 200},
  get_charge: {day: 3, second: null},
  search_charges: {second: 1},
});
const bindings = {QUOTAS, QUOTA_SHARE: '0.67'};
const charge = {service: 'DEMO', id: '7'};
const quotaObject = () => contextOf(env).objects.platform();

beforeEach(() => replaceBindings(quotaObject(), bindings));

test('when the daily limit is used up, a read is refused without a call and with a retry delay', async () => {
  for (let count = 0; count < 2; count += 1) expect((await call('getCharge', charge, {bindings})).status).toBe(404);
  const before = (await platformCalls()).length;
  const refused = await call('getCharge', charge, {bindings});
  expectProblem(refused, 'quota_exhausted');
  expect(Number(refused.headers.get('retry-after'))).toBe(QUOTA_WINDOW_MS / 1000);
  expect(await platformCalls()).toHaveLength(before);
  await advance(QUOTA_WINDOW_MS);
  expect((await call('getCharge', charge, {bindings})).status).toBe(404);
});

test('API keys that are limited to services ask together for at most half of a day’s calls, and the root key for the rest', async () => {
  const limits = {reset_test_number: {day: 5, second: null}, get_charge: {day: 4, second: null}};
  const own = {
    bindings: {QUOTAS: JSON.stringify(limits), SERVICES: {DEMO: {micropaymentId: 1}, OTHER: {micropaymentId: 2}}},
  };
  await replaceBindings(quotaObject(), own.bindings);
  const shop = async (service: string) => {
    const {key} = await read('createKey', {name: service, scopes: ['read', 'money'], services: [service]}, own);
    return {...own, headers: {authorization: `Bearer ${key}`}};
  };
  const [first, second] = [await shop('DEMO'), await shop('OTHER')];
  const number = {service: 'DEMO', msisdn: '5551112233'};
  const key = newKey();
  for (let count = 0; count < 2; count += 1) await read('resetTestNumber', number, {...first, key});
  for (let count = 0; count < 2; count += 1) await read('resetTestNumber', number, first);
  const before = (await platformCalls()).length;
  const refused = await call('resetTestNumber', {...number, service: 'OTHER'}, second);
  expectProblem(refused, 'quota_exhausted');
  expect(Number(refused.headers.get('retry-after'))).toBe(QUOTA_WINDOW_MS / 1000);
  expect(await platformCalls()).toHaveLength(before);
  await read('resetTestNumber', number, own);
  // Every quota has its own half.
  for (const status of [404, 404, 429]) expect((await call('getCharge', charge, first)).status).toBe(status);
  expect((await call('getCharge', charge, own)).status).toBe(404);
  await advance(QUOTA_WINDOW_MS);
  await read('resetTestNumber', number, first);
});

test('while calls of limited keys cannot be counted, their reads and commands are refused and nothing is sent', async () => {
  const {key} = await read('createKey', {name: 'shop', scopes: ['read', 'money'], services: ['DEMO']}, {bindings});
  const own = {bindings, headers: {authorization: `Bearer ${key}`}};
  const down = vi.spyOn(Platform.prototype, 'admitLimited').mockImplementation(() => {
    throw new Error('Out of memory');
  });
  const before = (await platformCalls()).length;
  const refund = {...own, key: newKey()};
  expectProblem(await call('getCharge', charge, own), 'temporarily_unavailable');
  expectProblem(await call('refundCharge', charge, refund), 'temporarily_unavailable');
  expect(await platformCalls()).toHaveLength(before);
  down.mockRestore();
  expect((await call('refundCharge', charge, refund)).status).toBe(404);
});

test('the merchant API shows how many calls each limit still allows', async () => {
  await call('getCharge', charge, {bindings});
  const {share, items: quotas, phs_calls_per_minute, as_of} = await read('showQuotas', {}, {bindings});
  expect([share, phs_calls_per_minute, as_of, quotas.length]).toEqual([0.67, 134, wireTime(), 8]);
  expect(quotas.find(({name}) => name === 'get_charge')).toEqual({
    name: 'get_charge',
    per_day: 2,
    per_second: null,
    used: 1,
    left: 1,
    waiting: 0,
    resets_at: wireTime(Date.now() + QUOTA_WINDOW_MS),
    backoff_until: null,
  });
  expect(quotas.find(({name}) => name === 'refund_charge')).toEqual({
    name: 'refund_charge',
    per_day: 13,
    per_second: 3.35,
    used: 0,
    left: 13,
    waiting: 0,
    resets_at: null,
    backoff_until: null,
  });
});

test('reads that exceed the limit per second wait briefly, and are then refused', async () => {
  const answers = await Promise.all(
    Array.from({length: 8}, () => call('searchCharges', {service: 'DEMO'}, {bindings})),
  );
  const refused = answers.filter(({status}) => status !== 200);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
  for (const answer of refused) {
    expectProblem(answer, 'rate_limited');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
});

test('after the platform reports a used-up limit, the Worker makes no such calls until the delay is over', async () => {
  await control('limits', {limits: {'transaction/detail': {day: 0, second: null}}});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted', {
    platform: {status: 'API_ERR_1029', message: expect.any(String) as string},
  });
  await control('limits', {limits: null});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted');
  await advance(SECOND);
  expect((await call('getCharge', charge, {bindings})).status).toBe(404);
});

test('the doctor’s calls count towards the limits', async () => {
  await read('examine', {}, {bindings});
  const {items: quotas} = await read('showQuotas', {}, {bindings});
  expect(quotas.find(({name}) => name === 'search_subscriptions')).toMatchObject({used: 1});
});

test('when a limit is used up, the doctor reports a warning and not a failure', async () => {
  const oneADay = {QUOTAS: JSON.stringify({search_subscriptions: {day: 1}})};
  await replaceBindings(quotaObject(), oneADay);
  await read('examine', {}, {bindings: oneADay});
  const {healthy, checks} = await read('examine', {}, {bindings: oneADay});
  expect(checks.filter(({state}) => state !== 'ok')).toEqual([
    {
      name: 'micropayment',
      state: 'warning',
      message: 'Not checked: the calls that the platform allows per day are used up.',
      action: 'GET /merchant/v1/quotas says when more calls are available.',
    },
    {name: 'clock', state: 'skipped', message: 'The platform’s answers contain no time.', action: null},
  ]);
  expect(healthy).toBe(true);
});

test('when the platform refuses the doctor’s calls because of a limit, the doctor reports a warning', async () => {
  await control('limits', {limits: {'subscriptions/search': {day: 0, second: null}}});
  const {healthy, checks} = await read('examine', {});
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({
    state: 'warning',
    message: 'The platform accepts no more such calls for now. (API_ERR_1029)',
  });
  expect(healthy).toBe(true);
  await control('limits', {limits: null});
});

test('a call with an unknown outcome counts towards the limit, and its retry counts, too', async () => {
  await control('faults', {operation: '/micropayment/transaction/detail', kind: 'empty'});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted');
  expect(await platformCalls()).toHaveLength(2);
});
