/**
 * Decides what has to be booked for money that belongs to somebody else than before. What the books have of the money
 * says who had it. The functions are pure.
 */

import type {Kurus} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import {balanceOf, type Booking, type DatedBooking, NO_DETAILS} from '../archive/booking.ts';

/** Who has the money now. */
export type Owner =
  /** An open order, which books its money itself, since it was placed at `createdAt`. */
  | {readonly is: 'open order'; readonly order: string; readonly createdAt: number}
  /**
   * Nobody, because the money names no order, or one that is closed; or perhaps an order of another system, whose money
   * is not in these books.
   */
  | {readonly is: 'nobody' | 'somebody else'; readonly order: string | null; readonly code: string | null};

/** What an order books begins with the time at which it was placed, because its reference may be used again. */
export interface Holder {
  readonly order: string;
  readonly createdAt: number;
}

interface Held {
  readonly holder: Holder;
  readonly amount: Kurus;
  readonly row: DatedBooking;
}

/** The orders that have the money, as far as the books know, and are not its owner. @param rows - All rows of the money. */
export function losersOf(rows: readonly DatedBooking[], owner: Owner): string[] {
  return heldBy(rows).flatMap((held) => (isHeldBy(owner, held) ? [] : [held.holder.order]));
}

function isHeldBy(owner: Owner, {holder, row}: Held): boolean {
  return holder.order === owner.order || (owner.is !== 'open order' && owner.code !== null && row.code === owner.code);
}

function heldBy(rows: readonly DatedBooking[]): Held[] {
  // A charge may have the same id.
  const own = rows.filter(
    ({type, method}) => method !== 'charge' && (type === 'money.arrived' || type === 'money.withdrawn'),
  );
  return [...Map.groupBy(own, ({order, id}) => [id.split(' ')[0], order].join(' ')).values()].flatMap((group) => {
    const row = group.findLast(({type}) => type === 'money.arrived');
    const amount = sumOf(group, balanceOf);
    if (!row || row.order === null || amount <= 0) return [];
    return [{holder: {order: row.order, createdAt: Number(row.id.split(' ')[0])}, amount, row}];
  });
}

/**
 * The rows that the books lack, so that the sum of all rows of the transaction is its amount again, or 0 if it belongs
 * to somebody else. Without the rows of open orders, which they book themselves.
 * @param rows - All rows of the transaction, as they were booked. @param open - When each of the holders that is open was placed.
 */
export function rebookings(
  rows: readonly DatedBooking[],
  owner: Owner,
  open: ReadonlyMap<string, number>,
  money: Arrival & {readonly description: string | null},
  now: number,
): DatedBooking[] {
  const number = (type: Booking['type'], order: string | null) =>
    rows.filter((row) => row.type === type && row.order === order).length;
  const closed = heldBy(rows).filter(({holder}) => open.get(holder.order) !== holder.createdAt);
  // A closed order keeps the money that it had while it was open.
  const keeper = owner.is === 'open order' ? undefined : closed.find((held) => isHeldBy(owner, held));
  // Both belong to the day of the row that they take back.
  const toWithdrawn = ({holder: {order, createdAt}, amount, row}: Held): DatedBooking => {
    const id = [createdAt, 'moved', money.id, number('money.withdrawn', order)].join(' ');
    return {...row, id, type: 'money.withdrawn', at: now, timeUnknown: false, state: null, amount, by: 'platform'};
  };
  const toMatched = (row: DatedBooking): DatedBooking => {
    const id = ['matched', money.id, number('money.matched', row.order)].join(' ');
    return {...row, id, type: 'money.matched'};
  };
  const withdrawn = closed.filter((held) => held !== keeper).map(toWithdrawn);
  const unmatched = rows.filter((row) => row.type === 'money.unmatched');
  const waiting = [...Map.groupBy(unmatched, ({order}) => order)].flatMap(([order, group]) => {
    const last = group.at(-1);
    return last && group.length > number('money.matched', order) ? [last] : [];
  });
  const isStillUnmatched = (row: DatedBooking) => owner.is === 'nobody' && !keeper && row.order === owner.order;
  const matched = waiting.filter((row) => !isStillUnmatched(row)).map(toMatched);
  if (owner.is !== 'nobody' || keeper || waiting.some(isStillUnmatched)) return [...withdrawn, ...matched];
  const {id: transaction, amount, currency, bank, at, timeUnknown, sender = null, receipt = null, description} = money;
  const {order, code} = owner;
  const details = {
    order,
    code,
    amount,
    currency,
    bank,
    method: 'transfer',
    sender,
    description,
    transaction,
    receipt,
  } as const;
  const id = ['unmatched', transaction, number('money.unmatched', order)].join(' ');
  const dated = {at, timeUnknown: timeUnknown ?? false, day: formatPlatformDay(at), corrects: null};
  return [...withdrawn, ...matched, {...NO_DETAILS, ...details, ...dated, id, type: 'money.unmatched'}];
}
