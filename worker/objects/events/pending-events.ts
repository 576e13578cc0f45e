/**
 * Events that an object has not handed to the outbox yet. They are written together with the fact that they report
 * (nothing is awaited between the two writes), and deleted once the outbox has them. The outbox ignores an event that
 * it gets twice.
 */

import {MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {StoreSchema, StoreVersions} from '../migrations.ts';
import type {NewEvent} from './event.ts';

/**
 * Retry delay after the outbox could not be reached. It doubles with each failure, so that thousands of orders do not
 * call a broken outbox all the time. After the first failure it is random within its upper half.
 */
const FIRST_RETRY_DELAY_MS = 10_000;
const MAX_RETRY_DELAY_MS = 15 * MINUTE_MS;
const BATCH_SIZE = 100;

/** How often in a row the outbox could not be reached. */
interface OutboxFailure {
  readonly failures: number;
  /** Epoch milliseconds. */
  readonly retryAt: number;
}

export const PENDING_EVENTS: StoreSchema = {
  name: 'pending_events',
  createdOn: 'first write',
  steps: ['CREATE TABLE IF NOT EXISTS pending_events (number INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL)'],
};

export class PendingEvents {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
  ) {}

  add(event: NewEvent): void {
    this.versions.create(PENDING_EVENTS);
    this.storage.sql.exec('INSERT INTO pending_events (event) VALUES (?)', JSON.stringify(event));
    this.storage.kv.put('pendingEvents', true);
  }

  /** Replaces an event that was not handed over yet by another one with the same key. */
  replace(event: NewEvent): void {
    const query = "UPDATE pending_events SET event = ? WHERE json_extract(event, '$.key') = ?";
    this.storage.sql.exec(query, JSON.stringify(event), event.key);
  }

  /** When the object's alarm must hand over the events; null when there are no events. */
  dueAt(): number | null {
    if (!this.#isAny()) return null;
    return this.#failure()?.retryAt ?? Date.now() + FIRST_RETRY_DELAY_MS;
  }

  /**
   * Hands over all events, oldest first. Never throws, not even with broken bindings. Events that remain are handed
   * over later.
   */
  async flush(objects: () => Objects): Promise<void> {
    while (this.#isAny()) {
      const rows = this.storage.sql
        .exec<{number: number; event: string}>(
          'SELECT number, event FROM pending_events ORDER BY number LIMIT ?',
          BATCH_SIZE,
        )
        .toArray();
      try {
        await objects()
          .outbox()
          .append(rows.map(({event}) => JSON.parse(event) as NewEvent));
      } catch (error) {
        this.#recordFailure(Date.now());
        return log('warn', 'events_waiting', {rows: rows.length, error: describeError(error)});
      }
      this.storage.sql.exec('DELETE FROM pending_events WHERE number <= ?', rows.at(-1)?.number ?? 0);
      if (this.storage.sql.exec('SELECT 1 FROM pending_events LIMIT 1').toArray().length === 0)
        this.storage.kv.delete('pendingEvents');
      if (this.#failure()) this.storage.kv.delete('eventsFailure');
    }
  }

  #failure(): OutboxFailure | undefined {
    return this.storage.kv.get<OutboxFailure>('eventsFailure');
  }

  /** Attempts that come before the retry is due, because the object has news, do not make the delay longer. */
  #recordFailure(now: number): void {
    const last = this.#failure();
    if (last && now < last.retryAt) return;
    const failures = (last?.failures ?? 0) + 1;
    const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (failures - 1), MAX_RETRY_DELAY_MS);
    const jitter = failures === 1 ? 1 : 0.5 + Math.random() / 2;
    this.storage.kv.put<OutboxFailure>('eventsFailure', {failures, retryAt: now + Math.round(delayMs * jitter)});
  }

  /** Reads a key and not the table, because an object that never had an event has no table. */
  #isAny(): boolean {
    return this.storage.kv.get<boolean>('pendingEvents') ?? false;
  }
}
