/** Stores an outbox's events in one sequence. `delivery-store.ts` stores which of them wait for delivery. */

export interface StoredEvent {
  /** The event's number in the sequence. */
  readonly seq: number;
  readonly id: string;
  readonly subject: string;
  /** JSON, exactly as it is signed, sent and read. */
  readonly body: string;
}

/** The place of a page in its list. */
export interface Page {
  /** The position after the last item; on an empty page, the position that was requested. */
  readonly position: number;
  readonly more: boolean;
}

export type AppendedEvent = Omit<StoredEvent, 'seq'>;

type EventRow = {seq: number; id: string; subject: string; body: string};

const COLUMNS = 'seq, id, subject, body';

export class OutboxStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds the event; null if it is already stored. */
  append({id, subject, body}: AppendedEvent, now: number): StoredEvent | null {
    const added = this.#sql
      .exec<{seq: number}>(
        `INSERT OR IGNORE INTO events (id, subject, body, appended_at, state, queued_at) VALUES (?, ?, ?, ?, 'kept', ?)
         RETURNING seq`,
        id,
        subject,
        body,
        now,
        now,
      )
      .toArray()[0];
    return added ? {seq: added.seq, id, subject, body} : null;
  }

  find(id: string): StoredEvent | undefined {
    return this.#sql.exec<EventRow>(`SELECT ${COLUMNS} FROM events WHERE id = ?`, id).toArray()[0];
  }

  /** Deletes the events that were appended before `at`, except those that wait for delivery. */
  deleteBefore(at: number): void {
    // Later events have later times, so this query reads only the old events and the first event that stays.
    const [kept] = this.#sql
      .exec<{seq: number}>('SELECT seq FROM events WHERE seq > 0 AND appended_at >= ? ORDER BY seq LIMIT 1', at)
      .toArray();
    const deleted = this.#sql.exec<{seq: number}>(
      `DELETE FROM events WHERE seq > 0 AND seq < ?
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.seq = events.seq AND deliveries.state = 'waiting')
       RETURNING seq`,
      kept?.seq ?? Number.MAX_SAFE_INTEGER,
    );
    for (const {seq} of deleted.toArray()) this.#sql.exec('DELETE FROM deliveries WHERE seq = ?', seq);
  }

  oldestAppendedAt(): number | null {
    const oldest = 'SELECT appended_at AS at FROM events WHERE seq > 0 ORDER BY seq LIMIT 1';
    return this.#sql.exec<{at: number}>(oldest).toArray()[0]?.at ?? null;
  }
}
