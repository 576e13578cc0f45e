/** Finds an order in the history of a service. The caller need not know when the order was created. */

import {lastMonths} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {PastOrder} from './order-history-store.ts';
import type {OrderHistory} from './order-history.ts';

/**
 * The number of months that may have a readable order. An order lives for up to 97 days, and can be read for 400 days
 * after its last change.
 */
const MONTHS = 18;

/**
 * Asks the objects of all months at the same time. Asking an object that has no data does not make it store anything.
 * @param find - Asks the object of one month. @returns the newest order, or null.
 */
export async function findPastOrder(
  objects: Objects,
  service: string,
  find: (month: DurableObjectStub<OrderHistory>) => Promise<PastOrder | null>,
): Promise<PastOrder | null> {
  const found = await Promise.all(
    lastMonths(MONTHS, Date.now()).map(
      async (month) => find(objects.orderHistory(service, month)) as Promise<PastOrder | null>,
    ),
  );
  return found.find((order) => order !== null) ?? null;
}
