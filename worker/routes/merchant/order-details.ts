/** One order, as the Worker has it stored. */

import type * as z from 'zod';
import type {Order} from '../../contract/merchant/descriptions/order-details.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {OrderDetails} from '../../objects/order/order-details.ts';
import type {RefundRow} from '../../objects/refunds/refund-store.ts';
import {numberOrText} from '../../platform/statuses.ts';
import type {Handlers} from './handler.ts';

type OrderAnswer = z.output<typeof Order>;

export const orderHandlers: Handlers<'getOrder'> = {
  async getOrder({service, order}, {objects}) {
    const [details, refunds] = await Promise.all([
      objects.order(service, order).details(),
      objects.refunds().ofOrder(service, order),
    ]);
    if (details === null && refunds.length === 0) throw new ApiError('unknown_order');
    return {
      service,
      order,
      order_code: details?.code ?? null,
      offer: details?.offer ?? null,
      user_id: details?.userId ?? null,
      created_at: formatInstantOrNull(details?.createdAt ?? null),
      deleted_at: formatInstantOrNull(details?.deletedAt ?? null),
      payment: details && toPayment(details),
      payment_notices: details ? toNotices(details) : [],
      refunds: refunds.map(toRefund),
    };
  },
};

function toPayment({payment, expiresAt, completedAt, money}: OrderDetails): OrderAnswer['payment'] {
  const {state, amount, paid, refunded, remaining, late, unclear} = payment;
  return {
    state,
    amount,
    paid,
    refunded,
    remaining,
    currency: 'TRY',
    late,
    unclear,
    pay_until: formatInstant(expiresAt),
    completed_at: formatInstantOrNull(completedAt),
    transactions: money.map((item) => ({
      id: item.id,
      kind: item.bank === null ? 'charge' : 'transfer',
      amount: item.amount === null ? null : formatAmount(item.amount),
      currency: item.currency,
      bank_name: item.bank,
      bank: item.bank,
      at: formatInstant(item.at),
      state: item.state,
    })),
  };
}

function toNotices({notice}: OrderDetails): OrderAnswer['payment_notices'] {
  if (!notice) return [];
  const {code, bank, amount, sent, at} = notice;
  return [
    {notice_code: code, bank_code: bank, bank, amount: formatAmount(amount), sent, created_at: formatInstant(at)},
  ];
}

function toRefund(refund: RefundRow): OrderAnswer['refunds'][number] {
  const {id, amount, status, state, transaction_id, refund_time, bank_receipt_no, known_at} = refund;
  return {
    id,
    amount: amount === null ? null : formatAmount(amount),
    status: numberOrText(status),
    // A refund that the Worker has requested and not read yet is `waiting`, as in the refund's event.
    state: state === 'unread' ? 'waiting' : state,
    transaction_id,
    refund_time,
    bank_receipt_no,
    requested_at: formatInstant(known_at),
  };
}
