/**
 * A booking: one thing that happened to an order or to money on one day, for the books of a service. A booking never
 * changes. Whoever learns of it sends it until the books have it; the books store it once.
 */

import {type BookingType, CLOSING_HOUR} from '../../contract/booking-types.ts';
import type {PaymentState} from '../../contract/browser/answers.ts';
import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {formatPlatformDay, lastMonths, startOfDay} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';

/**
 * What happened, and how it changes the sum of the merchant's money: `money.unmatched` is money without an order, and
 * `money.matched` takes it back when an order has it, for which `money.arrived` follows. `money.withdrawn` takes back
 * money that the platform now assigns to another order, or a charge that failed, or a row that turned out to be wrong,
 * for which another one follows. `refund.withdrawn` takes back a refund that only the status of its money showed, before
 * the refund's record said how much was sent back.
 */
export const BOOKING_SIGNS = {
  'order.placed': 0,
  /** The order reached a state without new money. */
  'order.changed': 0,
  /** The amount, the code or the user became known, or changed. */
  'order.amended': 0,
  /** The time to pay ended while a part of the amount had arrived. */
  'order.overdue': 0,
  'money.arrived': 1,
  'money.withdrawn': -1,
  'money.unmatched': 1,
  'money.matched': -1,
  'refund.requested': 0,
  'refund.settled': -1,
  'refund.withdrawn': 1,
  'refund.failed': 0,
  /** The platform got a payment notice. */
  'notice.created': 0,
} as const satisfies Record<BookingType, -1 | 0 | 1>;

/** How a row changes the sum of the merchant's money in the row's currency. */
export function balanceOf({type, amount}: Pick<Booking, 'type' | 'amount'>): Kurus {
  return BOOKING_SIGNS[type] * (amount ?? 0) || 0;
}

/** The same in lira; 0 for other money, so that a column of rows can be summed. */
export function liraOf(row: Pick<Booking, 'type' | 'amount' | 'currency'>): Kurus {
  return row.currency === 'TRY' ? balanceOf(row) : 0;
}

export interface Booking {
  /** Unique among the bookings of an order, or of money without an order. */
  readonly id: string;
  readonly type: BookingType;
  /** When it happened: for money the bank's time. Epoch milliseconds, as all times here. */
  readonly at: number;
  /** Whether the bank's time is unknown, so that `at` is when the Worker first learnt of the money. */
  readonly timeUnknown: boolean;
  /** Whether it is money of an order that was adopted from another system. */
  readonly knownBefore: boolean;
  /** The merchant's reference; null for money without an order. */
  readonly order: string | null;
  readonly code: string | null;
  /** The state that the order reached with this booking; null if its state stayed the same. */
  readonly state: PaymentState | null;
  /** Whether the money came after the time to pay, and the amount was not paid by then. */
  readonly late: boolean;
  /** The amount of the money or the refund; null for an order, and if it cannot be read. */
  readonly amount: Kurus | null;
  readonly currency: string;
  /** The bank that received the money; null for a charge. */
  readonly bank: string | null;
  /** How the money came: by a bank transfer, or on a phone bill. */
  readonly method: 'transfer' | 'charge' | null;
  /** The order's amount, when this was booked. */
  readonly due: Kurus | null;
  readonly userId: string | null;
  /** The sender of a transfer, as the bank writes the name. */
  readonly sender: string | null;
  /** What the sender wrote, if the money names no order. */
  readonly description: string | null;
  readonly transaction: string | null;
  readonly refund: string | null;
  /** Who caused it, and with which API key a merchant's server did; null if that is not known. */
  readonly by: Actor;
  readonly apiKey: string | null;
  /** The bank's number of the transfer, as it stands on a receipt. */
  readonly receipt: string | null;
  /** The platform's code of a payment notice. */
  readonly notice: string | null;
  /** Set on the one row with which the order was first paid: what was sold, and the campaign of the page. */
  readonly sale?: {readonly offer: string; readonly campaign: string} | undefined;
}

/** Who can cause something. */
export type Actor = 'shopper' | 'merchant' | 'platform' | 'worker';

/** Somebody who asked for something. @param key - The API key of the merchant's server; nothing for a shopper. */
export function askedBy(key: string | null | undefined): {readonly by: Actor; readonly apiKey: string | null} {
  return key ? {by: 'merchant', apiKey: key} : {by: 'shopper', apiKey: null};
}

/** What a booking has unless it says something else. */
export const NO_DETAILS = {
  order: null,
  code: null,
  state: null,
  late: false,
  timeUnknown: false,
  knownBefore: false,
  amount: null,
  currency: 'TRY',
  bank: null,
  method: null,
  due: null,
  userId: null,
  sender: null,
  description: null,
  transaction: null,
  refund: null,
  by: 'platform',
  apiKey: null,
  receipt: null,
  notice: null,
} satisfies Partial<Booking>;

/** A booking on its way to the books of a day. */
export interface DatedBooking extends Booking {
  /** `YYYY-MM-DD` in Turkey. */
  readonly day: string;
  /** The closed day on which this happened; null if the booking is a row of that day. */
  readonly corrects: string | null;
}

/** How long a row, and every other record of the archive, can be read after its last change. */
export const ARCHIVE_RETENTION_MS = 400 * DAY_MS;

/** The months that can have rows, the current one first: those of 400 days, and the one that ends. */
export const bookedMonths = (now = Date.now()) => lastMonths(15, now);

/**
 * Asks the books of all months that can have rows, oldest first, after they have all that was handed over.
 * @param from - The first month, `YYYY-MM`. @throws if the books could not get it.
 */
export async function askBooks<T>(
  objects: Objects,
  service: string,
  ask: (books: ReturnType<Objects['books']>, month: string) => Promise<T>,
  from = '',
): Promise<T[]> {
  await objects.outbox().settle(service);
  const months = bookedMonths().filter((month) => month >= from);
  return Promise.all(months.toReversed().map((month) => ask(objects.books(service, month), month)));
}

/** When the rows of a day become final, epoch milliseconds. @param day - `YYYY-MM-DD` in Turkey. */
export function closingTimeOf(day: string): number {
  return startOfDay(day) + DAY_MS + CLOSING_HOUR * HOUR_MS;
}

/**
 * Sends bookings to the books of their days, oldest first. If the day of a booking is closed, the books of that day name
 * the day on which it is booked instead, and name the same day when they are asked again, so that a repeated call books
 * nothing twice.
 */
export async function book(
  objects: Objects,
  service: string,
  bookings: readonly (Booking | DatedBooking)[],
): Promise<void> {
  let open: readonly DatedBooking[] = bookings.map((booking) =>
    Object.assign({day: formatPlatformDay(booking.at), corrects: null}, booking),
  );
  while (open.length > 0) {
    const months = Map.groupBy(open, ({day}) => day.slice(0, 7));
    const moved: DatedBooking[] = [];
    for (const [month, rows] of months) moved.push(...(await objects.books(service, month).book(month, rows)));
    open = moved;
  }
}
