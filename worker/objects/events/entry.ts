/**
 * What happened to an order, once. An order writes its entries together with the change that caused them, and gives them
 * to the outbox. What anybody reads of an order later is a reading of its entries: an event is what the merchant's
 * servers hear, a booking is a row of the books, and a summary is the order as lists show it.
 */

import type {BookingType} from '../../contract/booking-types.ts';
import type {Booking, DatedBooking} from '../archive/booking.ts';
import type {ArchivedOrder} from '../archive/order-history-store.ts';
import type {NewEvent} from './event.ts';

export interface Entry extends Omit<Booking, 'type'>, Partial<Pick<DatedBooking, 'day' | 'corrects'>> {
  /** What happened. `order.noted` is no row of the books. */
  readonly what: BookingType | 'order.noted';
  /** The event that reports the order as it was then; missing if no server needs to hear of it. */
  readonly report?: NewEvent | undefined;
  /** The order as it was then; missing if the archive keeps no such order, or has it from another entry. */
  readonly summary?: ArchivedOrder | undefined;
}

/** The entry of something that is a row of the books, and perhaps an event. */
export function entryOf({type: what, ...row}: Booking | DatedBooking, report?: NewEvent): Entry {
  return {...row, what, report};
}

export function bookingOf({what, report: _report, summary: _summary, ...row}: Entry): Booking | null {
  return what === 'order.noted' ? null : {...row, type: what};
}

/** The entry without the user, without who sent money, and without what the page said. */
export function nameless({report, summary, ...entry}: Entry): Entry {
  const page = summary?.order.page;
  return {
    ...entry,
    userId: null,
    sender: null,
    report: report && withoutUser(report),
    summary: summary && {...summary, order: {...summary.order, page: page && {campaign: page.campaign}}},
  };
}

function withoutUser(event: NewEvent): NewEvent {
  if (!('user_id' in event.data)) return event;
  return {...event, data: {...event.data, user_id: null, page: undefined}} as NewEvent;
}
