/** The orders that the test bank lists. */

import type {SandboxOrder} from './sandbox-client.ts';

const SHOWN_ORDERS = 3;

export const isPaid = ({amount, arrived}: SandboxOrder): boolean => Number(arrived) >= Number(amount);

/**
 * Those that wait for money come first. The user's own stay in the list, even if they are paid or others are newer.
 * @param orders - Newest first.
 * @param own - Order codes.
 */
export function listedOrders(orders: readonly SandboxOrder[], own: readonly string[]): SandboxOrder[] {
  return orders
    .toSorted((a, b) => Number(isPaid(a)) - Number(isPaid(b)))
    .filter(({order_code: code}, index) => index < SHOWN_ORDERS || own.includes(code));
}
