/** Sweeps of a transaction list that is too long for the first search of a sweep. */

import {expect, test, vi} from 'vitest';
import {
  openBusyService,
  addTransactions,
  clearMatches,
  searchFarDays,
  SEARCH,
  searches,
  stateOf,
} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {deleteMoney, renewToken, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {calls, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

test('a sweep searches today, many more rows of today if all of the first were new, and a day before or after', async () => {
  await openBusyService();
  await addTransactions(101);
  await advance(3 * SECOND);
  const before = (await calls(SEARCH)).length;
  await runSweep();
  const first = {
    code: 'DEMO',
    start: '0',
    length: '100',
    'Transaction[startDate]': day(0),
    'Transaction[endDate]': day(-1),
  };
  const made = (await calls(SEARCH)).slice(before).map(({params}) => params);
  const isOfToday = (params: (typeof made)[number]) => params['Transaction[endDate]'] === day(-1);
  expect(made.filter(isOfToday)).toEqual([first, {...first, length: '5000'}]);
  // Which day it is depends on how many sweeps there were. Once an hour there are two.
  const others = made.filter((params) => !isOfToday(params));
  expect([1, 2]).toContain(others.length);
  for (const other of others) {
    const start = String(other['Transaction[startDate]']);
    const end = new Date(Date.parse(start) + DAY).toISOString().slice(0, 10);
    expect(other).toEqual({...first, 'Transaction[startDate]': start, 'Transaction[endDate]': end});
  }
});

test('a transfer that a bank books without a time of day is found within two sweeps', async () => {
  const {token, code} = await openBusyService();
  // More than a hundred newer transactions keep the transfer out of the first search.
  await pay({order_code: code, at: `${platformTime().slice(0, 10)} 00:00:00`});
  await addTransactions(110, `${platformTime().slice(0, 10)} 00:00:00`);
  for (let count = 0; count < 2; count += 1) {
    await advance(3 * SECOND);
    expect(await searches()).toBeLessThanOrEqual(3);
  }
  expect(await showPayment(token)).toMatchObject({state: 'paid', late: false});
});

test('on a long list, money that the platform matches late is found within ten minutes', async () => {
  const {token, code, order} = await openOrder();
  await pay({order_code: code, at: platformTime(Date.now() - 3 * HOUR)});
  await addTransactions(110);
  await runSweep();
  await clearMatches();
  await deleteMoney(order);
  await advance(10 * MINUTE - SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('waiting');
  await advance(SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});

test('while the whole list cannot be read, recent bookings are still found', async () => {
  const {code, token} = await openOrder();
  await addTransactions(120);
  // The first search succeeds, and the search for the whole list fails.
  await setFault({operation: SEARCH, kind: 'malformed', times: 1, after: true});
  await runSweep();
  await runSweep();
  await pay({order_code: code});
  for (let count = 0; count < 3; count += 1) {
    await advance(3 * SECOND);
    await runSweep();
  }
  expect(await stateOf(token)).toBe('paid');
});

/** The searches of today's list during a task, in order, each as text. */
async function searchesDuring(task: () => Promise<unknown>): Promise<string[]> {
  const before = (await calls(SEARCH)).length;
  await task();
  return (await calls(SEARCH))
    .slice(before)
    .filter(({params}) => params['Transaction[startDate]'] === day(0))
    .map(({params}) => {
      const since = 'Transaction[transaction_date][value]' in params ? ' recent' : '';
      return `${String(params['start'])}+${String(params['length'])}${since}`;
    });
}

const day = (daysAgo: number) => platformTime(Date.now() - daysAgo * DAY).slice(0, 10);

/** Makes the platform return at most `limit` rows per search. */
function capLists(limit: number) {
  const realFetch = globalThis.fetch;
  return vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const body = new URLSearchParams(String(init?.body));
    body.set('length', String(Math.min(Number(body.get('length')), limit)));
    return realFetch(input, String(input).endsWith(SEARCH) ? {...init, body} : init);
  });
}

test('a list that grows while a sweep reads it is not read again from its start', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  await addTransactions(1);
  await searchFarDays();
  const realFetch = globalThis.fetch;
  let grows = true;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    // The sweep has counted the list, and reads more of it.
    if (grows && String(input).endsWith(SEARCH) && String(init?.body).includes('length=5000')) {
      grows = false;
      await addTransactions(1);
    }
    return realFetch(input, init);
  });
  const sweeps: string[][] = [];
  for (let count = 0; count < 4; count += 1) {
    await addTransactions(150);
    await advance(3 * SECOND);
    sweeps.push(await searchesDuring(runSweep));
  }
  expect(grows).toBe(false);
  expect(sweeps).toEqual(Array.from(sweeps, () => ['0+100', '0+5000']));
});

test('a list too long for one search is read one page per sweep, and money on any page is found', async () => {
  const {token, code} = await openOrder();
  await showPayment(token);
  await addTransactions(1);
  await searchFarDays();
  await pay({order_code: code, at: `${day(0)} 00:00:00`});
  await addTransactions(260, `${day(0)} 00:00:00`);
  capLists(90);
  const sweeps: string[][] = [];
  for (let count = 0; count < 6; count += 1) {
    await advance(3 * SECOND);
    sweeps.push(await searchesDuring(runSweep));
  }
  expect(sweeps).toEqual([
    ['0+90', '0+90'],
    ['0+90', '90+90'],
    ['0+90', '0+90 recent'],
    ['0+90', '180+90'],
    ['0+90'],
    ['0+90'],
  ]);
  expect(await stateOf(token)).toBe('paid');
});

test('money that arrives during the first pass over a long list is found', async () => {
  const {token, code} = await openOrder();
  await showPayment(token);
  await searchFarDays();
  await addTransactions(260, `${day(0)} 00:00:00`);
  capLists(120);
  await runSweep();
  await pay({order_code: code, at: `${day(0)} 00:00:00`});
  await addTransactions(110, `${day(0)} 00:00:00`);
  for (let count = 0; count < 14 && (await stateOf(token)) !== 'paid'; count += 1) {
    await advance(3 * SECOND);
    expect(await searches()).toBeLessThanOrEqual(3);
  }
  expect(await stateOf(token)).toBe('paid');
});

test('after days without a sweep, all of those days are read within two sweeps', async () => {
  const {token, code} = await openOrder();
  await runSweep();
  await advance(6 * DAY);
  await renewToken();
  await pay({order_code: code, at: platformTime(Date.now() - 5 * DAY)});
  await runSweep();
  await advance(3 * SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});
