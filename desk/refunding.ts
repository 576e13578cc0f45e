/** Says how much of an order is being sent back. */

import type {Order} from './client.ts';
import {sumOf} from './format.ts';

/** States of a refund that has no result yet. */
const UNDER_WAY: ReadonlySet<string> = new Set(['waiting', 'processing', 'not_notified']);

/** The sum of the refunds that are under way; null if there is none. */
export function refundingOf(refunds: Order['refunds']): string | null {
  const underWay = refunds.filter(({state}) => UNDER_WAY.has(state ?? ''));
  return underWay.length === 0 ? null : sumOf(underWay.map(({amount}) => amount ?? '0.00'));
}
