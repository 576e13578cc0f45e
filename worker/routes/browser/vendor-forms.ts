/** Where the vendor form ends: a page of ours in the same frame, which tells the page around it. */

import * as z from 'zod';
import {matchesOrigin, writeOriginPattern} from '../../config/origins.ts';
import type {VendorReturn} from '../../contract/browser/browser-hosted.ts';
import {Nonce} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {recordEvent} from '../../objects/events/event.ts';
import type {RouteContext} from '../route.ts';
import {vendorOf} from './vendor-return-url.ts';

const Outcome = z.enum(['success', 'failure'] satisfies VendorReturn['outcome'][]);

/** Reads what to say from the document, so that the policy can name it by its digest. */
const SCRIPT = `const {origin, outcome, nonce} = document.documentElement.dataset;
for (const page of [parent, opener]) if (page && page !== window) page.postMessage({type: 'vezne-vendor', outcome, nonce}, origin);`;

const WORDS: Readonly<Record<VendorReturn['outcome'], string>> = {
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
export async function returnVendor(request: Request, {config, objects}: RouteContext): Promise<Response> {
  const url = new URL(request.url);
  const {searchParams} = url;
  const origin = searchParams.get('origin') ?? '';
  const outcome = Outcome.safeParse(searchParams.get('outcome'));
  const nonce = Nonce.safeParse(searchParams.get('nonce'));
  if (!outcome.success || !nonce.success || !matchesOrigin(origin, config.allowedOrigins))
    throw new ApiError('not_found');
  const vendor = outcome.data === 'success' ? await vendorOf(url, config) : null;
  if (vendor) {
    const {service, vendorCode: vendor_code} = vendor;
    await recordEvent(
      {objects},
      {type: 'vendor.registered', key: [service, vendor_code].join('\n'), at: Date.now(), data: {service, vendor_code}},
    );
  }
  const framedBy = config.allowedOrigins.map(writeOriginPattern).join(' ');
  const page = `<!doctype html><html lang="tr" data-origin="${origin}" data-outcome="${outcome.data}" data-nonce="${nonce.data}"><meta charset="utf-8"><title>Vezne</title><p>${WORDS[outcome.data]}</p><script>${SCRIPT}</script></html>`;
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': `default-src 'none'; script-src '${await sourceOf(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors ${framedBy}`,
    },
  });
}

/** A script as a policy names it. */
async function sourceOf(script: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
