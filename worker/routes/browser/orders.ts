/** Orders of pages that have no session yet: one request opens the session and creates the order code. */

import type {PaymentOffer} from '../../config/offers.ts';
import type {PlacedOrder} from '../../contract/browser/answers.ts';
import type {OrderRequest} from '../../contract/browser/requests.ts';
import {ApiError} from '../../http/errors.ts';
import {deriveText} from '../../lib/crypto.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {parseAmount} from '../../lib/money.ts';
import type {OrderTerms} from '../../session.ts';
import {requireOffer} from '../offers.ts';
import {limitReads} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {withAccount} from './banks.ts';
import {describeCode, orderCaller, requireCode, requirePhs} from './payment.ts';
import {newTerms, type OfferPage, paymentSession, REFERENCE_LENGTH} from './sessions.ts';

/**
 * POST /v1/orders: opens a session for an offer and creates its order code. A repeated request with the same attempt
 * reaches the same order, and returns the same code and session.
 */
export async function placeOrder(
  {offer: id, attempt, shown_amount, bank, human}: OrderRequest,
  context: RouteContext,
  request: Request,
): Promise<PlacedOrder> {
  const offer = requireOffer(context.config, id);
  if (offer.kind !== 'payment') throw new ApiError('unknown_offer');
  requirePhs(context);
  await limitReads(request, context);
  const page = {origin: request.headers.get('origin') ?? '', offer: id};
  const terms = await findTerms(offer, page, attempt, context);
  const {service, order} = terms;
  addToLogScope({service, order});
  const caller = orderCaller(page, human, request, context);
  const shownAmount = parseAmount(shown_amount);
  const placing = context.objects
    .order(service, order)
    .placeOrder(terms, {caller, shownAmount})
    .then((result) => {
      if ('priceChanged' in result) throw new ApiError('price_changed');
      return requireCode(result);
    });
  const [code, account] = await withAccount(placing, bank, request, context);
  const {isNew, ...placed} = code.placed;
  if (isNew) context.metrics.count('sessions', {kind: offer.kind, opened_by: 'page'});
  const session = await paymentSession(offer, page, {service, order, ...placed}, context);
  return {...session, ...describeCode(order, {...code, seller: offer.seller}, account)};
}

/**
 * The offer's terms for the order of this attempt. The order's reference is an HMAC of the attempt, so that no object
 * stores the attempt, and only a page of the same origin reaches the order. While `SESSION_SECRET` is rotated, an order
 * whose reference was derived from the other secret is still found.
 */
async function findTerms(
  offer: PaymentOffer,
  page: OfferPage,
  attempt: string,
  {config, objects}: RouteContext,
): Promise<OrderTerms> {
  const [current, ...others] = config.sessionSecrets;
  const text = JSON.stringify([page.origin, page.offer, attempt]);
  const derivedFrom = async (secret: string): Promise<OrderTerms> => ({
    ...newTerms(offer, await deriveText(secret, 'order reference', text, REFERENCE_LENGTH)),
    offer: page.offer,
  });
  for (const other of others) {
    const terms = await derivedFrom(other);
    if (await objects.order(terms.service, terms.order).details()) return terms;
  }
  return derivedFrom(current);
}
