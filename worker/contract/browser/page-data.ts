/**
 * The data that `/checkout.js` and `/subscribe.js` contain. The data is public and the same for every shopper: it has
 * no session. Only for a page whose origin is not allowed, all data is null. The file has types only.
 */

import type {BuyerForm} from '../buyer.ts';
import type {Localized} from '../fields.ts';
import type {BankList} from './answers.ts';
import type {SubscriptionTerms} from './subscription-answers.ts';

/**
 * The build writes this text, in double quotes, exactly once into each template of a page script. The Worker replaces
 * the text and its quotes by the data as JSON.
 */
export type PageDataPlaceholder = '__VEZNE_PAGE_DATA__';

/** The data in `/checkout.js`. */
export interface CheckoutPageData {
  /** Null if there is no list: the platform does not answer, and the Worker has no older list. */
  readonly banks: BankList | null;
  /** Null if the script's URL does not name an offer of the kind `payment`. */
  readonly offer: {
    readonly id: string;
    readonly title: Localized;
    readonly amount: string;
    readonly currency: 'TRY';
    /** What the page asks the shopper for before it asks for the order code; left out if it asks for nothing. */
    readonly buyer_form?: BuyerForm;
  } | null;
}

/** The data in `/subscribe.js`. */
export interface SubscribePageData {
  /** Null if the script's URL does not name an offer of the kind `subscription`. */
  readonly offer: ({readonly id: string} & Omit<SubscriptionTerms, 'create_until'>) | null;
}

export type PageData = CheckoutPageData | SubscribePageData;
