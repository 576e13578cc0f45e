/** What a page, and the offer that it sells, say of an order. */

import type {OrderRecord} from './order-state.ts';

export type OrderTold = Pick<OrderRecord, 'after' | 'page'>;

/** What was not said of the order before: the first page and the merchant's server come first. */
export function newlyTold({after, page}: OrderTold, told: OrderTold = {}): OrderTold {
  return {...told, ...(after && {after}), ...(page && {page})};
}
