/**
 * Events that an object has not handed to the outbox yet. They are written together with the fact that they report
 * (nothing is awaited between the two writes), and deleted after the outbox has them. The outbox ignores an event that
 * it gets twice.
 */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {type StandingTask, watchdogAt} from '../schedule.ts';
import type {NewEvent} from './event.ts';

const BATCH_SIZE = 100;

const EVENT_TABLE: StoreSchema = {
  name: 'pending_events',
  createdOn: 'first write',
  steps: ['CREATE TABLE pending_events (number INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL)'],
};

/**
 * Most objects have only a few events at a time. The first few events are in one key, which costs fewer rows than a
 * table. Further events are in the table.
 */
const EVENT_LIST: StoreSchema = {name: 'event_list', createdOn: 'first key', steps: [NO_TABLES]};
const MAX_LISTED = 4;

export const PENDING_EVENTS: readonly StoreSchema[] = [EVENT_TABLE, EVENT_LIST];

/** Retries while the outbox cannot be reached. A random part is cut off, because thousands of orders may have events. */
const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};

export class EventQueue {
  /** Hands over all events, oldest first. An object runs it after the change that added events. */
  readonly task: StandingTask = {
    retry: RETRY,
    dueAt: () => (this.#isAny() ? this.heldUntil : null),
    run: () => this.#flush(),
  };

  /** Until when the alarm hands over no events; see `holdDuring`. */
  heldUntil = 0;
  #holders = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly objects: () => Objects,
  ) {}

  add(event: NewEvent): void {
    const listed = this.#listed();
    // While the table has events, later events are added to the table too, because events are handed over in order.
    if (listed.length < MAX_LISTED && !this.#isTableUsed()) {
      this.storage.versions.create(EVENT_LIST);
      return this.storage.kv.put<readonly NewEvent[]>('eventList', [...listed, event]);
    }
    this.storage.versions.create(EVENT_TABLE);
    this.storage.sql`INSERT INTO pending_events (event) VALUES (${JSON.stringify(event)})`;
    if (!this.#isTableUsed()) this.storage.kv.put('pendingEvents', true);
  }

  /** Replaces the stored event that has the same key, if that event was not handed over yet. */
  replace(event: NewEvent): void {
    const listed = this.#listed();
    if (listed.some(({key}) => key === event.key))
      this.storage.kv.put(
        'eventList',
        listed.map((old) => (old.key === event.key ? event : old)),
      );
    if (this.#isTableUsed())
      this.storage.sql`
        UPDATE pending_events SET event = ${JSON.stringify(event)} WHERE json_extract(event, '$.key') = ${event.key}`;
  }

  /**
   * Runs work that adds events. The caller hands them over after it, together; the alarm only does so if the work takes
   * long, or if the object dies.
   */
  async holdDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#holders += 1;
    this.heldUntil = watchdogAt(Date.now());
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.heldUntil = 0;
    }
  }

  async #flush(): Promise<'retry' | void> {
    while (this.#isAny()) {
      const listed = this.#listed();
      const rows = listed.length > 0 ? [] : this.#rows();
      const events = listed.length > 0 ? listed : rows.map(({event}) => JSON.parse(event) as NewEvent);
      try {
        await this.objects().outbox().append(events);
      } catch (error) {
        log('warn', 'events_waiting', {rows: events.length, error: describeError(error)});
        return 'retry';
      }
      if (listed.length > 0) this.#removeListed(listed);
      else this.#removeRows(rows.at(-1)?.number ?? 0);
    }
  }

  /** The events in the key that are not handed over yet. Some may have been added while others were handed over. */
  #listed(): readonly NewEvent[] {
    return this.storage.kv.get<readonly NewEvent[]>('eventList') ?? [];
  }

  #rows(): {number: number; event: string}[] {
    return this.storage.sql<{number: number; event: string}>`
      SELECT number, event FROM pending_events ORDER BY number LIMIT ${BATCH_SIZE}`;
  }

  #removeListed(events: readonly NewEvent[]): void {
    const left = this.#listed().filter(({type, key}) => !events.some((done) => done.type === type && done.key === key));
    if (left.length > 0) this.storage.kv.put('eventList', left);
    else this.storage.kv.delete('eventList');
  }

  #removeRows(last: number): void {
    this.storage.sql`DELETE FROM pending_events WHERE number <= ${last}`;
    if (this.storage.sql`SELECT 1 FROM pending_events LIMIT 1`.length === 0) this.storage.kv.delete('pendingEvents');
  }

  #isAny(): boolean {
    return this.#listed().length > 0 || this.#isTableUsed();
  }

  /** Reads a key and not the table, because most objects have no table. */
  #isTableUsed(): boolean {
    return this.storage.kv.get<boolean>('pendingEvents') ?? false;
  }
}
