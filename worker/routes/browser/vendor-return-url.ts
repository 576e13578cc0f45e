/** The address the platform's vendor form leads back to, and what it proves: that we gave it out for this vendor. */

import type {Config} from '../../config/config.ts';
import type {VendorReturn} from '../../contract/browser/browser-hosted.ts';
import {hmac, isSameSecret} from '../../lib/crypto.ts';

const PATH = '/return/vendor';

interface Vendor {
  /** Service code. */
  readonly service: string;
  readonly vendorCode: string;
  /** Of the page that shows the form. */
  readonly origin: string;
}

type Secrets = Pick<Config, 'sessionSecrets'>;

/** Only the address of success says of whom: the other one proves nothing that anybody would want proven. */
export async function vendorReturnUrl(
  request: Request,
  {outcome, nonce}: Pick<VendorReturn, 'outcome' | 'nonce'>,
  vendor: Vendor,
  {sessionSecrets}: Secrets,
): Promise<string> {
  const url = new URL(PATH, request.url);
  url.searchParams.set('origin', vendor.origin);
  url.searchParams.set('outcome', outcome);
  url.searchParams.set('nonce', nonce);
  if (outcome === 'success') {
    url.searchParams.set('service', vendor.service);
    url.searchParams.set('vendor_code', vendor.vendorCode);
    url.searchParams.set('proof', await prove(vendor, sessionSecrets[0]));
  }
  return url.href;
}

/** The vendor that the address is of; null where it is of none, or not ours. */
export async function vendorOf({searchParams}: URL, {sessionSecrets}: Secrets): Promise<Vendor | null> {
  const [service, vendorCode, origin, proof] = ['service', 'vendor_code', 'origin', 'proof'].map(
    (name) => searchParams.get(name) ?? '',
  ) as [string, string, string, string];
  const vendor = {service, vendorCode, origin};
  const proofs = await Promise.all(sessionSecrets.map((secret) => prove(vendor, secret)));
  return proofs.map((known) => isSameSecret(known, proof)).includes(true) ? vendor : null;
}

function prove({service, vendorCode, origin}: Vendor, secret: string): Promise<string> {
  return hmac(secret, JSON.stringify(['vendor returned', service, vendorCode, origin]));
}
