/** Where customers may be sent back to: `RETURN_URLS`, and the pages that may use the API. */
import {ApiError} from '../../api-error.ts';
import type {Config} from '../../config.ts';
import {matchesOrigin} from '../../origins.ts';

/**
 * Checks the addresses a merchant's server names. A merchant who set no `RETURN_URLS` is not held to any.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkReturnUrls(urls: Readonly<Record<string, string | undefined>>, {returnUrls, allowedOrigins}: Config): void {
  if (returnUrls === null) return;
  const fields = Object.entries(urls)
    .filter(([, url]) => url !== undefined && !matchesOrigin(new URL(url).origin, allowedOrigins) && !returnUrls.some((allowed) => isBelow(url, allowed)))
    .map(([path]) => ({path, message: 'Not among RETURN_URLS'}));
  if (fields.length > 0) throw new ApiError('return_url_not_allowed', {fields});
}

/** Origin and whole segments of the path: `/thanks` allows `/thanks/1`, not `/thanks-a-lot`. */
export function isBelow(address: string, allowed: string): boolean {
  const url = new URL(address);
  const base = new URL(allowed);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  const path = base.pathname.replace(/\/+$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

/** An address of the platform's hosted pages with where to go from there (orders 4.2, 4.4). @throws {ApiError} `not_configured` */
export function hostedUrl({hostedUrl: base}: Config, path: string, {redirect_url: redirect, back_url: back}: {redirect_url?: string | undefined; back_url?: string | undefined}): string {
  if (base === null) throw new ApiError('not_configured');
  const url = new URL(base + path);
  if (redirect !== undefined) url.searchParams.set('redirect', redirect);
  if (back !== undefined) url.searchParams.set('backUrl', back);
  return url.href;
}
