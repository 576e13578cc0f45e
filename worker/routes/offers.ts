/**
 * Finds the offers that pages name: those of the configuration, and those that the merchant API made. The latter are read
 * from the `Offers` object, and kept for five seconds.
 */

import type {Config} from '../config/config.ts';
import type {Context} from '../context.ts';
import {type Offer, OFFER_ID, type PaymentOffer} from '../contract/offers.ts';
import {siteSubnet} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';
import {isSameSecret} from '../lib/crypto.ts';
import {DAY_MS, SECOND_MS} from '../lib/durations.ts';
import {ExpiringCache} from '../lib/expiring-cache.ts';
import {log} from '../lib/log.ts';
import type {Objects} from '../objects.ts';
import type {StoredOffer} from '../objects/offers.ts';
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
 * `unknown_offer` if there is no such offer, or the secret of the bill is wrong; `rate_limited`.
 */
export async function findOffer(asker: OfferAsker, name: string): Promise<FoundOffer> {
  const configured = asker.config.offers.get(name);
  if (configured) return configured;
  if (asker.config.unusableOffers.names.has(name)) throw misconfigured(asker.config, name);
  const [id = '', secret, ...rest] = name.split('.');
  const stored = OFFER_ID.test(id) && rest.length === 0 ? await readOffer(asker, id) : null;
  if (stored && isName(stored, secret)) return toFound(stored);
  throw asker.config.unusableOffers.variables.length > 0
    ? misconfigured(asker.config, name)
    : new ApiError('unknown_offer');
}

export function isExpired({expires_at: end}: Pick<Offer, 'expires_at'>): boolean {
  return end !== undefined && Date.parse(end) <= Date.now();
}

export function isBill(offer: FoundOffer): offer is Bill {
  return 'bill' in offer;
}

/** What a page names: the id, and for a bill also its secret, so that the id alone reaches nothing. */
export function publicName({id, order, secret}: StoredOffer): string {
  return order === null ? id : `${id}.${secret}`;
}

function isName(stored: StoredOffer, secret: string | undefined): boolean {
  return stored.order === null ? secret === undefined : secret !== undefined && isSameSecret(secret, stored.secret);
}

function toFound({offer, order}: StoredOffer): FoundOffer {
  return offer.kind === 'payment' && order !== null ? {...offer, bill: {order}} : offer;
}

/** For how long an isolate uses what it read. */
export const OFFER_AGE_MS = 5 * SECOND_MS;
/** How many answers of each kind an isolate keeps. */
const MAX_OFFERS = 1_000;
/** How often in a second an isolate asks for ids of which it does not know that they exist. */
const UNKNOWN_PER_SECOND = 100;

/** What this isolate has read. Names of strangers displace no offer. */
class ReadOffers {
  readonly found = new ExpiringCache<StoredOffer>({maxEntries: MAX_OFFERS, maxAgeMs: OFFER_AGE_MS});
  readonly absent = new ExpiringCache<true>({maxEntries: MAX_OFFERS, maxAgeMs: OFFER_AGE_MS});
  /** Ids that existed, which may be asked for at any time. */
  readonly known = new ExpiringCache<true>({maxEntries: 10 * MAX_OFFERS, maxAgeMs: DAY_MS});
  #second = 0;
  #asked = 0;

  /** Counts a question for an id that may not exist. @returns false if there were too many in this second. */
  mayAsk(now: number): boolean {
    const second = Math.floor(now / SECOND_MS);
    this.#asked = second === this.#second ? this.#asked + 1 : 1;
    this.#second = second;
    return this.#asked <= UNKNOWN_PER_SECOND;
  }

  remember(id: string, offer: StoredOffer | null, until: number): void {
    this.found.delete(id);
    this.absent.delete(id);
    if (offer) {
      this.found.set(id, offer, until);
      this.known.set(id, true, Infinity);
    } else this.absent.set(id, true, until);
  }
}

const read = new WeakMap<Objects, ReadOffers>();

function readBy(objects: Objects): ReadOffers {
  const known = read.get(objects) ?? new ReadOffers();
  read.set(objects, known);
  return known;
}

/** Makes this isolate use the offer as it is now: null if it was deleted. */
export function rememberOffer(objects: Objects, id: string, offer: StoredOffer | null): void {
  readBy(objects).remember(id, offer, Date.now() + OFFER_AGE_MS);
}

/**
 * Reads an offer. Strangers can invent ids, so answers for ids that do not exist are kept too, and the object is asked
 * for ids that may not exist only as often as isolate and network may ask.
 */
async function readOffer(asker: OfferAsker, id: string): Promise<StoredOffer | null> {
  const {objects, subnet} = asker;
  const isolate = readBy(objects);
  const kept = isolate.found.get(id) ?? (isolate.absent.get(id) && null);
  if (kept !== undefined) return kept;
  if (isolate.known.get(id) === undefined) {
    await limitRequests('offers', siteSubnet(subnet), asker);
    if (!isolate.mayAsk(Date.now())) throw new ApiError('rate_limited', {retryAfterSeconds: 1});
  }
  const startedAt = Date.now();
  const offer = await objects.offers().find(id);
  // The age counts from before the call, because a change during the call may be missing in the answer.
  isolate.remember(id, offer, startedAt + OFFER_AGE_MS);
  return offer;
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
