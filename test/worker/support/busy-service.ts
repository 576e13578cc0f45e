/** A service with many orders, and with other people's money on its list. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {contextOf} from '../../../worker/context.ts';
import {DAY, HOUR, MINUTE, platformTime} from './clock.ts';
import {runSweep, sweepObject} from './durable-objects.ts';
import {openOrder, ORIGIN, type Shopper, showPayment} from './page.ts';
import {callsDuring, pay} from './sandbox.ts';

export const SEARCH = '/transaction/search';
/** How often the platform's list is searched. */
export const searches = (task: () => Promise<unknown> = runSweep) => callsDuring(SEARCH, task);

export const stateOf = async (token: string) => (await showPayment(token)).state;

export async function inBatches(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 50) {
    await Promise.all(Array.from({length: Math.min(50, count - start)}, (_, index) => task(start + index)));
  }
}

/** Many orders with their codes, past the limits of the routes; each has a page that looks. */
export async function openOrders(count: number, from = 0): Promise<Shopper[]> {
  const {objects, sessions} = contextOf(env);
  const orders: Shopper[] = [];
  await inBatches(count, async (index) => {
    const order = `S-${from + index}`;
    const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
    const made = await objects.order('DEMO', order).orderCode(terms);
    if (!('code' in made)) throw new Error(JSON.stringify(made));
    const token = await sessions.sign({
      kind: 'payment',
      origin: ORIGIN,
      terms,
      createUntil: Date.now() + MINUTE,
      readUntil: Date.now() + DAY,
    });
    await objects.order('DEMO', order).payment(terms);
    orders.push({token, code: made.code, order});
  });
  return orders;
}

/** Other people's payments that bear on nothing here. */
export const addTransactions = (count: number, at?: string) =>
  inBatches(count, (index) =>
    pay({description: `kira ${index}`, amount: '1.00', bank: 'teb', ...(at !== undefined && {at})}),
  );

/** A service so busy that its list is longer than what is read first; it has been read as a whole. */
export async function openBusyService(): Promise<Shopper> {
  const shopper = await openOrder();
  await showPayment(shopper.token);
  await addTransactions(120, platformTime(Date.now() - 3 * HOUR));
  await runSweep();
  return shopper;
}

/** As if what arrived had been read before the platform knew whose it was. */
export const clearMatches = () =>
  runInDurableObject(sweepObject(), (_object, {storage}) =>
    storage.sql.exec(`UPDATE seen SET "order" = '', code = ''`),
  );
