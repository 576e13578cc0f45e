/**
 * Reads the records that unsigned notifications name. A hint is stored before the notification is answered, and stays
 * until the platform has returned the record or the hint expires.
 */

import type {Context} from '../../context.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatPlatformDay, nextHourInTurkey} from '../../lib/time.ts';
import {
  isBroken,
  isRateLimited,
  isUnsent,
  PlatformError,
  type PlatformFailure,
  retryAfterMsOf,
} from '../../platform/failure.ts';
import type {BillingHint, BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import {type DueTime, runSafely} from '../alarm.ts';
import type {BillingChangesStore, PendingHint} from './billing-changes-store.ts';
import type {BillingChanges} from './billing-changes.ts';

/** A record is read at most once within this time, however often hints name the record. */
const REREAD_DELAY_MS = MINUTE_MS;
/** Delays after the first failed read, after the second, and so on. The last delay repeats. */
const RETRY_DELAYS_MS = [15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** How long reads of a record are retried while the platform does not answer. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;
/** HTTP statuses that say nothing about the record: our credentials or IP address are refused. */
const NOT_ANSWERED: ReadonlySet<number | undefined> = new Set([401, 403]);
const BATCH_SIZE = 5;
/** How many ids of each kind wait to be read. With more, the platform repeats the notification. */
const MAX_IDS = 250;
/** Those of one network, without `NOTIFICATION_KEY`: an attacker can send notifications that name any record. */
const MAX_IDS_OF_NETWORK = 50;
/** How many ids of each kind are read in a day. */
const MAX_READS_PER_DAY = 200;
const BATCH_INTERVAL_MS = 5 * SECOND_MS;

export class HintReader {
  constructor(
    private readonly store: BillingChangesStore,
    private readonly changes: BillingChanges,
    private readonly context: () => Context,
  ) {}

  /**
   * Stores hints that records may have changed, as long as there is room.
   * @param network - The network that sent them; null if they came with the key.
   * @returns whether one is new, and how the notification is answered. The platform repeats a notification without room.
   */
  record(
    hints: readonly BillingHint[],
    network: string | null,
  ): {readonly isNew: boolean; readonly outcome: NotificationOutcome} {
    const now = Date.now();
    const rooms = new Map<BillingRecordKind, number>();
    let isNew = false;
    for (const hint of hints) {
      const room = rooms.get(hint.kind) ?? this.#room(hint.kind, network);
      const readAt = this.store.known(hint)?.read_at ?? 0;
      const recorded = this.store.record(hint, network ?? '', now, Math.max(now, readAt + REREAD_DELAY_MS), room > 0);
      if (recorded === 'full') return {isNew, outcome: 'retry'};
      rooms.set(hint.kind, recorded === 'added' ? room - 1 : room);
      isNew ||= recorded === 'added';
    }
    return {isNew, outcome: 'accepted'};
  }

  /** How many more hints of this kind the network may let wait. */
  #room(kind: BillingRecordKind, network: string | null): number {
    const {all, own} = this.store.waiting(kind, network ?? '');
    return Math.max(0, Math.min(MAX_IDS - all, network === null ? Infinity : MAX_IDS_OF_NETWORK - own));
  }

  /** When the next batch is read. A batch never begins before its time, however many hints arrive. */
  dueAt(): DueTime {
    const due = this.store.dueAt();
    return due === null ? null : Math.max(this.store.nextBatchAt(), due);
  }

  async readDue(now: number): Promise<void> {
    if ((this.dueAt() ?? Infinity) > now) return;
    // The time of the next batch is stored before the reads. So the next batch does not begin earlier if the process
    // dies during this batch.
    this.store.setNextBatchAt(now + BATCH_INTERVAL_MS);
    for (const hint of this.store.due(now, BATCH_SIZE)) {
      await runSafely(
        {service: hint.service},
        () => this.#process(hint, now),
        () => this.#postpone(hint, retryDelayAfter(hint), hint.tries + 1),
      );
    }
  }

  async #process(hint: PendingHint, now: number): Promise<void> {
    const day = formatPlatformDay(now);
    // The services share the reads.
    const services = Math.max(1, this.context().config.billedServices.size);
    const limit = Math.ceil(MAX_READS_PER_DAY / services);
    if (!this.store.countRead(hint.kind, day, limit))
      return this.#postpone(hint, nextHourInTurkey(0, now) - now, hint.tries);
    try {
      await this.#read(hint);
      this.#finish(hint);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const {failure} = error;
      // A read that was not sent does not count towards the day's limit, and does not count as a failed try.
      const wasSent = !isUnsent(failure);
      if (!wasSent) this.store.uncountRead(hint.kind, day);
      if (isNotFound(failure)) this.#finish(hint);
      else if (wasSent) this.#postpone(hint, retryDelayAfter(hint), hint.tries + 1);
      else this.#postpone(hint, Math.max(MINUTE_MS, retryAfterMsOf(failure) ?? 0), hint.tries);
    }
  }

  async #read({kind, service, id}: BillingHint): Promise<void> {
    const {platform, config} = this.context();
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    if (kind === 'charge') {
      const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: id});
      const subscriptionId = transaction.subscriptionId ?? transaction.subscription?.id ?? null;
      await this.changes.receiveCharge({...transaction, subscriptionId}, service, 'named');
    } else {
      const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
      this.changes.receiveSubscription(await this.changes.inSeries(subscription), service);
    }
  }

  #finish(hint: PendingHint): void {
    const now = Date.now();
    this.store.finish(hint, now, now + REREAD_DELAY_MS);
  }

  /** Delays a hint, or drops the hint if it has waited too long. */
  #postpone(hint: PendingHint, delayMs: number, tries: number): void {
    const dueAt = Date.now() + delayMs;
    if (dueAt <= hint.since + GIVE_UP_AFTER_MS) return this.store.postpone(hint, dueAt, tries);
    log('error', 'hint_expired', {service: hint.service, names: [hint.kind]});
    this.#finish(hint);
  }
}

/** Whether a retry is useless: the platform answered that there is no such record, or mobile billing is not set up. */
function isNotFound(failure: PlatformFailure): boolean {
  return (
    failure.outcome === 'unconfigured' ||
    (failure.outcome === 'refused' &&
      !isBroken(failure) &&
      !isRateLimited(failure) &&
      !NOT_ANSWERED.has(failure.httpStatus))
  );
}

function retryDelayAfter({tries}: PendingHint): number {
  return RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? HOUR_MS;
}
