/** What the browser stores about an order. The stored data gives access only to this shopper's order. */

import type {Bank, OrderCode, RedeemedSession, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import type {Buyer} from '../../../worker/contract/buyer.ts';
import {BrowserStorage} from '../../core/storage.ts';

export interface SavedOrder {
  readonly session: NewPaymentSession | RedeemedSession | undefined;
  readonly bank: string;
  readonly step: CheckoutStep;
  readonly instructions: SavedInstructions | undefined;
  /** The code of the hand-off that brought the session. */
  readonly handoff: string;
  /** The attempt to place the order. It is deleted when its answer has brought a session. */
  readonly attempt: OrderAttempt | undefined;
  /** The last payment notice that the shopper has submitted on the platform's page. */
  readonly report: SavedReport | undefined;
}

/** The shopper's return from the platform's page for payment notices, after submitting a notice. */
export interface SavedReport {
  /** The `tokenSuffix` of the session of the order. */
  readonly session: string;
  /** When the shopper returned, in epoch milliseconds of this device. */
  readonly at: number;
}

/** An attempt to place an order. A repeated request with the same id gets the same order. */
export interface OrderAttempt {
  /** A secret of the shopper: it gives access to the order. */
  readonly id: string;
  /** The amount that the shopper saw. */
  readonly amount: string;
  /** When the attempt began, in epoch milliseconds. */
  readonly at: number;
}

/** The order code and account that the shopper saw. They stay visible when the Worker no longer accepts the session. */
export interface SavedInstructions {
  /** The `tokenSuffix` of the session to which the instructions belong. */
  readonly session: string;
  readonly orderCode: OrderCode;
  readonly account?: Bank | undefined;
  /** Whether the payment is final. If it is, the shopper no longer needs the instructions. */
  readonly isSettled?: boolean | undefined;
  /** Whether the payment was over when the page last read it. */
  readonly isOver?: boolean | undefined;
  /** The amount that had arrived when the shopper last said that the money is sent. */
  readonly sentAfter?: string | undefined;
  /** When the shopper said so, in epoch milliseconds of this device. */
  readonly sentAt?: number | undefined;
  /** The amount that has arrived, and the amount that is missing, as the page last read them. */
  readonly paid?: string | undefined;
  readonly remaining?: string | undefined;
}

/** Who buys. Only this tab keeps it, until the order has it. */
export interface SavedBuyer {
  /** What the shopper has typed, by the paths of the fields. */
  readonly draft: Readonly<Record<string, string | boolean>> | undefined;
  /** What the page sends with each request for a code, so that a lost answer loses nothing. */
  readonly given: Buyer | undefined;
  /** The `tokenSuffix` of the session whose order asks for nothing any more. */
  readonly of: string;
}

/** The end of a token. It identifies a session, but does not give access to it. */
export function tokenSuffix(token: string): string {
  return token.slice(-12);
}

/**
 * Whether the page was reloaded or restored. `handoffStorage` sets it to false after its first call, because later
 * calls belong to a new visit.
 */
let isReload =
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type !== 'navigate';

/**
 * Storage for the order of a hand-off link. If the purchase has an offer, this order is kept for the same time as the
 * shopper's own order. If the merchant's server created the session, the order is kept only for this visit, because the
 * next visit to the same URL may be for another order.
 */
export function handoffStorage(api: string, {offer, session}: PurchaseKey): BrowserStorage<SavedOrder> {
  if (!session) return new BrowserStorage([api, offer, 'brought']);
  const storage = new BrowserStorage<SavedOrder>([api, location.pathname + location.search], 'sessionStorage');
  if (!isReload) storage.write({session: undefined});
  isReload = false;
  return storage;
}

/**
 * Identifies a purchase by its offer, or by a session that the merchant's server created. Exactly one of the two is
 * set; the other is an empty string.
 */
export interface PurchaseKey {
  readonly offer: string;
  readonly session: string;
}

/** The step of the checkout that is shown. */
export type CheckoutStep = 'bank' | 'pay';
