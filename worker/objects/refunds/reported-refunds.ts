import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {type CallFailure, type DueTime, nextFailure, watchdogAt} from '../alarm.ts';
import {refundIn} from '../order/order-state.ts';
import {isSame} from '../order/payment.ts';
import type {RefundRow} from './refund-store.ts';

const CALL_CONCURRENCY = 6;

type ReportedRefund = Pick<RefundRow, 'id' | 'service' | 'order' | 'amount' | 'state' | 'transaction_id'>;

/** Refunds that were requested or have a result, and that their orders have not received yet. */
export class ReportedRefunds {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Stores a refund for its order. The caller must not await anything between this and the write of the refund. */
  add({id, service, order, amount, state, transaction_id}: ReportedRefund): void {
    const others = this.#all().filter((other) => other.id !== id);
    this.#put([...others, {id, service, order, amount, state, transaction_id}]);
  }

  /** When the alarm must hand over the refunds; null when there are no refunds. */
  dueAt(): DueTime {
    if (this.#all().length === 0) return null;
    return this.kv.get<CallFailure>('reportedRefundsFailure')?.retryAt ?? watchdogAt(Date.now());
  }

  /** Hands the refunds to their orders. Refunds of orders that cannot be reached are handed over later. */
  async notifyOrders({objects}: Pick<Context, 'objects'>): Promise<void> {
    const refunds = this.#all();
    if (refunds.length === 0) return;
    await mapConcurrent(CALL_CONCURRENCY, refunds, async (refund) => {
      const {id, service, order, amount, state, transaction_id: transactionId} = refund;
      try {
        if (amount !== null)
          await objects.order(service, order).receiveRefund(refundIn(state, amount, id, transactionId));
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
