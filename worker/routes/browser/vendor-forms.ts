/** Opens the platform's vendor form, and serves the return page that reports the outcome to the merchant's page. */

import * as z from 'zod/mini';
import type {Config} from '../../config/config.ts';
import {matchesOrigin, formatOriginPattern} from '../../config/origins.ts';
import type {VendorReturn} from '../../contract/browser/answers.ts';
import {Nonce} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {randomText, hmac, isSameSecret, utf8} from '../../lib/crypto.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {lazily} from '../../lib/lazily.ts';
import type {Objects} from '../../objects.ts';
import {recordEvent} from '../../objects/events/event.ts';
import {count, type Counter, counterOf, release} from '../../objects/limits/counting.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {BrowserHandlers} from './handler.ts';

/** A vendor who leaves the form and comes back needs only a few forms. */
const MAX_FORMS_PER_MINUTE = 10;

export const vendorFormHandlers = {
  /**
   * POST /v1/vendor-forms: the URL of the form for the vendor that the session names. After the form, the platform sends
   * the vendor to `/return/vendor`.
   */
  async openVendorForm(_input, context, request) {
    const {service, details, origin} = context.session;
    // The limit counts by session, not by address: strangers at the same address must not block a trusted session.
    const forms = counterOf('session_vendor_forms_per_minute', '', MAX_FORMS_PER_MINUTE);
    const counted = await count(context.objects, `vendor ${details}`, [forms]);
    if (counted.full !== undefined) throw new ApiError('rate_limited', {retryAfterSeconds: counted.retryAfterSeconds});
    const vendor = await context.objects.details(details).readDetails();
    if (vendor?.kind !== 'vendor') throw new ApiError('session_expired');
    const {vendorCode: vendor_code, name, phone, iban, email, tcNo: tc_no} = vendor;
    const nonce = randomText(26);
    const returningVendor = {
      service,
      vendorCode: vendor_code,
      origin,
      nonce,
      expiresAt: Date.now() + PROOF_LIFETIME_MS,
    };
    const success_url = await vendorReturnUrl(request, 'success', returningVendor, context.config);
    const failure_url = await vendorReturnUrl(request, 'failure', returningVendor, context.config);
    try {
      const {redirectUrl: url} = await context.platform.call('vendorForm', {
        code: service,
        vendor_code,
        name,
        phone,
        iban,
        email,
        tc_no,
        // The spec spells these parameters differently in its table and in its samples, so the Worker sends both
        // spellings.
        success_url,
        failure_url,
        successUrl: success_url,
        failureUrl: failure_url,
      });
      return {url, nonce, sandbox: frameSandbox(url, [origin, context.url.origin])};
    } catch (error) {
      throw error instanceof PlatformError ? await toPageError(error.failure) : error;
    }
  },

  /**
   * GET /return/vendor: the page to which the platform sends the vendor after the form. It posts the outcome and the
   * nonce of its URL only to a page of an allowed origin. The element in that page ignores messages with a different
   * nonce. If the URL proves which vendor registered, the Worker also sends the event `vendor.registered` to the
   * merchant's server. Every value in the page is checked before it is inserted. Only the merchant's pages may frame this
   * page, so that a foreign page cannot use it to look trustworthy.
   */
  async returnVendor(_input, {config, objects, url}) {
    const {searchParams} = url;
    const origin = searchParams.get('origin') ?? '';
    const outcome = Outcome().safeParse(searchParams.get('outcome'));
    const nonce = Nonce().safeParse(searchParams.get('nonce'));
    if (!outcome.success || !nonce.success || !matchesOrigin(origin, config.allowedOrigins))
      throw new ApiError('not_found');
    const vendor = outcome.data === 'success' ? await verifyVendorReturn(url, config) : null;
    if (vendor) await reportVendor(vendor, objects);
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
  },
} satisfies Partial<BrowserHandlers>;

const Outcome = lazily(() => z.enum(['success', 'failure'] satisfies VendorReturn['outcome'][]));

/**
 * Reads the outcome from the document's attributes. The script itself never changes, so the policy can allow it by its
 * digest.
 */
const SCRIPT = `const {origin, outcome, nonce} = document.documentElement.dataset;
for (const page of [parent, opener]) if (page && page !== window) page.postMessage({type: 'vezne-vendor', outcome, nonce}, origin);`;

const MESSAGES: Readonly<Record<VendorReturn['outcome'], string>> = {
  success: 'Form gönderildi; bu pencereyi kapatabilirsiniz. · The form was sent; you may close this window.',
  failure:
    'Kayıt tamamlanmadı; sayfaya dönüp yeniden deneyin. · The registration was not completed; go back to the page ' +
    'and try again.',
};

/** How long a return URL proves its vendor. After this time, the vendor's return causes no event. */
const PROOF_LIFETIME_MS = HOUR_MS;

/**
 * The first return reports the vendor. One reload, in another minute, reports the vendor again, in case the Worker ended
 * before it stored the event. If the event is already stored, the second report adds nothing.
 */
const REPORTS: readonly Counter[] = [
  {name: 'reports', windowMs: PROOF_LIFETIME_MS, limit: 2},
  {name: 'reports in a minute', windowMs: MINUTE_MS, limit: 1},
];

/**
 * Records the event of a vendor's return, at most as often as `REPORTS` allows. Without these limits, reloads of one
 * return URL could keep the merchant's only `Outbox` busy.
 * @throws {ApiError} `temporarily_unavailable`
 */
async function reportVendor({service, vendorCode: vendor_code, nonce}: Vendor, objects: Objects): Promise<void> {
  const counted = await count(objects, `vendor returned ${nonce}`, REPORTS);
  if (counted.full !== undefined) return;
  try {
    await recordEvent(
      {objects},
      {type: 'vendor.registered', key: [service, vendor_code].join('\n'), at: Date.now(), data: {service, vendor_code}},
    );
  } catch (error) {
    await release(objects, [counted.ticket]);
    throw error;
  }
}

/** The source expression that allows this script in a Content-Security-Policy. */
async function scriptHash(script: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(script)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * What the form may do in a frame. The form keeps its own origin, with its cookies and storage, because a form may need
 * a session. A form on the origin of the page or of the Worker must not keep its origin, because it could remove the
 * sandbox.
 */
export function frameSandbox(url: string, ownOrigins: readonly string[]): string {
  const {protocol, origin} = new URL(url);
  const isForeign = /^https?:$/.test(protocol) && !ownOrigins.includes(origin);
  return `allow-forms allow-scripts${isForeign ? ' allow-same-origin' : ''}`;
}

const RETURN_PATH = '/return/vendor';

interface Vendor {
  /** Service code. */
  readonly service: string;
  readonly vendorCode: string;
  /** Origin of the page that shows the form. */
  readonly origin: string;
  readonly nonce: string;
  /** Until when the return URL proves the vendor, epoch milliseconds. */
  readonly expiresAt: number;
}

type Secrets = Pick<Config, 'sessionSecrets'>;

/**
 * Builds a return URL of the form. Only the success URL names and proves the vendor: nobody needs proof of a failure.
 */
export async function vendorReturnUrl(
  request: Request,
  outcome: VendorReturn['outcome'],
  vendor: Vendor,
  {sessionSecrets}: Secrets,
): Promise<string> {
  const url = new URL(RETURN_PATH, request.url);
  url.searchParams.set('origin', vendor.origin);
  url.searchParams.set('outcome', outcome);
  url.searchParams.set('nonce', vendor.nonce);
  if (outcome === 'success') {
    url.searchParams.set('service', vendor.service);
    url.searchParams.set('vendor_code', vendor.vendorCode);
    url.searchParams.set('expires', String(vendor.expiresAt));
    url.searchParams.set('proof', await signVendor(vendor, sessionSecrets[0]));
  }
  return url.href;
}

/** Returns the vendor that a return URL proves; null if the URL has no valid proof, or the proof has expired. */
export async function verifyVendorReturn({searchParams}: URL, {sessionSecrets}: Secrets): Promise<Vendor | null> {
  const [service, vendorCode, origin, nonce, expires, proof] = [
    'service',
    'vendor_code',
    'origin',
    'nonce',
    'expires',
    'proof',
  ].map((name) => searchParams.get(name) ?? '') as [string, string, string, string, string, string];
  const vendor = {service, vendorCode, origin, nonce, expiresAt: Number(expires)};
  if (!(Date.now() < vendor.expiresAt)) return null;
  const proofs = await Promise.all(sessionSecrets.map((secret) => signVendor(vendor, secret)));
  return proofs.map((expected) => isSameSecret(expected, proof)).includes(true) ? vendor : null;
}

/** Signs with a key that is used only here, so that no other HMAC of the session secret can be used as a proof. */
async function signVendor(
  {service, vendorCode, origin, nonce, expiresAt}: Vendor,
  sessionSecret: string,
): Promise<string> {
  const key = await hmac(sessionSecret, 'vezne vendor return');
  return hmac(key, JSON.stringify([service, vendorCode, origin, nonce, expiresAt]));
}
