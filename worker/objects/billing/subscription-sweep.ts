/**
 * Searches mobile billing for subscriptions that changed, because subscriptions are also renewed and cancelled without
 * a request to the Worker: by SMS, by the mobile operator or by the platform. The sweep uses a fixed share of the
 * searches that the platform allows on a day (`SUBSCRIPTION_SWEEP_SHARE`), at equal intervals. Every search reads one
 * page.
 */

import type {Context} from '../../context.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {failureOf, PlatformError} from '../../platform/failure.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countRows} from '../../platform/reply-json.ts';
import {UnreadableRowsReporter} from '../sweep/poller.ts';
import type {BillingChanges} from './billing-changes.ts';
import {
  isLastPage,
  isChangeSearchRefused,
  modifiedSince,
  BILLING_PAGE_LENGTH,
  TimeSpellings,
} from './modified-since.ts';

/** One pass over all subscriptions that changed since the moment `since`. Times are epoch milliseconds. */
interface SubscriptionReading {
  readonly since: number;
  /** The page to read next. */
  readonly page: number;
  readonly begunAt: number;
}

/** The progress of the sweep. It exists from the first start until the sweep or mobile billing is switched off. */
interface SweepState {
  /** The earliest time of the next search. */
  readonly nextAt: number;
  /** How many searches in a row failed. */
  readonly failures: number;
  /** Code of the service. */
  readonly service: string;
  readonly reading: SubscriptionReading;
}

/**
 * Each pass also covers this much time before the start of the previous pass, because clocks differ, and records may be
 * listed late.
 */
const OVERLAP_MS = 2 * MINUTE_MS;
const MAX_FAILING_INTERVAL_MS = HOUR_MS;

const STATE = 'subscriptionSweep';
const SPELLINGS = 'subscriptionTimeSpellings';

/** When a search that could not begin is tried again. */
const CONFIG_RETRY_MS = 5 * MINUTE_MS;

export class SubscriptionSweep {
  readonly #spellings: TimeSpellings;
  readonly #unreadable = new UnreadableRowsReporter('subscriptionSearch');

  constructor(
    private readonly kv: SyncKvStorage,
    private readonly changes: BillingChanges,
    private readonly context: () => Context,
  ) {
    this.#spellings = new TimeSpellings(kv, SPELLINGS);
  }

  /**
   * Starts the sweep, unless it has started or mobile billing is not configured. The sweep reports what changes from
   * now on.
   */
  start(service: string, now: number): void {
    if (this.#state() || this.context().config.subscriptionSweepMs === null) return;
    this.#save({nextAt: now, failures: 0, service, reading: readingBefore(now)});
  }

  /** When the next search is due; null if the sweep has not started. */
  dueAt(): number | null {
    return this.#state()?.nextAt ?? null;
  }

  /** Makes one search if it is due. */
  async run(now: number): Promise<void> {
    const state = this.#state();
    if (!state || state.nextAt > now) return;
    const {service} = state;
    // With a wrong configuration, the search is tried again later.
    this.#save({...state, nextAt: now + CONFIG_RETRY_MS});
    const {subscriptionSweepMs: intervalMs, services} = this.context().config;
    const serviceId = services.get(service)?.micropaymentId ?? null;
    if (intervalMs === null || serviceId === null) return this.#stop();
    // The time of the next search is stored before the search, so that the interval is kept even if the process dies.
    const begun = {...state, nextAt: now + intervalMs};
    this.#save(begun);
    try {
      this.#save({...begun, failures: 0, reading: await this.#read(state, serviceId, now)});
    } catch (error) {
      // If the platform refused the spelling of the time, the next search tries the other spelling. Such a refusal does
      // not count as a failure.
      if (isChangeSearchRefused(error) && this.#spellings.refuse(now)) return;
      const {failures, delayMs} = backoffAfter(error, state.failures, intervalMs);
      this.#save({...begun, failures, nextAt: now + delayMs});
      log('warn', 'subscriptions_unread', {service, retry_in_ms: delayMs, error: describeError(error)});
    }
  }

  /** Reads one page and reports its records. @returns what to read next. */
  async #read({service, reading}: SweepState, serviceId: string, now: number): Promise<SubscriptionReading> {
    const {platform} = this.context();
    const input = {serviceId, ...modifiedSince(reading, this.#spellings)};
    const {subscriptions, meta} = await platform.call('subscriptionSearch', input, {isOwn: true});
    const rows = await Promise.all(subscriptions.rows.map((record) => this.changes.inSeries(record)));
    const isRenewed = rows.some((record) => this.changes.isRenewal(record, service));
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

/**
 * The delay after a failed search. A search that was not sent, for example because of a limit, does not count as a
 * failure.
 */
function backoffAfter(error: unknown, failures: number, intervalMs: number): {failures: number; delayMs: number} {
  if (error instanceof PlatformError && error.failure.outcome === 'unsent')
    return {failures, delayMs: Math.max(intervalMs, error.failure.retryAfterMs)};
  return {
    failures: failures + 1,
    delayMs: Math.max(intervalMs, Math.min(intervalMs * 2 ** (failures + 1), MAX_FAILING_INTERVAL_MS)),
  };
}
