import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../context.ts';
import type {Payment} from '../contract/browser.ts';
import {digest} from '../digest.ts';
import type {Env} from '../env.ts';
import {describeError, log} from '../log.ts';
import {formatAmount, type Kurus} from '../money.ts';
import {type Arrival, type Charge, describePayment, isSettled, type OrderTerms, type Split} from '../payment.ts';
import {isBroken, isTokenRefused, type PlatformFailure} from '../platform/failure.ts';
import {askStatuses} from './arrival-statuses.ts';
import {most} from './guard-rules.ts';
import {findOrderCode, requestOrderCode} from './order-code.ts';
import {type HandoffClaim, Handoffs, type HandoffTerms} from './handoffs.ts';
import {giveBackNotice, takeNotice} from './notice-limits.ts';
import {giveNotice, type NoticeResult, type Said} from './order-notice.ts';
import {OrderEvents} from './order-events.ts';
import {OrderLooks} from './order-looks.ts';
import {closesAt, type OrderRecord, OrderStore, type Prefill} from './order-store.ts';
import type {NoticeOutcome} from './notice-outcome.ts';
import {Pages} from './pages.ts';
import {PaymentHints, readHinted} from './payment-hints.ts';
import {PendingEvents} from './pending-events.ts';

export type OrderCodeResult =
  /** What the order is for, which may be another amount than a session says, and when its hours are over, epoch milliseconds. */
  | {readonly code: string; readonly amount: Kurus; readonly expiresAt: number}
  | {readonly failure: PlatformFailure}
  /** The service makes no more orders this minute. */
  | {readonly limited: {readonly retryAfterSeconds: number}}
  /** There is no code, as far as one may go for it. */
  | {readonly absent: true};

/** How far one may go for a code: tell the one that is known, find one that was asked for, or have it made. */
export type CodeLeave = 'tell' | 'find' | 'make';

/** The shopper who goes to the platform's bank page. */
export interface HostedBy {
  /** Their address. */
  readonly address: string;
}

/** What the sweep is told of an order that it told of money. */
export interface Received {
  /** Whether nothing more is awaited. */
  readonly settled: boolean;
}

/** What a hand-off brings. */
export type HandedOver = HandoffTerms & {readonly amount: Kurus};

/** What the merchant's server says of an order beyond its terms. */
export interface Preparation {
  readonly split?: Split | undefined;
  readonly userId?: string | undefined;
  readonly prefill?: Prefill | undefined;
}

/** What the Worker says of the page that opens a socket. */
export interface Visit {
  readonly terms: OrderTerms;
  /** When its session ends, epoch milliseconds. */
  readonly readUntil: number;
}

/** Carries a `Visit` from the Worker to the object: JSON, percent-encoded, for a reference may hold any letter. */
export const VISIT_HEADER = 'x-vezne-visit';

const MINUTE_MS = 60_000;
const PAID: ReadonlySet<Payment['state']> = new Set(['paid', 'overpaid', 'completed']);
/** How long money is looked for whose code nobody was told: the shopper may ask again, and there is nothing to pay with before. */
const CODELESS_MS = 60 * MINUTE_MS;

/**
 * One order: makes its code once, keeps the money that arrived for it, and tells its pages. It is found by
 * service and the merchant's reference, and forgets everything when it closes.
 *
 * Whatever changes is written down in one go with the event that tells of it and with the alarm that hands it over; what a
 * sweep brings is brought again until this has answered. If the process dies between two awaits, the alarm finds
 * what is written and not told: events follow from the facts and from what was told last, not from how they came.
 */
export class Order extends DurableObject<Env> {
  readonly #store = new OrderStore(this.ctx.storage);
  readonly #pages = new Pages(this.ctx);
  readonly #handoffs = new Handoffs(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #events = new OrderEvents(this.ctx.storage, this.#pending);
  readonly #looks = new OrderLooks((service, look) => this.#context.objects.sweep(service).look(look));
  readonly #chargeLooks = new OrderLooks((service, look) => this.#context.objects.charges(service).look(look));
  readonly #hints = new PaymentHints();
  #requesting: Promise<OrderCodeResult> | undefined;
  #lastNotice: {readonly words: string; readonly at: number; readonly result: Promise<NoticeResult>} | undefined;

  /**
   * The order's code, made at the platform at most once however often and however many at once ask.
   * @param hosted whom the platform's own page shows it to, where it is made for that.
   */
  async orderCode(terms: OrderTerms, leave: CodeLeave, hosted: HostedBy | null = null): Promise<OrderCodeResult> {
    const record = this.#store.record();
    if (record?.code) return {code: record.code, amount: record.amount, expiresAt: record.expiresAt};
    if (leave === 'tell') return {absent: true};
    if (leave === 'find') return record?.requested ? this.#findCode(record) : {absent: true};
    this.#requesting ??= this.#requestCode(terms, hosted).finally(() => (this.#requesting = undefined));
    return this.#requesting;
  }

  /** What the order is for: a merchant's server may have said another amount since the session was made. */
  amount({amount}: Pick<OrderTerms, 'amount'>): Kurus {
    return this.#store.record()?.amount ?? amount;
  }

  /** What a page shows. Before there is a code it is read off the terms and the amount, and nothing is kept. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const record = this.#store.record();
    if (!record || !isOpened(record)) return unopened(this.amount(terms), terms);
    await this.#look(record);
    return this.#describe(this.#store.record() ?? record);
  }

  /** The sweep found money for this order, asking the platform at `asOf`. What is known already changes nothing. */
  async receive(arrivals: readonly Arrival[], asOf: number): Promise<Received> {
    this.#looks.noteAsked(asOf);
    if (this.#store.record() && this.#store.addArrivals(arrivals)) {
      this.#store.update({statusAsked: 0, statusDueAt: Date.now()});
      await this.#tell();
      await this.#noteChange(this.#chargeLooks);
    }
    return this.#received(this.#looks);
  }

  /** The shopper goes to the common payment page, which is closed by then: what they pay there is looked for. @param until epoch milliseconds. */
  async awaitCharge(terms: OrderTerms, until: number): Promise<void> {
    const {pageUntil = 0} = this.#store.open(terms, Date.now());
    this.#store.update({pageUntil: Math.max(until, pageUntil)});
    await this.#schedule();
    await this.#context.objects.charges(terms.service).await(terms.service, {order: terms.order, until});
  }

  /** Mobile billing has such a charge for this order, said the platform at `asOf`. What is known already changes nothing. */
  async charged(charge: Charge, asOf: number): Promise<Received> {
    this.#chargeLooks.noteAsked(asOf);
    if (this.#store.record() && this.#store.keepCharge(charge)) {
      await this.#tell();
      await this.#noteChange(this.#looks);
    }
    return this.#received(this.#chargeLooks);
  }

  /**
   * A notification says that there is such a transaction for this order. What the platform says of it is received as
   * from a sweep; an order that is not ours has nobody to tell.
   */
  async hint(id: string): Promise<NoticeOutcome> {
    const record = this.#store.record();
    return record ? this.#hints.take(id, () => this.#hear(id, record)) : 'stored';
  }

  /** Something was done with the order's money at the platform: its status is asked for now and not in hours. */
  async recheck(): Promise<void> {
    if (!this.#store.record()) return;
    this.#store.update({statusAsked: 0, statusDueAt: Date.now()});
    await this.#schedule();
  }

  /** The platform says now that this money is for another order. */
  async lose(id: string, asOf: number): Promise<Received> {
    this.#looks.noteAsked(asOf);
    if (this.#store.removeArrival(id)) await this.#tell();
    return this.#received(this.#looks);
  }

  /**
   * What the merchant's server says of an order before its code is asked for. Once the platform may have made
   * the code, its terms stand: only the same are taken again. Its hours then run, whichever are named; before, they begin anew.
   */
  async prepare(terms: OrderTerms, {split, userId, prefill}: Preparation): Promise<'prepared' | 'conflict'> {
    const record = this.#store.open(terms, Date.now());
    if (record.requested || record.code !== null) {
      const same = record.amount === terms.amount && sameSplit(split, record.split) && (userId ?? record.userId) === record.userId;
      if (!same) return 'conflict';
    } else {
      this.#store.update({amount: terms.amount, split, userId, expiresAt: Date.now() + terms.hours * 60 * MINUTE_MS});
    }
    if (prefill) this.#store.keepPrefill(prefill);
    await this.#schedule();
    return 'prepared';
  }

  /**
   * The merchant's server is about to have the order's code made. Before anything is sent: money for a code whose making
   * was cut off must still be found, and told.
   * @returns what was kept before, for `refused`.
   */
  async expectCode(terms: OrderTerms, {split, userId}: Preparation): Promise<OrderRecord | null> {
    const before = this.#store.record() ?? null;
    const record = this.#store.open(terms, Date.now());
    if (record.code !== null) return before;
    // Asked for before, it may have been made with the terms that were named then.
    if (!record.requested) {
      const expiresAt = record.expiresAt > Date.now() ? record.expiresAt : Date.now() + terms.hours * 60 * MINUTE_MS;
      this.#store.update({amount: terms.amount, split, userId, requested: true, expiresAt});
    }
    await this.#schedule();
    await this.#watch(record, null, Date.now() + CODELESS_MS);
    return before;
  }

  /**
   * The platform did not make the code after all. One that `exists` is found, unless only a session was prepared: its
   * page reads it back when it asks. Otherwise what was kept `before` counts again.
   */
  async refused(before: OrderRecord | null, exists: boolean): Promise<void> {
    const record = this.#store.record();
    if (record?.code !== null) return;
    if (exists && before?.requested !== false) {
      await this.#findCode(record);
    } else if (before) {
      const {amount, split, userId, requested, expiresAt} = before;
      this.#store.update({amount, split, userId, requested, expiresAt});
    } else {
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
    }
  }

  /** The platform told the merchant's server the code of an order that is kept here without one. */
  async found(code: string): Promise<void> {
    const record = this.#store.record();
    if (record?.code === null) await this.#keepCode(record, code);
  }

  /** The merchant's server made the order's code at the platform itself: its money is looked for as if a page had. */
  async adopt(code: string, terms: OrderTerms, {split, userId}: Pick<Preparation, 'split' | 'userId'>): Promise<void> {
    this.#store.open(terms, Date.now());
    this.#store.update({amount: terms.amount, split, userId, requested: true});
    await this.#schedule();
    const record = this.#store.record();
    if (record) await this.#keepCode(record, code);
  }

  /** The merchant's server changed the order at the platform; pages show it. What of the split is not named stays. */
  async amend(amount: Kurus, {payout, subMerchantId, fee}: Split): Promise<void> {
    const record = this.#store.record();
    if (!record) return;
    const known = record.split ?? {};
    this.#store.update({amount, split: {payout: payout ?? known.payout, subMerchantId: subMerchantId ?? known.subMerchantId, fee: fee ?? known.fee}});
    await this.#tellAll();
  }

  /** What a payment notice of the shopper begins with. */
  prefill(): Prefill | null {
    return this.#store.prefill();
  }

  /**
   * Tells the platform of a transfer without a code. Who says the same again within a minute, on this page or another,
   * has said it once; after an answer that was lost it is told again, for a person reads it. What they say of
   * themselves passes through.
   */
  async giveNotice(said: Said): Promise<NoticeResult> {
    const words = await digest('SHA-256', JSON.stringify([said.bank, said.amount, {...said.shopper, user_ip: null}]));
    const last = this.#lastNotice;
    if (last?.words === words && last.at > Date.now() - MINUTE_MS) return last.result;
    const result = this.#giveNotice(said);
    this.#lastNotice = {words, at: Date.now(), result};
    if (!('code' in (await result))) this.#lastNotice = undefined;
    return result;
  }

  /** Whether its money is here, as far as anybody has heard: nobody may be led to pay it a second time. */
  isPaid(): boolean {
    const record = this.#store.record();
    return record !== undefined && PAID.has(this.#describe(record).state);
  }

  /** What is known here of an order that the merchant does something with. */
  standing(): {readonly completed: boolean; readonly arrivals: readonly Pick<Arrival, 'id' | 'state'>[]} {
    const record = this.#store.record();
    return {completed: (record?.completedAt ?? null) !== null, arrivals: record ? this.#store.arrivals().map(({id, state}) => ({id, state})) : []};
  }

  /** The platform took the order for complete: its goods were supplied. Told again, nothing changes. */
  async completed(): Promise<void> {
    if (this.#store.record()?.completedAt !== null) return;
    this.#store.update({completedAt: Date.now()});
    await this.#tellAll();
  }

  /** A code that opens this order on another device, once; null where there is nothing to open yet. */
  async createHandoff(terms: HandoffTerms): Promise<{readonly secret: string; readonly expiresAt: number} | null> {
    return this.#store.record()?.code ? this.#handoffs.create(terms, Date.now()) : null;
  }

  /** What a hand-off brings, without using it up; null when it was used, has expired or never was. */
  async previewHandoff(claim: HandoffClaim): Promise<HandedOver | null> {
    const record = this.#store.record();
    const terms = record && (await this.#handoffs.find(claim, Date.now()));
    return terms ? {...terms, amount: record.amount} : null;
  }

  /** What the hand-off was made with; null when it was used, has expired or never was. The open pages hear that it was used. */
  async redeemHandoff(claim: HandoffClaim): Promise<HandedOver | null> {
    const record = this.#store.record();
    const redeemed = record && (await this.#handoffs.redeem(claim, Date.now()));
    if (!redeemed) return null;
    if (redeemed.isFirst) {
      this.#store.update({handedOverAt: Date.now()});
      await this.#tell();
    }
    return {...redeemed.terms, amount: record.amount};
  }

  /** Opens a page's socket, also before there is a code. The Worker has checked its session and says its terms. */
  override async fetch(request: Request): Promise<Response> {
    const {terms, readUntil} = JSON.parse(decodeURIComponent(request.headers.get(VISIT_HEADER) ?? '')) as Visit;
    const socket = this.#pages.open(readUntil);
    await this.#schedule();
    const opened = this.#store.record();
    if (opened && isOpened(opened)) await this.#look(opened, {opened: true});
    const record = this.#store.record();
    this.#pages.tell(record && isOpened(record) ? this.#describe(record) : unopened(this.amount(terms), terms));
    return new Response(null, {status: 101, webSocket: socket});
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The page waits for our half of the close.
    socket.close(1000);
    await this.#left(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#left(socket);
  }

  override async alarm(): Promise<void> {
    this.#pages.closeEnded(Date.now());
    const record = this.#store.record();
    if (!record) return this.#schedule();
    if (Date.now() >= closesAt(record)) return this.#close(record);
    try {
      if (record.statusDueAt !== null && Date.now() >= record.statusDueAt) await this.#askStatuses();
    } catch (error) {
      // An alarm that throws is given up after a few tries: the next one is planned whatever happened.
      log('error', 'internal_error', {order: record.order, error: describeError(error)});
    }
    await this.#tellAll();
  }

  async #giveNotice(said: Said): Promise<NoticeResult> {
    const record = this.#store.record();
    if (!record?.code) return {absent: true};
    const leave = await takeNotice(record, this.#context);
    if ('limited' in leave) return leave;
    const result = await giveNotice(this.#context.platform, record, said);
    if (!('code' in result)) {
      await giveBackNotice(leave.ticket, this.#context);
      return result;
    }
    const {bank, amount} = said;
    const [at, {service, order}] = [Date.now(), record];
    this.#store.update({notice: {at, bank, amount}});
    this.#pending.add({type: 'payment_notice.created', key: result.code, at, data: {service, order, amount: formatAmount(amount), bank, notice_code: result.code}});
    await this.#tell();
    return result;
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #requestCode(terms: OrderTerms, hosted: HostedBy | null): Promise<OrderCodeResult> {
    const {config, objects, platform} = this.#context;
    const limit = config.limits.serviceOrdersPerMinute;
    const known = this.#store.record();
    if (limit !== null && (!known || (known.pageUntil !== undefined && !known.requested))) {
      const taken = await (await objects.guard(`orders ${terms.service}`)).take([most(limit, MINUTE_MS)]);
      if (!taken.allowed) return {limited: taken};
    }
    const record = this.#store.open(terms, Date.now());
    await this.#schedule();
    // Before anything is sent: money for a code whose making was cut off must still be found.
    await this.#watch(record, null, Date.now() + CODELESS_MS);
    const result = await requestOrderCode(platform, record, (requested) => this.#store.update({requested}), hosted && {...this.#store.prefill(), user_ip: hosted.address});
    return 'code' in result ? this.#keepCode(record, result.code) : result;
  }

  /** The code of an order whose making was cut off, long after: made or not, the platform knows. */
  async #findCode(record: OrderRecord): Promise<OrderCodeResult> {
    const result = await findOrderCode(this.#context.platform, record);
    if ('code' in result) return this.#keepCode(record, result.code);
    return isTrouble(result.failure) ? result : {absent: true};
  }

  async #keepCode(record: OrderRecord, code: string): Promise<OrderCodeResult> {
    await this.#watch(record, code, closesAt(record));
    this.#store.update({code});
    if (this.#pages.count() > 0) await this.#look({...record, code}, {opened: true});
    await this.#schedule();
    return {code, amount: this.amount(record), expiresAt: record.expiresAt};
  }

  async #watch({service, order, createdAt}: OrderRecord, code: string | null, until: number): Promise<void> {
    await this.#context.objects.sweep(service).watch(service, {order, code, registeredAt: createdAt, closesAt: until});
  }

  async #hear(id: string, record: OrderRecord): Promise<NoticeOutcome> {
    const arrival = await readHinted(id, record, this.#context);
    if (typeof arrival === 'string') return arrival;
    // It may have closed meanwhile.
    if (!this.#store.record()) return 'stored';
    if (this.#store.addArrivals([arrival])) this.#store.update({statusAsked: 0, statusDueAt: Date.now()});
    else this.#store.learn(id, arrival);
    await this.#tellAll();
    return 'stored';
  }

  async #askStatuses(): Promise<void> {
    if (await askStatuses(this.#store, () => this.#context)) this.#looks.noteAsked(Date.now());
  }

  async #left(socket: WebSocket): Promise<void> {
    const record = this.#store.record();
    if (record && this.#pages.countWithout(socket) === 0) await this.#look(record, {listens: false});
  }

  /** Somebody looks, or nobody any more: those hear it who ask the platform for this order. */
  async #look(record: OrderRecord, change: {opened?: boolean; listens?: boolean} = {}): Promise<void> {
    const looked = {...this.#looked(record), ...change};
    if (record.code !== null) await this.#looks.note(looked);
    if ((record.pageUntil ?? 0) > Date.now()) await this.#chargeLooks.note(looked);
  }

  #looked(record: OrderRecord) {
    return {service: record.service, order: record.order, settled: isSettled(this.#describe(record)), listens: this.#pages.count() > 0};
  }

  /** What those hear who told of money. */
  #received(looks: OrderLooks): Received {
    const record = this.#store.record();
    const settled = record !== undefined && this.#looked(record).settled;
    looks.noteTold(settled);
    return {settled};
  }

  /** After a change that nobody knows of who asks the platform. */
  async #tellAll(): Promise<void> {
    await this.#tell();
    await this.#noteChange(this.#looks);
    await this.#noteChange(this.#chargeLooks);
  }

  async #noteChange(looks: OrderLooks): Promise<void> {
    const record = this.#store.record();
    if (record) await looks.noteChange(this.#looked(record));
  }

  /** Tells the merchant and the open pages what changed, and plans the next look of our own. */
  async #tell(): Promise<void> {
    const record = this.#store.record();
    if (!record) return;
    const payment = this.#describe(record);
    // Before anything is awaited: the event is written down together with what it tells of, and with the alarm that repeats it.
    this.#events.note(record, payment, Date.now());
    if (isOpened(record)) this.#pages.tell(payment);
    await this.#schedule();
    if (this.#pending.dueAt() === null) return;
    await this.#pending.handOver(this.#context.objects);
    await this.#schedule();
  }

  #describe(record: OrderRecord): Payment {
    const facts = {
      amount: record.amount,
      expiresAt: record.expiresAt,
      completed: record.completedAt !== null,
      arrivals: [...this.#store.arrivals(), ...this.#store.charges()],
      notice: record.notice ?? null,
      handedOverAt: record.handedOverAt ?? null,
    };
    return describePayment(facts, Date.now(), Math.max(this.#looks.asOf ?? record.createdAt, this.#chargeLooks.asOf ?? 0));
  }

  /** The next alarm: a status is due, an event is not handed over, the hours or a page's session are over, or the order closes. */
  async #schedule(): Promise<void> {
    const record = this.#store.record();
    const due = [this.#pages.nextEnd()];
    if (record) due.push(closesAt(record), record.statusDueAt, record.expiresAt > Date.now() ? record.expiresAt : null, this.#pending.dueAt());
    const next = Math.min(...due.filter((at) => at !== null));
    if (next < Infinity) await this.ctx.storage.setAlarm(next);
  }

  async #close(record: OrderRecord): Promise<void> {
    this.#events.note(record, this.#describe(record), Date.now());
    await this.#pending.handOver(this.#context.objects);
    const eventsDueAt = this.#pending.dueAt();
    if (eventsDueAt !== null) return this.ctx.storage.setAlarm(eventsDueAt);
    this.#pages.closeAll();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}

/** Whether the platform said nothing of the order itself, only that it cannot answer now. */
function isTrouble(failure: PlatformFailure): boolean {
  return failure.outcome !== 'refused' || isBroken(failure) || isTokenRefused(failure);
}

/** Whether there is something to pay with: a code, or the common payment page. */
function isOpened({code, pageUntil}: OrderRecord): boolean {
  return code !== null || pageUntil !== undefined;
}

function unopened(amount: Kurus, {hours}: OrderTerms): Payment {
  const now = Date.now();
  return describePayment({amount, expiresAt: now + hours * 60 * MINUTE_MS, completed: false, arrivals: [], notice: null, handedOverAt: null}, now, now);
}

/** Whether the order has the split that is named; what is not named is no contradiction. */
function sameSplit(named: Split = {}, known: Split = {}): boolean {
  return (['payout', 'subMerchantId', 'fee'] as const).every((field) => (named[field] ?? known[field]) === known[field]);
}
