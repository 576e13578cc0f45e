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

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly arrivals: readonly Arrival[];
  readonly notice: NoticeFacts | null;
  /** When a hand-off moved the order to another device; null if that never happened. */
  readonly handedOverAt: number | null;
}

/** Money that counts towards the amount. */
interface CountedArrival extends Arrival {
  readonly amount: Kurus;
}

export function describePayment(facts: PaymentFacts, now: number, asOf: number): Payment {
  const paid = amountPaid(facts);
  return {
    state: paymentState(facts, paid, now),
    amount: formatAmount(facts.amount),
    paid: formatAmount(paid),
    remaining: formatAmount(Math.max(0, facts.amount - paid)),
    late: isLate(facts),
    unclear: facts.arrivals.some((arrival) => !isRefunded(arrival) && !isCounted(arrival)),
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
  return facts.completed ? 0 : Math.max(0, facts.amount - amountPaid(facts));
}

function amountPaid({arrivals}: PaymentFacts): Kurus {
  return sum(arrivals.filter(isCounted));
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

function paymentState({amount, arrivals, completed, expiresAt}: PaymentFacts, paid: Kurus, now: number): PaymentState {
  if (arrivals.length > 0 && arrivals.every(isRefunded)) return 'refunded';
  if (completed) return 'completed';
  if (paid > amount) return 'overpaid';
  if (paid === amount) return 'paid';
  if (paid > 0) return 'partial';
  return now >= expiresAt ? 'expired' : 'waiting';
}

/** Whether the money that arrived in time was not enough, and more money arrived later. */
function isLate({amount, arrivals, expiresAt}: PaymentFacts): boolean {
  const counted = arrivals.filter(isCounted);
  const inTime = counted.filter(({at}) => at <= expiresAt);
  return inTime.length < counted.length && sum(inTime) < amount;
}

function sum(arrivals: readonly CountedArrival[]): Kurus {
  return arrivals.reduce((total, {amount}) => total + amount, 0);
}

/** Whether the money counts: the amount is known, in lira and not refunded. */
function isCounted(arrival: Arrival): arrival is CountedArrival {
  return arrival.amount !== null && arrival.currency === 'TRY' && !isRefunded(arrival);
}

function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
