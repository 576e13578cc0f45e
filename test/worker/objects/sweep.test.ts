import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {failingInterval, leftAloneInterval, sweepInterval} from '../../../worker/objects/sweep-rhythm.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../kit/clock.ts';
import {freshHouse} from '../kit/fresh-house.ts';
import {logLines} from '../kit/log-lines.ts';
import {alarmIn, orderOf, sweep, theSweep} from '../kit/objects.ts';
import {openOrder, ORIGIN, showPayment} from '../kit/page.ts';
import {calls, callPlatform, callsDuring, countCalls, line, pay, plan} from '../kit/sandbox.ts';

freshHouse();

const SEARCH = '/transaction/search';
const searches = (task: () => Promise<unknown> = sweep) => callsDuring(SEARCH, task);

/** Many orders with their codes, past the limits of the routes; each has a page that looks. */
async function openOrders(count: number, from = 0): Promise<{token: string; code: string; order: string}[]> {
  const {objects, sessions} = contextOf(env);
  const orders: {token: string; code: string; order: string}[] = [];
  const open = async (index: number) => {
    const order = `S-${index}`;
    const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
    const made = await objects.order('DEMO', order).orderCode(terms, 'make');
    if (!('code' in made)) throw new Error(JSON.stringify(made));
    const token = await sessions.sign({kind: 'payment', origin: ORIGIN, terms, createUntil: Date.now() + MINUTE, readUntil: Date.now() + DAY});
    await objects.order('DEMO', order).payment(terms);
    orders.push({token, code: made.code, order});
  };
  await inBatches(count, (index) => open(from + index));
  return orders;
}

async function inBatches(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 50) {
    await Promise.all(Array.from({length: Math.min(50, count - start)}, (_, index) => task(start + index)));
  }
}

/** Other people's payments that bear on nothing here. */
const crowd = (count: number, at?: string) =>
  inBatches(count, (index) => pay({description: `kira ${index}`, amount: '1.00', bank: 'teb', ...(at !== undefined && {at})}));

const stateOf = async (token: string) => (await showPayment(token)).state;


const PAGES = Math.ceil(500 * inject('scale'));
const TRANSACTIONS = Math.ceil(5_000 * inject('scale'));

test(`${PAGES} pages and ${TRANSACTIONS} transactions: two searches a sweep at most, and every page learns within two`, {timeout: 600_000}, async () => {
  const orders = await openOrders(PAGES);
  await crowd(TRANSACTIONS - PAGES);
  expect(await searches()).toBe(2);
  await advance(3 * SECOND);
  expect(await searches()).toBe(1);
  await inBatches(PAGES, (index) => pay({order_code: orders[index]?.code ?? ''}));
  for (let count = 0; count < 2; count += 1) {
    await advance(3 * SECOND);
    expect(await searches()).toBeLessThanOrEqual(2);
  }
  const states = await Promise.all(orders.map(({order}) => orderOf(order).payment({service: 'DEMO', order, amount: 14990, hours: 72})));
  expect(states.filter(({state, transactions}) => state === 'paid' && transactions.length === 1)).toHaveLength(PAGES);
  expect(logLines('sweep').reduce((sum, one) => sum + Number(one['rows']), 0)).toBe(TRANSACTIONS);
});

test('what was searched is a day before the oldest order on, and what came lately', async () => {
  await openOrder();
  await crowd(101);
  await sweep();
  await crowd(101);
  await advance(3 * SECOND);
  await sweep();
  const yesterday = platformTime(Date.now() - DAY).slice(0, 10);
  const sent = (await calls(SEARCH)).map(({params}) => params);
  const first = {code: 'DEMO', start: '0', length: '100', 'Transaction[startDate]': yesterday};
  expect(sent).toEqual([
    first,
    {...first, length: '10000'},
    first,
    {...first, length: '10000', 'Transaction[transaction_date][con_operator]': '>=', 'Transaction[transaction_date][value]': platformTime(Date.now() - 2 * HOUR)},
  ]);
});

/** A service so busy that its list is longer than what is read first. */
async function busyService() {
  const shopper = await openOrder();
  await showPayment(shopper.token);
  await crowd(120, platformTime(Date.now() - 3 * HOUR));
  await sweep();
  return shopper;
}

test('a bank that books without a time of day is found within two sweeps', async () => {
  const {token, code} = await busyService();
  // A hundred newer ones hide it from what is read first.
  await pay({order_code: code, at: `${platformTime().slice(0, 10)} 00:00:00`});
  await crowd(110, `${platformTime().slice(0, 10)} 00:00:00`);
  for (let count = 0; count < 2; count += 1) {
    await advance(3 * SECOND);
    expect(await searches()).toBeLessThanOrEqual(2);
  }
  expect(await showPayment(token)).toMatchObject({state: 'paid', late: false});
});

test('money booked on the day before its order is found', async () => {
  const {token, code} = await busyService();
  await pay({order_code: code, at: platformTime(Date.now() - 20 * HOUR)});
  await crowd(110);
  for (let count = 0; count < 2; count += 1) {
    await advance(3 * SECOND);
    await sweep();
  }
  expect(await stateOf(token)).toBe('paid');
});

test('the same list again changes nothing', async () => {
  const {token, code} = await openOrder();
  await pay({order_code: code, amount: '50.00'});
  await sweep();
  const once = await showPayment(token);
  for (let count = 0; count < 3; count += 1) await sweep();
  expect(await showPayment(token)).toEqual(once);
  expect(logLines('sweep').map((one) => one['rows'])).toEqual([1, 0, 0, 0]);
});

test('money that comes while nobody watches is found when somebody does', async () => {
  const {token, code} = await openOrder();
  await sweep();
  await advance(HOUR);
  await pay({order_code: code});
  await advance(HOUR);
  expect(await alarmIn(theSweep())).toBeLessThanOrEqual(5 * MINUTE - 2 * HOUR);
  await showPayment(token);
  await sweep();
  expect(await stateOf(token)).toBe('paid');
});

test('a list over several days of an old and a new order is read for both', async () => {
  const old = await openOrder();
  await sweep();
  await advance(2 * DAY);
  const young = await openOrder();
  await pay({order_code: old.code, at: platformTime(Date.now() - 30 * HOUR)});
  await pay({order_code: young.code});
  await sweep();
  expect([await stateOf(old.token), await stateOf(young.token)]).toEqual(['paid', 'paid']);
});

test('an order cut off from the sweep has its money from the next one', async () => {
  const {token, order, code} = await busyService();
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('ALTER TABLE arrivals RENAME TO hidden'));
  await pay({order_code: code});
  await crowd(110);
  await advance(3 * SECOND);
  await sweep();
  expect(logLines('delivery_failed')).toMatchObject([{level: 'error', service: 'DEMO', order}]);
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('ALTER TABLE hidden RENAME TO arrivals'));
  await advance(3 * SECOND);
  await sweep();
  expect(await stateOf(token)).toBe('paid');
});

test('an order that is cut off while the whole list is read has its money from the next sweep', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('ALTER TABLE arrivals RENAME TO hidden'));
  await pay({order_code: code});
  await crowd(110);
  await sweep();
  expect(logLines('delivery_failed')).toHaveLength(1);
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('ALTER TABLE hidden RENAME TO arrivals'));
  await advance(3 * SECOND);
  await sweep();
  expect(await stateOf(token)).toBe('paid');
});

test('cut off in the middle of a sweep nothing is lost and nothing comes twice', async () => {
  const orders = await Promise.all(Array.from({length: 20}, openOrder));
  for (const {code} of orders) await pay({order_code: code, amount: '49.90'});
  await plan({operation: SEARCH, kind: 'delay', delay_ms: 300, times: 1});
  const cutOff = sweep().catch(() => undefined);
  await vi.waitFor(async () => expect(await countCalls(SEARCH)).toBe(1), {timeout: 10_000});
  await abortAllDurableObjects();
  await cutOff;
  for (const {token} of orders) await showPayment(token);
  await sweep();
  await evictDurableObject(theSweep());
  await sweep();
  for (const {token} of orders) expect(await showPayment(token)).toMatchObject({state: 'partial', paid: '49.90', transactions: [{}]});
});

test('money that was there before the order was ours is found', async () => {
  const {token} = await openOrder();
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order: 'S-1', amount: '149.90'});
  await pay({order_code: String(code)});
  await sweep();
  const [opened] = await openOrders(1, 1);
  const order = opened?.order ?? '';
  expect(opened?.code).toBe(code);
  await sweep();
  expect(await orderOf(order).payment({service: 'DEMO', order, amount: 14990, hours: 72})).toMatchObject({state: 'paid'});
  expect(await stateOf(token)).toBe('waiting');
});

/** As if what arrived had been read before the platform knew whose it was. */
const forgetMatches = () => runInDurableObject(theSweep(), (_object, {storage}) => storage.sql.exec(`UPDATE seen SET "order" = '', code = ''`));

test('money matched to its order only later is found by the next sweep', async () => {
  const {token, code, order} = await openOrder();
  const id = await pay({order_code: code});
  await sweep();
  await forgetMatches();
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('DELETE FROM arrivals'));
  expect(await stateOf(token)).toBe('waiting');
  await sweep();
  expect((await showPayment(token)).transactions).toMatchObject([{id}]);
});

test('on a long list money matched only later is found within ten minutes', async () => {
  const {token, code, order} = await openOrder();
  await pay({order_code: code, at: platformTime(Date.now() - 3 * HOUR)});
  await crowd(110);
  await sweep();
  await forgetMatches();
  await runInDurableObject(orderOf(order), (_object, {storage}) => storage.sql.exec('DELETE FROM arrivals'));
  await advance(10 * MINUTE - SECOND);
  await sweep();
  expect(await stateOf(token)).toBe('waiting');
  await advance(SECOND);
  await sweep();
  expect(await stateOf(token)).toBe('paid');
});

test('money that is read again because its match changed counts once', async () => {
  const {token, code} = await openOrder();
  await pay({order_code: code});
  await sweep();
  await forgetMatches();
  await sweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90', transactions: [{}]});
});

test('after a crash the next sweep is planned by whoever looks', async () => {
  const {token} = await openOrder();
  await sweep();
  await abortAllDurableObjects();
  await showPayment(token);
  expect(await alarmIn(theSweep())).toBeLessThanOrEqual(3 * SECOND);
});

test('a platform that fails is asked ever more slowly, and at once when it is well again', async () => {
  const {token, code} = await openOrder();
  await showPayment(token);
  await line('refused');
  const pauses: (number | null)[] = [];
  for (let count = 0; count < 4; count += 1) {
    await sweep();
    pauses.push(await alarmIn(theSweep()));
    await advance(pauses.at(-1) ?? 0);
    await showPayment(token);
  }
  expect(pauses).toEqual([6, 12, 15, 15].map((seconds) => seconds * SECOND));
  expect(logLines('sweep_failed')[0]).toEqual({level: 'warn', event: 'sweep_failed', service: 'DEMO', operation: 'transactionSearch', fault: 'connection', retry_in_ms: 6 * SECOND});
  await line('open');
  await pay({order_code: code});
  await advance(15 * SECOND);
  await sweep();
  expect(await stateOf(token)).toBe('paid');
  expect(await alarmIn(theSweep())).toBe(3 * SECOND);
});

test('a page is told when the platform was last asked, not when it was last tried', async () => {
  const {token} = await openOrder();
  await sweep();
  const {as_of: asOf} = await showPayment(token);
  await plan({operation: SEARCH, kind: 'status', status: 'ERR_002'});
  await advance(MINUTE);
  await sweep();
  expect((await showPayment(token)).as_of).toBe(asOf);
});

test('when every order has closed the platform is left in peace', async () => {
  await openOrder();
  await sweep();
  await advance(10 * DAY);
  expect(await searches()).toBe(0);
  expect(await alarmIn(theSweep())).toBeNull();
  await openOrder();
  expect(await alarmIn(theSweep())).toBe(0);
});

test('nobody looks: every five minutes while any order is open', async () => {
  await openOrder();
  await sweep();
  expect(await alarmIn(theSweep())).toBe(5 * MINUTE);
});

test('a page that reads every minute is not opened anew each time', async () => {
  const {token, order} = await openOrder();
  for (let minute = 0; minute < 12; minute += 1) {
    await showPayment(token);
    await evictDurableObject(orderOf(order));
    await sweep();
    await advance(MINUTE);
  }
  await showPayment(token);
  await sweep();
  expect(await alarmIn(theSweep())).toBe(15 * SECOND);
});

test('a page that was away for twenty minutes was opened anew', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  await advance(20 * MINUTE);
  await showPayment(token);
  await sweep();
  expect(await alarmIn(theSweep())).toBe(3 * SECOND);
});

test.for<[openedMsAgo: number | null, intervalMs: number]>([
  [null, 5 * MINUTE],
  [0, 3 * SECOND],
  [10 * MINUTE - 1, 3 * SECOND],
  [10 * MINUTE, 15 * SECOND],
  [HOUR - 1, 15 * SECOND],
  [HOUR, MINUTE],
  [7 * DAY, MINUTE],
])('a page opened %o ms ago has the platform asked every %o ms', ([ago, intervalMs]) => {
  expect(sweepInterval(ago === null ? null : 1e12 - ago, 1e12)).toBe(intervalMs);
});

test.for<[intervalMs: number, failures: number, slowedMs: number]>([
  [3_000, 0, 3_000], [3_000, 1, 6_000], [3_000, 2, 12_000], [3_000, 3, 15_000], [3_000, 60, 15_000], [3_000, 2_000, 15_000],
  [15_000, 1, 15_000], [60_000, 5, 60_000], [300_000, 5, 300_000],
])('every %o ms becomes, after %o failures, every %o ms', ([intervalMs, failures, slowedMs]) => {
  expect(failingInterval(intervalMs, failures)).toBe(slowedMs);
});

test.for<[intervalMs: number, retryAfterMs: number, slowedMs: number]>([
  [3_000, 1, 3_000], [3_000, 9_000, 9_000], [3_000, 300_000, 15_000], [300_000, 9_000, 300_000],
])('every %o ms becomes, left alone for %o ms, every %o ms', ([intervalMs, retryAfterMs, slowedMs]) => {
  expect(leftAloneInterval(intervalMs, retryAfterMs)).toBe(slowedMs);
});

test('money that an operator matches to another order changes hands', async () => {
  const [first, second] = [await openOrder(), await openOrder()];
  const id = await pay({order_code: second.code});
  // As if it had been the first order's when it was last read: the sandbox cannot match anew.
  await orderOf(first.order).receive([{id, amount: 14990, currency: 'TRY', bank: 'Garanti BBVA', at: Date.now(), state: 'unknown'}], Date.now());
  await runInDurableObject(theSweep(), (_object, {storage}) => storage.sql.exec('INSERT INTO seen VALUES (?, ?, ?, ?)', id, first.order, first.code, Date.now()));
  expect(await stateOf(first.token)).toBe('paid');
  await sweep();
  expect([await stateOf(first.token), await stateOf(second.token)]).toEqual(['waiting', 'paid']);
});

test('a list that cannot be read as a whole is read for what came lately', async () => {
  const {code, token} = await openOrder();
  await crowd(120);
  // The first rows are read, the whole list is not.
  await plan({operation: SEARCH, kind: 'malformed', times: 1, after: true});
  await sweep();
  await sweep();
  await pay({order_code: code});
  for (let count = 0; count < 3; count += 1) {
    await advance(3 * SECOND);
    await sweep();
  }
  expect(await stateOf(token)).toBe('paid');
});

test('a page that listens and reads every two minutes is not opened anew each time', async () => {
  const {order, token} = await openOrder();
  await showPayment(token);
  for (let minutes = 0; minutes < 14; minutes += 2) {
    await advance(2 * MINUTE);
    await theSweep().look({order, until: Date.now() + DAY, opened: false});
  }
  await sweep();
  expect(await alarmIn(theSweep())).toBe(15 * SECOND);
});

test('a sweep that slept keeps its pace', async () => {
  const {order} = await openOrder();
  await sweep();
  await advance(20 * MINUTE);
  await sweep();
  await evictDurableObject(theSweep());
  await theSweep().look({order, until: Date.now() + MINUTE, opened: false});
  expect(await alarmIn(theSweep())).toBe(3 * SECOND);
});
