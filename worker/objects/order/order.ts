import {contextOf} from '../../context.ts';
import type {Payment} from '../../contract/browser/answers.ts';
import type {Kurus} from '../../lib/money.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import {runSafely} from '../alarm.ts';
import {PENDING_EVENTS} from '../events/pending-events.ts';
import {StoredObject} from '../stored-object.ts';
import type {HandoffClaim, HandoffContents, HandoffTerms} from './handoffs.ts';
import {OrderCode, type OrderCodeRequest, type OrderCodeResult, type PlaceRequest} from './order-code.ts';
import {describeOrder, type OrderDetails, type OrderSnapshot, snapshotOf} from './order-details.ts';
import {OrderLimits} from './order-limits.ts';
import {OrderNotifier} from './order-notifier.ts';
import type {MarketplaceSplit} from './order-parts.ts';
import type {Prefill, Preparation} from './order-preparation.ts';
import type {OrderRefund} from './order-refunds.ts';
import {ORDER, ORDER_CHARGES, ORDER_REFUNDS} from './order-schema.ts';
import {closesAt, type CodeOrigin, isPayable, OrderStore} from './order-store.ts';
import type {ReceiveResult} from './order-watchers.ts';
import {checkArrivalStatuses, PaymentHints} from './payment-hints.ts';
import {type NoticeResult, PaymentNotices, type NoticeInput, type ServerNoticeResult} from './payment-notice.ts';
import {PaymentPage, type OpenPageInput, type OpenPageResult} from './payment-page.ts';
import {readSocketOpening} from './sockets.ts';

/**
 * One order. The object requests the order code once, stores the money that arrived for the order, and notifies open
 * pages. The object's name contains the service and the merchant's reference. When the order closes, the object deletes
 * everything.
 *
 * Every change is written together with its event and with the alarm that hands the event over. A sweep reports money
 * to the order again until the order has answered. If the process dies between two awaits, the alarm finds the changes
 * that were not reported. This is possible because an event depends only on the order's facts and its last event, and
 * not on the way in which a change arrived.
 */
export class Order extends StoredObject {
  static override readonly schemas = [ORDER, ORDER_CHARGES, ORDER_REFUNDS, ...PENDING_EVENTS];

  protected override readonly ownLogScope = () => this.#notifier.logScope();
  readonly #store = new OrderStore(this.ctx.storage, this.versions);
  readonly #context = () => contextOf(this.env);
  readonly #notifier = new OrderNotifier(this.ctx, this.versions, this.#store, () => this.env);
  readonly #limits = new OrderLimits(() => this.#context().objects);
  readonly #code = new OrderCode(this.#store, this.#notifier, this.#limits, this.#context);
  readonly #paymentPage = new PaymentPage(this.ctx.storage, this.#store, this.#notifier, this.#limits, this.#context);
  readonly #hints = new PaymentHints(this.#store, this.#notifier, this.#context);
  readonly #notices = new PaymentNotices(this.#store, this.#notifier, this.#context);

  /**
   * Stores what the merchant's server sends about an order before the order code is requested. After the platform may
   * have created the code, the order's terms are fixed. @returns the order's amount if its terms are different.
   */
  async prepare(terms: OrderTerms, preparation: Preparation): Promise<Kurus | null> {
    const conflicting = this.#store.prepare(terms, preparation, Date.now());
    if (conflicting === null) await this.#notifier.planAlarm();
    return conflicting;
  }

  /**
   * Returns the order's code. A new order is counted, and the platform creates its code once, even for concurrent
   * requests.
   */
  orderCode(
    terms: OrderTerms,
    {mayCreate = true, caller = null, hosted = null}: Partial<OrderCodeRequest> = {},
  ): Promise<OrderCodeResult> {
    return this.#code.get(terms, {mayCreate, caller, hosted});
  }

  /** Returns the code of an order that a page places before it has a session. */
  placeOrder(terms: OrderTerms, request: PlaceRequest) {
    return this.#code.place(terms, request);
  }

  /**
   * Prepares for a request of the merchant's server for the code. Called before the request is sent, because money for
   * the code must be found and reported even if the request is interrupted.
   */
  expectCode(terms: OrderTerms, preparation: Preparation, madeBy: CodeOrigin = 'create'): Promise<void> {
    return this.#code.expect(terms, preparation, madeBy);
  }

  /** Handles the platform's refusal to create the code for the merchant's server; see `OrderCode.markRefused`. */
  codeRefused(exists: boolean): Promise<void> {
    return this.#code.markRefused(exists);
  }

  /**
   * Stores a code that the merchant's server has read from the platform, if the order is stored here without a code.
   */
  codeFound(code: string): Promise<void> {
    return this.#code.recordFound(code);
  }

  /**
   * Stores the code that the platform created for the merchant's server. From now on the sweep looks for the order's
   * money.
   */
  adoptCode(code: string, terms: OrderTerms, preparation: Preparation, madeBy: CodeOrigin): Promise<void> {
    return this.#code.adopt(code, terms, preparation, madeBy);
  }

  /**
   * Opens the platform's payment page for the amount still to pay. From then on, `Charges` looks for what the shopper
   * pays there.
   */
  openPaymentPage(input: OpenPageInput): Promise<OpenPageResult> {
    return this.#paymentPage.open(input);
  }

  /**
   * Stores a change that the merchant's server made at the platform. Fields that `split` leaves out stay as they were.
   */
  async amend(amount: Kurus, split: MarketplaceSplit): Promise<void> {
    if (!this.#store.record()) return;
    this.#store.amend(amount, split);
    await this.#notifier.notifyAll();
  }

  /** The payment as a page shows it. While the order has neither a code nor a payment page, a read stores nothing. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const record = this.#store.record();
    if (record && isPayable(record)) await this.#notifier.reportView(record);
    this.ctx.waitUntil(this.#notices.checkOnView());
    return this.#notifier.show(terms);
  }

  /**
   * The amount still to pay, as far as known; 0 when the order is paid or completed, because no page may ask a shopper
   * to pay twice.
   */
  due(terms: OrderTerms): Kurus {
    return this.#store.due(terms);
  }

  /** Everything stored about the order; null if nothing is stored. Reading it stores nothing. */
  details(): OrderDetails | null {
    const record = this.#store.record();
    return record ? describeOrder(this.#store, record, this.#notifier.openPages, Date.now()) : null;
  }

  /** What a command needs to know about the order. */
  snapshot(): OrderSnapshot {
    return snapshotOf(this.#store);
  }

  /**
   * Receives money that the sweep found for this order when it polled the platform at `asOf`. Known money is ignored.
   */
  async receiveArrivals(arrivals: readonly Arrival[], asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    const added = this.#store.record() ? this.#store.addArrivals(arrivals) : [];
    if (added.length > 0) {
      this.#notifier.reportArrivals(added);
      await this.#notifier.notify();
      await this.#notifier.reportChange('charges');
    }
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /** Removes money that the platform now assigns to a different order. */
  async removeArrival(id: string, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('sweep', asOf);
    if (this.#store.removeArrival(id)) await this.#notifier.notify();
    return this.#notifier.watchers.receiveResult('sweep');
  }

  /**
   * Receives a charge that mobile billing showed for this order at `asOf`. A charge that has not changed is ignored.
   */
  async receiveCharge(charge: PaidCharge, asOf: number): Promise<ReceiveResult> {
    this.#notifier.watchers.recordPoll('charges', asOf);
    const added = this.#store.record() ? this.#store.saveCharge(charge) : null;
    if (added !== null) {
      this.#notifier.reportArrivals(added);
      await this.#notifier.notify();
      await this.#notifier.reportChange('sweep');
    }
    return this.#notifier.watchers.receiveResult('charges');
  }

  /**
   * Handles a notification's claim that this order has this transaction. The transaction is read from the platform, and
   * then received as if the sweep had found it. If the order is not stored here, the hint is accepted and dropped.
   */
  handleHint(id: string): Promise<NotificationOutcome> {
    return this.#hints.handle(id);
  }

  /**
   * Receives a refund that succeeded, failed or was cancelled. A second call changes nothing. The money's status has
   * changed at the platform, so the status is checked now instead of hours later.
   */
  async receiveRefund(refund: OrderRefund): Promise<void> {
    if (!this.#store.record() || !this.#store.refunds.save(refund)) return;
    this.#store.scheduleStatusCheck();
    await this.#notifier.notify();
  }

  /**
   * Records that the platform accepted the order as complete, which means that the goods were supplied. A second call
   * changes nothing.
   */
  async markCompleted(): Promise<void> {
    if (this.#store.record()?.completedAt !== null) return;
    this.#store.update({completedAt: Date.now(), expected: undefined});
    await this.#notifier.notifyAll();
  }

  /** The initial content of the payment notice form. @param withPerson - Whether to return the shopper's data, too. */
  noticePrefill(terms: OrderTerms, withPerson = true): Prefill & {readonly amount: Kurus} {
    const {amount, ...person} = this.#notices.prefill(terms);
    return withPerson ? {amount, ...person} : {amount};
  }

  /**
   * Sends the platform a notice of a transfer whose description lacks the order code. If pages repeat the same notice
   * within a minute, the notice is sent only once. If the answer was lost, a repeated notice is sent again; this does
   * no harm, because a person at the platform reads the notices. The shopper's personal data is not stored.
   */
  createNotice(input: NoticeInput): Promise<NoticeResult> {
    return this.#notices.create(input);
  }

  /** Sends a payment notice for the merchant's server, even if the order is not stored here. */
  createNoticeForServer(input: OperationInput<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    return this.#notices.createForServer(input);
  }

  /**
   * Creates a hand-off, which opens this order once on another device; returns null while the order has no order code.
   */
  async createHandoff(terms: HandoffTerms): Promise<{readonly secret: string; readonly expiresAt: number} | null> {
    return this.#store.record()?.code ? this.#store.handoffs.create(terms, Date.now()) : null;
  }

  /** Reads a hand-off without using it up; returns null when it was used, has expired or never existed. */
  async previewHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    const record = this.#store.record();
    const terms = record && (await this.#store.handoffs.find(claim, Date.now()));
    return terms ? {...terms, amount: record.amount} : null;
  }

  /** Uses up a hand-off and notifies the open pages; returns null when it was used, has expired or never existed. */
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
   * Opens a page's socket, even before the order has a code. The Worker has checked the page's session, and sends the
   * session's terms in a header.
   */
  override async fetch(request: Request): Promise<Response> {
    const socket = await this.#notifier.openSocket(readSocketOpening(request));
    if (!socket) return new Response(null, {status: 429});
    this.ctx.waitUntil(this.#notices.checkOnView());
    return new Response(null, {status: 101, webSocket: socket});
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The page's socket is not closed until this side is closed too.
    socket.close(1000);
    await this.#notifier.socketClosed(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#notifier.socketClosed(socket);
  }

  override async alarm(): Promise<void> {
    this.#notifier.startAlarm(Date.now());
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

  async #checkStatuses(): Promise<void> {
    if (await checkArrivalStatuses(this.#store, this.#context)) this.#notifier.watchers.recordPoll('sweep', Date.now());
  }
}
