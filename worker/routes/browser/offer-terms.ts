/** The terms of an order that a page opens for an offer. */

import {type PageFactsInput, toPageFacts} from '../../contract/browser/page-facts.ts';
import type {Buyer, BuyerForm} from '../../contract/buyer.ts';
import type {PaymentOffer} from '../../contract/offers.ts';
import {ApiError} from '../../http/errors.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {parseAmount} from '../../lib/money.ts';
import {newReference} from '../../lib/order-reference.ts';
import {MISSING} from '../../lib/validation-messages.ts';
import type {EnteredBill} from '../../objects/order/bill.ts';
import {askedBuyer, type BuyerRefusal, type BuyerRequest, type OfferedForm} from '../../objects/order/buyer.ts';
import type {OrderTold} from '../../objects/order/order-code-changes.ts';
import type {OrderTerms, PaymentSession} from '../../session.ts';
import {type Bill, findOffer, isBill} from '../offers.ts';
import type {RouteContext} from '../route.ts';

/** What a page with a new session learns. */
export interface OpenedTerms {
  readonly terms: OrderTerms;
  /** What the page asks the shopper for; undefined if it asks for nothing. */
  readonly form?: BuyerForm | undefined;
}

/** The terms of a new order, or those of the bill's order. @throws {ApiError} like `billTerms`. */
export async function termsOf(offer: PaymentOffer | Bill, context: RouteContext): Promise<OpenedTerms> {
  return isBill(offer) ? billTerms(offer, context) : {terms: newTerms(offer), form: askedBuyer(offer)?.form};
}

/**
 * What the session's offer asks for at present. Nothing if it did not ask when the session began. If the offer was
 * deleted since, a page of this session gets no code for a new order.
 */
export async function askedOf(
  {offer: name, asks}: Pick<PaymentSession, 'offer' | 'asks'>,
  context: RouteContext,
): Promise<OfferedForm> {
  if (!asks || name === undefined) return null;
  const offer = await paymentOffer(name, context);
  return offer ? askedBuyer(offer) : 'gone';
}

/** The offer of a session; null if it was deleted since, or sells no longer. A failure of the moment is thrown. */
async function paymentOffer(name: string, context: RouteContext): Promise<PaymentOffer | null> {
  try {
    const offer = await findOffer(context, name);
    return offer.kind === 'payment' ? offer : null;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'temporarily_unavailable') return null;
    throw error;
  }
}

/** What a request of a page with a session says of the buyer. */
export async function buyerRequest(
  session: Pick<PaymentSession, 'offer' | 'asks' | 'origin'>,
  sent: Buyer | undefined,
  context: RouteContext,
): Promise<BuyerRequest> {
  return {asked: await askedOf(session, context), sent, origin: session.origin, network: context.subnet};
}

/** Why the order has no code: the buyer lacks something, has a wrong value, or was asked with another form. */
export function buyerError({buyer}: BuyerRefusal): ApiError {
  if (buyer.length === 0) return new ApiError('buyer_required');
  return new ApiError('buyer_required', {
    fields: buyer.map(({path, is}) => ({
      path: `buyer.${path}`,
      message: is === 'missing' ? MISSING : 'This value is not accepted.',
    })),
  });
}

/** The terms of a new order. */
export function newTerms({service, amount, hours, title, seller}: PaymentOffer, order = newReference()): OrderTerms {
  return {service, order, amount: parseAmount(amount) ?? 0, hours, title, seller};
}

/** What a page, and the offer that it sells now, say of a new order. */
export function toldOf(
  {thanks, after_payment}: Pick<PaymentOffer, 'thanks' | 'after_payment'>,
  page: PageFactsInput | undefined,
): OrderTold {
  const after = {...(thanks && {thanks}), ...(after_payment && {after_payment})};
  const facts = toPageFacts(page);
  return {...(Object.keys(after).length > 0 && {after}), ...(facts && {page: facts})};
}

/** The same for a page with a session, whose offer may have been deleted since. */
export async function toldInSession(
  {offer: name}: Pick<PaymentSession, 'offer'>,
  page: PageFactsInput | undefined,
  context: RouteContext,
): Promise<OrderTold> {
  return toldOf((name !== undefined && (await paymentOffer(name, context))) || {}, page);
}

/** What the next payer of a bill learns; null if nobody has ordered yet. */
export function enterBill(bill: Bill, {objects}: RouteContext): Promise<EnteredBill | null> {
  const {
    service,
    bill: {order},
  } = bill;
  addToLogScope({service, order});
  return objects.order(service, order).enterBill({service, order}, askedBuyer(bill));
}

/**
 * The terms of a bill's order, which is the same on every device, as they are now.
 * @throws {ApiError} `order_paid` if nothing is left to pay, `order_cancelled`, and `offer_expired` if the order was
 * deleted unpaid.
 */
export async function billTerms(offer: Bill, context: RouteContext): Promise<OpenedTerms> {
  const {order} = offer.bill;
  const terms = {...newTerms(offer, order), shared: true} as const;
  const entered = await enterBill(offer, context);
  if (entered && 'closed' in entered) throw new ApiError(entered.closed);
  return entered
    ? {terms: {...terms, amount: entered.amount}, form: entered.form}
    : {terms, form: askedBuyer(offer)?.form};
}
