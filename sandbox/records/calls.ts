import type {Clock} from './clock.ts';
import {insert} from './sql.ts';

/** A request that the platform received. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly at: string;
  /**
   * The parameters by name, as the caller sent them, with brackets. A name that was sent several times has a list of
   * values.
   */
  readonly params: Readonly<Record<string, string | string[]>>;
}

const MAX_CALLS = 20_000;
/** Each time this many calls have been added, the oldest calls beyond `MAX_CALLS` are deleted. */
const DELETE_BATCH_SIZE = 500;
/** SQLite refuses rows over 2 MB, so long values are cut. */
const MAX_VALUE_LENGTH = 1000;
const MASKED_NAMES: ReadonlySet<string> = new Set(['key', 'api_key', 'token', 'authorization']);
const MASK = '***';

type Row = {method: string; path: string; at: string; params: string};

/** The calls that the platform received. Tests count and inspect them. */
export class Calls {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      at TEXT NOT NULL,
      params TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  record(method: string, path: string, entries: readonly (readonly [name: string, value: string])[]): void {
    const call = {method, path, at: this.clock.now(), params: group(entries)};
    const {id} = insert<{id: number}>(this.sql, 'calls', call);
    if (id % DELETE_BATCH_SIZE === 0) this.sql.exec('DELETE FROM calls WHERE id <= ?', id - MAX_CALLS);
  }

  /** Returns the most recent calls, newest last. */
  recent(): Call[] {
    const query = 'SELECT method, path, at, params FROM calls ORDER BY id DESC LIMIT ?';
    const rows = this.sql.exec<Row>(query, MAX_CALLS).toArray().toReversed();
    return rows.map(({method, path, at, params}) => ({method, path, at, params: JSON.parse(params)}));
  }
}

function group(entries: readonly (readonly [name: string, value: string])[]): Record<string, string | string[]> {
  const values = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    Array.from(values, ([name, pairs]) => {
      const masked = pairs.map(([, value]) => (MASKED_NAMES.has(name) ? MASK : value.slice(0, MAX_VALUE_LENGTH)));
      return [name, masked.length === 1 ? (masked[0] ?? '') : masked];
    }),
  );
}

/** How many calls a day, a minute and a second may have; null or nothing means any number. */
export interface WindowLimits {
  readonly day?: number | null;
  readonly minute?: number | null;
  readonly second?: number | null;
}

/** Counts the calls of each operation in the current UTC+3 day, minute and second. */
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

  /** Counts a call and returns true. If the call exceeds a limit, returns false and does not count it. */
  countIfAllowed(operation: string, limits: WindowLimits): boolean {
    const now = this.clock.now();
    const windows = {second: now, minute: now.slice(0, 16), day: now.slice(0, 10)};
    const spans = ['second', 'minute', 'day'] as const;
    if (spans.some((span) => this.#used(operation, span, windows[span]) >= (limits[span] ?? Infinity))) return false;
    for (const span of spans) this.#add(operation, span, windows[span]);
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
