/** The data in `/checkout.js` and `/subscribe.js`; `contract/browser/page-data.ts` has its types. */

import {ConfigError} from '../config/mistakes.ts';
import {matchesOrigin} from '../config/origins.ts';
import {type Context, contextOf} from '../context.ts';
import type {CheckoutPageData, SubscribePageData} from '../contract/browser/page-data.ts';
import {buyerFormOf} from '../contract/buyer.ts';
import {clientSubnet} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';
import type {BankListSnapshot} from '../objects/platform/banks.ts';
import {bankListText, latestBanks, logUnreadable} from './browser/banks.ts';
import {describeOffer} from './browser/sessions.ts';
import {KEPT_MS, keptBy} from './kept-reads.ts';
import {type FoundOffer, isBill, type OfferAsker, requireOffer} from './offers.ts';

export interface ScriptData {
  /** The data as JSON. */
  readonly json: string;
  /** The offer's name; null if the script has no offer. */
  readonly offer: string | null;
  /**
   * False if the bank list is missing or stale, the page's origin is not allowed, or the configuration is wrong. The data
   * may then change soon.
   */
  readonly isCurrent: boolean;
}

/** Reads the data of `/checkout.js`. @param name - The offer that the URL names, which may be any text. */
export async function readCheckoutData(name: string | null, request: Request, env: Env): Promise<ScriptData> {
  const context = contextFor(request, env);
  const {origin} = new URL(request.url);
  const list = context && (await readBanks(context));
  const banks = list ? bankListText(list, origin, context.config) : 'null';
  const offer = context && (await paymentOffer(name, context));
  return {
    json: `{"banks":${banks},"offer":${JSON.stringify(offer)}}`,
    offer: offer?.id ?? null,
    isCurrent: list?.stale === false,
  };
}

/** Reads the data of `/subscribe.js`. @param name - The offer that the URL names, which may be any text. */
export async function readSubscribeData(name: string | null, request: Request, env: Env): Promise<ScriptData> {
  const context = contextFor(request, env);
  const offer = context && (await subscriptionOffer(name, context));
  return {
    json: JSON.stringify({offer} satisfies SubscribePageData),
    offer: offer?.id ?? null,
    isCurrent: context !== null,
  };
}

/**
 * Null if the page's origin is not allowed or the configuration is wrong. Then the script is served without data, so
 * that its elements call the Worker as soon as they load, and say at once why they cannot work. Browsers name the
 * origin of the page when they fetch a module from another origin.
 */
function contextFor(request: Request, env: Env): OfferAsker | null {
  try {
    const context = {...contextOf(env), subnet: clientSubnet(request)};
    const page = request.headers.get('origin');
    return page === null || matchesOrigin(page, context.config.allowedOrigins) ? context : null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log('error', 'misconfigured', {names: error.places});
    return null;
  }
}

async function paymentOffer(name: string | null, context: OfferAsker): Promise<CheckoutPageData['offer']> {
  const offer = await offerNamed(name, context);
  // The page of a bill asks for a session at once, which says whether it is paid, and how much its order costs.
  if (name === null || offer?.kind !== 'payment' || isBill(offer)) return null;
  const form = buyerFormOf(offer);
  return {id: name, title: offer.title, amount: offer.amount, currency: 'TRY', ...(form && {buyer_form: form})};
}

async function subscriptionOffer(name: string | null, context: OfferAsker): Promise<SubscribePageData['offer']> {
  const offer = await offerNamed(name, context);
  return name === null || offer?.kind !== 'subscription' ? null : {id: name, ...describeOffer(offer, context.config)};
}

/** The offer that the URL names. Without it, the elements ask for the offer, and say why it cannot be bought. */
async function offerNamed(name: string | null, context: OfferAsker): Promise<FoundOffer | null> {
  if (name === null) return null;
  return requireOffer(context, name).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
}

/**
 * Reads the bank list. Null if the platform gives no list and the Worker has no older list. This isolate remembers for
 * five seconds that there is no current list.
 */
async function readBanks(context: Context): Promise<BankListSnapshot | null> {
  const kept = keptBy(context.objects);
  const known = kept.get('stale banks') as BankListSnapshot | null | undefined;
  if (known !== undefined) return known;
  const list = await latestBanks(context).catch(logUnreadable);
  if (list?.stale !== false) kept.set('stale banks', list, Date.now() + KEPT_MS);
  return list;
}
