/** The order of a bill, which everybody with the bill's link opens. */

import type {Payment} from '../../contract/browser/answers.ts';
import type {BuyerForm} from '../../contract/buyer.ts';
import {formatAmount} from '../../lib/money.ts';
import type {Objects} from '../../objects.ts';
import type {OrderTerms} from '../../session.ts';
import {findPastOrder} from '../archive/find-in-archive.ts';
import {type OfferedForm, stillAsked} from './buyer.ts';
import {costOf} from './order-parts.ts';
import {dueOf, factsOf, type OrderState} from './order-state.ts';
import {amountDue} from './payment.ts';

/**
 * The payment as a page with this session sees it. A page with a bill's link gets no transfers, because others have the
 * link too; the order's own sessions get them.
 */
export function shownTo({shared}: Pick<OrderTerms, 'shared'>, payment: Payment): Payment {
  if (!shared) return payment;
  const {purchase, ...others} = payment;
  const {campaign: _, ...after} = purchase ?? {};
  return {...others, transactions: [], ...(Object.keys(after).length > 0 && {purchase: after})};
}

/** The offer as an order stores it. The secret at the end of a bill's name is stored only by the bill itself. */
export function storedName(offer: string | undefined, isBill: boolean): string | undefined {
  return isBill ? offer?.split('.')[0] : offer;
}

/** What the next payer of a bill learns: whether something is left to pay, how much the order costs, and what is asked. */
export type EnteredBill = ClosedBill | (Pick<OrderTerms, 'amount'> & {readonly form?: BuyerForm | undefined});

export interface ClosedBill {
  readonly closed: 'order_paid' | 'order_cancelled' | 'offer_expired';
}

/** What a page with a session of the order asks for; undefined if it asks for nothing, or nothing is left to pay. */
export function shownForm(state: OrderState, offered: OfferedForm): BuyerForm | undefined {
  const asked = stillAsked(state, offered);
  const {record} = state;
  return asked && asked !== 'gone' && (!record || dueOf(state, record) > 0) ? asked.form : undefined;
}

/** Null if the order does not exist. @param offered - What the bill asks for. */
export function enteredBill(state: OrderState, offered: OfferedForm): EnteredBill | null {
  const {record, money} = state;
  if (!record) return null;
  if (record.cancelledAt !== undefined) return {closed: 'order_cancelled'};
  return amountDue(factsOf(record, money)) === 0
    ? {closed: 'order_paid'}
    : {amount: costOf(record), form: shownForm(state, offered)};
}

/**
 * Why a bill without an order cannot be paid: its order was deleted. The archive knows it for 400 days, whoever made it.
 * Null if there was none.
 */
export async function closedBill(
  objects: Objects,
  {service, order}: Pick<OrderTerms, 'service' | 'order'>,
): Promise<ClosedBill | null> {
  const past = await findPastOrder(objects, service, (month) => month.findOrder(order));
  if (!past) return null;
  if (past.cancelledAt !== null) return {closed: 'order_cancelled'};
  return {closed: past.remaining === formatAmount(0) ? 'order_paid' : 'offer_expired'};
}
