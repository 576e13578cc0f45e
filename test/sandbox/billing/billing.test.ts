/**
 * Renewals and charges of a subscription over time. As observed on deployed platforms (`docs/spec/observed.md`), every
 * cycle has a new id.
 */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {getBilling, listCycles, NUMBER, subscribe, advanceDays} from '../support/mobile-billing.ts';
import {control, read} from '../support/platform.ts';

beforeEach(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: Date.parse('2026-01-31T10:00:00+03:00')});
  await control('reset');
  await control('limits', {limits: null});
});

afterEach(() => {
  vi.useRealTimers();
});

async function readMessages(msisdn = NUMBER): Promise<{message: string; at: string}[]> {
  return (await read<{messages: {message: string; at: string}[]}>(`sms?msisdn=${msisdn}`)).messages;
}

test('a weekly subscription is charged at its start and every seven days; each cycle has its own id', async () => {
  const id = await subscribe();
  await advanceDays(15);
  const cycles = await listCycles();
  expect(cycles[0]?.subscription_id).toBe(id);
  expect(new Set(cycles.map(({subscription_id}) => subscription_id)).size).toBe(3);
  expect(cycles.map(({subscribed_at, renews_at}) => [subscribed_at, renews_at])).toEqual([
    ['2026-01-31 10:00:00', '2026-02-07 10:00:00'],
    ['2026-02-07 10:00:00', '2026-02-14 10:00:00'],
    ['2026-02-14 10:00:00', '2026-02-21 10:00:00'],
  ]);
  for (const {subscribed_at, charges} of cycles) {
    expect(charges).toEqual([{charge_id: expect.any(Number), status: 3, amount: '12.00', at: subscribed_at}]);
  }
  expect(await readMessages()).toEqual([
    {message: 'Kulüp üyeliği başladı. Ücreti: 12,00 TL / hafta.', at: '2026-01-31 10:00:00'},
    {message: 'Kulüp üyeliği yenilendi: 12,00 TL faturanıza eklendi.', at: '2026-02-07 10:00:00'},
    {message: 'Kulüp üyeliği yenilendi: 12,00 TL faturanıza eklendi.', at: '2026-02-14 10:00:00'},
  ]);
});

test('a subscription renews exactly when it is due, not a second earlier', async () => {
  await subscribe();
  await control('clock', {advance_seconds: 7 * 24 * 3600 - 1});
  expect(await listCycles()).toHaveLength(1);
  await control('clock', {advance_seconds: 1});
  expect(await listCycles()).toHaveLength(2);
});

test('a subscription with a trial is free until the trial ends, then it is charged every month', async () => {
  await subscribe({product: 78});
  expect(await listCycles()).toMatchObject([{renews_at: '2026-02-07 10:00:00', charges: []}]);
  await advanceDays(7 + 60);
  expect((await listCycles()).map(({subscribed_at, charges}) => [subscribed_at, charges.length])).toEqual([
    ['2026-01-31 10:00:00', 0],
    ['2026-02-07 10:00:00', 1],
    ['2026-03-07 10:00:00', 1],
    ['2026-04-07 10:00:00', 1],
  ]);
  expect((await readMessages())[0]?.message).toBe('Denemeli üyelik 7 gün ücretsiz başladı. Sonra: 29,90 TL / ay.');
});

test('a monthly cycle that began on the 31st ends on the last day of a shorter month', async () => {
  vi.setSystemTime(Date.parse('2026-01-24T10:00:00+03:00'));
  await subscribe({product: 78});
  await advanceDays(8);
  expect(await listCycles()).toMatchObject([
    {},
    {subscribed_at: '2026-01-31 10:00:00', renews_at: '2026-02-28 10:00:00'},
  ]);
});

describe('the ids of earlier cycles', () => {
  test('a cancellation with the id of an earlier cycle ends the subscription', async () => {
    const id = await subscribe();
    await advanceDays(8);
    expect((await getBilling(`/subscription/cancel/123/1/${id}`)).body['subscription']).toMatchObject({
      id,
      status: 'cancelled',
    });
    expect((await listCycles()).map(({status}) => status)).toEqual(['cancelled', 'cancelled']);
    await advanceDays(30);
    expect(await listCycles()).toHaveLength(2);
  });

  test('a cancellation with the id of the newest cycle ends the subscription', async () => {
    const id = await subscribe();
    await advanceDays(8);
    const newest = (await listCycles()).at(-1)?.subscription_id;
    await getBilling(`/subscription/cancel/123/1/${newest}`);
    expect(await getBilling(`/subscription/cancel/123/1/${id}`)).toMatchObject({httpStatus: 409});
  });
});

describe('a failed charge', () => {
  test('a failed charge is tried again on each of the next two days; then the subscription is suspended', async () => {
    await subscribe({msisdn: '5550002004'});
    expect(await listCycles()).toMatchObject([{status: 'retry'}]);
    await advanceDays(1);
    expect(await listCycles()).toMatchObject([{status: 'retry'}]);
    await advanceDays(1);
    const [cycle] = await listCycles();
    expect(cycle).toMatchObject({status: 'suspend', charges: [{status: 4}, {status: 4}, {status: 4}]});
    expect((await readMessages('5550002004')).at(-1)?.message).toBe(
      'Kulüp üyeliği ücreti alınamadığı için durduruldu.',
    );
    await advanceDays(365);
    expect((await listCycles())[0]?.charges).toHaveLength(3);
  });

  test('a suspended subscription does not renew until the sandbox control sets the status to active', async () => {
    const id = await subscribe();
    await control(`subscriptions/${id}/status`, {status: 'suspend'});
    await advanceDays(8);
    expect(await listCycles()).toHaveLength(1);
    await control(`subscriptions/${id}/status`, {status: 'active'});
    expect(await listCycles()).toHaveLength(2);
  });
});

test('the sandbox processes the renewals of ten years in less than five seconds', async () => {
  await subscribe();
  await advanceDays(3650);
  const startedMs = performance.now();
  await getBilling('/subscription/detail/123/1/7');
  expect(performance.now() - startedMs).toBeLessThan(5000);
  expect(await listCycles()).toHaveLength(522);
});
