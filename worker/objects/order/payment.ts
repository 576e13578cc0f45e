/**
 * Works out a payment's state from the order and the money that arrived. The functions are pure: they use no clock and
 * no storage.
 */

import type {ShownPaymentNotice, Payment, PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';

/** How a marketplace order's money is split (`docs/spec/orders.md`, 2.2). */
export interface MarketplaceSplit {
  /** Text that the Worker passes on unchanged. */
  readonly payout?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly fee?: string | undefined;
}

/** The amounts of an order by sub-merchant id. The order's amount is their sum. */
export type OrderParts = Readonly<Record<string, Kurus>>;

/** Whether the named split matches the order's split. A field that is left out matches. */
export function isSameSplit(named: MarketplaceSplit = {}, known: MarketplaceSplit = {}): boolean {
  return (['payout', 'subMerchantId', 'fee'] as const).every(
    (field) => (named[field] ?? known[field]) === known[field],
  );
}

/** The split after a change. Fields that the change leaves out stay as they were. */
export function mergeSplit(known: MarketplaceSplit = {}, change: MarketplaceSplit): MarketplaceSplit {
  return {
    payout: change.payout ?? known.payout,
    subMerchantId: change.subMerchantId ?? known.subMerchantId,
    fee: change.fee ?? known.fee,
  };
}

/**
 * The parts of an order after the merchant's server added the part of another sub-merchant, or changed a part that is
 * known. Null if the order has one sub-merchant or none.
 */
export function partsWith(
  {
    amount,
    split,
    parts,
  }: {readonly amount: Kurus; readonly split?: MarketplaceSplit | undefined; readonly parts?: OrderParts | undefined},
  added: Kurus,
  {subMerchantId: id}: MarketplaceSplit,
): OrderParts | null {
  const first = split?.subMerchantId;
  if (first === undefined || id === undefined || (!parts && first === id)) return null;
  return {...(parts ?? {[first]: amount}), [id]: added};
}

/** A shopper's payment notice. */
export interface NoticeFacts {
  /** When the notice was made, epoch milliseconds. */
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
  /** When the status was last checked; before the first check, when the notice was made. */
  readonly askedAt: number;
  /** When the alarm checks the status next; null if only viewers cause a check. */
  readonly dueAt: number | null;
  /** True if the code is no id: the platform has no notice of this order under it, so its status cannot be checked. */
  readonly unreadable?: true | undefined;
}

/** Money that a refund sent back. */
export interface SentRefund {
  readonly amount: Kurus;
  /** Id of the refunded transaction; null if the platform does not name it. */
  readonly transactionId: string | null;
}

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly arrivals: readonly Arrival[];
  readonly refunds: readonly SentRefund[];
  /** Ids of money that had all been sent back before other money arrived. */
  readonly returned: readonly string[];
  readonly notice: NoticeFacts | null;
  /** When a hand-off moved the order to another device; null if that never happened. */
  readonly handedOverAt: number | null;
}

/** Money that counts towards the amount. */
interface CountedArrival extends Arrival {
  readonly amount: Kurus;
}

export function describePayment(facts: PaymentFacts, now: number, asOf: number): Payment {
  const refunded = amountRefunded(facts);
  const paid = sum(facts.arrivals.filter(isReadable)) - refunded;
  return {
    state: paymentState(facts, {paid, refunded}, now),
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
 * The amount still to pay, as far as known. It is 0 when the order is paid or completed, because no page may ask a
 * shopper to pay twice.
 */
export function amountDue(facts: PaymentFacts): Kurus {
  return facts.completed ? 0 : amountMissing(facts);
}

/** What has not arrived yet. A refund changes nothing here, so no shopper is asked for refunded money again. */
function amountMissing(facts: PaymentFacts): Kurus {
  return Math.max(0, facts.amount - sum(currentArrivals(facts)));
}

/**
 * The money that counts towards the amount, whether or not it was refunded. If all earlier money had been sent back
 * before the last money arrived, the payment began anew, and the earlier money does not count.
 */
function currentArrivals({arrivals, returned}: PaymentFacts): CountedArrival[] {
  const readable = arrivals.filter(isReadable);
  const later = readable.filter(({id}) => !returned.includes(id));
  return later.length > 0 ? later : readable;
}

/**
 * How much of the arrived money was sent back. The platform shows it twice: a transaction has the status `refunded` if
 * all of it was sent back, and each refund is a record, which may name its transaction. Money that both show counts
 * once.
 */
function amountRefunded({arrivals, refunds}: PaymentFacts): Kurus {
  const readable = arrivals.filter(isReadable);
  const unreadable = new Set(arrivals.flatMap((arrival) => (isReadable(arrival) ? [] : [arrival.id])));
  const counted = refunds.filter(({transactionId}) => transactionId === null || !unreadable.has(transactionId));
  let unassigned = totalOf(counted);
  let refunded = 0;
  let withoutRecord = 0;
  for (const arrival of readable) {
    const named = counted.filter(({transactionId}) => transactionId === arrival.id);
    const recorded = Math.min(arrival.amount, totalOf(named));
    unassigned -= recorded;
    refunded += isRefunded(arrival) ? arrival.amount : recorded;
    if (isRefunded(arrival)) withoutRecord += arrival.amount - recorded;
  }
  return Math.max(0, Math.min(sum(readable), refunded + Math.max(0, unassigned - withoutRecord)));
}

function totalOf(refunds: readonly SentRefund[]): Kurus {
  return refunds.reduce((amount, refund) => amount + refund.amount, 0);
}

function toShownNotice({at, bank, amount, sent}: NoticeFacts): ShownPaymentNotice {
  return {at: formatInstant(at), bank, amount: formatAmount(amount), sent};
}

/** Describes the transaction in a list, which is empty when the amount is unknown. */
function toTransaction({id, amount, currency, bank, at}: Arrival): Payment['transactions'] {
  return amount === null ? [] : [{id, amount: formatAmount(amount), currency, bank, at: formatInstant(at)}];
}

/** States in which no money is awaited. A second transfer or a refund may still follow, but this is rare. */
const SETTLED: ReadonlySet<PaymentState> = new Set<PaymentState>(['paid', 'overpaid', 'completed', 'refunded']);

export function isSettled({state}: Payment): boolean {
  return SETTLED.has(state);
}

interface Totals {
  /** The money that arrived and was not refunded. */
  readonly paid: Kurus;
  readonly refunded: Kurus;
}

function paymentState(facts: PaymentFacts, totals: Totals, now: number): PaymentState {
  const {amount, arrivals, completed, expiresAt} = facts;
  const {paid} = totals;
  const arrived = sum(currentArrivals(facts));
  if (isAllRefunded(arrivals, totals)) return 'refunded';
  if (completed) return 'completed';
  if (paid > amount) return 'overpaid';
  if (arrived >= amount) return 'paid';
  if (arrived > 0) return 'partial';
  return now >= expiresAt ? 'expired' : 'waiting';
}

function isAllRefunded(arrivals: readonly Arrival[], {paid, refunded}: Totals): boolean {
  const isBalanced = refunded > 0 && paid === 0;
  return arrivals.length > 0 && arrivals.every((arrival) => isRefunded(arrival) || (isBalanced && isReadable(arrival)));
}

/** Whether the money that arrived in time was not enough, and more money arrived later. */
function isLate(facts: PaymentFacts): boolean {
  const {amount, expiresAt} = facts;
  const counted = currentArrivals(facts);
  const inTime = counted.filter(({at}) => at <= expiresAt);
  return inTime.length < counted.length && sum(inTime) < amount;
}

function sum(arrivals: readonly CountedArrival[]): Kurus {
  return arrivals.reduce((total, {amount}) => total + amount, 0);
}

/** Whether the money can be counted: the amount is known and in lira. */
function isReadable(arrival: Arrival): arrival is CountedArrival {
  return arrival.amount !== null && arrival.currency === 'TRY';
}

function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
