/** Hands charges of mobile billing to their orders, or to the books. */

import type {Objects} from '../../objects.ts';
import type {PaidCharge} from '../../platform/to-payment.ts';
import {findRowsOfMoney} from '../archive/find-in-archive.ts';
import {entryOf} from '../events/entry.ts';
import {chargeGivenBack} from '../order/order-entries.ts';
import {isOfDeleted} from '../order/order-money.ts';
import type {ReceiveResult} from '../order/order-watchers.ts';

/**
 * Hands a charge to the order that it names. If the order has been deleted, the books get a charge that was given
 * back. A second call changes nothing.
 */
export async function deliverCharge(
  objects: Objects,
  service: string,
  order: string,
  charge: PaidCharge,
): Promise<ReceiveResult> {
  const now = Date.now();
  const result = await objects.order(service, order).receiveCharge(charge, now);
  if (charge.state !== 'refunded' || !isOfDeleted(charge, result)) return result;
  const lacking = chargeGivenBack(await findRowsOfMoney(objects, service, [charge.id]), order, now);
  if (lacking.length > 0)
    await objects.outbox().receive(
      service,
      lacking.map((row) => entryOf(row)),
    );
  return result;
}
