import * as z from 'zod';
import {formatAmount} from '../amounts.ts';
import {BANKS} from '../banks--banks.ts';
import type {Context} from '../context.ts';
import {tellPayment} from '../notifications/payment.ts';
import type {Order} from '../records/orders.ts';
import {NOTICE_STATUS, type Notice, type Notices} from '../records/payment-notices.ts';
import {BadControl, type ControlInput} from './control-input.ts';
import {Limit} from './limit.ts';
import {readInput} from './read-input.ts';

const Approval = z.object({transaction_id: z.int('is the id of a transaction')});

const NOTICE_STATUSES: readonly number[] = [
  NOTICE_STATUS.inactive,
  NOTICE_STATUS.waitingForSubmit,
  NOTICE_STATUS.processing,
];
const NoticeStatus = z.object({status: z.literal(NOTICE_STATUSES, `is one of ${NOTICE_STATUSES.join(', ')}`)});

type MatchedOrder = Pick<Order, 'orderCode' | 'serviceCode'>;

const NoticeQuery = z.object({limit: Limit});

/** GET /_sandbox/notices */
export function listNotices({query}: ControlInput, {paymentNotices}: Context) {
  const {limit} = readInput(NoticeQuery, Object.fromEntries(query));
  return {
    notices: paymentNotices.recent(limit).map(toShownNotice),
  };
}

function toShownNotice(notice: Notice) {
  return {
    notice_code: String(notice.id),
    service: notice.serviceCode,
    order: notice.order,
    bank: BANKS.find(({id}) => id === notice.bankId)?.code,
    amount: formatAmount(notice.amountKurus),
    ...notice.details,
    transaction_id: notice.transactionId ?? null,
    created_at: notice.createTime,
    status: notice.status,
  };
}

/**
 * POST /_sandbox/notices/{code}/approve: somebody at the platform found the money, which then belongs to the order. An
 * order whose code nobody asked for gets one.
 */
export function approveNotice({body, part}: ControlInput, context: Context) {
  const {paymentNotices, orders, transactions} = context;
  const {transaction_id} = readInput(Approval, body);
  const notice = requireNotice(paymentNotices, part('code'));
  const transaction = transactions.find(transaction_id);
  if (!transaction) throw new BadControl(`There is no transaction ${transaction_id}.`);
  if (transaction.orderCode)
    throw new BadControl(`Transaction ${transaction_id} is already for order ${transaction.order}.`);
  if (notice.status === NOTICE_STATUS.approved) throw new BadControl(`Notice ${notice.id} is already approved.`);
  const order: MatchedOrder = orders.find(notice.serviceCode, notice.order) ?? createOrderOfNotice(notice, orders);
  transactions.assign(transaction_id, order);
  paymentNotices.approve(notice, transaction_id);
  tellPayment(transaction_id, context);
  return {order_code: order.orderCode};
}

/** POST /_sandbox/notices/{code}/status: submitted by the shopper, dropped, or back to the beginning. */
export function setNoticeStatus({body, part}: ControlInput, {paymentNotices}: Context) {
  const {status} = readInput(NoticeStatus, body);
  paymentNotices.setStatus(requireNotice(paymentNotices, part('code')), status);
  return {};
}

function requireNotice(paymentNotices: Notices, code: string): Notice {
  const notice = paymentNotices.find(code);
  if (!notice) throw new BadControl(`There is no notice ${code}.`);
  return notice;
}

function createOrderOfNotice({serviceCode, order, amountKurus}: Notice, orders: Context['orders']): MatchedOrder {
  const orderCode = orders.create({serviceCode, order, amountKurus, marketplace: undefined, userId: undefined});
  return {orderCode, serviceCode};
}
