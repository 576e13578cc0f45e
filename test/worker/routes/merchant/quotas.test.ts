/** The platform's limits, as a merchant's server meets them. */

import {env} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/limits/quota-store.ts';
import {advance, SECOND, wireTime} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {control} from '../../support/sandbox.ts';
import {call, expectProblem, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const QUOTAS = JSON.stringify({get_charge: {day: 3, second: null}, search_charges: {second: 1}});
const bindings = {QUOTAS, QUOTA_SHARE: '0.67'};
const charge = {service: 'DEMO', id: '7'};
const quotaObject = () => contextOf(env).objects.quota();

beforeEach(() => replaceBindings(quotaObject(), bindings));

test('what the day has no more of is refused without a call, and says when to come back', async () => {
  for (let count = 0; count < 2; count += 1) expect((await call('getCharge', charge, {bindings})).status).toBe(404);
  const before = (await platformCalls()).length;
  const refused = await call('getCharge', charge, {bindings});
  expectProblem(refused, 'quota_exhausted');
  expect(Number(refused.headers.get('retry-after'))).toBe(QUOTA_WINDOW_MS / 1000);
  expect(await platformCalls()).toHaveLength(before);
  await advance(QUOTA_WINDOW_MS);
  expect((await call('getCharge', charge, {bindings})).status).toBe(404);
});

test('what is left of each limit is told', async () => {
  await call('getCharge', charge, {bindings});
  const {share, quotas, as_of} = await read('showQuotas', {}, {bindings});
  expect([share, as_of, quotas.length]).toEqual([0.67, wireTime(), 8]);
  expect(quotas.find(({name}) => name === 'get_charge')).toEqual({
    name: 'get_charge',
    per_day: 2,
    per_second: null,
    used: 1,
    left: 1,
    waiting: 0,
    resets_at: wireTime(Date.now() + QUOTA_WINDOW_MS),
    paused_until: null,
  });
  expect(quotas.find(({name}) => name === 'refund_charge')).toEqual({
    name: 'refund_charge',
    per_day: 13,
    per_second: 3.35,
    used: 0,
    left: 13,
    waiting: 0,
    resets_at: null,
    paused_until: null,
  });
});

test('reads wait for their turn in the second, and no longer than a moment', async () => {
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

test('the platform’s own refusal is honoured until it says', async () => {
  await control('limits', {limits: {'transaction/detail': {day: 0, second: null}}});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted', {
    platform: {status: 'API_ERR_1029', message: expect.any(String) as string},
  });
  await control('limits', {limits: null});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted');
  await advance(SECOND);
  expect((await call('getCharge', charge, {bindings})).status).toBe(404);
});

test('the doctor’s questions count too', async () => {
  await read('examine', {}, {bindings});
  const {quotas} = await read('showQuotas', {}, {bindings});
  expect(quotas.find(({name}) => name === 'search_subscriptions')).toMatchObject({used: 1});
});

test('a doctor that may not ask any more warns, and does not call the platform ill', async () => {
  const few = {QUOTAS: JSON.stringify({search_subscriptions: {day: 1}})};
  await replaceBindings(quotaObject(), few);
  await read('examine', {}, {bindings: few});
  const {healthy, checks} = await read('examine', {}, {bindings: few});
  expect(checks.filter(({state}) => state !== 'ok')).toEqual([
    {
      name: 'micropayment',
      state: 'warning',
      message: 'Not asked: the calls that the platform takes in a day are used up.',
      action: 'GET /merchant/v1/quotas says when there are more.',
    },
    {name: 'clock', state: 'skipped', message: 'The platform tells no time.', action: null},
  ]);
  expect(healthy).toBe(true);
});

test('a doctor that asks more than the platform takes warns as well', async () => {
  await control('limits', {limits: {'subscriptions/search': {day: 0, second: null}}});
  const {healthy, checks} = await read('examine', {});
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({
    state: 'warning',
    message: 'The platform takes no more such calls for now. (API_ERR_1029)',
  });
  expect(healthy).toBe(true);
  await control('limits', {limits: null});
});

test('a call whose outcome is not known counts, and so does its repetition', async () => {
  await control('faults', {operation: '/micropayment/transaction/detail', kind: 'empty'});
  expectProblem(await call('getCharge', charge, {bindings}), 'quota_exhausted');
  expect(await platformCalls()).toHaveLength(2);
});
