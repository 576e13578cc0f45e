/**
 * Tests that every payment is found within two sweeps, however the platform answers the questions that the contract
 * leaves open about searches.
 */

import {expect, inject, test, vi} from 'vitest';
import {addTransactions, SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {alarmIn, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder} from '../../support/page.ts';
import {calls, control, pay} from '../../support/sandbox.ts';
import {ALL_SEARCH_READINGS, searchReadings} from './all-pairs.ts';

freshWorker();

const COMBINATIONS = searchReadings(inject('scale'));

const readingsIn = (combinations: readonly Record<string, string>[]) =>
  new Set(combinations.flatMap(Object.entries).map(([name, reading]) => `${name} ${reading}`));

test('each value of each reading occurs in a combination', () => {
  expect(readingsIn(COMBINATIONS)).toEqual(readingsIn(ALL_SEARCH_READINGS));
});

const midnight = (daysFromNow = 0) => `${platformTime(Date.now() + daysFromNow * DAY).slice(0, 10)} 00:00:00`;

async function sweepAfter(ms: number): Promise<void> {
  await advance(ms);
  await runSweep();
}

/** Runs two sweeps, each at its time. If the platform refuses a search, there is one more. */
async function sweepTwice(): Promise<void> {
  const refused = logLines('sweep_limited').length;
  for (let count = 0; count < 2 + logLines('sweep_limited').length - refused; count += 1)
    await sweepAfter(Math.max(3 * SECOND, (await alarmIn(serviceObject())) ?? 0));
}

test.each(COMBINATIONS)(
  'with the readings %j, payments of today and each near day are seen within two sweeps',
  async (readings) => {
    await control('readings', readings);
    // A bank that reports a transfer now may book it on any of these days. But a platform that refuses a search that
    // ends after tomorrow shows no transaction of tomorrow.
    const showsTomorrow = readings['latest_end_date'] === 'any';
    const bookedOn = [-3, -2, -1, 0, ...(showsTomorrow ? [1] : [])];
    const orders = [];
    for (const days of bookedOn) orders.push({days, ...(await openOrder())});
    for (let count = 0; count < 3; count += 1) await sweepAfter(DAY - MINUTE);
    for (const {code, days} of orders) await pay({order_code: code, at: midnight(days)});
    await sweepTwice();
    expect(await Promise.all(orders.map(async ({days, token}) => [days, await stateOf(token)]))).toEqual(
      bookedOn.map((days) => [days, 'paid']),
    );
  },
);

test.each(COMBINATIONS)(
  'with the readings %j, a payment is seen within two sweeps among more than a hundred other new rows',
  async (readings) => {
    await control('readings', readings);
    const {token, code} = await openOrder();
    await addTransactions(5, midnight());
    await sweepTwice();
    await addTransactions(25, midnight());
    await pay({order_code: code, at: midnight()});
    await addTransactions(105, midnight());
    await sweepTwice();
    expect(await stateOf(token)).toBe('paid');
  },
);

test('every search of a sweep has an end date', async () => {
  await openOrder();
  await addTransactions(130);
  for (let count = 0; count < 3; count += 1) await sweepAfter(3 * SECOND);
  const ends = (await calls(SEARCH)).map(({params}) => params['Transaction[endDate]']);
  expect(ends.length).toBeGreaterThan(3);
  expect(ends.filter((end) => end === undefined)).toEqual([]);
});

test('while the platform refuses long pages, they are tried after growing delays', async () => {
  await control('readings', {search_length: '100'});
  await openOrder();
  await addTransactions(130);
  const counts = [];
  // A pass over the list is due every ten minutes. After the fifth refusal, long pages are not tried for sixteen
  // minutes.
  for (let sweep = 0; sweep < 7; sweep += 1) {
    await sweepAfter(10 * MINUTE + SECOND);
    counts.push((await calls(SEARCH)).filter(({params}) => params['length'] === '5000').length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 5, 6]);
});

test('if the platform refuses every day but today, today’s payment is seen', async () => {
  await control('readings', {search_days: 'one'});
  const {code, token} = await openOrder();
  await sweepAfter(3 * DAY);
  await pay({order_code: code});
  const realFetch = globalThis.fetch;
  const today = platformTime().slice(0, 10);
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input).endsWith(SEARCH) && !String(init?.body).includes(`startDate%5D=${today}`)
      ? Promise.resolve(Response.json({status: 'ERR_008', message: 'Bad Request'}))
      : realFetch(input, init),
  );
  await sweepAfter(3 * SECOND);
  expect(logLines('sweep_failed')).toEqual([]);
  expect(await stateOf(token)).toBe('paid');
});

test('money of an order is seen if the bank books it on the evening before the day of the order', async () => {
  await control('readings', {search_days: 'one'});
  await advance(11 * HOUR);
  const {code, token} = await openOrder();
  await sweepAfter(13 * HOUR);
  await pay({order_code: code, at: platformTime(Date.now() - 36 * HOUR).replace(/ .*/, ' 23:30:00')});
  await sweepTwice();
  expect(await stateOf(token)).toBe('paid');
});
