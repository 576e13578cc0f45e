/** What the actors of a history know of their shoppers. */

import type {OrderBook} from './books.ts';

/** A shopper's order, and the sessions of the devices that have it open. */
export interface Purchase {
  readonly book: OrderBook;
  /** The sessions of devices that may choose a bank, and those that hand-offs opened, which only read. */
  readonly tokens: [string, ...string[]];
  readonly viewers: string[];
  /** What the page names; undefined for an order of the merchant's server. */
  readonly offer: string | undefined;
  /** The devices that wait for a code, by their index in `tokens`; sessions of one moment are the same text. */
  readonly choosing: Set<number>;
  handoff?: unknown;
  notice?: unknown;
  /** The path of the platform's payment page, and who pays on it. */
  paymentPage?: string | undefined;
  payer?: {readonly msisdn: string; readonly pin: string | undefined} | undefined;
}

export interface Subscriber {
  readonly msisdn: string;
  readonly tracking: string;
  readonly token: string;
  /** A subscriber uses either PINs or one-click. */
  readonly hasToken: boolean;
  /** How often the subscriber still tries. */
  patience: number;
  pin?: string | undefined;
  /** The subscription at the platform, after an event has named it, and the session that manages it. */
  id?: string | undefined;
  manage?: string;
}

/** A shopper who has no session yet, with the tabs that wait for a code. */
export type Visit = {readonly offer: string; readonly attempt: string; waiting: number};
