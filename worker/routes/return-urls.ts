/** Where a shopper may come back to from the platform's pages. */

import type {Config} from '../config/config.ts';
import {ApiError} from '../http/errors.ts';
import type {PaymentSession} from '../session.ts';
import {isBelow} from './return-urls--return-urls.ts';

type Named = Readonly<Record<string, string | undefined>>;

/**
 * The addresses a page names, as they will be sent. A public session comes back to its own origin; where `RETURN_URLS`
 * has addresses of that origin, to those. A session of the merchant's server may also come back to the others.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkReturn<T extends Named>(
  named: T,
  session: PaymentSession,
  {returnUrls}: Pick<Config, 'returnUrls'>,
): {[K in keyof T]: T[K] extends string ? string : string | undefined} {
  const fields = Object.entries(named)
    .filter(([, url]) => url !== undefined && !mayReturn(new URL(url), session, returnUrls ?? []))
    .map(([path]) => ({path, message: 'This is not an address this page may return to.'}));
  if (fields.length > 0) throw new ApiError('return_url_not_allowed', {fields});
  const sent = Object.entries(named).map(([path, url]) => [path, url === undefined ? undefined : new URL(url).href]);
  return Object.fromEntries(sent) as ReturnType<typeof checkReturn<T>>;
}

function mayReturn(url: URL, {origin, offer}: PaymentSession, returnUrls: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === origin) {
    const own = returnUrls.filter((allowed) => new URL(allowed).origin === origin);
    return own.length === 0 || own.some((allowed) => isBelow(url.href, allowed));
  }
  return offer === undefined && returnUrls.some((allowed) => isBelow(url.href, allowed));
}
