/** Checks the URLs that shoppers return to, and builds the URLs of the platform's hosted pages. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';
import type {PaymentSession} from '../session.ts';
import type {RouteContext} from './route.ts';

type NamedUrls = Readonly<Record<string, string | undefined>>;

/**
 * Checks the return URLs from a merchant's server. Without `RETURN_URLS` any URL is allowed.
 * @throws {ApiError} `return_url_not_allowed` with the fields that are not allowed.
 */
export function checkServerReturnUrls(urls: NamedUrls, {returnUrls, allowedOrigins}: Config): void {
  if (returnUrls === null) return;
  checkEach(
    urls,
    (url) => matchesOrigin(url.origin, allowedOrigins) || returnUrls.some((allowed) => isUrlBelow(url, allowed)),
    'RETURN_URLS does not include this URL.',
  );
}

/**
 * Checks where the elements lead the shopper after the payment: to an allowed origin, or to what `RETURN_URLS` names.
 * @throws {ApiError} `return_url_not_allowed`
 */
export function checkAfterPayment(after_payment: string | undefined, {returnUrls, allowedOrigins}: Config): void {
  checkEach(
    {after_payment},
    (url) =>
      matchesOrigin(url.origin, allowedOrigins) || (returnUrls ?? []).some((allowed) => isUrlBelow(url, allowed)),
    'Neither ALLOWED_ORIGINS nor RETURN_URLS includes this URL.',
  );
}

/** Compares the origin and whole path segments: `/thanks` allows `/thanks/1` but not `/thanks-a-lot`. */
function isUrlBelow(url: URL, allowed: string): boolean {
  const base = new URL(allowed);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  const path = base.pathname.replace(/\/+$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

/** Where the pages of offers are. A shopper of such a page may return to it, whatever `RETURN_URLS` contains. */
const OFFER_PAGES = '/p';

/**
 * Checks the return URLs from a page, and returns them normalized, as they are sent to the platform. With a session
 * from an offer, a shopper may return only to the session's origin. If `RETURN_URLS` contains URLs of that origin, the
 * shopper may return only to those URLs or below them. With a session that the merchant's server created, a shopper may
 * also return to the other `RETURN_URLS`.
 * @throws {ApiError} `return_url_not_allowed` with the fields that are not allowed.
 */
export function checkPageReturnUrls<T extends NamedUrls>(
  urls: T,
  session: PaymentSession,
  {config: {returnUrls}, url: {origin: ownOrigin}}: Pick<RouteContext, 'config' | 'url'>,
): {[K in keyof T]: T[K] extends string ? string : string | undefined} {
  checkEach(
    urls,
    (url) =>
      mayReturnTo(url, session, returnUrls ?? []) ||
      (session.origin === ownOrigin && isUrlBelow(url, `${ownOrigin}${OFFER_PAGES}`)),
    'Shoppers of this page may not return to this URL.',
  );
  const normalized = Object.entries(urls).map(([path, url]) => [
    path,
    url === undefined ? undefined : new URL(url).href,
  ]);
  return Object.fromEntries(normalized) as ReturnType<typeof checkPageReturnUrls<T>>;
}

/** @throws {ApiError} `return_url_not_allowed` with the fields that are not allowed. */
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
  /** Used after the payment or the submission. */
  readonly redirect_url?: string | undefined;
  /** Used by the page's "back" link. */
  readonly back_url?: string | undefined;
}

/**
 * Builds the URL of a hosted page of the platform.
 * @param base - `PAYMENT_PAGE_URL`.
 * @param code - An order code or the code of a payment notice (`docs/spec/orders.md`, 4.2 and 4.4).
 */
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
 * Returns the base URL of the platform's hosted pages. Call this function before you create something for such a page,
 * so that nothing is created that the shopper cannot open.
 * @param missing - The error if `PAYMENT_PAGE_URL` is not set: `not_configured` for a merchant's server, or
 * `misconfigured` for a page. `misconfigured` is also logged, for the operator.
 * @throws {ApiError} The error `missing`.
 */
export function requireHostedUrl({hostedUrl}: Config, missing: 'misconfigured' | 'not_configured'): string {
  if (hostedUrl !== null) return hostedUrl;
  if (missing === 'misconfigured') log('error', missing, {names: ['PAYMENT_PAGE_URL']});
  throw new ApiError(missing);
}
