/** What time does to a subscription (observed: a new id is given for every cycle). */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {ask, cycles, NUMBER, subscribe, wait} from '../support/mobile-billing.ts';
import {control, read} from '../support/platform.ts';

beforeEach(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: Date.parse('2026-01-31T10:00:00+03:00')});
  await control('reset');
  await control('limits', {limits: null});
});

afterEach(() => {
  vi.useRealTimers();
});

async function texts(msisdn = NUMBER): Promise<{message: string; at: string}[]> {
  return (await read<{messages: {message: string; at: string}[]}>(`sms?msisdn=${msisdn}`)).messages;
}

test('a weekly subscription is charged at once and again every seven days, each cycle with its own id', async () => {
  const id = await subscribe();
  await wait(15);
  const all = await cycles();
  expect(all[0]?.subscription_id).toBe(id);
  expect(new Set(all.map(({subscription_id}) => subscription_id)).size).toBe(3);
  expect(all.map(({subscribed_at, renews_at}) => [subscribed_at, renews_at])).toEqual([
    ['2026-01-31 10:00:00', '2026-02-07 10:00:00'],
    ['2026-02-07 10:00:00', '2026-02-14 10:00:00'],
    ['2026-02-14 10:00:00', '2026-02-21 10:00:00'],
  ]);
  for (const {subscribed_at, charges} of all) {
    expect(charges).toEqual([{charge_id: expect.any(Number), status: 3, amount: '12.00', at: subscribed_at}]);
  }
  expect(await texts()).toEqual([
    {message: 'Kulüp üyeliği başladı. Ücreti: 12.00 TL / hafta.', at: '2026-01-31 10:00:00'},
    {message: 'Kulüp üyeliği yenilendi: 12.00 TL faturanıza eklendi.', at: '2026-02-07 10:00:00'},
    {message: 'Kulüp üyeliği yenilendi: 12.00 TL faturanıza eklendi.', at: '2026-02-14 10:00:00'},
  ]);
});

test('a second before its time nothing is renewed', async () => {
  await subscribe();
  await control('clock', {advance_seconds: 7 * 24 * 3600 - 1});
  expect(await cycles()).toHaveLength(1);
  await control('clock', {advance_seconds: 1});
  expect(await cycles()).toHaveLength(2);
});

test('a trial costs nothing until it ends, then comes every month', async () => {
  await subscribe({product: 78});
  expect(await cycles()).toMatchObject([{renews_at: '2026-02-07 10:00:00', charges: []}]);
  await wait(7 + 60);
  expect((await cycles()).map(({subscribed_at, charges}) => [subscribed_at, charges.length])).toEqual([
    ['2026-01-31 10:00:00', 0],
    ['2026-02-07 10:00:00', 1],
    ['2026-03-07 10:00:00', 1],
    ['2026-04-07 10:00:00', 1],
  ]);
  expect((await texts())[0]?.message).toBe('Denemeli üyelik 7 gün ücretsiz başladı. Sonra: 29.90 TL / ay.');
});

test('a month that began on the 31st ends on the last day of a shorter one', async () => {
  vi.setSystemTime(Date.parse('2026-01-24T10:00:00+03:00'));
  await subscribe({product: 78});
  await wait(8);
  expect(await cycles()).toMatchObject([{}, {subscribed_at: '2026-01-31 10:00:00', renews_at: '2026-02-28 10:00:00'}]);
});

describe('the ids of earlier cycles', () => {
  test('still name the subscription: cancelling any of them ends it', async () => {
    const id = await subscribe();
    await wait(8);
    expect((await ask(`/subscription/cancel/123/1/${id}`)).body['subscription']).toMatchObject({
      id,
      status: 'cancelled',
    });
    expect((await cycles()).map(({status}) => status)).toEqual(['cancelled', 'cancelled']);
    await wait(30);
    expect(await cycles()).toHaveLength(2);
  });

  test('and so does the newest', async () => {
    const id = await subscribe();
    await wait(8);
    const newest = (await cycles()).at(-1)?.subscription_id;
    await ask(`/subscription/cancel/123/1/${newest}`);
    expect(await ask(`/subscription/cancel/123/1/${id}`)).toMatchObject({httpStatus: 409});
  });
});

describe('a charge that fails', () => {
  test('is tried again on the next two days, then the subscription is suspended', async () => {
    await subscribe({msisdn: '5550002004'});
    expect(await cycles()).toMatchObject([{status: 'retry'}]);
    await wait(1);
    expect(await cycles()).toMatchObject([{status: 'retry'}]);
    await wait(1);
    const [cycle] = await cycles();
    expect(cycle).toMatchObject({status: 'suspend', charges: [{status: 4}, {status: 4}, {status: 4}]});
    expect((await texts('5550002004')).at(-1)?.message).toBe('Kulüp üyeliği ücreti alınamadığı için durduruldu.');
    await wait(365);
    expect((await cycles())[0]?.charges).toHaveLength(3);
  });

  test('goes on once somebody lets it', async () => {
    const id = await subscribe();
    await control(`subscriptions/${id}/status`, {status: 'suspend'});
    await wait(8);
    expect(await cycles()).toHaveLength(1);
    await control(`subscriptions/${id}/status`, {status: 'active'});
    expect(await cycles()).toHaveLength(2);
  });
});

test('ten years pass at once', async () => {
  await subscribe();
  await wait(3650);
  const startedMs = performance.now();
  await ask('/subscription/detail/123/1/7');
  expect(performance.now() - startedMs).toBeLessThan(5000);
  expect(await cycles()).toHaveLength(522);
});
