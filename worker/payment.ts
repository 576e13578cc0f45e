/** What a payment's state is, from the order and the money that arrived. Pure: no clock, no storage. */
import type {Payment, PaymentState} from './contract/browser.ts';
import {formatInstant} from './instant.ts';
import {formatAmount, type Kurus} from './money.ts';

/** How a marketplace order is shared out (orders 2.2). */
export interface Split {
  /** Decimal text, as all money here that only passes through. */
  readonly payout?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly fee?: string | undefined;
}

/** What the shopper owes. It comes from a session or the merchant's server, never from a page. */
export interface OrderTerms {
  readonly service: string;
  /** The merchant's reference. */
  readonly order: string;
  readonly amount: Kurus;
  /** How long the shopper has to pay. */
  readonly hours: number;
  /** The offer they are from; none where the merchant's server named them. */
  readonly offer?: string | undefined;
}

/** A transaction at the platform: money that arrived. */
export interface Arrival {
  readonly id: string;
  readonly amount: Kurus;
  readonly currency: string;
  readonly bank: string;
  /** The bank's time, epoch milliseconds. */
  readonly at: number;
  /** Word for the platform's status; `unknown` until it was asked. */
  readonly state: string;
}

export interface PaymentFacts {
  readonly amount: Kurus;
  readonly expiresAt: number;
  readonly completed: boolean;
  readonly arrivals: readonly Arrival[];
}

export function describePayment(facts: PaymentFacts, now: number, asOf: number): Payment {
  const paid = sum(facts.arrivals);
  return {
    state: stateOf(facts, paid, now),
    amount: formatAmount(facts.amount),
    paid: formatAmount(paid),
    remaining: formatAmount(Math.max(0, facts.amount - paid)),
    late: isLate(facts),
    notice: null,
    transactions: [...facts.arrivals].sort(byTime).map(({id, amount, currency, bank, at}) => ({
      id,
      amount: formatAmount(amount),
      currency,
      bank,
      at: formatInstant(at),
    })),
    as_of: formatInstant(asOf),
  };
}

function stateOf({amount, arrivals, completed, expiresAt}: PaymentFacts, paid: Kurus, now: number): PaymentState {
  if (arrivals.length > 0 && arrivals.every(isRefunded)) return 'refunded';
  if (completed) return 'completed';
  if (paid > amount) return 'overpaid';
  if (paid === amount) return 'paid';
  if (paid > 0) return 'partial';
  return now >= expiresAt ? 'expired' : 'waiting';
}

/** Whether what was there in time did not suffice and more came after. */
function isLate({amount, arrivals, expiresAt}: PaymentFacts): boolean {
  const inTime = arrivals.filter(({at}) => at <= expiresAt);
  return inTime.length < arrivals.length && sum(inTime) < amount;
}

/** What arrived in lira and was not refunded. */
function sum(arrivals: readonly Arrival[]): Kurus {
  return arrivals.reduce((total, arrival) => (isRefunded(arrival) || arrival.currency !== 'TRY' ? total : total + arrival.amount), 0);
}

function isRefunded({state}: Arrival): boolean {
  return state === 'refunded';
}

function byTime(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}
