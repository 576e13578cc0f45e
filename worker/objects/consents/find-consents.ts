/** Reads and completes the receipts of consents, which lie in one object for each month. */

import {describeError, log} from '../../lib/log.ts';
import {lastMonths} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {NewEvent} from '../events/event.ts';
import type {ConsentAnswer, ConsentQuery} from './consents.ts';

/** The months that may have a readable receipt: 400 days, and the month in which they begin. */
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
 * Adds to a receipt the id of its subscription, which mobile billing shows only after the subscription started: an
 * event that names both ids connects them. A failure is logged and not thrown; the receipt is then found only by its
 * tracking id, until the next such event.
 */
export async function assignSubscriptions(objects: Objects, events: readonly NewEvent[]): Promise<void> {
  for (const {type, data} of events) {
    if (type !== 'subscription.started' && type !== 'subscription.changed') continue;
    const {service, subscription_id: subscription, tracking_id: trackingId} = data;
    if (service === null || subscription === null || trackingId === null) continue;
    const startedAt = Date.parse(data.subscription_date ?? '') || null;
    // The subscription may have started at the end of the last month.
    for (const month of lastMonths(2, Date.now())) {
      try {
        await objects.consents(month).assign({trackingId, service, subscription, startedAt});
      } catch (error) {
        log('warn', 'record_failed', {service, names: ['consent'], error: describeError(error)});
      }
    }
  }
}
