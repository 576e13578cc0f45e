/** The merchant's server changes what an order costs, sometimes twice at once. */

import type {Accountant} from './accountant.ts';
import type {OrderBook} from './books.ts';
import type {Chance} from './chance.ts';
import {server} from './requests.ts';
import type {HttpRequest} from './stage/protocol.ts';
import {toText} from './values.ts';

/** @param newKey - Makes an `Idempotency-Key`. */
export function changeAmount(
  {ref: order, service, kurus, arrived, amounts}: OrderBook,
  accountant: Accountant,
  chance: Chance,
  newKey: () => string,
  send: (request: HttpRequest) => void,
): void {
  const times = chance.pick([1, 1, 2]) ?? 1;
  accountant.met('two changes of an amount at the same time', times > 1);
  for (let left = times; left > 0; left -= 1) {
    const next = chance.pick([chance.between(100, 50_000), kurus + 1_000, Math.ceil(kurus / 2), arrived]) || kurus;
    amounts.add(next);
    send({...server('order-codes', {service, order, amount: toText(next)}, newKey()), method: 'PATCH'});
  }
}
