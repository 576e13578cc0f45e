import type {Clock} from '../records/clock.ts';

/** A message of the platform to the merchant, and what the merchant said to it. */
export interface Notification {
  readonly kind: NotificationKind;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The JSON that was sent; of a GET its parameters. */
  readonly content: unknown;
  readonly at: string;
  /** Null where nobody answered. */
  readonly httpStatus: number | null;
  /** The beginning of the answer, or why there was none. */
  readonly answer: string;
}

export type NotificationKind = 'refund' | 'payment' | 'billing' | 'subscription';

type Row = {
  kind: NotificationKind;
  method: 'GET' | 'POST';
  url: string;
  content: string;
  at: string;
  http_status: number | null;
  answer: string;
};

export class Notifications {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS notifications (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      content TEXT NOT NULL,
      at TEXT NOT NULL,
      http_status INTEGER,
      answer TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  record({kind, method, url, content, httpStatus, answer}: Omit<Notification, 'at'>): void {
    this.sql.exec(
      'INSERT INTO notifications (kind, method, url, content, at, http_status, answer) VALUES (?, ?, ?, ?, ?, ?, ?)',
      kind,
      method,
      url,
      JSON.stringify(content),
      this.clock.now(),
      httpStatus,
      answer,
    );
  }

  /** Newest last. */
  all(): Notification[] {
    const rows = this.sql.exec<Row>('SELECT * FROM notifications ORDER BY id').toArray();
    return rows.map(({kind, method, url, content, at, http_status, answer}) => {
      return {kind, method, url, content: JSON.parse(content), at, httpStatus: http_status, answer};
    });
  }
}
