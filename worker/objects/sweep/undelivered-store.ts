/** Stores transactions whose orders could not be reached. `SWEEP` has the schema. */

import type {ArrivalFields} from '../../platform/to-payment.ts';
import type {Hold} from './sweep-progress.ts';

/** The fields of a transaction that its order needs, with the sender's name. */
export interface Deliverable extends ArrivalFields {
  readonly order_refno: string | null;
  readonly code: string | null;
  /** What the sender wrote. */
  readonly remote_description: string | null;
  /** When the Worker first read the transaction, epoch milliseconds; missing in lists. */
  readonly firstReadAt?: number | undefined;
}

export interface Undelivered {
  readonly item: Deliverable;
  readonly hold: Hold;
}

type Row = {item: string; until: number; holdMs: number};

const SELECT = 'SELECT item, due_at AS until, hold_ms AS holdMs FROM undelivered';

export class UndeliveredStore {
  constructor(private readonly sql: SqlStorage) {}

  /** Undefined if no transaction with this id waits. */
  find(id: string): Undelivered | undefined {
    return this.sql.exec<Row>(`${SELECT} WHERE id = ?`, id).toArray().map(toUndelivered)[0];
  }

  due(now: number, limit: number): Deliverable[] {
    return this.sql
      .exec<Row>(`${SELECT} WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
      .toArray()
      .map((row) => toUndelivered(row).item);
  }

  put(item: Deliverable, {until, holdMs}: Hold): void {
    const {id, amount, currency, bank_name, bank_code, transaction_date, create_time, user_name, ...names} = item;
    const {order_refno, code, remote_description, firstReadAt} = names;
    const money = {id, amount, currency, bank_name, bank_code, transaction_date, create_time, user_name};
    const fields = {...money, order_refno, code, remote_description, firstReadAt};
    this.sql.exec(
      'INSERT OR REPLACE INTO undelivered (id, item, due_at, hold_ms) VALUES (?, ?, ?, ?)',
      id,
      JSON.stringify(fields),
      until,
      holdMs,
    );
  }

  count(): number {
    return this.sql.exec<{count: number}>('SELECT count(*) AS count FROM undelivered').one().count;
  }

  /** Whether any transaction of this order waits. */
  hasAnyOf(order: string, code: string | null): boolean {
    const query = "SELECT 1 FROM undelivered WHERE item ->> 'order_refno' = ? OR item ->> 'code' = ? LIMIT 1";
    return this.sql.exec(query, order, code).toArray().length > 0;
  }

  /** Removes who sent the money, and what they wrote. @param names - Ids of transactions, and orders and their codes. */
  forgetPersons(names: readonly string[]): void {
    this.sql.exec(
      `UPDATE undelivered SET item = json_set(item, '$.user_name', NULL, '$.remote_description', NULL)
       WHERE EXISTS (SELECT 1 FROM json_each(?) AS one WHERE one.value IN (id, item ->> 'order_refno', item ->> 'code'))`,
      JSON.stringify(names),
    );
  }

  delete(id: string): void {
    this.sql.exec('DELETE FROM undelivered WHERE id = ?', id);
  }
}

function toUndelivered({item, until, holdMs}: Row): Undelivered {
  return {item: JSON.parse(item) as Deliverable, hold: {until, holdMs}};
}
