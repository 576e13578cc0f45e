import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import type {Payment} from '../../contract/browser/answers.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Kurus} from '../../lib/money.ts';
import type {NoticeOutcome} from '../../platform/notifications.ts';
import type {Input} from '../../platform/operations/index.ts';
import type {Arrival, Charge} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import {PendingEvents} from '../events/pending-events.ts';
import {type HandoffClaim, Handoffs, type HandoffTerms} from './handoffs.ts';
import {type CodeLeave, type Making, OrderCode, type OrderCodeResult} from './order-code.ts';
import {OrderAlarm, OrderEvents, OrderTeller} from './order-notifier.ts';
import {closesAt, isOpened, type OrderRecord, OrderStore, type Prefill, type Preparation} from './order-store.ts';
import {OrderAskers, type Received} from './order-watchers.ts';
import {askStatuses, PaymentHints} from './payment-hints.ts';
import {type NoticeResult, OrderNotices, type Said, type ServerNoticeResult} from './payment-notice.ts';
import {CommonPage, type PageAsked, type PageResult} from './payment-page.ts';
import type {Split} from './payment.ts';
import {Pages, readVisit} from './sockets.ts';

/** What a hand-off brings. */
export type HandedOver = HandoffTerms & {readonly amount: Kurus};

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
  readonly #alarm = new OrderAlarm(this.ctx.storage, this.#store, this.#pages, this.#pending);
  readonly #askers = new OrderAskers(this.#store, this.#pages, () => this.#context.objects);
  readonly #events = new OrderEvents(this.ctx.storage, this.#pending);
  readonly #teller = new OrderTeller(
    this.#store,
    this.#pages,
    this.#events,
    this.#pending,
    this.#alarm,
    this.#askers,
    () => this.#context.objects,
  );
  readonly #code = new OrderCode(this.#store, this.#pages, this.#alarm, this.#askers, () => this.#context);
  readonly #commonPage = new CommonPage(this.ctx.storage, this.#store, this.#alarm, () => this.#context);
  readonly #hints = new PaymentHints(this.#store, this.#teller, () => this.#context);
  readonly #notices = new OrderNotices(this.#store, this.#pending, this.#teller, () => this.#context);

  /**
   * What the merchant's server says of an order before its code is asked for. Once the platform may have made
   * the code, its terms stand.
   */
  async prepare(terms: OrderTerms, preparation: Preparation): Promise<'prepared' | 'conflict'> {
    if (!this.#store.prepare(terms, preparation, Date.now())) return 'conflict';
    await this.#alarm.plan();
    return 'prepared';
  }

  /** The order's code, made at the platform at most once however often and however many at once ask. */
  orderCode(
    terms: OrderTerms,
    leave: CodeLeave,
    making: Making = {hosted: null, unpaid: []},
  ): Promise<OrderCodeResult> {
    return this.#code.get(terms, leave, making);
  }

  /**
   * The merchant's server is about to have the order's code made. Before anything is sent: money for a code whose making
   * was cut off must still be found, and told.
   */
  expectCode(terms: OrderTerms, preparation: Preparation): Promise<void> {
    return this.#code.expect(terms, preparation);
  }

  /**
   * The platform did not make the code after all. One that `exists` is found, unless only a session was prepared: its
   * page reads it back when it asks. Otherwise what was kept before `expectCode` counts again, but for what others did with
   * the order since.
   */
  refused(exists: boolean): Promise<void> {
    return this.#code.refuse(exists);
  }

  /** The platform told the merchant's server the code of an order that is kept here without one. */
  found(code: string): Promise<void> {
    return this.#code.learn(code);
  }

  /** The merchant's server made the order's code at the platform itself: its money is looked for as if a page had. */
  adopt(code: string, terms: OrderTerms, preparation: Preparation): Promise<void> {
    return this.#code.adopt(code, terms, preparation);
  }

  /** The way to the common payment page, for what is still to be paid. What is paid there is looked for from then on. */
  openPage(asked: PageAsked): Promise<PageResult> {
    return this.#commonPage.open(asked);
  }

  /** The merchant's server changed the order at the platform; pages show it. What of the split is not named stays. */
  async amend(amount: Kurus, split: Split): Promise<void> {
    if (!this.#store.record()) return;
    this.#store.amend(amount, split);
    await this.#teller.tellAll();
  }

  /** What a page shows. Before there is something to pay with nothing is kept for it. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const record = this.#store.record();
    if (record && isOpened(record)) await this.#askers.noteLook(record);
    this.ctx.waitUntil(this.#notices.look());
    return this.#teller.show(terms);
  }

  /** What is still to be paid, as far as anybody has heard; 0 when nothing is: nobody may be led to pay it a second time. */
  due(terms: OrderTerms): Kurus {
    return this.#store.due(terms);
  }

  /** What is known here of an order that the merchant does something with. */
  standing(): {readonly completed: boolean; readonly arrivals: readonly Pick<Arrival, 'id' | 'state'>[]} {
    const record = this.#store.record();
    return {
      completed: (record?.completedAt ?? null) !== null,
      arrivals: record ? this.#store.arrivals().map(({id, state}) => ({id, state})) : [],
    };
  }

  /** The sweep found money for this order, asking the platform at `asOf`. What is known already changes nothing. */
  async receive(arrivals: readonly Arrival[], asOf: number): Promise<Received> {
    this.#askers.noteAsked('sweep', asOf);
    if (this.#store.record() && this.#store.addArrivals(arrivals)) {
      this.#store.askStatusNow();
      await this.#teller.tell();
      await this.#askers.noteChange('charges');
    }
    return this.#askers.received('sweep');
  }

  /** The platform says now that this money is for another order. */
  async lose(id: string, asOf: number): Promise<Received> {
    this.#askers.noteAsked('sweep', asOf);
    if (this.#store.removeArrival(id)) await this.#teller.tell();
    return this.#askers.received('sweep');
  }

  /** Mobile billing has such a charge for this order, said the platform at `asOf`. What is known already changes nothing. */
  async charged(charge: Charge, asOf: number): Promise<Received> {
    this.#askers.noteAsked('charges', asOf);
    if (this.#store.record() && this.#store.keepCharge(charge)) {
      await this.#teller.tell();
      await this.#askers.noteChange('sweep');
    }
    return this.#askers.received('charges');
  }

  /**
   * A notification says that there is such a transaction for this order. What the platform says of it is received as
   * from a sweep; an order that is not ours has nobody to tell.
   */
  hint(id: string): Promise<NoticeOutcome> {
    return this.#hints.hear(id);
  }

  /** Something was done with the order's money at the platform: its status is asked for now and not in hours. */
  async recheck(): Promise<void> {
    this.#store.askStatusNow();
    await this.#alarm.plan();
  }

  /** The platform took the order for complete: its goods were supplied. Told again, nothing changes. */
  async completed(): Promise<void> {
    if (this.#store.record()?.completedAt !== null) return;
    this.#store.update({completedAt: Date.now(), expected: undefined});
    await this.#teller.tellAll();
  }

  /** What a payment notice of the shopper begins with. */
  prefill(terms: OrderTerms): Prefill & {readonly amount: Kurus} {
    return this.#notices.beginning(terms);
  }

  /**
   * Tells the platform of a transfer without a code. Who says the same again within a minute, on this page or another,
   * has said it once; after an answer that was lost it is told again, for a person reads it. What they say of
   * themselves passes through.
   */
  giveNotice(said: Said): Promise<NoticeResult> {
    return this.#notices.give(said);
  }

  /** The merchant's own server tells of a transfer without a code, also for an order that is not kept here. */
  giveNoticeForServer(input: Input<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    return this.#notices.giveForServer(input);
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
      await this.#teller.tell();
    }
    return {...redeemed.terms, amount: record.amount};
  }

  /** Opens a page's socket, also before there is a code. The Worker has checked its session and says its terms. */
  override async fetch(request: Request): Promise<Response> {
    const {terms, readUntil} = readVisit(request);
    const socket = this.#pages.open(readUntil);
    await this.#alarm.plan();
    const record = this.#store.record();
    if (record && isOpened(record)) await this.#askers.noteLook(record, {opened: true});
    this.#pages.tell(this.#teller.show(terms));
    this.ctx.waitUntil(this.#notices.look());
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
    if (!record) {
      await this.#teller.tell();
      return this.#alarm.rest();
    }
    if (Date.now() >= closesAt(record)) return this.#close(record);
    try {
      if (record.statusDueAt !== null && Date.now() >= record.statusDueAt) await this.#askStatuses();
      await this.#notices.wake();
    } catch (error) {
      // An alarm that throws is given up after a few tries: the next one is planned whatever happened.
      log('error', 'internal_error', {order: record.order, error: describeError(error)});
    }
    await this.#teller.tellAll();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #askStatuses(): Promise<void> {
    if (await askStatuses(this.#store, () => this.#context)) this.#askers.noteAsked('sweep', Date.now());
  }

  async #left(socket: WebSocket): Promise<void> {
    const record = this.#store.record();
    if (record && this.#pages.countWithout(socket) === 0) await this.#askers.noteLook(record, {listens: false});
  }

  async #close(record: OrderRecord): Promise<void> {
    if (!(await this.#teller.tellLast(record))) return this.#alarm.planLast();
    this.#pages.closeAll();
    await this.#store.erase();
  }
}
