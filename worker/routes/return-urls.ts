/** Checks the addresses that customers return to, and builds those of the platform's hosted pages. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';
import type {PaymentSession} from '../session.ts';

/**
 * Checks the addresses a merchant's server names. A merchant who set no `RETURN_URLS` is not held to any.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkServerReturnUrls(
  urls: Readonly<Record<string, string | undefined>>,
  {returnUrls, allowedOrigins}: Config,
): void {
  if (returnUrls === null) return;
  const fields = Object.entries(urls)
    .filter(
      ([, url]) =>
        url !== undefined &&
        !matchesOrigin(new URL(url).origin, allowedOrigins) &&
        !returnUrls.some((allowed) => isUrlBelow(url, allowed)),
    )
    .map(([path]) => ({path, message: 'This is not among RETURN_URLS.'}));
  if (fields.length > 0) throw new ApiError('return_url_not_allowed', {fields});
}

/** Origin and whole segments of the path: `/thanks` allows `/thanks/1`, not `/thanks-a-lot`. */
export function isUrlBelow(address: string, allowed: string): boolean {
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

type NamedUrls = Readonly<Record<string, string | undefined>>;

/**
 * The addresses a page names, as they will be sent. A public session comes back to its own origin; where `RETURN_URLS`
 * has addresses of that origin, to those. A session of the merchant's server may also come back to the others.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkPageReturnUrls<T extends NamedUrls>(
  named: T,
  session: PaymentSession,
  {returnUrls}: Pick<Config, 'returnUrls'>,
): {[K in keyof T]: T[K] extends string ? string : string | undefined} {
  const fields = Object.entries(named)
    .filter(([, url]) => url !== undefined && !mayReturnTo(new URL(url), session, returnUrls ?? []))
    .map(([path]) => ({path, message: 'This is not an address this page may return to.'}));
  if (fields.length > 0) throw new ApiError('return_url_not_allowed', {fields});
  const sent = Object.entries(named).map(([path, url]) => [path, url === undefined ? undefined : new URL(url).href]);
  return Object.fromEntries(sent) as ReturnType<typeof checkPageReturnUrls<T>>;
}

function mayReturnTo(url: URL, {origin, offer}: PaymentSession, returnUrls: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === origin) {
    const own = returnUrls.filter((allowed) => new URL(allowed).origin === origin);
    return own.length === 0 || own.some((allowed) => isUrlBelow(url.href, allowed));
  }
  return offer === undefined && returnUrls.some((allowed) => isUrlBelow(url.href, allowed));
}

/** Where a shopper returns to from one of the platform's hosted pages. */
export interface HostedReturnUrls {
  /** When they are done. */
  readonly redirect_url?: string | undefined;
  /** By its "back". */
  readonly back_url?: string | undefined;
}

/** The address of one of the platform's hosted pages, for an order code (orders 4.2) or a payment notice's (4.4). @param base `PAYMENT_PAGE_URL`. */
export function hostedPageUrl(
  base: string,
  path: '/phs/banks/' | '/phs/yonlendir/',
  code: string,
  {redirect_url, back_url}: HostedReturnUrls,
): string {
  const url = new URL(`${base}${path}${encodeURIComponent(code)}`);
  if (redirect_url !== undefined) url.searchParams.set('redirect', redirect_url);
  if (back_url !== undefined) url.searchParams.set('backUrl', back_url);
  return url.href;
}

/**
 * Where the platform's hosted pages are, asked for before anything is made that is of no use without.
 * @throws {ApiError} `misconfigured` where `PAYMENT_PAGE_URL` is not set.
 */
export function requireHostedUrlForPage({hostedUrl}: Config): string {
  if (hostedUrl !== null) return hostedUrl;
  log('error', 'misconfigured', {names: ['PAYMENT_PAGE_URL']});
  throw new ApiError('misconfigured');
}
