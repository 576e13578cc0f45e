import type * as z from 'zod';
import type {Notice} from '../../contract/merchant/payment-notices.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {PlatformError} from '../../platform/failure.ts';
import {stateOf, toCode} from '../../platform/statuses.ts';
import {hostedPage} from '../hosted-page.ts';
import {checkReturnUrls, requireHostedUrlForServer} from '../return-urls--return-urls.ts';
import type {Handlers} from './handler.ts';

export const paymentNotices: Handlers<'getPaymentNotice' | 'createPaymentNotice'> = {
  async getPaymentNotice({id}, {platform, config}) {
    const {paymentNotification} = await platform.call('paymentNotificationGet', {id});
    const {code, service_code, order_refno, status, ...same} = paymentNotification;
    return {
      ...same,
      notice_code: code,
      service: service_code,
      order: order_refno,
      status: toCode(status),
      state: stateOf('payment_notice', status, config.statuses),
    };
  },

  async createPaymentNotice({service, order, amount, bank, notice, redirect_url, back_url}, {config, objects}) {
    checkReturnUrls({redirect_url, back_url}, config);
    const base = requireHostedUrlForServer(config);
    const told = {code: service, amount, bank, order, PaymentNotification: notice && toPlatformNotice(notice)};
    const result = await objects.order(service, order).giveNoticeForServer(told);
    if ('failure' in result) throw new PlatformError('paymentNotificationCreate', result.failure);
    const {code} = result;
    return {notice_code: code, url: hostedPage(base, '/phs/yonlendir/', code, {redirect_url, back_url})};
  },
};

/** What the shopper says about the transfer, in the platform's words (orders 2.4). */
export function toPlatformNotice({apply_time: appliedAt, ...notice}: z.output<typeof Notice>) {
  return {...notice, ...(appliedAt !== undefined && {apply_time: formatPlatformTime(Date.parse(appliedAt))})};
}
