import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import type {Payment} from '../../contract/browser/answers.ts';
import type {Kurus} from '../../lib/money.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import {runSafely} from '../alarm.ts';
import type {HandoffClaim, HandoffTerms} from './handoffs.ts';
import {OrderCode, type OrderCodeRequest, type OrderCodeResult} from './order-code.ts';
import {OrderLimits} from './order-limits.ts';
import {OrderNotifier} from './order-notifier.ts';
import {closesAt, isPayable, OrderStore, type Prefill, type Preparation} from './order-store.ts';
import type {ReceiveResult} from './order-watchers.ts';
import {checkArrivalStatuses, PaymentHints} from './payment-hints.ts';
import {type NoticeResult, PaymentNotices, type NoticeInput, type ServerNoticeResult} from './payment-notice.ts';
import {PaymentPage, type OpenPageInput, type OpenPageResult} from './payment-page.ts';
import type {MarketplaceSplit} from './payment.ts';
import {readSocketOpening} from './sockets.ts';

/** What a hand-off brings. */
export type HandoffContents = HandoffTerms & {readonly amount: Kurus};

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
  readonly #notifier = new OrderNotifier(this.ctx, this.#store, () => this.#context.objects);
  readonly #limits = new OrderLimits(() => this.#context.objects);
  readonly #code = new OrderCode(this.#store, this.#notifier, this.#limits, () => this.#context);
  readonly #paymentPage = new PaymentPage(
    this.ctx.storage,
    this.#store,
    this.#notifier,
    this.#limits,
    () => this.#context,
  );
  readonly #hints = new PaymentHints(this.#store, this.#notifier, () => this.#context);
  readonly #notices = new PaymentNotices(this.#store, this.#notifier, () => this.#context);

  /**
   * What the merchant's server says of an order before its code is asked for. Once the platform may have made
   * the code, its terms stand.
   */
  async prepare(terms: OrderTerms, preparation: Preparation): Promise<'prepared' | 'conflict'> {
    if (!this.#store.prepare(terms, preparation, Date.now())) return 'conflict';
    await this.#notifier.planAlarm();
    return 'prepared';
  }

  /** The order's code, counted where it is new, and made at the platform at most once however often and however many at once ask. */
  orderCode(
    terms: OrderTerms,
    {mayCreate = true, caller = null, hosted = null}: Partial<OrderCodeRequest> = {},
  ): Promise<OrderCodeResult> {
    return this.#code.get(terms, {mayCreate, caller, hosted});
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
  codeRefused(exists: boolean): Promise<void> {
    return this.#code.markRefused(exists);
  }

  /** The platform told the merchant's server the code of an order that is kept here without one. */
  codeFound(code: string): Promise<void> {
    return this.#code.recordFound(code);
  }

  /** The merchant's server made the order's code at the platform itself: its money is looked for as if a page had. */
  adoptCode(code: string, terms: OrderTerms, preparation: Preparation): Promise<void> {
    return this.#code.adopt(code, terms, preparation);
  }

  /** The way to the common payment page, for what is still to be paid. What is paid there is looked for from then on. */
  openPaymentPage(input: OpenPageInput): Promise<OpenPageResult> {
    return this.#paymentPage.open(input);
  }

  /** The merchant's server changed the order at the platform; pages show it. What of the split is not named stays. */
  async amend(amount: Kurus, split: MarketplaceSplit): Promise<void> {
    if (!this.#store.record()) return;
    this.#store.amend(amount, split);
    await this.#notifier.notifyAll();
  }

  /** What a page shows. Before there is something to pay with nothing is kept for it. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const record = this.#store.record();
    if (record && isPayable(record)) await this.#notifier.reportView(record);
    this.ctx.waitUntil(this.#notices.checkOnView());
    return this.#notifier.show(terms);
  }

  /** What is still to be paid, as far as anybody has heard; 0 when nothing is: nobody may be led to pay it a second time. */
  due(terms: OrderTerms): Kurus {
    return this.#store.due(terms);
  }

  /** What is known here of an order that the merchant does something with. */
  snapshot(): {readonly completed: boolean; readonly arrivals: readonly Pick<Arrival, 'id' | 'state'>[]} {
    const record = this.#store.record();
    return {
      completed: (record?.completedAt ?? null) !== null,
      arrivals: record ? this.#store.arrivals().map(({id, state}) => ({id, state})) : [],
    };
  }

  /** The sweep found money for this order, asking the platform at `asOf`. What is known already changes nothing. */
  async receiveArrivals(arrivals: readonly Arrival[], asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    if (this.#store.record() && this.#store.addArrivals(arrivals)) {
      this.#store.scheduleStatusCheck();
      await this.#notifier.notify();
      await this.#notifier.reportChange('charges');
    }
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /** The platform says now that this money is for another order. */
  async removeArrival(id: string, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    if (this.#store.removeArrival(id)) await this.#notifier.notify();
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /** Mobile billing has such a charge for this order, said the platform at `asOf`. What is known already changes nothing. */
  async receiveCharge(charge: PaidCharge, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('charges', asOf);
    if (this.#store.record() && this.#store.saveCharge(charge)) {
      await this.#notifier.notify();
      await this.#notifier.reportChange('sweep');
    }
    return this.#notifier.watchers.receiveResult('charges');
  }

  /**
   * A notification says that there is such a transaction for this order. What the platform says of it is received as
   * from a sweep; an order that is not ours has nobody to tell.
   */
  handleHint(id: string): Promise<NotificationOutcome> {
    return this.#hints.handle(id);
  }

  /** Something was done with the order's money at the platform: its status is asked for now and not in hours. */
  async recheckStatuses(): Promise<void> {
    this.#store.scheduleStatusCheck();
    await this.#notifier.planAlarm();
  }

  /** The platform took the order for complete: its goods were supplied. Told again, nothing changes. */
  async markCompleted(): Promise<void> {
    if (this.#store.record()?.completedAt !== null) return;
    this.#store.update({completedAt: Date.now(), expected: undefined});
    await this.#notifier.notifyAll();
  }

  /** What a payment notice of the shopper begins with. */
  noticePrefill(terms: OrderTerms): Prefill & {readonly amount: Kurus} {
    return this.#notices.prefill(terms);
  }

  /**
   * Tells the platform of a transfer without a code. Who says the same again within a minute, on this page or another,
   * has said it once; after an answer that was lost it is told again, for a person reads it. What they say of
   * themselves passes through.
   */
  createNotice(input: NoticeInput): Promise<NoticeResult> {
    return this.#notices.create(input);
  }

  /** The merchant's own server tells of a transfer without a code, also for an order that is not kept here. */
  createNoticeForServer(input: OperationInput<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    return this.#notices.createForServer(input);
  }

  /** A code that opens this order on another device, once; null where there is nothing to open yet. */
  async createHandoff(terms: HandoffTerms): Promise<{readonly secret: string; readonly expiresAt: number} | null> {
    return this.#store.record()?.code ? this.#store.handoffs.create(terms, Date.now()) : null;
  }

  /** What a hand-off brings, without using it up; null when it was used, has expired or never was. */
  async previewHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    const record = this.#store.record();
    const terms = record && (await this.#store.handoffs.find(claim, Date.now()));
    return terms ? {...terms, amount: record.amount} : null;
  }

  /** What the hand-off was made with; null when it was used, has expired or never was. The open pages hear that it was used. */
  async redeemHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    const record = this.#store.record();
    const redeemed = record && (await this.#store.handoffs.redeem(claim, Date.now()));
    if (!redeemed) return null;
    if (redeemed.isFirst) {
      this.#store.update({handedOverAt: Date.now()});
      await this.#notifier.notify();
    }
    return {...redeemed.terms, amount: record.amount};
  }

  /** Opens a page's socket, also before there is a code. The Worker has checked its session and says its terms. */
  override async fetch(request: Request): Promise<Response> {
    const socket = await this.#notifier.openSocket(readSocketOpening(request));
    this.ctx.waitUntil(this.#notices.checkOnView());
    return new Response(null, {status: 101, webSocket: socket});
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The page waits for our half of the close.
    socket.close(1000);
    await this.#notifier.socketClosed(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#notifier.socketClosed(socket);
  }

  override async alarm(): Promise<void> {
    this.#notifier.closeExpiredSockets(Date.now());
    const record = this.#store.record();
    if (!record) {
      await this.#notifier.notify();
      return this.#notifier.eraseIfIdle();
    }
    if (Date.now() >= closesAt(record)) {
      if (await this.#notifier.close(record)) await this.#store.deleteAll();
      return;
    }
    await runSafely({order: record.order}, async () => {
      if (record.statusDueAt !== null && Date.now() >= record.statusDueAt) await this.#checkStatuses();
      await this.#notices.checkIfDue();
    });
    await this.#notifier.notifyAll();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #checkStatuses(): Promise<void> {
    if (await checkArrivalStatuses(this.#store, () => this.#context))
      this.#notifier.watchers.recordPoll('sweep', Date.now());
  }
}
