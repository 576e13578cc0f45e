/** What happened, as the accountant and the actors note it. Amounts are in kuruş, times in epoch milliseconds. */

import type {Situation} from './situations.ts';
import type {HttpRequest} from './stage/protocol.ts';
import {amountOf, DAY_MS, HOUR_MS, type Json, MINUTE_MS, toKurus} from './values.ts';

/** The time after a payment's deadline in which the Worker still reports money. */
const READABLE_MS = 7 * DAY_MS;
/** After so many attempts, an event is dead. */
export const ATTEMPTS = 15;
/** The events of a refund's results, by the platform's statuses. */
export const RESULTS: Readonly<Record<number, string>> = {3: 'refund.settled', 4: 'refund.failed', 6: 'refund.failed'};

/** The shop about which the histories are, and another shop of the same Worker, which has an API key of its own. */
export const SHOP = 'DEMO';
export const NEIGHBOUR = 'DEMO2';

/** A broken rule, whose name is the cause. */
export class Violation extends Error {}
export function violate(rule: string, message: string): never {
  throw new Violation(message, {cause: rule});
}

/** The statuses that the platform gave the refund, the newest last. */
type Refund = {readonly kurus: number; readonly wish: Wish; readonly statuses: number[]};

type Arrived = {readonly kurus: number; readonly at: number};

export class OrderBook {
  readonly ref: string;
  /** What the order costs at the platform, and all amounts that it had or that the server wanted. */
  kurus: number;
  readonly amounts: Set<number>;
  /** Whether a change reached the platform so late that the Worker may have sent another one. */
  isOvertaken = false;
  /** Whether the Worker last said that it does not know which amount the platform has. */
  isUnclear = false;
  readonly hours: number;
  /** The codes that the Worker told; more than one is a violation. */
  readonly codes = new Set<string>();
  codeAt = Infinity;
  /** Whether an answer said until when the order may be paid; if not, `codeAt` is when its code was first told. */
  isTimed = false;
  isCodeLost = false;
  /** When the server first asked to cancel the order, and when the Worker first said that it is cancelled. */
  cancelAskedAt = Infinity;
  cancelledAt = Infinity;
  readonly money = new Map<string, Arrived>();
  /** Money that the shopper sent without the code. */
  readonly strays = new Map<string, Arrived>();
  readonly refunds = new Map<string, Refund>();
  /** The money that the Worker has told anybody, and since when. */
  readonly told = new Map<string, number>();
  lastView: Json | null = null;
  readonly events: Event[] = [];
  /** The order's rows in the books, newest first, and its timeline; missing while the server has not asked. */
  bookings: readonly Json[] | undefined;
  timeline: readonly Json[] | undefined;

  constructor(ref: string, kurus: number, hours: number) {
    [this.ref, this.kurus, this.hours, this.amounts] = [ref, kurus, hours, new Set([kurus])];
  }

  /** The second shop of the Worker names its orders with N. */
  get service(): string {
    return this.ref.startsWith('N-') ? NEIGHBOUR : SHOP;
  }

  get arrived(): number {
    return amountOf(this.money.values());
  }

  get deadline(): number {
    return Math.min(this.codeAt + this.hours * HOUR_MS, this.cancelAskedAt);
  }

  /** When the Worker may have deleted the order, give or take a day; from then on, it need not know of its money. */
  get closesAt(): number {
    return this.deadline + READABLE_MS - DAY_MS;
  }

  /** Money without the code that is not found by a notice. */
  get stray(): string | undefined {
    return [...this.strays.keys()].find((id) => !this.money.has(id));
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
  readonly kind: 'refund' | 'link' | 'complete' | 'cancel' | 'refund-charge' | 'subscribe' | 'notice';
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
  /** When it was first sent or listed. */
  readonly seenAt: number;
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly created_at: string;
  readonly body: string;
  /** How often it was sent to the webhook. */
  attempts: number;
  isAccepted: boolean;
  isListed: boolean;
}

type Clock = Readonly<{now: number; settings: {phsCalls: number | null}; outages: ReadonlyMap<string, unknown>}>;

/** How long a server may repeat a request with its key. */
const KEY_MS = 71 * HOUR_MS;
/** Money that is not told after this time waits for a sweep that is behind. */
const SWEEP_MS = 6 * MINUTE_MS;
const hasUnsaid = ({told, events}: OrderBook): boolean =>
  [...told.keys()].some((id) => !events.some(({body}) => body.includes(id)));

/** What shoppers paid, what the merchant wanted, and what the platform did. */
export class Books {
  readonly situations = new Map<Situation, number>();
  readonly orders = new Map<string, OrderBook>();
  readonly wishes = new Map<string, Wish>();
  readonly events = new Map<string, Event>();
  /** When the server last asked for the list of events. */
  listAskedAt = 0;
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

  moneyArrived(order: OrderBook, id: string, kurus: number): void {
    if (order.money.has(id)) return;
    const before = order.arrived;
    this.met('money arrives during an outage', this.clock.outages.has('phs'));
    this.met('money arrives after the deadline', this.clock.now > order.deadline);
    this.met('money arrives for a cancelled order', this.clock.now > order.cancelledAt);
    this.met('money arrives for a deleted order', this.clock.now > order.closesAt + 2 * DAY_MS);
    this.met('money arrives in several parts', before > 0 && before < order.kurus);
    this.met('too much money arrives', before + kurus > order.kurus);
    this.met('money arrives after all was refunded', before > 0 && order.paidOut() >= before);
    this.met('an order is paid whose code was lost on its way', order.isCodeLost);
    order.money.set(id, {kurus, at: this.clock.now});
  }

  /** The refunds without a result. */
  openRefunds(): (readonly [id: string, refund: Refund])[] {
    const refunds = [...this.orders.values()].flatMap((order) => Array.from(order.refunds));
    return refunds.filter(([, {statuses}]) => !((statuses.at(-1) ?? 0) in RESULTS));
  }

  /** The bank has begun to carry a refund out, and ended with this status. */
  refundSettled({statuses, wish}: Refund, status: number): void {
    statuses.push(2, status);
    this.met('a refund fails', RESULTS[status] === 'refund.failed');
    this.met('a result of a refund before the answer to its request', ['pending', 'unknown'].includes(wish.outcome));
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

  /** A refund link is a wish for one refund. Its outcome is known when an answer tells it. */
  linkMade(link: Pick<Wish, 'mark' | 'order' | 'request'>): void {
    const wish = {...link, madeAt: this.clock.now, sent: 0, done: [], code: '', amount: ''};
    // The answer may arrive twice.
    if (!this.wishes.has(link.mark)) this.wishes.set(link.mark, {...wish, kind: 'link', outcome: 'unknown'});
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
      const {deadline} = order;
      if (before >= deadline || deadline > now) continue;
      this.met('a deadline passes during an outage', outages.has('phs') && order.told.size === 0);
      const isBehind = [...order.money].some(([id, {at}]) => !order.told.has(id) && at < deadline - SWEEP_MS);
      this.met('a deadline during a sweep’s backlog', isBehind);
    }
  }
}

export const cancelMark = (id: string): string => `cancel/123/1/${id}`;
export const refundMark = (service: string, id: string): string => `refund/123/${service === SHOP ? 1 : 12}/${id}`;
