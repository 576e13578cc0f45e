/** Stores the last known status of each charge and subscription of a service. */

import type {BillingRecordKind} from '../../platform/notifications.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

/** A record of the service in mobile billing. */
export interface BillingRecord {
  readonly kind: BillingRecordKind;
  readonly id: string;
}

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
  readonly readAt: number;
}

type KnownRow = {[K in keyof KnownRecord]: KnownRecord[K]};

export const BILLING_CHANGES: StoreSchema = {
  name: 'billing_changes',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE known (
        kind TEXT NOT NULL, id TEXT NOT NULL, status TEXT, renewal TEXT, series TEXT, event_count INTEGER NOT NULL,
        read_at INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
      'CREATE INDEX known_read ON known (read_at)',
      'CREATE INDEX known_series ON known (series) WHERE series IS NOT NULL',
    ),
  ],
};

export class BillingChangesStore {
  /** When the first of the known records was read; undefined if it must be read. Each write of the object asks for it. */
  #oldestReadAt: number | null | undefined;

  constructor(private readonly storage: ObjectStorage) {}

  known({kind, id}: BillingRecord): KnownRecord | undefined {
    return this.storage.sql<KnownRow>`
      SELECT status, renewal, series, event_count AS eventCount, read_at AS readAt FROM known
      WHERE kind = ${kind} AND id = ${id}`[0];
  }

  /** The known subscriptions of a series. */
  ofSeries(series: string): (Pick<KnownRecord, 'status' | 'renewal'> & {readonly id: string})[] {
    return this.storage.sql<{id: string; status: string | null; renewal: string | null}>`
      SELECT id, status, renewal FROM known WHERE kind = 'subscription' AND series = ${series}`;
  }

  save({kind, id}: BillingRecord, {status, renewal, series, eventCount, readAt}: KnownRecord): void {
    this.#oldestReadAt = undefined;
    this.storage.sql`
      INSERT OR REPLACE INTO known (kind, id, status, renewal, series, event_count, read_at)
      VALUES (${kind}, ${id}, ${status}, ${renewal}, ${series}, ${eventCount}, ${readAt})`;
  }

  /** Until when a `Subscriber` may claim a subscription, epoch milliseconds. */
  claimsUntil(): number {
    return this.storage.kv.get<number>('claimsUntil') ?? 0;
  }

  awaitClaims(until: number): void {
    if (until > this.claimsUntil()) this.storage.kv.put('claimsUntil', until);
  }

  /** The earliest of the times at which the known records were last read; null when no record is known. */
  oldestReadAt(): number | null {
    if (this.#oldestReadAt === undefined)
      this.#oldestReadAt = this.storage.sql<{at: number | null}>`SELECT min(read_at) AS at FROM known`[0]?.at ?? null;
    return this.#oldestReadAt;
  }

  deleteBefore(at: number): void {
    this.storage.sql`DELETE FROM known WHERE read_at < ${at}`;
    this.#oldestReadAt = undefined;
  }
}
