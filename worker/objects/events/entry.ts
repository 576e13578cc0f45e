/**
 * What happened to an order, once. An order writes its entries together with the change that caused them, and gives them
 * to the outbox. What anybody reads of an order later is a pure reading of its entries: an event is what the merchant's
 * servers hear, a booking is a row of the books, and a summary is the order as lists show it.
 */

import type {BookingType} from '../../contract/booking-types.ts';
import type {PageFacts} from '../../contract/browser/page-facts.ts';
import type {EventData, EventType} from '../../contract/merchant/events.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {Booking, DatedBooking} from '../archive/booking.ts';
import type {ArchivedOrder, OrderSummary} from '../archive/order-history-store.ts';
import {describeRefundable, refundableOf} from '../order/refundable.ts';
import type {NewEvent} from './event.ts';

export type PaymentEvent = Extract<EventType, `payment.${string}`>;

/** An order as it was at a time. */
export interface OrderSnapshot extends OrderSummary {
  /** Epoch milliseconds. Each snapshot of an order has a later time. */
  readonly at: number;
  readonly service: string;
  readonly userId: string | null;
}

export interface Entry extends Omit<Booking, 'type'>, Partial<Pick<DatedBooking, 'day' | 'corrects'>> {
  /** What happened. `order.noted` is no row of the books. */
  readonly what: BookingType | 'order.noted';
  /** The order as it was then; missing if nobody needs to know it, or has it from another entry. */
  readonly snapshot?: OrderSnapshot | undefined;
  /** What servers hear of the payment; missing if they need not hear of it. */
  readonly tells?: PaymentEvent | undefined;
  /** Whether the archive keeps the snapshot. */
  readonly isKept?: boolean | undefined;
  /** An event that is not about the payment. */
  readonly report?: NewEvent | undefined;
}

/** The entry of something that is a row of the books, and perhaps an event. */
export function entryOf({type: what, ...row}: Booking | DatedBooking, report?: NewEvent): Entry {
  return {...row, what, report};
}

export function bookingOf(entry: Entry): Booking | null {
  const {what, snapshot: _snapshot, tells: _tells, isKept: _isKept, report: _report, ...row} = entry;
  return what === 'order.noted' ? null : {...row, type: what};
}

/** The order as the archive keeps it. */
export function summaryOf({isKept, snapshot}: Entry): ArchivedOrder | null {
  if (!isKept || !snapshot) return null;
  const {at, ...shown} = snapshot;
  return {order: toSummary(shown), at};
}

export function toSummary({
  service: _service,
  userId: _userId,
  page,
  ...order
}: Omit<OrderSnapshot, 'at'>): OrderSummary {
  return {...order, page: page && withoutVisit(page)};
}

export function eventOf({id, tells: type, snapshot, report}: Entry): NewEvent | null {
  if (!type || !snapshot) return report ?? null;
  const {service, order, at} = snapshot;
  return {type, key: [service, order, id].join('\n'), at, data: describeEvent(snapshot)};
}

/** The entry without the user, without who sent money, and without what the page said. */
export function nameless({snapshot, ...entry}: Entry): Entry {
  const page = snapshot?.page;
  return {
    ...entry,
    userId: null,
    sender: null,
    snapshot: snapshot && {...snapshot, userId: null, page: page && {campaign: page.campaign}},
  };
}

/** What the history keeps of a page's words: not the ids of one visit. */
function withoutVisit({reference, metadata, campaign}: PageFacts): PageFacts {
  return {...(reference && {reference}), ...(metadata && {metadata}), ...(campaign && {campaign})};
}

function describeEvent(snapshot: OrderSnapshot): EventData<PaymentEvent> {
  const {service, order, code, offer, userId, title, metadata, page, knownBefore, money} = snapshot;
  const {state, amount, paid, refunded, remaining, late} = snapshot;
  return {
    service,
    order,
    order_code: code,
    offer,
    user_id: userId,
    title,
    metadata,
    page,
    state,
    amount,
    paid,
    refunded,
    remaining,
    currency: 'TRY',
    late,
    refundable: describeRefundable(refundableOf(snapshot, money)),
    transactions: money
      .filter(({amount: arrived}) => arrived !== null)
      .map((each) => ({
        id: each.id,
        amount: formatAmount(each.amount ?? 0),
        currency: each.currency,
        bank_name: each.bank,
        at: formatInstant(each.at),
        time_unknown: each.timeUnknown ?? false,
        known_before: knownBefore,
      })),
  };
}
