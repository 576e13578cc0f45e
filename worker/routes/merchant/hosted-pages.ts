import {checkReturnUrls} from '../return-urls--return-urls.ts';
import {billingId} from '../services.ts';
import type {Handlers} from './handler.ts';

export const paymentPages: Handlers<'createPaymentPage'> = {
  async createPaymentPage(
    {service, reference, item, price, trial_days: trialDays, success_url, failure_url},
    {platform, config},
  ) {
    checkReturnUrls({success_url, failure_url}, config);
    const {tokenData} = await platform.call('paymentPageToken', {
      serviceId: billingId(config, service),
      referenceCode: reference,
      item,
      price,
      successUrl: success_url,
      failureUrl: failure_url,
      ...(trialDays !== undefined && {hasTrialPeriod: true, trialPeriodDay: trialDays}),
    });
    return {token: tokenData.token, url: tokenData.redirectUrl, expires_at: tokenData.expiryDate};
  },
};
