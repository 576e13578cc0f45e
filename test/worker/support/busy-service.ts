/** Fills a service with many orders, and its transaction list with transfers that belong to none of these orders. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {contextOf} from '../../../worker/context.ts';
import {DAY, HOUR, MINUTE, platformTime} from './clock.ts';
import {runSweep, serviceObject} from './durable-objects.ts';
import {openOrder, ORIGIN, type Shopper, showPayment} from './page.ts';
import {callsDuring, pay} from './sandbox.ts';

export const SEARCH = '/transaction/search';
/** Counts the searches of the platform's transaction list while `task` runs; the default task is one sweep. */
export const searches = (task: () => Promise<unknown> = runSweep) => callsDuring(SEARCH, task);

export const stateOf = async (token: string) => (await showPayment(token)).state;

export async function inBatches(
  count: number,
  task: (index: number) => Promise<unknown>,
  batchSize = 50,
): Promise<void> {
  for (let start = 0; start < count; start += batchSize) {
    await Promise.all(Array.from({length: Math.min(batchSize, count - start)}, (_, index) => task(start + index)));
  }
}

/** Makes many orders with codes, without the limits that routes apply. A page views each order. */
export async function openOrders(count: number, from = 0, offer?: string): Promise<Shopper[]> {
  const {objects, sessions} = contextOf(env);
  const orders: Shopper[] = [];
  await inBatches(count, async (index) => {
    const order = `S-${from + index}`;
    const terms = {service: 'DEMO', order, amount: 14990, hours: 72, offer};
    const result = await objects.order('DEMO', order).orderCode(terms);
    if (!('code' in result)) throw new Error(JSON.stringify(result));
    const token = await sessions.sign({
      kind: 'payment',
      origin: ORIGIN,
      terms,
      createUntil: Date.now() + MINUTE,
      readUntil: Date.now() + DAY,
    });
    await objects.order('DEMO', order).payment(terms);
    orders.push({token, code: result.code, order});
  });
  return orders;
}

/** Adds transfers that belong to no order of the tests. */
export const addTransactions = (count: number, at?: string) =>
  pay({description: 'kira', amount: '1.00', bank: 'teb', count, ...(at !== undefined && {at})});

/** Runs twelve sweeps, which are enough to search each far day once. */
export async function searchFarDays(): Promise<void> {
  for (let count = 0; count < 12; count += 1) await runSweep();
}

/**
 * Makes a service whose transaction list is too long for the first search of a sweep, and has been read completely.
 * @returns one order of the service.
 */
export async function openBusyService(): Promise<Shopper> {
  const shopper = await openOrder();
  await showPayment(shopper.token);
  await addTransactions(120, platformTime(Date.now() - 3 * HOUR));
  await searchFarDays();
  return shopper;
}

/** Changes the sweep's store as if the platform had matched no transaction to an order when the sweep read it. */
export const clearMatches = () =>
  runInDurableObject(serviceObject(), (_object, {storage}) =>
    storage.sql.exec(`UPDATE seen SET "order" = '', code = '', holder = NULL`),
  );
