/** What is kept of the orders whose shoppers went to the common payment page, and how far mobile billing's list is known. */
export interface Awaited {
  /** The merchant's reference. */
  readonly order: string;
  /** When the page is closed for certain, epoch milliseconds, as all times here. */
  readonly until: number;
}

/** A reading of all charges that changed since a moment, page by page. */
export interface Reading {
  readonly since: number;
  /** The page to read next. */
  readonly page: number;
  readonly begunAt: number;
}

/** What a reading may still cost. */
interface Allowance {
  readonly left: number;
  readonly at: number;
}

export interface Pace {
  readonly readAt: number;
  /** How many readings in a row failed. */
  readonly failures: number;
  /** While the platform is left alone: for how long. */
  readonly retryAfterMs: number;
}

/** A search may happen at once so often, and once more every so often: about half of the platform's 1,000 a day. */
const MOST_AT_ONCE = 100;
const ANOTHER_EVERY_MS = 3 * 60_000;

const TABLES = [
  'CREATE TABLE IF NOT EXISTS awaited ("order" TEXT PRIMARY KEY, until INTEGER NOT NULL, looked_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS awaited_until ON awaited (until)',
  'CREATE INDEX IF NOT EXISTS awaited_looked ON awaited (looked_until)',
];

export class ChargeStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of TABLES) this.#sql.exec(table);
  }

  service(): string | undefined {
    return this.storage.kv.get<string>('service');
  }

  setService(service: string): void {
    this.storage.kv.put('service', service);
  }

  await({order, until}: Awaited): void {
    this.#sql.exec(
      'INSERT INTO awaited ("order", until) VALUES (?, ?) ON CONFLICT ("order") DO UPDATE SET until = max(until, excluded.until)',
      order,
      until,
    );
  }

  /** Until when somebody looks at an order that is awaited. */
  look(order: string, until: number): void {
    this.#sql.exec('UPDATE awaited SET looked_until = ? WHERE "order" = ?', until, order);
  }

  isAwaited(order: string): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited WHERE "order" = ?', order).toArray().length > 0;
  }

  forgetEnded(now: number): void {
    this.#sql.exec('DELETE FROM awaited WHERE until <= ?', now);
  }

  isAnyAwaited(): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited LIMIT 1').toArray().length > 0;
  }

  isAnyLookedAt(now: number): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited WHERE looked_until > ? LIMIT 1', now).toArray().length > 0;
  }

  reading(): Reading | undefined {
    return this.storage.kv.get<Reading>('reading');
  }

  setReading(reading: Reading): void {
    this.storage.kv.put('reading', reading);
  }

  /** When the platform was last asked for all there is; null before. */
  asOf(): number | null {
    return this.storage.kv.get<number>('asOf') ?? null;
  }

  setAsOf(now: number): void {
    this.storage.kv.put('asOf', now);
  }

  pace(): Pace {
    return this.storage.kv.get<Pace>('pace') ?? {readAt: 0, failures: 0, retryAfterMs: 0};
  }

  setPace(pace: Pace): void {
    this.storage.kv.put('pace', pace);
  }

  /** How many searches may be made now. */
  allowance(now: number): number {
    const {left, at} = this.storage.kv.get<Allowance>('allowance') ?? {left: MOST_AT_ONCE, at: now};
    return Math.min(MOST_AT_ONCE, left + (now - at) / ANOTHER_EVERY_MS);
  }

  /** One was made. */
  spend(now: number): void {
    this.storage.kv.put<Allowance>('allowance', {left: this.allowance(now) - 1, at: now});
  }

  /** Nobody is awaited any more: what was known of the list is old when somebody is. What was spent stays spent. */
  rest(): void {
    this.storage.kv.delete('reading');
    this.storage.kv.delete('pace');
  }
}
