/** Describes what is stored about an order, for the merchant's server and for commands. */

import type {Kurus} from '../../lib/money.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import {closesAt, type OrderRecord, type OrderStore} from './order-store.ts';
import {describePayment, type PaymentSummary} from './payment.ts';

/** The last payment notice that a page sent. */
export interface StoredNoticeDetails {
  readonly code: string;
  readonly bank: string;
  readonly amount: Kurus;
  readonly sent: boolean | null;
  /** All times here are epoch milliseconds. */
  readonly at: number;
}

export interface OrderDetails {
  readonly code: string | null;
  readonly offer: string | null;
  readonly userId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly completedAt: number | null;
  /** When the order and all that is stored about it are deleted. */
  readonly deletedAt: number;
  readonly payment: PaymentSummary;
  /** All money of the order, also money that does not count towards the amount. Charges have no bank. */
  readonly money: readonly Arrival[];
  readonly notice: StoredNoticeDetails | null;
  /** How many pages have an open socket. */
  readonly openPages: number;
  /** Until when the platform's payment page may be open; null if no payment page was opened. */
  readonly pageUntil: number | null;
}

/** Reads the store and changes nothing in it. */
export function describeOrder(store: OrderStore, record: OrderRecord, openPages: number, now: number): OrderDetails {
  const {code, offer, userId, createdAt, expiresAt, completedAt, notice, pageUntil} = record;
  return {
    code,
    offer: offer ?? null,
    userId: userId ?? null,
    createdAt,
    expiresAt,
    completedAt,
    deletedAt: closesAt(record),
    payment: describePayment(store.facts(record), now, now),
    money: [...store.arrivals(), ...store.charges()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
    notice: notice
      ? {code: notice.code, bank: notice.bank, amount: notice.amount, sent: notice.sent, at: notice.at}
      : null,
    openPages,
    pageUntil: pageUntil ?? null,
  };
}

/** What a command needs to know about the order. */
export interface OrderSnapshot {
  readonly completed: boolean;
  readonly arrivals: readonly Pick<Arrival, 'id' | 'state'>[];
}

export function snapshotOf(store: OrderStore): OrderSnapshot {
  const record = store.record();
  return {
    completed: (record?.completedAt ?? null) !== null,
    arrivals: record ? store.arrivals().map(({id, state}) => ({id, state})) : [],
  };
}
