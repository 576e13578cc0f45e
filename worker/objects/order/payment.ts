/**
 * Works out a payment's state from the order and its money: what arrived, what was sent back, and what counts towards
 * the amount. The functions are pure: they use no clock and no storage.
 */

import type {OrderReference, ShownPaymentNotice, Payment, PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';

/** A payment notice, from the shopper or from the merchant's server. */
export interface NoticeFacts {
  /** When the notice was created, epoch milliseconds. */
  readonly at: number;
  /** A bank's code. */
  readonly bank: string;
  /** The amount of the transfer, as the shopper gave it. */
  readonly amount: Kurus;
  /** Whether the shopper submitted the notice on the platform's page; null if the platform does not show it. */
  readonly sent: boolean | null;
}

/** A payment notice, and when its status was checked. Times are epoch milliseconds. */
export interface StoredNotice extends Omit<NoticeFacts, 'sent'> {
  /** The platform's code of the notice. */
  readonly code: string;
  /** The API key with which the merchant's server made the notice; missing for a shopper. */
  readonly by?: string | undefined;
  /** The name of the platform's status; null if the platform does not show the notice. */
  readonly state: string | null;
  /** When the status was last checked; before the first check, when the notice was created. */
  readonly askedAt: number;
  /** When the alarm checks the status next; null if only viewers cause a check. */
  readonly dueAt: number | null;
  /**
   * True if the code is not the notice's id. The platform has no notice of this order under the code, so the notice's
   * status cannot be checked.
   */
  readonly unreadable?: true | undefined;
}

/** Money of an order. */
export interface PaidArrival extends Arrival {
  /**
   * Whether the money came after the time to pay. It is decided when the amount of the money is known, and again only if
   * its time turns out to be another: later, the order may get more time.
   */
  readonly overdue?: boolean | undefined;
}

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly cancelled: boolean;
  readonly arrivals: readonly PaidArrival[];
  readonly refunds: readonly SentRefund[];
  readonly earlier: EarlierMoney;
  readonly notice: NoticeFacts | null;
  /** When a hand-off moved the order to another device; null if that never happened. */
  readonly handedOverAt: number | null;
}

/** A payment without the reference of its order. */
export type PaymentSummary = Omit<Payment, keyof OrderReference | 'revision'>;

export function describePayment(facts: PaymentFacts, now: number, asOf: number): PaymentSummary {
  const totals = totalsOf(facts);
  const {paid, refunded} = totals;
  const state = paymentState(facts, totals, now);
  return {
    state,
    amount: formatAmount(facts.amount),
    currency: 'TRY',
    paid: formatAmount(paid),
    refunded: formatAmount(refunded),
    refunding: formatAmount(
      Math.min(
        paid,
        sumOf(facts.refunds, ({onItsWay = 0}) => onItsWay),
      ),
    ),
    remaining: formatAmount(amountMissing(facts)),
    late: isLate(facts),
    overdue: now >= facts.expiresAt && (state === 'partial' || state === 'expired'),
    unclear: facts.arrivals.some((arrival) => !isRefunded(arrival) && !isCounted(arrival)),
    notice: facts.notice && toShownNotice(facts.notice),
    transactions: [...facts.arrivals].sort(byTime).flatMap(toTransaction),
    handed_over_at: formatInstantOrNull(facts.handedOverAt),
    as_of: formatInstant(asOf),
  };
}

/**
 * The amount still to pay, as far as known; 0 when the order is paid, completed or cancelled, because no page may ask a
 * shopper to pay twice, or for what nobody sells any more.
 */
export function amountDue(facts: PaymentFacts): Kurus {
  return facts.completed || facts.cancelled ? 0 : amountMissing(facts);
}

/** What has not arrived yet. A refund changes nothing here, so no shopper is asked for refunded money again. */
function amountMissing(facts: PaymentFacts): Kurus {
  const pending = sum(facts.arrivals.filter(isReadable).filter((arrival) => arrival.pending));
  return Math.max(0, facts.amount - amountCounted(facts) - pending);
}

/** The money that counts towards the amount, refunded or not. This sum is never smaller than what is paid. */
function amountCounted(facts: PaymentFacts): Kurus {
  return sum(facts.arrivals.filter(isCounted)) - earlierAmount(facts);
}

function toShownNotice({at, bank, amount, sent}: NoticeFacts): ShownPaymentNotice {
  return {at: formatInstant(at), bank, amount: formatAmount(amount), sent};
}

/** Returns a list with the described transaction. The list is empty when the amount is unknown. */
function toTransaction({id, amount, currency, bank, at, timeUnknown}: Arrival): Payment['transactions'] {
  if (amount === null) return [];
  const time = {at: formatInstant(at), ...(timeUnknown && {time_unknown: timeUnknown})};
  return [{id, amount: formatAmount(amount), currency, bank, ...time}];
}

/** States in which no money is awaited. A second transfer or a refund may still follow, but this is rare. */
const SETTLED: ReadonlySet<PaymentState> = new Set<PaymentState>([
  'paid',
  'overpaid',
  'completed',
  'refunded',
  'cancelled',
]);

/** Whether the merchant may cancel the order: money that arrived for it would have to be sent back first. */
export function mayCancel(facts: PaymentFacts, now: number): boolean {
  return ['waiting', 'partial', 'expired', 'refunded'].includes(paymentState(facts, totalsOf(facts), now));
}

export function isSettled({state}: Pick<Payment, 'state'>): boolean {
  return SETTLED.has(state);
}

/** Whether no money is awaited. For callers that need no description of the payment. */
export function areSettled(facts: PaymentFacts, now: number): boolean {
  return isSettled({state: paymentState(facts, totalsOf(facts), now)});
}

/** Whether the whole amount has arrived and was not sent back. */
export function isPaid(facts: PaymentFacts): boolean {
  return totalsOf(facts).paid >= facts.amount;
}

/** Whether the time to pay ends, or has ended, without all money; see `Payment.overdue`. */
export function isUnpaidAtEnd(facts: PaymentFacts): boolean {
  const state = paymentState(facts, totalsOf(facts), facts.expiresAt);
  return state === 'partial' || state === 'expired';
}

interface Totals {
  /** The money that arrived and was not refunded. */
  readonly paid: Kurus;
  readonly refunded: Kurus;
}

function totalsOf(facts: PaymentFacts): Totals {
  const refunded = amountRefunded(facts);
  return {paid: sum(facts.arrivals.filter(isCounted)) - refunded, refunded};
}

function paymentState(facts: PaymentFacts, totals: Totals, now: number): PaymentState {
  const {amount, arrivals, completed, cancelled, expiresAt} = facts;
  const {paid} = totals;
  const counted = amountCounted(facts);
  if (isAllRefunded(arrivals, totals)) return 'refunded';
  if (completed) return 'completed';
  // Whatever arrives now is not what the merchant delivers for.
  if (cancelled) return 'cancelled';
  // Until the money counts, nobody knows how much is missing.
  const isPending = arrivals.some((arrival) => arrival.pending);
  if (isPending && (counted < amount || paid === 0)) return 'pending';
  if (paid > amount) return 'overpaid';
  if (counted >= amount) return 'paid';
  if (counted > 0) return 'partial';
  return now >= expiresAt ? 'expired' : 'waiting';
}

function isAllRefunded(arrivals: readonly Arrival[], {paid, refunded}: Totals): boolean {
  const isBalanced = refunded > 0 && paid === 0;
  return arrivals.length > 0 && arrivals.every((arrival) => (isCounted(arrival) ? isBalanced : isRefunded(arrival)));
}

const isOverdue = ({overdue, at}: PaidArrival, expiresAt: number) => overdue ?? at > expiresAt;

/** Money of which it is decided whether it is overdue; the same value if that was decided before, or cannot be yet. */
export function withOverdueDecided<T extends PaidArrival>(arrival: T, expiresAt: number): T {
  if (arrival.overdue !== undefined || arrival.amount === null) return arrival;
  return {...arrival, overdue: isOverdue(arrival, expiresAt)};
}

/** The same payment if its overdue money counted that waits for its status. */
export function withOverdueCounted(facts: PaymentFacts): PaymentFacts {
  const counted = (each: PaidArrival) => (isOverdue(each, facts.expiresAt) ? {...each, pending: undefined} : each);
  return {...facts, arrivals: facts.arrivals.map(counted)};
}

/** Whether the money that arrived in time was not enough, and more money arrived later. */
export function isLate(facts: PaymentFacts): boolean {
  const {amount, arrivals, expiresAt} = facts;
  const overdue = arrivals.filter((each) => isOverdue(each, expiresAt));
  // What was sent back of an earlier payment was overdue itself, as far as it could be.
  const earlierInTime = earlierAmount(facts) - amountOf({...facts, arrivals: overdue}, currentEarlier(facts).ids);
  const inTime = sum(arrivals.filter(isCounted)) - sum(overdue.filter(isCounted)) - Math.max(0, earlierInTime);
  return Math.max(0, inTime) < Math.min(amount, amountCounted(facts));
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

/** What is known of a refund. */
export interface SentRefund {
  /** How much was sent back; 0 while the refund is on its way, and if it failed. */
  readonly amount: Kurus;
  /** How much the platform is sending back; missing if the refund has a result. */
  readonly onItsWay?: Kurus | undefined;
  /** Id of the refunded transaction; null if the platform does not name it. */
  readonly transactionId: string | null;
}

/**
 * Money of an earlier payment: all of this money was sent back, and then other money arrived. The earlier money does
 * not count towards the amount, except for the part whose refund failed in the end.
 */
export interface EarlierMoney {
  readonly ids: readonly string[];
  /**
   * How much of this money counts again, because its refund failed. This sum never falls; otherwise a later refund
   * could raise the amount that is still to pay.
   */
  readonly restored: Kurus;
  /**
   * If all money has been sent back, the ids of all this money; otherwise empty. When other money arrives, this money
   * becomes the earlier money.
   */
  readonly returned: readonly string[];
}

export const NO_EARLIER_MONEY: EarlierMoney = {ids: [], restored: 0, returned: []};

/** What determines the amounts. */
interface ArrivedMoney {
  readonly arrivals: readonly Arrival[];
  readonly refunds: readonly SentRefund[];
  readonly earlier: EarlierMoney;
}

/** Money whose amount is known and in lira. */
interface CountedArrival extends Arrival {
  readonly amount: Kurus;
}

/** How much of the arrived money belongs to an earlier payment, and does not count. Never more than was refunded. */
function earlierAmount(money: ArrivedMoney): Kurus {
  const {ids, restored} = currentEarlier(money);
  return Math.max(0, Math.min(amountOf(money, ids) - restored, amountRefunded(money)));
}

function amountOf({arrivals}: ArrivedMoney, ids: readonly string[]): Kurus {
  const counted = new Set(ids);
  return counted.size === 0 ? 0 : sum(arrivals.filter(isCounted).filter(({id}) => counted.has(id)));
}

/**
 * What must be stored of the earlier money after a change; the same value if nothing changes.
 * @param isAllReturned - Whether all money is sent back now.
 */
export function nextEarlier(money: ArrivedMoney, isAllReturned: boolean): EarlierMoney {
  const {ids} = currentEarlier(money);
  const next = {
    ids,
    restored: amountOf(money, ids) - earlierAmount(money),
    returned: isAllReturned ? money.arrivals.map(({id}) => id) : [],
  };
  return isSame(next, money.earlier) ? money.earlier : next;
}

/**
 * The earlier money as it is now. If a new payment has begun since the last change was stored, the money in `returned`
 * is the earlier money.
 */
function currentEarlier({arrivals, earlier}: ArrivedMoney): Pick<EarlierMoney, 'ids' | 'restored'> {
  const {returned} = earlier;
  const known = new Set(returned);
  const isNew = known.size > 0 && arrivals.filter(isCounted).some(({id}) => !known.has(id));
  return isNew ? {ids: returned, restored: 0} : earlier;
}

/**
 * How much of the arrived money was sent back. The platform shows this in two ways: each refund is a record, which may
 * name its transaction, and a transaction has the status `refunded`, of which the contract does not say whether a part,
 * or a refund of the same order, is enough. So the statuses count only if the order has no record. A charge, which has no
 * bank, has only its status. A refund does not count if the order does not have its transaction, or if the amount of its
 * transaction is unknown.
 */
function amountRefunded({arrivals, refunds}: Pick<ArrivedMoney, 'arrivals' | 'refunds'>): Kurus {
  const readable = arrivals.filter(isCounted);
  const recorded = sumOf(recordedRefunds({arrivals, refunds}), ({amount}) => amount);
  return Math.max(0, Math.min(sum(readable), recorded + sum(returnedByStatus({arrivals, refunds}))));
}

function recordedRefunds({arrivals, refunds}: Pick<ArrivedMoney, 'arrivals' | 'refunds'>): readonly SentRefund[] {
  const known = new Set(arrivals.filter(isCounted).map(({id}) => id));
  return refunds.filter(({transactionId}) => transactionId === null || known.has(transactionId));
}

/** The money of which only its status says that it was sent back. */
export function returnedByStatus(money: Pick<ArrivedMoney, 'arrivals' | 'refunds'>): readonly CountedArrival[] {
  const hasRecords = recordedRefunds(money).length > 0;
  return money.arrivals
    .filter(isCounted)
    .filter((arrival) => isRefunded(arrival) && !(arrival.bank !== null && hasRecords));
}

function sum(arrivals: readonly CountedArrival[]): Kurus {
  return sumOf(arrivals, ({amount}) => amount);
}

/** Whether the money counts: the amount is known and in lira, and its status does not say that it must wait. */
function isCounted(arrival: Arrival): arrival is CountedArrival {
  return isReadable(arrival) && !arrival.pending;
}

/** Whether the amount is known and in lira. */
function isReadable(arrival: Arrival): arrival is CountedArrival {
  return arrival.amount !== null && arrival.currency === 'TRY';
}

function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}

/** Whether two values have the same content. Both values must be JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
