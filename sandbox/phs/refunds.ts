/** Operations on refunds. */

import {BANKS} from '../banks.ts';
import {findService, MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {markRefunded} from '../controls/day-end.ts';
import {formatAmount, fromLocalTime, toUtcTime} from '../formats.ts';
import type {Reading} from '../records/readings.ts';
import type {Refund} from '../records/refunds.ts';
import type {Transaction} from '../records/transactions.ts';
import type {Parameters, AnswerFields, PlatformRequest} from '../request.ts';
import {PhsRefusal, requireAmount, requireService, requireText} from './phs-statuses.ts';

/**
 * /refund/get (orders.md 4.5). A reading chooses the status for an unknown id, because no status means "unknown
 * refund".
 */
export function getRefund({parameters}: PlatformRequest, context: Context): AnswerFields {
  const id = requireText(parameters, 'id');
  const refund = /^\d{1,15}$/.test(id) ? context.refunds.find(Number(id)) : undefined;
  if (!refund) throw new PhsRefusal(context.readings.get('unknown_refund'));
  return {data: {...toRefundFields(refund, context), update_userid: null}};
}

/**
 * /refund/getByOrder (orders.md 4.5): the refunds of an order, oldest first. The call does not name a service. A reading
 * chooses the answer for an order without refunds.
 */
export function getRefundsByOrder({parameters}: PlatformRequest, context: Context): AnswerFields {
  const orders = context.orders.findByReference(requireText(parameters, 'order'));
  if (orders.length === 0) throw new PhsRefusal('ERR_014');
  const refunds = orders.flatMap(({orderCode}) => context.refunds.ofOrder(orderCode));
  const whenEmpty = context.readings.get('no_refunds');
  if (refunds.length === 0 && whenEmpty !== 'empty') throw new PhsRefusal(whenEmpty);
  return {data: refunds.map((refund) => toRefundFields(refund, context))};
}

/**
 * /refund/create (orders.md 4.5). The platform refuses a refund of a completed order, of an order without any transfer
 * and of more money than arrived. A reading decides whether it makes a second refund: a marketplace order can have
 * several refunds (orders.md 1), and the spec does not say whether other orders can.
 */
export function createRefund({parameters}: PlatformRequest, context: Context): AnswerFields {
  const {orders, transactions, refunds, readings} = context;
  const reference = requireText(parameters, 'order');
  const amount = requireText(parameters, 'amount');
  const contact = requireContact(parameters);
  const service = requireService(parameters);
  const amountKurus = requireAmount(amount);
  const order = orders.find(service.code, reference);
  if (!order) throw new PhsRefusal('ERR_014');
  if (order.completedAt) throw new PhsRefusal(readings.get('completed_order'));
  const namesPart = parameters.text('sub_merchant_id') !== '';
  if (order.marketplace && !namesPart && readings.get('refund_part') === 'named') throw new PhsRefusal('400');
  const arrived = transactions.ofOrder(order.orderCode);
  if (arrived.length === 0) throw new PhsRefusal(readings.get('unpaid_refund'));
  const activeRefunds = refunds.activeOfOrder(order.orderCode);
  if (amountKurus + sum(activeRefunds) > sum(arrived)) throw new PhsRefusal('ERR_021');
  const second = readings.get('second_refund');
  if (activeRefunds.length > 0 && !order.marketplace && second !== 'made') throw new PhsRefusal(second);
  const transactionId = chooseTransaction(arrived, amountKurus, (id) =>
    sum(activeRefunds.filter((refund) => refund.transactionId === id)),
  );
  const id = refunds.create({orderCode: order.orderCode, transactionId, amountKurus, ...contact});
  if (readings.get('refunded_status') === 'begun') markRefunded(order.orderCode, context);
  return {refund_id: id};
}

function requireContact(parameters: Parameters): {contactName: string; contactIban: string} {
  const contact = parameters.get('contact');
  const [name, iban] = contact instanceof Map ? [contact.get('name'), contact.get('iban')] : [];
  if (typeof name !== 'string' || name === '' || typeof iban !== 'string' || iban === '') throw new PhsRefusal('400');
  return {contactName: name, contactIban: iban};
}

/** Chooses the first transaction that has enough money left, otherwise the transaction with the most money left. */
function chooseTransaction(
  arrived: readonly Transaction[],
  amountKurus: number,
  refundedKurusOf: (id: number) => number,
): number {
  const candidates = arrived.map(({id, amountKurus: arrivedKurus}) => {
    return {id, leftKurus: arrivedKurus - refundedKurusOf(id)};
  });
  const largest = candidates.toSorted((a, b) => b.leftKurus - a.leftKurus)[0];
  return (candidates.find(({leftKurus}) => leftKurus >= amountKurus) ?? largest)?.id ?? 0;
}

function sum(records: readonly {readonly amountKurus: number}[]): number {
  return records.reduce((total, {amountKurus}) => total + amountKurus, 0);
}

/** The names of the fields that a refund record lacks (orders.md 2.5), for each value of the reading `refund_names`. */
const MISSING_NAMES: Readonly<Record<Reading<'refund_names'>, readonly string[]>> = {
  both: [],
  example: ['merchant', 'service', 'service_code', 'bank_no'],
  table: ['merchant_name', 'merchant_id', 'service_name', 'service_id', 'bank_id'],
};

/** A refund record (orders.md 2.5), with the field names of the example, of the field table, or of both. */
function toRefundFields(refund: Refund, {config, orders, readings}: Context): AnswerFields {
  const missing = MISSING_NAMES[readings.get('refund_names')];
  const service = findService(orders.findByCode(refund.orderCode)?.serviceCode ?? '');
  const bank = BANKS.find(({id}) => id === refund.bankId);
  const times = readings.get('refund_times');
  const toTime = (time: string | undefined): string | null => {
    if (time === undefined || times === 'absent') return null;
    return times === 'utc' ? toUtcTime(fromLocalTime(time)) : time;
  };
  const fields = {
    id: refund.id,
    merchant: MERCHANT_NAME,
    merchant_name: MERCHANT_NAME,
    merchant_id: config.merchantId,
    service: service?.name,
    service_name: service?.name,
    service_id: service?.id,
    service_code: service?.code,
    transaction_id: refund.transactionId,
    status: refund.status,
    create_time: toTime(refund.createTime),
    update_time: toTime(refund.updateTime),
    refund_time: toTime(refund.refundTime),
    amount: formatAmount(refund.amountKurus),
    requested_by: readings.get('optional_value') === 'object' ? {id: 1, name: 'api'} : null,
    description: null,
    note: null,
    refund_contact: refund.contactName,
    refund_iban: refund.contactIban,
    bank_id: bank?.id ?? null,
    bank_name: bank?.name ?? null,
    bank_code: bank?.code ?? null,
    bank_no: bank?.bankNo ?? null,
    bank_receipt_no: refund.bankReceiptNo ?? null,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !missing.includes(name)));
}
