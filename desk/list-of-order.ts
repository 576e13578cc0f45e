/** Says to which list of work an order belongs, as far as the order itself tells, so that its page says what to do. */

import type {Order, WorkKind} from './client.ts';

/** @returns Null if there is nothing to decide. */
export function listOfOrder({payment, refunds}: Pick<Order, 'payment' | 'refunds'>, now: number): WorkKind | null {
  if (!payment) return null;
  const {state, refundable, pay_until} = payment;
  // A refund whose outcome is not known lowers `left`. The platform refuses all refunds of a completed order.
  const isOwed = Number(refundable.left) > 0 || state === 'completed';
  if (isOwed && ['failed', 'cancelled'].includes(refunds.at(-1)?.state ?? '')) return 'refund_failed';
  switch (state) {
    case 'partial':
      return refundable.reason ?? (Date.parse(pay_until) <= now ? 'partial' : 'waiting');
    case 'waiting':
    case 'pending':
    case 'expired':
      return refundable.reason ?? state;
    case 'paid':
    case 'overpaid':
    case 'completed':
    case 'refunded':
    case 'cancelled':
      return refundable.reason;
  }
}
