/** The order code of a session's order, and of an order for which the same request opens the session. */

import type {Bank, OrderCode, PlacedOrder} from '../../contract/browser/answers.ts';
import type {NewOrderRequest} from '../../contract/browser/requests.ts';
import type {PaymentOffer} from '../../contract/offers.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {derivedReference} from '../../lib/order-reference.ts';
import {formatInstant} from '../../lib/time.ts';
import {askedBuyer} from '../../objects/order/buyer.ts';
import type {KnownCode} from '../../objects/order/order-code.ts';
import {CREATE_WINDOW_MS, type OrderTerms} from '../../session.ts';
import {type Bill, isBill, requireOffer} from '../offers.ts';
import type {RouteContext} from '../route.ts';
import {withAccount} from './banks.ts';
import type {BrowserHandlers} from './handler.ts';
import {billTerms, newTerms, toldOf} from './offer-terms.ts';
import {ensureOrderCode, orderCaller, requireCode, requirePhs} from './payment.ts';
import {type OfferPage, paymentSession} from './sessions.ts';

export const orderHandlers = {
  /**
   * POST /v1/order-code: the code of the session's order. A page that has no session names an offer, for which the Worker
   * opens the session. Repeated calls return the same code.
   */
  async openOrderCode(input, context, request) {
    const {session} = context;
    if (input.offer !== undefined) {
      if (session === null) return placeOrder(input, context, request);
      throw fieldError('invalid_request', 'offer', 'A request with a session cannot name an offer.');
    }
    if (session === null) throw new ApiError('unauthorized');
    const {human, buyer, page} = input;
    const making = ensureOrderCode(session, {human, buyer, page}, request, context);
    const [code, account] = await withAccount(making, input.bank, context);
    return describeCode(session.terms.order, code, account);
  },
} satisfies Partial<BrowserHandlers>;

/** The order code as a page shows it, with the account to pay into. */
function describeCode(order: string, {code, amount, expiresAt, seller}: KnownCode, account: Bank | null) {
  return {
    order_code: code,
    order,
    amount: formatAmount(amount),
    currency: 'TRY',
    pay_until: formatInstant(expiresAt),
    account,
    ...(seller && {seller}),
  } as const satisfies OrderCode;
}

/**
 * Opens a session for an offer and creates its order code. A repeated request with the same attempt reaches the same
 * order, and returns the same code and session.
 */
async function placeOrder(
  {offer: id, attempt, shown_amount, bank, buyer: sent, page: facts}: NewOrderRequest,
  context: RouteContext,
  request: Request,
): Promise<PlacedOrder> {
  const offer = await requireOffer(context, id);
  if (offer.kind !== 'payment') throw new ApiError('unknown_offer');
  requirePhs(context);
  const page = {origin: request.headers.get('origin') ?? '', offer: id};
  if (isBill(offer)) return placeBill(offer, page, {shown_amount, bank, buyer: sent, page: facts}, context, request);
  const terms = await findTerms(offer, page, attempt, context);
  const {service, order} = terms;
  addToLogScope({service, order});
  const caller = orderCaller(page, undefined, request, context, true);
  const shownAmount = parseAmount(shown_amount);
  const placing = context.objects
    .order(service, order)
    .placeOrder(terms, {
      caller,
      shownAmount,
      buyer: {asked: askedBuyer(offer), sent, origin: page.origin, network: context.subnet},
      told: toldOf(offer, facts),
    })
    .then((result) => {
      if ('priceChanged' in result) throw new ApiError('price_changed');
      return requireCode(result);
    });
  const [code, account] = await withAccount(placing, bank, context);
  const {isNew, ...placed} = code.placed;
  if (isNew) context.reporter.count('sessions', {kind: offer.kind, opened_by: 'page'});
  const session = await paymentSession(page, {service, order, ...placed}, context);
  return {...session, ...describeCode(order, code, account)};
}

/** Opens a session for a bill, and creates the order code if no other device has done so. */
async function placeBill(
  offer: Bill,
  page: OfferPage,
  {shown_amount, bank, buyer, page: facts}: Pick<NewOrderRequest, 'shown_amount' | 'bank' | 'buyer' | 'page'>,
  context: RouteContext,
  request: Request,
): Promise<PlacedOrder> {
  const {terms, form} = await billTerms(offer, context);
  if (parseAmount(shown_amount) !== terms.amount) throw new ApiError('price_changed');
  const at = Date.now();
  const opening = {...page, terms, ...(form && {asks: true as const}), createUntil: at + CREATE_WINDOW_MS};
  const making = ensureOrderCode(opening, {human: undefined, buyer, page: facts}, request, context);
  const [code, account] = await withAccount(making, bank, context);
  context.reporter.count('sessions', {kind: offer.kind, opened_by: 'page'});
  return {...(await paymentSession(page, {...terms, at}, context)), ...describeCode(terms.order, code, account)};
}

/**
 * The offer's terms for the order of this attempt. The order's reference is an HMAC of the attempt, so that no object
 * stores the attempt, and only a page of the same origin reaches the order. While `SESSION_SECRET` is rotated, an order
 * whose reference was derived from the other secret is still found.
 */
export async function findTerms(
  offer: PaymentOffer,
  page: OfferPage,
  attempt: string,
  {config, objects}: RouteContext,
): Promise<OrderTerms> {
  const [current, ...others] = config.sessionSecrets;
  const text = JSON.stringify([page.origin, page.offer, attempt]);
  const derivedFrom = async (secret: string): Promise<OrderTerms> => ({
    ...newTerms(offer, await derivedReference(secret, text)),
    offer: page.offer,
  });
  for (const other of others) {
    const terms = await derivedFrom(other);
    if (await objects.order(terms.service, terms.order).details()) return terms;
  }
  return derivedFrom(current);
}
