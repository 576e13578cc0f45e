/**
 * Keeps the books: what shoppers paid, what the merchant wanted and what the platform did. Compares every answer and
 * event of the Worker with the books. Knows the platform's contract and the Worker's public API, nothing of its code.
 * Amounts are in kuruş, times in epoch milliseconds.
 */

import {createHmac} from 'node:crypto';
import type {Situation} from './situations.ts';
import type {HttpAnswer, HttpRequest} from './stage/protocol.ts';

export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}

export const WEBHOOK_SECRET = 'sandbox-webhook-secret-that-is-long-enough';
/** How often the merchant may call an operation. Few calls a day, so that histories reach the limits. */
export const PLATFORM_LIMITS: Readonly<Record<string, {readonly day: number; readonly second: number}>> = {
  'subscriptions/search': {day: 120, second: 1},
  'transactions/search': {day: 120, second: 1},
  'subscription/detail': {day: 40, second: 5},
  'subscription/cancel': {day: 40, second: 5},
  'transaction/refund': {day: 3, second: 5},
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The time after a payment's deadline in which the Worker still reports money. */
const READABLE_MS = 7 * DAY_MS;
/** How long a server may repeat a request with its key. */
const KEY_MS = 3 * DAY_MS - HOUR_MS;
/** More objects of a class than this belong to single orders or people, and must not stay. */
const MOST_OBJECTS = 4;
/** Statuses of a refund: the money was sent back; the refund has a result. */
const PAID_OUT: ReadonlySet<number> = new Set([3, -1]);
const RESULTS: ReadonlySet<number> = new Set([3, 4, 6]);
/** Refusals after which the same request may still be carried out. */
const UNDECIDED: ReadonlySet<string> = new Set(['in_progress', 'command_pending', 'rate_limited', 'quota_exhausted']);
const ONE_CLICK = 'one click';

export type Json = Readonly<Record<string, unknown>>;
type Refund = {readonly kurus: number; readonly wish: Wish; status: number};

export interface OrderBook {
  readonly ref: string;
  readonly kurus: number;
  readonly hours: number;
  /** The codes that the Worker told; more than one is a violation. */
  readonly codes: Set<string>;
  codeAt: number;
  isCodeLost: boolean;
  readonly money: Map<string, {readonly kurus: number; readonly at: number}>;
  readonly refunds: Map<string, Refund>;
  /** The money that the Worker has told anybody, and since when. */
  readonly told: Map<string, number>;
  lastView: Json | null;
  readonly events: Event[];
}

/** Something that the merchant or a subscriber wants once. */
export interface Wish {
  readonly key: string;
  readonly kind: 'refund' | 'complete' | 'cancel' | 'refund-charge' | 'subscribe';
  /** What the platform's call shows of it. */
  readonly mark: string;
  readonly order: string | null;
  readonly amount?: string;
  readonly request: HttpRequest;
  readonly madeAt: number;
  /** Calls that the platform may have carried out: done, or without an answer. */
  sent: number;
  readonly done: string[];
  outcome: 'pending' | 'done' | 'failed' | 'unknown';
  /** The code of the last answer; empty for a success. */
  code: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly body: string;
  isSent: boolean;
  isAccepted: boolean;
  isListed: boolean;
}

interface Clock {
  readonly now: number;
  readonly outages: ReadonlyMap<string, string>;
}

export const toKurus = (text: unknown): number => Math.round(Number(text) * 100);
export const toText = (kurus: number): string => (kurus / 100).toFixed(2);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const deadlineOf = ({codeAt, hours}: OrderBook): number => codeAt + hours * HOUR_MS;
const amountsOf = (entries: Iterable<{readonly kurus: number}>): number => sum([...entries].map(({kurus}) => kurus));
const paidOut = ({refunds}: OrderBook): number =>
  amountsOf([...refunds.values()].filter(({status}) => PAID_OUT.has(status)));
const moneyIn = (view: Json): Json[] => view['transactions'] as Json[];
const idsIn = (view: Json): string[] => moneyIn(view).map(({id}) => String(id));
const isUnsaid = ({told, events}: OrderBook): boolean =>
  [...told.keys()].some((id) => !events.some(({body}) => body.includes(id)));
const isSameMoney = (one: Json, other: Json): boolean =>
  one['paid'] === other['paid'] && one['refunded'] === other['refunded'] && idsIn(one).join() === idsIn(other).join();
const isPayment = ({type}: Event): boolean => type.startsWith('payment.');

export function parse(text: string | null | undefined): Json {
  try {
    return (JSON.parse(text ?? '') as Json | null) ?? {};
  } catch {
    return {};
  }
}

export class Accountant {
  readonly situations = new Map<Situation, number>();
  readonly wishes = new Map<string, Wish>();
  readonly events = new Map<string, Event>();
  /** Mobile numbers and names of people, which no log line may have. */
  readonly people = new Set<string>();
  readonly #orders = new Map<string, OrderBook>();
  readonly #clock: Clock;
  readonly #codes = new Map<string, string>();
  readonly #receipts = new Map<string, number>();
  readonly #calls = new Map<string, readonly number[]>();
  /** Marks of cancellations that are done. */
  readonly #cancelled = new Set<string>();
  /** The commands that the Worker lists as unknown. */
  #unknown: readonly Json[] = [];
  #disturbedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  met(situation: Situation): void {
    this.situations.set(situation, (this.situations.get(situation) ?? 0) + 1);
  }

  // What happened.

  orderMade(ref: string, kurus: number, hours: number): OrderBook {
    const sets = {codes: new Set<string>(), money: new Map(), refunds: new Map(), told: new Map(), events: []};
    const order: OrderBook = {ref, kurus, hours, codeAt: Infinity, isCodeLost: false, lastView: null, ...sets};
    this.#orders.set(ref, order);
    return order;
  }

  moneyArrived(ref: string, id: string, kurus: number): void {
    const order = this.#orders.get(ref);
    if (!order || order.money.has(id)) return;
    const before = amountsOf(order.money.values());
    if (this.#clock.outages.has('phs')) this.met('money arrives during an outage');
    if (this.#clock.now > deadlineOf(order)) this.met('money arrives after the deadline');
    if (before > 0 && before < order.kurus) this.met('money arrives in several parts');
    if (before + kurus > order.kurus) this.met('too much money arrives');
    if (before > 0 && paidOut(order) >= before) this.met('money arrives after all was refunded');
    if (order.isCodeLost) this.met('an order is paid whose code was lost on its way');
    order.money.set(id, {kurus, at: this.#clock.now});
  }

  openRefunds(): string[] {
    const refunds = [...this.#orders.values()].flatMap((order) => Array.from(order.refunds));
    return refunds.filter(([, {status}]) => [1, 2, -1].includes(status)).map(([id]) => id);
  }

  refundSettled(id: string, status: number): void {
    for (const {refunds} of this.#orders.values()) {
      const refund = refunds.get(id);
      if (!refund) continue;
      refund.status = status;
      if (status === 4 || status === 6) this.met('a refund fails');
      if (['pending', 'unknown'].includes(refund.wish.outcome))
        this.met('a result of a refund before the answer to its request');
    }
  }

  cancelledElsewhere(mark: string): void {
    this.#cancelled.add(mark);
    this.met('a subscription is cancelled elsewhere');
  }

  wished(wish: Omit<Wish, 'sent' | 'done' | 'outcome' | 'code' | 'madeAt'>): void {
    if (this.wishes.has(wish.key)) return;
    const fresh = {madeAt: this.#clock.now, sent: 0, done: [], outcome: 'pending', code: ''} as const;
    this.wishes.set(wish.key, {...wish, ...fresh, done: []});
  }

  /** Whether the Worker still remembers the request by its key. */
  isRepeatable({madeAt, request}: Wish): boolean {
    return request.headers['idempotency-key'] !== undefined && this.#clock.now < madeAt + KEY_MS;
  }

  /** An object or the isolate ended, so requests that run may fail. */
  disturbed(): void {
    this.#disturbedAt = this.#clock.now;
    if ([...this.#orders.values()].some(isUnsaid))
      this.met('an object ends while money is told and its event is not sent');
  }

  timePassed(before: number): void {
    if (!this.#clock.outages.has('phs')) return;
    for (const order of this.#orders.values())
      if (order.money.size === 0 && before < deadlineOf(order) && deadlineOf(order) <= this.#clock.now)
        this.met('a deadline passes during an outage');
  }

  answerLost(answer: HttpAnswer): void {
    const body = parse(answer.body);
    const order = this.#orders.get(String(body['order']));
    if (order && body['order_code'] !== undefined) order.isCodeLost = true;
  }

  /** The Worker has sent a call. Counts when calls were sent, because the network may deliver them together. */
  platformAsked({url}: HttpRequest): void {
    const [, operation = ''] = /^\/micropayment\/(\w+\/\w+)/.exec(new URL(url).pathname) ?? [];
    const limit = PLATFORM_LIMITS[operation];
    if (!limit) return;
    const {now} = this.#clock;
    const calls = [...(this.#calls.get(operation) ?? []), now].filter((at) => at > now - DAY_MS);
    this.#calls.set(operation, calls);
    const inSecond = calls.filter((at) => at > now - 1_000).length;
    if (calls.length > limit.day) violate('quota', `${operation}: ${calls.length} calls in a day`);
    if (inSecond > limit.second) violate('quota', `${operation}: ${inSecond} calls in a second`);
    if (calls.length === limit.day) this.met('the calls of a day are used up');
  }

  /**
   * A call to the platform has ended.
   * @param answer - The platform's answer; null if the call did not reach the platform.
   * @param isHeard - Whether the Worker got this answer, or one that says that nothing was done.
   */
  platformCalled({url, body: sent}: HttpRequest, answer: HttpAnswer | null, isHeard: boolean): void {
    const fields = new URLSearchParams(sent ?? '');
    const wish = this.#wishOf(new URL(url).pathname, fields);
    if (!wish) return;
    const {kind, mark} = wish;
    const body = parse(answer?.body);
    const isDone = body['status'] === '000' || (body['response'] as Json | undefined)?.['result'] === 'SUCCESS';
    if (isDone || !isHeard) wish.sent += 1;
    if (wish.sent > 1 && kind !== 'subscribe') violate('sent twice', `${kind} ${mark} may have been done twice`);
    if (!isDone) return;
    wish.done.push(kind === 'refund' ? String(body['refund_id']) : fields.has('token') ? ONE_CLICK : mark);
    const mayRepeat = kind === 'subscribe' && this.#cancelled.size > 0;
    if (wish.done.length > 1 && !mayRepeat) violate('done twice', `${kind} ${mark} was done twice`);
    if (wish.outcome === 'failed') violate('told wrongly', `${kind} ${mark} was done after "not done"`);
    if (kind === 'cancel') this.#cancelled.add(mark);
    const refunds = this.#orders.get(wish.order ?? '')?.refunds;
    if (kind === 'refund') refunds?.set(wish.done[0] ?? '', {kurus: toKurus(fields.get('amount')), wish, status: 1});
    if (kind === 'refund-charge') refunds?.set(mark, {kurus: toKurus(wish.amount), wish, status: 3});
  }

  /** The wish that a call carries out: of several with the same mark, the first that was not sent yet. */
  #wishOf(pathname: string, fields: URLSearchParams): Wish | undefined {
    const marks: readonly (readonly [RegExp, string | null])[] = [
      [/\/refund\/create$/, fields.get('contact[name]')],
      [/order-complete$/, `complete ${fields.get('order')}`],
      [/subscription-request$/, fields.get('tracking_id')],
      [/\/(?:subscription\/cancel|transaction\/refund)\/\d+\/\d+\/\d+$/, pathname.split('/').slice(-4).join('/')],
    ];
    const mark = marks.find(([path]) => path.test(pathname))?.[1];
    const wishes = mark ? [...this.wishes.values()].filter((wish) => wish.mark === mark) : [];
    return wishes.find(({sent}) => sent === 0) ?? wishes[0];
  }

  // What the Worker told.

  /** The Worker answered a request of a page or of the merchant's server. */
  answered({url, method, headers, body: sent}: HttpRequest, {status, body: text}: HttpAnswer, askedAt: number): void {
    const {pathname, searchParams} = new URL(url);
    const body = parse(text);
    const items = (body['items'] ?? []) as Json[];
    if (body['code'] === 'internal' && this.#disturbedAt < askedAt - 60_000)
      violate('internal', `${method} ${pathname}: internal error`);
    const wish = this.wishes.get(headers['idempotency-key'] ?? '');
    if (wish) this.#wishAnswered(wish, status, body);
    if (status >= 300) return;
    if (typeof body['order_code'] === 'string') this.#codeTold(String(body['order']), body['order_code']);
    if (pathname === '/v1/payment') this.#paymentTold(String(body['order']), body, askedAt);
    if (pathname === '/merchant/v1/orders' && body['payment'])
      this.#paymentTold(String(body['order']), body['payment'] as Json, askedAt);
    if (pathname === '/v1/subscriptions') this.#subscribed(String(parse(sent)['tracking_id']));
    if (pathname === '/v1/subscription/cancel') this.#cancellationTold(body['subscription'] as Json);
    if (pathname === '/merchant/v1/events')
      for (const event of items) this.#eventSeen(JSON.stringify(event)).isListed = true;
    if (pathname === '/merchant/v1/commands') this.#unknown = items;
    if (pathname === '/merchant/v1/consents') this.#receipts.set(searchParams.get('tracking_id') ?? '', items.length);
  }

  webhookSent({headers, body}: HttpRequest): void {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(signed).digest('base64');
    if (headers['webhook-signature'] !== `v1,${signature}`) violate('signature', 'A webhook is not signed');
    const event = this.#eventSeen(body ?? '');
    const others = this.#orders.get(String(event.data['order'] ?? ''))?.events ?? [];
    if (!event.isSent && others.some(({isSent, isAccepted}) => isSent && !isAccepted))
      violate('order of events', `${event.type} was sent before an earlier event of the order was accepted`);
    event.isSent = true;
  }

  webhookAccepted({body}: HttpRequest): void {
    const event = this.#eventSeen(body ?? '');
    if (event.isAccepted) this.met('an event is delivered again');
    event.isAccepted = true;
  }

  logged(lines: readonly string[]): void {
    for (const line of lines) this.#keepSecret('log', 'A log line', line);
  }

  /** Compares what is stored long after the last order has closed. */
  stored(objects: readonly {readonly className: string; readonly text: string}[]): void {
    for (const {className, text} of objects) this.#keepSecret('personal data', className, text);
    for (const [className, all] of Map.groupBy(objects, (object) => object.className))
      if (all.length > MOST_OBJECTS) violate('objects', `${all.length} objects of ${className} are never deleted`);
  }

  #keepSecret(rule: string, where: string, text: string): void {
    for (const datum of this.people) if (text.includes(datum)) violate(rule, `${where} has ${datum}`);
  }

  #codeTold(ref: string, code: string): void {
    const order = this.#orders.get(ref);
    if (!order) return;
    order.codes.add(code);
    order.codeAt = Math.min(order.codeAt, this.#clock.now);
    const owner = this.#codes.get(code) ?? ref;
    this.#codes.set(code, owner);
    if (order.codes.size > 1) violate('one code', `${ref} has the codes ${[...order.codes].join()}`);
    if (owner !== ref) violate('one code', `${ref} and ${owner} have the same code`);
  }

  /** @param askedAt - What was told before this time must be in the view; null for an event. */
  #paymentTold(ref: string, view: Json, askedAt: number | null): void {
    const order = this.#orders.get(ref);
    if (!order) return;
    const say = (text: string): never => violate('money', `${ref} ${text}: ${JSON.stringify(view)}`);
    const ids = idsIn(view);
    const amount = (name: string): number => toKurus(view[name]);
    const [paid, refunded, remaining, state] = [
      amount('paid'),
      amount('refunded'),
      amount('remaining'),
      String(view['state']),
    ];
    const wrong = moneyIn(view).find((row) => order.money.get(String(row['id']))?.kurus !== toKurus(row['amount']));
    if (wrong) say(`has money ${String(wrong['id'])} that never arrived`);
    if (new Set(ids).size !== ids.length) say('counts money twice');
    const arrived = sum(ids.map((id) => order.money.get(id)?.kurus ?? 0));
    if (paid + refunded !== arrived) say(`should add up to ${arrived}`);
    if (refunded > amountsOf(order.refunds.values())) say('has more money back than was refunded');
    if (amount('amount') !== order.kurus) say(`is about ${order.kurus}`);
    const owed = Math.max(0, order.kurus - arrived);
    if (refunded === 0 && remaining !== owed) say(`asks to pay ${remaining} instead of ${owed}`);
    // If any transfer alone was refunded, what counts depends on what the Worker knew of the other ones at that time.
    const isPartRefunded =
      amountsOf(order.refunds.values()) < Math.min(...[...order.money.values()].map(({kurus}) => kurus));
    if (isPartRefunded && remaining !== owed) say('asks to pay what is paid');
    if (['waiting', 'partial', 'expired'].includes(state) && remaining === 0) say('is paid');
    if (['paid', 'overpaid'].includes(state) && remaining > 0) say('is not paid');
    if (askedAt !== null) order.lastView = view;
    for (const [id, at] of order.told)
      if (askedAt !== null && at < askedAt && !ids.includes(id)) say(`has forgotten ${id}`);
    for (const id of ids) if (!order.told.has(id)) order.told.set(id, this.#clock.now);
  }

  #wishAnswered(wish: Wish, status: number, body: Json): void {
    const {kind, mark, outcome} = wish;
    const code = (wish.code = String(body['code'] ?? ''));
    const isRefused = status >= 400 && status < 500 && !UNDECIDED.has(code);
    const told = status < 300 && status !== 202 ? 'done' : isRefused ? 'failed' : 'unknown';
    if (told === 'unknown' && outcome !== 'pending') return;
    const isOnly = [...this.wishes.values()].filter((other) => other.mark === mark).length === 1;
    if (outcome === 'done' && told === 'failed') violate('told wrongly', `${kind} ${mark} is done and failed`);
    if (told === 'done' && !this.#isDone(wish)) violate('told wrongly', `${kind} ${mark} is told as done`);
    if (told === 'failed' && isOnly && !code.startsWith('already') && wish.done.length > 0)
      violate('told wrongly', `${kind} ${mark} is told as not done`);
    if (told === 'done' && kind === 'refund' && String(body['id']) !== wish.done[0])
      violate('told wrongly', `${mark} got the refund ${String(body['id'])} of another request`);
    if (outcome === 'unknown' && told === 'done') this.met('a command is unknown and then found done');
    if (code === 'not_done') this.met('a command is unknown and then not done');
    wish.outcome = told;
  }

  /** Several requests may want the same, and the platform does not say which of them it carried out. */
  #isDone({mark}: Wish): boolean {
    const wishes = [...this.wishes.values()].filter((wish) => wish.mark === mark);
    return this.#cancelled.has(mark) || wishes.some(({done}) => done.length > 0);
  }

  #subscribed(tracking: string): void {
    const wish = this.wishes.get(tracking);
    if (!wish) return;
    if (wish.done.length === 0) violate('told wrongly', `${tracking} is told as subscribed`);
    wish.outcome = 'done';
  }

  #cancellationTold({id, state}: Json): void {
    if (!this.#cancelled.has(`cancel/123/1/${String(id)}`))
      violate('told wrongly', `${String(id)} is told as ${String(state)} and was not cancelled`);
  }

  #eventSeen(body: string): Event {
    const {id, type, data} = JSON.parse(body) as Event;
    const known = this.events.get(id);
    if (known && known.body !== body) violate('events', `${id} changed from ${known.body} to ${body}`);
    if (known) return known;
    const event: Event = {id, type, data, body, isSent: false, isAccepted: false, isListed: false};
    const order = this.#orders.get(String(data['order'] ?? ''));
    if (isPayment(event)) {
      this.#paymentTold(String(data['order']), data, null);
      if (typeof data['order_code'] === 'string') this.#codeTold(String(data['order']), data['order_code']);
      const isDelivery = ['payment.received', 'payment.overpaid'].includes(type);
      if (isDelivery && toKurus(data['paid']) < toKurus(data['amount']))
        violate('events', `${type} without the whole amount: ${body}`);
      const last = order?.events.findLast(isPayment);
      const isSame = (other: Event) => other.type === type && idsIn(other.data).join() === idsIn(data).join();
      const isRepeated = type === 'payment.changed' ? last && isSameMoney(last.data, data) : order?.events.some(isSame);
      if (isRepeated) violate('told twice', `${type} is told twice for the same money: ${body}`);
    }
    if (type === 'subscription.started' && this.wishes.get(String(data['tracking_id']))?.outcome === 'pending')
      this.met('a subscription starts whose answer was lost');
    this.events.set(id, event);
    order?.events.push(event);
    return event;
  }

  // What must be true after everything has settled.

  close(): void {
    for (const order of this.#orders.values()) if (order.codes.size > 0) this.#closeOrder(order);
    for (const wish of this.wishes.values()) {
      if (wish.kind === 'subscribe') this.#closeSubscription(wish);
      else if (this.isRepeatable(wish)) this.#closeCommand(wish);
    }
    for (const {body, isAccepted, isListed} of this.events.values()) {
      if (!isAccepted) violate('events', `${body} was never delivered`);
      if (!isListed) violate('events', `${body} is not in the list`);
    }
  }

  #closeOrder(order: OrderBook): void {
    const {ref, events, told, lastView} = order;
    const closesAt = deadlineOf(order) + READABLE_MS - DAY_MS;
    const money = [...order.money].filter(([, {at}]) => at < closesAt).map(([id]) => id);
    const payments = events.filter(isPayment);
    const reported = new Set(payments.flatMap(({data}) => idsIn(data)));
    const lost = money.find((id) => !told.has(id) || !reported.has(id));
    if (lost) violate('money lost', `${ref}: ${told.has(lost) ? 'no event reports' : 'nobody heard of'} ${lost}`);
    const refunds = [...order.refunds].filter(([, {wish}]) => wish.kind === 'refund' && wish.outcome !== 'unknown');
    for (const [id, {status}] of refunds) {
      const about = events.filter(({type, data}) => type.startsWith('refund.') && data['refund_id'] === id);
      if (!about.some(({type}) => type === 'refund.requested'))
        violate('refunds', `${ref}: no event requests refund ${id}`);
      if (RESULTS.has(status) && !about.some(({data}) => Number(data['status']) === status))
        violate('refunds', `${ref}: no event has the result ${status} of refund ${id}`);
    }
    // The platform has paid a refund with the status -1 out, but reports no result of it yet.
    const isOpen = [...order.refunds.values()].some(({wish, status}) => wish.outcome === 'unknown' || status === -1);
    if (this.#clock.now > closesAt || !lastView || isOpen) return;
    const [arrived, out] = [amountsOf(order.money.values()), paidOut(order)];
    if (toKurus(lastView['paid']) !== arrived - out || toKurus(lastView['refunded']) !== out)
      violate('money', `${ref} has ${arrived - out}, and ${out} back, not ${JSON.stringify(lastView)}`);
    const last = payments.at(-1)?.data;
    if (last && toKurus(last['paid']) !== arrived - out)
      violate('events', `The last event of ${ref} has other money: ${JSON.stringify(last)}`);
  }

  #closeCommand(wish: Wish): void {
    const {kind, mark, outcome, code} = wish;
    if (outcome === 'pending') violate('told nothing', `${kind} ${mark} got no answer`);
    const isListed = this.#unknown.some((command) => command['order'] === wish.order);
    if (code === 'outcome_unknown' && !isListed && !this.#isDone(wish))
      violate('told nothing', `${kind} ${mark} is unknown and not listed`);
  }

  #closeSubscription({mark, done, outcome}: Wish): void {
    if (done.length === 0) return;
    const isStart = ({type, data}: Event) => type === 'subscription.started' && data['tracking_id'] === mark;
    const starts = [...this.events.values()].filter(isStart).length;
    // Nothing connects a lost answer to a number token with the subscription that it may have begun.
    if (done[0] === ONE_CLICK && outcome !== 'done' && starts === 0) return;
    if (starts !== 1) violate('subscriptions', `${mark} was reported ${starts} times`);
    // Each attempt whose outcome was unknown has a receipt of its own.
    if (!this.#receipts.get(mark)) violate('consents', `${mark} has no receipt`);
  }
}

function violate(rule: string, message: string): never {
  throw new Violation(rule, message);
}
