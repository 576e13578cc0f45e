import {checkServerReturnUrls} from '../return-urls.ts';
import {requireBilledService} from '../services.ts';
import type {Handlers} from './handler.ts';

export const paymentPageHandlers: Handlers<'createPaymentPage'> = {
  async createPaymentPage(
    {service, reference, item, price, trial_days: trialDays, success_url, failure_url},
    {platform, config},
  ) {
    checkServerReturnUrls({success_url, failure_url}, config);
    const {tokenData} = await platform.call('paymentPageToken', {
      serviceId: requireBilledService(config, service).serviceId,
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

export const vendorFormHandlers: Handlers<'createVendorForm'> = {
  async createVendorForm({service, success_url, failure_url, ...vendor}, {platform, config}) {
    checkServerReturnUrls({success_url, failure_url}, config);
    // Both spellings of the spec: its table has one, its samples the other.
    const urls = {success_url, failure_url, successUrl: success_url, failureUrl: failure_url};
    const {redirectUrl: url} = await platform.call('vendorForm', {code: service, ...vendor, ...urls});
    return {url};
  },
};
