import type {Clock} from './clock.ts';

/** What a landing page reported about a visitor (subscriptions 4.C, rule 5). */
export interface Activity {
  readonly product: number;
  readonly tracking_id: string;
  readonly type: string;
  readonly url: string;
  readonly userip: string;
  readonly browser: string;
  readonly referer: string;
}

export class Activities {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS activities (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      activity TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  add(activity: Activity): void {
    this.sql.exec('INSERT INTO activities (at, activity) VALUES (?, ?)', this.clock.now(), JSON.stringify(activity));
  }

  /** How many there are of each type. */
  countByType(): Record<string, number> {
    const query = `SELECT activity ->> 'type' AS type, COUNT(*) AS total FROM activities GROUP BY 1 ORDER BY 1`;
    const rows = this.sql.exec<{type: string; total: number}>(query).toArray();
    return Object.fromEntries(rows.map(({type, total}) => [type, total]));
  }

  /** Newest first. */
  recent(limit: number): (Activity & {at: string})[] {
    const query = 'SELECT at, activity FROM activities ORDER BY id DESC LIMIT ?';
    const rows = this.sql.exec<{at: string; activity: string}>(query, limit).toArray();
    return rows.map(({at, activity}) => Object.assign(JSON.parse(activity), {at}));
  }
}
