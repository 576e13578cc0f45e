/** Controls of transfers, orders, payment notices and vendors. */

import * as z from 'zod';
import {BANKS, findBank} from '../banks.ts';
import type {Context} from '../context.ts';
import {formatAmount, parseAmount, isLocalTime, toLocalTime} from '../formats.ts';
import {receiveTransfer, notifyPayment} from '../notifications/orders.ts';
import type {Order} from '../records/orders.ts';
import {PAYMENT_NOTICE_STATUS, type PaymentNotice, type PaymentNotices} from '../records/payment-notices.ts';
import {TRANSACTION_STATUS, type Transaction} from '../records/transactions.ts';
import type {Vendor} from '../records/vendors.ts';
import {ControlError, type ControlInput, ListLimit, readInput} from './control-input.ts';

const MAX_TEXT_LENGTH = 1000;

const Text = z.string('must be text').max(MAX_TEXT_LENGTH, `must have at most ${MAX_TEXT_LENGTH} characters`);

const NewTransfer = z.object({
  order_code: Text.optional(),
  description: Text.optional(),
  bank: z
    .string('must be the code of a bank')
    .transform((code, context) => findBank(code) ?? reject(context, 'must be the code of a bank in the bank list')),
  amount: z
    .union([z.string(), z.number()], 'must be an amount such as "149.90"')
    .transform(
      (amount, context) =>
        parseAmount(String(amount)) || reject(context, 'must be an amount above zero such as "149.90"'),
    ),
  sender: Text.optional(),
  at: z
    .string('must be a time')
    .transform(
      (text, context) =>
        readTime(text) ?? reject(context, 'must be a time such as "2026-11-20 14:05:00" or ISO 8601 with a zone'),
    )
    .optional(),
  count: z.int('must be a whole number').min(1).max(1000).default(1),
});

const TRANSFER_STATUSES: readonly number[] = Object.values(TRANSACTION_STATUS);
const TransferStatusInput = z.object({
  status: z.literal(TRANSFER_STATUSES, `must be one of ${TRANSFER_STATUSES.join(', ')}`),
});

const TransferQuery = z.object({order_code: z.string().optional(), limit: ListLimit});

/**
 * POST /_sandbox/transfers: simulates a transfer from a shopper. Its description is an order code or any other text.
 * With a `count`, there are as many equal transfers, and the answer is about the last one.
 */
export function makeTransfer({body}: ControlInput, context: Context) {
  const {clock, orders} = context;
  const {order_code, bank, amount, sender, at, count, ...input} = readInput(NewTransfer, body);
  const description = order_code ?? input.description;
  if (description === undefined || (order_code !== undefined && input.description !== undefined)) {
    throw new ControlError('A transfer must have either an order_code or a description.');
  }
  const order = orders.findInDescription(description);
  const transactionDate = at ?? clock.now();
  const transfer = {bank, amountKurus: amount, sender, description, order, transactionDate};
  const ids = Array.from({length: count}, () => receiveTransfer(transfer, context));
  return {transaction_id: ids.at(-1), matched: order !== undefined};
}

/**
 * POST /_sandbox/transfers/{id}/status: sets the status of a transaction. Some statuses occur only if this control sets
 * them.
 */
export function setTransferStatus({body, part}: ControlInput, {transactions}: Context) {
  const {status} = readInput(TransferStatusInput, body);
  const id = Number(part('id'));
  if (!transactions.find(id)) throw new ControlError(`There is no transaction ${part('id')}.`);
  transactions.setStatus(id, status);
  return {};
}

const Assignment = z.object({order_code: Text});

/** POST /_sandbox/transfers/{id}/assign: assigns a transfer to an order, as a person at the platform does. */
export function assignTransfer({body, part}: ControlInput, context: Context) {
  const {order_code} = readInput(Assignment, body);
  const order = context.orders.findByCode(order_code);
  const id = Number(part('id'));
  if (!order || !context.transactions.find(id)) throw new ControlError('There is no such transfer or order.');
  context.transactions.assign(id, order);
  notifyPayment(id, context);
  return {};
}

/** GET /_sandbox/transfers */
export function listTransfers({query}: ControlInput, {transactions}: Context) {
  const {order_code, limit} = readInput(TransferQuery, Object.fromEntries(query));
  const condition = order_code ? {sql: 'order_code = ?', bindings: [order_code]} : {sql: 'TRUE', bindings: []};
  return {transfers: transactions.page(condition, limit, 0).map(toShownTransfer)};
}

function toShownTransfer(transaction: Transaction) {
  return {
    transaction_id: transaction.id,
    order_code: transaction.orderCode ?? null,
    order: transaction.order ?? null,
    matched: transaction.orderCode !== undefined,
    bank: BANKS.find(({id}) => id === transaction.bankId)?.code,
    amount: formatAmount(transaction.amountKurus),
    sender: transaction.sender ?? null,
    description: transaction.description,
    at: transaction.transactionDate,
    status: transaction.status,
  };
}

/** Converts ISO 8601 with a zone to the platform's local time. Returns text in the platform's own format unchanged. */
function readTime(text: string): string | undefined {
  if (isLocalTime(text)) return text;
  if (!z.iso.datetime({offset: true}).safeParse(text).success) return undefined;
  return toLocalTime(Date.parse(text));
}

function reject(context: z.RefinementCtx, message: string): never {
  context.addIssue({code: 'custom', message});
  return z.NEVER;
}

const OrderQuery = z.object({limit: ListLimit});

/** GET /_sandbox/orders: the orders of the merchant and the money that arrived for them. */
export function listOrders({query}: ControlInput, {orders, transactions}: Context) {
  const {limit} = readInput(OrderQuery, Object.fromEntries(query));
  return {
    orders: orders.recent(limit).map((order) => ({
      order_code: order.orderCode,
      service: order.serviceCode,
      order: order.order,
      user_id: order.userId ?? null,
      amount: formatAmount(order.amountKurus),
      arrived: formatAmount(transactions.arrivedFor(order.orderCode)),
      created_at: order.createdAt,
      completed_at: order.completedAt ?? null,
    })),
  };
}

const Approval = z.object({transaction_id: z.int('must be the id of a transaction')});

const NOTICE_STATUSES: readonly number[] = [
  PAYMENT_NOTICE_STATUS.inactive,
  PAYMENT_NOTICE_STATUS.waitingForSubmit,
  PAYMENT_NOTICE_STATUS.processing,
];
const NoticeStatusInput = z.object({
  status: z.literal(NOTICE_STATUSES, `must be one of ${NOTICE_STATUSES.join(', ')}`),
});

type MatchedOrder = Pick<Order, 'orderCode' | 'serviceCode'>;

const NoticeQuery = z.object({limit: ListLimit});

/** GET /_sandbox/notices */
export function listNotices({query}: ControlInput, {paymentNotices}: Context) {
  const {limit} = readInput(NoticeQuery, Object.fromEntries(query));
  return {
    notices: paymentNotices.recent(limit).map(toShownNotice),
  };
}

function toShownNotice(notice: PaymentNotice) {
  return {
    notice_code: notice.code,
    id: notice.id,
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
 * POST /_sandbox/notices/{code}/approve: assigns a transaction to the order of a notice, as a person at the platform
 * does after finding the transaction. If the merchant never created the order, the control creates it.
 */
export function approveNotice({body, part}: ControlInput, context: Context) {
  const {paymentNotices, orders, transactions} = context;
  const {transaction_id} = readInput(Approval, body);
  const notice = requireNotice(paymentNotices, part('code'));
  const transaction = transactions.find(transaction_id);
  if (!transaction) throw new ControlError(`There is no transaction ${transaction_id}.`);
  if (transaction.orderCode)
    throw new ControlError(`Transaction ${transaction_id} is already assigned to order ${transaction.order}.`);
  if (notice.status === PAYMENT_NOTICE_STATUS.approved)
    throw new ControlError(`Notice ${notice.code} is already approved.`);
  const order: MatchedOrder = orders.find(notice.serviceCode, notice.order) ?? createOrderOfNotice(notice, orders);
  transactions.assign(transaction_id, order);
  paymentNotices.approve(notice, transaction_id);
  notifyPayment(transaction_id, context);
  return {order_code: order.orderCode};
}

/** POST /_sandbox/notices/{code}/status: sets a notice to submitted, inactive, or not submitted yet. */
export function setNoticeStatus({body, part}: ControlInput, {paymentNotices}: Context) {
  const {status} = readInput(NoticeStatusInput, body);
  paymentNotices.setStatus(requireNotice(paymentNotices, part('code')), status);
  return {};
}

function requireNotice(paymentNotices: PaymentNotices, code: string): PaymentNotice {
  const notice = paymentNotices.findByCode(code);
  if (!notice) throw new ControlError(`There is no notice ${code}.`);
  return notice;
}

function createOrderOfNotice(
  {serviceCode, order, amountKurus}: PaymentNotice,
  orders: Context['orders'],
): MatchedOrder {
  const orderCode = orders.create({serviceCode, order, amountKurus, marketplace: undefined, userId: undefined});
  return {orderCode, serviceCode};
}

const VendorQuery = z.object({limit: ListLimit});

/** GET /_sandbox/vendors */
export function listVendors({query}: ControlInput, {vendors}: Context) {
  const {limit} = readInput(VendorQuery, Object.fromEntries(query));
  return {vendors: vendors.recent(limit).map(toShownVendor)};
}

function toShownVendor({vendorCode, serviceCode, details, state}: Vendor) {
  return {vendor_code: vendorCode, service: serviceCode, ...details, state};
}
