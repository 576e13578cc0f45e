/**
 * The control that makes a busy day: money in every way for orders that wait for it, money without an order, and phone
 * bills that pay.
 */

import * as z from 'zod';
import {BANKS} from '../banks.ts';
import type {Context} from '../context.ts';
import {fromLocalTime, isLocalTime, toLocalTime} from '../formats.ts';
import {receiveTransfer} from '../notifications/orders.ts';
import {chargeNumber} from '../pay/payment-page.ts';
import type {Order} from '../records/orders.ts';
import {ControlError, type ControlInput, readInput} from './control-input.ts';

const Time = z.string('must be a time').refine(isLocalTime, 'must be a time such as "2026-11-20 14:05:00"');

const BusyDay = z.object({
  from: z.optional(Time),
  to: z.optional(Time),
  /** Only orders whose number, counted from the oldest, is in this part of `parts`. */
  part: z.int().min(0).default(0),
  parts: z.int().min(1).default(1),
});

const GIVEN = ['Ayşe', 'Mehmet', 'İpek', 'Şükrü', 'Çağla', 'Özgür', 'Gül', 'Ilgaz', 'Ümit', 'Deniz'];
const FAMILY = ['Yılmaz', 'Öztürk', 'ÇAĞLAYAN', 'Işık', 'Şahin', 'Güneş', 'Yıldız', 'Örnek'];
const DEFAULT_MS = 12 * 3_600_000;
/** What happens to an order, by its number: so many in a hundred are paid in this way. The others are not paid. */
const FATES: readonly (readonly [share: number, amounts: (due: number) => readonly number[]])[] = [
  [70, (due) => [due]],
  [6, (due) => [Math.ceil(due / 3)]],
  [6, (due) => [due + 1_001]],
  [6, (due) => [Math.ceil(due / 2), Math.floor(due / 2)]],
  [2, (due) => [due, due]],
];
/** One order in so many makes its shopper write only a part of the code. */
const HALF_TYPED_EVERY = 12;
const MAX_ORDERS = 50_000;
/** One phone bill in so many does not pay: its number selects the status 4. */
const REFUSED_EVERY = 10;

/**
 * POST /_sandbox/busy-day: pays orders that have no money yet. The times lie between `from` and `to`, by default in the
 * last twelve hours. Also pays all open payment pages now.
 */
export function makeBusyDay({body}: ControlInput, context: Context) {
  const {from, to, part, parts} = readInput(BusyDay, body);
  const end = to === undefined ? context.clock.nowMs() : fromLocalTime(to);
  const begin = from === undefined ? end - DEFAULT_MS : fromLocalTime(from);
  if (end < begin) throw new ControlError('to: must not be before from.');
  const orders = context.orders
    .recent(MAX_ORDERS)
    .toReversed()
    .filter(({orderCode}, index) => index % parts === part && context.transactions.arrivedFor(orderCode) === 0);
  let [transfers, unmatched] = [0, 0];
  const send = (order: Order, index: number, amountKurus: number, description: string, isNamed: boolean) => {
    const bank = BANKS[index % BANKS.length];
    if (!bank) throw new ControlError('There is no bank.');
    const sender = `${GIVEN[index % GIVEN.length]} ${FAMILY[Math.floor(index / GIVEN.length) % FAMILY.length]}`;
    const transactionDate = toLocalTime(begin + Math.floor(((end - begin) * index) / Math.max(1, orders.length)));
    receiveTransfer(
      {bank, amountKurus, sender, description, order: isNamed ? order : undefined, transactionDate},
      context,
    );
    transfers += 1;
  };
  for (const [index, order] of orders.entries()) {
    if (index % HALF_TYPED_EVERY === HALF_TYPED_EVERY - 1) {
      send(order, index, order.amountKurus, order.orderCode.slice(0, 8), false);
      unmatched += 1;
      continue;
    }
    for (const amount of amountsOf(order, index)) send(order, index, amount, order.orderCode, true);
  }
  const pages = context.paymentPages.unpaid();
  for (const [index, page] of pages.entries()) {
    const msisdn = index % REFUSED_EVERY === REFUSED_EVERY - 1 ? '5550002004' : `532${String(index).padStart(7, '0')}`;
    const isPaid = chargeNumber(page, {msisdn, operator: 1}, context);
    context.paymentPages.setProgress(page, {step: isPaid ? 'done' : 'failed'});
  }
  return {orders: orders.length, transfers, unmatched, charges: pages.length};
}

/** Spreads the fates over the orders, so that each fate has each bank and each hour. */
function amountsOf({amountKurus}: Order, index: number): readonly number[] {
  let place = (index * 37) % 100;
  for (const [share, amounts] of FATES) {
    if (place < share) return amounts(amountKurus);
    place -= share;
  }
  return [];
}
