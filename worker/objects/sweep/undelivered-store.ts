/** Stores transactions whose orders could not be reached. `SWEEP` has the schema. */

import type {Failures} from '../../lib/retry.ts';
import type {ArrivalFields} from '../../platform/to-payment.ts';
import type {ObjectStorage} from '../object-storage.ts';
import type {DueTime} from '../schedule.ts';

/** A record of a transaction: the fields that its order needs, with the sender's name; and who read it when. */
export interface Deliverable extends ArrivalFields {
  readonly order_refno: string | null;
  readonly code: string | null;
  /** What the sender wrote. */
  readonly remote_description: string | null;
  /** Null in lists, which do not have it. */
  readonly status: string | null;
  /** When the list or the record was asked for, epoch milliseconds. */
  readonly askedAt: number;
  /** Whether a list has shown the transaction. */
  readonly isListed: boolean;
  /** The order that read the record itself, and whether the record names it. */
  readonly reader?: {readonly order: string; readonly isOwner: boolean} | undefined;
}

/** A record, with what earlier records of the transaction say. */
export interface DeliverableRecord extends Deliverable {
  /** When the Worker first read the transaction, epoch milliseconds. */
  readonly firstReadAt: number;
  /** The orders that may have stored the money while it waited: their answers may have been lost. */
  readonly holders: readonly string[];
}

export interface Undelivered {
  readonly item: DeliverableRecord;
  readonly hold: Failures;
}

type Row = {item: string; retryAt: number; failures: number};

export class UndeliveredStore {
  /** When the first of them is delivered again; undefined if it must be read. Each write of the object asks for it. */
  #dueAt: DueTime | undefined;

  constructor(private readonly storage: ObjectStorage) {}

  /** Undefined if no transaction with this id waits. */
  find(id: string): Undelivered | undefined {
    const [row] = this.storage.sql<Row>`SELECT item, due_at AS retryAt, failures FROM undelivered WHERE id = ${id}`;
    return row && {item: toItem(row), hold: {retryAt: row.retryAt, failures: row.failures}};
  }

  due(now: number, limit: number): DeliverableRecord[] {
    return this.storage
      .sql<Row>`SELECT item FROM undelivered WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`.map(toItem);
  }

  /** When the first of them is delivered again. */
  dueAt(): DueTime {
    if (this.#dueAt === undefined)
      this.#dueAt = this.storage.sql<{at: DueTime}>`SELECT min(due_at) AS at FROM undelivered`[0]?.at ?? null;
    return this.#dueAt;
  }

  put(item: DeliverableRecord, {retryAt, failures}: Failures): void {
    this.#dueAt = undefined;
    this.storage.sql`
      INSERT OR REPLACE INTO undelivered (id, item, due_at, failures)
      VALUES (${item.id}, ${JSON.stringify(item)}, ${retryAt}, ${failures})`;
  }

  count(): number {
    return this.storage.sql<{count: number}>`SELECT count(*) AS count FROM undelivered`[0]?.count ?? 0;
  }

  /** Whether any transaction of this order waits. */
  hasAnyOf(order: string, code: string | null): boolean {
    const found = this.storage.sql`
      SELECT 1 FROM undelivered WHERE item ->> 'order_refno' = ${order} OR item ->> 'code' = ${code} LIMIT 1`;
    return found.length > 0;
  }

  /** Removes who sent the money, and what they wrote. @param names - Ids of transactions, and orders and their codes. */
  forgetPersons(names: readonly string[]): void {
    this.storage.sql`
      UPDATE undelivered SET item = json_set(item, '$.user_name', NULL, '$.remote_description', NULL)
      WHERE EXISTS (SELECT 1 FROM json_each(${JSON.stringify(names)}) AS one
                    WHERE one.value IN (id, item ->> 'order_refno', item ->> 'code'))`;
  }

  delete(id: string): void {
    if (this.dueAt() === null) return;
    this.#dueAt = undefined;
    this.storage.sql`DELETE FROM undelivered WHERE id = ${id}`;
  }
}

const toItem = ({item}: Pick<Row, 'item'>) => JSON.parse(item) as DeliverableRecord;
