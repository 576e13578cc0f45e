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

/** What the second device receives. */
export type HandoffContents = HandoffTerms & {readonly amount: Kurus};

/**
 * One order: has its code made once, stores the money that arrived for it, and notifies its pages. Its name is made of
 * the service and the merchant's reference. It deletes everything when it closes.
 *
 * Every change is written together with its event and with the alarm that hands the event over. A sweep delivers money
 * again until the order has answered. If the process dies between two awaits, the alarm finds changes that were not
 * reported: an event follows only from the order's facts and its last event, not from how a change arrived.
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
   * Stores what the merchant's server sends of an order before its code is requested. Once the platform may have made
   * the code, its terms are fixed, and other terms are a conflict.
   */
  async prepare(terms: OrderTerms, preparation: Preparation): Promise<'prepared' | 'conflict'> {
    if (!this.#store.prepare(terms, preparation, Date.now())) return 'conflict';
    await this.#notifier.planAlarm();
    return 'prepared';
  }

  /**
   * Returns the order's code. A new order is counted, and the platform makes its code once, even for concurrent
   * requests.
   */
  orderCode(
    terms: OrderTerms,
    {mayCreate = true, caller = null, hosted = null}: Partial<OrderCodeRequest> = {},
  ): Promise<OrderCodeResult> {
    return this.#code.get(terms, {mayCreate, caller, hosted});
  }

  /**
   * The merchant's server is about to have the order's code made. Called before anything is sent: if that request is
   * cut off, money for its code must still be found and reported.
   */
  expectCode(terms: OrderTerms, preparation: Preparation): Promise<void> {
    return this.#code.expect(terms, preparation);
  }

  /**
   * The platform refused the code to the merchant's server. If the code `exists`, it is looked up, unless the order was
   * only prepared for a session: its page looks it up when it needs it. Otherwise the terms from before `expectCode`
   * apply again, except for what pages did with the order since.
   */
  codeRefused(exists: boolean): Promise<void> {
    return this.#code.markRefused(exists);
  }

  /** The merchant's server read the code from the platform; the order may be stored here without one. */
  codeFound(code: string): Promise<void> {
    return this.#code.recordFound(code);
  }

  /** The merchant's server had the code made: from now on the sweep looks for its money, as for a page's order. */
  adoptCode(code: string, terms: OrderTerms, preparation: Preparation): Promise<void> {
    return this.#code.adopt(code, terms, preparation);
  }

  /**
   * Opens the platform's payment page for the amount still to pay. From then on `Charges` looks for what is paid there.
   */
  openPaymentPage(input: OpenPageInput): Promise<OpenPageResult> {
    return this.#paymentPage.open(input);
  }

  /** The merchant's server changed the order at the platform. Fields that `split` leaves out stay as they were. */
  async amend(amount: Kurus, split: MarketplaceSplit): Promise<void> {
    if (!this.#store.record()) return;
    this.#store.amend(amount, split);
    await this.#notifier.notifyAll();
  }

  /** What a page shows. Until the order has a code or a payment page, reading it stores nothing. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const record = this.#store.record();
    if (record && isPayable(record)) await this.#notifier.reportView(record);
    this.ctx.waitUntil(this.#notices.checkOnView());
    return this.#notifier.show(terms);
  }

  /** The amount still to pay, as far as known; 0 when it is paid: no page may ask a shopper to pay twice. */
  due(terms: OrderTerms): Kurus {
    return this.#store.due(terms);
  }

  /** What a command needs to know of the order. */
  snapshot(): {readonly completed: boolean; readonly arrivals: readonly Pick<Arrival, 'id' | 'state'>[]} {
    const record = this.#store.record();
    return {
      completed: (record?.completedAt ?? null) !== null,
      arrivals: record ? this.#store.arrivals().map(({id, state}) => ({id, state})) : [],
    };
  }

  /** The sweep found money for this order when it polled the platform at `asOf`. Known money changes nothing. */
  async receiveArrivals(arrivals: readonly Arrival[], asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    if (this.#store.record() && this.#store.addArrivals(arrivals)) {
      this.#store.scheduleStatusCheck();
      await this.#notifier.notify();
      await this.#notifier.reportChange('charges');
    }
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /** The platform now assigns this money to another order. */
  async removeArrival(id: string, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    if (this.#store.removeArrival(id)) await this.#notifier.notify();
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /** Mobile billing had this charge for this order when it was polled at `asOf`. A known charge changes nothing. */
  async receiveCharge(charge: PaidCharge, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('charges', asOf);
    if (this.#store.record() && this.#store.saveCharge(charge)) {
      await this.#notifier.notify();
      await this.#notifier.reportChange('sweep');
    }
    return this.#notifier.watchers.receiveResult('charges');
  }

  /**
   * A notification claims that this order has such a transaction. It is read from the platform and then received as
   * from a sweep. For an order that is not stored here the hint is accepted and dropped.
   */
  handleHint(id: string): Promise<NotificationOutcome> {
    return this.#hints.handle(id);
  }

  /** The order's money changed at the platform: its status is checked now instead of hours later. */
  async recheckStatuses(): Promise<void> {
    this.#store.scheduleStatusCheck();
    await this.#notifier.planAlarm();
  }

  /** The platform accepted the order as complete: the goods were supplied. A second call changes nothing. */
  async markCompleted(): Promise<void> {
    if (this.#store.record()?.completedAt !== null) return;
    this.#store.update({completedAt: Date.now(), expected: undefined});
    await this.#notifier.notifyAll();
  }

  /** What the payment notice form shows at first. */
  noticePrefill(terms: OrderTerms): Prefill & {readonly amount: Kurus} {
    return this.#notices.prefill(terms);
  }

  /**
   * Reports a transfer without a code to the platform. The same notice within a minute, from any page, is sent once; if
   * the answer was lost, it is sent again, as a person at the platform reads it. The shopper's personal data is not
   * stored.
   */
  createNotice(input: NoticeInput): Promise<NoticeResult> {
    return this.#notices.create(input);
  }

  /** The merchant's server reports a transfer without a code, also for an order that is not stored here. */
  createNoticeForServer(input: OperationInput<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    return this.#notices.createForServer(input);
  }

  /** Makes a code that opens this order on another device once; null while the order has no order code. */
  async createHandoff(terms: HandoffTerms): Promise<{readonly secret: string; readonly expiresAt: number} | null> {
    return this.#store.record()?.code ? this.#store.handoffs.create(terms, Date.now()) : null;
  }

  /** Reads a hand-off without using it up; null when it was used, has expired or never existed. */
  async previewHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    const record = this.#store.record();
    const terms = record && (await this.#store.handoffs.find(claim, Date.now()));
    return terms ? {...terms, amount: record.amount} : null;
  }

  /** Uses up a hand-off and notifies the open pages; null when it was used, has expired or never existed. */
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

  /**
   * Opens a page's socket, also before there is a code. The Worker has checked the session and sends its terms in a
   * header.
   */
  override async fetch(request: Request): Promise<Response> {
    const socket = await this.#notifier.openSocket(readSocketOpening(request));
    this.ctx.waitUntil(this.#notices.checkOnView());
    return new Response(null, {status: 101, webSocket: socket});
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The page waits until we close our side too.
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
