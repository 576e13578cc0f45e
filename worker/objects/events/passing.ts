/**
 * Entries that the outbox has taken, on their way to the archive of their month. A service whose archive cannot be reached
 * delays no other.
 */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import {book} from '../archive/booking.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {type StandingTask, watchdogAt} from '../schedule.ts';
import {bookingOf, type Entry, nameless} from './entry.ts';

type Row = {number: number; entries: string};

/** The entries of one hand-over are one row, until the archive has them. */
export const PASSING_TABLE = `CREATE TABLE passing (
  number INTEGER PRIMARY KEY, service TEXT NOT NULL, subject TEXT NOT NULL, entries TEXT NOT NULL)`;

const BATCH_SIZE = 100;

export class Passing {
  /** The services whose entries are being passed on. */
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #failing = new Set<string>();
  /** When the alarm looks after what is being passed on. */
  #watchedUntil = 0;

  readonly task: StandingTask = {
    retry: {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS},
    dueAt: () => {
      if (this.storage.sql`SELECT 1 FROM passing LIMIT 1`.length === 0) return null;
      return this.#running.size > 0 ? this.#watchedUntil : 0;
    },
    run: () => this.#passAll(),
  };

  constructor(
    private readonly storage: ObjectStorage,
    private readonly objects: () => Objects,
  ) {}

  /** Adds the entries of an order, oldest first. */
  add(service: string, subject: string, entries: readonly Entry[]): void {
    const kept = entries
      .filter((entry) => entry.summary !== undefined || bookingOf(entry) !== null)
      .map(({report: _report, ...entry}) => entry);
    if (kept.length > 0)
      this.storage.sql`
        INSERT INTO passing (service, subject, entries) VALUES (${service}, ${subject}, ${JSON.stringify(kept)})`;
  }

  /** Begins to pass on what was added. What could not be passed on before waits for the task. */
  async start(service: string): Promise<void> {
    if (!this.#failing.has(service)) await this.pass(service);
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

  /** Removes who sent the money of this subject, and its user. */
  forgetPersons(subject: string): void {
    const rows = this.storage.sql<Row>`SELECT number, entries FROM passing WHERE subject = ${subject}`;
    for (const {number, entries} of rows) {
      const forgotten = JSON.stringify((JSON.parse(entries) as Entry[]).map(nameless));
      this.storage.sql`UPDATE passing SET entries = ${forgotten} WHERE number = ${number}`;
    }
  }

  async #passAll(): Promise<'retry' | void> {
    const services = this.storage.sql<{service: string}>`SELECT DISTINCT service FROM passing`;
    const passed = await Promise.all(services.map(({service}) => this.pass(service)));
    if (passed.includes(false)) return 'retry';
  }

  async #passService(service: string): Promise<boolean> {
    for (;;) {
      const rows = this.storage.sql<Row>`
        SELECT number, entries FROM passing WHERE service = ${service} ORDER BY number LIMIT ${BATCH_SIZE}`;
      if (rows.length === 0) return true;
      const entries = rows.flatMap((row) => JSON.parse(row.entries) as Entry[]);
      const bookings = entries.flatMap((entry) => bookingOf(entry) ?? []);
      const orders = entries.flatMap(({summary}) => summary ?? []);
      try {
        await book(this.objects(), service, bookings, orders);
      } catch (error) {
        this.#failing.add(service);
        log('warn', 'history_waiting', {service, rows: rows.length, error: describeError(error)});
        return false;
      }
      this.#failing.delete(service);
      for (const {number} of rows) this.storage.sql`DELETE FROM passing WHERE number = ${number}`;
    }
  }
}
