/** Stores a merchant's refunds, and unverified refunds, which only a notification claims. */

import type {Kurus} from '../../lib/money.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {assignments, type ObjectStorage, sqlPart} from '../object-storage.ts';
import type {DueTime} from '../schedule.ts';

export interface RefundRow {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  /** The sub-merchant whose part of the order is refunded; null if the merchant's server named none. */
  readonly sub_merchant_id: string | null;
  /** The refund link with which the shopper asked for the refund; null for any other refund. */
  readonly refund_link_id: string | null;
  readonly amount: Kurus | null;
  /** The platform's status; null until the refund was read. */
  readonly status: string | null;
  /** Our name for the status; `unread` until the refund was read. */
  readonly state: string;
  readonly transaction_id: string | null;
  readonly refund_time: string | null;
  readonly bank_receipt_no: string | null;
  /** How many events have reported the refund. */
  readonly eventCount: number;
  /** All times here are epoch milliseconds. */
  readonly known_at: number;
  readonly read_at: number | null;
  /** When the refund is read from the platform next; null for never. */
  readonly due_at: number | null;
}

export type RefundUpdate = Pick<
  RefundRow,
  'amount' | 'status' | 'state' | 'transaction_id' | 'refund_time' | 'bank_receipt_no' | 'eventCount'
>;

type Row = {[K in keyof RefundRow]: RefundRow[K]};

const COLUMNS = sqlPart`id, service, "order", sub_merchant_id, refund_link_id, amount, status, state, transaction_id,
  refund_time, bank_receipt_no, event_count AS eventCount, known_at, read_at, due_at`;
export const REFUNDS: StoreSchema = {
  name: 'refunds',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE refunds (
        id TEXT PRIMARY KEY, service TEXT NOT NULL, "order" TEXT NOT NULL, sub_merchant_id TEXT, refund_link_id TEXT,
        amount INTEGER, status TEXT, state TEXT NOT NULL DEFAULT 'unread', transaction_id TEXT, refund_time TEXT,
        bank_receipt_no TEXT, event_count INTEGER NOT NULL, known_at INTEGER NOT NULL, read_at INTEGER, due_at INTEGER)`,
      'CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX refunds_known ON refunds (known_at)',
      'CREATE INDEX refunds_order ON refunds ("order", service)',
    ),
  ],
};

/** The refunds of a merchant, as the platform last returned them. No name and no IBAN is stored. */
export class RefundStore {
  constructor(private readonly storage: ObjectStorage) {}

  find(id: string): RefundRow | undefined {
    return this.storage.sql<Row>`SELECT ${COLUMNS} FROM refunds WHERE id = ${id}`[0];
  }

  /** The refunds of one order, in the sequence in which the Worker learnt of them. */
  ofOrder(service: string, order: string): RefundRow[] {
    return this.storage.sql<Row>`
      SELECT ${COLUMNS} FROM refunds WHERE "order" = ${order} AND service = ${service} ORDER BY known_at, rowid`;
  }

  /**
   * Adds a refund that certainly belongs to this order. @returns false if the refund was already stored.
   * @param eventCount - How many events have reported the refund.
   */
  add(
    {id, service, order, amount}: Pick<RefundRow, 'id' | 'service' | 'order' | 'amount'>,
    eventCount: number,
    now: number,
    dueAt: number,
  ): boolean {
    const added = this.storage.sql`
      INSERT OR IGNORE INTO refunds (id, service, "order", amount, event_count, known_at, due_at)
      VALUES (${id}, ${service}, ${order}, ${amount}, ${eventCount}, ${now}, ${dueAt}) RETURNING 1`;
    return added.length > 0;
  }

  /**
   * Stores whose part a refund is, with which link it was asked for, when it is read next, or what the platform returned.
   * A notification may have reported the refund before the Worker could say so.
   */
  set(
    id: string,
    {eventCount: event_count, ...changes}: Partial<Omit<RefundRow, 'id' | 'service' | 'order' | 'known_at'>>,
  ): void {
    this.storage.sql`UPDATE refunds SET ${assignments({...changes, event_count})} WHERE id = ${id}`;
  }

  due(now: number, limit: number): RefundRow[] {
    return this.storage.sql<Row>`SELECT ${COLUMNS} FROM refunds WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`;
  }

  dueAt(): DueTime {
    return this.storage.sql<Time>`SELECT min(due_at) AS at FROM refunds WHERE due_at IS NOT NULL`[0]?.at ?? null;
  }

  /** When the oldest refund was added; null when there is none. */
  oldestKnownAt(): DueTime {
    return this.storage.sql<Time>`SELECT min(known_at) AS at FROM refunds`[0]?.at ?? null;
  }

  /** Deletes the refunds that were added before this time. */
  deleteBefore(known: number): void {
    this.storage.sql`DELETE FROM refunds WHERE known_at < ${known}`;
  }
}

type Time = {at: DueTime};

export interface UnverifiedRefund {
  readonly id: string;
  /** The service whose key signed the notification. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

/** A stored claim; `added_at` is in epoch milliseconds. */
export type StoredClaim = UnverifiedRefund & {readonly added_at: number};

const isClaim = ({id, service, order, amount}: UnverifiedRefund) =>
  sqlPart`id = ${id} AND service = ${service} AND "order" = ${order} AND amount = ${amount}`;
export const UNVERIFIED_REFUNDS: StoreSchema = {
  name: 'unverified_refunds',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE unverified_refunds (
        id TEXT NOT NULL, service TEXT NOT NULL, "order" TEXT NOT NULL, amount INTEGER NOT NULL, added_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
        PRIMARY KEY (id, service, "order", amount)) WITHOUT ROWID`,
      'CREATE INDEX unverified_refunds_due ON unverified_refunds (due_at)',
    ),
  ],
};

/**
 * Stores what notifications with a valid key claim about unknown refunds. A key is a digest of values without
 * separators, so several claims can have the same key, and only one of these claims is true. Each claim is therefore
 * stored with all its values. No status and no IBAN is stored.
 */
export class UnverifiedRefundStore {
  constructor(private readonly storage: ObjectStorage) {}

  /** Adds claims while there is room. A claim that is already stored stays as it is. Times are epoch milliseconds. */
  add(refunds: readonly UnverifiedRefund[], now: number, dueAt: number, limit: number): void {
    const [stored] = this.storage.sql<{count: number}>`SELECT count(*) AS count FROM unverified_refunds`;
    let room = limit - (stored?.count ?? 0);
    for (const {id, service, order, amount} of refunds) {
      if (room <= 0) return;
      const added = this.storage.sql`
        INSERT OR IGNORE INTO unverified_refunds (id, service, "order", amount, added_at, due_at)
        VALUES (${id}, ${service}, ${order}, ${amount}, ${now}, ${dueAt}) RETURNING 1`;
      room -= added.length;
    }
  }

  due(now: number, limit: number): StoredClaim[] {
    return this.storage.sql<{-readonly [K in keyof StoredClaim]: StoredClaim[K]}>`
      SELECT id, service, "order", amount, added_at FROM unverified_refunds
      WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`;
  }

  dueAt(): DueTime {
    return this.storage.sql<Time>`SELECT min(due_at) AS at FROM unverified_refunds`[0]?.at ?? null;
  }

  setDueAt(claim: UnverifiedRefund, dueAt: number): void {
    this.storage.sql`UPDATE unverified_refunds SET due_at = ${dueAt} WHERE ${isClaim(claim)}`;
  }

  delete(claim: UnverifiedRefund): void {
    this.storage.sql`DELETE FROM unverified_refunds WHERE ${isClaim(claim)}`;
  }

  /** Deletes all claims about a refund that is now known. */
  deleteAllOf(id: string): void {
    this.storage.sql`DELETE FROM unverified_refunds WHERE id = ${id}`;
  }
}
