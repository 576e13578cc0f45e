/** Counts what a stranger's order costs: anybody can place one for an offer, and most strangers never come back. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {
  alarmIn,
  isStored,
  listAddressed,
  orderObject,
  renewToken,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, openOrder, read} from '../../support/page.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';
import {countStorage, type StorageCosts} from './storage-costs.ts';

freshWorker();

let attempts = 0;
const headersOf = (address: string) => ({'cf-connecting-ip': address});

async function place(address: string): Promise<string> {
  const body = {offer: 'gold', attempt: `attempt-${(attempts += 1)}-of-a-stranger`, shown_amount: '149.90'};
  return read(await askAsPage('POST', '/v1/order-code', {body, headers: headersOf(address)}), PlacedOrder).order;
}

/** What a task writes, and in how many objects of its own. The sweep and the archive exist once for a service. */
async function costOf(task: () => Promise<unknown>): Promise<{rows: number; created: number; details: string}> {
  const costs: StorageCosts = await countStorage(task);
  const {reports: _reports, ...byClass} = costs.byClass;
  return {
    rows: Object.values(byClass).reduce((sum, {rowsWritten}) => sum + rowsWritten, 0),
    created: Object.keys(byClass).filter((name) => ['Order', 'Guard'].includes(name)).length,
    details: JSON.stringify([byClass, costs.writes], null, 1),
  };
}

/** Everything about the order passes, and the time after which the sweep forgets it. */
async function close(order: string): Promise<void> {
  await advance(72 * HOUR + 7 * DAY + SECOND);
  await runDurableObjectAlarm(orderObject(order));
  await renewToken();
  // After days without sweeps, the missed days take turns.
  for (let sweep = 0; sweep < 6; sweep += 1) await runSweep();
  await advance(DAY);
}

/** Nobody looks at the order: its alarm tells the sweep the code. */
async function forget(order: string): Promise<void> {
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
}

test.for([
  ['a new IPv4 network', '11.1.1.1', 6],
  ['a known IPv4 network', '10.1.2.3', 5],
  ['a new IPv6 network', '2001:db8:1:1::1', 7],
] as const)(
  'an order from %s writes few rows, in an order and one guard, and six more when the sweep learns of it',
  async ([, address, expected]) => {
    await renewToken();
    // The first order creates what all orders of the service share.
    await forget(await place('10.1.1.1'));
    let placed = '';
    const {rows, created, details} = await costOf(async () => {
      placed = await place(address);
    });
    expect([rows, created], details).toEqual([expected, 2]);
    const later = await costOf(() => forget(placed));
    expect(later.rows, later.details).toBe(6);
  },
);

test.for([
  ['nothing is stored of an order that nobody looked at', 0, 0],
  ['the code is kept of an order that a page read again', 2 * MINUTE, 1],
] as const)('a day after the end, %s, and without money nobody hears of it', async ([, readAfter, kept]) => {
  await renewToken();
  const {order, token} = await openOrder();
  await advance(readAfter);
  await askAsPage('GET', '/v1/payment', {token});
  await runDurableObjectAlarm(orderObject(order));
  await close(order);
  expect(await isStored(orderObject(order))).toBe(false);
  expect(await storedRows()).toBe(kept);
  expect((await outboxObject().read(0)).items).toHaveLength(kept);
});

/** `npm run bench -- order-limits` counts many orders; `npm test` counts a few. */
const ADDRESSES = inject('scale') === 1 ? 20 : 2;
const ORDERS_EACH = inject('scale') === 1 ? 20 : 3;
/** A day of strangers: 1,000 addresses with 1,000 orders each. */
const ORDERS_A_DAY = 1_000_000;
/** From its first row until the order closes. */
const DAYS_STORED = 10;
const USD = {row: 1 / 1e6, call: 0.15 / 1e6, byteMonth: 0.2 / 1e9};

const sizeOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_object, {storage}) => storage.sql.databaseSize);

const guards = () => listAddressed(exports.Guard).map((id) => exports.Guard.get(id));

/** What the sweep and the archive store about orders and their money, in rows. */
async function storedRows(): Promise<number> {
  const tables = ['tracked', 'closed', 'seen'].map((table) => `(SELECT count(*) FROM ${table})`).join(' + ');
  return runInDurableObject(
    serviceObject(),
    (_object, {storage}) => storage.sql.exec<{rows: number}>(`SELECT ${tables} AS rows`).one().rows,
  );
}

test(
  'from its first to its last row, an order of a stranger writes at most 17 rows in one object, and no event',
  {timeout: 1_800_000},
  async ({annotate}) => {
    await renewToken();
    await forget(await place('10.9.1.1'));
    const orders: string[] = [];
    const sum = {rows: 0, calls: 0};
    const writes: Record<string, number> = {};
    const count = async (task: () => Promise<unknown>) => {
      const costs = await countStorage(task);
      const {reports: _reports, Platform: _platform, sweeps: _sweeps, ...byClass} = costs.byClass;
      for (const {rowsWritten, calls} of Object.values(byClass)) {
        sum.rows += rowsWritten;
        sum.calls += calls;
      }
      for (const [line, rows] of Object.entries(costs.writes)) writes[line] = (writes[line] ?? 0) + rows;
    };
    for (let index = 1; index <= ADDRESSES; index += 1) {
      await renewToken();
      const placed: string[] = [];
      await count(async () => {
        for (let order = 0; order < ORDERS_EACH; order += 1) placed.push(await place(`10.${index}.7.1`));
      });
      await advance(10 * SECOND);
      await count(async () => {
        for (const order of placed) await runDurableObjectAlarm(orderObject(order));
      });
      orders.push(...placed);
    }
    const countStored = async () =>
      (await Promise.all([...orders.map(orderObject), ...guards()].map(isStored))).filter(Boolean).length;
    // The first order created a guard as well.
    const objects = (await countStored()) - 1;
    const bytes = await sizeOf(orderObject(orders[0] ?? ''));
    // Until the guards forget, the time to pay ends, searches have found no money, and the order closes.
    for (const wait of [25 * HOUR, 47 * HOUR, 2 * HOUR, 7 * DAY - 2 * HOUR + MINUTE]) {
      await advance(wait);
      await renewToken();
      for (let sweep = 0; sweep < 6; sweep += 1) await runSweep();
      await count(async () => {
        for (const stub of [...orders.map(orderObject), ...guards()])
          if (((await alarmIn(stub)) ?? 1) <= 0) await runDurableObjectAlarm(stub);
      });
    }
    await count(runSweep);
    await advance(DAY);
    const {rows, calls} = {rows: sum.rows / orders.length, calls: sum.calls / orders.length};
    const found = {
      orders: orders.length,
      rows,
      calls,
      objects: objects / orders.length,
      events: (await outboxObject().read(0)).items.length,
      bytes,
      rowsADayAfter: (await storedRows()) + (await countStored()),
      usdADay: {
        rows: rows * USD.row * ORDERS_A_DAY,
        calls: calls * USD.call * ORDERS_A_DAY,
        storage: ((bytes * DAYS_STORED) / 30) * USD.byteMonth * ORDERS_A_DAY,
      },
    };
    await annotate(JSON.stringify(found));
    expect(found, JSON.stringify(writes, null, 1)).toMatchObject({events: 0, rowsADayAfter: 0});
    expect(rows, JSON.stringify(writes, null, 1)).toBeLessThanOrEqual(17);
    expect(found.objects).toBeLessThanOrEqual(1 + 1 / ORDERS_EACH);
  },
);
