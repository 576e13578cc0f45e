/** The bank list, and the logos of its banks. */

import type {Config} from '../../config/config.ts';
import {isLoopback} from '../../config/origins.ts';
import {describeTransferTimes} from '../../config/transfer-times.ts';
import type {Context} from '../../context.ts';
import type {Bank, BankList} from '../../contract/browser/answers.ts';
import {jsonText} from '../../http/body.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {describeError, log} from '../../lib/log.ts';
import {lookUp} from '../../lib/look-up.ts';
import type {Objects} from '../../objects.ts';
import type {BankListSnapshot} from '../../objects/platform/banks.ts';
import {findAccount, shownAccounts} from '../../platform/accounts.ts';
import type {PlatformFailure} from '../../platform/failure.ts';
import {instantOf} from '../../platform/habits.ts';
import type {BankItem} from '../../platform/operations/orders.ts';
import {toCurrency} from '../../platform/to-payment.ts';
import {readBytes} from '../../platform/transport.ts';
import {KEPT_MS, keptBy} from '../kept-reads.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserHandlers} from './handler.ts';

export const bankHandlers = {
  /** GET /v1/banks: the accounts a shopper may pay into. */
  async showBanks(_input, context) {
    const list = await latestBanks(context);
    const text = bankListText(list, context.url.origin, context.config);
    return jsonText(text, {cache: list.stale ? 'no-store' : 'public, max-age=60'});
  },

  /**
   * GET /v1/banks/{id}/logo: the bank's logo, from the Worker's own origin. A page's Content-Security-Policy therefore
   * needs no host but the Worker's, and no other host learns the shopper's IP address.
   *
   * Cloudflare's edge caches the logo, so the Worker fetches it once a day in each Cloudflare location and not once per
   * shopper. The Worker fetches logos only of banks in the list. Two weaknesses: with an empty cache, each of several
   * concurrent requests causes a fetch; and on a `workers.dev` domain Cloudflare caches nothing.
   */
  async showBankLogo(_input, context) {
    const {banks} = await latestBanks(context);
    const bankId = decodeSegment(context.params['id'] ?? '');
    const bank = banks.find(({id}) => id === bankId);
    if (!bank?.logo) throw new ApiError('not_found');
    const key = `${context.url.origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`;
    const cached =
      (await caches.default.match(key)) ?? (await fetchAndCacheLogo(key, bank.logo, context.config.phsUrl ?? ''));
    if (!cached.ok) {
      await cached.body?.cancel();
      throw new ApiError('not_found');
    }
    return new Response(cached.body, {
      headers: {
        'content-type': cached.headers.get('content-type') ?? '',
        'cache-control': LOGO_CACHE_CONTROL,
        'cross-origin-resource-policy': 'cross-origin',
        // A browser that opens an SVG directly treats it as a page. This policy stops that page from running scripts and
        // from loading anything.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    });
  },
} satisfies Partial<BrowserHandlers>;

/** Caches the latest response body for each list, because most requests get the same list. */
const cachedBodies = new WeakMap<BankListSnapshot, {readonly origin: string; readonly text: string}>();

/** The bank list as JSON. */
export function bankListText(list: BankListSnapshot, origin: string, config: Config): string {
  const cached = cachedBodies.get(list);
  if (cached?.origin === origin) return cached.text;
  const text = JSON.stringify(toBankList({...list, banks: shownAccounts(list.banks)}, origin, config));
  cachedBodies.set(list, {origin, text});
  return text;
}

/** @param origin - The Worker's origin, which serves the logos. */
export function toBankList({banks, stale}: BankListSnapshot, origin: string, config: Config): BankList {
  return {
    banks: banks.map((bank) => toBank(bank, origin, config)),
    stale,
    arrival: describeTransferTimes(config.transferTimes, Date.now()),
  };
}

/** What accounts have in common is next to each other, so that the list in `checkout.js` compresses better. */
function toBank(bank: BankItem, origin: string, {bankApps}: Config): Bank {
  const appUrl = lookUp(bankApps, bank.code);
  return {
    updated_at: instantOf(bank.update_time),
    currency: toCurrency(bank.currency),
    account_holder: bank.company_name ?? '',
    logo: bank.logo === null ? null : `${origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`,
    name: bank.name,
    code: bank.code,
    id: bank.id,
    bank_no: bank.bank_no ?? '',
    branch_no: bank.branch_no ?? '',
    iban: (bank.account_iban ?? '').replace(/\s/g, ''),
    account_no: bank.account_no ?? '',
    ...(appUrl && {app_url: appUrl}),
  };
}

function cachedList(objects: Objects): BankListSnapshot | undefined {
  return keptBy(objects).get('banks') as BankListSnapshot | undefined;
}

function cacheList(objects: Objects, list: BankListSnapshot): BankListSnapshot {
  if (!list.stale) keptBy(objects).set('banks', list, Date.now() + KEPT_MS);
  return list;
}

/**
 * Returns the bank list from this isolate's memory or from the `Platform` object, and waits while that object refreshes
 * it.
 * @throws The error that `toError` makes from a failure.
 */
export async function currentBanks(
  {objects}: Context,
  toError: (failure: PlatformFailure) => Error | Promise<Error> = toPageError,
): Promise<BankListSnapshot> {
  const cached = cachedList(objects);
  if (cached?.isFresh) return cached;
  const result = await objects.platform().currentBanks();
  if ('failure' in result) throw await toError(result.failure);
  return cacheList(objects, result);
}

/**
 * Like `currentBanks`, but does not wait if the list is at most a few minutes old. Such a list is refreshed for the
 * next page.
 */
export async function latestBanks({objects}: Context): Promise<BankListSnapshot> {
  const cached = cachedList(objects);
  if (cached) return cached;
  const result = await objects.platform().latestBanks();
  if ('failure' in result) throw await toPageError(result.failure);
  return cacheList(objects, result);
}

/**
 * Waits for an order's code, and finds the account of the bank that the shopper chose. A list that needs no refresh is
 * read while the platform creates the code. Any other list is refreshed after the code was created: while the platform
 * recovers from a failure, the Worker makes one call at a time, and the code comes first.
 * @param bank - Id of the account, or code of its bank; undefined if the shopper has not chosen one.
 * @returns the account; null without a bank, and if the list does not have the bank or cannot be read, because an order
 * needs no account.
 */
export async function withAccount<T>(
  code: Promise<T>,
  bank: string | undefined,
  context: RouteContext,
): Promise<[code: T, account: Bank | null]> {
  if (bank === undefined) return [await code, null];
  const [made, fresh] = await Promise.all([code, freshBanks(context).catch(logUnreadable)]);
  const list = fresh ?? (await currentBanks(context).catch(logUnreadable));
  if (!list) return [made, null];
  const account = findAccount(list.banks, bank);
  return [made, account ? toBank(account, context.url.origin, context.config) : null];
}

/** The bank list from this isolate's memory or from the `Platform` object, if it needs no refresh. */
async function freshBanks({objects}: Context): Promise<BankListSnapshot | null> {
  const cached = cachedList(objects);
  if (cached?.isFresh) return cached;
  const list = await objects.platform().freshBanks();
  return list && cacheList(objects, list);
}

/** The client of the platform has logged why the platform gave no list. */
export function logUnreadable(error: unknown): null {
  if (!(error instanceof ApiError)) log('warn', 'internal_error', {error: describeError(error)});
  return null;
}

const LOGO_CACHE_CONTROL = 'public, max-age=86400';
/** If a logo could not be fetched, the Worker tries again after this time. */
const MISSING_LOGO_CACHE_CONTROL = 'public, max-age=60';

/** Decodes a path segment; null if it is malformed. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Fetches a logo and caches the result: the image, or a 404 that marks the logo as missing. */
async function fetchAndCacheLogo(key: string, logoUrl: string, platformUrl: string): Promise<Response> {
  const logo = await fetchLogo(logoUrl, platformUrl);
  const response = logo
    ? new Response(logo.bytes, {headers: {'content-type': logo.type, 'cache-control': LOGO_CACHE_CONTROL}})
    : new Response(null, {status: 404, headers: {'cache-control': MISSING_LOGO_CACHE_CONTROL}});
  await caches.default.put(key, response.clone());
  return response;
}

const LOGO_TYPES = new Set(['image/svg+xml', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_LOGO_BYTES = 65_536;
const LOGO_TIMEOUT_MS = 5_000;

export interface Logo {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Fetches a logo from the URL in the platform's bank list. Logos are public, so the request carries no credentials and
 * does not go through `EGRESS`. Returns null, and logs why, if the URL is not allowed, if there is no image, if the
 * image is too large, or if its type is not in `LOGO_TYPES`.
 */
export async function fetchLogo(logoUrl: string, platformUrl: string): Promise<Logo | null> {
  if (!mayFetchLogo(logoUrl, platformUrl)) return logFailure({fault: 'address'});
  try {
    const response = await fetch(logoUrl, {redirect: 'manual', signal: AbortSignal.timeout(LOGO_TIMEOUT_MS)});
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    if (!response.ok || !LOGO_TYPES.has(type)) {
      await response.body?.cancel();
      return logFailure({status: response.status, fault: response.ok ? 'type' : 'status'});
    }
    const bytes = await readBytes(response, MAX_LOGO_BYTES);
    return bytes ? {type, bytes} : logFailure({fault: 'size'});
  } catch (error) {
    return logFailure({fault: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'connection'});
  }
}

function logFailure(why: {status?: number; fault: string}): null {
  log('warn', 'logo_failed', {operation: 'bankLogo', ...why});
  return null;
}

/** Allows the platform's own origin, and any other host over https. */
function mayFetchLogo(logoUrl: string, platformUrl: string): boolean {
  if (!URL.canParse(logoUrl)) return false;
  const url = new URL(logoUrl);
  const isPlatform = URL.canParse(platformUrl) && url.origin === new URL(platformUrl).origin;
  return isPlatform || (url.protocol === 'https:' && !isLoopback(url));
}
