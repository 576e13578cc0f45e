import type {Clock} from './clock.ts';
import {newId, type Condition} from './new-id.ts';

/** A text message to a subscriber (subscriptions 2.4). */
export interface Message {
  readonly id: number;
  readonly serviceId: number;
  readonly msisdn: string;
  readonly operator: number;
  readonly message: string;
  readonly sentAt: string;
}

type Row = {id: number; service_id: number; msisdn: string; operator: number; message: string; sent_at: string};

export class Messages {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS messages (
      id INTEGER PRIMARY KEY,
      service_id INTEGER NOT NULL,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      message TEXT NOT NULL,
      sent_at TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS messages_by_number ON messages (msisdn);
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /** No phone rings; the control `sms` shows what would have been read. */
  send(
    {serviceId, msisdn, operator}: Pick<Message, 'serviceId' | 'msisdn' | 'operator'>,
    message: string,
    at = this.clock.now(),
  ): void {
    const query = 'INSERT INTO messages (id, service_id, msisdn, operator, message, sent_at) VALUES (?, ?, ?, ?, ?, ?)';
    this.sql.exec(query, newId(this.sql, 'messages'), serviceId, msisdn, operator, message, at);
  }

  count({sql, bindings}: Condition): number {
    return this.sql.exec<{total: number}>(`SELECT COUNT(*) AS total FROM messages WHERE ${sql}`, ...bindings).one()
      .total;
  }

  /** The order is SQL over the table's columns. */
  page({sql, bindings}: Condition, order: string, limit: number, offset: number): Message[] {
    const query = `SELECT * FROM messages WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
    const rows = this.sql.exec<Row>(query, ...bindings, limit, offset).toArray();
    return rows.map(({service_id, sent_at, ...row}) => Object.assign(row, {serviceId: service_id, sentAt: sent_at}));
  }
}
