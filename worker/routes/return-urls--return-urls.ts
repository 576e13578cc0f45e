/** Where customers may be sent back to: `RETURN_URLS`, and the pages that may use the API. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from '../http/errors.ts';

/**
 * Checks the addresses a merchant's server names. A merchant who set no `RETURN_URLS` is not held to any.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkReturnUrls(
  urls: Readonly<Record<string, string | undefined>>,
  {returnUrls, allowedOrigins}: Config,
): void {
  if (returnUrls === null) return;
  const fields = Object.entries(urls)
    .filter(
      ([, url]) =>
        url !== undefined &&
        !matchesOrigin(new URL(url).origin, allowedOrigins) &&
        !returnUrls.some((allowed) => isBelow(url, allowed)),
    )
    .map(([path]) => ({path, message: 'This is not among RETURN_URLS.'}));
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

/** Where the platform's hosted pages are, asked for before anything is made that is of no use without. @throws {ApiError} `not_configured` */
export function requireHostedUrlForServer({hostedUrl}: Config): string {
  if (hostedUrl === null) throw new ApiError('not_configured');
  return hostedUrl;
}
