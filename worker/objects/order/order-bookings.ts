/**
 * What an order has for the books. The functions are pure, and always return the same bookings for what has happened, so
 * that the order can send them again until the books have them.
 */

import {DAY_MS} from '../../lib/durations.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import {balanceOf, type Booking, type DatedBooking, NO_DETAILS} from '../archive/booking.ts';
import {type BookedState, factsOf, type OrderState} from './order-state.ts';
import {isLate, type PaymentSummary, withLateCounted} from './payment.ts';

/** Takes back a refund that only the status of its money showed. It belongs to the same day. */
export function withdrawnRefund(settled: Booking): Booking {
  return {...settled, id: settled.id.replace(' back ', ' recorded '), type: 'refund.withdrawn'};
}

/**
 * The row that the books lack of a charge that was given back after its order was deleted.
 * @param rows - All rows of the charge, and of a transfer with the same id.
 */
export function chargeGivenBack(rows: readonly DatedBooking[], order: string, at: number): DatedBooking[] {
  const own = rows.filter((row) => row.order === order && row.method === 'charge');
  const arrived = own.find(({type}) => type === 'money.arrived');
  const amount = own.reduce((sum, row) => sum + balanceOf(row), 0);
  if (!arrived || amount <= 0) return [];
  const [createdAt] = arrived.id.split(' ');
  const turn = own.filter(({type}) => type === 'refund.settled').length;
  // The order would have booked it with the same id.
  const id = [createdAt, 'back', arrived.transaction, ...(turn === 0 ? [] : [turn])].join(' ');
  const dated = {at, day: formatPlatformDay(at), corrects: null};
  return [{...arrived, ...NOT_REACHED, ...dated, timeUnknown: true, id, type: 'refund.settled', amount}];
}

/** Books are kept for 400 days, and an order repeats its bookings for up to 97. */
const MAX_MONEY_AGE_MS = 300 * DAY_MS;
/** A row with which the order reaches no state. */
const NOT_REACHED = {state: null, late: false, timeUnknown: false, sale: undefined} as const;

/**
 * All bookings of an order, in the sequence in which they are booked. An order that is placed again under the reference
 * of a deleted one has other ids, because it was created at another time.
 */
export function bookingsOf({record, money, lastEvent}: OrderState, payment: PaymentSummary): Booking[] {
  if (!record) return [];
  const {order, code, amount: due, createdAt, expiresAt, amended, userId = null} = record;
  const {removed = [], returned = []} = money;
  const present = [...money.arrivals, ...money.charges];
  const {reached = []} = lastEvent;
  const paid = reached.find(({state}) => state === 'paid' || state === 'overpaid' || state === 'completed');
  const saleAt = (state: BookedState | undefined): Pick<Booking, 'sale'> =>
    state && state === paid ? {sale: {offer: record.offer ?? '', campaign: record.page?.campaign?.campaign ?? ''}} : {};
  // The row is booked before the status of its money is known.
  const late = isLate(withLateCounted(factsOf(record, money)));
  const common: Omit<Booking, 'id' | 'type' | 'at'> = {...NO_DETAILS, order, code, due};
  const idOf = (...parts: readonly (string | number)[]) => [createdAt, ...parts].join(' ');
  /** @param turn - How often the order had this money before, and lost it. */
  const arrived = ({id, amount, currency, bank, at, timeUnknown, sender}: Arrival, turn: number): Booking => ({
    ...common,
    ...saleAt(reached.filter(({by}) => by === id)[turn]),
    id: idOf('in', id, turn, ...(amount === null ? ['unread'] : [])),
    type: 'money.arrived',
    // A bank may write any time, also one whose books are deleted.
    at: at < createdAt - MAX_MONEY_AGE_MS ? createdAt : at,
    state: reached.filter(({by}) => by === id)[turn]?.state ?? null,
    late: late && at > expiresAt,
    timeUnknown: timeUnknown ?? false,
    knownBefore: record.knownBefore ?? false,
    amount,
    currency,
    bank,
    method: bank === null ? 'charge' : 'transfer',
    sender: sender ?? null,
    transaction: id,
  });
  const turnOf = (id: string, before = removed.length) =>
    removed.slice(0, before).filter((each) => each.id === id).length;
  const all: Booking[] = [
    {...common, id: idOf('placed'), type: 'order.placed', at: createdAt, state: 'waiting', userId},
    ...(amended
      ? [{...common, id: idOf('amended', amended.count), type: 'order.amended', at: amended.at, userId} as const]
      : []),
    ...removed.flatMap((arrival, index) => {
      const turn = turnOf(arrival.id, index);
      const booking = arrived(arrival, turn);
      // It belongs to the day of the money that it takes back.
      const dated = {day: formatPlatformDay(booking.at), corrects: null};
      const id = idOf('out', arrival.id, turn);
      return [
        booking,
        {...booking, ...NOT_REACHED, ...dated, id, type: 'money.withdrawn', at: arrival.removedAt} as const,
      ];
    }),
    ...present.map((arrival) => arrived(arrival, turnOf(arrival.id))),
    ...returned.flatMap(({id, at, withdrawn}, index): Booking[] => {
      const arrival = [...present, ...removed].find((each) => each.id === id);
      if (!arrival) return [];
      const turn = returned.slice(0, index).filter((each) => each.id === id).length;
      const ids = turn === 0 ? [id] : [id, turn];
      const settled: Booking = {
        ...arrived(arrival, 0),
        ...NOT_REACHED,
        timeUnknown: true,
        id: idOf('back', ...ids),
        type: 'refund.settled',
        at,
      };
      return withdrawn ? [settled, withdrawnRefund(settled)] : [settled];
    }),
    ...reached
      .filter(({by}) => by === null)
      .map((step): Booking => {
        const {number, state, at} = step;
        return Object.assign(
          {id: idOf('state', number), type: 'order.changed' as const, at},
          common,
          {state},
          saleAt(step),
        );
      }),
    ...(record.expired && payment.overdue && payment.state === 'partial'
      ? [{...common, id: idOf('overdue', expiresAt), type: 'order.overdue', at: expiresAt} as const]
      : []),
  ];
  // States are booked in the sequence in which the order reached them, also if an earlier call of the books failed.
  const states = ['waiting', ...reached.map(({state}) => state)];
  const rankOf = ({type, state}: Booking) =>
    type === 'order.placed' ? 0 : state === null ? states.length : states.lastIndexOf(state);
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}
