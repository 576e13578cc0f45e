/**
 * Passes what the archive keeps of the entries that the outbox takes to the archive of their month. It is stored on its
 * way only if the archive does not take it at once. A service whose archive cannot be reached delays no other.
 */

import {inTime} from '../../lib/async.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Failures, nextFailures} from '../../lib/retry.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {book, type Booking} from '../archive/booking.ts';
import type {ArchivedOrder} from '../archive/order-history-store.ts';
import {distinct, type ObjectStorage, sqlPart} from '../object-storage.ts';
import {earliest, type StandingTask, watchdogAt} from '../schedule.ts';
import {bookingOf, type Entry, summaryOf} from './entry.ts';

/** What the archive keeps of an entry: a row of the books, and the order as lists show it. */
type Kept = readonly [Booking | null, ArchivedOrder | null];

type Row = {number: number; entries: string};

/** What waits of the entries of one hand-over is one row, or a few, until the archive has it. */
export const PASSING_TABLE = `CREATE TABLE passing (
  service TEXT NOT NULL, number INTEGER NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (service, number)) WITHOUT ROWID`;

const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};
/** A call of the archive that takes longer has failed, so that it delays no other service. */
const TIMEOUT_MS = 30 * SECOND_MS;
/** How long a hand-over waits for the archive, and how many of a service do. Other entries wait in the store. */
const AT_ONCE_MS = 2 * SECOND_MS;
const MAX_AT_ONCE = 6;

/** A row may have two megabytes. */
const ENTRIES_IN_A_ROW = 50;
/** How many rows the archive gets in one call. */
const ROWS_IN_A_CALL = 50;

const unanswered = () => new Error('The archive does not answer.');

export class Passing {
  /** The services whose entries are being passed on. */
  readonly #running = new Map<string, Promise<boolean>>();
  /** The services whose archive could not be reached. After a restart, they are tried at once. */
  readonly #failures = new Map<string, Failures>();
  /** The hand-overs of each service that are in progress. They fail only if the store does not take the entries. */
  readonly #taking = new Map<string, Set<Promise<void>>>();
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

  /** Takes the entries of a hand-over, oldest first. Afterwards the archive has them, or they are stored here. */
  async take(service: string, entries: readonly Entry[]): Promise<void> {
    const all = entries.map((entry): Kept => [bookingOf(entry), summaryOf(entry)]);
    const kept = all.filter(([booking, order]) => booking ?? order);
    const others = this.#taking.get(service) ?? new Set();
    const taking = this.#take(service, kept, others.size < MAX_AT_ONCE).finally(() => others.delete(taking));
    this.#taking.set(service, others.add(taking));
    await taking;
  }

  async #take(service: string, entries: readonly Kept[], mayPass: boolean): Promise<void> {
    if (entries.length === 0) return;
    if (mayPass && !this.#isAny(service) && (await this.#send(service, entries, AT_ONCE_MS))) return;
    for (let first = 0; first < entries.length; first += ENTRIES_IN_A_ROW)
      this.storage.sql`
        INSERT INTO passing (service, number, entries) VALUES (${service},
          (SELECT coalesce(max(number), 0) + 1 FROM passing WHERE service = ${service}),
          ${JSON.stringify(entries.slice(first, first + ENTRIES_IN_A_ROW))})`;
  }

  /** Passes on what a service has, unless it waits for its next try. */
  async start(service: string): Promise<void> {
    while (this.#dueAt(service) <= Date.now() && this.#isAny(service)) await this.#pass(service);
  }

  /** Waits until the archive has what a service has now, and not for what comes meanwhile. @throws if it has not. */
  async settle(service: string): Promise<void> {
    await Promise.all(this.#taking.get(service) ?? []);
    const [last] = this.storage.sql<{number: number | null}>`
      SELECT max(number) AS number FROM passing WHERE service = ${service}`;
    while (this.#isAny(service, last?.number ?? 0)) if (!(await this.#pass(service))) throw unanswered();
  }

  /** @param end - The last number that is asked for. */
  #isAny(service: string, end = Number.MAX_SAFE_INTEGER): boolean {
    return this.storage.sql`SELECT 1 FROM passing WHERE service = ${service} AND number <= ${end} LIMIT 1`.length > 0;
  }

  /** Passes on the first entries of a service in their order. @returns whether the archive has them. */
  #pass(service: string): Promise<boolean> {
    const running = this.#running.get(service);
    if (running) return running;
    this.#watchedUntil = watchdogAt(Date.now());
    const done = this.#passFirst(service).finally(() => this.#running.delete(service));
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

  async #passFirst(service: string): Promise<boolean> {
    const rows = this.storage.sql<Row>`
      SELECT number, entries FROM passing WHERE service = ${service} ORDER BY number LIMIT ${ROWS_IN_A_CALL}`;
    const entries = rows.flatMap((row) => JSON.parse(row.entries) as Kept[]);
    if (!(await this.#send(service, entries, TIMEOUT_MS))) return false;
    this.storage.sql`DELETE FROM passing WHERE service = ${service} AND number <= ${rows.at(-1)?.number ?? 0}`;
    return true;
  }

  /** @returns whether the archive has the entries. */
  async #send(service: string, entries: readonly Kept[], timeoutMs: number): Promise<boolean> {
    try {
      await inTime(archiveEntries(this.objects(), service, entries), timeoutMs, unanswered);
      this.#failures.delete(service);
      return true;
    } catch (error) {
      this.#failures.set(service, nextFailures(RETRY, this.#failures.get(service), Date.now()));
      log('warn', 'history_waiting', {service, rows: entries.length, error: describeError(error)});
      return false;
    }
  }
}

async function archiveEntries(objects: Objects, service: string, entries: readonly Kept[]): Promise<void> {
  await book(
    objects,
    service,
    entries.flatMap(([booking]) => booking ?? []),
  );
  const orders = entries.flatMap(([, order]) => order ?? []);
  for (const [month, own] of Map.groupBy(orders, ({order}) => formatMonth(order.createdAt)))
    await objects.archivedOrders(service, month).saveOrders(own);
}
