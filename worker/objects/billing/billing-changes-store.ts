/**
 * Stores the hints that still have to be verified, the last known status of each charge and subscription, and the
 * events that are held back for a while.
 */

import type {BillingRecordKind, BillingHint} from '../../platform/notifications.ts';
import type {NewEvent} from '../events/event.ts';
import {type StoreSchema, statements} from '../migrations.ts';

export interface PendingHint extends BillingHint {
  /** How many reads of the record failed. */
  readonly tries: number;
  /** Since when the hint has been waiting, epoch milliseconds. */
  readonly since: number;
}

/** `known`: the hint already waits. `full`: too many hints wait. */
export type RecordedHint = 'added' | 'known' | 'full';

export interface KnownRecord {
  readonly status: string | null;
  /**
   * When the subscription is renewed after the last cycle that was paid; null if this is unknown, and for a charge. A
   * later `renewalDate` of an active subscription is a renewal.
   */
  readonly renewal: string | null;
  /** The same for all cycles of a subscription, and for similar ones of other numbers; null for a charge. */
  readonly series: string | null;
  /** How many events have reported the record. */
  readonly eventCount: number;
  /** Epoch milliseconds. */
  readonly read_at: number;
}

/** How many reads were made on a day. */
interface DailyReads {
  readonly day: string;
  readonly count: number;
}

type HintRow = {
  kind: BillingRecordKind;
  service: string;
  id: string;
  tries: number;
  since: number;
};
type KnownRow = {[K in keyof KnownRecord]: KnownRecord[K]};

const KEY = 'kind = ? AND service = ? AND id = ?';
export const BILLING_CHANGES: StoreSchema = {
  name: 'billing_changes',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE hints (
        kind TEXT NOT NULL, service TEXT NOT NULL, id TEXT NOT NULL, network TEXT NOT NULL, repeated INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0, since INTEGER NOT NULL, due_at INTEGER NOT NULL,
        PRIMARY KEY (kind, service, id)) WITHOUT ROWID`,
      'CREATE INDEX hints_due ON hints (due_at)',
      `CREATE TABLE known (
        kind TEXT NOT NULL, service TEXT NOT NULL, id TEXT NOT NULL, status TEXT, renewal TEXT, series TEXT, event_count INTEGER NOT NULL, read_at INTEGER NOT NULL, PRIMARY KEY (kind, service, id)) WITHOUT ROWID`,
      'CREATE INDEX known_read ON known (read_at)',
      'CREATE INDEX known_series ON known (series) WHERE series IS NOT NULL',
      'CREATE TABLE held_events (service TEXT NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (service, id)) WITHOUT ROWID',
      'CREATE INDEX held_events_due ON held_events (due_at)',
    ),
  ],
};

export class BillingChangesStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** How many hints wait of this kind, and how many of them this network sent. */
  waiting(kind: BillingRecordKind, network: string): {readonly all: number; readonly own: number} {
    const query = 'SELECT count(*) AS everything, count(nullif(network = ?, 0)) AS own FROM hints WHERE kind = ?';
    const {everything, own} = this.#sql.exec<{everything: number; own: number}>(query, network, kind).one();
    return {all: everything, own};
  }

  /**
   * Stores a hint unless it already waits. Only its first repetition is written then, because attackers repeat a hint
   * many times.
   * @param hasRoom - Whether one more may wait.
   */
  record(
    {kind, service, id}: BillingHint,
    network: string,
    now: number,
    dueAt: number,
    hasRoom: boolean,
  ): RecordedHint {
    const [waiting] = this.#sql.exec<{repeated: number}>(`SELECT repeated FROM hints WHERE ${KEY}`, kind, service, id);
    if (waiting) {
      if (waiting.repeated === 0) this.#sql.exec(`UPDATE hints SET repeated = 1 WHERE ${KEY}`, kind, service, id);
      return 'known';
    }
    if (!hasRoom) return 'full';
    this.#sql.exec(
      'INSERT INTO hints (kind, service, id, network, since, due_at) VALUES (?, ?, ?, ?, ?, ?)',
      kind,
      service,
      id,
      network,
      now,
      dueAt,
    );
    return 'added';
  }

  /**
   * Returns the hints that are due. The caller then reads the records of these hints. If a hint is received again
   * before the caller calls `finish`, `finish` keeps the hint.
   */
  due(now: number, limit: number): PendingHint[] {
    const hints = this.#sql
      .exec<HintRow>(
        'SELECT kind, service, id, tries, since FROM hints WHERE due_at <= ? ORDER BY due_at LIMIT ?',
        now,
        limit,
      )
      .toArray();
    for (const {kind, service, id} of hints)
      this.#sql.exec(`UPDATE hints SET repeated = 0 WHERE ${KEY} AND repeated = 1`, kind, service, id);
    return hints;
  }

  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM hints').one().at;
  }

  postpone({kind, service, id}: BillingHint, dueAt: number, tries: number): void {
    this.#sql.exec(`UPDATE hints SET due_at = ?, tries = ? WHERE ${KEY}`, dueAt, tries, kind, service, id);
  }

  /** Deletes a hint. If the hint was received again since `due` returned it, the hint is due once more at `againAt`. */
  finish({kind, service, id}: PendingHint, now: number, againAt: number): void {
    this.#sql.exec(`DELETE FROM hints WHERE ${KEY} AND repeated = 0`, kind, service, id);
    this.#sql.exec(`UPDATE hints SET since = ?, due_at = ?, tries = 0 WHERE ${KEY}`, now, againAt, kind, service, id);
  }

  known({kind, service, id}: BillingHint): KnownRecord | undefined {
    return this.#sql
      .exec<KnownRow>(
        `SELECT status, renewal, series, event_count AS eventCount, read_at FROM known WHERE ${KEY}`,
        kind,
        service,
        id,
      )
      .toArray()[0];
  }

  /** The known subscriptions of a series. */
  ofSeries(service: string, series: string): (Pick<KnownRecord, 'status' | 'renewal'> & {readonly id: string})[] {
    return this.#sql
      .exec<{id: string; status: string | null; renewal: string | null}>(
        "SELECT id, status, renewal FROM known WHERE kind = 'subscription' AND service = ? AND series = ?",
        service,
        series,
      )
      .toArray();
  }

  save({kind, service, id}: BillingHint, {status, renewal, series, eventCount, read_at}: KnownRecord): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO known (kind, service, id, status, renewal, series, event_count, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      kind,
      service,
      id,
      status,
      renewal,
      series,
      eventCount,
      read_at,
    );
  }

  /** Holds back an event about a subscription until `dueAt`. */
  holdEvent(service: string, id: string, event: NewEvent, dueAt: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO held_events (service, id, event, due_at) VALUES (?, ?, ?, ?)',
      service,
      id,
      JSON.stringify(event),
      dueAt,
    );
  }

  /** Holds back events until at least this time: those that are held back now, and those that are added later. */
  awaitClaims(until: number): void {
    this.storage.kv.put('claimsUntil', Math.max(until, this.claimsUntil()));
    this.#sql.exec('UPDATE held_events SET due_at = max(due_at, ?)', until);
  }

  /** Until when a `Subscriber` may claim a subscription, epoch milliseconds. */
  claimsUntil(): number {
    return this.storage.kv.get<number>('claimsUntil') ?? 0;
  }

  /** Removes and returns the event that is held back about a subscription. */
  takeHeldEvent(service: string, id: string): NewEvent | undefined {
    return this.#sql
      .exec<{event: string}>('DELETE FROM held_events WHERE service = ? AND id = ? RETURNING event', service, id)
      .toArray()
      .map(({event}) => JSON.parse(event) as NewEvent)[0];
  }

  /** Removes and returns the events that need not be held back any longer. */
  takeDueEvents(now: number): NewEvent[] {
    const query = 'DELETE FROM held_events WHERE due_at <= ? RETURNING event';
    return this.#sql
      .exec<{event: string}>(query, now)
      .toArray()
      .map(({event}) => JSON.parse(event) as NewEvent);
  }

  heldEventDueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM held_events').one().at;
  }

  /** The earliest time at which the next batch of hints may be read, epoch milliseconds. */
  nextBatchAt(): number {
    return this.storage.kv.get<number>('nextBatchAt') ?? 0;
  }

  setNextBatchAt(at: number): void {
    this.storage.kv.put('nextBatchAt', at);
  }

  /** The earliest of the times at which the known records were last read; null when no record is known. */
  oldestReadAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(read_at) AS at FROM known').one().at;
  }

  deleteBefore(at: number): void {
    this.#sql.exec('DELETE FROM known WHERE read_at < ?', at);
  }

  /** Subtracts a read that was counted but not sent. */
  uncountRead(kind: BillingRecordKind, day: string): void {
    const reads = this.storage.kv.get<DailyReads>(`reads ${kind}`);
    if (reads?.day === day) this.storage.kv.put<DailyReads>(`reads ${kind}`, {day, count: reads.count - 1});
  }

  /** Counts a read; returns false when the day's limit is reached. */
  countRead(kind: BillingRecordKind, day: string, limit: number): boolean {
    const reads = this.storage.kv.get<DailyReads>(`reads ${kind}`);
    const count = reads?.day === day ? reads.count : 0;
    if (count >= limit) return false;
    this.storage.kv.put<DailyReads>(`reads ${kind}`, {day, count: count + 1});
    return true;
  }
}
