/**
 * What the merchant's server sends about an order before the order code is requested. The order stores `prefill` under
 * a separate key and deletes it when the order is paid. Everything else becomes a part of the order's record. After the
 * platform may have created the code, only `prefill` and `seller` may change.
 */

import type {Seller} from '../../contract/fields.ts';
import type {MarketplaceSplit} from './order-parts.ts';

/**
 * The initial content of the payment notice form. It never contains an identity number: the shopper types that number,
 * and the Worker passes it on without storing it.
 */
export interface Prefill {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly description?: string | undefined;
}

/** What the merchant's server sends about an order in addition to its terms. */
export interface Preparation {
  readonly split?: MarketplaceSplit | undefined;
  readonly userId?: string | undefined;
  readonly prefill?: Prefill | undefined;
  /** The seller that pages show. The platform does not get the seller, so the seller may change at any time. */
  readonly seller?: Seller | undefined;
}
