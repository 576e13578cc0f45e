import * as z from 'zod';
import type {VendorForm} from '../../contract/browser/browser-hosted.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {randomText} from '../../lib/crypto.ts';
import {PlatformError} from '../../platform/failure.ts';
import {limitAddress} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {vendorReturnUrl} from './vendor-return-url.ts';

/** POST /v1/vendor-forms: the form for the vendor whom the merchant's server named; it ends on our own page. */
export async function createVendorForm(request: Request, context: RouteContext): Promise<Response> {
  const {service, details, origin} = await sessionOf(request, context, {kind: 'vendor'});
  await readJson(request, z.strictObject({}));
  await limitAddress(request, context);
  const vendor = await context.objects.details(details).show();
  if (vendor?.kind !== 'vendor') throw new ApiError('session_expired');
  const {vendorCode: vendor_code, name, phone, iban, email, tcNo: tc_no} = vendor;
  const returning = {service, vendorCode: vendor_code, origin};
  const nonce = randomText(26);
  const success_url = await vendorReturnUrl(request, {outcome: 'success', nonce}, returning, context.config);
  const failure_url = await vendorReturnUrl(request, {outcome: 'failure', nonce}, returning, context.config);
  try {
    const {redirectUrl: url} = await context.platform.call('vendorForm', {
      code: service,
      vendor_code,
      name,
      phone,
      iban,
      email,
      tc_no,
      // Both spellings of the spec: its table has one, its samples the other.
      success_url,
      failure_url,
      successUrl: success_url,
      failureUrl: failure_url,
    });
    return json<VendorForm>({url, nonce});
  } catch (error) {
    throw error instanceof PlatformError ? await platformTrouble(error.failure) : error;
  }
}
