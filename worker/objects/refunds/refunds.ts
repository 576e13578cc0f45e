import {type Context, contextOf} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {type Retry, retryDelayMs} from '../../lib/retry.ts';
import {readTime} from '../../platform/habits.ts';
import type {NotificationOutcome, RefundNotification} from '../../platform/notifications.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {stateOf} from '../../platform/statuses.ts';
import {EventQueue, PENDING_EVENTS} from '../events/event-queue.ts';
import {earliest, endOfRetention} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {
  describeRefund,
  refundEventType,
  isFinalState,
  isEarlierState,
  matchesRecord,
  hasAmount,
  nextMorning,
  hasClaimedAmount,
  isSameIban,
  SENDS_NOTHING,
} from './refund-checks.ts';
import {REFUND_LINKS} from './refund-link-store.ts';
import {RefundLinks} from './refund-links.ts';
import {isFresh, RefundLookup, type LookupResult} from './refund-lookup.ts';
import {
  REFUNDS,
  UNVERIFIED_REFUNDS,
  UnverifiedRefundStore,
  type UnverifiedRefund,
  type RefundUpdate,
  type RefundRow,
  RefundStore,
} from './refund-store.ts';
import {REPORTED_REFUNDS, ReportedRefunds} from './reported-refunds.ts';

/** A refund that the Worker requested and the platform accepted. */
export interface RequestedRefund {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  readonly subMerchantId?: string | undefined;
  /** The refund link with which the shopper asked for the refund. */
  readonly linkId?: string | undefined;
  /** The API key with which the merchant's server asked for the refund. */
  readonly askedBy?: string | null | undefined;
}

const CALL_CONCURRENCY = 6;
/** After this time, a notification gets the outcome `retry`, because the platform does not wait longer. */
const NOTIFICATION_TIMEOUT_MS = 6 * SECOND_MS;
/** Delay until the alarm checks a refund that could not be verified while its notification was handled. */
const RECHECK_DELAY_MS = MINUTE_MS;
/** How long a refund without a result is read every morning. */
const POLL_PERIOD_MS = 90 * DAY_MS;
const RETENTION_MS = 400 * DAY_MS;
/** How long an unverified refund is looked up while the platform does not know it. */
const UNVERIFIED_RETENTION_MS = 3 * DAY_MS;
const MAX_PER_RUN = 200;
/** An attacker with one valid key can derive more keys. Results above this number are looked up once and not stored. */
const MAX_UNVERIFIED = 10_000;
/** When refunds that orders or books could not get are handed over again. */
const REPORT: Retry = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};
/** When a failed read is repeated, and work that our own code could not do. */
const RETRY = {delaysMs: [15 * MINUTE_MS]};

/**
 * All refunds of a merchant that the Worker requested, or that a notification reported. Only the platform's record
 * (`refund/get`) determines a refund's state. The record is read after a notification, and daily until it has a result.
 *
 * A result is written in one turn with its event and with what order and books must learn of it, before the
 * notification is answered. If the process dies
 * - before a notification's refunds are stored, the platform gets no answer and sends the notification again;
 * - while a notification is answered, an unverified refund is read again after a minute, a known refund on the next
 *   morning.
 */
export class Refunds extends StoredObject {
  static override readonly schemas = [REFUNDS, UNVERIFIED_REFUNDS, REPORTED_REFUNDS, REFUND_LINKS, PENDING_EVENTS];

  readonly #store = new RefundStore(this.storage);
  readonly #unverified = new UnverifiedRefundStore(this.storage);
  readonly #links = new RefundLinks(this.storage);
  readonly #events = new EventQueue(this.storage, () => this.#context.objects);
  readonly #lookup = new RefundLookup(() => this.#context);
  readonly #reported = new ReportedRefunds(this.storage);

  protected override readonly tasks = {
    reads: {retry: RETRY, dueAt: () => this.#store.dueAt(), run: () => this.#readDue()},
    claims: {retry: RETRY, dueAt: () => this.#unverified.dueAt(), run: () => this.#checkClaims()},
    reports: {
      retry: REPORT,
      dueAt: () => (this.#reported.isAny() ? this.#events.heldUntil : null),
      run: () => this.#reported.handOver(this.#context),
    },
    events: this.#events.task,
    retention: {
      retry: RETRY,
      dueAt: () => earliest(this.#links.dueAt(), endOfRetention(this.#store.oldestKnownAt(), RETENTION_MS)),
      run: async () => this.#deleteOld(Date.now()),
    },
  };

  /** Stores a refund that the Worker requested and the platform accepted. A second call changes nothing. */
  recordRequested(refund: RequestedRefund): Promise<void> {
    return this.#handOverAfter(async () => this.#addRequested(refund));
  }

  #addRequested(refund: RequestedRefund): void {
    const now = Date.now();
    const {id, subMerchantId, linkId, askedBy: apiKey = null} = refund;
    const isNew = this.#store.add(refund, 1, now, nextMorning(now));
    if (subMerchantId !== undefined) this.#store.set(id, {sub_merchant_id: subMerchantId});
    if (linkId !== undefined) {
      this.#store.set(id, {refund_link_id: linkId});
      this.#links.use(linkId, id);
    }
    if (isNew) {
      this.#unverified.deleteAllOf(id);
      const unknown = {status: null, transaction_id: null, refund_time: null, bank_receipt_no: null};
      const update = {...unknown, amount: refund.amount, state: 'waiting'};
      const data = describeRefund(
        {...refund, sub_merchant_id: subMerchantId ?? null, refund_link_id: linkId ?? null},
        update,
      );
      this.#events.add({type: 'refund.requested', key: id, at: now, data});
      const by = linkId === undefined ? 'merchant' : 'shopper';
      const unread = {transaction_id: null, bank_receipt_no: null, timeUnknown: false};
      this.#reported.add({...refund, ...unread, by, apiKey, state: 'waiting', at: now});
    }
  }

  /** Stores refunds that the platform lists for an order, although nobody requested them here, and no notification came. */
  receiveListed(service: string, order: string, records: readonly RefundRecord[]): Promise<void> {
    return this.#handOverAfter(async () => {
      const now = Date.now();
      for (const record of records) {
        const {id} = record;
        const refund = {id, service, order, amount: parseAmount(record.amount ?? '')};
        if (this.#store.find(id) || !this.#isSameRefund(record, refund)) continue;
        this.#unverified.deleteAllOf(id);
        this.#store.add(refund, 0, now, nextMorning(now));
        this.#save(id, record);
      }
    });
  }

  find(id: string): RefundRow | null {
    return this.#store.find(id) ?? null;
  }

  /** The refunds of an order that the Worker requested, or that a verified notification reported. */
  ofOrder(service: string, order: string): RefundRow[] {
    return this.#store.ofOrder(service, order);
  }

  /** How many refunds of the service their orders or the books do not have yet. */
  waiting(service: string): number {
    return this.#reported.count(service);
  }

  /** Adds a refund link; see `RefundLinks.create`. */
  createLink(...args: Parameters<RefundLinks['create']>) {
    return this.#links.create(...args);
  }

  findLink(id: string) {
    return this.#links.find(id);
  }

  openLink(digest: string) {
    return this.#links.open(digest);
  }

  linksOfOrder(...args: Parameters<RefundLinks['ofOrder']>) {
    return this.#links.ofOrder(...args);
  }

  withdrawLink(id: string) {
    return this.#links.withdraw(id);
  }

  claimLink(...args: Parameters<RefundLinks['claim']>) {
    return this.#links.claim(...args);
  }

  releaseLink(...args: Parameters<RefundLinks['release']>) {
    return this.#links.release(...args);
  }

  /** Verifies each refund that a notification reports. */
  handleNotifications(notifications: readonly RefundNotification[]): Promise<NotificationOutcome[]> {
    const now = Date.now();
    // These refunds are stored before anything is read, so that the alarm checks them if the process dies.
    this.#unverified.add(
      notifications.filter(({id}) => !this.#store.find(id)).filter(hasAmount),
      now,
      now + RECHECK_DELAY_MS,
      MAX_UNVERIFIED,
    );
    return this.#handOverAfter(() =>
      mapConcurrent(CALL_CONCURRENCY, notifications, (notification) =>
        this.#evaluate(notification, now + NOTIFICATION_TIMEOUT_MS),
      ),
    );
  }

  /** Runs work, and then hands over what order, books and outbox must learn of it. */
  async #handOverAfter<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#events.holdDuring(work);
    } finally {
      await Promise.all([this.runNow('events'), this.runNow('reports')]);
    }
  }

  #readDue(): Promise<void> {
    return this.#eachSafely(
      this.#store.due(Date.now(), MAX_PER_RUN),
      (refund) => this.#check(refund),
      ({id}, dueAt) => this.#store.set(id, {due_at: dueAt}),
    );
  }

  async #checkClaims(): Promise<void> {
    let notFound = 0;
    await this.#eachSafely(
      this.#unverified.due(Date.now(), MAX_PER_RUN),
      async (claim) => {
        if (Date.now() - claim.added_at <= UNVERIFIED_RETENTION_MS) return this.#checkUnverified(claim);
        this.#unverified.delete(claim);
        notFound += 1;
      },
      (claim, dueAt) => this.#unverified.setDueAt(claim, dueAt),
    );
    if (notFound > 0) log('warn', 'refund_not_found', {rows: notFound});
  }

  /** @param postpone - Plans the next try after an error. */
  async #eachSafely<T>(
    refunds: readonly T[],
    check: (refund: T) => Promise<void>,
    postpone: (refund: T, dueAt: number) => void,
  ): Promise<void> {
    await this.#handOverAfter(() =>
      mapConcurrent(CALL_CONCURRENCY, refunds, async (refund) => {
        try {
          await check(refund);
        } catch (error) {
          log('error', 'internal_error', {error: describeError(error)});
          postpone(refund, Date.now() + retryDelayMs(RETRY, 1));
        }
      }),
    );
  }

  #deleteOld(now: number): void {
    this.#store.deleteBefore(now - RETENTION_MS);
    this.#links.prune(now);
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #check(refund: RefundRow): Promise<void> {
    await this.#read(refund);
    const now = this.#store.find(refund.id);
    if (now?.due_at === null && !isFinalState(now.state))
      log('error', 'refund_given_up', {service: now.service, order: now.order});
  }

  async #checkUnverified(refund: UnverifiedRefund): Promise<void> {
    const result = await this.#verify(refund);
    const now = Date.now();
    if (result === 'notFound') this.#unverified.setDueAt(refund, nextMorning(now));
    else if (result === 'failed') this.#unverified.setDueAt(refund, now + retryDelayMs(RETRY, 1));
  }

  /** @param deadline - The time after which no read starts, epoch milliseconds. */
  async #evaluate(notification: RefundNotification, deadline: number): Promise<NotificationOutcome> {
    if (!hasAmount(notification)) return 'invalid';
    const known = this.#store.find(notification.id);
    if (known && !matchesRecord(notification, known)) return 'invalid';
    if (known && ((isFinalState(known.state) && known.status === notification.status) || isFresh(known)))
      return this.#compare(notification);
    if (Date.now() >= deadline) {
      if (known) this.#store.set(known.id, {due_at: Math.min(known.due_at ?? Infinity, Date.now() + RECHECK_DELAY_MS)});
      return 'retry';
    }
    const result = known ? await this.#read(known) : await this.#verify(notification);
    if (result === 'notFound' || result === 'failed') return 'retry';
    return result === 'invalid' || !isSameIban(notification.iban, result.refund_iban)
      ? 'invalid'
      : this.#compare(notification);
  }

  /** Compares a notification with the stored refund. */
  #compare(notification: RefundNotification): NotificationOutcome {
    const known = this.#store.find(notification.id);
    if (!known || !matchesRecord(notification, known)) return 'invalid';
    // Whether the platform sent a result that its own record does not show yet.
    const isAhead =
      isFinalState(stateOf('refund', notification.status, this.#context.config.statuses)) && !isFinalState(known.state);
    return isAhead ? 'retry' : 'accepted';
  }

  /** Reads a known refund from the platform and stores the result. */
  async #read(refund: RefundRow): Promise<LookupResult<RefundRecord>> {
    const result = await this.#lookup.read(refund.id);
    if (typeof result !== 'string' && this.#isSameRefund(result, refund)) return this.#save(refund.id, result);
    this.#store.set(refund.id, {
      due_at: result === 'failed' ? Date.now() + retryDelayMs(RETRY, 1) : this.#dueAt(refund),
    });
    return result === 'failed' ? result : 'notFound';
  }

  /**
   * Compares a notification's claim with the platform's records, and stores the refund if the claim is true. A refund
   * that the platform does not know stays unverified, because the platform may send a notification before the refund
   * can be read.
   */
  async #verify(refund: UnverifiedRefund): Promise<LookupResult<RefundRecord | 'invalid'>> {
    const {id, order} = refund;
    const result = await this.#lookup.read(id);
    if (typeof result === 'string') return result;
    let isVerified = this.#isSameRefund(result, refund) && hasClaimedAmount(result, refund);
    if (isVerified) {
      // The notification's key does not prove where the order's reference ends and the amount begins.
      const refunds = await this.#lookup.idsOfOrder(order);
      if (refunds === 'failed') return refunds;
      isVerified = refunds !== 'notFound' && refunds.has(id);
    }
    if (!isVerified) {
      this.#unverified.delete(refund);
      return 'invalid';
    }
    this.#unverified.deleteAllOf(id);
    this.#store.add(refund, 0, Date.now(), nextMorning(Date.now()));
    return this.#save(id, result);
  }

  /** Whether the record is a refund of this service, as far as it shows this. The client compares id and merchant. */
  #isSameRefund({service_code: named}: RefundRecord, {service}: Pick<RefundRow, 'service'>): boolean {
    if (named === null || named === service) return true;
    log('warn', 'refund_foreign', {service});
    return false;
  }

  /** Writes the platform's record together with its event. */
  #save(id: string, record: RefundRecord): LookupResult<RefundRecord> {
    const known = this.#store.find(id);
    if (!known) return 'notFound';
    const now = Date.now();
    const {status, transaction_id, refund_time, bank_receipt_no} = record;
    const state = stateOf('refund', status, this.#context.config.statuses);
    if (isEarlierState(state, known.state)) {
      // Two reads ended in the wrong order, or the platform reset the refund. The later state stays stored.
      log('warn', 'refund_went_back', {service: known.service, ...(status !== null && {platform_status: status})});
      this.#store.set(id, {read_at: now, due_at: this.#dueAt(known)});
      return record;
    }
    const update: RefundUpdate = {
      amount: parseAmount(record.amount ?? '') ?? known.amount,
      status,
      state,
      transaction_id,
      refund_time,
      bank_receipt_no,
      eventCount: known.eventCount,
    };
    const type = refundEventType(known, update);
    const eventCount = known.eventCount + (type ? 1 : 0);
    this.#store.set(id, {...update, eventCount, read_at: now, due_at: this.#dueAt({...known, ...update})});
    if (type)
      this.#events.add({
        type,
        key: [id, known.eventCount, status].join('\n'),
        at: now,
        data: describeRefund(known, update),
      });
    if (type && isFinalState(state)) {
      const at = readTime(refund_time);
      // A refund that failed has no time of the bank.
      const timeUnknown = at === null && !SENDS_NOTHING.has(state);
      this.#reported.add({...known, ...update, at: at ?? now, timeUnknown, by: 'platform', apiKey: null});
    }
    return record;
  }

  /** When a refund is read next: every morning until the refund has a result or the poll period ends. */
  #dueAt({state, known_at}: Pick<RefundRow, 'state' | 'known_at'>): number | null {
    const now = Date.now();
    return isFinalState(state) || now - known_at > POLL_PERIOD_MS ? null : nextMorning(now);
  }
}
