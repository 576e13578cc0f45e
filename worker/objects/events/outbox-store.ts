/**
 * Stores an outbox's events in one sequence, and reads the events of one order or type. `delivery-store.ts` stores which
 * of them wait for delivery.
 */

import {isWithin, type ServiceLimit} from '../../config/service-limit.ts';
import type {MerchantEvent} from '../../contract/merchant/events.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {type ObjectStorage, sqlPart} from '../object-storage.ts';
import {PASSING_TABLE} from './passing.ts';

/**
 * A delivery is one event for one webhook. It exists while the event waits for delivery, and after the Worker gave up.
 * Of the deliveries of a webhook and subject that wait, only the first has a `due_at`. So the events of a subject become
 * due one after another, and the query for due events reads no other rows.
 */
export const OUTBOX: StoreSchema = {
  name: 'outbox',
  createdOn: 'wake',
  steps: [
    statements(
      // Events are stored in the order of `appended_at`, so `seq` finds the old events without an index. `accepted` is
      // JSON: webhook, time and attempt of each delivery that was accepted, and when and why the attempt before failed.
      `CREATE TABLE events (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL, body TEXT NOT NULL,
        appended_at INTEGER NOT NULL, accepted TEXT)`,
      // For the events of one order.
      'CREATE INDEX events_subject ON events (subject, seq)',
      `CREATE TABLE deliveries (
        subject TEXT NOT NULL, seq INTEGER NOT NULL, webhook TEXT NOT NULL, state TEXT NOT NULL, due_at INTEGER,
        attempts INTEGER NOT NULL, queued_at INTEGER NOT NULL, tried_at INTEGER, last_status INTEGER, last_fault TEXT,
        PRIMARY KEY (subject, seq, webhook)) WITHOUT ROWID`,
      'CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE due_at IS NOT NULL',
      `CREATE INDEX deliveries_dead ON deliveries (seq, webhook) WHERE state = 'dead'`,
      // For the deliveries that the Worker gave up last.
      `CREATE INDEX deliveries_given_up ON deliveries (tried_at) WHERE state = 'dead'`,
      PASSING_TABLE,
      `CREATE TABLE webhooks (
        id TEXT PRIMARY KEY, url TEXT NOT NULL, types TEXT, services TEXT, enabled INTEGER NOT NULL, secret TEXT NOT NULL,
        earlier TEXT NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL)
        WITHOUT ROWID`,
      `CREATE TABLE webhook_health (
        webhook TEXT PRIMARY KEY, last_success_at INTEGER, last_failure_at INTEGER, last_status INTEGER, last_fault TEXT,
        failures INTEGER NOT NULL) WITHOUT ROWID`,
    ),
  ],
};

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

/** A page of events, and the position where the next page begins. */
export interface EventPage extends Page {
  readonly items: MerchantEvent[];
}

/** Which events to read. A field that is null does not filter. */
export interface EventFilter {
  /** The subject, in the form that `eventSubject` returns. */
  readonly subject: string | null;
  readonly type: string | null;
  /** The caller's services. Other events do not exist for the caller. */
  readonly limit: ServiceLimit;
}

const PAGE_LENGTH = 100;
/** How many rows a query reads that leaves some out. A page may therefore be empty although later pages are not. */
const SCAN_LENGTH = 2_000;

/** The key of the last position when all events were deleted. */
const DELETED_UP_TO = 'deletedUpTo';

export type AppendedEvent = Omit<StoredEvent, 'seq'>;

type EventRow = {seq: number; id: string; subject: string; body: string};

export class OutboxStore {
  constructor(private readonly storage: Pick<ObjectStorage, 'sql' | 'kv'>) {}

  /** Adds the event; null if it is already stored. */
  append({id, subject, body}: AppendedEvent, now: number): StoredEvent | null {
    const [added] = this.storage.sql<{seq: number}>`
      INSERT OR IGNORE INTO events (seq, id, subject, body, appended_at)
      VALUES (${this.end() + 1}, ${id}, ${subject}, ${body}, ${now}) RETURNING seq`;
    return added ? {seq: added.seq, id, subject, body} : null;
  }

  find(id: string): StoredEvent | undefined {
    return this.storage.sql<EventRow>`SELECT seq, id, subject, body FROM events WHERE id = ${id}`[0];
  }

  /** Deletes the events that were appended before `at`, except those that wait for delivery. */
  deleteBefore(at: number): void {
    // Later events have later times, so this query reads only the old events and the first event that stays.
    const [kept] = this.storage.sql<{seq: number}>`
      SELECT seq FROM events WHERE seq > 0 AND appended_at >= ${at} ORDER BY seq LIMIT 1`;
    // A position is never used twice, also if no event is left.
    if (!kept) this.storage.kv.put(DELETED_UP_TO, this.end());
    const deleted = this.storage.sql<{subject: string; seq: number}>`
      DELETE FROM events WHERE seq > 0 AND seq < ${kept?.seq ?? Number.MAX_SAFE_INTEGER}
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE (subject, seq) = (events.subject, events.seq) AND state = 'waiting')
      RETURNING subject, seq`;
    for (const {subject, seq} of deleted)
      this.storage.sql`DELETE FROM deliveries WHERE subject = ${subject} AND seq = ${seq}`;
  }

  /** Removes the user from the events of this subject, also from those that wait for delivery. */
  forgetPersons(subject: string): void {
    this.storage.sql`
      UPDATE events SET body = json_remove(json_set(body, '$.data.user_id', NULL), '$.data.page')
      WHERE subject = ${subject} AND (body ->> '$.data.user_id' IS NOT NULL OR body -> '$.data.page' IS NOT NULL)`;
  }

  oldestAppendedAt(): number | null {
    return (
      this.storage.sql<{at: number}>`SELECT appended_at AS at FROM events WHERE seq > 0 ORDER BY seq LIMIT 1`[0]?.at ??
      null
    );
  }

  /** The position after the newest event, also if it is deleted; 0 if there was none. */
  end(): number {
    const [last] = this.storage.sql<{seq: number | null}>`SELECT max(seq) AS seq FROM events`;
    return last?.seq ?? this.storage.kv.get<number>(DELETED_UP_TO) ?? 0;
  }

  /** @param position - The end of the previous page; 0 starts with the oldest event. */
  search(position: number, {subject, type, limit}: EventFilter): EventPage {
    // If every row matches, the query reads one row more than fits on the page, to know whether there is another page.
    const length = type === null && limit === null ? PAGE_LENGTH + 1 : SCAN_LENGTH;
    const isAsked = subject === null ? sqlPart`` : sqlPart`subject = ${subject} AND`;
    const rows = this.storage.sql<Pick<EventRow, 'seq' | 'body'>>`
      SELECT seq, body FROM events WHERE ${isAsked} seq > ${position} ORDER BY seq LIMIT ${length}`;
    const items: MerchantEvent[] = [];
    let end = position;
    for (const {seq, body} of rows) {
      const event = JSON.parse(body) as MerchantEvent;
      const isMatch = (type === null || event.type === type) && isWithin(limit, event.data);
      if (isMatch && items.length === PAGE_LENGTH) return {items, position: end, more: true};
      if (isMatch) items.push(event);
      end = seq;
    }
    return {items, position: end, more: rows.length === length};
  }
}
