import {ApiError} from '../../http/errors.ts';
import type {RouteContext} from '../route.ts';
import {fetchLogo} from './bank-logo.ts';
import {currentBanks} from './current-banks.ts';

const IMAGE_KEPT = 'public, max-age=86400';
/** How long we do not ask again for a logo that was not to be had. */
const NONE_KEPT = 'public, max-age=60';

/**
 * GET /v1/banks/{id}/logo: the logo the platform names, from our own address, so that a page's
 * Content-Security-Policy needs no other host and no shopper's address is told to one.
 *
 * It is kept at the edge, under our own address, so that the platform's host is asked once a day a place and not once a
 * shopper; only banks of the list are looked for there. Two weaknesses: those who come at once to an empty cache each
 * cost a fetch, and on a `workers.dev` address Cloudflare keeps nothing.
 */
export async function showBankLogo(request: Request, context: RouteContext): Promise<Response> {
  const {banks} = await currentBanks(context);
  const wanted = decode(context.params['id'] ?? '');
  const bank = banks.find(({id}) => id === wanted);
  if (!bank?.logo) throw new ApiError('not_found');
  const key = `${new URL(request.url).origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`;
  const kept = (await caches.default.match(key)) ?? (await fetchAndKeep(key, bank.logo, context.config.phsUrl));
  if (!kept.ok) {
    await kept.body?.cancel();
    throw new ApiError('not_found');
  }
  return new Response(kept.body, {
    headers: {
      'content-type': kept.headers.get('content-type') ?? '',
      'cache-control': IMAGE_KEPT,
      'cross-origin-resource-policy': 'cross-origin',
      // An SVG opened by itself is a page: it may do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}

/** What a segment of an address says; null where it is no text at all. */
function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** What the cache holds from now on: the image, or a 404 that nobody is shown. */
async function fetchAndKeep(key: string, address: string, platformUrl: string): Promise<Response> {
  const logo = await fetchLogo(address, platformUrl);
  const kept = logo
    ? new Response(logo.bytes, {headers: {'content-type': logo.type, 'cache-control': IMAGE_KEPT}})
    : new Response(null, {status: 404, headers: {'cache-control': NONE_KEPT}});
  await caches.default.put(key, kept.clone());
  return kept;
}
