/**
 * Decides what follows from a change of an order: in the order itself, and for everybody who has to learn of it. The
 * functions are pure. `Order` writes and carries out their results.
 */

import type {Context} from '../../context.ts';
import type {PaymentState} from '../../contract/browser/answers.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import type {OrderSummary, PastArrival} from '../archive/order-history-store.ts';
import {type OrderSnapshot, type PaymentEvent, toSummary} from '../events/entry.ts';
import type {NewEvent} from '../events/event.ts';
import type {Ticket} from '../limits/counting.ts';
import {callsEnd, type OrderStory} from './order-calls.ts';
import {withEntries, withReports} from './order-entries.ts';
import {nextEvent, unmatchedEvent} from './order-events.ts';
import {isAmountUnclear} from './order-parts.ts';
import {
  type Change,
  closesAt,
  factsOf,
  isBooked,
  isPayable,
  isUntracked,
  isWanted,
  isVisible,
  moneyOf,
  type OrderArrival,
  type OrderMoney,
  type OrderRecord,
  type OrderState,
  SUBMITTED,
  withRecord,
} from './order-state.ts';
import {
  areSettled,
  describePayment,
  isSame,
  isSettled,
  nextEarlier,
  type PaymentSummary,
  withOverdueDecided,
} from './payment.ts';

/** Why an order may have changed. */
export type Cause =
  /** Anything that has no name of its own below. */
  | {readonly is: 'change'}
  /** The service delivers what it found at `asOf`, and learns from the answer whether the order awaits more money. */
  | {readonly is: 'poll'; readonly asOf: number}
  /** A page requested the code. The page opens its payment as soon as it has the code. */
  | {readonly is: 'code-request'}
  /** The platform has created a payment notice. */
  | {readonly is: 'notice'; readonly notice: EventData<'payment_notice.created'>}
  /** Pages view the order, or stop to view it. */
  | {readonly is: 'view'; readonly by: ViewChange}
  /** The alarm repeats what was not carried out, and reports what follows from the passing of time. */
  | {readonly is: 'alarm'};

/**
 * What the parts of an order get: they read the order, and change it only by `commit`, so that no change is without its
 * effects.
 */
export interface OrderAccess {
  /** The order as it is stored now. It may be another one after every `await`. */
  readonly state: () => OrderState;
  /** Everything outside the order. @throws {ConfigError} */
  readonly services: () => Context;
  /** Writes the change and carries out what follows from it; see `Order`. */
  readonly commit: (change: Change, cause?: Cause) => Promise<void>;
}

/** What somebody has to learn of a change. */
export type OrderEffect =
  /** The metrics count the state that the payment reached. */
  | {readonly is: 'reached'; readonly state: PaymentState}
  /** The log and the metrics record money that arrived. */
  | {readonly is: 'arrivals'; readonly arrivals: readonly Arrival[]; readonly state: PaymentState}
  /** The metrics count a new order code. */
  | {readonly is: 'code'}
  /** Open pages show the payment. */
  | {readonly is: 'push'; readonly payment: PaymentSummary}
  /** The counters that counted this order as unpaid are credited. */
  | {readonly is: 'credit'; readonly tickets: readonly Ticket[]}
  /** The outbox gets the new entries of the journal, which perhaps report an event. */
  | {readonly is: 'hand over'; readonly isReported: boolean}
  /** The service learns whether the order awaits money, if a page views the order. */
  | {readonly is: 'watch'; readonly settled: boolean}
  /** The service learns that a page views the order, or that the last page has left. */
  | {readonly is: 'view'; readonly settled: boolean; readonly by: ViewChange}
  /** The service learns the order's code, and in the same call which pages view the order. */
  | {readonly is: 'track'; readonly settled: boolean; readonly by: ViewChange | null};

/** A page reads the payment, opens its socket, or was the last page to close its socket. */
export type ViewChange = 'read' | 'open' | 'leave';

/** When the effects are decided. Epoch milliseconds. */
export interface Moment {
  readonly now: number;
  /** When the platform was last polled. */
  readonly asOf: number;
  /** When this instance of the object last wrote the order and reported it; missing after the object woke. */
  readonly since?: number | undefined;
  /** Whether a page has an open socket. */
  readonly listens?: boolean;
}

/** Events that do not count as a new state: the payment changed within its state, or its money was withdrawn. */
const SAME_STATE: ReadonlySet<PaymentEvent> = new Set<PaymentEvent>(['payment.changed', 'payment.withdrawn']);

export function paymentOf(record: OrderRecord, money: OrderMoney, {now, asOf}: Moment): PaymentSummary {
  return describePayment(factsOf(record, money), now, asOf);
}

/** An order after a change, and what has to be carried out because of it alone. */
export interface Conclusion {
  readonly order: OrderState;
  /** What the metrics count, and the credit of a paid order. */
  readonly news: readonly OrderEffect[];
}

/**
 * The order with everything that its changed facts imply for its other facts, and with what the change adds to its
 * journal. Repeating this function changes nothing and returns the same value, so nothing is lost if the process died
 * before.
 * @param before - The order as it was stored.
 */
export function concluded(
  before: OrderState,
  changed: OrderState,
  now: number,
  cause: Cause = {is: 'change'},
): Conclusion {
  const {record} = changed;
  const notices = noticeEvents(before, changed, cause, now);
  if (!record) {
    const isOver = now >= (callsEnd(changed) ?? now);
    const order = isOver && changed.calls.length > 0 ? {...changed, calls: []} : changed;
    return {order: withReports(order, notices, now), news: []};
  }
  const money = withOverdueMarked(record, changed.money);
  const payment = paymentOf(record, money, {now, asOf: now});
  const {state} = payment;
  const settled = isSettled(payment);
  // The shopper can send no money without a code or a payment page, and no search follows after the order has closed.
  const expired = record.expired ?? ((payment.overdue && (!isPayable(record) || now >= closesAt(record))) || undefined);
  const isAwaited = state === 'expired' && !expired;
  // An order is credited at most once, and not after it has expired or was cancelled.
  const isCounted = (record.unpaid?.length ?? 0) > 0 && (settled || (state === 'expired' && !isAwaited));
  const news = isAwaited || !isWanted(changed) ? null : nextEvent(record, payment, changed.journal.told);
  // Money that does not count is lost with the order, so the merchant has to look after it.
  const {unmatched = []} = record;
  const lost =
    now < closesAt(record) ? [] : money.arrivals.filter(({id, pending}) => pending && !unmatched.includes(id));
  const earlier = nextEarlier(factsOf(record, money), state === 'refunded');
  const implied = {
    money: earlier === money.earlier ? money : {...money, earlier},
    // A paid order needs no payment notice.
    prefill: settled ? null : changed.prefill,
  };
  const isKnown = implied.money === changed.money && implied.prefill === changed.prefill;
  const decided = withRecord(isKnown ? changed : {...changed, ...implied}, {
    // Nobody needs to know of later changes of this money, so the money's status is not read again.
    checks: record.completedAt !== null || state === 'refunded' ? undefined : record.checks,
    expired,
    ...(isCounted && {unpaid: []}),
    ...(lost.length > 0 && {unmatched: [...unmatched, ...lost.map(({id}) => id)]}),
  });
  const reports = [...notices, ...lost.map((arrival) => unmatchedEvent(record, arrival, now))];
  const shown = shownOf(decided.record ?? record, decided.money, now);
  const isKept = before !== decided && isBooked(decided) && !isSame(toSummary(shown), archived(before, now));
  const told = withEntries(before, decided, {
    payment,
    news,
    shown: {...shown, story: storyOf(decided)},
    isKept,
    now,
  });
  const order = withReports(told, reports, now);
  return {
    order,
    news: [
      ...(news && !SAME_STATE.has(news.type) ? [{is: 'reached', state} as const] : []),
      ...(isCounted && settled && state !== 'cancelled' ? [{is: 'credit', tickets: record.unpaid ?? []} as const] : []),
    ],
  };
}

function withOverdueMarked({expiresAt}: OrderRecord, money: OrderMoney): OrderMoney {
  const mark = (list: readonly OrderArrival[]) => list.map((each) => withOverdueDecided(each, expiresAt));
  const next = {...money, arrivals: mark(money.arrivals), charges: mark(money.charges)};
  return isSame(next, money) ? money : next;
}

/**
 * What has to be carried out after a change, in this sequence.
 * @param before - The order as it was stored.
 * @param conclusion - The order after the change.
 */
export function effectsOf(
  before: OrderState,
  {order: after, news}: Conclusion,
  cause: Cause,
  moment: Moment,
): readonly OrderEffect[] {
  const {record, money} = after;
  const added = after.journal.pending.slice(before.journal.pending.length);
  const isReported = added.some(({tells, report}) => tells ?? report);
  const tells = added.length > 0 ? [{is: 'hand over', isReported} as const] : [];
  if (!record) return tells;
  const isRepeat = cause.is === 'alarm';
  // A closed order awaits no money.
  const reports = moment.now < closesAt(record) ? reportsOf(before, after, record, cause, moment) : [];
  if (before === after && !isRepeat && !hasExpired(record, moment)) return reports;
  // The order looks different without a change too, once its time to pay has passed since the last commit.
  const then = {now: moment.since ?? record.createdAt, asOf: moment.asOf};
  const payment = paymentOf(record, money, moment);
  const known = before.record && paymentOf(before.record, before.money, then);
  const isShown = isVisible(record, money) && (isRepeat || !isSame(known, payment));
  return [
    ...arrivedSince(before.money, money, payment.state),
    ...news,
    ...(record.code !== null && !before.record?.code ? [{is: 'code'} as const] : []),
    ...(isShown ? [{is: 'push', payment} as const] : []),
    ...tells,
    ...reports,
  ];
}

/** Whether the time to pay ended after the last commit. */
export function hasExpired(record: OrderRecord | null, {now, since}: Omit<Moment, 'asOf'>): boolean {
  return record !== null && now >= record.expiresAt && (since ?? record.createdAt) < record.expiresAt;
}

function arrivedSince(before: OrderMoney, after: OrderMoney, state: PaymentState): OrderEffect[] {
  if (before === after) return [];
  const known = new Set(moneyOf(before).map(({id}) => id));
  const arrivals = moneyOf(after).filter(({id}) => !known.has(id));
  return arrivals.length > 0 ? [{is: 'arrivals', arrivals, state}] : [];
}

/** What the service has to learn. */
function reportsOf(
  before: OrderState,
  {money}: OrderState,
  record: OrderRecord,
  cause: Cause,
  moment: Moment,
): OrderEffect[] {
  const {now} = moment;
  const settled = areSettled(factsOf(record, money), now);
  const by = cause.is === 'view' ? cause.by : null;
  if (mayTrack(record, cause, moment)) return [{is: 'track', settled, by}];
  if (record.code === null && (record.pageUntil ?? 0) <= now) return [];
  if (by !== null) return [{is: 'view', settled, by}];
  const wasSettled = before.record !== null && areSettled(factsOf(before.record, before.money), now);
  // Who delivered the money learns this from the answer.
  const isNews = cause.is === 'alarm' || (settled !== wasSettled && cause.is !== 'poll');
  return isNews ? [{is: 'watch', settled}] : [];
}

/**
 * Whether the sweep learns of the order now. A page that has just requested the code opens its payment next, and the
 * sweep learns the code with this view. After a failure, the next try waits until `retryAt`.
 */
function mayTrack(record: OrderRecord, cause: Cause, {now, listens = false}: Moment): boolean {
  const {untracked, code} = record;
  if (!untracked || !isUntracked(record)) return false;
  const isViewNext = cause.is === 'code-request' && !(listens && code !== null);
  const mustWait = untracked.failures > 0 || isViewNext;
  return !mustWait || now >= untracked.retryAt;
}

/** A new notice, also of an order that is not stored here, and the notices that the platform has, approved or dropped. */
function noticeEvents(before: OrderState, {record}: OrderState, cause: Cause, at: number): NewEvent[] {
  const created: NewEvent[] =
    cause.is === 'notice'
      ? [{type: 'payment_notice.created', key: cause.notice.notice_code, at, data: cause.notice}]
      : [];
  const known = new Map(before.record?.notices?.map(({code, state}) => [code, state]));
  const changed = (record?.notices ?? []).flatMap(({code, bank, amount, state}): NewEvent[] => {
    if (!record || !known.has(code) || known.get(code) === state || !isToldState(state)) return [];
    const {service, order} = record;
    const data = {service, order, amount: formatAmount(amount), bank_code: bank, notice_code: code, state};
    return [{type: 'payment_notice.changed', key: [code, state].join('\n'), at, data}];
  });
  return [...created, ...changed];
}

function isToldState(state: string | null): state is EventData<'payment_notice.changed'>['state'] {
  return state !== null && (SUBMITTED.has(state) || state === 'inactive');
}

/** The payment as the merchant's server sees it: an order expires when a search has found no money; see `expired`. */
export function withToldState(payment: PaymentSummary, {expired}: OrderRecord): PaymentSummary {
  return payment.state === 'expired' && !expired ? {...payment, state: 'waiting'} : payment;
}

function toPastArrival({id, amount, currency, bank, at, timeUnknown}: Arrival): PastArrival {
  return {id, amount, currency, bank, at, ...(timeUnknown && {timeUnknown})};
}

/** What the timeline tells of an order beside its books and events. */
export function storyOf({record, calls}: OrderState): OrderStory {
  const {code = null, codeAt, codeFor, madeBy = null, handedOverAt} = record ?? {};
  return {code, codeAt, codeFor, madeBy, handedOverAt, calls};
}

/** The order as the archive keeps it; null if it does not. */
export function archived(order: OrderState, now: number): OrderSummary | null {
  const {record, money} = order;
  return record && isBooked(order) ? toSummary(shownOf(record, money, now)) : null;
}

/** The order as events and the archive show it. */
function shownOf(record: OrderRecord, money: OrderMoney, now: number): Omit<OrderSnapshot, 'at'> {
  const {
    service,
    order,
    userId = null,
    code,
    offer,
    title = null,
    metadata = {},
    page,
    createdAt,
    expiresAt,
    completedAt,
    cancelledAt = null,
    parts,
    knownBefore,
  } = record;
  const {state, amount, paid, refunded, refunding, remaining, late, unclear} = withToldState(
    paymentOf(record, money, {now, asOf: now}),
    record,
  );
  return {
    service,
    order,
    code,
    state,
    userId,
    createdAt,
    offer: offer ?? null,
    title,
    metadata,
    page,
    expiresAt,
    completedAt,
    cancelledAt,
    amount,
    paid,
    refunded,
    ...(parseAmount(refunding) && {refunding}),
    remaining,
    late,
    unclear,
    ...(isAmountUnclear(record) && {amountUnclear: true}),
    money: moneyOf(money).map(toPastArrival),
    parts,
    knownBefore,
  };
}
