/** Stores transactions whose orders could not be reached. `SWEEP` has the schema. */

import type {Failures} from '../../lib/retry.ts';
import type {ArrivalFields} from '../../platform/to-payment.ts';
import type {ObjectStorage} from '../object-storage.ts';
import type {DueTime} from '../schedule.ts';

/** What the platform says of a transaction: the fields that its order needs, with the sender's name; and who asked when. */
export interface TransactionRecord extends ArrivalFields {
  readonly order_refno: string | null;
  readonly code: string | null;
  /** What the sender wrote. */
  readonly remote_description: string | null;
  /** Null in lists, which do not have it. */
  readonly status: string | null;
  /** When the list or the record was asked for, epoch milliseconds. */
  readonly askedAt: number;
  /** The order that read the record itself, and whether the record names it; missing in lists. */
  readonly reader?: {readonly order: string; readonly isNamed: boolean} | undefined;
}

/** A record, with what earlier records of the transaction say. */
export interface RecordWithHistory extends TransactionRecord {
  /** When the Worker first read the transaction, epoch milliseconds; after it was delivered, when it was last asked for. */
  readonly firstReadAt: number;
  /** Whether a list has shown the transaction. */
  readonly isListed: boolean;
  /** The orders that have the money, may have it because their answers were lost, or get it now. */
  readonly mayHave: readonly string[];
}

/** The fields that are stored of a record that waits, and those of its reader: the platform shows more. */
const STORED =
  'id amount currency bank_name bank_code transaction_date create_time user_name ref_no order_refno code remote_description ' +
  'status askedAt firstReadAt isListed mayHave reader order isNamed';

export interface Undelivered {
  readonly item: RecordWithHistory;
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

  due(now: number, limit: number): RecordWithHistory[] {
    return this.storage
      .sql<Row>`SELECT item FROM undelivered WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`.map(toItem);
  }

  /** When the first of them is delivered again. */
  dueAt(): DueTime {
    if (this.#dueAt === undefined)
      this.#dueAt = this.storage.sql<{at: DueTime}>`SELECT min(due_at) AS at FROM undelivered`[0]?.at ?? null;
    return this.#dueAt;
  }

  put(item: RecordWithHistory, {retryAt, failures}: Failures): void {
    this.#dueAt = undefined;
    this.storage.sql`
      INSERT OR REPLACE INTO undelivered (id, item, due_at, failures)
      VALUES (${item.id}, ${JSON.stringify(item, STORED.split(' '))}, ${retryAt}, ${failures})`;
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

  /**
   * Removes who sent the money, and what they wrote. @param names - Ids of transactions, and orders and their codes.
   * @returns the ids of these transactions.
   */
  forgetPersons(names: readonly string[]): string[] {
    const rows = this.storage.sql<{id: string}>`
      UPDATE undelivered SET item = json_set(item, '$.user_name', NULL, '$.remote_description', NULL)
      WHERE EXISTS (SELECT 1 FROM json_each(${JSON.stringify(names)}) AS one
                    WHERE one.value IN (id, item ->> 'order_refno', item ->> 'code')) RETURNING id`;
    return rows.map(({id}) => id);
  }

  delete(id: string): void {
    if (this.dueAt() === null) return;
    this.#dueAt = undefined;
    this.storage.sql`DELETE FROM undelivered WHERE id = ${id}`;
  }
}

const toItem = ({item}: Pick<Row, 'item'>) => JSON.parse(item) as RecordWithHistory;
