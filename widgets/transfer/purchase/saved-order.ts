/** What a browser remembers of an order; none of it is a key to anybody else's. */

import type {Bank, OrderCode, RedeemedSession, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {BrowserStorage} from '../../core/storage.ts';

export interface SavedOrder {
  readonly session: NewPaymentSession | RedeemedSession | undefined;
  readonly bank: string;
  readonly stage: CheckoutStep;
  readonly slip: SavedInstructions | undefined;
  /** The hand-off the session came by. */
  readonly handoff: string;
}

/** What the shopper was given to pay with. It is shown also when the Worker follows the order no more. */
export interface SavedInstructions {
  /** The end of the session it belongs to. */
  readonly of: string;
  readonly orderCode: OrderCode;
  readonly account?: Bank | undefined;
  /** Whether it was paid: then nobody needs it any more. */
  readonly settled?: boolean | undefined;
}

/** The end of a token tells sessions apart and cannot be used as one. */
export function tokenSuffix(token: string): string {
  return token.slice(-12);
}

/** Whether the page was not just loaded anew; asked once, for what is opened later was never here before. */
let isReload =
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type !== 'navigate';

/**
 * Where what a link brought is remembered. An offer's is, like the shopper's own, for this browser. That of a session of the
 * merchant's server is for this visit of this page: the next may be for another order at the same address.
 */
export function handoffStorage(api: string, {offer, session}: PurchaseKey): BrowserStorage<SavedOrder> {
  if (!session) return new BrowserStorage([api, offer, 'brought']);
  const storage = new BrowserStorage<SavedOrder>([api, location.pathname + location.search], 'sessionStorage');
  if (!isReload) storage.write({session: undefined});
  isReload = false;
  return storage;
}

/** Who says what is being bought: an offer of the Worker's, or a session the merchant's server made. */
export interface PurchaseKey {
  readonly offer: string;
  readonly session: string;
}

/** How far the shopper has come. */
export type CheckoutStep = 'bank' | 'pay';
