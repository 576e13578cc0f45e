import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {refundIn} from '../order/order-state.ts';
import type {RefundRow} from './refund-store.ts';

const CALL_CONCURRENCY = 6;

type ReportedRefund = Pick<RefundRow, 'id' | 'service' | 'order' | 'amount' | 'state' | 'transaction_id'>;

/** Refunds that were requested or have a result, and that their orders have not received yet. */
export class ReportedRefunds {
  readonly #refunds = new Map<string, ReportedRefund>();

  add(refund: ReportedRefund): void {
    this.#refunds.set(refund.id, refund);
  }

  /** Hands the refunds to their orders. An order that cannot be reached reads its refunds by itself, hours later. */
  async notifyOrders({objects}: Pick<Context, 'objects'>): Promise<void> {
    const refunds = [...this.#refunds.values()];
    this.#refunds.clear();
    await mapConcurrent(CALL_CONCURRENCY, refunds, async (refund) => {
      const {id, service, order, amount, state, transaction_id: transactionId} = refund;
      if (amount === null) return;
      try {
        await objects.order(service, order).receiveRefund(refundIn(state, amount, id, transactionId));
      } catch (error) {
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
  }
}
