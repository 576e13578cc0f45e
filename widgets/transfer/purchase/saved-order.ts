/** What the browser stores about an order. It gives access to no other shopper's order. */

import type {Bank, OrderCode, RedeemedSession, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {BrowserStorage} from '../../core/storage.ts';

export interface SavedOrder {
  readonly session: NewPaymentSession | RedeemedSession | undefined;
  readonly bank: string;
  readonly stage: CheckoutStep;
  readonly slip: SavedInstructions | undefined;
  /** Code of the hand-off that brought the session. */
  readonly handoff: string;
}

/** The order code and account that the shopper saw. They stay visible if the Worker stops answering for the order. */
export interface SavedInstructions {
  /** `tokenSuffix` of the session they belong to. */
  readonly of: string;
  readonly orderCode: OrderCode;
  readonly account?: Bank | undefined;
  /** Whether the order was paid, so that the shopper no longer needs the instructions. */
  readonly settled?: boolean | undefined;
}

/** The end of a token. It identifies a session, but does not give access to it. */
export function tokenSuffix(token: string): string {
  return token.slice(-12);
}

/** Whether the page was reloaded or restored. False after the first hand-off storage: later ones are of a new visit. */
let isReload =
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type !== 'navigate';

/**
 * The storage of the order of a hand-off link. For an offer, it lasts as long as the shopper's own order. For a session
 * of the merchant's server, it lasts only for this visit: the next visit to the same address may be for another order.
 */
export function handoffStorage(api: string, {offer, session}: PurchaseKey): BrowserStorage<SavedOrder> {
  if (!session) return new BrowserStorage([api, offer, 'brought']);
  const storage = new BrowserStorage<SavedOrder>([api, location.pathname + location.search], 'sessionStorage');
  if (!isReload) storage.write({session: undefined});
  isReload = false;
  return storage;
}

/** What identifies a purchase: an offer, or a session created by the merchant's server. The other one is empty. */
export interface PurchaseKey {
  readonly offer: string;
  readonly session: string;
}

/** The step of the checkout that is shown. */
export type CheckoutStep = 'bank' | 'pay';
