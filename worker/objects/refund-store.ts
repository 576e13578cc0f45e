/** The refunds a merchant has: what the platform said of each when it was last asked. No name and no IBAN stands here. */
import type {Kurus} from '../money.ts';

export interface RefundRow {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus | null;
  /** Whether it is known to be this order's: it was made through us, or the platform said so. */
  readonly proven: 0 | 1;
  /** As the platform gave it, and the word for it; null and `unread` before it was asked. */
  readonly status: string | null;
  readonly state: string;
  readonly transaction_id: string | null;
  readonly refund_time: string | null;
  readonly bank_receipt_no: string | null;
  /** How many events told of it. */
  readonly told: number;
  /** Epoch milliseconds, as all times here. */
  readonly known_at: number;
  readonly read_at: number | null;
  /** When the platform is asked next; null where nothing is open. */
  readonly due_at: number | null;
}

export type RefundNews = Pick<RefundRow, 'amount' | 'status' | 'state' | 'transaction_id' | 'refund_time' | 'bank_receipt_no' | 'told'>;

type Row = {[K in keyof RefundRow]: RefundRow[K]};

const TABLES = [
  `CREATE TABLE IF NOT EXISTS refunds (
    id TEXT PRIMARY KEY, service TEXT NOT NULL, "order" TEXT NOT NULL, amount INTEGER, proven INTEGER NOT NULL,
    status TEXT, state TEXT NOT NULL DEFAULT 'unread', transaction_id TEXT, refund_time TEXT, bank_receipt_no TEXT,
    told INTEGER NOT NULL DEFAULT 0, known_at INTEGER NOT NULL, read_at INTEGER, due_at INTEGER)`,
  'CREATE INDEX IF NOT EXISTS refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS refunds_known ON refunds (known_at)',
];

export class RefundStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of TABLES) this.#sql.exec(table);
  }

  find(id: string): RefundRow | undefined {
    return this.#sql.exec<Row>('SELECT * FROM refunds WHERE id = ?', id).toArray()[0];
  }

  /** A refund made through us; false where it was noted as such before. */
  open({id, service, order, amount}: Pick<RefundRow, 'id' | 'service' | 'order' | 'amount'>, now: number, dueAt: number): boolean {
    if (this.find(id)?.proven === 1) return false;
    this.#sql.exec(
      `INSERT INTO refunds (id, service, "order", amount, proven, told, known_at, due_at) VALUES (?, ?, ?, ?, 1, 1, ?, ?)
       ON CONFLICT (id) DO UPDATE SET service = excluded.service, "order" = excluded."order", amount = excluded.amount, proven = 1, told = told + 1`,
      id, service, order, amount, now, dueAt,
    );
    return true;
  }

  /** A refund that a notification with a true key names, to be looked at; one that is known stays as it is. */
  suspect({id, service, order}: Pick<RefundRow, 'id' | 'service' | 'order'>, now: number, dueAt: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO refunds (id, service, "order", proven, known_at, due_at) VALUES (?, ?, ?, 0, ?, ?)', id, service, order, now, dueAt);
  }

  /** There is no such refund. */
  drop(id: string): void {
    this.#sql.exec('DELETE FROM refunds WHERE id = ? AND proven = 0', id);
  }

  /** What the platform says now. */
  keep(id: string, {amount, status, state, transaction_id, refund_time, bank_receipt_no, told}: RefundNews, now: number, dueAt: number | null): void {
    this.#sql.exec(
      `UPDATE refunds SET proven = 1, amount = ?, status = ?, state = ?, transaction_id = ?, refund_time = ?, bank_receipt_no = ?, told = ?, read_at = ?, due_at = ?
       WHERE id = ?`,
      amount, status, state, transaction_id, refund_time, bank_receipt_no, told, now, dueAt, id,
    );
  }

  setDueAt(id: string, dueAt: number | null): void {
    this.#sql.exec('UPDATE refunds SET due_at = ? WHERE id = ?', dueAt, id);
  }

  due(now: number, most: number): RefundRow[] {
    return this.#sql.exec<Row>('SELECT * FROM refunds WHERE due_at <= ? ORDER BY due_at LIMIT ?', now, most).toArray();
  }

  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM refunds WHERE due_at IS NOT NULL').one().at;
  }

  /** Forgets what was known before then, its result too, and what was only suspected. */
  forgetBefore(known: number, suspected: number): void {
    this.#sql.exec('DELETE FROM refunds WHERE known_at < ? OR (known_at < ? AND proven = 0)', known, suspected);
  }
}
