/** What happened, as the accountant and the actors note it. Amounts are in kuruş, times in epoch milliseconds. */

import type {Situation} from './situations.ts';
import type {HttpRequest} from './stage/protocol.ts';

export const HOUR_MS = 3_600_000;
/** What the merchant's pages sell. */
export const OFFERS: Readonly<Record<string, {readonly kurus: number; readonly hours: number}>> = {
  gold: {kurus: 14_990, hours: 72},
  brief: {kurus: 5_000, hours: 1},
};
/** After so many attempts, an event is dead. */
export const ATTEMPTS = 15;
export const WEBHOOK_SECRET = 'sandbox-webhook-secret-that-is-long-enough';
/** The events of a refund's results, by the platform's statuses. */
export const RESULTS: ReadonlyMap<number, string> = new Map([
  [3, 'refund.settled'],
  [4, 'refund.failed'],
  [6, 'refund.failed'],
]);

/** A broken rule, whose name is the cause. */
export class Violation extends Error {}
export function violate(rule: string, message: string): never {
  throw new Violation(message, {cause: rule});
}

export type Json = Readonly<Record<string, unknown>>;
/** The statuses that the platform gave the refund, the newest last. */
type Refund = {readonly kurus: number; readonly wish: Wish; readonly statuses: number[]};

export class OrderBook {
  readonly ref: string;
  readonly kurus: number;
  readonly hours: number;
  /** The codes that the Worker told; more than one is a violation. */
  readonly codes = new Set<string>();
  codeAt = Infinity;
  isCodeLost = false;
  readonly money = new Map<string, {readonly kurus: number; readonly at: number}>();
  readonly refunds = new Map<string, Refund>();
  /** The money that the Worker has told anybody, and since when. */
  readonly told = new Map<string, number>();
  lastView: Json | null = null;
  readonly events: Event[] = [];

  constructor(ref: string, kurus: number, hours: number) {
    [this.ref, this.kurus, this.hours] = [ref, kurus, hours];
  }

  get arrived(): number {
    return amountOf(this.money.values());
  }

  get deadline(): number {
    return this.codeAt + this.hours * HOUR_MS;
  }

  get shownPaid(): number {
    return toKurus(this.lastView?.['paid'] ?? 0);
  }

  /** The money that was sent back, or only what the Worker must know of. The status -1 does not say so yet. */
  paidOut(isSure = false): number {
    const isCounted = ({statuses, wish}: Refund) =>
      statuses.at(-1) === 3 ? !isSure || wish.outcome !== 'unknown' : statuses.at(-1) === -1 && !isSure;
    return amountOf([...this.refunds.values()].filter(isCounted));
  }
}

/** Something that the merchant or a subscriber wants once. */
export interface Wish {
  readonly kind: 'refund' | 'complete' | 'cancel' | 'refund-charge' | 'subscribe';
  /** What the platform's call shows of it. */
  readonly mark: string;
  /** The order's reference, if it is about an order, and the amount of a charge. */
  readonly order: string;
  readonly amount: string;
  readonly request: HttpRequest;
  readonly madeAt: number;
  /** Calls that the platform may have carried out: done, or without an answer. */
  sent: number;
  readonly done: string[];
  outcome: 'pending' | 'done' | 'failed' | 'unknown';
  /** The code of the last answer; empty for a success. */
  code: string;
}

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly body: string;
  /** How often it was sent to the webhook. */
  attempts: number;
  isAccepted: boolean;
  isListed: boolean;
}

interface Clock {
  readonly now: number;
  readonly outages: ReadonlyMap<string, unknown>;
}

/** How long a server may repeat a request with its key. */
const KEY_MS = 71 * HOUR_MS;
/** Money that is not told after this time waits for a sweep that is behind. */
const SWEEP_MS = 6 * 60_000;
const hasUnsaid = ({told, events}: OrderBook): boolean =>
  [...told.keys()].some((id) => !events.some(({body}) => body.includes(id)));

/** What shoppers paid, what the merchant wanted, and what the platform did. */
export class Books {
  readonly situations = new Map<Situation, number>();
  readonly orders = new Map<string, OrderBook>();
  readonly wishes = new Map<string, Wish>();
  readonly events = new Map<string, Event>();
  /** Mobile numbers and names of people, which no log line may have. */
  readonly people = new Set<string>();
  /** Marks of cancellations that are done. */
  readonly cancelled = new Set<string>();
  readonly clock: Clock;
  disturbedAt = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  met(situation: Situation, isMet = true): void {
    if (isMet) this.situations.set(situation, (this.situations.get(situation) ?? 0) + 1);
  }

  moneyArrived(ref: string, id: string, kurus: number): void {
    const order = this.orders.get(ref);
    if (!order || order.money.has(id)) return;
    const before = order.arrived;
    this.met('money arrives during an outage', this.clock.outages.has('phs'));
    this.met('money arrives after the deadline', this.clock.now > order.deadline);
    this.met('money arrives in several parts', before > 0 && before < order.kurus);
    this.met('too much money arrives', before + kurus > order.kurus);
    this.met('money arrives after all was refunded', before > 0 && order.paidOut() >= before);
    this.met('an order is paid whose code was lost on its way', order.isCodeLost);
    order.money.set(id, {kurus, at: this.clock.now});
  }

  /** The refunds without a result, and their statuses. */
  openRefunds(): (readonly [id: string, status: number])[] {
    const refunds = [...this.orders.values()].flatMap((order) => Array.from(order.refunds));
    return refunds
      .map(([id, {statuses}]) => [id, statuses.at(-1) ?? 0] as const)
      .filter(([, status]) => !RESULTS.has(status));
  }

  /** The bank has begun to carry a refund out, and ended with this status. */
  refundSettled(id: string, status: number): void {
    const refund = [...this.orders.values()].flatMap(({refunds}) => refunds.get(id) ?? [])[0];
    if (!refund) return;
    refund.statuses.push(2, status);
    this.met('a refund fails', RESULTS.get(status) === 'refund.failed');
    const isAsked = ['pending', 'unknown'].includes(refund.wish.outcome);
    this.met('a result of a refund before the answer to its request', isAsked);
  }

  cancelledElsewhere(id: string): void {
    this.cancelled.add(cancelMark(id));
    this.met('a subscription is cancelled elsewhere');
  }

  wished(wish: Pick<Wish, 'kind' | 'mark' | 'request' | 'order' | 'amount'>): void {
    const key = wish.request.headers['idempotency-key'] ?? wish.mark;
    const fresh = {madeAt: this.clock.now, sent: 0, done: [], outcome: 'pending', code: ''} as const;
    if (!this.wishes.has(key)) this.wishes.set(key, {...wish, ...fresh, done: []});
  }

  /** Whether the Worker still remembers the request by its key. */
  isRepeatable({madeAt, request}: Wish): boolean {
    return request.headers['idempotency-key'] !== undefined && this.clock.now < madeAt + KEY_MS;
  }

  /** An object or the isolate ended, so requests that run may fail. */
  disturbed(): void {
    this.disturbedAt = this.clock.now;
    this.met('a kill between write and event', [...this.orders.values()].some(hasUnsaid));
  }

  timePassed(before: number): void {
    const {now, outages} = this.clock;
    for (const order of this.orders.values()) {
      const deadline = order.deadline;
      if (before >= deadline || deadline > now) continue;
      const untold = [...order.money].filter(([id]) => !order.told.has(id));
      this.met('a deadline passes during an outage', outages.has('phs') && order.money.size === 0);
      this.met(
        'a deadline during a sweep’s backlog',
        untold.some(([, {at}]) => at < deadline - SWEEP_MS),
      );
    }
  }
}

export const cancelMark = (id: string): string => `cancel/123/1/${id}`;
export const toKurus = (text: unknown): number => Math.round(Number(text) * 100);
export const toText = (kurus: number): string => (kurus / 100).toFixed(2);
export const amountOf = (entries: Iterable<{readonly kurus: number}>): number =>
  [...entries].reduce((total, {kurus}) => total + kurus, 0);
export const list = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];
export const idsIn = (view: Json): string[] => list(view['transactions']).map(({id}) => String(id));

/** The largest sum of some of the amounts, but not all of them, that is at most `most`. */
export function largestPart(amounts: readonly number[], most: number): number {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const sums = new Set([0]);
  for (const amount of amounts)
    for (const sum of Array.from(sums)) if (sum + amount <= most && sum + amount < total) sums.add(sum + amount);
  return Array.from(sums).reduce((best, sum) => Math.max(best, sum), 0);
}

export function parse(text: string | null | undefined): Json {
  try {
    return (JSON.parse(text ?? '') as Json | null) ?? {};
  } catch {
    return {};
  }
}
