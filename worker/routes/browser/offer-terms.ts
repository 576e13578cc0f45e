/** The terms of an order that a page opens for an offer. */

import {type PageFactsInput, toPageFacts} from '../../contract/browser/page-facts.ts';
import type {PaymentOffer} from '../../contract/offers.ts';
import {ApiError} from '../../http/errors.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {parseAmount} from '../../lib/money.ts';
import {newReference} from '../../lib/order-reference.ts';
import type {EnteredBill} from '../../objects/order/bill.ts';
import type {OrderTold} from '../../objects/order/order-told.ts';
import type {OrderTerms, PaymentSession} from '../../session.ts';
import {type Bill, findOffer, isBill} from '../offers.ts';
import type {RouteContext} from '../route.ts';

/** The terms of a new order, or those of the bill's order. @throws {ApiError} like `billTerms`. */
export async function termsOf(offer: PaymentOffer | Bill, context: RouteContext): Promise<OrderTerms> {
  return isBill(offer) ? billTerms(offer, context) : newTerms(offer);
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
  const offer = name === undefined ? undefined : await findOffer(context, name).catch(() => undefined);
  return toldOf(offer?.kind === 'payment' ? offer : {}, page);
}

/** What the next payer of a bill learns; null if nobody has ordered yet. */
export function enterBill({service, bill: {order}}: Bill, {objects}: RouteContext): Promise<EnteredBill | null> {
  addToLogScope({service, order});
  return objects.order(service, order).enterBill({service, order});
}

/**
 * The terms of a bill's order, which is the same on every device, as they are now.
 * @throws {ApiError} `order_paid` if nothing is left to pay, `order_cancelled`, and `offer_expired` if the order was
 * deleted unpaid.
 */
export async function billTerms(offer: Bill, context: RouteContext): Promise<OrderTerms> {
  const {order} = offer.bill;
  const terms = {...newTerms(offer, order), shared: true} as const;
  const entered = await enterBill(offer, context);
  if (entered && 'closed' in entered) throw new ApiError(entered.closed);
  return {...terms, ...entered};
}
