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

/** Each event is one key, so that an object with a few events needs no table. */
export const PENDING_EVENTS: StoreSchema = {name: 'pending_events', createdOn: 'first key', steps: [NO_TABLES]};
/** A key is this and the event's number, so the keys are in the order of the events. */
const PREFIX = 'event ';
const DIGITS = 12;

/** Retries while the outbox cannot be reached. A random part is cut off, because thousands of subscribers may have events. */
const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};

export class EventQueue {
  /** Hands over all events, oldest first. An object runs it after the change that added events. */
  readonly task = {
    retry: RETRY,
    dueAt: () => (this.#events({limit: 1}).length > 0 ? this.heldUntil : null),
    run: () => this.#flush(),
  } satisfies StandingTask;

  /** Until when the alarm hands over no events; see `holdDuring`. */
  heldUntil = 0;
  #holders = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly objects: () => Objects,
  ) {}

  add(event: NewEvent): void {
    this.storage.versions.create(PENDING_EVENTS);
    const [last] = this.#events({reverse: true, limit: 1});
    const number = Number(last?.[0].slice(PREFIX.length) ?? 0) + 1;
    this.storage.kv.put(`${PREFIX}${String(number).padStart(DIGITS, '0')}`, event);
  }

  /** Replaces the stored event that has the same key, if that event was not handed over yet. */
  replace(event: NewEvent): void {
    for (const [name, {key}] of this.#events()) if (key === event.key) this.storage.kv.put(name, event);
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
    for (;;) {
      const events = this.#events({limit: BATCH_SIZE});
      if (events.length === 0) return;
      try {
        await this.objects()
          .outbox()
          .append(events.map(([, event]) => event));
      } catch (error) {
        log('warn', 'events_waiting', {rows: events.length, error: describeError(error)});
        return 'retry';
      }
      for (const [name] of events) this.storage.kv.delete(name);
    }
  }

  #events(options: SyncKvListOptions = {}): [name: string, event: NewEvent][] {
    return [...this.storage.kv.list<NewEvent>({prefix: PREFIX, ...options})];
  }
}
