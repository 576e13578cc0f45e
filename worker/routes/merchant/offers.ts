/** Offers of the merchant API. */

import {explainMissingInterfaces} from '../../config/offers.ts';
import {isWithin} from '../../config/service-limit.ts';
import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {StoredOffer, WrittenOffer} from '../../objects/offers.ts';
import {publicName, rememberOffer} from '../offers.ts';
import {qrCode} from '../pages/qr-code.ts';
import {checkAfterPayment} from '../return-urls.ts';
import type {RouteContext} from '../route.ts';
import {requireServiceCode} from '../services.ts';
import {otherAmount, requireScope} from './auth.ts';
import {readCursor} from './cursor.ts';
import type {Handlers, WriteContext} from './handler.ts';

const PAGE_SIZE = 100;

export const offerHandlers = {
  async putOffer({id, ...offer}, context) {
    if (isConfigured(id, context)) throw new ApiError('offer_configured');
    await checkOffer(id, offer, context);
    const stored = await context.objects.offers().put(id, offer, context.caller.services);
    if (stored === 'unknown_offer') throw new ApiError(stored);
    if (typeof stored === 'string')
      throw fieldError(
        'order_exists',
        stored,
        'A bill keeps its order and service until it is deleted. Choose another id.',
      );
    rememberOffer(context.objects, stored);
    return toAnswer(stored, context);
  },

  async getOffer({id}, context) {
    return toAnswer(await findVisible(id, context), context);
  },

  async listOffers(input, context) {
    const cursor = await readCursor<string>(input, 'offers', context);
    const stored = await context.objects.offers().list(cursor.start, PAGE_SIZE + 1, context.caller.services);
    const items = [];
    for (const offer of stored.slice(0, PAGE_SIZE)) items.push(await describe(offer, context));
    return {
      items,
      next_cursor: await cursor.next(stored[PAGE_SIZE] && stored[PAGE_SIZE - 1]?.id),
      total: null,
    };
  },

  async deleteOffer({id}, context) {
    const removed = await context.objects.offers().remove(id, context.caller.services);
    if (!removed) throw notFound(id, context);
    rememberOffer(context.objects, removed, true);
    return {id, state: 'deleted'};
  },
} satisfies Partial<Handlers>;

function isConfigured(id: string, {config: {offers, unusableOffers}}: RouteContext): boolean {
  return offers.has(id) || unusableOffers.names.has(id);
}

/**
 * Another shop's offer does not exist for the caller.
 * @throws {ApiError} `unknown_offer`, `offer_configured`
 */
async function findVisible(id: string, context: WriteContext): Promise<StoredOffer> {
  const stored = await context.objects.offers().find(id);
  if (stored && isWithin(context.caller.services, stored.offer)) return stored;
  throw notFound(id, context);
}

function notFound(id: string, context: RouteContext): ApiError {
  return new ApiError(isConfigured(id, context) ? 'offer_configured' : 'unknown_offer');
}

/**
 * The checks that the configuration's offers pass, and those of a bill. To open an order to a bill's payers needs the
 * scope that makes orders.
 * @throws {ApiError} `unknown_service`, `not_configured`, `invalid_request`, for a caller with a limit
 * `all_services_required`, `sessions_scope_missing`, and `order_exists` if a bill's order has another amount.
 */
async function checkOffer(id: string, offer: WrittenOffer, context: WriteContext): Promise<void> {
  const {config, env, objects, caller} = context;
  const isBilled = (service: string) => (config.services.get(service)?.micropaymentId ?? null) !== null;
  if (offer.kind === 'payment') requireServiceCode(config, offer.service);
  else if (caller.services !== null) throw new ApiError('all_services_required');
  const message = explainMissingInterfaces(offer, env as unknown as Record<string, unknown>, isBilled);
  if (message) throw fieldError('not_configured', 'kind', message);
  if (offer.kind !== 'payment') return;
  checkAfterPayment(offer.after_payment, config);
  if (offer.uses === 'many' && offer.order !== undefined)
    throw fieldError('invalid_request', 'order', 'An offer of many orders has no `order`.');
  if (offer.order !== undefined) requireScope('sessions', caller);
  const order = offer.order ?? (offer.uses === 'one' ? (await objects.offers().find(id))?.order : null);
  const known = order ? await objects.order(offer.service, order).details() : null;
  // While nobody knows what the order costs, any amount may be right, and pages show the order's.
  if (known && !known.amountUnclear && parseAmount(known.payment.amount) !== parseAmount(offer.amount))
    throw otherAmount(known.payment.amount, caller);
}

/** An offer with its link. */
async function describe(stored: StoredOffer, {url, objects}: RouteContext) {
  const {id, offer, order, createdAt, changedAt} = stored;
  const name = await publicName(objects, stored);
  const made = {
    id,
    name,
    url: `${url.origin}/p/${name}`,
    created_at: formatInstant(createdAt),
    changed_at: formatInstant(changedAt),
  };
  return offer.kind === 'payment'
    ? {...offer, uses: order === null ? ('many' as const) : ('one' as const), order, ...made}
    : {...offer, ...made};
}

async function toAnswer(stored: StoredOffer, context: RouteContext): Promise<EndpointAnswer<'getOffer'>> {
  const offer = await describe(stored, context);
  return {...offer, qr: qrCode(offer.url, offer.url).text};
}
