/**
 * Stores an outbox's events in one sequence. For each subject with undelivered events, also stores when the first of
 * these events is due. The events of a subject thus become due one after another, and the query for due events reads no
 * other rows.
 */

import {type StoreSchema, statements} from '../migrations.ts';

export interface StoredEvent {
  /** The event's number in the sequence. */
  readonly seq: number;
  readonly id: string;
  readonly subject: string;
  /** JSON, exactly as it is signed, sent and read. */
  readonly body: string;
  /** How many times the event was sent. */
  readonly attempts: number;
  /** Since when the event has been waiting for delivery, epoch milliseconds. */
  readonly queued_at: number;
}

export interface StoredDeadEvent extends StoredEvent {
  readonly tried_at: number;
  readonly last_status: number | null;
}

export type AppendedEvent = Pick<StoredEvent, 'id' | 'subject' | 'body'>;

/** `kept`: the event is only in the feed, because no webhook was configured. */
type State = 'kept' | 'waiting' | 'delivered' | 'dead';

type EventRow = {
  seq: number;
  id: string;
  subject: string;
  body: string;
  attempts: number;
  queued_at: number;
  tried_at: number | null;
  last_status: number | null;
};
/** The row of a dead event. Delivery of it was tried, so it has `tried_at`. */
type DeadRow = EventRow & {tried_at: number};

const COLUMNS = 'seq, id, subject, body, attempts, queued_at, tried_at, last_status';
export const OUTBOX: StoreSchema = {
  name: 'outbox',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE IF NOT EXISTS events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL, body TEXT NOT NULL, appended_at INTEGER NOT NULL,
        state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, queued_at INTEGER NOT NULL, tried_at INTEGER, last_status INTEGER)`,
      `CREATE INDEX IF NOT EXISTS events_waiting ON events (subject, seq) WHERE state = 'waiting'`,
      `CREATE INDEX IF NOT EXISTS events_dead ON events (seq) WHERE state = 'dead'`,
      'CREATE INDEX IF NOT EXISTS events_appended ON events (appended_at)',
      'CREATE TABLE IF NOT EXISTS queues (subject TEXT PRIMARY KEY, due_at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX IF NOT EXISTS queues_due ON queues (due_at)',
    ),
    'CREATE INDEX events_subject ON events (subject, seq)',
  ],
};

export class OutboxStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds the events that are not stored yet, in the given order. */
  append(events: readonly AppendedEvent[], now: number, deliver: boolean): void {
    for (const {id, subject, body} of events) {
      const added = this.#sql.exec(
        'INSERT OR IGNORE INTO events (id, subject, body, appended_at, state, queued_at) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        subject,
        body,
        now,
        (deliver ? 'waiting' : 'kept') satisfies State,
        now,
      );
      if (deliver && added.rowsWritten > 0)
        this.#sql.exec('INSERT OR IGNORE INTO queues (subject, due_at) VALUES (?, ?)', subject, now);
    }
  }

  dead(afterSeq: number, limit: number): StoredDeadEvent[] {
    return this.#sql
      .exec<DeadRow>(
        `SELECT ${COLUMNS} FROM events WHERE state = 'dead' AND seq > ? ORDER BY seq LIMIT ?`,
        afterSeq,
        limit,
      )
      .toArray();
  }

  countDead(): number {
    return this.#sql.exec<{count: number}>(`SELECT count(*) AS count FROM events WHERE state = 'dead'`).one().count;
  }

  /**
   * Finds the subject that has been due for the longest time, and returns its first event. Leaves out subjects with an
   * event that is being sent.
   */
  due(now: number, inFlight: ReadonlySet<string>): StoredEvent | undefined {
    const queues = this.#sql.exec<{subject: string}>(
      'SELECT subject FROM queues WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      now,
      inFlight.size + 1,
    );
    const next = queues.toArray().find(({subject}) => !inFlight.has(subject));
    return next && this.#first(next.subject);
  }

  /** When the next event is due, including events that are being sent; null when no event waits for delivery. */
  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM queues').one().at;
  }

  setDelivered({seq, subject}: StoredEvent, now: number): void {
    this.#sql.exec(
      `UPDATE events SET state = 'delivered', attempts = attempts + 1, tried_at = ?, last_status = NULL WHERE seq = ?`,
      now,
      seq,
    );
    this.#advanceQueue(subject, now);
  }

  setFailed({seq, subject}: StoredEvent, status: number | null, now: number, dueAt: number): void {
    this.#sql.exec(
      'UPDATE events SET attempts = attempts + 1, tried_at = ?, last_status = ? WHERE seq = ?',
      now,
      status,
      seq,
    );
    this.#sql.exec('UPDATE queues SET due_at = ? WHERE subject = ?', dueAt, subject);
  }

  /** Delays a subject without counting an attempt. */
  postpone({subject}: StoredEvent, dueAt: number): void {
    this.#sql.exec('UPDATE queues SET due_at = ? WHERE subject = ?', dueAt, subject);
  }

  setDead({seq, subject}: StoredEvent, status: number | null, now: number): void {
    this.#sql.exec(
      `UPDATE events SET state = 'dead', attempts = attempts + 1, tried_at = ?, last_status = ? WHERE seq = ?`,
      now,
      status,
      seq,
    );
    this.#advanceQueue(subject, now);
  }

  /** Queues an event for immediate delivery; returns false when there is no such event. */
  resend(id: string, now: number): boolean {
    const found = this.#sql
      .exec<{subject: string}>(
        `UPDATE events SET state = 'waiting', attempts = 0, queued_at = ? WHERE id = ? RETURNING subject`,
        now,
        id,
      )
      .toArray()[0];
    if (!found) return false;
    this.#sql.exec(
      'INSERT INTO queues (subject, due_at) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET due_at = excluded.due_at',
      found.subject,
      now,
    );
    return true;
  }

  /** Drops all pending deliveries, because no webhook is configured any more. The events stay in the feed. */
  stopDelivering(): void {
    this.#sql.exec(`UPDATE events SET state = 'kept' WHERE state = 'waiting'`);
    this.#sql.exec('DELETE FROM queues');
  }

  /** Deletes the events that were appended before `at`, except those that wait for delivery. */
  deleteBefore(at: number): void {
    this.#sql.exec(`DELETE FROM events WHERE appended_at < ? AND state <> 'waiting'`, at);
  }

  oldestAppendedAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(appended_at) AS at FROM events').one().at;
  }

  #first(subject: string): StoredEvent | undefined {
    return this.#sql
      .exec<EventRow>(
        `SELECT ${COLUMNS} FROM events WHERE state = 'waiting' AND subject = ? ORDER BY seq LIMIT 1`,
        subject,
      )
      .toArray()[0];
  }

  /** Makes the subject's next event due now; deletes the subject's queue when there is no next event. */
  #advanceQueue(subject: string, now: number): void {
    if (this.#first(subject)) this.#sql.exec('UPDATE queues SET due_at = ? WHERE subject = ?', now, subject);
    else this.#sql.exec('DELETE FROM queues WHERE subject = ?', subject);
  }
}
