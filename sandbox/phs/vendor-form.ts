import type {Context} from '../context.ts';
import {isWebAddress} from '../formats.ts';
import type {Parameters, AnswerFields, PlatformRequest} from '../request.ts';
import {PhsRefusal, requireService, requireText} from './phs-statuses.ts';

/** /marketPlace/get-vendor-form-url (orders 4.6). A registered vendor cannot register again. */
export function getVendorFormUrl({parameters, origin}: PlatformRequest, {vendors}: Context): AnswerFields {
  const vendorCode = requireText(parameters, 'vendor_code');
  const details = {
    name: requireText(parameters, 'name'),
    tc_no: parameters.text('tc_no'),
    phone: requireText(parameters, 'phone'),
    email: parameters.text('email'),
    iban: requireText(parameters, 'iban'),
  };
  const successUrl = requireAddress(parameters, 'success_url', 'successUrl');
  const failureUrl = requireAddress(parameters, 'failure_url', 'failureUrl');
  const {code: serviceCode} = requireService(parameters);
  if (!/^\d*$/.test(details.tc_no)) throw new PhsRefusal('ERR_008', 'tc_no');
  if (vendors.find(vendorCode)?.state === 'registered') throw new PhsRefusal('ERR_008', 'vendor_code');
  const formCode = vendors.invite({vendorCode, serviceCode, details, successUrl, failureUrl});
  return {redirectUrl: `${origin}/pay/phs/vendor/${formCode}`};
}

/** Reads an address by either name: the field table of the spec has `success_url`, the samples have `successUrl`. */
function requireAddress(parameters: Parameters, name: string, otherName: string): string {
  const address = parameters.text(name) || requireText(parameters, otherName);
  if (!isWebAddress(address)) throw new PhsRefusal('ERR_008', name);
  return address;
}
