/**
 * Tests cancellations and renewals that no call of the merchant caused, and the readings of the contract that decide
 * how the platform shows them.
 */

import {beforeEach, expect, test} from 'vitest';
import {advanceDays, listCycles, NUMBER, search, subscribe} from '../support/mobile-billing.ts';
import {control, read} from '../support/platform.ts';

beforeEach(async () => {
  await control('reset');
  await control('limits', {limits: null});
});

const searchAll = async () => (await search('subscriptions')).body['subscriptions'] as Record<string, unknown>[];

test('the control `cancel` ends a subscription once, records the source, and sends the subscriber an SMS', async () => {
  const id = await subscribe();
  await control(`subscriptions/${id}/cancel`, {source: 'operator'});
  expect(await searchAll()).toMatchObject([{id, status: 'cancelled', cancellationSource: 'operator'}]);
  const {messages} = await read<{messages: {message: string}[]}>(`sms?msisdn=${NUMBER}`);
  expect(messages.at(-1)?.message).toContain('iptal');
  expect((await control(`subscriptions/${id}/cancel`)).httpStatus).toBe(422);
  expect((await control('subscriptions/999999/cancel')).httpStatus).toBe(422);
});

test.each([
  ['new', 'a new id'],
  ['same', 'the same id'],
])('with the reading `renewal_id: %s`, the control `renew` begins and charges a cycle with %s', async (renewal_id) => {
  await control('readings', {renewal_id});
  const id = await subscribe();
  const [before] = await listCycles();
  await advanceDays(1);
  const {body} = await control(`subscriptions/${id}/renew`);
  const cycles = await listCycles();
  expect(cycles.map(({subscription_id}) => subscription_id)).toEqual(
    renewal_id === 'same' ? [id] : [id, expect.any(Number)],
  );
  expect(cycles.at(-1)).toMatchObject({subscription_id: body['subscription_id'], status: 'active'});
  expect((cycles.at(-1)?.renews_at ?? '') > (before?.renews_at ?? '')).toBe(true);
  expect(cycles.flatMap(({charges}) => charges)).toHaveLength(2);
  await advanceDays(7);
  expect((await listCycles()).flatMap(({charges}) => charges)).toHaveLength(3);
});

test('the control `renew` refuses the id of an earlier cycle and an unknown id', async () => {
  const id = await subscribe();
  await control(`subscriptions/${id}/renew`);
  expect((await control(`subscriptions/${id}/renew`)).httpStatus).toBe(422);
  expect((await control('subscriptions/999999/renew')).httpStatus).toBe(422);
});

test('with the reading `subscription_listed: later`, a search finds a subscription only after a minute', async () => {
  await control('readings', {subscription_listed: 'later'});
  const id = await subscribe();
  expect(await searchAll()).toEqual([]);
  await control('clock', {advance_seconds: 61});
  expect(await searchAll()).toMatchObject([{id}]);
});
