/** Who buys, if the offer or the merchant's server asks for it. Only the order stores it. The functions are pure. */

import {type Buyer, type BuyerForm, buyerFormOf, type BuyerSettings} from '../../contract/buyer.ts';
import {type BuyerProblem, readBuyer} from '../../contract/readers/buyer.ts';
import type {OrderRefusal} from './order-limits.ts';
import {dueOf, type OrderState} from './order-state.ts';

/** What is asked for before there is a code. */
export interface AskedBuyer {
  readonly form: BuyerForm;
  /** How many days the order keeps the buyer; undefined until it is deleted. */
  readonly keepDays?: number | undefined;
}

/** The buyer, as the shopper filled in the form. */
export interface KnownBuyer {
  readonly person: Buyer;
  /** When the shopper sent it, epoch milliseconds. */
  readonly at: number;
  readonly keepDays?: number | undefined;
}

/** What the merchant's server asks for, until the shopper has answered. Offers ask with each request of a page. */
export type StoredBuyer = AskedBuyer | KnownBuyer;

/**
 * What the offer of a page's session asks for; null if it asks for nothing, and for sessions of the merchant's server.
 * `gone`: the offer asked when the session began, and nobody knows what, because the offer was deleted.
 */
export type OfferedForm = AskedBuyer | null | 'gone';

/** The part of a page's request that is about the buyer. */
export interface BuyerRequest {
  /** What the page's offer asks for. */
  readonly asked: OfferedForm;
  /** What the page sent. */
  readonly sent: Buyer | undefined;
}

/** The buyer lacks what is asked for, or has wrong values. */
export interface BuyerRefusal {
  readonly buyer: readonly BuyerProblem[];
}

/** What these settings ask for; null if they ask for nothing. */
export function askedBuyer(settings: BuyerSettings): AskedBuyer | null {
  const form = buyerFormOf(settings);
  const keepDays = settings.fields?.keep_days;
  return form ? {form, ...(keepDays !== undefined && {keepDays})} : null;
}

/** The buyer that the order has. */
export function buyerOf({buyer}: Pick<OrderState, 'buyer'>): KnownBuyer | null {
  return buyer && 'person' in buyer ? buyer : null;
}

/** What a page must ask before it gets the code; null if nothing, because the order has a buyer or a code, or was forgotten. */
function stillAsked(state: OrderState, offered: OfferedForm): OfferedForm {
  const {record, buyer} = state;
  if (buyer && 'person' in buyer) return null;
  if (record && (record.code !== null || record.forgotten || record.cancelledAt !== undefined)) return null;
  return offered ?? buyer;
}

/** What a page with this session shows; undefined if it asks for nothing, or nothing is left to pay. */
export function shownForm(state: OrderState, offered: OfferedForm): BuyerForm | undefined {
  const asked = stillAsked(state, offered);
  return asked && asked !== 'gone' && (!state.record || dueOf(state, state.record) > 0) ? asked.form : undefined;
}

/** Reads the buyer of a page's request; null if the order asks for nothing. Values that it does not ask for are dropped. */
export function acceptBuyer(
  state: OrderState,
  {asked: offered, sent = {}}: BuyerRequest,
  now: number,
): KnownBuyer | BuyerRefusal | OrderRefusal | null {
  const asked = stillAsked(state, offered);
  if (!asked) return null;
  if (asked === 'gone') return {refused: 'offer_expired'};
  const {buyer: person, problems} = readBuyer(asked.form, sent);
  if (problems.length > 0) return {buyer: problems};
  return {person, at: now, ...(asked.keepDays !== undefined && {keepDays: asked.keepDays})};
}

/** The order with its buyer, unless it has one. */
export function withBuyer<T extends OrderState>(order: T, buyer: KnownBuyer | null): T {
  return buyer === null || buyerOf(order) ? order : {...order, buyer};
}

/** The order with what the merchant's server asks for, unless it has a buyer. */
export function withAsked(order: OrderState, asked: AskedBuyer | null | undefined): OrderState {
  return !asked || buyerOf(order) ? order : {...order, buyer: asked};
}
