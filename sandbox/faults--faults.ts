/** A way in which one operation goes wrong; `status` answers the platform's JSON status. */
export type Fault = {
  /** The operation is carried out first and its answer thrown away. */
  readonly after: boolean;
  readonly delayMs: number;
} & (
  | {readonly kind: 'delay' | '500-html' | 'malformed' | 'empty' | 'huge' | 'redirect'}
  | {readonly kind: 'status'; readonly status: string}
);

export interface FaultPlan {
  readonly fault: Fault;
  /** The share of calls it strikes, 0 to 1. */
  readonly rate: number;
  /** How often it strikes; undefined for ever. */
  readonly times: number | undefined;
}

type Row = {id: number; fault: string; rate: number; times_left: number | null};

/** The faults that wait for calls. */
export class Faults {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS faults (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      fault TEXT NOT NULL,
      rate REAL NOT NULL,
      times_left INTEGER
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  plan(path: string, {fault, rate, times}: FaultPlan): void {
    const query = 'INSERT INTO faults (path, fault, rate, times_left) VALUES (?, ?, ?, ?)';
    this.sql.exec(query, path, JSON.stringify(fault), rate, times ?? null);
  }

  /** Forgets the faults of one path, or of all. */
  clear(path?: string): void {
    if (path === undefined) this.sql.exec('DELETE FROM faults');
    else this.sql.exec('DELETE FROM faults WHERE path = ?', path);
  }

  /** The fault that strikes this call, the oldest plan first. */
  strike(path: string): Fault | undefined {
    const query = 'SELECT id, fault, rate, times_left FROM faults WHERE path = ? ORDER BY id';
    const struck = this.sql
      .exec<Row>(query, path)
      .toArray()
      .find(({rate}) => Math.random() < rate);
    if (!struck) return undefined;
    if (struck.times_left !== null) this.#useUp(struck.id, struck.times_left - 1);
    return JSON.parse(struck.fault);
  }

  #useUp(id: number, timesLeft: number): void {
    if (timesLeft === 0) this.sql.exec('DELETE FROM faults WHERE id = ?', id);
    else this.sql.exec('UPDATE faults SET times_left = ? WHERE id = ?', timesLeft, id);
  }
}
