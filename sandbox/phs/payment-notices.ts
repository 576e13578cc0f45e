import {formatAmount} from '../amounts.ts';
import {BANKS, findBank} from '../banks--banks.ts';
import type {Context} from '../context.ts';
import type {Notice} from '../records/payment-notices.ts';
import {findService, MERCHANT_NAME} from '../services.ts';
import type {Answer, Visit} from '../visit.ts';
import {Refusal} from './phs-statuses.ts';
import {requireAmount, requireService, requireText} from './required.ts';
import {readShopperDetails} from './shopper-details.ts';

/** /paymentNotification/get (orders 4.4): `id` is what create calls the code. */
export function getPaymentNotification({parameters}: Visit, {config, paymentNotices}: Context): Answer {
  const notice = paymentNotices.find(requireText(parameters, 'id'));
  if (!notice) throw new Refusal('ERR_013');
  return {paymentNotification: toFields(notice, config.merchantId)};
}

/** /paymentNotification/create (orders 4.4). The order need not be known: nobody asked for its code, perhaps. */
export function createPaymentNotification({parameters}: Visit, {paymentNotices}: Context): Answer {
  const order = requireText(parameters, 'order');
  const amount = requireText(parameters, 'amount');
  const bankCode = requireText(parameters, 'bank');
  const {code: serviceCode} = requireService(parameters);
  const amountKurus = requireAmount(amount);
  const bank = findBank(bankCode);
  if (!bank) throw new Refusal('ERR_011');
  const details = readShopperDetails(parameters);
  return {code: String(paymentNotices.create({serviceCode, order, bank, amountKurus, details}))};
}

/** What a shopper did not say is empty; without a transaction its id is 0, as the field is an integer (orders 2.4). */
function toFields(notice: Notice, merchantId: number): Answer {
  const bank = BANKS.find(({id}) => id === notice.bankId);
  const service = findService(notice.serviceCode);
  return {
    id: notice.id,
    code: String(notice.id),
    bank_id: notice.bankId,
    bank_code: bank?.code,
    bank_name: bank?.name,
    merchant: merchantId,
    merchant_name: MERCHANT_NAME,
    service_id: service?.id,
    service_code: notice.serviceCode,
    service_name: service?.name,
    transaction_id: notice.transactionId ?? 0,
    order_refno: notice.order,
    ...notice.details,
    amount: formatAmount(notice.amountKurus),
    create_time: notice.createTime,
    apply_time: notice.details.apply_time || notice.createTime,
    status: notice.status,
  };
}
