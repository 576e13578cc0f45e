/** Checks the addresses that customers return to, and builds those of the platform's hosted pages. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';
import type {PaymentSession} from '../session.ts';

type NamedUrls = Readonly<Record<string, string | undefined>>;

/**
 * Checks the addresses a merchant's server names. A merchant who set no `RETURN_URLS` is not held to any.
 * @throws {ApiError} `return_url_not_allowed` with the fields concerned.
 */
export function checkServerReturnUrls(urls: NamedUrls, {returnUrls, allowedOrigins}: Config): void {
  if (returnUrls === null) return;
  checkEach(
    urls,
    (url) => matchesOrigin(url.origin, allowedOrigins) || returnUrls.some((allowed) => isUrlBelow(url, allowed)),
    'This is not among RETURN_URLS.',
  );
}

/** Origin and whole segments of the path: `/thanks` allows `/thanks/1`, not `/thanks-a-lot`. */
function isUrlBelow(url: URL, allowed: string): boolean {
  const base = new URL(allowed);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  const path = base.pathname.replace(/\/+$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

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
  checkEach(
    named,
    (url) => mayReturnTo(url, session, returnUrls ?? []),
    'This is not an address this page may return to.',
  );
  const sent = Object.entries(named).map(([path, url]) => [path, url === undefined ? undefined : new URL(url).href]);
  return Object.fromEntries(sent) as ReturnType<typeof checkPageReturnUrls<T>>;
}

/** @throws {ApiError} `return_url_not_allowed` with the fields whose address is not allowed. */
function checkEach(urls: NamedUrls, isAllowed: (url: URL) => boolean, message: string): void {
  const fields = Object.entries(urls)
    .filter(([, url]) => url !== undefined && !isAllowed(new URL(url)))
    .map(([path]) => ({path, message}));
  if (fields.length > 0) throw new ApiError('return_url_not_allowed', {fields});
}

function mayReturnTo(url: URL, {origin, offer}: PaymentSession, returnUrls: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === origin) {
    const own = returnUrls.filter((allowed) => new URL(allowed).origin === origin);
    return own.length === 0 || own.some((allowed) => isUrlBelow(url, allowed));
  }
  return offer === undefined && returnUrls.some((allowed) => isUrlBelow(url, allowed));
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
 * @param missing what the caller hears where `PAYMENT_PAGE_URL` is not set: a page `misconfigured`, which the operator sees in the
 * log, a merchant's server `not_configured`.
 * @throws {ApiError} `missing`
 */
export function requireHostedUrl({hostedUrl}: Config, missing: 'misconfigured' | 'not_configured'): string {
  if (hostedUrl !== null) return hostedUrl;
  if (missing === 'misconfigured') log('error', missing, {names: ['PAYMENT_PAGE_URL']});
  throw new ApiError(missing);
}
