import {checkReturnUrls} from '../return-urls--return-urls.ts';
import type {Handlers} from './handler.ts';

export const vendorForms: Handlers<'createVendorForm'> = {
  async createVendorForm({service, success_url, failure_url, ...vendor}, {platform, config}) {
    checkReturnUrls({success_url, failure_url}, config);
    // Both spellings of the spec: its table has one, its samples the other.
    const urls = {success_url, failure_url, successUrl: success_url, failureUrl: failure_url};
    const {redirectUrl: url} = await platform.call('vendorForm', {code: service, ...vendor, ...urls});
    return {url};
  },
};
