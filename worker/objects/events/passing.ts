/**
 * Entries that the outbox has taken, on their way to the archive of their month. A service whose archive cannot be reached
 * delays no other.
 */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Failures, nextFailures} from '../../lib/retry.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {book} from '../archive/booking.ts';
import {distinct, type ObjectStorage, sqlPart} from '../object-storage.ts';
import {earliest, type StandingTask, watchdogAt} from '../schedule.ts';
import {bookingOf, type Entry} from './entry.ts';

type Row = {number: number; entries: string};

/** The entries of one hand-over are one row, until the archive has them. */
export const PASSING_TABLE = `CREATE TABLE passing (
  service TEXT NOT NULL, number INTEGER NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (service, number)) WITHOUT ROWID`;

const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};
/** A call of the archive that takes longer has failed, so that it delays no other service. */
const TIMEOUT_MS = 30 * SECOND_MS;

export class Passing {
  /** The services whose entries are being passed on. */
  readonly #running = new Map<string, Promise<boolean>>();
  /** The services whose archive could not be reached. After a restart, they are tried at once. */
  readonly #failures = new Map<string, Failures>();
  /** When the alarm looks after what is being passed on. */
  #watchedUntil = 0;

  /** Each service has delays of its own, so the task itself never fails. */
  readonly task: StandingTask = {
    retry: RETRY,
    dueAt: () => earliest(...this.#services().map((service) => this.#dueAt(service))),
    run: async () => void (await Promise.all(this.#services().map((service) => this.start(service)))),
  };

  constructor(
    private readonly storage: ObjectStorage,
    private readonly objects: () => Objects,
  ) {}

  /** Adds the entries of an order, oldest first. */
  add(service: string, entries: readonly Entry[]): void {
    const kept = entries
      .filter((entry) => entry.summary !== undefined || bookingOf(entry) !== null)
      .map(({report: _report, ...entry}) => entry);
    if (kept.length > 0)
      this.storage.sql`
        INSERT INTO passing (service, number, entries) VALUES (${service},
          (SELECT coalesce(max(number), 0) + 1 FROM passing WHERE service = ${service}), ${JSON.stringify(kept)})`;
  }

  /** How many hand-overs of a service the archive does not have yet. */
  count(service: string): number {
    return this.storage.sql`SELECT 1 FROM passing WHERE service = ${service}`.length;
  }

  /** Passes on what a service has, unless it waits for its next try. */
  async start(service: string): Promise<void> {
    if (this.#dueAt(service) <= Date.now()) await this.pass(service);
  }

  /** Passes on the entries of a service in their order. @returns whether the archive has all of them. */
  pass(service: string): Promise<boolean> {
    const running = this.#running.get(service);
    if (running) return running;
    this.#watchedUntil = watchdogAt(Date.now());
    const done = this.#passService(service).finally(() => this.#running.delete(service));
    this.#running.set(service, done);
    return done;
  }

  #dueAt(service: string): number {
    return this.#running.has(service) ? this.#watchedUntil : (this.#failures.get(service)?.retryAt ?? 0);
  }

  /** The services that have entries. */
  #services(): string[] {
    return distinct(this.storage.sql, sqlPart`service`, sqlPart`passing`);
  }

  async #passService(service: string): Promise<boolean> {
    for (;;) {
      const rows = this.storage.sql<Row>`
        SELECT number, entries FROM passing WHERE service = ${service} ORDER BY number LIMIT 100`;
      const last = rows.at(-1);
      if (!last) return true;
      const timeout = Promise.withResolvers<never>();
      const timer = setTimeout(() => timeout.reject(new Error('The archive does not answer.')), TIMEOUT_MS);
      try {
        const entries = rows.flatMap((row) => JSON.parse(row.entries) as Entry[]);
        await Promise.race([archiveEntries(this.objects(), service, entries), timeout.promise]);
      } catch (error) {
        this.#failures.set(service, nextFailures(RETRY, this.#failures.get(service) ?? null, Date.now()));
        log('warn', 'history_waiting', {service, rows: rows.length, error: describeError(error)});
        return false;
      } finally {
        clearTimeout(timer);
      }
      this.#failures.delete(service);
      this.storage.sql`DELETE FROM passing WHERE service = ${service} AND number <= ${last.number}`;
    }
  }
}

async function archiveEntries(objects: Objects, service: string, entries: readonly Entry[]): Promise<void> {
  await book(
    objects,
    service,
    entries.flatMap((entry) => bookingOf(entry) ?? []),
  );
  const orders = entries.flatMap(({summary}) => summary ?? []);
  for (const [month, own] of Map.groupBy(orders, ({order}) => formatMonth(order.createdAt)))
    await objects.archivedOrders(service, month).saveOrders(own);
}
