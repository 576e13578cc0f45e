/** Reads and completes the receipts of consents. There is one object with receipts for each month. */

import {lastMonths} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {BilledSubscription} from './consent-store.ts';
import type {ConsentAnswer, ConsentQuery} from './consents.ts';

/** How many months may have readable receipts: a period of 400 days touches at most 15 months. */
const MONTHS = 15;

/** The receipts of all months, newest first. */
export async function findConsents(objects: Objects, query: ConsentQuery): Promise<ConsentAnswer[]> {
  const found = await Promise.all(
    lastMonths(MONTHS, Date.now()).map(
      async (month) => objects.consents(month).find(query) as Promise<ConsentAnswer[]>,
    ),
  );
  return found.flat();
}

/**
 * Adds to a receipt the id of its subscription. Mobile billing shows this id only after the subscription has started.
 * @returns whether a receipt has the id now.
 */
export async function assignSubscription(objects: Objects, started: BilledSubscription): Promise<boolean> {
  // The subscription may have started at the end of the previous month.
  for (const month of lastMonths(2, Date.now())) if (await objects.consents(month).assign(started)) return true;
  return false;
}
