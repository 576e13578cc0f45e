/** What one payment and one quiet sweep cost. docs/benchmarks.md has the counts. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {NewPaymentSession, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {handle} from '../../../../worker/router.ts';
import {addTransactions} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, SECOND} from '../../support/clock.ts';
import {
  isNamespace,
  isStored,
  listAddressed,
  orderObject,
  renewToken,
  runSweep,
  sweepObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import {askAsPage, openOrder, read, showPayment, WORKER} from '../../support/page.ts';
import {calls, clearCalls, pay} from '../../support/sandbox.ts';
import {deliver, freshReceiver, receivedRequests} from '../../support/webhook-receiver.ts';
import {countStorage, type StorageCosts} from './storage-costs.ts';

freshWorker();
freshReceiver();

/** Calls of the platform that all payments of a merchant share. */
const SHARED_CALLS = new Set(['/phs/transaction/search', '/phs/getToken', '/phs/bank/getAll']);

/** What is written once for all payments of a while: tokens, the bank list, sums of metrics, and sweeps' progress. */
const SHARED_CLASSES = new Set(['Token', 'Banks', 'Metrics', 'sweeps']);

/** Runs every alarm of the addressed objects at its time, except those of the sweep, until none is left. */
async function runAllAlarms(): Promise<void> {
  for (let next = await nextAlarm(); next; next = await nextAlarm()) {
    await advance(Math.max(0, next.at - Date.now()));
    // Other payments of the merchant keep the token fresh.
    await renewToken();
    await runDurableObjectAlarm(next.stub);
  }
}

async function nextAlarm(): Promise<{at: number; stub: DurableObjectStub} | undefined> {
  const planned: {at: number; stub: DurableObjectStub}[] = [];
  for (const [name, namespace] of Object.entries(env)) {
    if (!isNamespace(namespace) || name === 'SWEEP') continue;
    for (const id of await listAddressed(namespace)) {
      const stub = namespace.get(id);
      const at = await runInDurableObject(stub, (_object, {storage}) => storage.getAlarm());
      if (at !== null) planned.push({at, stub});
    }
  }
  return planned.toSorted((a, b) => a.at - b.at)[0];
}

/** A shopper pays an order, and everything that follows runs until nothing is stored about the order. */
async function payOnce(address: string): Promise<void> {
  await renewToken();
  const headers = {'cf-connecting-ip': address};
  const session = await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers});
  const {token, order} = read(session, NewPaymentSession, 201);
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token, headers}), OrderCode);
  const socket = await openSocket(token);
  await socket.rest();
  await advance(3 * SECOND);
  await pay({order_code: code});
  await runSweep();
  expect((await socket.rest()).at(-1)).toMatchObject({state: 'paid'});
  const received = (await receivedRequests()).length;
  await deliver();
  expect(await receivedRequests()).toHaveLength(received + 1);
  socket.close();
  await runAllAlarms();
  // A later sweep deletes the order and the transaction, which have become too old.
  await advance(20 * DAY);
  await renewToken();
  await runSweep();
  expect(await isStored(orderObject(order))).toBe(false);
}

/** The sum of one number over the classes, without what all payments share. */
function ownSum({byClass}: StorageCosts, field: 'rowsWritten' | 'rowsRead' | 'calls' | 'alarmsRun'): number {
  return Object.entries(byClass)
    .filter(([name]) => !SHARED_CLASSES.has(name))
    .reduce((sum, [, cost]) => sum + cost[field], 0);
}

test('a payment writes at most 130 rows and calls the platform at most 12 times, until its order is erased', async () => {
  // The first payment creates the objects that all payments share.
  await payOnce('203.0.113.7');
  await clearCalls();
  const costs = await countStorage(() => payOnce('198.51.100.9'));
  const own = (await calls()).map(({path}) => path).filter((path) => !SHARED_CALLS.has(path));
  const details = JSON.stringify([costs.byClass, costs.writes, own], null, 1);
  expect(own.length, details).toBe(11);
  expect(ownSum(costs, 'rowsWritten'), details).toBeLessThanOrEqual(128);
  expect(ownSum(costs, 'rowsRead'), details).toBeLessThanOrEqual(250);
  expect(ownSum(costs, 'calls'), details).toBeLessThanOrEqual(42);
  expect(ownSum(costs, 'alarmsRun'), details).toBeLessThanOrEqual(20);
});

/** Runs a sweep that finds nothing new. @returns how many rows it read. */
async function readByQuietSweep(): Promise<number> {
  await advance(3 * SECOND);
  const {byClass, writes} = await countStorage(runSweep);
  expect(byClass['Sweep']?.rowsWritten, JSON.stringify(writes)).toBe(0);
  expect(byClass['sweeps']?.rowsWritten, JSON.stringify(writes)).toBeLessThanOrEqual(5);
  return byClass['Sweep']?.rowsRead ?? 0;
}

test('a quiet sweep writes at most five rows, however many transactions were seen', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  // Until the hourly pass over the other days has ended.
  for (let count = 0; count < 15; count += 1) {
    await runSweep();
    await advance(3 * SECOND);
  }
  const before = await readByQuietSweep();
  await addTransactions(40);
  await runSweep();
  // Each of the rows that the search returns is looked up once.
  expect((await readByQuietSweep()) - before).toBeLessThanOrEqual(2 * 40);
});

test('no statement of a sweep scans a table that grows', async () => {
  const {code} = await openOrder();
  await pay({order_code: code});
  await addTransactions(3);
  const {statements} = await countStorage(async () => {
    const shopper = await openOrder();
    await showPayment(shopper.token);
    await runSweep();
    await advance(HOUR);
    await renewToken();
    await runSweep();
  });
  const queries = [...(statements['Sweep'] ?? [])].filter((query) => /\b(?:seen|watched)\b/.test(query));
  expect(queries.length).toBeGreaterThanOrEqual(10);
  const plans = await runInDurableObject(sweepObject(), (_object, {storage}) =>
    queries.map((query) => {
      const bindings = Array.from(query.matchAll(/\?/g), () => 1);
      const rows = storage.sql.exec<{detail: string}>(`EXPLAIN QUERY PLAN ${query}`, ...bindings).toArray();
      return {query, plan: rows.map(({detail}) => detail).join('; ')};
    }),
  );
  expect(plans.filter(({plan}) => /\bSCAN\b/.test(plan))).toEqual([]);
});

test('a sweep deletes old transactions and reads no others for it', async () => {
  await openOrder();
  await addTransactions(5);
  await runSweep();
  await runInDurableObject(sweepObject(), (_object, {storage}) => {
    storage.sql.exec('UPDATE seen SET read_at = 0 WHERE rowid <= 2');
  });
  await advance(3 * SECOND);
  const {writes} = await countStorage(runSweep);
  expect(Object.entries(writes).filter(([line]) => line.includes('DELETE FROM seen'))).toMatchObject([[{}, 2]]);
});

const visit = () =>
  askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers: {'cf-connecting-ip': '192.0.2.44'}});

test('a page view with checkout.js writes no row and wakes no object, unlike one that opens a session', async () => {
  const ASSETS = {fetch: () => Promise.resolve(new Response('"__VEZNE_PAGE_DATA__"'))};
  // One environment, as in an isolate, which keeps the bank list in its memory.
  const bindings = {...env, ASSETS} as unknown as Env;
  const load = () => handle(new Request(`${WORKER}/checkout.js?offer=gold`), bindings);
  await load();
  const {byClass} = await countStorage(load);
  // Sums of metrics may be written at any time, by a call that began earlier and whose class is therefore unknown.
  expect(Object.keys(byClass).filter((name) => !['Metrics', 'unknown'].includes(name))).toEqual([]);
  const first = (await countStorage(visit)).byClass['Guard'];
  const next = (await countStorage(visit)).byClass['Guard'];
  expect([first?.calls, first?.rowsWritten, next?.calls, next?.rowsWritten]).toEqual([1, 12, 1, 4]);
});
