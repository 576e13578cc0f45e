/** Who buys, if the offer or the merchant's server asks for it. Only the order stores it. The functions are pure. */

import {type Buyer, type BuyerForm, buyerFormOf, type BuyerSettings} from '../../contract/buyer.ts';
import {type BuyerProblem, readBuyer} from '../../contract/readers/buyer.ts';
import {DAY_MS} from '../../lib/durations.ts';

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
  /** Set after the order was deleted and only the buyer is kept. */
  readonly of?: {readonly service: string; readonly order: string};
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
  /** The page's origin and the shopper's network, for the receipt of what was ticked. */
  readonly origin: string;
  readonly network: string;
}

/** The buyer lacks what is asked for, or has wrong values; without any, the shopper has not seen this form. */
export interface BuyerRefusal {
  readonly buyer: readonly BuyerProblem[];
}

/** What of an order decides whether it asks. */
interface AskingOrder {
  readonly record: {
    readonly service: string;
    readonly order: string;
    readonly code: string | null;
    readonly forgotten?: true | undefined;
    readonly cancelledAt?: number | undefined;
  } | null;
  readonly buyer: StoredBuyer | null;
}

/** What these settings ask for; null if they ask for nothing. */
export function askedBuyer(settings: BuyerSettings): AskedBuyer | null {
  const form = buyerFormOf(settings);
  const keepDays = settings.fields?.keep_days;
  return form ? {form, ...(keepDays !== undefined && {keepDays})} : null;
}

/** The buyer that the order has. */
export function buyerOf({buyer}: Pick<AskingOrder, 'buyer'>): KnownBuyer | null {
  return buyer && 'person' in buyer ? buyer : null;
}

/** What a page must ask before it gets the code; null if nothing, because the order has a buyer or a code, or was forgotten. */
export function stillAsked({record, buyer}: AskingOrder, offered: OfferedForm): OfferedForm {
  if (buyer && 'person' in buyer) return null;
  if (record && (record.code !== null || record.forgotten || record.cancelledAt !== undefined)) return null;
  return offered ?? buyer;
}

/** What the shopper filled in, and the form that asked for it. */
export interface FilledForm {
  readonly asked: AskedBuyer;
  readonly person: Buyer;
}

/** Reads the buyer of a page's request; null if the order asks for nothing. Values that it does not ask for are dropped. */
export function readRequest(
  order: AskingOrder,
  {asked: offered, sent = {}}: BuyerRequest,
): FilledForm | BuyerRefusal | {readonly refused: 'offer_expired'} | null {
  const asked = stillAsked(order, offered);
  if (!asked) return null;
  if (asked === 'gone') return {refused: 'offer_expired'};
  // The receipt says what the shopper saw.
  if (sent.form !== asked.form.version) return {buyer: []};
  const {buyer: person, problems} = readBuyer(asked.form, sent);
  return problems.length > 0 ? {buyer: problems} : {asked, person};
}

/** By what a search finds the buyer; undefined if there is nothing. */
export function searchedName(buyer: KnownBuyer | null): Pick<Buyer, 'email' | 'phone'> | undefined {
  const {email, phone} = buyer?.person ?? {};
  return email === undefined && phone === undefined ? undefined : {email, phone};
}

/** The order with its buyer, unless it has one. */
export function withBuyer<T extends Pick<AskingOrder, 'buyer'>>(order: T, buyer: KnownBuyer | null): T {
  return buyer === null || buyerOf(order) ? order : {...order, buyer};
}

/** The order with what the merchant's server asks for, unless it has a buyer. */
export function withAsked<T extends Pick<AskingOrder, 'buyer'>>(order: T, asked: AskedBuyer | null | undefined): T {
  return !asked || buyerOf(order) ? order : {...order, buyer: asked};
}

/** The buyer alone, after the order was deleted; null if nobody is known, or the time to keep the buyer has ended. */
export function keptAlone({record, buyer: stored}: AskingOrder, now: number): KnownBuyer | null {
  const buyer = buyerOf({buyer: stored});
  const until = keptUntil(buyer);
  if (!buyer || !record || until === null || until <= now) return null;
  return {...buyer, of: {service: record.service, order: record.order}};
}

/** Until when the buyer is kept although the order is deleted; null if the merchant asks for no longer time. */
export function keptUntil(buyer: KnownBuyer | null): number | null {
  return buyer?.keepDays === undefined ? null : buyer.at + buyer.keepDays * DAY_MS;
}
