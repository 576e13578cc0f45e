/** Operations on payment notices. */

import {BANKS, findBank} from '../banks.ts';
import {findService, MERCHANT_NAME} from '../config.ts';
import type {Context} from '../context.ts';
import {formatAmount, isLocalTime} from '../formats.ts';
import type {ShopperDetails} from '../records/orders.ts';
import type {PaymentNotice} from '../records/payment-notices.ts';
import type {AnswerFields, PlatformRequest, Parameters} from '../request.ts';
import {PhsRefusal, requireAmount, requireService, requireText} from './phs-statuses.ts';

/**
 * /paymentNotification/get (orders.md 4.4). The reading `notice_code` decides whether the code of a notice is also its
 * id.
 */
export function getPaymentNotification({parameters}: PlatformRequest, {config, paymentNotices}: Context): AnswerFields {
  const notice = paymentNotices.find(requireText(parameters, 'id'));
  if (!notice) throw new PhsRefusal('ERR_013');
  return {paymentNotification: toFields(notice, config.merchantId)};
}

/** /paymentNotification/create (orders.md 4.4). The order may be unknown: the merchant may never have created it. */
export function createPaymentNotification({parameters}: PlatformRequest, {paymentNotices}: Context): AnswerFields {
  const order = requireText(parameters, 'order');
  const amount = requireText(parameters, 'amount');
  const bankCode = requireText(parameters, 'bank');
  const {code: serviceCode} = requireService(parameters);
  const amountKurus = requireAmount(amount);
  const bank = findBank(bankCode);
  if (!bank) throw new PhsRefusal('ERR_011');
  const details = readShopperDetails(parameters);
  return {code: paymentNotices.create({serviceCode, order, bank, amountKurus, details})};
}

/**
 * Details that the shopper left out are empty text. If there is no transaction, `transaction_id` is 0 (orders.md 2.4).
 */
function toFields(notice: PaymentNotice, merchantId: number): AnswerFields {
  const bank = BANKS.find(({id}) => id === notice.bankId);
  const service = findService(notice.serviceCode);
  return {
    id: notice.id,
    code: notice.code,
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

/**
 * Reads the block `PaymentNotification` (orders.md 2.4). All its fields are optional. Only `apply_time` is validated:
 * deployed platforms accept, for example, identity numbers that fail their checksum.
 */
export function readShopperDetails(parameters: Parameters): ShopperDetails {
  const block = parameters.get('PaymentNotification');
  const text = (name: string): string => {
    const value = block instanceof Map ? (block.get(name) ?? '') : '';
    if (typeof value !== 'string') throw new PhsRefusal('ERR_008', name);
    return value;
  };
  const applyTime = text('apply_time');
  if (applyTime !== '' && !isLocalTime(applyTime)) throw new PhsRefusal('ERR_008', 'apply_time');
  return {
    tc_no: text('tc_no'),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    user_ip: text('user_ip'),
    apply_time: applyTime,
    description: text('description'),
  };
}
