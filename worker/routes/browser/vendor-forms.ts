/** Opens the platform's vendor form, and ends it on a page of ours that reports the outcome to the page around it. */

import * as z from 'zod';
import type {Config} from '../../config/config.ts';
import {matchesOrigin, formatOriginPattern} from '../../config/origins.ts';
import type {VendorForm, VendorReturn} from '../../contract/browser/answers.ts';
import {Nonce} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {randomText, hmac, isSameSecret} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {recordEvent} from '../../objects/events/event.ts';
import {atMost} from '../../objects/limits/guard-rules.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserContext} from './handler.ts';

/** Each is a call of the platform: a vendor who goes there and back needs few. */
const MAX_FORMS = 10;
const FORMS_WINDOW_MS = MINUTE_MS;

/** POST /v1/vendor-forms: the form for the vendor whom the merchant's server named; it ends on our own page. */
export async function openVendorForm(
  _input: object,
  context: BrowserContext<'vendor'>,
  request: Request,
): Promise<VendorForm> {
  const {service, details, origin} = context.session;
  // The merchant's server made the session: what strangers do from this address does not refuse it.
  const permit = await (
    await context.objects.guard(`vendor forms ${details}`)
  ).acquire([atMost(MAX_FORMS, FORMS_WINDOW_MS)]);
  if (!permit.allowed) throw new ApiError('rate_limited', permit);
  const vendor = await context.objects.details(details).read();
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
    return {url, nonce};
  } catch (error) {
    throw error instanceof PlatformError ? await toPageError(error.failure) : error;
  }
}

const Outcome = z.enum(['success', 'failure'] satisfies VendorReturn['outcome'][]);

/** Reads what to say from the document, so that the policy can name it by its digest. */
const SCRIPT = `const {origin, outcome, nonce} = document.documentElement.dataset;
for (const page of [parent, opener]) if (page && page !== window) page.postMessage({type: 'vezne-vendor', outcome, nonce}, origin);`;

const MESSAGES: Readonly<Record<VendorReturn['outcome'], string>> = {
  success: 'Form gönderildi; bu pencereyi kapatabilirsiniz. · The form was sent; you may close this window.',
  failure:
    'Kayıt tamamlanmadı; sayfaya dönüp yeniden deneyin. · The registration was not completed; go back to the page and try again.',
};

/**
 * GET /return/vendor. It is told to allowed pages only, with the nonce of its address: who does not know that is not heard. With the
 * address that the form was given it is told to the merchant's server too, once a vendor.
 * Everything that is written into the page was compared with what it may be. Only the merchant's pages may frame it: around
 * anybody else's form it would vouch for that.
 */
export async function returnVendor(_input: null, {config, objects}: RouteContext, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const {searchParams} = url;
  const origin = searchParams.get('origin') ?? '';
  const outcome = Outcome.safeParse(searchParams.get('outcome'));
  const nonce = Nonce.safeParse(searchParams.get('nonce'));
  if (!outcome.success || !nonce.success || !matchesOrigin(origin, config.allowedOrigins))
    throw new ApiError('not_found');
  const vendor = outcome.data === 'success' ? await verifyVendorReturn(url, config) : null;
  if (vendor) {
    const {service, vendorCode: vendor_code} = vendor;
    await recordEvent(
      {objects},
      {type: 'vendor.registered', key: [service, vendor_code].join('\n'), at: Date.now(), data: {service, vendor_code}},
    );
  }
  const framedBy = config.allowedOrigins.map(formatOriginPattern).join(' ');
  const page = `<!doctype html><html lang="tr" data-origin="${origin}" data-outcome="${outcome.data}" data-nonce="${nonce.data}"><meta charset="utf-8"><title>Vezne</title><p>${MESSAGES[outcome.data]}</p><script>${SCRIPT}</script></html>`;
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': `default-src 'none'; script-src '${await scriptHash(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors ${framedBy}`,
    },
  });
}

/** A script as a policy names it. */
async function scriptHash(script: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

const RETURN_PATH = '/return/vendor';

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
  const url = new URL(RETURN_PATH, request.url);
  url.searchParams.set('origin', vendor.origin);
  url.searchParams.set('outcome', outcome);
  url.searchParams.set('nonce', nonce);
  if (outcome === 'success') {
    url.searchParams.set('service', vendor.service);
    url.searchParams.set('vendor_code', vendor.vendorCode);
    url.searchParams.set('proof', await signVendor(vendor, sessionSecrets[0]));
  }
  return url.href;
}

/** The vendor that the address is of; null where it is of none, or not ours. */
export async function verifyVendorReturn({searchParams}: URL, {sessionSecrets}: Secrets): Promise<Vendor | null> {
  const [service, vendorCode, origin, proof] = ['service', 'vendor_code', 'origin', 'proof'].map(
    (name) => searchParams.get(name) ?? '',
  ) as [string, string, string, string];
  const vendor = {service, vendorCode, origin};
  const proofs = await Promise.all(sessionSecrets.map((secret) => signVendor(vendor, secret)));
  return proofs.map((expected) => isSameSecret(expected, proof)).includes(true) ? vendor : null;
}

function signVendor({service, vendorCode, origin}: Vendor, secret: string): Promise<string> {
  return hmac(secret, JSON.stringify(['vendor returned', service, vendorCode, origin]));
}
