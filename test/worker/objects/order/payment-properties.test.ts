/** Tests rules that hold for a payment after any sequence of transfers, refunds, refunds that fail, and late money. */

import {expect, test} from 'vitest';
import {parseAmount} from '../../../../worker/lib/money.ts';
import {EMPTY_JOURNAL} from '../../../../worker/objects/order/journal.ts';
import {nextEvent} from '../../../../worker/objects/order/order-events.ts';
import type {OrderRecord} from '../../../../worker/objects/order/order-state.ts';
import {
  describePayment,
  type EarlierMoney,
  nextEarlier,
  NO_EARLIER_MONEY,
  type SentRefund,
} from '../../../../worker/objects/order/payment.ts';
import type {Arrival} from '../../../../worker/platform/to-payment.ts';

const AMOUNT = 14990;
const EXPIRES_AT = 1000;
const SEQUENCES = 600;
const STEPS = 14;
const UNPAID: ReadonlySet<string> = new Set(['waiting', 'partial', 'expired']);

/** A small generator of numbers from 0 to 1 (mulberry32), so that a failing sequence can be repeated by its seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kurus = (text: string): number => parseAmount(text) ?? NaN;

type Step = 'arrive' | 'refund' | 'fail' | 'status';

/** One order, whose money changes step by step as `concluded` would see it. */
class SimulatedOrder {
  arrivals: Arrival[] = [];
  refunds: SentRefund[] = [];
  earlier: EarlierMoney = NO_EARLIER_MONEY;
  last = EMPTY_JOURNAL.told;
  #now = 0;

  constructor(private readonly random: () => number) {}

  /** Changes the money. @returns false if the step is not possible now. */
  change(step: Step): boolean {
    const {paid} = this.read();
    const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(this.random() * list.length)];
    this.#now += 150;
    if (step === 'arrive') {
      const amount = one([14990, 10000, 4990, 20000, 1]) ?? 0;
      const id = String(this.arrivals.length + 1);
      this.arrivals.push({id, amount, currency: 'TRY', bank: 'TEB', at: this.#now, state: 'unknown'});
    } else if (step === 'refund') {
      const amount = Math.min(paid, one([paid, 10000, 4990, 9000, 1]) ?? 0);
      if (amount === 0) return false;
      this.refunds.push({amount, transactionId: this.random() < 0.5 ? null : (one(this.arrivals)?.id ?? null)});
    } else if (step === 'fail') {
      const refund = one(this.refunds);
      if (!refund) return false;
      this.refunds = this.refunds.filter((other) => other !== refund);
    } else {
      const arrival = one(this.arrivals);
      if (!arrival || arrival.state === 'refunded') return false;
      this.arrivals = this.arrivals.map((other) => (other === arrival ? {...other, state: 'refunded'} : other));
    }
    return true;
  }

  read() {
    const facts = {
      amount: AMOUNT,
      expiresAt: EXPIRES_AT,
      completed: false,
      notice: null,
      cancelled: false,
      handedOverAt: null,
      arrivals: this.arrivals,
      refunds: this.refunds,
      earlier: this.earlier,
    };
    const payment = describePayment(facts, this.#now, this.#now);
    const {state} = payment;
    const [paid, refunded, remaining] = [kurus(payment.paid), kurus(payment.refunded), kurus(payment.remaining)];
    return {facts, payment, state, paid, refunded, remaining};
  }

  /** Stores and reports the change. @returns the event, or null. */
  notify() {
    const {facts, payment, state} = this.read();
    this.earlier = nextEarlier(facts, state === 'refunded');
    const next = nextEvent({expiresAt: EXPIRES_AT, code: '1'} as OrderRecord, payment, this.last);
    this.last = next?.told ?? this.last;
    return next?.type ?? null;
  }
}

test('no refund raises the amount left to pay, and no event asks for the delivery of an order that is not paid', () => {
  const events = new Set<string | null>();
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const random = randomNumbers(seed);
    const order = new SimulatedOrder(random);
    const story: string[] = [];
    let isDelivered = false;
    let deliveredCount = 0;
    for (let index = 0; index < STEPS; index += 1) {
      const step = (['arrive', 'arrive', 'refund', 'refund', 'fail', 'status'] as const)[Math.floor(random() * 6)];
      const before = order.read();
      if (!step || !order.change(step)) continue;
      const now = order.read();
      const type = order.notify();
      events.add(type);
      story.push(`${step} ${now.state} ${now.paid} ${now.refunded} ${now.remaining} ${type}`);
      const context = `seed ${seed}\n${story.join('\n')}`;
      const stored = order.read();
      expect([stored.state, stored.remaining], `storing changes nothing: ${context}`).toEqual([
        now.state,
        now.remaining,
      ]);
      const arrived = order.arrivals.reduce((total, {amount}) => total + (amount ?? 0), 0);
      expect(now.paid + now.refunded, context).toBe(arrived);
      expect(now.paid, context).toBeGreaterThanOrEqual(0);
      // A page never asks for more than what is missing.
      expect(now.remaining, context).toBeLessThanOrEqual(Math.max(0, AMOUNT - now.paid));
      if (step !== 'arrive' || before.state !== 'refunded')
        expect(now.remaining, context).toBeLessThanOrEqual(before.remaining);
      if (!UNPAID.has(before.state) && before.state !== 'refunded') expect(UNPAID.has(now.state), context).toBe(false);
      if (step === 'refund' || step === 'status')
        if (before.state === 'refunded') expect(now.state, context).toBe('refunded');
      if (type === 'payment.received' || type === 'payment.overpaid') {
        expect(now.paid, context).toBeGreaterThanOrEqual(AMOUNT);
        // The order asks the merchant to deliver again only if another transfer has arrived since the last request.
        expect(order.arrivals.length, context).toBeGreaterThan(deliveredCount);
        isDelivered = true;
        deliveredCount = order.arrivals.length;
      }
      if (now.paid >= AMOUNT) expect(isDelivered, `a paid order is reported: ${context}`).toBe(true);
    }
  }
  for (const type of ['received', 'overpaid', 'partial', 'refunded', 'changed'])
    expect(events).toContain(`payment.${type}`);
});
