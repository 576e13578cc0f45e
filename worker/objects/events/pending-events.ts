/**
 * Events that an object has not handed to the outbox yet. They are written together with the fact that they report
 * (nothing is awaited between the two writes), and deleted after the outbox has them. The outbox ignores an event that
 * it gets twice.
 */

import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import {type CallFailure, nextFailure, watchdogAt} from '../alarm.ts';
import {NO_TABLES, type StoreSchema, type StoreVersions} from '../migrations.ts';
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

export class PendingEvents {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
  ) {}

  add(event: NewEvent): void {
    const listed = this.#listed();
    // While the table has events, later events are added to the table too, because events are handed over in order.
    if (listed.length < MAX_LISTED && !this.#isTableUsed()) {
      this.versions.create(EVENT_LIST);
      return this.storage.kv.put<readonly NewEvent[]>('eventList', [...listed, event]);
    }
    this.versions.create(EVENT_TABLE);
    this.storage.sql.exec('INSERT INTO pending_events (event) VALUES (?)', JSON.stringify(event));
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
    if (!this.#isTableUsed()) return;
    const query = "UPDATE pending_events SET event = ? WHERE json_extract(event, '$.key') = ?";
    this.storage.sql.exec(query, JSON.stringify(event), event.key);
  }

  /** Removes the user, and what the page said, from events that were not handed over yet. */
  forgetPersons(): void {
    const listed = this.#listed();
    const forgotten = listed.map((event) =>
      'user_id' in event.data ? ({...event, data: {...event.data, user_id: null, page: undefined}} as NewEvent) : event,
    );
    if (listed.length > 0) this.storage.kv.put('eventList', forgotten);
    if (this.#isTableUsed())
      this.storage.sql.exec(
        "UPDATE pending_events SET event = json_remove(json_set(event, '$.data.user_id', NULL), '$.data.page') WHERE event ->> '$.data.user_id' IS NOT NULL OR event -> '$.data.page' IS NOT NULL",
      );
  }

  /** When the object's alarm must hand over the events; null when there are no events. */
  dueAt(): number | null {
    if (!this.#isAny()) return null;
    return this.#failure()?.retryAt ?? watchdogAt(Date.now());
  }

  /**
   * Hands over all events, oldest first. Never throws, not even with broken bindings. Events that remain are handed
   * over later.
   */
  async flush(objects: () => Objects): Promise<void> {
    while (this.#isAny()) {
      const listed = this.#listed();
      const rows = listed.length > 0 ? [] : this.#rows();
      const events = listed.length > 0 ? listed : rows.map(({event}) => JSON.parse(event) as NewEvent);
      try {
        await objects().outbox().append(events);
      } catch (error) {
        this.#recordFailure(Date.now());
        return log('warn', 'events_waiting', {rows: events.length, error: describeError(error)});
      }
      if (listed.length > 0) this.#removeListed(listed);
      else this.#removeRows(rows.at(-1)?.number ?? 0);
      if (this.#failure()) this.storage.kv.delete('eventsFailure');
    }
  }

  /** The events in the key that are not handed over yet. Some may have been added while others were handed over. */
  #listed(): readonly NewEvent[] {
    return this.storage.kv.get<readonly NewEvent[]>('eventList') ?? [];
  }

  #rows(): {number: number; event: string}[] {
    return this.storage.sql
      .exec<{number: number; event: string}>(
        'SELECT number, event FROM pending_events ORDER BY number LIMIT ?',
        BATCH_SIZE,
      )
      .toArray();
  }

  #removeListed(events: readonly NewEvent[]): void {
    const left = this.#listed().filter(({type, key}) => !events.some((done) => done.type === type && done.key === key));
    if (left.length > 0) this.storage.kv.put('eventList', left);
    else this.storage.kv.delete('eventList');
  }

  #removeRows(last: number): void {
    this.storage.sql.exec('DELETE FROM pending_events WHERE number <= ?', last);
    if (this.storage.sql.exec('SELECT 1 FROM pending_events LIMIT 1').toArray().length === 0)
      this.storage.kv.delete('pendingEvents');
  }

  #failure(): CallFailure | undefined {
    return this.storage.kv.get<CallFailure>('eventsFailure');
  }

  #recordFailure(now: number): void {
    const last = this.#failure();
    const failure = nextFailure(last, now);
    if (failure !== last) this.storage.kv.put<CallFailure>('eventsFailure', failure);
  }

  #isAny(): boolean {
    return this.#listed().length > 0 || this.#isTableUsed();
  }

  /** Reads a key and not the table, because most objects have no table. */
  #isTableUsed(): boolean {
    return this.storage.kv.get<boolean>('pendingEvents') ?? false;
  }
}
