import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {nextHourInTurkey} from '../../lib/time.ts';
import type {NotificationOutcome, RefundNotification} from '../../platform/notifications.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {stateOf} from '../../platform/statuses.ts';
import {runSafely, scheduleAlarm} from '../alarm.ts';
import {PendingEvents} from '../events/pending-events.ts';
import {
  describeRefund,
  refundEventType,
  isFinalState,
  isEarlierState,
  matchesRecord,
  hasClaimedAmount,
  isSameRefund,
  isSameIban,
} from './refund-checks.ts';
import {REFUND_FRESH_MS, RefundLookup, type LookupResult} from './refund-lookup.ts';
import {
  UnverifiedRefundStore,
  type UnverifiedRefund,
  type RefundUpdate,
  type RefundRow,
  RefundStore,
} from './refund-store.ts';

/** A refund that the platform took on through us. */
export interface RequestedRefund {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

const CALL_CONCURRENCY = 6;
/** What is not looked at by then is answered `retry`: whoever notifies does not wait for ever. */
const NOTIFICATION_TIMEOUT_MS = 6 * SECOND_MS;
/** When what could not be judged is looked at by ourselves, and a platform that failed is asked again. */
const RECHECK_DELAY_MS = MINUTE_MS;
const RETRY_DELAY_MS = 15 * MINUTE_MS;
/** How long the platform is asked every morning for a result, and how long a refund is known. */
const POLL_PERIOD_MS = 90 * DAY_MS;
const RETENTION_MS = 400 * DAY_MS;
/** How long what only a notification claims is looked for while the platform knows of nothing. */
const UNVERIFIED_RETENTION_MS = 3 * DAY_MS;
/**
 * Who has one true key can make some more: what is claimed beyond this is judged where the platform knows it, but not
 * looked for.
 */
const MAX_UNVERIFIED = 10_000;
const MAX_PER_ALARM = 200;
/** Results are sent at the end of a day: by then they are all there. */
const MORNING_HOUR = 8;

/**
 * Every refund we know of: made through us, or learnt from a notification. What a refund's state is, only the platform
 * says (`refund/get`); a notification makes us ask, and whoever opens a refund makes us ask each morning.
 *
 * A result and its event are written down together, and only then is a notification answered. If the process dies
 * - before a notification's refunds are written down: nobody was answered, and it is sent again;
 * - while the platform is asked: the claim stands there and is looked at a minute later, and a refund we knew is asked
 *   for next morning;
 * - after the result was written down: the event waits beside it, and the alarm hands it over.
 */
export class Refunds extends DurableObject<Env> {
  readonly #store = new RefundStore(this.ctx.storage);
  readonly #unverified = new UnverifiedRefundStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #lookup = new RefundLookup(() => this.#context);
  /** Orders whose money went back, to be told. */
  readonly #settled = new Map<string, Pick<RefundRow, 'service' | 'order'>>();

  /** Notes a refund that the platform took on; told again, nothing changes. */
  async recordRequested(refund: RequestedRefund): Promise<void> {
    const now = Date.now();
    if (this.#store.add(refund, 1, now, nextMorning(now))) {
      this.#unverified.deleteAllOf(refund.id);
      const update = {
        amount: refund.amount,
        status: null,
        state: 'waiting',
        transaction_id: null,
        refund_time: null,
        bank_receipt_no: null,
      };
      this.#pending.add({type: 'refund.requested', key: refund.id, at: now, data: describeRefund(refund, update)});
    }
    await this.#schedule();
    await this.#flush();
  }

  /** Looks into what a notification claims, each for itself. */
  async handleNotifications(notifications: readonly RefundNotification[]): Promise<NotificationOutcome[]> {
    const now = Date.now();
    // Before anything is asked: what we are cut off over is looked at by ourselves.
    this.#unverified.add(
      notifications.filter(({id}) => !this.#store.find(id)).filter(hasAmount),
      now,
      now + RECHECK_DELAY_MS,
      MAX_UNVERIFIED,
    );
    await this.#schedule();
    const outcomes = await mapConcurrent(CALL_CONCURRENCY, notifications, (notification) =>
      this.#evaluate(notification, now + NOTIFICATION_TIMEOUT_MS),
    );
    await this.#flush();
    return outcomes;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#store.deleteBefore(now - RETENTION_MS);
    const notFound = this.#unverified.deleteBefore(now - UNVERIFIED_RETENTION_MS);
    if (notFound > 0) log('warn', 'refund_not_found', {rows: notFound});
    await mapConcurrent(CALL_CONCURRENCY, this.#store.due(now, MAX_PER_ALARM), (refund) =>
      runSafely(
        {},
        () => this.#check(refund),
        () => this.#store.setDueAt(refund.id, Date.now() + RETRY_DELAY_MS),
      ),
    );
    await mapConcurrent(CALL_CONCURRENCY, this.#unverified.due(now, MAX_PER_ALARM), (refund) =>
      runSafely(
        {},
        () => this.#checkUnverified(refund),
        () => this.#unverified.setDueAt(refund, Date.now() + RETRY_DELAY_MS),
      ),
    );
    await this.#flush();
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
    else if (result === 'failed') this.#unverified.setDueAt(refund, now + RETRY_DELAY_MS);
  }

  /** @param deadline after which the platform is asked no more. */
  async #evaluate(notification: RefundNotification, deadline: number): Promise<NotificationOutcome> {
    if (!hasAmount(notification)) return 'invalid';
    const known = this.#store.find(notification.id);
    if (known && !matchesRecord(notification, known)) return 'invalid';
    if (known && ((isFinalState(known.state) && known.status === notification.status) || isFresh(known)))
      return this.#compare(notification);
    if (Date.now() >= deadline) {
      if (known) this.#store.setDueAt(known.id, Math.min(known.due_at ?? Infinity, Date.now() + RECHECK_DELAY_MS));
      return 'retry';
    }
    const result = known ? await this.#read(known) : await this.#verify(notification);
    if (result === 'notFound' || result === 'failed') return 'retry';
    return result === 'invalid' || !isSameIban(notification.iban, result.refund_iban)
      ? 'invalid'
      : this.#compare(notification);
  }

  /** Holds a notification against what is kept now. */
  #compare(notification: RefundNotification): NotificationOutcome {
    const known = this.#store.find(notification.id);
    if (!known || !matchesRecord(notification, known)) return 'invalid';
    // The platform tells of a result that it does not know itself yet.
    const isAhead =
      isFinalState(stateOf('refund', notification.status, this.#context.config.statuses)) && !isFinalState(known.state);
    return isAhead ? 'retry' : 'accepted';
  }

  /** Asks the platform for a refund and keeps what it says. */
  async #read(refund: RefundRow): Promise<LookupResult<RefundRecord>> {
    const result = await this.#lookup.read(refund.id);
    if (typeof result !== 'string' && this.#isSameRefund(result, refund)) return this.#save(refund.id, result);
    this.#store.setDueAt(refund.id, result === 'failed' ? Date.now() + RETRY_DELAY_MS : this.#dueAt(refund));
    return result === 'failed' ? result : 'notFound';
  }

  /**
   * What the platform's books say to a claim, and a refund that is known where it is true. One that they know nothing
   * of is kept: the platform may tell of a refund before it can be read.
   */
  async #verify(refund: UnverifiedRefund): Promise<LookupResult<RefundRecord | 'invalid'>> {
    const {id, order} = refund;
    const result = await this.#lookup.read(id);
    if (typeof result === 'string') return result;
    let isVerified = this.#isSameRefund(result, refund) && hasClaimedAmount(result, refund);
    if (isVerified) {
      // The key proves neither where the order's reference ends nor where the amount begins.
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

  #isSameRefund(record: RefundRecord, refund: Pick<RefundRow, 'id' | 'service'>): boolean {
    if (isSameRefund(record, refund, this.#context.config.merchant.id)) return true;
    log('warn', 'refund_foreign', {service: refund.service});
    return false;
  }

  /** Writes down what the platform says, in one go with the event that tells of it. */
  #save(id: string, record: RefundRecord): LookupResult<RefundRecord> {
    const known = this.#store.find(id);
    if (!known) return 'notFound';
    const now = Date.now();
    const {status, transaction_id, refund_time, bank_receipt_no} = record;
    const state = stateOf('refund', status, this.#context.config.statuses);
    if (isEarlierState(state, known.state)) {
      // What was read later was said earlier, or the platform went back on its word: the later status stays.
      log('warn', 'refund_went_back', {service: known.service, ...(status !== null && {platform_status: status})});
      this.#store.save(id, known, now, this.#dueAt(known));
      return record;
    }
    const update: RefundUpdate = {
      amount: parseAmount(record.amount ?? '') ?? known.amount,
      status,
      state,
      transaction_id,
      refund_time,
      bank_receipt_no,
      told: known.told,
    };
    const type = refundEventType(known, update);
    const saved = {...update, told: known.told + (type ? 1 : 0)};
    this.#store.save(id, saved, now, this.#dueAt({...known, ...saved}));
    if (type)
      this.#pending.add({type, key: [id, known.told, status].join('\n'), at: now, data: describeRefund(known, update)});
    if (type === 'refund.settled') this.#settled.set(id, known);
    void this.#schedule();
    return record;
  }

  /** A refund without a result is asked for every morning, for a while. */
  #dueAt({state, known_at}: Pick<RefundRow, 'state' | 'known_at'>): number | null {
    const now = Date.now();
    return isFinalState(state) || now - known_at > POLL_PERIOD_MS ? null : nextMorning(now);
  }

  async #flush(): Promise<void> {
    await this.#pending.flush(() => this.#context.objects);
    await this.#notifyOrders();
    await this.#schedule();
  }

  /** Their pages and merchants hear of it hours earlier; an order that is not told asks by itself. */
  async #notifyOrders(): Promise<void> {
    const orders = [...this.#settled.values()];
    this.#settled.clear();
    await mapConcurrent(CALL_CONCURRENCY, orders, async ({service, order}) => {
      try {
        await this.#context.objects.order(service, order).recheckStatuses();
      } catch (error) {
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
  }

  /** The next alarm: a refund is to be asked for, or an event is not handed over. */
  async #schedule(): Promise<void> {
    await scheduleAlarm(this.ctx.storage, this.#store.dueAt(), this.#unverified.dueAt(), this.#pending.dueAt());
  }
}

/** An amount that is none can be nobody's. */
function hasAmount<T extends RefundNotification>(notification: T): notification is T & UnverifiedRefund {
  return notification.amount !== null;
}

function isFresh({read_at}: RefundRow): boolean {
  return read_at !== null && Date.now() - read_at < REFUND_FRESH_MS;
}

function nextMorning(now: number): number {
  return nextHourInTurkey(MORNING_HOUR, now);
}
