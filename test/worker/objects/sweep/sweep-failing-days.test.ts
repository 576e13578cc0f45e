/** Sweeps if the platform fails in searches of certain days, or counts only the rows of a page. */

import {expect, inject, test, vi} from 'vitest';
import {READINGS} from '../../../../sandbox/records/readings.ts';
import {addTransactions, SEARCH, searches, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {breakOrder, mendOrder, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder} from '../../support/page.ts';
import {control, pay} from '../../support/sandbox.ts';

freshWorker();

const day = (daysFromNow = 0) => platformTime(Date.now() + daysFromNow * DAY).slice(0, 10);

async function sweepAfter(ms: number, count = 1): Promise<void> {
  for (let sweep = 0; sweep < count; sweep += 1) {
    await advance(ms);
    await runSweep();
  }
}

/** Moves the clock on by this many days, then runs sweeps until each far day was searched. */
async function advanceDays(count: number): Promise<void> {
  await sweepAfter(DAY, count);
  await sweepAfter(3 * SECOND, 12);
}

/** `npm run bench -- sweep` runs every row of a table; `npm test` runs the rows with these indexes. */
const sample = <T>(rows: readonly T[], ...indexes: readonly number[]) =>
  inject('scale') < 1 ? rows.filter((_, index) => indexes.includes(index)) : [...rows];

const refusal = (status: string) => () => Response.json({status, message: 'no'});

const FAILURES: [name: string, answer: () => Response][] = [
  ['500', refusal('500')],
  ['ERR_010', refusal('ERR_010')],
  ['ERR_039', refusal('ERR_039')],
  ['404', refusal('404')],
  ['HTML', () => new Response('<html>', {status: 500})],
];

/** Lets the searches fail that begin on this day, at the row `from` or a later row. */
function failDay(failing: string, answer = refusal('500'), from = 0) {
  const found = {count: 0};
  const realFetch = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const body = new URLSearchParams(String(init?.body));
    const isFailing =
      String(input).endsWith(SEARCH) &&
      body.get('Transaction[startDate]') === failing &&
      Number(body.get('start')) >= from;
    if (!isFailing) return realFetch(input, init);
    found.count += 1;
    return Promise.resolve(answer());
  });
  return found;
}

// The sample is a refusal of the search and an internal error.
test.each(sample(READINGS.future_day, 1, 2))(
  'if a search of a future day gets “%s”, money of today and each near day is seen within two sweeps',
  async (future_day) => {
    await control('readings', {search_days: 'one', future_day});
    const orders = [await openOrder(), await openOrder(), await openOrder(), await openOrder()];
    await sweepAfter(DAY - MINUTE, 3);
    await sweepAfter(3 * SECOND, 4);
    for (const [index, {code}] of orders.entries()) await pay({order_code: code, at: `${day(-index)} 00:00:00`});
    await sweepAfter(3 * SECOND, 2);
    for (const {token} of orders) expect(await stateOf(token)).toBe('paid');
    expect(logLines('sweep_failed')).toEqual([]);
  },
);

// The sample is a refusal with an error code and an answer that is not JSON.
test.each(sample(FAILURES, 2, 4))(
  'if searches of one day get %s, money of another day is seen within two sweeps, and money of that day later',
  async (_name, answer) => {
    await control('readings', {search_days: 'one'});
    const [failing, other] = [await openOrder(), await openOrder()];
    await sweepAfter(DAY - MINUTE, 3);
    const failed = failDay(day(-2), answer);
    await sweepAfter(3 * SECOND, 4);
    await pay({order_code: failing.code, at: `${day(-2)} 10:00:00`});
    await pay({order_code: other.code, at: `${day(-1)} 10:00:00`});
    await sweepAfter(3 * SECOND, 2);
    expect(await stateOf(other.token)).toBe('paid');
    expect(logLines('sweep_failed')).toEqual([]);
    expect(logLines('sweep_day_failed')).toMatchObject([{level: 'warn', service: 'DEMO', retry_in_ms: MINUTE}]);
    // The delays grow to an hour, so sweeps rarely search this day.
    failed.count = 0;
    await sweepAfter(5 * MINUTE, 2 * 12);
    expect(failed.count).toBeLessThan(24);
    vi.restoreAllMocks();
    await sweepAfter(HOUR, 2);
    expect(await stateOf(failing.token)).toBe('paid');
  },
);

test('if only today cannot be read, money of yesterday is seen, and the sweep fails', async () => {
  await control('readings', {search_days: 'one'});
  const {code, token} = await openOrder();
  await sweepAfter(DAY - MINUTE, 3);
  failDay(day(), refusal('ERR_039'));
  await pay({order_code: code, at: `${day(-1)} 10:00:00`});
  await sweepAfter(15 * SECOND, 5);
  expect(await stateOf(token)).toBe('paid');
  expect(logLines('sweep_failed')).toHaveLength(5);
});

test('after searches of all days have failed, money of yesterday is seen within two sweeps', async () => {
  await control('readings', {search_days: 'one'});
  const {code, token} = await openOrder();
  await sweepAfter(DAY - MINUTE, 3);
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(refusal('ERR_039')()));
  await sweepAfter(15 * SECOND, 20);
  vi.restoreAllMocks();
  await pay({order_code: code, at: `${day(-1)} 10:00:00`});
  await sweepAfter(15 * SECOND, 2);
  expect(await stateOf(token)).toBe('paid');
});

test('if a page of one long day cannot be read, the pages of other long days are read', async () => {
  await control('readings', {search_days: 'one'});
  const {code, token} = await openOrder();
  await sweepAfter(DAY - MINUTE, 3);
  failDay(day(), refusal('ERR_039'), 100);
  await addTransactions(110, `${day()} 00:00:00`);
  await sweepAfter(MINUTE, 2);
  await pay({order_code: code, at: `${day(-1)} 10:00:00`});
  await addTransactions(110, `${day(-1)} 11:00:00`);
  await sweepAfter(MINUTE, 3);
  expect(await stateOf(token)).toBe('paid');
});

const ORDERS_AND_LENGTHS = READINGS.search_order.flatMap((order) =>
  READINGS.search_length.map((length) => [order, length] as const),
);

// The sample is: newest rows first on pages of any length, and oldest rows first on pages of a hundred rows.
test.each(sample(ORDERS_AND_LENGTHS, 0, 3))(
  'if the platform counts only the rows of a page (%s, length %s), money after the first hundred rows is seen',
  async (search_order, search_length) => {
    await control('readings', {search_days: 'one', records_filtered: 'page', search_order, search_length});
    const [early, middle, late] = [await openOrder(), await openOrder(), await openOrder()];
    await pay({order_code: early.code, at: `${day()} 00:00:00`});
    await addTransactions(110, `${day()} 00:00:00`);
    await pay({order_code: middle.code, at: `${day()} 00:00:00`});
    await addTransactions(110, `${day()} 00:00:00`);
    await sweepAfter(3 * SECOND, 2);
    for (const {token} of [early, middle]) expect(await stateOf(token)).toBe('paid');
    // The first pass is repeated, because the number of rows was still unknown when it began.
    await sweepAfter(3 * SECOND, 6);
    await pay({order_code: late.code, at: `${day()} 00:00:00`});
    await addTransactions(30, `${day()} 00:00:00`);
    await sweepAfter(3 * SECOND, 2);
    expect(await stateOf(late.token)).toBe('paid');
    await sweepAfter(3 * SECOND);
    // The searches are for today, for the end of today's list, and for two other days.
    expect(await searches()).toBeLessThanOrEqual(4);
  },
);

test('if the platform counts only the rows of a page, a long far day is read to its end', async () => {
  await control('readings', {search_days: 'one', records_filtered: 'page', search_length: '100'});
  const {token, code} = await openOrder();
  await advanceDays(6);
  await pay({order_code: code, at: `${day(-7)} 10:00:00`});
  await addTransactions(210, `${day(-7)} 11:00:00`);
  await advance(HOUR);
  await sweepAfter(3 * SECOND, 15);
  expect(await stateOf(token)).toBe('paid');
});

test('an order that cannot be reached for days causes no additional searches, and gets its money later', async () => {
  await control('readings', {search_days: 'one'});
  const broken = await openOrder();
  await sweepAfter(DAY - MINUTE, 3);
  await sweepAfter(3 * SECOND, 10);
  await breakOrder(broken.order);
  await pay({order_code: broken.code});
  await sweepAfter(3 * SECOND, 4);
  // The first attempt, and two more after 3 s and 6 s.
  expect(logLines('delivery_failed')).toHaveLength(3);
  const searchesOfNext = () => searches(() => sweepAfter(5 * MINUTE));
  // Today, a part of the near days, and one far day.
  expect(await searchesOfNext()).toBe(4);
  await advanceDays(5);
  expect(await searchesOfNext()).toBe(3);
  const other = await openOrder();
  await pay({order_code: other.code, at: `${day(-1)} 10:00:00`});
  await sweepAfter(3 * SECOND, 2);
  expect(await stateOf(other.token)).toBe('paid');
  await mendOrder(broken.order);
  await sweepAfter(HOUR);
  const terms = {service: 'DEMO', order: broken.order, amount: 14990, hours: 72};
  expect(await orderObject(broken.order).payment(terms)).toMatchObject({paid: '149.90', transactions: [{}]});
});
