import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import {type Booking, NO_DETAILS} from '../archive/booking.ts';
import type {BookedRow} from '../archive/books-store.ts';
import {findRows} from '../archive/find-in-archive.ts';
import {entryOf} from '../events/entry.ts';
import type {StoreSchema} from '../migrations.ts';
import {newRow, type ObjectStorage} from '../object-storage.ts';
import type {OrderDetails} from '../order/order-details.ts';
import {withdrawnRefund} from '../order/order-entries.ts';
import {refundIn} from '../order/order-money.ts';
import type {RefundRow} from './refund-store.ts';

const CALL_CONCURRENCY = 6;
/** How many refunds are handed over at once. Each may need a call for the order, and one for each month of the books. */
const MAX_HANDED_OVER = 20;

interface ReportedRefund
  extends
    Pick<RefundRow, 'id' | 'service' | 'order' | 'amount' | 'state' | 'transaction_id' | 'bank_receipt_no'>,
    Pick<Booking, 'by' | 'apiKey'> {
  /** When it was requested, or got its result. */
  readonly at: number;
  /** Whether the bank's time of the result is unknown, so that `at` is when the Worker learnt of it. */
  readonly timeUnknown: boolean;
}

type Row = {-readonly [K in keyof Omit<ReportedRefund, 'timeUnknown' | 'apiKey'>]: ReportedRefund[K]} & {
  number: number;
  time_unknown: number;
  api_key: string | null;
};

export const REPORTED_REFUNDS: StoreSchema = {
  name: 'reported_refunds',
  createdOn: 'wake',
  steps: [
    `CREATE TABLE reported_refunds (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL, state TEXT NOT NULL, service TEXT NOT NULL, "order" TEXT NOT NULL,
      amount INTEGER, transaction_id TEXT, bank_receipt_no TEXT, at INTEGER NOT NULL, time_unknown INTEGER NOT NULL,
      "by" TEXT NOT NULL, api_key TEXT, UNIQUE (id, state))`,
  ],
};

/** Refunds that were requested or have a result, and that their orders and the books do not have yet. */
export class ReportedRefunds {
  constructor(private readonly storage: ObjectStorage) {}

  /** Stores a refund for its order and the books, in the turn of the write of the refund. */
  add({timeUnknown, apiKey, ...refund}: ReportedRefund): void {
    const {id, state, service, order, amount, transaction_id, bank_receipt_no, at, by} = refund;
    const row = {id, state, service, order, amount, transaction_id, bank_receipt_no, at, by, api_key: apiKey};
    this.storage.sql`
      INSERT OR REPLACE INTO reported_refunds ${newRow({...row, time_unknown: timeUnknown ? 1 : 0})}`;
  }

  /** How many refunds of the service wait. */
  count(service: string): number {
    const [row] = this.storage.sql<{count: number}>`
      SELECT count(*) AS count FROM reported_refunds WHERE service = ${service}`;
    return row?.count ?? 0;
  }

  isAny(): boolean {
    return this.#first(1).length > 0;
  }

  /**
   * Hands the first refunds to their orders and to the books. Those that cannot be reached get them last.
   * @returns `retry` if one could not be reached.
   */
  async handOver({objects}: Pick<Context, 'objects'>): Promise<'retry' | void> {
    let failed = 0;
    await mapConcurrent(CALL_CONCURRENCY, this.#first(MAX_HANDED_OVER), async (refund) => {
      const {number, service, order} = refund;
      try {
        await handOver(objects, refund);
        this.storage.sql`DELETE FROM reported_refunds WHERE number = ${number}`;
      } catch (error) {
        failed += 1;
        this.storage.sql`
          UPDATE reported_refunds SET number = (SELECT max(number) + 1 FROM reported_refunds) WHERE number = ${number}`;
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
    if (failed > 0) return 'retry';
  }

  #first(limit: number): Row[] {
    return this.storage.sql<Row>`SELECT * FROM reported_refunds ORDER BY number LIMIT ${limit}`;
  }
}

async function handOver(objects: Objects, refund: Row): Promise<void> {
  const {id, service, order, amount, state, transaction_id: transactionId} = refund;
  const known: Pick<OrderDetails, 'code' | 'money'> | null =
    amount === null
      ? null
      : await objects.order(service, order).receiveRefund(refundIn(state, amount, id, transactionId));
  const found = known === null ? await findRows(objects, service, order) : [];
  // Another order may have had the reference before.
  const placed = found.findLastIndex(({type}) => type === 'order.placed');
  const rows = found.slice(Math.max(0, placed));
  const code = known?.code ?? rows.find((row) => row.code !== null)?.code ?? null;
  const money = known?.money ?? rows.map(({transaction, bank}) => ({id: transaction, bank}));
  const named = money.filter((each) => each.bank !== null && (transactionId ?? each.id) === each.id);
  const [bank = null, ...others] = new Set(named.map((each) => each.bank));
  // An order that is still stored does this itself; see `returnedByStatus`.
  const isOfOrder = transactionId === null || rows.some(({transaction}) => transaction === transactionId);
  const replaced = amount !== null && isOfOrder ? rows.filter(isShownByStatus) : [];
  const booked = [...replaced.map(withdrawnRefund), toBooking(refund, code, others.length > 0 ? null : bank)];
  await objects.outbox().receive(
    service,
    booked.map((row) => entryOf(row)),
  );
}

/** Whether only the status of a transfer showed this refund. */
function isShownByStatus({type, refund, method}: BookedRow): boolean {
  return type === 'refund.settled' && refund === null && method === 'transfer';
}

function toBooking(
  {id, order, amount, state, transaction_id: transaction, bank_receipt_no: receipt, at, time_unknown, ...asked}: Row,
  code: string | null,
  bank: string | null,
): Booking {
  const type = state === 'waiting' ? 'refund.requested' : state === 'successful' ? 'refund.settled' : 'refund.failed';
  const money = {amount, bank, method: 'transfer', transaction, refund: id, receipt} as const;
  const details = {order, code, ...money, by: asked.by, apiKey: asked.api_key};
  const time = {at, timeUnknown: time_unknown === 1};
  return {...NO_DETAILS, id: ['refund', id, type].join(' '), type, ...time, ...details};
}
