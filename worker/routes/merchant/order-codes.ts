import {insist} from '../../insist.ts';
import {formatAmount, parseAmount} from '../../money.ts';
import type {Objects} from '../../objects/objects.ts';
import {carryOut} from './carry-out.ts';
import type {Handlers} from './handler.ts';
import {toPlatformNotice} from './payment-notices.ts';
import {checkReturnUrls, hostedUrl} from './return-urls.ts';
import {DEFAULT_HOURS} from './sessions.ts';

interface Asked {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
}

interface Made extends Asked {
  readonly payout?: string | undefined;
  readonly sub_merchant_id?: string | undefined;
  readonly fee?: string | undefined;
  readonly user_id?: string | undefined;
}

export const orderCodes: Handlers<'findOrderCode' | 'createOrderCode' | 'createHostedOrderCode' | 'updateOrderCode' | 'completeOrder'> = {
  async findOrderCode({service, order}, {platform}) {
    const {order: code, payout, sub_merchant_id, fee} = await platform.call('orderCodeCheck', {code: service, order});
    return {order_code: code, service, order, payout, sub_merchant_id, fee};
  },

  async createOrderCode({service, ...terms}, {platform, objects}) {
    const {order: code} = await platform.call('orderCodeCreate', {code: service, ...terms});
    await adopt(code, {service, ...terms}, objects);
    return toOrderCode(code, {service, ...terms});
  },

  async createHostedOrderCode({service, notice, redirect_url, back_url, ...terms}, {platform, config, objects}) {
    checkReturnUrls({redirect_url, back_url}, config);
    // Before anything is made: an order without a page to send the shopper to is of no use.
    const pages = hostedUrl(config, '/phs/banks/', {});
    const {code} = await platform.call('orderCodeDirect', {code: service, ...terms, PaymentNotification: notice && toPlatformNotice(notice)});
    await adopt(code, {service, ...terms}, objects);
    const url = hostedUrl({...config, hostedUrl: pages}, encodeURIComponent(code), {redirect_url, back_url});
    return {...toOrderCode(code, {service, ...terms}), url};
  },

  async updateOrderCode({service, ...terms}, {platform, objects}) {
    const {order: code} = await platform.call('orderCodeUpdate', {code: service, ...terms});
    const {order, amount, payout, sub_merchant_id: subMerchantId, fee} = terms;
    await objects.order(service, order).amend(parseAmount(amount) ?? 0, {payout, subMerchantId, fee});
    return toOrderCode(code, {service, ...terms});
  },

  async completeOrder({service, order}, context) {
    await carryOut('completeOrder', {service, order}, context);
    return {service, order, state: 'completed'};
  },
};

/** From now on its money is looked for, and told in events. */
function adopt(code: string, {service, order, amount, payout, sub_merchant_id: subMerchantId, fee, user_id: userId}: Made, objects: Objects): Promise<void> {
  const terms = {service, order, amount: parseAmount(amount) ?? 0, hours: DEFAULT_HOURS};
  return insist('order', () => objects.order(service, order).adopt(code, terms, {split: {payout, subMerchantId, fee}, userId}));
}

function toOrderCode(code: string, {service, order, amount}: Asked) {
  return {order_code: code, service, order, amount: formatAmount(parseAmount(amount) ?? 0), currency: 'TRY' as const};
}
