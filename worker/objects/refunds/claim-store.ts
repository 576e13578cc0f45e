/**
 * What notifications with a true key claim of refunds that nobody here knows yet. Nothing stands between the values a key is made of, so
 * that one may be true beside many that are not: each is kept as a whole. No status and no IBAN stands here.
 */

import type {Kurus} from '../../lib/money.ts';

export interface RefundClaim {
  readonly id: string;
  /** The service whose key it is. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

type UnverifiedRow = {-readonly [K in keyof RefundClaim]: RefundClaim[K]};

const UNVERIFIED_COLUMNS = 'id, service, "order", amount';
const UNVERIFIED_KEY = 'id = ? AND service = ? AND "order" = ? AND amount = ?';
const UNVERIFIED_TABLES = [
  `CREATE TABLE IF NOT EXISTS claims (
    id TEXT NOT NULL, service TEXT NOT NULL, "order" TEXT NOT NULL, amount INTEGER NOT NULL, claimed_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
    PRIMARY KEY (${UNVERIFIED_COLUMNS})) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS claims_due ON claims (due_at)',
  'CREATE INDEX IF NOT EXISTS claims_claimed ON claims (claimed_at)',
];

export class ClaimStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of UNVERIFIED_TABLES) this.#sql.exec(table);
  }

  /** Notes claims while there is room; one that is noted stays as it is. Times are epoch milliseconds. */
  note(claims: readonly RefundClaim[], now: number, dueAt: number, most: number): void {
    let {room} = this.#sql.exec<{room: number}>('SELECT ? - count(*) AS room FROM claims', most).one();
    for (const {id, service, order, amount} of claims) {
      if (room <= 0) return;
      const noted = this.#sql.exec(
        `INSERT OR IGNORE INTO claims (${UNVERIFIED_COLUMNS}, claimed_at, due_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING 1`,
        id,
        service,
        order,
        amount,
        now,
        dueAt,
      );
      room -= noted.toArray().length;
    }
  }

  due(now: number, most: number): RefundClaim[] {
    return this.#sql
      .exec<UnverifiedRow>(
        `SELECT ${UNVERIFIED_COLUMNS} FROM claims WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
        now,
        most,
      )
      .toArray();
  }

  dueAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(due_at) AS at FROM claims').one().at;
  }

  setDueAt({id, service, order, amount}: RefundClaim, dueAt: number): void {
    this.#sql.exec(`UPDATE claims SET due_at = ? WHERE ${UNVERIFIED_KEY}`, dueAt, id, service, order, amount);
  }

  drop({id, service, order, amount}: RefundClaim): void {
    this.#sql.exec(`DELETE FROM claims WHERE ${UNVERIFIED_KEY}`, id, service, order, amount);
  }

  /** The refund is known now. */
  dropAllOf(id: string): void {
    this.#sql.exec('DELETE FROM claims WHERE id = ?', id);
  }

  /** Forgets what was claimed before then; how many. */
  forgetBefore(at: number): number {
    return this.#sql.exec('DELETE FROM claims WHERE claimed_at < ? RETURNING 1', at).toArray().length;
  }
}
