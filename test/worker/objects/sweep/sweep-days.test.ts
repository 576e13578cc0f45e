/** The days that sweeps search: the pages of a day, the far days, midnight, and interruptions. */

import {abortAllDurableObjects, evictDurableObject} from 'cloudflare:test';
import {expect, test, vi} from 'vitest';
import {withLogScope} from '../../../../worker/lib/log-scope.ts';
import {addTransactions, openOrders, SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {callPlatform, calls, control, hold, pay, setFault, untilHeld} from '../../support/sandbox.ts';

freshWorker();

const day = (daysFromNow: number) => platformTime(Date.now() + daysFromNow * DAY).slice(0, 10);

async function sweepAfter(ms: number, count = 1): Promise<void> {
  for (let sweep = 0; sweep < count; sweep += 1) {
    await advance(ms);
    await runSweep();
  }
}

/** The searches of a task, each as the first day and the position of its first row. */
async function searchesDuring(task: () => Promise<unknown>): Promise<[day: string, start: number][]> {
  const before = (await calls(SEARCH)).length;
  await task();
  return (await calls(SEARCH))
    .slice(before)
    .map(({params}) => [String(params['Transaction[startDate]']), Number(params['start'])]);
}

/** The far days that this many sweeps searched. */
async function farDaysOf(sweeps: number): Promise<number[]> {
  const found = await searchesDuring(() => sweepAfter(3 * SECOND, sweeps));
  const days = found.map(([first]) => Math.round((Date.parse(first) - Date.parse(day(0))) / DAY));
  return days.filter((offset) => offset < -3 || offset > 1);
}

/** Moves the clock on by this many days, then runs sweeps until each far day was searched. */
async function advanceDays(count: number): Promise<void> {
  for (let days = 0; days < count; days += 1) await sweepAfter(DAY);
  await sweepAfter(3 * SECOND, 8);
}

test('a long list of yesterday is read page by page, from where the last sweep stopped, in spite of evictions', async () => {
  await control('readings', {search_days: 'one', search_length: '100'});
  const {token, code} = await openOrder();
  await sweepAfter(3 * SECOND, 2);
  const yesterday = `${day(-1)} 00:00:00`;
  await addTransactions(260, yesterday);
  await pay({order_code: code, at: yesterday});
  await addTransactions(260, yesterday);
  const ofYesterday: number[] = [];
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const found = await searchesDuring(() => sweepAfter(3 * SECOND));
    expect(found.length).toBeLessThanOrEqual(6);
    ofYesterday.push(...found.filter(([first]) => first === day(-1)).map(([, start]) => start));
    await evictDurableObject(serviceObject());
    await withLogScope({request_id: 'r'}, () => serviceObject().ages());
  }
  // Every second sweep searches yesterday, and reads the first page, the last page, and the next page in between. The
  // platform refuses the first long page.
  expect(ofYesterday).toEqual([0, 100, 100, 0, 421, 200, 0, 421, 300]);
  expect(await stateOf(token)).toBe('paid');
});

test('the reading of a long list of today continues after a crash in the middle', async () => {
  await control('readings', {search_days: 'one', search_length: '100', search_order: 'none'});
  const {token, code} = await openOrder();
  await sweepAfter(3 * SECOND, 2);
  await addTransactions(300, `${day(0)} 00:00:00`);
  await pay({order_code: code, at: `${day(0)} 00:00:00`});
  await addTransactions(300, `${day(0)} 00:00:00`);
  await sweepAfter(3 * SECOND);
  await hold(SEARCH);
  await advance(3 * SECOND);
  const interrupted = runSweep().catch(() => undefined);
  await untilHeld();
  await abortAllDurableObjects();
  await interrupted;
  // When the shopper's page reads its payment, the next sweep is planned. After a minute, a sweep reads the interrupted
  // part of the list again.
  await showPayment(token);
  await sweepAfter(MINUTE, 4);
  expect(await stateOf(token)).toBe('paid');
});

const FAR_DAYS = [-7, -6, -5, -4, 2, 3, 4, 5, 6, 7];
const sorted = (days: readonly number[]) => days.toSorted((a, b) => a - b);

test('once an hour, sweeps read the far days, at most one a sweep, and see money of those days', async () => {
  await control('readings', {search_days: 'one'});
  const [early, late] = [await openOrder(), await openOrder()];
  await advanceDays(6);
  await pay({order_code: early.code, at: `${day(-5)} 10:00:00`});
  await pay({order_code: late.code, at: `${day(5)} 00:00:00`});
  expect(await farDaysOf(3)).toEqual([]);
  await advance(HOUR);
  const found: number[] = [];
  for (let sweep = 0; sweep < 12; sweep += 1) {
    const days = await farDaysOf(1);
    expect(days.length).toBeLessThanOrEqual(1);
    found.push(...days);
  }
  expect(sorted(found)).toEqual(FAR_DAYS);
  expect(await stateOf(early.token)).toBe('paid');
  expect(await stateOf(late.token)).toBe('paid');
});

test('after a failed search of a far day, sweeps search no far day for a minute, and then the others and this one', async () => {
  await control('readings', {search_days: 'one'});
  await openOrder();
  await advanceDays(6);
  await advance(HOUR);
  const first = await farDaysOf(3);
  const realFetch = globalThis.fetch;
  let failed = '';
  const line = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const start = /startDate%5D=([\d-]+)/.exec(String(init?.body))?.[1] ?? '';
    if (start === '' || (start >= day(-3) && start <= day(1))) return realFetch(input, init);
    failed = start;
    return Promise.resolve(new Response('<html>'));
  });
  expect(await farDaysOf(1)).toEqual([]);
  line.mockRestore();
  expect(await farDaysOf(3)).toEqual([]);
  await advance(MINUTE);
  const rest = await farDaysOf(12);
  expect(sorted([...first, ...rest])).toEqual(FAR_DAYS);
  expect(rest).toContain(Math.round((Date.parse(failed) - Date.parse(day(0))) / DAY));
});

test('a long far day is read page by page', async () => {
  await control('readings', {search_days: 'one', search_length: '100'});
  const {token, code} = await openOrder();
  await advanceDays(6);
  await addTransactions(150, `${day(-7)} 11:00:00`);
  await pay({order_code: code, at: `${day(-7)} 10:00:00`});
  await addTransactions(250, `${day(-7)} 11:00:00`);
  await advance(HOUR);
  const found = await searchesDuring(() => sweepAfter(3 * SECOND, 14));
  const ofDay = found.filter(([first]) => first === day(-7)).map(([, start]) => start);
  expect(ofDay.slice(0, 9)).toEqual([0, 100, 100, 0, 301, 200, 0, 301, 300]);
  expect(await stateOf(token)).toBe('paid');
});

test('shortly after midnight, money that was booked just before or at midnight is seen within two sweeps', async () => {
  await control('readings', {search_days: 'one'});
  const [before, after] = [await openOrder(), await openOrder()];
  await addTransactions(110);
  await sweepAfter(12 * HOUR - MINUTE);
  await sweepAfter(3 * SECOND, 2);
  const lastSecond = `${day(0)} 23:59:59`;
  await advance(MINUTE);
  await pay({order_code: before.code, at: lastSecond});
  await pay({order_code: after.code, at: `${day(0)} 00:00:00`});
  await sweepAfter(3 * SECOND, 2);
  expect([await stateOf(before.token), await stateOf(after.token)]).toEqual(['paid', 'paid']);
});

test('money that was read before the Worker knew its order is read again, even after failed searches', async () => {
  await control('readings', {search_days: 'one'});
  await openOrder();
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order: 'S-1', amount: '149.90'});
  await pay({order_code: String(code), at: `${day(-1)} 10:00:00`});
  await addTransactions(120, `${day(-1)} 11:00:00`);
  await sweepAfter(3 * SECOND, 4);
  await openOrders(1, 1, 'gold');
  await setFault({operation: SEARCH, kind: 'status', status: 'ERR_010', times: 3});
  await sweepAfter(3 * SECOND);
  await setFault({operation: SEARCH, kind: 'clear'});
  await sweepAfter(15 * SECOND, 3);
  const terms = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
  expect((await orderObject('S-1').payment(terms)).state).toBe('paid');
});
