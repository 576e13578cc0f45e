import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import type {RefundRow} from './refund-store.ts';

const CALL_CONCURRENCY = 6;

type SettledRefund = Pick<RefundRow, 'id' | 'service' | 'order' | 'amount' | 'state' | 'transaction_id'>;

/** Refunds with a result that their orders have not received yet. */
export class SettledRefunds {
  readonly #refunds = new Map<string, SettledRefund>();

  add(refund: SettledRefund): void {
    this.#refunds.set(refund.id, refund);
  }

  /** Hands the results to their orders. An order that cannot be reached reads its refunds by itself, hours later. */
  async notifyOrders({objects}: Pick<Context, 'objects'>): Promise<void> {
    const refunds = [...this.#refunds.values()];
    this.#refunds.clear();
    await mapConcurrent(CALL_CONCURRENCY, refunds, async (refund) => {
      const {id, service, order, amount, state, transaction_id: transactionId} = refund;
      if (amount === null) return;
      try {
        const sent = state === 'successful' ? amount : 0;
        await objects.order(service, order).receiveRefund({id, amount: sent, transactionId});
      } catch (error) {
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
  }
}
