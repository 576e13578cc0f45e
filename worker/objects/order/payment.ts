/** What a payment's state is, from the order and the money that arrived. Pure: no clock, no storage. */

import type {ShownPaymentNotice, Payment, PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';

/** How a marketplace order is shared out (orders 2.2). */
export interface MarketplaceSplit {
  /** Decimal text, as all money here that only passes through. */
  readonly payout?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly fee?: string | undefined;
}

/** What a shopper said of a transfer without a code. */
export interface NoticeFacts {
  /** When it was given, epoch milliseconds. */
  readonly at: number;
  /** A bank's code. */
  readonly bank: string;
  /** What they say they sent. */
  readonly amount: Kurus;
  /** Whether they submitted it on the platform's page. */
  readonly sent: boolean;
}

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly arrivals: readonly Arrival[];
  readonly notice: NoticeFacts | null;
  /** When another device took the order over; null while none did. */
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

/** What is still to be paid, as far as anybody has heard; 0 when nothing is: nobody may be led to pay it a second time. */
export function amountDue(facts: PaymentFacts): Kurus {
  return facts.completed ? 0 : Math.max(0, facts.amount - amountPaid(facts));
}

function amountPaid({arrivals}: PaymentFacts): Kurus {
  return sum(arrivals.filter(isCounted));
}

function toShownNotice({at, bank, amount, sent}: NoticeFacts): ShownPaymentNotice {
  return {at: formatInstant(at), bank, amount: formatAmount(amount), sent};
}

/** None where nobody can say how much it was. */
function toTransaction({id, amount, currency, bank, at}: Arrival): Payment['transactions'] {
  return amount === null ? [] : [{id, amount: formatAmount(amount), currency, bank, at: formatInstant(at)}];
}

/** States in which nothing is awaited. What may follow (a second transfer, a refund) comes seldom. */
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

/** Whether what was there in time did not suffice and more came after. */
function isLate({amount, arrivals, expiresAt}: PaymentFacts): boolean {
  const counted = arrivals.filter(isCounted);
  const inTime = counted.filter(({at}) => at <= expiresAt);
  return inTime.length < counted.length && sum(inTime) < amount;
}

function sum(arrivals: readonly CountedArrival[]): Kurus {
  return arrivals.reduce((total, {amount}) => total + amount, 0);
}

/** Known to be so much, in lira, and not refunded. */
function isCounted(arrival: Arrival): arrival is CountedArrival {
  return arrival.amount !== null && arrival.currency === 'TRY' && !isRefunded(arrival);
}

function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
