/** Compares what the Worker says with the books. Knows the contract and the public API, nothing of the Worker's code. */

import {Webhook} from 'standardwebhooks';
import {ATTEMPTS, Books, cancelMark, type Event, OrderBook, RESULTS, SHOP, violate, type Wish} from './books.ts';
import {isBill, OfferPrices} from './offers.ts';
import {Quotas} from './quotas.ts';
import {fieldsOf, markOf} from './requests.ts';
import {OFFERS, WEBHOOK_SECRET} from './settings.ts';
import type {HttpAnswer, HttpRequest} from './stage/protocol.ts';
import {faultOfStory} from './stories.ts';
import {amountOf, DAY_MS, HOUR_MS, idsIn, type Json, largestPart, list, MINUTE_MS, parse, toKurus} from './values.ts';

/** More objects of a class than this belong to single orders or people, and must not stay. */
const MOST_OBJECTS = 8;
/** Refusals after which the same request may still be carried out. */
const UNDECIDED: ReadonlySet<string> = new Set(['in_progress', 'command_pending', 'rate_limited', 'quota_exhausted']);
/** Events that are told once about their subject, and its name in their data. */
const TOLD_ONCE: Readonly<Record<string, string>> = {
  'subscription.started': 'tracking_id',
  'payment_notice.created': 'notice_code',
  'transaction.unmatched': 'transaction_id',
};
/** The states of an order after it was cancelled. */
const CANCELLED: ReadonlySet<string> = new Set(['cancelled', 'refunded', 'completed']);
/** A call for a code may wait so long after it was decided. */
const CALL_MS = 2 * MINUTE_MS;
/** The Worker waits so long for the answer of a change. */
const CHANGE_MS = 8_000;
const SEARCH = '/phs/transaction/search';
const isOwnerless = ({type}: Event): boolean => type === 'transaction.unmatched';
const isPayment = ({type}: Event): boolean => type.startsWith('payment.');
const factsOf = (view: Json): string => [view['amount'], ...idsIn(view)].join();
const moneyIn = (view: Json): string => [view['amount'], view['paid'], view['refunded'], ...idsIn(view)].join();
/** Whether the event was sent, and will be sent again. */
const isWaiting = ({attempts, isAccepted}: Event): boolean => attempts > 0 && attempts < ATTEMPTS && !isAccepted;

export class Accountant extends Books {
  /** The orders of attempts. */
  readonly #attempts = new Map<string, string>();
  readonly prices = new OfferPrices();
  /** When a page first asked with an attempt. */
  readonly #attemptedAt = new Map<string, number>();
  readonly #webhook = new Webhook(WEBHOOK_SECRET, {format: 'raw'});
  readonly #codes = new Map<string, string>();
  readonly #receipts = new Map<string, number>();
  readonly #quotas = new Quotas();
  /** Events that are told once and were told. */
  readonly #told = new Set<string>();
  /** The codes of the notices that the Worker sent. */
  readonly #notices = new Set<string>();
  /** When a search for money last failed, so that the Worker repeats it. */
  #searchFailedAt = 0;
  /** The commands that the Worker lists as unknown. */
  #unknown: readonly Json[] = [];

  /** The Worker has sent a call. Counts when calls were sent, because the network may deliver them together. */
  platformAsked(request: HttpRequest): void {
    const {pathname, fields} = fieldsOf(request);
    const {now} = this.clock;
    this.met('the calls of a day are used up', this.#quotas.count(pathname, now));
    if (pathname === SEARCH && fields.has('Transaction[startDate]'))
      this.#countSearch('sweep', String(fields.get('code')), now);
    const order = pathname.endsWith('/orderToReference/create') && this.orders.get(fields.get('order') ?? '');
    if (order && now > order.cancelledAt + CALL_MS) violate('cancelled', `${order.ref} gets a code`);
  }

  /**
   * A call has ended. `answer` is null if it did not reach the platform, and `isHeard` says whether the Worker got this
   * answer, or one that says that nothing was done. `ageMs` is how long it was on its way.
   */
  platformCalled(request: HttpRequest, answer: HttpAnswer | null, isHeard: boolean, ageMs = 0): void {
    const {pathname, fields} = fieldsOf(request);
    const body = parse(answer?.body);
    if (pathname === SEARCH && !(isHeard && body['status'] === '000')) this.#searchFailedAt = this.clock.now;
    const [, change] = /\/orderToReference\/(create|direct|update)$/.exec(pathname) ?? [];
    const changed = change && body['status'] === '000' && this.orders.get(fields.get('order') ?? '');
    if (changed) {
      changed.kurus = toKurus(fields.get('amount'));
      changed.isOvertaken ||= change === 'update' && ageMs > CHANGE_MS;
      this.met('the answer of a changed amount is lost', change === 'update' && !isHeard);
    }
    const wish = this.#wishOf(pathname, fields);
    if (!wish) return;
    const {kind, mark} = wish;
    const isEmpty = answer?.status === 204;
    const isSuccess = (body['response'] as Json | undefined)?.['result'] === 'SUCCESS';
    const isDone = isEmpty || isSuccess || body['status'] === '000';
    if (isDone || !isHeard) wish.sent += 1;
    const isRefund = kind === 'refund' || kind === 'link';
    // A link may be used again after a refund that was not made.
    if (wish.sent > 1 && kind !== 'subscribe' && kind !== 'link')
      violate('sent twice', `${kind} ${mark} may have been done twice`);
    if (!isDone) return;
    wish.done.push(isRefund ? String(body['refund_id']) : fields.has('token') ? 'one click' : mark);
    const mayRepeat = kind === 'subscribe' && this.cancelled.size > 0;
    if (wish.done.length > 1 && !mayRepeat) violate('done twice', `${kind} ${mark} was done twice`);
    if (wish.outcome === 'failed') violate('told wrongly', `${kind} ${mark} was done after "not done"`);
    if (kind === 'cancel') this.cancelled.add(mark);
    const refunds = this.orders.get(wish.order)?.refunds;
    if (isRefund) refunds?.set(wish.done[0] ?? '', {kurus: toKurus(fields.get('amount')), wish, statuses: [1]});
    const {status: chargeStatus} = (body['subscription'] ?? {}) as Json;
    if (kind === 'refund-charge')
      refunds?.set(mark, {kurus: toKurus(wish.amount), wish, statuses: [isEmpty ? -1 : chargeStatus === 7 ? 1 : 3]});
  }

  /** The wish that a call carries out: of several with the same mark, the first that was not sent or refused yet. */
  #wishOf(pathname: string, fields: URLSearchParams): Wish | undefined {
    const wishes = this.#wishesFor(markOf(pathname, fields));
    return wishes.find(({sent, outcome}) => sent === 0 && outcome !== 'failed') ?? wishes[0];
  }

  #wishesFor(mark: string | null | undefined): Wish[] {
    return [...this.wishes.values()].filter((wish) => wish.mark === mark);
  }

  /** The Worker answered a request of a page or of the merchant's server, and its answer may get lost. */
  answered(request: HttpRequest, {status, headers, body: text}: HttpAnswer, askedAt: number, isLost: boolean): void {
    const {pathname, searchParams} = new URL(request.url);
    const [sent, body] = [parse(request.body), parse(text)];
    const order = this.orders.get(String(body['order']));
    if (body['code'] === 'internal' && this.disturbedAt < askedAt - MINUTE_MS)
      violate('internal', `${request.method} ${pathname}: internal error`);
    if (request.headers['authorization']?.startsWith('Bearer vezne_sk_')) this.#neighbourTold(request, status, text);
    const wish = this.wishes.get(request.headers['idempotency-key'] ?? '');
    if (wish) this.#wishAnswered(wish, status, body);
    if (status >= 300) return;
    if (body['token'] !== undefined && body['order'] !== undefined)
      this.#opened(String(body['order']), sent, body, askedAt);
    if (typeof body['order_code'] === 'string')
      this.#codeTold(String(body['order']), body['order_code'], Date.parse(String(body['pay_until'])));
    if (order && isLost && body['order_code'] !== undefined) order.isCodeLost = true;
    if (typeof body['notice_code'] === 'string') this.#notices.add(body['notice_code']);
    if (order && pathname === '/merchant/v1/orders/cancel')
      order.cancelledAt = Math.min(order.cancelledAt, this.clock.now);
    if (pathname === '/merchant/v1/transactions/search') this.#countSearch('server', String(sent['service']), askedAt);
    const [, offer] = /^\/merchant\/v1\/offers\/(.+)$/.exec(pathname) ?? [];
    // A repeated answer says what was true before.
    if (offer !== undefined && !headers['idempotency-replayed'])
      this.prices.changed(offer, toKurus(body['amount']), this.clock.now);
    const link =
      pathname === '/v1/refund-contacts'
        ? this.wishes.get(String(sent['name']))
        : [...this.wishes.values()].find(({kind, request: read}) => kind === 'link' && read.url === request.url);
    if (link) this.#linkTold(link, String(body['state']));
    const isShared = pathname === '/v1/payment' && String(body['order']).startsWith('B-');
    if (isShared && list(body['transactions']).length > 0) violate('private', 'A bill shows its transfers');
    const view = isShared
      ? null
      : pathname === '/v1/payment'
        ? body
        : pathname === '/merchant/v1/orders'
          ? body['payment']
          : null;
    if (view) this.#paymentTold(String(body['order']), view as Json, askedAt);
    if (order && view && view !== body) order.isUnclear = (view as Json)['amount_unclear'] === true;
    const subscribed = pathname === '/v1/subscriptions' && this.wishes.get(String(sent['tracking_id']));
    if (subscribed && subscribed.done.length === 0) violate('told wrongly', `${subscribed.mark} is told as subscribed`);
    if (subscribed) subscribed.outcome = 'done';
    const {id, state} = (body['subscription'] ?? {}) as Json;
    if (pathname === '/v1/subscription/cancel' && !this.cancelled.has(cancelMark(String(id))))
      violate('told wrongly', `${String(id)} is told as ${String(state)} and was not cancelled`);
    const items = list(body['items']);
    if (pathname === '/merchant/v1/events') {
      for (const event of items) this.#eventSeen(JSON.stringify(event)).isListed = true;
      this.listAskedAt = askedAt;
    }
    if (pathname === '/merchant/v1/commands') this.#unknown = items;
    if (order && pathname === '/merchant/v1/orders/timeline') order.timeline = items;
    const found = this.orders.get(searchParams.get('order') ?? '');
    if (found && pathname === '/merchant/v1/bookings') found.bookings = items;
    if (pathname === '/merchant/v1/consents') this.#receipts.set(searchParams.get('tracking_id') ?? '', items.length);
  }

  /** A key that is limited to another shop sees nothing of this shop, and changes nothing of it. */
  #neighbourTold({method, url, headers}: HttpRequest, status: number, text: string): void {
    if (status >= 300) return;
    const say = (fault: string): never => violate('neighbour', `${method} ${url} ${fault}: ${text}`);
    if (method !== 'GET' && headers['idempotency-key']?.startsWith('pry-')) say('is carried out');
    if (text.includes(`"service":"${SHOP}"`)) say('is about the shop');
    for (const {service, codes} of this.orders.values())
      for (const code of codes) if (service === SHOP && text.includes(`"${code}"`)) say(`shows ${code}`);
    for (const datum of this.people) if (/^5\d{9}$/.test(datum) && text.includes(datum)) say('shows a number');
  }

  /** Counts a search for money, unless the Worker may have repeated it, or forgotten how many it sent. */
  #countSearch(by: 'sweep' | 'server', service: string, askedAt: number): void {
    const {now, settings} = this.clock;
    if (settings.phsCalls === null || Math.max(this.#searchFailedAt, this.disturbedAt) > now - MINUTE_MS) return;
    this.met(
      'the searches of a minute are used up',
      this.#quotas.countSearch(by, service, settings.phsCalls, now, askedAt),
    );
  }

  webhookSent({headers, body}: HttpRequest): void {
    const {'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signature} = headers;
    if (signature !== this.#webhook.sign(id, new Date(Number(timestamp) * 1_000), body ?? ''))
      violate('signature', 'A webhook is not signed');
    const event = this.#eventSeen(body ?? '');
    // Events of money that an order did not get wait for no other event.
    const others = this.#orderOf(event)?.events.filter((other) => !isOwnerless(other)) ?? [];
    if (event.attempts === 0 && !isOwnerless(event) && others.some(isWaiting))
      violate('order of events', `${event.type} was sent before an earlier event of the order was accepted`);
    event.attempts += 1;
  }

  webhookAccepted({body}: HttpRequest): void {
    const event = this.#eventSeen(body ?? '');
    this.met('an event is delivered again', event.isAccepted);
    event.isAccepted = true;
  }

  /** No log line, and nothing that is stored long after the last order has closed, names anybody. */
  keepSecret(rule: 'log' | 'personal data', where: string, text: string): void {
    for (const datum of this.people) if (text.includes(datum)) violate(rule, `${where} has ${datum}`);
  }

  stored(objects: readonly {readonly className: string; readonly text: string}[]): void {
    for (const {className, text} of objects) this.keepSecret('personal data', className, text);
    for (const [className, all] of Map.groupBy(objects, (object) => object.className))
      if (all.length > MOST_OBJECTS) violate('objects', `${all.length} objects of ${className} are never deleted`);
  }

  attempted(attempt: string): void {
    if (!this.#attemptedAt.has(attempt)) this.#attemptedAt.set(attempt, this.clock.now);
  }

  /** A session was opened for an order. */
  #opened(ref: string, {offer, attempt, ...sent}: Json, told: Json, askedAt: number): void {
    const key = String(isBill(offer) ? offer : (attempt ?? ref));
    const known = this.#attempts.get(key) ?? ref;
    this.met('a bill is opened on several devices', isBill(offer) && this.#attempts.has(key));
    this.#attempts.set(key, ref);
    if (known !== ref) violate('one code', `${known} and ${ref} belong to one attempt`);
    const [isMade, since] = [this.prices.has(offer), this.#attemptedAt.get(String(attempt)) ?? askedAt];
    const {amount, hours} = isMade ? told : sent;
    const terms = OFFERS[String(offer)] ?? {kurus: toKurus(amount), hours: Number(hours)};
    const book = this.orders.get(ref);
    // A device that takes over an order has the price of the first one.
    const isRight = book ? book.amounts.has(terms.kurus) : this.prices.wasInForce(offer, terms.kurus, since);
    if (isMade && !isRight) violate('price', `${ref} is sold for ${terms.kurus}, which ${String(offer)} did not cost`);
    if (!book) this.orders.set(ref, new OrderBook(ref, terms.kurus, terms.hours));
  }

  #codeTold(ref: string, code: string, payUntil = NaN): void {
    const order = this.orders.get(ref);
    if (!order) return;
    order.codes.add(code);
    order.codeAt = Math.min(order.codeAt, payUntil - order.hours * HOUR_MS || this.clock.now);
    order.isTimed ||= !Number.isNaN(payUntil);
    const owner = this.#codes.get(code) ?? ref;
    this.#codes.set(code, owner);
    if (order.codes.size > 1) violate('one code', `${ref} has the codes ${[...order.codes].join()}`);
    if (owner !== ref) violate('one code', `${ref} and ${owner} have the same code`);
  }

  /** @param askedAt - What was told before this time must be in the view; null for an event. */
  #paymentTold(ref: string, view: Json, askedAt: number | null): void {
    const order = this.orders.get(ref);
    if (!order) return;
    const say = (text: string): never => violate('money', `${ref} ${text}: ${JSON.stringify(view)}`);
    const [rows, ids, state] = [list(view['transactions']), idsIn(view), String(view['state'])];
    const [paid, refunded, remaining] = [toKurus(view['paid']), toKurus(view['refunded']), toKurus(view['remaining'])];
    const wrong = rows.find(({id, amount}) => order.money.get(String(id))?.kurus !== toKurus(amount));
    if (wrong) say(`has money ${String(wrong['id'])} that never arrived`);
    if (new Set(ids).size !== ids.length) say('counts money twice');
    const known = ids.map((id) => order.money.get(id)?.kurus ?? 0);
    const arrived = known.reduce((total, kurus) => total + kurus, 0);
    const back = amountOf(order.refunds.values());
    if (paid + refunded !== arrived) say(`should add up to ${arrived}`);
    if (refunded > back) say('has more money back than was refunded');
    const amount = toKurus(view['amount']);
    if (!order.amounts.has(amount)) say(`is about ${[...order.amounts].join()}`);
    // Money that was all sent back before other money arrived does not count.
    const owed = (counted: number) => Math.max(0, amount - counted);
    if (remaining < owed(arrived) || remaining > owed(arrived - Math.min(refunded, largestPart(known, back))))
      say(`asks to pay ${remaining} instead of ${owed(arrived)}`);
    if (['waiting', 'partial', 'expired'].includes(state) && remaining === 0) say('is paid');
    if (['paid', 'overpaid'].includes(state) && remaining > 0) say('is not paid');
    if (askedAt !== null && askedAt > order.cancelledAt && !CANCELLED.has(state)) say('was cancelled');
    if (askedAt !== null) order.lastView = view;
    for (const [id, at] of order.told)
      if (askedAt !== null && at < askedAt && this.clock.now < order.closesAt && !ids.includes(id)) say(`lacks ${id}`);
    for (const id of ids) if (!order.told.has(id)) order.told.set(id, this.clock.now);
  }

  #wishAnswered(wish: Wish, status: number, body: Json): void {
    const {kind, mark, outcome} = wish;
    const code = (wish.code = String(body['code'] ?? ''));
    const isRefused = status >= 400 && status < 500 && !UNDECIDED.has(code);
    const told = status < 300 && status !== 202 ? 'done' : isRefused ? 'failed' : 'unknown';
    if (told === 'unknown' && outcome !== 'pending') return;
    const say = (text: string): never => violate('told wrongly', `${kind} ${mark} ${text}: ${JSON.stringify(body)}`);
    // A refund of a charge may fail after all, and then the charge looks as before.
    const isKept = RESULTS[this.orders.get(wish.order)?.refunds.get(mark)?.statuses.at(-1) ?? 0] === 'refund.failed';
    if (outcome === 'done' && told === 'failed') say('is done and failed');
    if (told === 'done' && !this.#isDone(wish)) say('is told as done');
    const mayFail = isKept || code.startsWith('already') || this.#wishesFor(mark).length > 1;
    if (told === 'failed' && !mayFail && wish.done.length > 0) say('is told as not done');
    if (told === 'done' && kind === 'refund' && String(body['id']) !== wish.done[0]) say('is told as another refund');
    this.met('a command is unknown and then found done', outcome === 'unknown' && told === 'done');
    this.met('a command is unknown and then not done', code === 'not_done');
    wish.outcome = told;
    if (code === 'not_done' && wish.sent === 0) this.#takeCall(wish);
  }

  /** Nothing in a call says which of several equal wishes it was for, until one is told what became of its call. */
  #takeCall(wish: Wish): void {
    const other = this.#wishesFor(wish.mark).find(
      (one) => one.sent > 0 && !one.done.length && one.outcome !== 'failed',
    );
    if (other) [other.sent, wish.sent] = [other.sent - 1, 1];
  }

  /** A link that is told as used has its refund, and one that is told as withdrawn never gets any. */
  #linkTold(wish: Wish, state: string): void {
    const isUsed = state === 'sent' || state === 'used';
    if (isUsed && wish.done.length === 0) violate('told wrongly', `link ${wish.mark} is told as used`);
    if (state === 'withdrawn' && wish.done.length > 0)
      violate('told wrongly', `link ${wish.mark} is told as withdrawn`);
    if (isUsed || state === 'withdrawn') wish.outcome = isUsed ? 'done' : 'failed';
  }

  /** Several requests may want the same, and the platform does not say which of them it carried out. */
  #isDone({mark}: Wish): boolean {
    return this.cancelled.has(mark) || this.#wishesFor(mark).some(({done}) => done.length > 0);
  }

  /** Both shops may name an order alike. */
  #orderOf({data}: Event): OrderBook | undefined {
    const order = this.orders.get(String(data['order'] ?? ''));
    return order?.service === (data['service'] ?? SHOP) ? order : undefined;
  }

  #eventSeen(body: string): Event {
    const {id, type, data, created_at} = JSON.parse(body) as Event;
    const known = this.events.get(id);
    if (known && known.body !== body) violate('events', `${id} changed from ${known.body} to ${body}`);
    if (known) return known;
    const unsent = {attempts: 0, isAccepted: false, isListed: false};
    const event: Event = {id, type, data, created_at, body, seenAt: this.clock.now, ...unsent};
    const order = this.#orderOf(event);
    if (order && isPayment(event)) this.#paymentEventSeen(order, event);
    if (type.startsWith('refund.')) this.#refundEventSeen(order, event);
    const subject = `${type} ${String(data[TOLD_ONCE[type] ?? ''])}`;
    if (type in TOLD_ONCE && this.#told.has(subject)) violate('told twice', `${subject} is told twice`);
    this.#told.add(subject);
    if (type === 'transaction.unmatched') this.#unmatchedSeen(String(data['transaction_id']));
    const subscriber = type === 'subscription.started' && this.wishes.get(String(data['tracking_id']));
    this.met('a subscription starts whose answer was lost', subscriber && subscriber.outcome === 'pending');
    this.events.set(id, event);
    order?.events.push(event);
    return event;
  }

  /** Money is unmatched if its order is unknown or deleted. */
  #unmatchedSeen(id: string): void {
    const isUnmatched = ({money, strays, closesAt}: OrderBook) => strays.has(id) || (money.get(id)?.at ?? 0) > closesAt;
    if (![...this.orders.values()].some(isUnmatched)) violate('told wrongly', `${id} is told as money of no order`);
  }

  #paymentEventSeen(order: OrderBook, {type, data, created_at, body}: Event): void {
    const {ref, events, money, deadline, cancelledAt} = order;
    const say = (rule: string, text: string): never => violate(rule, `${ref}: ${type} ${text}: ${body}`);
    this.#paymentTold(ref, data, null);
    // An order without a code may have expired before it got one.
    const end = Math.min(deadline, Date.parse(created_at));
    const unfound = [...money].filter(([id, {at}]) => at < end && !idsIn(data).includes(id));
    if (type === 'payment.expired' && unfound.length > 0 && order.isTimed) say('events', 'without its money');
    const {created_at: at} = parse(body);
    if (Date.parse(String(at)) > cancelledAt && !CANCELLED.has(String(data['state']))) say('cancelled', 'afterwards');
    if (typeof data['order_code'] === 'string') this.#codeTold(ref, data['order_code']);
    if (['payment.received', 'payment.overpaid'].includes(type) && toKurus(data['paid']) < toKurus(data['amount']))
      say('events', 'without the whole amount');
    const last = events.findLast(isPayment);
    const isSame = (other: Event) => other.type === type && factsOf(other.data) === factsOf(data);
    // An amount may be changed, and changed back.
    const isSaid = order.amounts.size > 1 ? last && isSame(last) : events.some(isSame);
    const isRepeated = type === 'payment.changed' ? last && moneyIn(last.data) === moneyIn(data) : isSaid;
    // A new payment page, or a code at last, gives an order without a code more time.
    const isReopened = type === 'payment.expired' && last?.data['order_code'] === null;
    if (isRepeated && !isReopened) say('told twice', 'for the same money');
  }

  /** The event of a refund says what the platform's record says, or said before. */
  #refundEventSeen(order: OrderBook | undefined, {type, data, body}: Event): void {
    const refund = order?.refunds.get(String(data['refund_id']));
    const status = Number(data['status'] ?? 1);
    if (!order || toKurus(data['amount']) !== refund?.kurus) return violate('refunds', `no such refund: ${body}`);
    const result = RESULTS[status];
    const isSaid = result ? type === result : ['refund.requested', 'refund.changed'].includes(type);
    if (!isSaid || !refund.statuses.includes(status))
      violate('refunds', `the platform’s statuses are ${refund.statuses.join()}: ${body}`);
    const told = order.events.flatMap((other) => (other.data['refund_id'] === data['refund_id'] ? other.type : []));
    const hasResult = told.some((other) => Object.values(RESULTS).includes(other));
    if (hasResult || (type === 'refund.requested' && told.includes(type)))
      violate('told twice', `${type} is told after ${told.join()}: ${body}`);
  }

  /** Whether sweeps still have to find money. Calls of a minute that are used up make them slow. */
  isBehind(): boolean {
    const isTold = (id: string) => this.#told.has(`transaction.unmatched ${id}`);
    return [...this.orders.values()].some(
      ({money, strays, told, closesAt}) =>
        [...money].some(([id, {at}]) => (at < closesAt ? !told.has(id) : at > closesAt + 2 * DAY_MS && !isTold(id))) ||
        [...strays].some(([id, {at}]) => at < closesAt && !money.has(id) && this.#isListed(at) && !isTold(id)),
    );
  }

  /** Checks what must be true after everything has settled. */
  close(): void {
    // A world in which nobody gets anything would break no other rule. All faults had ended when the last order was opened.
    const last = [...this.orders.values()].at(-1);
    if (!last?.codes.size) violate('alive', `No code for ${last?.ref ?? 'an order'}, though all faults have ended`);
    for (const order of this.orders.values()) if (order.codes.size + order.money.size > 0) this.#closeOrder(order);
    for (const wish of this.wishes.values()) {
      if (wish.kind === 'subscribe') this.#closeSubscription(wish);
      else if (this.isRepeatable(wish)) this.#closeCommand(wish);
    }
    for (const {body, seenAt, attempts, isAccepted, isListed} of this.events.values()) {
      if (!isAccepted && attempts < ATTEMPTS) violate('events', `${body} was never delivered`);
      if (!isListed && seenAt < this.listAskedAt) violate('events', `${body} is not in the list`);
    }
    for (const code of this.#notices) this.#mustBeTold(`payment_notice.created ${code}`);
  }

  /** Money that names no order is in the shop's list, also the neighbour's. It is read while the shop has an open order. */
  #isListed(at: number): boolean {
    const isRead = ({service, codeAt, closesAt}: OrderBook) =>
      service === SHOP && at > codeAt - DAY_MS && at < closesAt;
    return [...this.orders.values()].some(isRead);
  }

  #mustBeTold(subject: string): void {
    if (!this.#told.has(subject)) violate('told nothing', `No event ${subject}`);
  }

  #closeOrder(order: OrderBook): void {
    const {ref, events, told, lastView, closesAt} = order;
    const say = (rule: string, text: string): never => violate(rule, `${ref}: ${text}`);
    const money = [...order.money].filter(([, {at}]) => at < closesAt).map(([id]) => id);
    for (const [id, {at}] of order.strays)
      if (at < closesAt && !order.money.has(id) && this.#isListed(at)) this.#mustBeTold(`transaction.unmatched ${id}`);
    for (const [id, {at}] of order.money)
      if (at > closesAt + 2 * DAY_MS) this.#mustBeTold(`transaction.unmatched ${id}`);
    const isTold = events.some(({type}) => type === 'payment.cancelled');
    if (lastView?.['state'] === 'cancelled' && !isTold) say('cancelled', 'no event says so');
    const payments = events.filter(isPayment);
    const reported = new Set(payments.flatMap(({data}) => idsIn(data)));
    const lost = money.find((id) => !told.has(id) || !reported.has(id));
    if (lost) say('money lost', `${told.has(lost) ? 'no event reports' : 'nobody heard of'} ${lost}`);
    const fault = faultOfStory(order);
    if (fault) say('stories', fault);
    // What happens later was not read.
    order.bookings = undefined;
    for (const [id, {statuses, wish}] of order.refunds) {
      if (wish.kind === 'refund-charge' || wish.outcome === 'unknown') continue;
      const about = new Set(events.filter(({data}) => data['refund_id'] === id).map(({type}) => type));
      const result = RESULTS[statuses.at(-1) ?? 0];
      // A result may be told before the outcome of the command, and no event says afterwards that it was requested.
      if (!about.has('refund.requested') && !(result && about.has(result))) say('refunds', `no event requests ${id}`);
      if (result && !about.has(result)) say('refunds', `no event has the result of ${id}`);
    }
    if (this.clock.now > closesAt || !lastView) return;
    // If nobody knows the amount, the largest possible one counts.
    const amount = toKurus(lastView['amount']);
    if (!order.isOvertaken && (order.isUnclear ? amount < order.kurus : amount !== order.kurus))
      say('amount', `costs ${order.kurus} at the platform, not ${JSON.stringify(lastView)}`);
    // The Worker need not know of a refund whose command is unknown, or that a refund with -1 was paid out.
    const [paid, refunded] = [toKurus(lastView['paid']), toKurus(lastView['refunded'])];
    if (paid + refunded !== order.arrived || refunded < order.paidOut(true) || refunded > order.paidOut())
      say('money', `${order.arrived} arrived, ${order.paidOut()} of it is back, not ${JSON.stringify(lastView)}`);
    const last = payments.at(-1)?.data;
    if (last && toKurus(last['paid']) !== paid)
      say('events', `${paid} is not in the last one: ${JSON.stringify(last)}`);
  }

  #closeCommand(wish: Wish): void {
    const {kind, mark, outcome, code} = wish;
    if (outcome === 'pending') violate('told nothing', `${kind} ${mark} got no answer`);
    const isListed = this.#unknown.some((command) => (command['order'] ?? '') === wish.order);
    if (code === 'outcome_unknown' && kind !== 'notice' && !isListed && !this.#isDone(wish))
      violate('told nothing', `${kind} ${mark} is unknown and not listed`);
  }

  #closeSubscription({mark, done, outcome}: Wish): void {
    if (done.length === 0) return;
    const subject = `subscription.started ${mark}`;
    // Nothing connects a lost answer to a number token with the subscription that it may have begun.
    if (done[0] !== mark && outcome !== 'done' && !this.#told.has(subject)) return;
    this.#mustBeTold(subject);
    // Each attempt whose outcome was unknown has a receipt of its own.
    if (!this.#receipts.get(mark)) violate('consents', `${mark} has no receipt`);
  }
}
