/** Stores a merchant's refunds, and unverified refunds, which only a notification claims. */

import type {Kurus} from '../../lib/money.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {updateRow} from '../update-row.ts';

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

const COLUMNS =
  'id, service, "order", sub_merchant_id, refund_link_id, amount, status, state, transaction_id, refund_time, bank_receipt_no, event_count AS eventCount, known_at, read_at, due_at';
export const REFUNDS: StoreSchema = {
  name: 'refunds',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE refunds (
        id TEXT PRIMARY KEY, service TEXT NOT NULL, "order" TEXT NOT NULL, sub_merchant_id TEXT, amount INTEGER,
        status TEXT, state TEXT NOT NULL DEFAULT 'unread', transaction_id TEXT, refund_time TEXT, bank_receipt_no TEXT,
        event_count INTEGER NOT NULL DEFAULT 0, known_at INTEGER NOT NULL, read_at INTEGER, due_at INTEGER)`,
      'CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX refunds_known ON refunds (known_at)',
      'CREATE INDEX refunds_order ON refunds ("order", service)',
    ),
    statements('ALTER TABLE refunds ADD COLUMN refund_link_id TEXT'),
  ],
};

/** The refunds of a merchant, as the platform last returned them. No name and no IBAN is stored. */
export class RefundStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  find(id: string): RefundRow | undefined {
    return this.#sql.exec<Row>(`SELECT ${COLUMNS} FROM refunds WHERE id = ?`, id).toArray()[0];
  }

  /** The refunds of one order, in the sequence in which the Worker learnt of them. */
  ofOrder(service: string, order: string): RefundRow[] {
    const query = `SELECT ${COLUMNS} FROM refunds WHERE "order" = ? AND service = ? ORDER BY known_at, rowid`;
    return this.#sql.exec<Row>(query, order, service).toArray();
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
    const query =
      'INSERT OR IGNORE INTO refunds (id, service, "order", amount, event_count, known_at, due_at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING 1';
    return this.#sql.exec(query, id, service, order, amount, eventCount, now, dueAt).toArray().length > 0;
  }

  /**
   * Stores whose part a refund is, with which link it was asked for, or when it is read next. A notification may have
   * reported the refund before the Worker could say so.
   */
  set(id: string, changes: Partial<Pick<Row, 'sub_merchant_id' | 'refund_link_id' | 'due_at'>>): void {
    updateRow(this.#sql, 'refunds', id, changes);
  }

  /** Stores what the platform returned for a read at `now`. */
  save(
    id: string,
    {amount, status, state, transaction_id, refund_time, bank_receipt_no, eventCount}: RefundUpdate,
    now: number,
    dueAt: number | null,
  ): void {
    const read = {amount, status, state, transaction_id, refund_time, bank_receipt_no};
    updateRow(this.#sql, 'refunds', id, {...read, event_count: eventCount, read_at: now, due_at: dueAt});
  }

  due(now: number, limit: number): RefundRow[] {
    return this.#sql
      .exec<Row>(`SELECT ${COLUMNS} FROM refunds WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
      .toArray();
  }

  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM refunds WHERE due_at IS NOT NULL').one()
      .at;
  }

  /** When the oldest refund was added; null when there is none. */
  oldestKnownAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(known_at) AS at FROM refunds').one().at;
  }

  /** Deletes the refunds that were added before this time. */
  deleteBefore(known: number): void {
    this.#sql.exec('DELETE FROM refunds WHERE known_at < ?', known);
  }
}

export interface UnverifiedRefund {
  readonly id: string;
  /** The service whose key signed the notification. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

type UnverifiedRow = {-readonly [K in keyof UnverifiedRefund]: UnverifiedRefund[K]};

const UNVERIFIED_COLUMNS = 'id, service, "order", amount';
const UNVERIFIED_KEY = 'id = ? AND service = ? AND "order" = ? AND amount = ?';
export const UNVERIFIED_REFUNDS: StoreSchema = {
  name: 'unverified_refunds',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE unverified_refunds (
        id TEXT NOT NULL, service TEXT NOT NULL, "order" TEXT NOT NULL, amount INTEGER NOT NULL, added_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
        PRIMARY KEY (id, service, "order", amount)) WITHOUT ROWID`,
      'CREATE INDEX unverified_refunds_due ON unverified_refunds (due_at)',
      'CREATE INDEX unverified_refunds_added ON unverified_refunds (added_at)',
    ),
  ],
};

/**
 * Stores what notifications with a valid key claim about unknown refunds. A key is a digest of values without
 * separators, so several claims can have the same key, and only one of these claims is true. Each claim is therefore
 * stored with all its values. No status and no IBAN is stored.
 */
export class UnverifiedRefundStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds claims while there is room. A claim that is already stored stays as it is. Times are epoch milliseconds. */
  add(refunds: readonly UnverifiedRefund[], now: number, dueAt: number, limit: number): void {
    let {room} = this.#sql.exec<{room: number}>('SELECT ? - count(*) AS room FROM unverified_refunds', limit).one();
    for (const {id, service, order, amount} of refunds) {
      if (room <= 0) return;
      const added = this.#sql.exec(
        `INSERT OR IGNORE INTO unverified_refunds (${UNVERIFIED_COLUMNS}, added_at, due_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING 1`,
        id,
        service,
        order,
        amount,
        now,
        dueAt,
      );
      room -= added.toArray().length;
    }
  }

  due(now: number, limit: number): UnverifiedRefund[] {
    return this.#sql
      .exec<UnverifiedRow>(
        `SELECT ${UNVERIFIED_COLUMNS} FROM unverified_refunds WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
        now,
        limit,
      )
      .toArray();
  }

  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM unverified_refunds').one().at;
  }

  setDueAt({id, service, order, amount}: UnverifiedRefund, dueAt: number): void {
    this.#sql.exec(
      `UPDATE unverified_refunds SET due_at = ? WHERE ${UNVERIFIED_KEY}`,
      dueAt,
      id,
      service,
      order,
      amount,
    );
  }

  delete({id, service, order, amount}: UnverifiedRefund): void {
    this.#sql.exec(`DELETE FROM unverified_refunds WHERE ${UNVERIFIED_KEY}`, id, service, order, amount);
  }

  /** Deletes all claims about a refund that is now known. */
  deleteAllOf(id: string): void {
    this.#sql.exec('DELETE FROM unverified_refunds WHERE id = ?', id);
  }

  /** Deletes the claims that were added before `at`. @returns how many claims were deleted. */
  deleteBefore(at: number): number {
    return this.#sql.exec('DELETE FROM unverified_refunds WHERE added_at < ? RETURNING 1', at).toArray().length;
  }
}
