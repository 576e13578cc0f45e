/** Finds records in the archive. The caller need not know in which month a record was made. */

import {lastMonths} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {Archive} from './archive.ts';
import {askBooks} from './booking.ts';
import type {BookedRow} from './books-store.ts';
import type {BuyerReceipt} from './buyer-receipts.ts';
import type {BilledSubscription, ConsentAnswer, ConsentQuery} from './consent-store.ts';
import type {PastOrder} from './order-history-store.ts';

/**
 * The number of months that may have a readable record. An order lives for up to 97 days, and a record can be read for
 * 400 days after its last change.
 */
const MONTHS = 18;

/** @param find - Asks the object of one month. @returns the newest order of the service, or null. */
export async function findPastOrder(
  objects: Objects,
  service: string,
  find: (month: DurableObjectStub<Archive>) => Promise<PastOrder | null>,
): Promise<PastOrder | null> {
  await objects.outbox().settle(service);
  const found = await askMonths((month) => find(objects.archivedOrders(service, month)));
  return found.find((order) => order !== null) ?? null;
}

/** Removes what pages said of these orders. */
export async function forgetPages(objects: Objects, service: string, orders: readonly string[]): Promise<void> {
  await askMonths((month) => objects.archivedOrders(service, month).forgetPages(orders));
}

/** All rows of an order in the books, oldest first. */
export async function findRows(objects: Objects, service: string, order: string): Promise<BookedRow[]> {
  const ask = (books: DurableObjectStub<Archive>, month: string): Promise<BookedRow[]> =>
    books.bookingsOf(month, order);
  return (await askBooks(objects, service, ask)).flat();
}

/** All rows of this money in the books, as they were booked: the books of a month give them by day. @param from - `YYYY-MM`. */
export async function findRowsOfMoney(
  objects: Objects,
  service: string,
  ids: readonly string[],
  from?: string,
): Promise<BookedRow[]> {
  const ask = (books: DurableObjectStub<Archive>, month: string): Promise<BookedRow[]> =>
    books.bookingsOfMoney(month, ids);
  return (await askBooks(objects, service, ask, from)).flat().toSorted((a, b) => a.bookedAt - b.bookedAt);
}

/** The receipts of all months, newest first. */
export async function findConsents(objects: Objects, query: ConsentQuery): Promise<ConsentAnswer[]> {
  const found = await askMonths(
    (month) => objects.archivedConsents(month).findReceipts(query) as Promise<ConsentAnswer[]>,
  );
  return found.flat();
}

/** The receipt of an order's buyer; null if there is none. If the reference was used twice, the newest. */
export async function findBuyerReceipt(objects: Objects, service: string, order: string): Promise<BuyerReceipt | null> {
  const found = await askMonths(
    (month) => objects.archivedConsents(month).findBuyerReceipt(service, order) as Promise<BuyerReceipt | null>,
  );
  return found.find((receipt) => receipt !== null) ?? null;
}

/**
 * Adds to a receipt the id of its subscription. Mobile billing shows this id only after the subscription has started.
 * @returns whether a receipt has the id now.
 */
export async function assignSubscription(objects: Objects, started: BilledSubscription): Promise<boolean> {
  // The subscription may have started at the end of the previous month.
  for (const month of lastMonths(2, Date.now()))
    if (await objects.archivedConsents(month).assignSubscription(started)) return true;
  return false;
}

/** Asks the objects of all months at the same time. Asking an object that has no data does not make it store anything. */
function askMonths<T>(ask: (month: string) => Promise<T>): Promise<T[]> {
  return Promise.all(lastMonths(MONTHS, Date.now()).map(ask));
}
