/**
 * Works out a payment's state from the order and the money that arrived. The functions are pure: they use no clock and
 * no storage.
 */

import type {OrderReference, ShownPaymentNotice, Payment, PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import {
  amountRefunded,
  earlierAmount,
  type EarlierMoney,
  isReadable,
  isRefunded,
  type SentRefund,
  sum,
} from './payment-amounts.ts';

/** A shopper's payment notice. */
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
export interface StoredNotice extends NoticeFacts {
  /** The platform's code of the notice. */
  readonly code: string;
  /** How many times the status was checked. */
  readonly asked: number;
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

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly arrivals: readonly Arrival[];
  readonly refunds: readonly SentRefund[];
  readonly earlier: EarlierMoney;
  readonly notice: NoticeFacts | null;
  /** When a hand-off moved the order to another device; null if that never happened. */
  readonly handedOverAt: number | null;
}

/** A payment without the reference of its order. */
export type PaymentSummary = Omit<Payment, keyof OrderReference>;

export function describePayment(facts: PaymentFacts, now: number, asOf: number): PaymentSummary {
  const totals = totalsOf(facts);
  const {paid, refunded} = totals;
  return {
    state: paymentState(facts, totals, now),
    amount: formatAmount(facts.amount),
    paid: formatAmount(paid),
    refunded: formatAmount(refunded),
    remaining: formatAmount(amountMissing(facts)),
    late: isLate(facts),
    unclear: facts.arrivals.some((arrival) => !isRefunded(arrival) && !isReadable(arrival)),
    notice: facts.notice && toShownNotice(facts.notice),
    transactions: [...facts.arrivals].sort(byTime).flatMap(toTransaction),
    handed_over_at: formatInstantOrNull(facts.handedOverAt),
    as_of: formatInstant(asOf),
  };
}

/**
 * The amount still to pay, as far as known; 0 when the order is paid or completed, because no page may ask a shopper to
 * pay twice.
 */
export function amountDue(facts: PaymentFacts): Kurus {
  return facts.completed ? 0 : amountMissing(facts);
}

/** What has not arrived yet. A refund changes nothing here, so no shopper is asked for refunded money again. */
function amountMissing(facts: PaymentFacts): Kurus {
  return Math.max(0, facts.amount - amountCounted(facts));
}

/** The money that counts towards the amount, refunded or not. This sum is never smaller than what is paid. */
function amountCounted(facts: PaymentFacts): Kurus {
  return sum(facts.arrivals.filter(isReadable)) - earlierAmount(facts);
}

function toShownNotice({at, bank, amount, sent}: NoticeFacts): ShownPaymentNotice {
  return {at: formatInstant(at), bank, amount: formatAmount(amount), sent};
}

/** Returns a list with the described transaction. The list is empty when the amount is unknown. */
function toTransaction({id, amount, currency, bank, at}: Arrival): Payment['transactions'] {
  return amount === null ? [] : [{id, amount: formatAmount(amount), currency, bank, at: formatInstant(at)}];
}

/** States in which no money is awaited. A second transfer or a refund may still follow, but this is rare. */
const SETTLED: ReadonlySet<PaymentState> = new Set<PaymentState>(['paid', 'overpaid', 'completed', 'refunded']);

export function isSettled({state}: Pick<Payment, 'state'>): boolean {
  return SETTLED.has(state);
}

/** Whether no money is awaited. For callers that need no description of the payment. */
export function areSettled(facts: PaymentFacts, now: number): boolean {
  return isSettled({state: paymentState(facts, totalsOf(facts), now)});
}

interface Totals {
  /** The money that arrived and was not refunded. */
  readonly paid: Kurus;
  readonly refunded: Kurus;
}

function totalsOf(facts: PaymentFacts): Totals {
  const refunded = amountRefunded(facts);
  return {paid: sum(facts.arrivals.filter(isReadable)) - refunded, refunded};
}

function paymentState(facts: PaymentFacts, totals: Totals, now: number): PaymentState {
  const {amount, arrivals, completed, expiresAt} = facts;
  const {paid} = totals;
  const counted = amountCounted(facts);
  if (isAllRefunded(arrivals, totals)) return 'refunded';
  if (completed) return 'completed';
  if (paid > amount) return 'overpaid';
  if (counted >= amount) return 'paid';
  if (counted > 0) return 'partial';
  return now >= expiresAt ? 'expired' : 'waiting';
}

function isAllRefunded(arrivals: readonly Arrival[], {paid, refunded}: Totals): boolean {
  const isBalanced = refunded > 0 && paid === 0;
  return arrivals.length > 0 && arrivals.every((arrival) => isRefunded(arrival) || (isBalanced && isReadable(arrival)));
}

/** Whether the money that arrived in time was not enough, and more money arrived later. */
function isLate(facts: PaymentFacts): boolean {
  const {amount, arrivals, expiresAt} = facts;
  const inTime = sum(arrivals.filter(isReadable).filter(({at}) => at <= expiresAt)) - earlierAmount(facts);
  return Math.max(0, inTime) < Math.min(amount, amountCounted(facts));
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
