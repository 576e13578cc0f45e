/** Sweeps find every payment within two sweeps, however the platform reads what the contract leaves open about searches. */

import {expect, test} from 'vitest';
import {addTransactions, SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, platformTime, SECOND} from '../../support/clock.ts';
import {runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder} from '../../support/page.ts';
import {calls, control, pay} from '../../support/sandbox.ts';

freshWorker();

const READINGS = [
  {},
  {end_date: 'inclusive'},
  {missing_end_date: 'one_day'},
  {search_days: 'one'},
  {search_days: 'one', end_date: 'inclusive'},
  {search_length: '100'},
  {search_days: 'one', end_date: 'inclusive', search_length: '100'},
] as const;

/** Days from today on which a bank may book a transfer that it reports now. */
const BOOKED_ON = [-3, -2, -1, 0, 1];

const dayFromNow = (days: number) => `${platformTime(Date.now() + days * DAY).slice(0, 10)} 00:00:00`;

/** How many times a sweep learnt that the platform refuses searches over several days. */
const refused = () => logLines('search_days_refused').length;

async function sweepAfter(ms: number): Promise<void> {
  await advance(ms);
  await runSweep();
}

test.each(READINGS)(
  'under the reading %j, a payment of each of the last days is seen within two sweeps',
  async (reading) => {
    await control('readings', reading);
    const orders = [];
    for (const days of BOOKED_ON) orders.push({days, ...(await openOrder())});
    for (let count = 0; count < 3; count += 1) await sweepAfter(DAY - 60 * SECOND);
    for (const {code, days} of orders) await pay({order_code: code, at: dayFromNow(days)});
    for (let count = 0; count < 2; count += 1) await sweepAfter(3 * SECOND);
    expect(await Promise.all(orders.map(async ({days, token}) => [days, await stateOf(token)]))).toEqual(
      BOOKED_ON.map((days) => [days, 'paid']),
    );
  },
);

test.each(READINGS)(
  'under the reading %j, a payment is seen within two sweeps although the list is long',
  async (reading) => {
    await control('readings', reading);
    const {token, code} = await openOrder();
    await addTransactions(130);
    for (let count = 0; count < 4; count += 1) await sweepAfter(3 * SECOND);
    await addTransactions(60);
    await pay({order_code: code});
    await addTransactions(60);
    for (let count = 0; count < 2; count += 1) await sweepAfter(3 * SECOND);
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

test('a refused kind of search is tried again only after a day', async () => {
  await control('readings', {search_days: 'one', search_length: '100'});
  const {token} = await openOrder();
  await addTransactions(130);
  for (let count = 0; count < 3; count += 1) await sweepAfter(3 * SECOND);
  expect(refused()).toBe(1);
  await sweepAfter(DAY + SECOND);
  expect(refused()).toBe(2);
  await control('readings', {search_days: 'any'});
  await sweepAfter(DAY + SECOND);
  expect(refused()).toBe(2);
  expect(await stateOf(token)).toBe('waiting');
});
