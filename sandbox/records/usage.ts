import type {Clock} from './clock.ts';

/** How often operations were asked in this UTC+3 day and in this second. */
export class Usage {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS usage (
      operation TEXT NOT NULL,
      span TEXT NOT NULL,
      window TEXT NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (operation, span)
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /** Counts one call, unless it is one too many: then false, and nothing is counted. */
  take(operation: string, {day, second}: {readonly day: number | null; readonly second: number | null}): boolean {
    const now = this.clock.now();
    const today = now.slice(0, 10);
    if (this.#used(operation, 'second', now) >= (second ?? Infinity)) return false;
    if (this.#used(operation, 'day', today) >= (day ?? Infinity)) return false;
    this.#add(operation, 'second', now);
    this.#add(operation, 'day', today);
    return true;
  }

  #used(operation: string, span: string, window: string): number {
    const query = 'SELECT used FROM usage WHERE operation = ? AND span = ? AND window = ?';
    const [row] = this.sql.exec<{used: number}>(query, operation, span, window).toArray();
    return row?.used ?? 0;
  }

  #add(operation: string, span: string, window: string): void {
    this.sql.exec(
      `INSERT INTO usage (operation, span, window, used) VALUES (?, ?, ?, 1)
       ON CONFLICT (operation, span) DO UPDATE SET used = IIF(window = excluded.window, used + 1, 1), window = excluded.window`,
      operation,
      span,
      window,
    );
  }
}
