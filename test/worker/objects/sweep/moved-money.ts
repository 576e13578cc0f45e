/** What the tests of moved money share: pairs of orders, matches by the staff, and what cannot be reached. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, SECOND} from '../../support/clock.ts';
import {breakMethod, mendMethod, orderObject, runSweep} from '../../support/durable-objects.ts';
import {openOrder, type Shopper, showPayment} from '../../support/page.ts';
import {control, setFault} from '../../support/sandbox.ts';

const thisMonth = () => formatMonth(Date.now());
export const books = () => contextOf(env).objects.books('DEMO', thisMonth());
/** Makes the books unreadable for the sweep. */
export const breakBooks = () => breakMethod(books(), 'bookingsOfMoney');
export const mendBooks = () => mendMethod(books(), 'bookingsOfMoney');
/** Lets an order lose no money. */
export const breakRemoval = (order: string) => breakMethod(orderObject(order), 'removeArrival');
export const mendRemoval = (order: string) => mendMethod(orderObject(order), 'removeArrival');

export const statesOf = async (...[first, second]: readonly [Shopper, Shopper]) => [
  await stateOf(first.token),
  await stateOf(second.token),
];

/** Two orders whose pages are open. */
export async function openPair(): Promise<readonly [Shopper, Shopper]> {
  const pair = [await openOrder(), await openOrder()] as const;
  for (const {token} of pair) await showPayment(token);
  return pair;
}

/** Runs a sweep of which only what waits is delivered: the list cannot be read. */
export async function retryOnly(): Promise<void> {
  await setFault({operation: SEARCH, kind: '500-html'});
  await advance(30 * SECOND);
  await runSweep();
  await control('faults');
}
export const bookedRows = async (id: string) =>
  (await books().bookingsOfMoney(thisMonth(), [id])).map(({type, order}) => [type, order]).toSorted();

/** Assigns a transfer to an order, which reads it at once. */
export async function assign(id: string, {order, code}: Shopper): Promise<void> {
  const before = (await bookedRows(id)).length;
  await control(`transfers/${id}/assign`, {order_code: code});
  await advance(SECOND);
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  await expect.poll(async () => (await bookedRows(id)).length).toBeGreaterThan(before);
}

/** Lets an order receive money, and loses its answer. */
export const loseAnswers = (order: string) =>
  runInDurableObject(orderObject(order), (object) => {
    const receive = object.receiveArrivals.bind(object);
    object.receiveArrivals = async (...money) => {
      await receive(...money);
      throw new Error('lost');
    };
  });
export const matchTo = async (id: string, {code}: Shopper) => {
  await control(`transfers/${id}/assign`, {order_code: code});
  await advance(3 * SECOND);
};
