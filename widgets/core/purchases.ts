/** What a page learns of a purchase, and how it listens. */

import type {Campaign} from '../../worker/contract/browser/page-facts.ts';

/** An order whose whole amount has arrived. */
export interface PaidPurchase {
  readonly kind: 'payment';
  /** The merchant's reference of the order, which no other purchase has. */
  readonly order: string;
  readonly order_code: string | null;
  /** Decimal text, such as `149.90`. */
  readonly amount: string;
  readonly currency: 'TRY';
  /** The offer; null if the merchant's server set the terms. */
  readonly offer: string | null;
  /** The campaign in the address of the page that ordered. */
  readonly campaign: Campaign;
}

export interface PurchaseOptions {
  /** Each name gets each order once. By default, it is the listener's place in the sequence of the page's calls. */
  readonly name?: string;
  /** Whether the listener waits for the shopper's consent to tracking. */
  readonly consent?: boolean;
}

/** @param listener - Gets each order once in this browser. If it returns a promise, the order counts after it. */
export type OnPurchase = (listener: (purchase: PaidPurchase) => unknown, options?: PurchaseOptions) => void;

/** Keeps the listeners of a page until money arrives. Only then does the file load that calls them. */
export function keepPurchaseListeners(): void {
  const page = (self.vezne ??= {});
  page.onPurchase ??= (...call) => void (page.purchases ??= []).push(call);
}
