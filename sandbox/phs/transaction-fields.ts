import {formatAmount} from '../amounts.ts';
import {BANKS} from '../banks--banks.ts';
import type {Transaction} from '../records/transactions.ts';
import {findService, MERCHANT_NAME} from '../services.ts';
import type {Answer} from '../visit.ts';

/** Which numbers a platform uses here is not shown; this one stands for a transfer. */
const TRANSFER_TYPE = 1;

/** The fields that a transaction and an item of a search share (orders 2.3). Without an order, its code and reference are empty. */
export function toTransactionFields(transaction: Transaction, merchantId: number): Answer {
  const bank = BANKS.find(({id}) => id === transaction.bankId);
  const service = findService(transaction.serviceCode);
  return {
    id: transaction.id,
    merchant: merchantId,
    merchant_name: MERCHANT_NAME,
    bank_id: transaction.bankId,
    bank_code: bank?.code,
    bank_name: bank?.name,
    service_id: service?.id,
    service_name: service?.name,
    service_code: transaction.serviceCode,
    code: transaction.orderCode ?? '',
    amount: formatAmount(transaction.amountKurus),
    currency: 'TL',
    user_name: transaction.sender ?? null,
    order_refno: transaction.order ?? '',
    remote_bank: null,
    remote_description: transaction.description,
    transaction_type: TRANSFER_TYPE,
  };
}
