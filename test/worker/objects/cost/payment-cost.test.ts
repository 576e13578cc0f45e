/** Counts what one payment and one sweep without new money cost. docs/benchmarks.md has the counts. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect, inject, test} from 'vitest';
import {NewPaymentSession, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {addTransactions} from '../../support/busy-service.ts';
import {advance, HOUR, SECOND} from '../../support/clock.ts';
import {orderObject, renewToken, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, openOrder, putOffer, read, showPayment} from '../../support/page.ts';
import {calls, clearCalls, pay} from '../../support/sandbox.ts';
import {deliver, freshReceiver} from '../../support/webhook-receiver.ts';
import {payTogether} from './pay-together.ts';
import {countStorage} from './storage-costs.ts';

freshWorker();
freshReceiver();

/** Calls that all payments of a merchant share. */
const SEARCH = '/phs/transaction/search';
const NEW_TOKEN = '/phs/getToken';

/** What `count` new shoppers cost together until all their orders are erased, divided by their number. */
async function costOfEach(count: number) {
  // Earlier tests may have left events.
  await deliver();
  // The first payment creates the objects that all payments share.
  await payTogether(1, 10, 30 * SECOND);
  await clearCalls();
  const costs = await countStorage(() => payTogether(count, 20));
  const made = (await calls()).map(({path}) => path).filter((path) => path !== SEARCH);
  const sum = (field: 'rowsWritten' | 'rowsRead' | 'calls') =>
    Object.values(costs.byClass).reduce((total, cost) => total + cost[field], 0);
  return {
    rowsWritten: sum('rowsWritten') / count,
    rowsRead: sum('rowsRead') / count,
    objectRequests: sum('calls') / count,
    /** What the sweeps write about their own progress. */
    sweepRows: (costs.byClass['sweeps']?.rowsWritten ?? 0) / count,
    calls: made.length / count,
    callsWithoutTokens: made.filter((path) => path !== NEW_TOKEN).length / count,
    details: JSON.stringify([costs.byClass, costs.writes, made], null, 1),
  };
}

/** `npm run bench -- day-cost` counts ten payments; `npm test` counts three, which share less. */
const [TOGETHER, ROWS, CALLS, REQUESTS] = inject('scale') === 1 ? [10, 70, 12, 42] : [3, 90, 13, 56];

test(`each of ${TOGETHER} payments writes at most ${ROWS} rows, reads at most 350 and makes at most ${CALLS} calls besides searches`, async ({
  annotate,
}) => {
  const {rowsWritten, rowsRead, objectRequests, sweepRows, calls: made, details} = await costOfEach(TOGETHER);
  await annotate(JSON.stringify({rowsWritten, rowsRead, objectRequests, sweepRows, made}));
  expect(rowsWritten, details).toBeLessThanOrEqual(ROWS);
  expect(rowsRead, details).toBeLessThanOrEqual(350);
  expect(made, details).toBeLessThanOrEqual(CALLS);
  expect(objectRequests, details).toBeLessThanOrEqual(REQUESTS);
});

test('a single payment writes at most 94 rows, 20 of them for the books of a new month, and makes eleven calls, without sweeps, searches and token requests', async ({
  annotate,
}) => {
  const {rowsWritten, objectRequests, sweepRows, callsWithoutTokens, details} = await costOfEach(1);
  await annotate(JSON.stringify({rowsWritten, objectRequests, sweepRows}));
  expect(rowsWritten - sweepRows, details).toBeLessThanOrEqual(94);
  expect(callsWithoutTokens, details).toBe(11);
});

/** Runs a sweep that finds nothing new. @returns how many rows it read. */
async function readByQuietSweep(): Promise<number> {
  await advance(3 * SECOND);
  const {byClass, writes} = await countStorage(runSweep);
  expect(byClass['Service']?.rowsWritten, JSON.stringify(writes)).toBe(0);
  expect(byClass['sweeps'], JSON.stringify(writes)).toMatchObject({rowsWritten: 1, alarmsSet: 1});
  return byClass['Service']?.rowsRead ?? 0;
}

test('a sweep that finds nothing new writes its alarm, and reads at most two rows for each listed transaction', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  // After these sweeps, each far day was searched.
  for (let count = 0; count < 15; count += 1) {
    await runSweep();
    await advance(3 * SECOND);
  }
  const before = await readByQuietSweep();
  await addTransactions(40);
  await runSweep();
  // The search returns forty transactions more than before. To look up one of them, the sweep reads two rows.
  expect((await readByQuietSweep()) - before).toBeLessThanOrEqual(2 * 40);
});

test('a sweep does not read the orders whose pages were closed', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  for (let count = 0; count < 15; count += 1) await runSweep();
  const before = await readByQuietSweep();
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    for (let count = 0; count < 50; count += 1)
      storage.sql.exec(
        'INSERT INTO tracked ("order", registered_at, closes_at, viewed_until) VALUES (?, ?, ?, ?)',
        `S-${count}`,
        Date.now(),
        Date.now() + HOUR,
        Date.now() - 1,
      );
  });
  expect(await readByQuietSweep()).toBeLessThanOrEqual(before);
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
  const queries = [...(statements['Service'] ?? [])].filter((query) => /\b(?:seen|tracked)\b/.test(query));
  expect(queries.length).toBeGreaterThanOrEqual(10);
  const plans = await runInDurableObject(serviceObject(), (_object, {storage}) =>
    queries.map((query) => {
      const bindings = Array.from(query.matchAll(/\?/g), () => 1);
      const rows = storage.sql.exec<{detail: string}>(`EXPLAIN QUERY PLAN ${query}`, ...bindings).toArray();
      return {query, plan: rows.map(({detail}) => detail).join('; ')};
    }),
  );
  expect(plans.filter(({plan}) => /\bSCAN\b/.test(plan))).toEqual([]);
});

test('a sweep that deletes two old transactions writes two rows for this', async () => {
  await openOrder();
  await addTransactions(5);
  await runSweep();
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    storage.sql.exec('UPDATE seen SET asked_at = 0 WHERE rowid <= 2');
  });
  await advance(3 * SECOND);
  const {writes} = await countStorage(runSweep);
  expect(Object.entries(writes).filter(([line]) => line.includes('DELETE FROM seen'))).toMatchObject([[{}, 2]]);
});

/** Lets a shopper order. @returns how many rows this writes. */
async function rowsOfOrder(offer: string, buyer?: object): Promise<number> {
  const {byClass} = await countStorage(async () => {
    const opened = read(await askAsPage('POST', '/v1/sessions', {body: {offer}}), NewPaymentSession, 201);
    const {token, order, buyer_form: form} = opened;
    const body = {buyer: buyer && {...buyer, form: form?.version}};
    read(await askAsPage('POST', '/v1/order-code', {token, body}), OrderCode);
    await runDurableObjectAlarm(orderObject(order));
  });
  return Object.values(byClass).reduce((sum, {rowsWritten}) => sum + rowsWritten, 0);
}

test('a buyer costs four rows more than an order that asks for none: three to be found by, and the receipt', async () => {
  const fields = {email: 'required', phone: 'required'};
  await putOffer('asking', {fields, privacy_url: 'https://shop.example/privacy'});
  const buyer = {email: 'deniz@shop.example', phone: '5321234567'};
  // The first orders create what all share.
  await rowsOfOrder('gold');
  await rowsOfOrder('asking', buyer);
  const [without, withBuyer] = [await rowsOfOrder('gold'), await rowsOfOrder('asking', buyer)];
  expect(withBuyer - without).toBe(4);
});
