/**
 * Finds the offers that pages name: those of the configuration, and those that the merchant API made. The latter are read
 * from the `Offers` object, and kept for five seconds.
 */

import type {Config} from '../config/config.ts';
import type {Context} from '../context.ts';
import {type Offer, OFFER_ID, type PaymentOffer} from '../contract/offers.ts';
import {siteSubnet} from '../http/client-ip.ts';
import {ApiError, orUnavailable} from '../http/errors.ts';
import {SECOND_MS} from '../lib/durations.ts';
import {BILL_NAME, sealName} from '../lib/link-name.ts';
import type {Objects} from '../objects.ts';
import type {StoredOffer} from '../objects/offers.ts';
import {KEPT_MS, keptBy, linkKey, openLink, readOnce} from './kept-reads.ts';
import {misconfigured} from './problems.ts';
import {limitRequests} from './rate-limit.ts';

/** A bill: an offer of one order, which is the same on every device. */
export type Bill = PaymentOffer & {readonly bill: {readonly order: string}};
export type FoundOffer = Offer | Bill;

/** Whose request asks for an offer. */
export type OfferAsker = Context & {readonly subnet: string};

/**
 * Finds an offer that can be bought.
 * @param name - What the page names, which may be any text; see `publicName`.
 * @throws {ApiError} like `findOffer`, and `offer_expired`.
 */
export async function requireOffer(asker: OfferAsker, name: string): Promise<FoundOffer> {
  const offer = await findOffer(asker, name);
  if (isExpired(offer)) throw new ApiError('offer_expired');
  return offer;
}

/**
 * Finds an offer that may have expired, for sessions and pages that already have it.
 * @throws {ApiError} `misconfigured` if the offer's configuration is wrong, which is also logged, for the operator;
 * `unknown_offer` if there is no such offer; `rate_limited` for an address that invents many names;
 * `temporarily_unavailable` if offers cannot be read.
 */
export async function findOffer(asker: OfferAsker, name: string): Promise<FoundOffer> {
  const configured = asker.config.offers.get(name);
  if (configured) return configured;
  if (asker.config.unusableOffers.names.has(name)) throw unusable(asker.config, name);
  const stored = await findStored(asker.objects, name);
  if (stored) return toFound(stored);
  if (asker.config.unusableOffers.variables.length > 0) throw unusable(asker.config, name);
  await limitRequests('offers', siteSubnet(asker.subnet), asker);
  throw new ApiError('unknown_offer');
}

export function isExpired({expires_at: end}: Pick<Offer, 'expires_at'>): boolean {
  return end !== undefined && Date.parse(end) <= Date.now();
}

export function isBill(offer: FoundOffer): offer is Bill {
  return 'bill' in offer;
}

/** What a page names: the id; for a bill with an end that nobody can guess, so that the id alone reaches nothing. */
export async function publicName(objects: Objects, stored: StoredOffer): Promise<string> {
  const text = textOfName(stored);
  return stored.order === null ? text : sealName(await linkKey(objects), text);
}

/** The public name; that of a bill without its MAC. */
function textOfName({id, order, secret}: StoredOffer): string {
  return order === null ? id : `${id}.${secret}`;
}

function toFound({offer, order}: StoredOffer): FoundOffer {
  return offer.kind === 'payment' && order !== null ? {...offer, bill: {order}} : offer;
}

/** How many ids an isolate reads at once. */
export const IDS_PER_READ = 5_000;
/** How many ids an isolate keeps. If there are more, it asks for each id that it does not have. */
const MAX_IDS = 100_000;

/** The ids of offers of many orders, and of some that were deleted. */
interface IdList {
  readonly ids: Set<string>;
  /** When the last one was changed. */
  newest: number;
  /** Its id, if more may follow. */
  last: string | null;
}

const keyOf = (text: string) => `/p/${text}`;

/**
 * Reads the offer with the id of this name. Strangers can invent ids, but not names of bills. So the object is asked for
 * an id that is not on the list only with the question for new ids, and once the list is complete, at most once a second.
 * @param text - See `textOfName`.
 */
async function readOffer(objects: Objects, text: string): Promise<StoredOffer | null> {
  const kept = keptBy(objects);
  const known = kept.get(keyOf(text)) as StoredOffer | null | undefined;
  if (known !== undefined) return known;
  const list = (kept.get('ids') as IdList | undefined) ?? {ids: new Set(), newest: 0, last: null};
  const {ids} = list;
  const [id = ''] = text.split('.');
  if (id !== text || ids.has(id)) return readOnce(objects, keyOf(text), () => objects.offers().find(id));
  // While one request reads the list again, others use it as it was.
  if (kept.get('all ids') && kept.get('asked')) return null;
  const now = Date.now();
  kept.set('asked', true, now + SECOND_MS);
  kept.set('ids', list, Infinity);
  const limit = Math.min(IDS_PER_READ, MAX_IDS - ids.size);
  const {newest, last} = list;
  // A clock of the object that was set back must hide no offer.
  const since = last === null ? newest - KEPT_MS : newest;
  const {offer, changed} = await orUnavailable(() => objects.offers().findNew(id, since, last ?? '', limit));
  for (const each of changed) {
    ids.add(each.id);
    list.newest = each.changed_at;
    list.last = each.id;
  }
  const isAll = changed.length < limit;
  if (isAll) list.last = null;
  kept.set('all ids', isAll, now + KEPT_MS);
  if (offer) kept.set(keyOf(text), offer, now + KEPT_MS);
  return offer;
}

/** Makes this isolate use the offer as it was written, or know that it was deleted. */
export function rememberOffer(objects: Objects, written: StoredOffer, isDeleted = false): void {
  const kept = keptBy(objects);
  const until = Date.now() + KEPT_MS;
  kept.set(keyOf(written.id), null, until);
  kept.set(keyOf(textOfName(written)), isDeleted ? null : written, until);
}

/** The offer with this name. A bill is found only by its whole name, and another offer only by its id. */
async function findStored(objects: Objects, name: string): Promise<StoredOffer | null> {
  const text = BILL_NAME.test(name) ? await openLink(objects, name) : OFFER_ID.test(name) ? name : null;
  const stored = text === null ? null : await readOffer(objects, text);
  return stored && textOfName(stored) === text ? stored : null;
}

/** The problem of an offer whose configuration is wrong. */
function unusable({unusableOffers: {names, variables}}: Config, name: string): ApiError {
  return misconfigured(...(names.has(name) ? [`OFFERS.${name}`] : variables));
}
