import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {type CallFailure, type DueTime, nextFailure, watchdogAt} from '../alarm.ts';
import {type Booking, book, NO_DETAILS} from '../archive/booking.ts';
import {refundIn} from '../order/order-state.ts';
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
        if (amount !== null)
          await objects.order(service, order).receiveRefund(refundIn(state, amount, id, transactionId));
        await book(objects, service, [toBooking(refund)]);
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

function toBooking({id, order, amount, state, transaction_id: transaction, at}: ReportedRefund): Booking {
  const type = state === 'waiting' ? 'refund.requested' : state === 'successful' ? 'refund.settled' : 'refund.failed';
  return {...NO_DETAILS, id: ['refund', id, type].join(' '), type, at, order, amount, transaction, refund: id};
}
