import {formatAmount} from '../amounts.ts';
import {BANKS} from '../banks--banks.ts';
import type {Context} from '../context.ts';
import type {Refund} from '../records/refunds.ts';
import {findService, MERCHANT_NAME} from '../services.ts';
import type {Answer} from '../visit.ts';

/** A refund record (orders 2.5): the names of the example and, next to them, those of the field table. */
export function toRefundFields(refund: Refund, {config, orders}: Context): Answer {
  const service = findService(orders.findByCode(refund.orderCode)?.serviceCode ?? '');
  const bank = BANKS.find(({id}) => id === refund.bankId);
  return {
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
    create_time: refund.createTime,
    update_time: refund.updateTime ?? null,
    refund_time: refund.refundTime ?? null,
    amount: formatAmount(refund.amountKurus),
    requested_by: null,
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
}
