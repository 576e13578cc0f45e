/**
 * What is true of one order, as one immutable value, and the pure functions that change it. Each function returns the
 * order after the change, or the same value if nothing changes. `Order` writes the result and reports what follows from
 * it (`order-effects.ts`). All times are epoch milliseconds.
 */

import type {PageFacts} from '../../contract/browser/page-facts.ts';
import type {AfterPayment, Localized, Seller} from '../../contract/fields.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Failures} from '../../lib/retry.ts';
import {type OrderTerms, READ_WINDOW_MS} from '../../session.ts';
import type {Ticket} from '../limits/counting.ts';
import {type AskedBuyer, type StoredBuyer, withAsked} from './buyer.ts';
import {EMPTY_JOURNAL, type OrderJournal} from './journal.ts';
import type {CodeOrigin, OrderCall} from './order-calls.ts';
import {areSameParts, costOf, type OrderParts, type SentChange} from './order-parts.ts';
import {
  amountDue,
  isPaid,
  mayCancel,
  type EarlierMoney,
  NO_EARLIER_MONEY,
  type PaidArrival,
  type PaymentFacts,
  type SentRefund,
  type StoredNotice,
} from './payment.ts';
import type {StoredHandoff} from './stored-handoff.ts';

export interface OrderState {
  /** Null while nobody has requested the order code and nothing was prepared. */
  readonly record: OrderRecord | null;
  readonly money: OrderMoney;
  readonly journal: OrderJournal;
  /** Personal data, which is stored here so that no token contains it. Dropped when the order is paid. */
  readonly prefill: Prefill | null;
  readonly buyer: StoredBuyer | null;
  readonly handoffs: readonly StoredHandoff[];
  /** The last payment page that was opened. */
  readonly paymentPage: StoredPage | null;
  /** The last calls that failed or opened a page. */
  readonly calls: readonly OrderCall[];
}

/** The money of an order. */
export interface OrderMoney {
  /** The transfers that arrived. */
  readonly arrivals: readonly OrderArrival[];
  /** The money paid on the platform's payment page. */
  readonly charges: readonly OrderArrival[];
  /** All refunds of the order that the platform has told. */
  readonly refunds: readonly StoredRefund[];
  /** The money of earlier payments, which was sent back. */
  readonly earlier: EarlierMoney;
}

/** Money of the order, and what the journal says of it. */
export interface OrderArrival extends PaidArrival {
  /** Set if the books say that the money is late: it is overdue, and the amount was not paid by the end of the time to pay. */
  readonly late?: true | undefined;
  /** Set while only the status of the money shows that it was sent back: the entry that says so. */
  readonly returned?: {readonly id: string; readonly at: number} | undefined;
}

export interface StoredRefund extends SentRefund {
  readonly id: string;
}

export const EMPTY_ORDER: OrderState = {
  record: null,
  money: {arrivals: [], charges: [], refunds: [], earlier: NO_EARLIER_MONEY},
  journal: EMPTY_JOURNAL,
  prefill: null,
  buyer: null,
  handoffs: [],
  paymentPage: null,
  calls: [],
};

export interface OrderRecord extends Pick<Preparation, 'parts' | 'userId' | 'seller' | 'title' | 'metadata' | 'after'> {
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether a request for the code may have reached the platform, so that the platform may have created the code. */
  readonly requested: boolean;
  readonly expected?: ExpectedCode | undefined;
  readonly code: string | null;
  /** What created the code. While the code is not known: what perhaps created it; null if nobody requested the code. */
  readonly madeBy: CodeOrigin | null;
  /** When the Worker got the code, and for which API key; null for a shopper. */
  readonly codeAt?: number | undefined;
  readonly codeFor?: string | null | undefined;
  /**
   * Set after the platform refused to create the code because it had the order before the Worker first asked: another
   * system created it. Until the merchant's server adopts the order, it has no code and no money.
   */
  readonly foreign?: true | undefined;
  /** Set after the merchant's server adopted an order of another system. */
  readonly knownBefore?: true | undefined;
  /** The last change of amount or split that was sent to the platform and has no answer. */
  readonly change?: SentChange | undefined;
  /** The largest amount that the platform may have, if nobody knows which change it made last. */
  readonly mayCost?: Kurus | undefined;
  /** Set after the merchant's server changed the order at the platform. */
  readonly changed?: true | undefined;
  /** Set after the person was forgotten: no name is stored any more. */
  readonly forgotten?: true | undefined;
  /** The API key with which the merchant's server placed or cancelled the order; missing if it did not. */
  readonly placedBy?: string | undefined;
  readonly cancelledBy?: string | undefined;
  /** The same of who said that it is complete, and of who changed it at the platform last. */
  readonly completedBy?: string | undefined;
  readonly changedBy?: {readonly apiKey: string} | undefined;
  /**
   * Set while the code was requested and the sweep does not know it. The next view of a page tells the sweep the code,
   * or else the alarm at `retryAt`. If the request was interrupted, the sweep finds the order's money by its reference
   * for an hour. The sweep reads money that it saw before as soon as it knows the code.
   */
  readonly untracked?: Failures | undefined;
  readonly completedAt: number | null;
  /** When the merchant cancelled the order. */
  readonly cancelledAt?: number | undefined;
  /**
   * Set when a search that began after the time to pay has not found the missing money. Until then, it may have been
   * sent in time, so the merchant still awaits it. Pages show that the time to pay has passed at once.
   */
  readonly expired?: true | undefined;
  /** Ids of the money that did not count when the order closed, and was reported as unmatched. */
  readonly unmatched?: readonly string[] | undefined;
  readonly offer?: string | undefined;
  /** What the page that ordered said of the order. Nobody has proven it. */
  readonly page?: PageFacts | undefined;
  /** Set if a page with a bill's link made the order. */
  readonly shared?: true | undefined;
  /** Set when a page read the order at least a minute after it was placed; see `isWanted`. */
  readonly wasRead?: true | undefined;
  /** The terms of the session of a page that placed the order. These terms stay the same when the order changes. */
  readonly placed?: Pick<OrderTerms, 'amount' | 'hours'> | undefined;
  /** When a hand-off last moved the order to another device. */
  readonly handedOverAt?: number | undefined;
  /** The latest time at which the payment page that the shopper opened closes; undefined if no page was opened. */
  readonly pageUntil?: number | undefined;
  /** Tickets of the counters that count this order as unpaid, until it is paid. A ticket has HMACs and times. */
  readonly unpaid?: readonly Ticket[] | undefined;
  /** The last payment notices, newest last, without personal data. */
  readonly notices?: readonly StoredNotice[] | undefined;
  /** The checks of the status of the money; missing if nobody needs to know it. */
  readonly checks?: StatusChecks | undefined;
}

export interface StatusChecks {
  /** When the first money came. The times of all checks follow from it. */
  readonly since: number;
  /** Set if statuses are read at once: of `all` money, or only of `new` money, whose status was never read. */
  readonly asked?: 'all' | 'new';
}

/** The running request of the merchant's server for the order code, while nobody has requested it before. */
export interface ExpectedCode {
  /**
   * The fields that apply again if the request is refused. Null if the order is stored only for this request, and is
   * deleted if it is refused.
   */
  readonly before: Partial<OrderRecord> | null;
}

/**
 * The initial content of the payment notice form. It never contains an identity number: the shopper types that number,
 * and the Worker passes it on without storing it.
 */
export interface Prefill {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * What the merchant's server sends about an order in addition to its terms. After the platform may have created the
 * code, only what the platform does not get may change: all except `parts` and `userId`.
 */
export interface Preparation {
  /** The API key of the merchant's server. */
  readonly by?: string | undefined;
  /** How a marketplace's order is split. */
  readonly parts?: OrderParts | undefined;
  readonly userId?: string | undefined;
  readonly prefill?: Prefill | undefined;
  /** What pages ask the shopper for. */
  readonly asked?: AskedBuyer | null | undefined;
  /** How many hours the shopper has to pay, if the request for the code says it. */
  readonly hours?: number | undefined;
  /** The seller that pages show. */
  readonly seller?: Seller | undefined;
  /** What pages say that the shopper buys. */
  readonly title?: Localized | undefined;
  /** For the merchant alone: no page gets it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What pages do once all money has arrived. */
  readonly after?: AfterPayment | undefined;
}

export interface StoredPage {
  readonly url: string;
  /** ISO 8601 with `+03:00`; null when the platform does not say. */
  readonly expiresAt: string | null;
  /** The amount to pay on this page. */
  readonly amount: Kurus;
  /** Until when the page is returned again. */
  readonly givenUntil: number;
}

/** Changes an order. The function must be pure: it runs immediately before the result is written. */
export type Change = (order: OrderState, now: number) => OrderState;

const NOT_REQUESTED = {requested: false};

/** When the order is deleted. By then no session can read it any more, and late money has had time to arrive. */
export function closesAt({
  createdAt,
  expiresAt,
  pageUntil = 0,
}: Pick<OrderRecord, 'createdAt' | 'expiresAt' | 'pageUntil'>): number {
  return Math.max(Math.max(createdAt, expiresAt) + READ_WINDOW_MS, pageUntil);
}

/**
 * How long the sweep looks for an order's money while the platform has not confirmed the code. Each request for the code
 * starts the time again. The sweep looks longer as soon as it knows the code.
 */
const UNCONFIRMED_CODE_MS = HOUR_MS;

/** Until when the sweep looks for the order's money. */
export function trackedUntil(record: OrderRecord, now: number): number {
  return record.code === null ? now + UNCONFIRMED_CODE_MS : closesAt(record);
}

/** Whether the sweep has to learn of the order: the platform may have created a code that the sweep does not know. */
export function isUntracked({code, requested, untracked}: OrderRecord): boolean {
  return untracked !== undefined && (code !== null || requested);
}

/** Whether the shopper can pay: the order has a code, or the platform's payment page was opened. */
export function isPayable({code, pageUntil}: OrderRecord): boolean {
  return code !== null || pageUntil !== undefined;
}

/** States of a payment notice that the platform has received. */
export const SUBMITTED: ReadonlySet<string> = new Set(['processing', 'approved']);

/**
 * Whether pages show the payment itself. Otherwise they show what their terms say. Money may arrive although the answer
 * with the code was lost.
 */
export function isVisible(record: OrderRecord, {arrivals}: OrderMoney): boolean {
  return isPayable(record) || record.cancelledAt !== undefined || arrivals.length > 0;
}

/** The facts that determine the state of the payment. */
export function factsOf(record: OrderRecord, {arrivals, charges, refunds, earlier}: OrderMoney): PaymentFacts {
  const {expiresAt, completedAt, cancelledAt, notices = [], handedOverAt} = record;
  // If the platform dropped a notice, or has found its money, it no longer looks for money.
  const isFound = (state: string | null) => state === 'approved' && arrivals.length > 0;
  const notice = notices.findLast(({state}) => state !== 'inactive' && !isFound(state));
  return {
    amount: costOf(record),
    expiresAt,
    completed: completedAt !== null,
    cancelled: cancelledAt !== undefined,
    arrivals: [...arrivals, ...charges],
    refunds,
    earlier,
    notice: notice ? {...notice, sent: notice.state === null ? null : SUBMITTED.has(notice.state)} : null,
    handedOverAt: handedOverAt ?? null,
  };
}

/**
 * The amount still to pay, as far as known; 0 when the order is paid or completed, because no page may ask a shopper to
 * pay twice. The amount in the record counts, because the merchant may have changed it after the session was created.
 */
export function dueOf({record, money}: OrderState, {amount}: Pick<OrderTerms, 'amount'>): Kurus {
  return record ? amountDue(factsOf(record, money)) : amount;
}

/** A stranger who places an order and never comes back does not read it after this time. */
const READ_AGAIN_AFTER_MS = MINUTE_MS;

/** A page reads the payment, or leaves its open page. */
export function withView(order: OrderState, now: number): OrderState {
  const {record} = order;
  const isNews = record !== null && !isWanted(order) && now >= record.createdAt + READ_AGAIN_AFTER_MS;
  return isNews ? withRecord(order, {wasRead: true}) : order;
}

/**
 * Whether anybody wants the order: the merchant's server made or cancelled it, a page read it again, or money or a
 * notice met it. Nobody hears of any other order, and the archive does not keep it, because anybody can place orders
 * for an offer.
 */
export function isWanted({record, money, journal}: OrderState): boolean {
  if (!record) return false;
  const {offer, shared, wasRead, cancelledAt, notices = []} = record;
  const hasMoney = journal.count > 0 || money.arrivals.length > 0 || money.charges.length > 0;
  return (
    offer === undefined ||
    shared === true ||
    wasRead === true ||
    cancelledAt !== undefined ||
    notices.length > 0 ||
    hasMoney
  );
}

/** Whether the books have the order, from when somebody wants it, and it can be paid or has money. */
export function isBooked(order: OrderState): boolean {
  const {record, money, journal} = order;
  if (record === null || journal.state !== undefined) return record !== null;
  return isWanted(order) && (isPayable(record) || moneyOf(money).length > 0);
}

/** All money of the order, also money that does not count towards the amount, oldest first. Charges have no bank. */
export function moneyOf({arrivals, charges}: OrderMoney): OrderArrival[] {
  return [...arrivals, ...charges].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The order with these fields of its record; unchanged if it has no record. */
export function withRecord<T extends OrderState>(order: T, change: Partial<OrderRecord>): T {
  const {record} = order;
  if (!record) return order;
  const isChanged = Object.entries(change).some(([key, value]) => record[key as keyof OrderRecord] !== value);
  return isChanged ? {...order, record: {...record, ...change}} : order;
}

/** The order, which gets a record from the terms if it has none. */
export function opened(
  order: OrderState,
  {service, order: reference, amount, hours, offer, title, seller, shared}: OrderTerms,
  now: number,
  by?: string,
): OrderState & {readonly record: OrderRecord} {
  const {record} = order;
  return {
    ...order,
    record: record ?? {
      service,
      order: reference,
      amount,
      createdAt: now,
      expiresAt: now + hours * HOUR_MS,
      requested: false,
      code: null,
      madeBy: null,
      offer,
      ...(title && {title}),
      ...(seller && {seller}),
      ...(shared && {shared}),
      ...(by !== undefined && {placedBy: by}),
      completedAt: null,
    },
  };
}

/**
 * The amount of an order whose terms are fixed and different, so that `prepared` must not be used; otherwise null. The
 * terms are fixed after the platform may have created the code.
 */
export function conflictingAmount({record}: OrderState, terms: OrderTerms, {parts, userId}: Preparation): Kurus | null {
  if (!record || !isFixed(record)) return null;
  const [{amount}, cost] = [terms, costOf(record)];
  const isUnchanged =
    (amount === record.amount || amount === cost) &&
    areSameParts(parts, record.parts) &&
    (userId ?? record.userId) === record.userId;
  return isUnchanged ? null : cost;
}

function isFixed({requested, code}: OrderRecord): boolean {
  return requested || code !== null;
}

/**
 * The order with what the merchant's server sends before the order code is requested. The time to pay starts again with
 * each call, until the platform may have created the code.
 */
export function prepared(order: OrderState, terms: OrderTerms, preparation: Preparation, now: number): OrderState {
  const open = opened(order, terms, now, preparation.by);
  const {amount, hours} = terms;
  const {parts, userId} = preparation;
  const {expected} = open.record;
  const change = !isFixed(open.record)
    ? {
        amount,
        parts,
        userId,
        // What the books have of an order names the time at which it was placed.
        ...(!isPayable(open.record) && !isBooked(open) && {createdAt: now}),
        expiresAt: now + hours * HOUR_MS,
        expired: undefined,
      }
    : expected && {expected: {...expected, before: NOT_REQUESTED}};
  return presented(withRecord(open, {...change}), preparation);
}

/** The order with what the platform does not get, so that it may change at any time. */
export function presented(order: OrderState, preparation: Preparation): OrderState {
  const {prefill, asked, seller, title, metadata, after} = preparation;
  const told = {...(seller && {seller}), ...(title && {title}), ...(metadata && {metadata}), ...(after && {after})};
  return {...withAsked(withRecord(order, told), asked), prefill: prefill ?? order.prefill};
}

/**
 * The order with a payment page that the merchant's server opened. Until the platform may have created a code, or money
 * arrived, the last page says how much the order costs, and the shopper may pay until all pages have closed. The time to
 * pay of an order that is paid stays.
 */
export function withServerPage(
  order: OrderState,
  terms: OrderTerms,
  pageEnd: number,
  by: string,
  now: number,
): OrderState {
  const open = opened(order, {...terms, hours: (pageEnd - now) / HOUR_MS}, now, by);
  const {record, money} = open;
  if (isFixed(record)) return open;
  const hasMoney = money.arrivals.length + money.charges.length > 0;
  return withRecord(open, {
    ...(!hasMoney && {amount: terms.amount}),
    ...(pageEnd > record.expiresAt && !isPaid(factsOf(record, money)) && {expiresAt: pageEnd, expired: undefined}),
  });
}

/** The order, which stays even if the platform refuses the code that the merchant's server requested. */
export function retained(order: OrderState): OrderState {
  const {expected} = order.record ?? {};
  return expected?.before === null ? withRecord(order, {expected: {...expected, before: NOT_REQUESTED}}) : order;
}

/**
 * The order as cancelled by the merchant: the time to pay ends, no page asks for money, and money that arrives is for the
 * merchant to send back. Unchanged if money has arrived that was not sent back, except for a part of the amount.
 */
export function cancelled(order: OrderState, now: number, by?: string): OrderState {
  const {record, money} = order;
  if (!record || record.cancelledAt !== undefined || !mayCancel(factsOf(record, money), now)) return order;
  return withRecord(retained(order), {
    cancelledAt: now,
    ...(by && {cancelledBy: by}),
    expiresAt: Math.min(record.expiresAt, now),
  });
}

/** The order as complete, which means that the goods were supplied. */
export function completed(order: OrderState, now: number, by?: string | null): OrderState {
  if (order.record?.completedAt !== null) return order;
  return withRecord(order, {completedAt: now, expected: undefined, ...(by && {completedBy: by})});
}
