/**
 * Searches mobile billing for subscriptions that changed, because subscriptions are also renewed and cancelled without
 * a request to the Worker: by SMS, by the mobile operator or by the platform. The sweep uses a fixed share of the
 * searches that the platform allows on a day (`SUBSCRIPTION_SWEEP_SHARE`), at equal intervals. A notification brings the
 * next search forward, and the one after it comes an interval later, so the share stays the same. Every search reads
 * one page.
 */

import type {Context} from '../../context.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {failureOf} from '../../platform/failure.ts';
import {BILLING_PAGE_LENGTH, isSearchRefused} from '../../platform/habits.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countRows} from '../../platform/reply-json.ts';
import type {DueTime, Later, Schedule, StandingTask} from '../schedule.ts';
import {laterAfter, UnreadableRowsReporter} from '../service/poller.ts';
import type {BillingChanges} from './billing-changes.ts';
import type {WakeableList} from './billing-hints.ts';
import {isLastPage, modifiedSince, TimeSpellings} from './modified-since.ts';

/** One pass over all subscriptions that changed since the moment `since`. Times are epoch milliseconds. */
interface SubscriptionReading {
  readonly since: number;
  /** The page to read next. */
  readonly page: number;
  readonly begunAt: number;
}

/** The progress of the sweep. It exists from the first start until the sweep or mobile billing is switched off. */
interface SweepState {
  /** When the last search began; 0 before the first one. */
  readonly readAt: number;
  /** The earliest time of the next search, without a notification. */
  readonly nextAt: number;
  /** The interval of the last search. */
  readonly intervalMs: number;
  readonly reading: SubscriptionReading;
}

/**
 * Each pass also covers this much time before the start of the previous pass, because clocks differ, and records may be
 * listed late.
 */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Because of notifications, there is at most one search in this time. */
const WOKEN_INTERVAL_MS = MINUTE_MS;
/** How many searches may be ahead of their time because of notifications. */
const MAX_AHEAD = 6;

const STATE = 'subscriptionSweep';
/** When the last notification came whose changes no complete pass has read yet. */
const HINTED_AT = 'subscriptionsHintedAt';
const SPELLINGS = 'subscriptionTimeSpellings';

export class SubscriptionSweep implements StandingTask, WakeableList {
  readonly retry = {firstMs: 10 * MINUTE_MS, maxMs: HOUR_MS};
  readonly #spellings: TimeSpellings;
  readonly #unreadable = new UnreadableRowsReporter('subscriptionSearch');

  /** @param name - The name of the task. */
  constructor(
    private readonly name: string,
    private readonly schedule: Schedule,
    private readonly kv: SyncKvStorage,
    private readonly changes: BillingChanges,
    private readonly service: () => string | undefined,
    private readonly context: () => Context,
  ) {
    this.#spellings = new TimeSpellings(kv, SPELLINGS);
  }

  /**
   * Starts the sweep, unless it has started or mobile billing is not configured. The sweep reports what changes from
   * now on.
   */
  start(now: number): void {
    if (this.#state() || this.context().config.subscriptionSweepMs === null) return;
    this.#save({readAt: 0, nextAt: now, intervalMs: 0, reading: readingBefore(now)});
  }

  /** See `WakeableList`. A sweep that fails does not show the changes. */
  wake(now: number): boolean {
    this.start(now);
    const state = this.#state();
    if (!state) return false;
    // A search that begins later reads the changes of this notification, too.
    if (this.#hintedAt() <= state.readAt) this.kv.put(HINTED_AT, now);
    return this.schedule.failuresOf(this.name) === null;
  }

  /** When the next search is due; null if the sweep has not started. */
  dueAt(): DueTime {
    const state = this.#state();
    if (!state) return null;
    const {readAt, nextAt, intervalMs} = state;
    if (this.#hintedAt() === 0) return nextAt;
    return Math.min(nextAt, Math.max(readAt + WOKEN_INTERVAL_MS, nextAt - MAX_AHEAD * intervalMs));
  }

  /** Makes one search. */
  async run(): Promise<Later | void> {
    const [state, service, now] = [this.#state(), this.service(), Date.now()];
    if (!state || service === undefined) return;
    const {subscriptionSweepMs: intervalMs, services} = this.context().config;
    const serviceId = services.get(service)?.micropaymentId ?? null;
    if (intervalMs === null || serviceId === null) return this.#stop();
    // The times are stored before the search, so that the interval is kept even if the process dies.
    const begun = {...state, intervalMs, readAt: now, nextAt: Math.max(now, state.nextAt) + intervalMs};
    this.#save(begun);
    try {
      const reading = await this.#read(service, state.reading, serviceId, now);
      this.#save({...begun, reading});
      const isComplete = reading.page === 1;
      if (isComplete && this.#hintedAt() <= reading.begunAt) this.kv.delete(HINTED_AT);
    } catch (error) {
      // If the platform refused the spelling of the time, the next search tries the other spelling. Such a refusal does
      // not count as a failure.
      if (isSearchRefused(error) && this.#spellings.refuse(now)) return;
      const later = laterAfter(error, Infinity);
      const {retryAt} = this.schedule.failuresAfter(this.name, this, later);
      const delayMs = Math.max(begun.nextAt, retryAt) - now;
      log('warn', 'subscriptions_unread', {service, retry_in_ms: delayMs, error: describeError(error)});
      return later;
    }
  }

  /** Reads one page and reports its records. @returns what to read next. */
  async #read(
    service: string,
    reading: SubscriptionReading,
    serviceId: string,
    now: number,
  ): Promise<SubscriptionReading> {
    const {platform} = this.context();
    const input = {serviceId, ...modifiedSince(reading, this.#spellings)};
    const {subscriptions, meta} = await platform.call('subscriptionSearch', input, {isOwn: true});
    const rows = await Promise.all(subscriptions.rows.map((record) => this.changes.inSeries(record)));
    const isRenewed = rows.some((record) => this.changes.isRenewal(record));
    const charges = isRenewed ? await this.#newestCharges(serviceId) : [];
    // Nothing is awaited from here to the write of the progress, so that reports and progress are written together.
    this.#spellings.accept();
    this.#unreadable.report(service, subscriptions.unreadable, now);
    for (const record of rows) this.changes.receiveSwept(record, service, charges, now);
    const begunAt = reading.page === 1 ? now : reading.begunAt;
    return isLastPage(reading.page, meta, countRows(subscriptions))
      ? readingBefore(begunAt)
      : {...reading, page: reading.page + 1, begunAt};
  }

  /** The newest charges, for the events of renewals, which are sent without a charge if this search fails. */
  async #newestCharges(serviceId: string): Promise<readonly ChargeRecord[]> {
    const newest = {serviceId, search: [], sort: [{column: 'id', asc: false}], limit: BILLING_PAGE_LENGTH, page: 1};
    const found = await this.context().platform.call('chargeSearch', newest).catch(failureOf);
    return 'transactions' in found ? found.transactions.rows : [];
  }

  /** Ends the sweep, because mobile billing or the sweep was switched off, also for the service. */
  #stop(): void {
    this.kv.delete(STATE);
    this.kv.delete(HINTED_AT);
  }

  #hintedAt(): number {
    return this.kv.get<number>(HINTED_AT) ?? 0;
  }

  #state(): SweepState | undefined {
    return this.kv.get<SweepState>(STATE);
  }

  #save(state: SweepState): void {
    this.kv.put<SweepState>(STATE, state);
  }
}

/** A new pass over what changed since shortly before `moment`. */
function readingBefore(moment: number): SubscriptionReading {
  return {since: moment - OVERLAP_MS, page: 1, begunAt: moment};
}
