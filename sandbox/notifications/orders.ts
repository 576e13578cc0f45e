/** Notifications of payments and of refund results. */

import {BANKS} from '../banks.ts';
import type {Context} from '../context.ts';
import {formatAmount, parseAmount} from '../formats.ts';
import {paymentKey, refundKey} from '../keys.ts';
import type {Readings} from '../records/readings.ts';
import type {Refund} from '../records/refunds.ts';
import type {Transfer, Transaction} from '../records/transactions.ts';
import {addParameters, deliverNotification} from './notifications.ts';

/** Saves a transfer, notifies the merchant if a URL is configured, and returns the transaction's id. */
export function receiveTransfer(transfer: Transfer, context: Context): number {
  const id = context.transactions.record(transfer);
  notifyPayment(id, context);
  return id;
}

/**
 * Queues the payment notification that some platforms send (observed.md, "Notifications"). Queues nothing if no URL is
 * configured or if the transaction has no order.
 */
export function notifyPayment(transactionId: number, context: Context): void {
  const url = context.config.notifyUrls.payment;
  const transaction = context.transactions.find(transactionId);
  if (url === '' || !transaction?.orderCode) return;
  context.notificationQueue.enqueue(async () => ({
    kind: 'payment',
    method: 'POST',
    url,
    content: await toPaymentContent(transaction, context),
  }));
}

async function toPaymentContent(transaction: Transaction, {config, readings}: Context) {
  const {merchantId, merchantPrivateKey, servicePrivateKeys} = config;
  const fields = {
    txid: transaction.id,
    code: transaction.orderCode ?? '',
    order: transaction.order ?? '',
    status: transaction.status,
    amount: formatAmount(transaction.amountKurus),
    transaction_date: transaction.transactionDate,
    bank: BANKS.find(({id}) => id === transaction.bankId)?.code ?? '',
  };
  const servicePrivateKey = servicePrivateKeys.get(transaction.serviceCode) ?? '';
  return {
    ...readings.writeAmounts(fields),
    key: await paymentKey(transaction.serviceCode, merchantId, fields, merchantPrivateKey, servicePrivateKey),
  };
}

/**
 * How the platform sends refund results (orders.md 6): one GET or POST for each refund, one POST with a JSON array, or
 * one GET with all refunds in the query.
 */
export const REFUND_NOTIFICATION_MODES = ['get', 'post', 'batch', 'get-batch'] as const;
export type RefundNotificationMode = (typeof REFUND_NOTIFICATION_MODES)[number];

export interface RefundResult {
  readonly refund_id: number;
  readonly code: string;
  readonly order: string;
  readonly status: number;
  /**
   * Decimal text with two decimals. The key is computed from this text. In JSON, the amount is a number, which may have
   * fewer digits.
   */
  readonly amount: string;
  readonly refund_contact: string;
  readonly refund_iban: string;
  readonly refund_date: string;
  readonly create_time: string;
  readonly bank_no: number;
  readonly bank_id: number;
  readonly bank_name: string;
  readonly bank_code: string;
  readonly bank_receipt_no: string;
  readonly key: string;
}

/**
 * Notifies the merchant and returns the result of each call. Sends nothing if no URL is configured.
 * @param withForeign - Whether to add a refund of a service that another system of the merchant has.
 */
export async function notifyRefunds(
  refunds: readonly Refund[],
  mode: RefundNotificationMode,
  context: Context,
  withForeign = false,
) {
  const url = context.config.notifyUrls.refund;
  if (url === '' || refunds.length === 0) return [];
  const results = await Promise.all(refunds.map((refund) => toRefundResult(refund, context)));
  if (withForeign && results[0]) results.push(await toForeignResult(results[0], context));
  const calls = mode === 'batch' || mode === 'get-batch' ? [results] : results.map((result) => [result]);
  const outcomes = [];
  for (const call of calls) {
    const method = mode === 'get' || mode === 'get-batch' ? 'GET' : 'POST';
    const {readings} = context;
    const written = call.map((result) => ({...result, amount: readings.amountText(parseAmount(result.amount) ?? 0)}));
    const query = mode === 'get-batch' ? toQuery(written, readings) : {...written[0]};
    const json = mode === 'post' ? toJson(call[0]) : call.map(toJson);
    const content = method === 'GET' ? query : readings.writeAmounts(json);
    const address = method === 'GET' ? addParameters(url, query) : url;
    const {httpStatus, answer} = await deliverNotification(
      {kind: 'refund', method, url: address, content},
      context.notifications,
    );
    outcomes.push({method, refund_ids: call.map(({refund_id}) => refund_id), http_status: httpStatus, answer});
  }
  return outcomes;
}

async function toRefundResult(refund: Refund, {config, orders, transactions}: Context): Promise<RefundResult> {
  const order = orders.findByCode(refund.orderCode);
  const serviceCode = order?.serviceCode ?? '';
  const bank = BANKS.find(({id}) => id === transactions.find(refund.transactionId)?.bankId);
  const fields = {
    refund_id: refund.id,
    code: refund.orderCode,
    order: order?.order ?? '',
    status: refund.status,
    amount: formatAmount(refund.amountKurus),
    refund_contact: refund.contactName,
    refund_iban: refund.contactIban,
    refund_date: refund.refundTime ?? refund.updateTime ?? '',
    create_time: refund.createTime,
    bank_no: Number(bank?.bankNo),
    bank_id: Number(bank?.id),
    bank_name: bank?.name ?? '',
    bank_code: bank?.code ?? '',
    bank_receipt_no: refund.bankReceiptNo ?? '',
  };
  const {merchantId, merchantPrivateKey, servicePrivateKeys} = config;
  const servicePrivateKey = servicePrivateKeys.get(serviceCode) ?? '';
  return {...fields, key: await refundKey(serviceCode, merchantId, fields, merchantPrivateKey, servicePrivateKey)};
}

/** The result of a refund that is like this one, but belongs to a service whose private key the Worker does not have. */
async function toForeignResult(result: RefundResult, {config}: Context): Promise<RefundResult> {
  const fields = {...result, refund_id: result.refund_id + 1_000_000, order: 'DEPO-7'};
  const {merchantId, merchantPrivateKey} = config;
  return {...fields, key: await refundKey('DEPO', merchantId, fields, merchantPrivateKey, 'another service’s key')};
}

/** Writes the refunds of a day as the parameters of one GET. */
function toQuery(results: readonly RefundResult[], readings: Readings): Record<string, unknown> {
  const reading = readings.get('refund_query');
  if (reading === 'json') return {refunds: JSON.stringify(readings.writeAmounts(results.map(toJson)))};
  const fields = results.flatMap((result, index) => {
    const prefix = reading === 'named' ? `refunds[${index}]` : String(index);
    return Object.entries(result).map(([name, value]) => [`${prefix}[${name}]`, value]);
  });
  return Object.fromEntries(fields);
}

function toJson(result: RefundResult | undefined) {
  return {...result, amount: Number(result?.amount)};
}
