import {describeTransferTimes, type TransferTimes} from '../../config/transfer-times.ts';
import type {Context} from '../../context.ts';
import type {Bank, BankList} from '../../contract/browser/answers.ts';
import {ApiError} from '../../http/errors.ts';
import {jsonText} from '../../http/json.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {formatInstantOrNull, parsePlatformTime} from '../../lib/time.ts';
import type {BankListSnapshot} from '../../objects/banks.ts';
import type {PlatformFailure} from '../../platform/failure.ts';
import type {BankItem} from '../../platform/operations/orders.ts';
import {toCurrency} from '../../platform/to-payment.ts';
import type {RouteContext} from '../route.ts';
import {fetchLogo} from './bank-logo.ts';

/** GET /v1/banks: the accounts a shopper may pay into. */
export async function showBanks(_input: null, context: RouteContext, request: Request): Promise<Response> {
  const list = await currentBanks(context);
  const text = bodyOf(list, new URL(request.url).origin, context.config.transferTimes);
  return jsonText(text, {cache: list.stale ? 'no-store' : 'public, max-age=60'});
}

/** The last body made of a list: the same list is asked for again and again. */
const cachedBodies = new WeakMap<BankListSnapshot, {readonly origin: string; readonly text: string}>();

function bodyOf(list: BankListSnapshot, origin: string, transferTimes: TransferTimes): string {
  const last = cachedBodies.get(list);
  if (last?.origin === origin) return last.text;
  const text = JSON.stringify(toBankList(list, origin, transferTimes));
  cachedBodies.set(list, {origin, text});
  return text;
}

/** @param origin of the Worker, where the logos are. */
export function toBankList({banks, stale}: BankListSnapshot, origin: string, transferTimes: TransferTimes): BankList {
  return {
    banks: banks.map((bank) => toBank(bank, origin)),
    stale,
    arrival: describeTransferTimes(transferTimes, Date.now()),
  };
}

function toBank(bank: BankItem, origin: string): Bank {
  return {
    id: bank.id,
    code: bank.code,
    name: bank.name,
    account_holder: bank.company_name ?? '',
    iban: (bank.account_iban ?? '').replace(/\s/g, ''),
    branch_no: bank.branch_no ?? '',
    account_no: bank.account_no ?? '',
    currency: toCurrency(bank.currency),
    logo: bank.logo === null ? null : `${origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`,
    bank_no: bank.bank_no ?? '',
    updated_at: toInstant(bank.update_time),
  };
}

/** Null where the platform gives none that can be read. */
function toInstant(time: string | null): string | null {
  return formatInstantOrNull(parsePlatformTime(time ?? ''));
}

const LOGO_CACHE_CONTROL = 'public, max-age=86400';
/** How long we do not ask again for a logo that was not to be had. */
const MISSING_LOGO_CACHE_CONTROL = 'public, max-age=60';

/**
 * GET /v1/banks/{id}/logo: the logo the platform names, from our own address, so that a page's
 * Content-Security-Policy needs no other host and no shopper's address is told to one.
 *
 * It is kept at the edge, under our own address, so that the platform's host is asked once a day a place and not once a
 * shopper; only banks of the list are looked for there. Two weaknesses: those who come at once to an empty cache each
 * cost a fetch, and on a `workers.dev` address Cloudflare keeps nothing.
 */
export async function showBankLogo(_input: null, context: RouteContext, request: Request): Promise<Response> {
  const {banks} = await currentBanks(context);
  const wanted = decodeSegment(context.params['id'] ?? '');
  const bank = banks.find(({id}) => id === wanted);
  if (!bank?.logo) throw new ApiError('not_found');
  const key = `${new URL(request.url).origin}/v1/banks/${encodeURIComponent(bank.id)}/logo`;
  const cached = (await caches.default.match(key)) ?? (await fetchAndCacheLogo(key, bank.logo, context.config.phsUrl));
  if (!cached.ok) {
    await cached.body?.cancel();
    throw new ApiError('not_found');
  }
  return new Response(cached.body, {
    headers: {
      'content-type': cached.headers.get('content-type') ?? '',
      'cache-control': LOGO_CACHE_CONTROL,
      'cross-origin-resource-policy': 'cross-origin',
      // An SVG opened by itself is a page: it may do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}

/** What a segment of an address says; null where it is no text at all. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** What the cache holds from now on: the image, or a 404 that nobody is shown. */
async function fetchAndCacheLogo(key: string, address: string, platformUrl: string): Promise<Response> {
  const logo = await fetchLogo(address, platformUrl);
  const response = logo
    ? new Response(logo.bytes, {headers: {'content-type': logo.type, 'cache-control': LOGO_CACHE_CONTROL}})
    : new Response(null, {status: 404, headers: {'cache-control': MISSING_LOGO_CACHE_CONTROL}});
  await caches.default.put(key, response.clone());
  return response;
}

/** How long this isolate answers from memory before it asks the `Banks` object. */
const CACHE_MS = 5_000;

const cachedBanks = new WeakMap<Context['config'], BankListSnapshot & {readonly until: number}>();

/** The bank list, from this isolate's memory or the one object that asks the platform. @throws what `toError` makes of a failure. */
export async function currentBanks(
  {config, objects}: Context,
  toError: (failure: PlatformFailure) => Error | Promise<Error> = toPageError,
): Promise<BankListSnapshot> {
  const memory = cachedBanks.get(config);
  if (memory && Date.now() < memory.until) return memory;
  const result = await objects.banks().current();
  if ('failure' in result) throw await toError(result.failure);
  if (!result.stale) cachedBanks.set(config, {...result, until: Date.now() + CACHE_MS});
  return result;
}
