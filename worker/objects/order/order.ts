import {contextOf, reporterOf} from '../../context.ts';
import type {Payment} from '../../contract/browser/answers.ts';
import {Semaphore} from '../../lib/async.ts';
import type {LogScope} from '../../lib/log-scope.ts';
import {log} from '../../lib/log.ts';
import type {Kurus} from '../../lib/money.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import type {Entry} from '../events/entry.ts';
import {StoredObject} from '../stored-object.ts';
import {closedBill, enteredBill, type EnteredBill, shownForm, shownTo} from './bill.ts';
import {buyerOf, type KnownBuyer, type OfferedForm} from './buyer.ts';
import {type HandoffClaim, type HandoffContents, Handoffs} from './handoffs.ts';
import {withoutFirst} from './journal.ts';
import {type NewCall, type OrderStory, withCall} from './order-calls.ts';
import {OrderChanges} from './order-changes.ts';
import type {ServerCodeRequest, ServerCodeResult} from './order-code-requests.ts';
import {OrderCode, type OrderCodeRequest, type OrderCodeResult, type PlaceRequest} from './order-code.ts';
import {describeOrder, type OrderDetails, paymentShown, toldTo} from './order-details.ts';
import {
  type Cause,
  concluded,
  effectsOf,
  hasExpired,
  type OrderAccess,
  type OrderEffect,
  storyOf,
} from './order-effects.ts';
import {creditOrder} from './order-limits.ts';
import {withArrivals, withCharge, withoutArrival, withoutPerson, withRefund, withStatusAsked} from './order-money.ts';
import {
  cancelled,
  type Change,
  completed,
  EMPTY_ORDER,
  isPayable,
  type OrderRecord,
  type OrderState,
  type Prefill,
  type Preparation,
  type StoredRefund,
  withView,
} from './order-state.ts';
import {ORDER, OrderStore} from './order-store.ts';
import {nextExpiryCheckAt, orderTasks} from './order-tasks.ts';
import {OrderWatchers, QuietReads, receiveResult, type ReceiveResult, viewOf} from './order-watchers.ts';
import {nextStatusCheckAt, PaymentHints} from './payment-hints.ts';
import {noticePrefill, type NoticeResult, PaymentNotices, type NoticeInput} from './payment-notice.ts';
import {PaymentPage, type OpenPageInput, type OpenPageResult, type ServerPageInput} from './payment-page.ts';
import {OrderSockets, readSocketOpening} from './sockets.ts';
import type {HandoffTerms} from './stored-handoff.ts';

/** An order takes no more transfers while so much waits for the outbox: each event lists all of its money. */
const MAX_WAITING = 5_000;

/**
 * One order. The object requests the order code once, stores the money that arrived for the order, and notifies open
 * pages. The object's name contains the service and the merchant's reference. When the order closes, the object deletes
 * everything.
 *
 * What is true of the order is an `OrderState`, and only `#commit` changes it. Every change is written together with
 * what it adds to the journal. What the order does later is in `order-tasks.ts`. A sweep reports money to the order again
 * until the order has answered. Pages and pollers get the state itself, and get it again with the first alarm after the
 * object woke. A credit is not repeated.
 */
export class Order extends StoredObject {
  static override readonly schemas = [ORDER];

  protected override readonly ownLogScope = (): LogScope => {
    const {record} = this.#state;
    return record ? {service: record.service, order: record.order} : {};
  };
  readonly #store = new OrderStore(this.storage);
  /** The order as it is stored; undefined until it is first read. */
  #stored: OrderState | undefined;
  /** When this instance last committed; undefined after the object woke. */
  #committedAt: number | undefined;
  #revision = Date.now(); // Grows with each change. A later instance begins with a higher one.
  readonly #sockets = new OrderSockets(this.ctx);
  readonly #watchers = new OrderWatchers(() => contextOf(this.env).objects);
  readonly #reads = new QuietReads();

  readonly #access: OrderAccess = {
    state: () => this.#state,
    services: () => contextOf(this.env),
    commit: (change, cause) => this.#commit(change, cause),
  };
  readonly #turn = new Semaphore(1);
  readonly #code = new OrderCode(this.#access, this.#turn);
  readonly #changes = new OrderChanges(this.#access, this.#turn, this.#code);
  readonly #paymentPage = new PaymentPage(this.#access);
  readonly #hints = new PaymentHints(this.#access);
  readonly #notices = new PaymentNotices(this.#access);
  readonly #handoffs = new Handoffs(this.#access);

  protected override readonly tasks = orderTasks({
    access: this.#access,
    sockets: this.#sockets,
    watchers: this.#watchers,
    changes: this.#changes,
    forgetEntries: (last) => this.#forgetEntries(last),
    committedAt: () => this.#committedAt,
    handOver: () => this.#handOver(),
    erase: () => this.#erase(),
    eraseIfIdle: () => this.#eraseIfIdle(),
  });

  get #state(): OrderState {
    return (this.#stored ??= this.#store.read());
  }

  /**
   * Writes the change, and carries out what follows from it. Only this method does either. Nothing is awaited before the
   * order and its events are written, so they are stored together, before anything is sent, or not at all.
   */
  async #commit(change: Change, cause: Cause = {is: 'change'}): Promise<void> {
    const now = Date.now();
    const before = this.#state;
    const changed = change(before, now);
    const since = this.#committedAt;
    // What is stored was concluded before. Only the passing of time changes it without a change.
    const isOld =
      changed === before && cause.is !== 'alarm' && cause.is !== 'notice' && !hasExpired(before.record, {now, since});
    const conclusion = isOld ? {order: before, news: []} : concluded(before, changed, now, cause);
    const after = conclusion.order;
    if (cause.is === 'poll') this.#watchers.reporter.recordPoll(cause.asOf);
    const asOf = this.#watchers.asOf(after.record);
    const listens = this.#sockets.count() > 0;
    const effects = effectsOf(before, conclusion, cause, {now, asOf, since, listens});
    const isWritten = this.#write(before, after, now);
    await Promise.all(effects.map((effect) => this.#carryOut(effect, after.record, listens)));
    if (isWritten || cause.is === 'alarm' || cause.is === 'view') await this.#eraseIfIdle();
  }

  /** Writes the order with its journal. @returns whether anything was written. */
  #write(before: OrderState, after: OrderState, now: number): boolean {
    // Most reads of a payment write nothing. A transaction would take a third of their time in this object.
    const isNew = before !== after;
    const isChanged = isNew && this.storage.versions.transaction(() => this.#store.write(before, after));
    if (isNew) this.#revision = Math.max(now, this.#revision + 1);
    this.#stored = after;
    this.#committedAt = now;
    return isChanged;
  }

  /** Carries out one effect. Never throws: a failure is logged, and repeated by a task where that matters. */
  async #carryOut(effect: OrderEffect, record: OrderRecord | null, listens: boolean): Promise<void> {
    if (effect.is === 'hand over') {
      const done = this.#handOver();
      // Only a sweep must not go on before the outbox has the event of its money.
      return effect.isReported ? done : this.ctx.waitUntil(done);
    }
    if (!record) return;
    switch (effect.is) {
      case 'reached':
        reporterOf(this.env)?.count('payments', {state: effect.state});
        return;
      case 'arrivals':
        for (const {id, at, timeUnknown} of effect.arrivals) {
          log('info', 'payment', {service: record.service, order: record.order, transaction: id, state: effect.state});
          if (!timeUnknown) reporterOf(this.env)?.observeLag(Date.now() - at);
        }
        return;
      case 'code':
        reporterOf(this.env)?.count('order_codes');
        return;
      case 'push':
        this.#sockets.notify({...effect.payment, ...toldTo(record, effect.payment), revision: this.#revision});
        return;
      case 'credit':
        return creditOrder(() => contextOf(this.env).objects, effect.tickets, record.order);
      case 'watch':
        return this.#watchers.reporter.reportChange(viewOf(record, effect.settled, listens));
      case 'view':
        return this.#watchers.reporter.report(viewOf(record, effect.settled, listens, effect.by));
      case 'track':
        return this.#watchers.track(
          this.#access,
          viewOf(record, effect.settled, listens, effect.by ?? 'open'),
          effect.by,
        );
    }
  }

  /** Hands over the entries of the journal. */
  async #handOver(): Promise<void> {
    if (this.tasks.journal.dueAt() !== null) await this.runNow('journal');
  }

  /**
   * Forgets entries that were handed over. If statuses are read next, this is written with what was read: therefore
   * `checkArrivalStatuses` ends with a commit.
   */
  #forgetEntries(last: Entry): void {
    const before = this.#state;
    this.#stored = {...before, journal: withoutFirst(before.journal, last)};
    if (!before.record?.checks?.asked) this.#store.write(before, this.#stored);
  }

  /** Deletes the object of an order that does not exist when nothing is left to tell and no page is open. */
  async #eraseIfIdle(): Promise<void> {
    const {record, calls, buyer} = this.#state;
    if (record !== null || buyer !== null || calls.length > 0) return;
    if (this.#sockets.nextSessionEnd() === null && this.tasks.journal.dueAt() === null) await this.#erase();
  }

  async #erase(): Promise<void> {
    this.#stored = EMPTY_ORDER;
    this.#committedAt = undefined;
    await this.erase();
  }

  /** Stores what the merchant's server sends about an order before the code is requested; see `OrderCode.prepare`. */
  prepare(terms: OrderTerms, preparation: Preparation): Promise<Kurus | 'cancelled' | null> {
    return this.#code.prepare(terms, preparation);
  }

  /** Returns the order's code; see `OrderCode.get`. */
  orderCode(terms: OrderTerms, request?: Partial<OrderCodeRequest>): Promise<OrderCodeResult> {
    return this.#code.get(terms, request);
  }

  /** Returns the code of an order that a page places before it has a session; see `OrderCode.place`. */
  placeOrder(terms: OrderTerms, request: PlaceRequest) {
    return this.#code.place(terms, request);
  }

  /** Has the platform create a code for the merchant's server; see `OrderCode.create`. */
  createCode(terms: OrderTerms, request: ServerCodeRequest): Promise<ServerCodeResult> {
    return this.#code.create(terms, request);
  }

  /** Stores a code that the merchant's server has read from the platform; see `OrderCode.markFound`. */
  codeFound(code: string): Promise<void> {
    return this.#code.markFound(code);
  }

  /** Opens the platform's payment page for the amount still to pay; see `PaymentPage.open`. */
  openPaymentPage(input: OpenPageInput): Promise<OpenPageResult> {
    return this.#paymentPage.open(input);
  }

  /** Opens a payment page for the merchant's server; see `PaymentPage.openForServer`. */
  openServerPage(input: ServerPageInput & {readonly by: string}) {
    return this.#paymentPage.openForServer(input);
  }

  /** Changes the order at the platform; see `OrderChanges.make`. */
  changeCode(...args: Parameters<OrderChanges['make']>) {
    return this.#changes.make(...args);
  }

  /** What somebody with the bill's link learns of the order; null if there was no order yet. Stores nothing. */
  async enterBill(bill: Pick<OrderTerms, 'service' | 'order'>, asked: OfferedForm): Promise<EnteredBill | null> {
    return enteredBill(this.#state, asked) ?? closedBill(contextOf(this.env).objects, bill);
  }

  /** The payment as a page shows it. While the order has neither a code nor a payment page, a read stores nothing. */
  async payment(terms: OrderTerms): Promise<Payment> {
    const {record} = this.#state;
    if (record && isPayable(record)) await this.#commit(withView, {is: 'view', by: 'read'});
    if (record?.notices) this.ctx.waitUntil(this.#notices.checkOnView());
    this.#reads.record(this.#state);
    return this.#show(terms);
  }

  /**
   * The same as text, which reaches the page with less work. A quiet read needs no log scope and no commit.
   * @param offered - What the session's offer asks for; undefined if the session may not ask.
   */
  paymentText(terms: OrderTerms, scope: LogScope, offered?: OfferedForm): string | Promise<string> {
    const textOf = (payment: Payment) =>
      JSON.stringify({...payment, buyer_form: offered === undefined ? undefined : shownForm(this.#state, offered)});
    if (this.#reads.isQuiet(this.#state, this.#committedAt)) return textOf(this.#show(terms));
    return this.runInScope(scope, 'payment', [terms]).then((payment) => textOf(payment as Payment));
  }

  /** Everything stored about the order; null if nothing is stored. Reading it stores nothing. */
  details(): OrderDetails | null {
    return describeOrder(this.#state, {
      openPages: this.#sockets.count(),
      expiryDueAt: nextExpiryCheckAt(this.#access, this.#state, Date.now()),
      statusDueAt: nextStatusCheckAt(this.#state, Date.now()),
    });
  }

  /** Who buys, also after the order was deleted, if the merchant keeps the buyer longer; null if nobody is known. */
  buyer(): KnownBuyer | null {
    return buyerOf(this.#state);
  }

  /** What happened to the order, also if it was refused; null if nothing is known of it. */
  story(): OrderStory | null {
    const {record, calls} = this.#state;
    return record || calls.length > 0 ? storyOf(this.#state) : null;
  }

  /** Remembers a call of the merchant's server. */
  noteCall(call: NewCall): Promise<void> {
    return this.#commit((order, now) => withCall(order, call, now));
  }

  /** Receives money that the sweep found when it polled the platform at `asOf`. Known money is ignored. */
  async receiveArrivals(arrivals: readonly Arrival[], asOf: number): Promise<ReceiveResult> {
    const {journal, money} = this.#state;
    const isFull = journal.pending.length * (100 + money.arrivals.length) >= MAX_WAITING;
    if (this.#code.isUndecided || isFull) return {...receiveResult(this.#state, Date.now()), isUndecided: true};
    return this.#receive((order, now) => withArrivals(order, arrivals, now), asOf);
  }

  /** Removes money that the platform assigns to a different order, as the sweep found at `asOf`. */
  removeArrival(id: string, asOf: number): Promise<ReceiveResult> {
    return this.#receive((order) => withoutArrival(order, id), asOf);
  }

  /** Receives a charge that mobile billing showed at `asOf`. A charge that has not changed is ignored. */
  receiveCharge(charge: PaidCharge, asOf: number): Promise<ReceiveResult> {
    return this.#receive((order) => withCharge(order, charge), asOf);
  }

  /** The poller learns from the answer whether the order awaits more money, and needs no other report. */
  async #receive(change: Change, asOf: number): Promise<ReceiveResult> {
    await this.#commit(change, {is: 'poll', asOf});
    const result = receiveResult(this.#state, Date.now());
    this.#watchers.reporter.recordSettled(result.settled);
    return result;
  }

  /** Handles a notification's claim that this order has this transaction; see `PaymentHints.handle`. */
  async handleHint(id: string): Promise<NotificationOutcome> {
    return this.#code.isUndecided ? 'retry' : this.#hints.handle(id);
  }

  /** Receives a refund, or its result: then the money's status is checked now. @returns the order; null if it is none. */
  async receiveRefund(refund: StoredRefund): Promise<OrderDetails | null> {
    await this.#commit((order, now) => {
      const changed = withRefund(order, refund);
      return changed === order || refund.onItsWay ? changed : withStatusAsked(changed, 'all', now);
    });
    return this.details();
  }

  /** Records that the platform accepted the order as complete: the goods were supplied. A second call changes nothing. */
  async markCompleted(by: string | null): Promise<void> {
    await this.#commit((order, now) => completed(order, now, by));
  }

  /** Forgets everything that names a person, but not in the search. @returns the code; undefined if it knows nothing. */
  async forgetPerson(): Promise<string | null | undefined> {
    const hadBuyer = this.buyer() !== null;
    await this.#commit(withoutPerson);
    // What is on its way names the person. It arrives before the caller cleans the books and the outbox.
    await this.#handOver();
    return this.#state.record?.code ?? (hadBuyer || this.#state.record ? null : undefined);
  }

  /** Cancels the order for the merchant; see `cancelled`. @returns the order afterwards; null if it is not stored. */
  async cancel(by?: string): Promise<OrderDetails | null> {
    await this.#turn.run(() => this.#commit((order, now) => cancelled(order, now, by)));
    return this.details();
  }

  /** The payment notice form at first. @param withPerson - Whether with the shopper's data; never by a bill's link. */
  noticePrefill(terms: OrderTerms, withPerson = true): Prefill & {readonly amount: Kurus} {
    const {amount, ...person} = noticePrefill(this.#state, terms);
    return withPerson && !terms.shared ? {amount, ...person} : {amount};
  }

  /** Sends the platform a shopper's payment notice; see `PaymentNotices.create`. */
  createNotice(input: NoticeInput): Promise<NoticeResult> {
    return this.#notices.create(input);
  }

  /** Sends a payment notice for the merchant's server, even if the order is not stored here. */
  createNoticeForServer(...args: Parameters<PaymentNotices['createForServer']>) {
    return this.#notices.createForServer(...args);
  }

  /** Creates a hand-off, which opens this order once on another device; null while the order has no code. */
  async createHandoff(terms: HandoffTerms): Promise<{readonly secret: string; readonly expiresAt: number} | null> {
    return this.#state.record?.code ? this.#handoffs.create(terms, Date.now()) : null;
  }

  /** Reads a hand-off without using it up; returns null when it was used, has expired or never existed. */
  previewHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    return this.#handoffs.find(claim);
  }

  /** Uses up a hand-off and notifies the open pages; returns null when it was used, has expired or never existed. */
  redeemHandoff(claim: HandoffClaim): Promise<HandoffContents | null> {
    return this.#handoffs.redeem(claim);
  }

  /** Opens a page's socket, even before the order has a code. The Worker has checked the session of the header's terms. */
  override async fetch(request: Request): Promise<Response> {
    const opening = readSocketOpening(request);
    const socket = this.#sockets.open(opening, Date.now());
    if (!socket) return new Response(null, {status: 429});
    this.plan();
    await this.#commit(withView, {is: 'view', by: 'open'});
    this.#sockets.notify(this.#show({...opening.terms, shared: undefined}));
    this.ctx.waitUntil(this.#notices.checkOnView());
    return new Response(null, {status: 101, webSocket: socket});
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The page's socket is not closed until this side is closed too.
    socket.close(1000);
    await this.webSocketError(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    if (this.#sockets.countWithout(socket) === 0) await this.#commit(withView, {is: 'view', by: 'leave'});
  }

  #show(terms: OrderTerms): Payment {
    const asOf = this.#watchers.asOf(this.#state.record);
    const payment = paymentShown(this.#state, terms, {now: Date.now(), asOf});
    return shownTo(terms, {...payment, revision: this.#revision});
  }
}
