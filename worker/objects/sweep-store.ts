/** What a sweep keeps: the open orders it watches, and which transactions it has dealt with. */
export interface Watched {
  /** The merchant's reference. */
  readonly order: string;
  readonly code: string | null;
  /** Epoch milliseconds, as all times here. */
  readonly registeredAt: number;
  readonly closesAt: number;
}

/** What a transaction says it is for. */
export interface Reference {
  readonly id: string;
  readonly order: string | null;
  readonly code: string | null;
}

/** How far the platform's list is known. */
export interface Progress {
  /** First day of what is read, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** How many transactions of the list are known; null when the list must be read as a whole. */
  readonly known: number | null;
  readonly readWholeAt: number;
  /** When the last attempt at it failed. */
  readonly wholeFailedAt?: number;
}

/** Kept, because an object that sweeps every 15 s sleeps in between. */
export interface Pace {
  readonly sweptAt: number;
  /** How many sweeps in a row failed. */
  readonly failures: number;
  /** While the platform is left alone: for how long it was when we last wanted to ask. */
  readonly retryAfterMs: number | null;
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS watched (
    "order" TEXT PRIMARY KEY, code TEXT, registered_at INTEGER NOT NULL, closes_at INTEGER NOT NULL,
    opened_at INTEGER NOT NULL DEFAULT 0, looked_at INTEGER NOT NULL DEFAULT 0, looked_until INTEGER NOT NULL DEFAULT 0)`,
  'CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, "order" TEXT, code TEXT, read_at INTEGER NOT NULL)',
  'CREATE INDEX IF NOT EXISTS seen_order ON seen ("order")',
  'CREATE INDEX IF NOT EXISTS seen_code ON seen (code)',
  'CREATE INDEX IF NOT EXISTS watched_code ON watched (code)',
  'CREATE INDEX IF NOT EXISTS watched_looked_until ON watched (looked_until)',
  'CREATE INDEX IF NOT EXISTS watched_closes_at ON watched (closes_at)',
  'CREATE INDEX IF NOT EXISTS watched_registered_at ON watched (registered_at)',
];

/** A page that was silent for so long and reads again has come back to its shopper. */
const AWAY_MS = 3 * 60_000;

export class SweepStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of TABLES) this.#sql.exec(table);
  }

  /** Watches an order. Money that was read before the order was known is read again. */
  watch({order, code, registeredAt, closesAt}: Watched): void {
    this.#sql.exec(
      `INSERT INTO watched ("order", code, registered_at, closes_at) VALUES (?, ?, ?, ?)
       ON CONFLICT ("order") DO UPDATE SET code = excluded.code, closes_at = excluded.closes_at`,
      order, code, registeredAt, closesAt,
    );
    const forgotten = this.#sql.exec('DELETE FROM seen WHERE "order" = ? OR code = ?', order, code);
    // Beside `progress`, which a sweep that is under way will write over.
    if (forgotten.rowsWritten > 0) this.storage.kv.put('readAgain', true);
  }

  /** Whether transactions were forgotten since this was last asked: the list is to be read as a whole. */
  takeReadAgain(): boolean {
    return this.storage.kv.delete('readAgain');
  }

  /** Notes that a page of the order looks until then. It was opened now if it says so, or if it was away. */
  look({order, until, opened}: {order: string; until: number; opened: boolean}, now: number): void {
    this.#sql.exec(
      `UPDATE watched SET opened_at = CASE WHEN ? OR looked_at <= ? THEN ? ELSE opened_at END, looked_at = ?, looked_until = ?
       WHERE "order" = ?`,
      opened ? 1 : 0, now - AWAY_MS, now, now, until, order,
    );
  }

  /** When the most recently opened page that still looks was opened; null when nobody looks. */
  newestOpenedAt(now: number): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT max(opened_at) AS at FROM watched WHERE looked_until > ?', now).one().at;
  }

  /** When the oldest open order was registered; null when none is open. Closed orders are forgotten. */
  oldestRegisteredAt(now: number): number | null {
    this.#sql.exec('DELETE FROM watched WHERE closes_at <= ?', now);
    return this.#sql.exec<{at: number | null}>('SELECT min(registered_at) AS at FROM watched').one().at;
  }

  /** The watched order a transaction is for; null when it is for none of ours. */
  orderFor({order, code}: Reference): string | null {
    const found = this.#sql.exec<{order: string}>('SELECT "order" FROM watched WHERE "order" = ? OR code = ? LIMIT 1', order, code);
    return found.toArray()[0]?.order ?? null;
  }

  /** What a transaction said when it was dealt with; undefined when it was not yet. */
  seen(id: string): Reference | undefined {
    return this.#sql.exec<{id: string; order: string | null; code: string | null}>('SELECT id, "order", code FROM seen WHERE id = ?', id).toArray()[0];
  }

  see({id, order, code}: Reference, now: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO seen (id, "order", code, read_at) VALUES (?, ?, ?, ?)', id, order, code, now);
  }

  /** Forgets what was read before the list begins: it cannot stand on the list any more. */
  forgetBefore(at: number): void {
    this.#sql.exec('DELETE FROM seen WHERE read_at < ?', at);
  }

  progress(): Progress | undefined {
    return this.storage.kv.get<Progress>('progress');
  }

  setProgress(progress: Progress): void {
    this.storage.kv.put('progress', progress);
  }

  /** The service this sweep is for. */
  service(): string | undefined {
    return this.storage.kv.get<string>('service');
  }

  setService(service: string): void {
    this.storage.kv.put('service', service);
  }

  /** How the last sweep went, for the pace of the next. */
  pace(): Pace {
    return this.storage.kv.get<Pace>('pace') ?? {sweptAt: 0, failures: 0, retryAfterMs: null};
  }

  setPace(pace: Pace): void {
    this.storage.kv.put('pace', pace);
  }

  /** When the platform's list was last read successfully. */
  asOf(): number | null {
    return this.storage.kv.get<number>('asOf') ?? null;
  }

  setAsOf(at: number): void {
    this.storage.kv.put('asOf', at);
  }
}
