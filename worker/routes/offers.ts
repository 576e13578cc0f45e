/**
 * Finds the offers that pages name: those of the configuration, and those that the merchant API made. The latter are read
 * from the `Offers` object, and kept for five seconds.
 */

import type {Config} from '../config/config.ts';
import type {Context} from '../context.ts';
import {type Offer, OFFER_ID, type PaymentOffer} from '../contract/offers.ts';
import {siteSubnet} from '../http/client-ip.ts';
import {ApiError, orUnavailable} from '../http/errors.ts';
import {isSameSecret} from '../lib/crypto.ts';
import {SECOND_MS} from '../lib/durations.ts';
import {ExpiringCache} from '../lib/expiring-cache.ts';
import {BILL_NAME, openName, sealName} from '../lib/link-name.ts';
import {log} from '../lib/log.ts';
import type {Objects} from '../objects.ts';
import {MAX_LISTED, type StoredOffer} from '../objects/offers.ts';
import {linkKey} from './link-key.ts';
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
  if (asker.config.unusableOffers.names.has(name)) throw misconfigured(asker.config, name);
  const stored = await findStored(asker.objects, name);
  if (stored) return toFound(stored);
  if (asker.config.unusableOffers.variables.length > 0) throw misconfigured(asker.config, name);
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

/** For how long an isolate uses what it read. */
export const OFFER_AGE_MS = 5 * SECOND_MS;
/** How many offers an isolate keeps. */
const MAX_OFFERS = 1_000;
/** How many ids an isolate keeps. If there are more, it asks for each id that it does not have. */
const MAX_IDS = 100_000;

/** What an isolate has read. The names that strangers invent displace nothing. */
class ReadOffers {
  /** By `textOfName`: the offer with this id, whatever its name; null if it was deleted. */
  readonly kept = new ExpiringCache<StoredOffer | null>({maxEntries: MAX_OFFERS, maxAgeMs: OFFER_AGE_MS});
  /** The ids of offers of many orders, and of some that were deleted. */
  readonly #ids = new Set<string>();
  #hasAllIds = false;
  #newest = 0;
  #readAt = 0;
  #askedAt = 0;

  constructor(private readonly objects: Objects) {}

  /**
   * Reads the offer with the id of this name. Strangers can invent ids, but not names of bills. So the object is asked for
   * an id that is not on the list only with the question for new ids, and once the list is complete, at most once a second.
   * @param text - See `textOfName`.
   */
  async read(text: string): Promise<StoredOffer | null> {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    // The age counts from before the call, because a change during the call may be missing in the answer.
    const now = Date.now();
    const [id = ''] = text.split('.');
    const mayExist = id !== text || this.#ids.has(id);
    if (!mayExist && this.#isListed(now)) return null;
    const offer = await orUnavailable(mayExist ? this.objects.offers().find(id) : this.#readList(id, now));
    if (offer || mayExist) this.kept.set(text, offer, now + OFFER_AGE_MS);
    return offer;
  }

  /** Whether all ids are on the list. While one request reads it again, others use it as it was. */
  #isListed(now: number): boolean {
    return this.#hasAllIds && Math.abs(now - this.#askedAt) < SECOND_MS && now - this.#readAt < OFFER_AGE_MS;
  }

  async #readList(id: string, now: number): Promise<StoredOffer | null> {
    this.#askedAt = now;
    // A clock that was set back, here or in the object, must hide no offer.
    if (now < this.#readAt) this.#newest = 0;
    const since = this.#hasAllIds ? this.#newest - OFFER_AGE_MS : this.#newest;
    const {offer, ids, newest} = await this.objects.offers().findNew(id, since);
    for (const each of ids) if (this.#ids.size < MAX_IDS) this.#ids.add(each);
    this.#newest = Math.max(this.#newest, newest);
    this.#hasAllIds = ids.length < MAX_LISTED && this.#ids.size < MAX_IDS;
    this.#readAt = now;
    return offer;
  }
}

const isolates = new WeakMap<Objects, ReadOffers>();

function readBy(objects: Objects): ReadOffers {
  const known = isolates.get(objects) ?? new ReadOffers(objects);
  isolates.set(objects, known);
  return known;
}

/** Makes this isolate use the offer as it was written, or know that it was deleted. */
export function rememberOffer(objects: Objects, written: StoredOffer, isDeleted = false): void {
  const {kept} = readBy(objects);
  const until = Date.now() + OFFER_AGE_MS;
  kept.set(written.id, null, until);
  kept.set(textOfName(written), isDeleted ? null : written, until);
}

/** The offer with this name. A bill is found only by its whole name, and another offer only by its id. */
async function findStored(objects: Objects, name: string): Promise<StoredOffer | null> {
  const text = BILL_NAME.test(name) ? await openName(await linkKey(objects), name) : OFFER_ID.test(name) ? name : null;
  const stored = text === null ? null : await readBy(objects).read(text);
  return stored && isSameSecret(text ?? '', textOfName(stored)) ? stored : null;
}

/** Logs, for the operator, that an offer's configuration is wrong. */
function misconfigured({unusableOffers: {names, variables}}: Config, name: string): ApiError {
  log('error', 'misconfigured', {names: names.has(name) ? [`OFFERS.${name}`] : variables});
  return new ApiError('misconfigured');
}

/** Says which offers cannot be sold, for `/health`. The doctor says why, to callers with the merchant API key. */
export function describeUnusableOffers({unusableOffers: {names, variables, pages}}: Config): string[] {
  const wrong = [
    ...names,
    ...variables.map((variable) => `all offers of ${variable}`),
    ...(pages === null ? [] : ['anything on payment pages']),
  ];
  return wrong.length === 0
    ? []
    : [`Pages cannot sell ${wrong.join(', ')}, because the configuration is wrong. The doctor says what to correct.`];
}
