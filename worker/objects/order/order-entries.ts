/** Decides what a change of an order adds to its journal. The functions are pure. */

import type {PaymentState} from '../../contract/browser/answers.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import {askedBy, balanceOf, type Booking, type DatedBooking, NO_DETAILS} from '../archive/booking.ts';
import type {Entry, OrderSnapshot} from '../events/entry.ts';
import type {NewEvent} from '../events/event.ts';
import type {OrderJournal} from './journal.ts';
import type {PaymentNews} from './order-events.ts';
import {
  factsOf,
  isBooked,
  moneyOf,
  type OrderArrival,
  type OrderMoney,
  type OrderRecord,
  type OrderState,
} from './order-state.ts';
import {isLate, isSame, type PaymentSummary, returnedByStatus, withOverdueCounted} from './payment.ts';

/** Takes back a refund that only the status of its money showed. It belongs to the same day. */
export function withdrawnRefund(settled: Booking): Booking {
  return {...settled, id: withdrawnId(settled.id), type: 'refund.withdrawn'};
}

const withdrawnId = (id: string) => id.replace(' back ', ' recorded ');

/**
 * The row that the books lack of a charge that was given back after its order was deleted.
 * @param rows - All rows of the charge, and of a transfer with the same id.
 */
export function chargeGivenBack(rows: readonly DatedBooking[], order: string, at: number): DatedBooking[] {
  const own = rows.filter((row) => row.order === order && row.method === 'charge');
  const arrived = own.find(({type}) => type === 'money.arrived');
  const amount = sumOf(own, balanceOf);
  if (!arrived || amount <= 0) return [];
  const turn = own.filter(({type}) => type === 'refund.settled').length;
  const id = ['given back', arrived.transaction, turn].join(' ');
  const dated = {at, day: formatPlatformDay(at), corrects: null};
  const cause = {by: 'platform', apiKey: null} as const;
  return [{...arrived, ...NOT_REACHED, ...dated, ...cause, timeUnknown: true, id, type: 'refund.settled', amount}];
}

/** Books are kept for 400 days, and an order exists for up to 97. */
const MAX_MONEY_AGE_MS = 300 * DAY_MS;
/** An entry with which the order reaches no state. */
const NOT_REACHED = {state: null, late: false, timeUnknown: false, sale: undefined} as const;
/** States in which the order is sold. */
const SOLD: ReadonlySet<PaymentState> = new Set(['paid', 'overpaid', 'completed'] as const);

/** What is known of a change when its entries are decided. */
export interface Decided {
  readonly payment: PaymentSummary;
  /** The event that reports the payment; null if there is nothing to report. */
  readonly news: PaymentNews | null;
  /** The order as it is now. */
  readonly shown: Omit<OrderSnapshot, 'at'>;
  /** Whether the archive has to learn it. */
  readonly isKept: boolean;
  readonly now: number;
}

/** An entry without what all entries of an order have. */
type Draft = Pick<Entry, 'what' | 'at'> & Partial<Entry>;

/** The order with the entries of a change. @param before - The order as it was stored. */
export function withEntries(
  before: OrderState,
  after: OrderState,
  {payment, news, shown, isKept, now}: Decided,
): OrderState {
  const {record, journal} = after;
  if (!record) return after;
  const isPlaced = journal.state !== undefined;
  const isInBooks = isBooked(after);
  const {drafts, money} = isInBooks
    ? moneyDrafts(isPlaced ? before : null, record, after, now)
    : {drafts: [], money: after.money};
  // What was told before the books have the order is booked with its first row.
  const isTold = news !== null || (!isPlaced && journal.told.fact !== '');
  const reached = isTold && payment.state !== (journal.state ?? 'waiting') ? payment.state : null;
  const isSale = isInBooks && reached !== null && SOLD.has(reached) && !journal.sold;
  const isOverdue = isInBooks && record.expired === true && payment.overdue && payment.state === 'partial';
  const isNewlyOverdue = isOverdue && journal.overdueSince !== record.expiresAt;
  const rows = [
    ...(isInBooks && reached ? withState(drafts, reached, news?.by ?? null, isSale, {before, record, now}) : drafts),
    ...(isInBooks ? noticeDrafts(isPlaced ? before : null, record) : []),
    ...(isNewlyOverdue ? [{what: 'order.overdue', at: record.expiresAt, by: 'worker'} as const] : []),
  ];
  const all: readonly Draft[] = (news || isKept) && rows.length === 0 ? [{what: 'order.noted', at: now}] : rows;
  const shownAt = news || isKept ? Math.max(now, (journal.shownAt ?? 0) + 1) : null;
  const {order, code, amount: due} = record;
  const common = {...NO_DETAILS, order, code, due};
  const entries = all.map((draft, index): Entry => {
    const id = draft.id ?? idOf(record, journal.count + index);
    const isLast = index === all.length - 1 && shownAt !== null;
    const told = isLast && {snapshot: {...shown, at: shownAt}, tells: news?.type, isKept};
    return Object.assign({id}, common, told, draft);
  });
  if (entries.length === 0) return money === after.money ? after : {...after, money};
  return withAdded({...after, money}, entries, {
    told: news?.told ?? journal.told,
    ...(isInBooks && {state: reached ?? journal.state ?? 'waiting'}),
    ...(shownAt && {shownAt}),
    ...(isSale && {sold: true}),
    ...(isNewlyOverdue && {overdueSince: record.expiresAt}),
  });
}

/** The order, also one that is not stored here, with events that need no other entry. */
export function withReports(order: OrderState, reports: readonly NewEvent[], at: number): OrderState {
  const {count} = order.journal;
  const toEntry = (report: NewEvent, index: number): Entry =>
    Object.assign({id: [report.key, count + index].join(' '), what: 'order.noted' as const, at, report}, NO_DETAILS);
  return reports.length === 0 ? order : withAdded(order, reports.map(toEntry), {});
}

function withAdded(order: OrderState, entries: readonly Entry[], change: Partial<OrderJournal>): OrderState {
  const {journal} = order;
  const [count, pending] = [journal.count + entries.length, [...journal.pending, ...entries]];
  return {...order, journal: {...journal, ...change, count, pending}};
}

/** An order that is placed again under the reference of a deleted one has other ids: it was created at another time. */
function idOf({createdAt}: OrderRecord, number: number, ...what: readonly string[]): string {
  return [createdAt, ...what, number].join(' ');
}

/**
 * What the books learn of an order and of its money, and the money with what the journal says of it.
 * @param before - Null if the books do not have the order.
 */
function moneyDrafts(
  before: OrderState | null,
  record: OrderRecord,
  {money, journal}: OrderState,
  now: number,
): {readonly drafts: readonly Draft[]; readonly money: OrderMoney} {
  const facts = factsOf(record, money);
  // The row is written before the status of its money is known.
  const isLateNow = isLate(withOverdueCounted(facts));
  const all = moneyOf(money);
  const left = new Set(all.map(keyOf));
  const booked = before ? moneyOf(before.money) : [];
  const known = new Set(booked.map(keyOf));
  // Money that is gone, or whose row has another time, amount or `late` than it has now.
  const wrong = booked.filter((each) => !left.has(keyOf(each)) || !each.late === !!(isLateNow && each.overdue));
  const shown = new Set(returnedByStatus(facts).map(keyOf));
  const {userId = null} = record;
  const drafts: Draft[] = [];
  if (!before)
    drafts.push({what: 'order.placed', at: record.createdAt, state: 'waiting', userId, ...askedBy(record.placedBy)});
  else if (isAmended(before, record))
    drafts.push({what: 'order.amended', at: now, userId, ...amendedBy(before, record)});
  for (const each of wrong) {
    known.delete(keyOf(each));
    drafts.push(toWithdrawn(record, each, now));
    if (each.returned) drafts.push(toWithdrawnRefund(record, each, each.returned));
  }
  const marked = new Map<string, OrderArrival>();
  for (const each of all) {
    const key = keyOf(each);
    let {late, returned} = each;
    if (!known.has(key)) {
      late = (isLateNow && each.overdue) || undefined;
      returned = undefined;
      drafts.push(toArrived(record, {...each, late}));
    }
    if (shown.has(key) && !returned) {
      returned = {id: idOf(record, journal.count + drafts.length, 'back'), at: now};
      drafts.push(toSettled(record, each, returned));
    } else if (!shown.has(key) && returned) {
      drafts.push(toWithdrawnRefund(record, each, returned));
      returned = undefined;
    }
    marked.set(key, late === each.late && returned === each.returned ? each : {...each, late, returned});
  }
  const marksOf = (list: readonly OrderArrival[]) => list.map((each) => marked.get(keyOf(each)) ?? each);
  const next = {...money, arrivals: marksOf(money.arrivals), charges: marksOf(money.charges)};
  return {drafts, money: isSame(next, money) ? money : next};
}

/** Names money as the books have it. A charge and a transfer may have the same id. */
function keyOf({id, bank, amount, at}: Pick<Arrival, 'id' | 'bank' | 'amount' | 'at'>): string {
  return [bank === null, id, amount, at].join(' ');
}

/** The payment notices that the books lack. @param before - Null if the books do not have the order. */
function noticeDrafts(before: OrderState | null, {notices = []}: OrderRecord): readonly Draft[] {
  const known = new Set(before?.record?.notices?.map(({code}) => code));
  return notices
    .filter(({code}) => !known.has(code))
    .map(({code: notice, at, by, amount}) =>
      Object.assign({what: 'notice.created', at, amount, notice} as const, askedBy(by)),
    );
}

function toArrived(
  {createdAt, knownBefore}: OrderRecord,
  {id, amount, currency, bank, at, timeUnknown, sender, receipt, late}: OrderArrival,
): Draft {
  return {
    what: 'money.arrived',
    by: 'shopper',
    // A bank may write any time, also one whose books are deleted.
    at: at < createdAt - MAX_MONEY_AGE_MS ? createdAt : at,
    late: late ?? false,
    timeUnknown: timeUnknown ?? false,
    knownBefore: knownBefore ?? false,
    amount,
    currency,
    bank,
    method: bank === null ? 'charge' : 'transfer',
    sender: sender ?? null,
    receipt: receipt ?? null,
    transaction: id,
  };
}

/** Takes money back. It belongs to the day of the money that it takes back. Who has the money now names its sender. */
function toWithdrawn(record: OrderRecord, arrival: OrderArrival, now: number): Draft {
  const arrived = toArrived(record, arrival);
  const dated = {day: formatPlatformDay(arrived.at), corrects: null};
  return {...arrived, timeUnknown: false, sender: null, ...dated, what: 'money.withdrawn', by: 'platform', at: now};
}

/** Money that only its status shows as sent back. @param entry - Which entry says so. */
function toSettled(record: OrderRecord, arrival: OrderArrival, entry: NonNullable<OrderArrival['returned']>): Draft {
  return {
    ...toArrived(record, arrival),
    late: false,
    timeUnknown: true,
    what: 'refund.settled',
    by: 'platform',
    ...entry,
  };
}

function toWithdrawnRefund(
  record: OrderRecord,
  arrival: OrderArrival,
  entry: NonNullable<OrderArrival['returned']>,
): Draft {
  return {...toSettled(record, arrival, entry), what: 'refund.withdrawn', id: withdrawnId(entry.id)};
}

/** The rows with the state that the order reached: with the row of this money, or with a row of its own. */
function withState(
  drafts: readonly Draft[],
  state: PaymentState,
  by: string | null,
  isSale: boolean,
  {before, record, now}: {readonly before: OrderState; readonly record: OrderRecord; readonly now: number},
): readonly Draft[] {
  const {offer = '', page} = record;
  const sale = isSale ? {sale: {offer, campaign: page?.campaign?.campaign ?? ''}} : {};
  const money = drafts.findLast(({what, transaction}) => what === 'money.arrived' && transaction === by);
  if (money) return drafts.map((draft) => (draft === money ? {...draft, state, ...sale} : draft));
  return [...drafts, {what: 'order.changed', at: now, ...causeOf(state, before, record), state, ...sale}];
}

/** Who caused a state that no new money caused, and when, if the order knows. */
function causeOf(state: PaymentState, before: OrderState, record: OrderRecord): Partial<Draft> {
  const {expiresAt, completedAt, completedBy, cancelledAt, cancelledBy} = record;
  switch (state) {
    case 'expired':
      return {at: expiresAt, by: 'worker'};
    case 'completed':
      return {...(completedAt !== null && {at: completedAt}), by: 'merchant', apiKey: completedBy ?? null};
    case 'cancelled':
      return {...(cancelledAt !== undefined && {at: cancelledAt}), by: 'merchant', apiKey: cancelledBy ?? null};
    default:
      return changerOf(before, record) ?? {};
  }
}

/** The server whose change at the platform this is; null if it is none. */
function changerOf({record: before}: OrderState, {changedBy}: OrderRecord): Pick<Entry, 'by' | 'apiKey'> | null {
  return changedBy && changedBy !== before?.changedBy ? {by: 'merchant', ...changedBy} : null;
}

/** Who changed how the order is found. A code that came after a payment page was opened may be a shopper's. */
function amendedBy(before: OrderState, record: OrderRecord): Partial<Draft> {
  return (
    changerOf(before, record) ?? {by: before.record?.code === null && record.code !== null ? 'worker' : 'merchant'}
  );
}

/** Whether the order's row in the books does not say how the order is found now. A forgotten user stays forgotten. */
function isAmended({record}: OrderState, {amount, code, userId = record?.userId}: OrderRecord): boolean {
  return !isSame([record?.amount, record?.code, record?.userId], [amount, code, userId]);
}
