import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import {type CallFailure, type DueTime, nextFailure, watchdogAt} from '../alarm.ts';
import {type Booking, book, bookedMonths, NO_DETAILS} from '../archive/booking.ts';
import type {BookedRow} from '../archive/books-store.ts';
import {withdrawnRefund} from '../order/order-bookings.ts';
import {refundIn} from '../order/order-money.ts';
import {isSame} from '../order/payment.ts';
import type {RefundRow} from './refund-store.ts';

const CALL_CONCURRENCY = 6;

interface ReportedRefund extends Pick<RefundRow, 'id' | 'service' | 'order' | 'amount' | 'state' | 'transaction_id'> {
  /** When it was requested, or got its result. */
  readonly at: number;
}

/** Refunds that were requested or have a result, and that their orders and the books do not have yet. */
export class ReportedRefunds {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Stores a refund for its order and the books. The caller must not await anything between this and the write of the refund. */
  add({id, service, order, amount, state, transaction_id, at}: ReportedRefund): void {
    const others = this.#all().filter((other) => other.id !== id || other.state !== state);
    this.#put([...others, {id, service, order, amount, state, transaction_id, at}]);
  }

  /** When the alarm must hand over the refunds; null when there are no refunds. */
  dueAt(): DueTime {
    if (this.#all().length === 0) return null;
    return this.kv.get<CallFailure>('reportedRefundsFailure')?.retryAt ?? watchdogAt(Date.now());
  }

  /** Hands the refunds to their orders and to the books. What cannot be reached gets them later. */
  async notifyOrders({objects}: Pick<Context, 'objects'>): Promise<void> {
    const refunds = this.#all();
    if (refunds.length === 0) return;
    await mapConcurrent(CALL_CONCURRENCY, refunds, async (refund) => {
      const {id, service, order, amount, state, transaction_id: transactionId} = refund;
      try {
        const known =
          amount === null
            ? undefined
            : await objects.order(service, order).receiveRefund(refundIn(state, amount, id, transactionId));
        const rows = known === undefined ? await readRows(objects, service, order) : [];
        const code = known ?? rows.find((row) => row.code !== null)?.code ?? null;
        // An order that is still stored does this itself; see `returnedByStatus`.
        const isOfOrder = transactionId === null || rows.some(({transaction}) => transaction === transactionId);
        const replaced = amount !== null && isOfOrder ? rows.filter(isShownByStatus) : [];
        await book(objects, service, [...replaced.map(withdrawnRefund), toBooking(refund, code)]);
        this.#put(this.#all().filter((other) => !isSame(other, refund)));
      } catch (error) {
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
    const last = this.kv.get<CallFailure>('reportedRefundsFailure');
    if (this.#all().length > 0) this.kv.put('reportedRefundsFailure', nextFailure(last, Date.now()));
    else if (last) this.kv.delete('reportedRefundsFailure');
  }

  #all(): readonly ReportedRefund[] {
    return this.kv.get<readonly ReportedRefund[]>('reportedRefunds') ?? [];
  }

  #put(refunds: readonly ReportedRefund[]): void {
    if (refunds.length > 0) this.kv.put('reportedRefunds', refunds);
    else this.kv.delete('reportedRefunds');
  }
}

/** What the books have of an order, back to the row that places it. */
async function readRows(objects: Objects, service: string, order: string): Promise<readonly BookedRow[]> {
  const rows: BookedRow[] = [];
  for (const month of bookedMonths()) {
    const found: readonly BookedRow[] = await objects.books(service, month).bookingsOf(month, order);
    rows.push(...found);
    if (found.some(({type}) => type === 'order.placed')) break;
  }
  return rows;
}

/** Whether only the status of a transfer showed this refund. */
function isShownByStatus({type, refund, method}: BookedRow): boolean {
  return type === 'refund.settled' && refund === null && method === 'transfer';
}

function toBooking(
  {id, order, amount, state, transaction_id: transaction, at}: ReportedRefund,
  code: string | null,
): Booking {
  const type = state === 'waiting' ? 'refund.requested' : state === 'successful' ? 'refund.settled' : 'refund.failed';
  return {...NO_DETAILS, id: ['refund', id, type].join(' '), type, at, order, code, amount, transaction, refund: id};
}
