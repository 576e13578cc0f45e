/** The split of a marketplace order, and the parts of several sub-merchants. The functions are pure. */

import type {Kurus} from '../../lib/money.ts';

/** How a marketplace order's money is split (`docs/spec/orders.md`, 2.2). */
export interface MarketplaceSplit {
  /** Text that the Worker passes on unchanged. */
  readonly payout?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly fee?: string | undefined;
}

/** The amounts of an order by sub-merchant id. The order's amount is their sum. */
export type OrderParts = Readonly<Record<string, Kurus>>;

/** Whether the named split matches the order's split. A field that is left out matches. */
export function isSameSplit(named: MarketplaceSplit = {}, known: MarketplaceSplit = {}): boolean {
  return (['payout', 'subMerchantId', 'fee'] as const).every(
    (field) => (named[field] ?? known[field]) === known[field],
  );
}

/** The split after a change. Fields that the change leaves out stay as they were. */
export function mergeSplit(known: MarketplaceSplit = {}, change: MarketplaceSplit): MarketplaceSplit {
  return {
    payout: change.payout ?? known.payout,
    subMerchantId: change.subMerchantId ?? known.subMerchantId,
    fee: change.fee ?? known.fee,
  };
}

/**
 * The parts of an order after the merchant's server added the part of another sub-merchant, or changed a known part.
 * Null if the order has at most one sub-merchant.
 */
export function partsWith(
  {
    amount,
    split,
    parts,
  }: {readonly amount: Kurus; readonly split?: MarketplaceSplit | undefined; readonly parts?: OrderParts | undefined},
  added: Kurus,
  {subMerchantId: id}: MarketplaceSplit,
): OrderParts | null {
  const first = split?.subMerchantId;
  if (first === undefined || id === undefined || (!parts && first === id)) return null;
  return {...(parts ?? {[first]: amount}), [id]: added};
}

/** The fields of an order that a change of its amount or split concerns. */
interface SplitOrder {
  readonly amount: Kurus;
  readonly split?: MarketplaceSplit | undefined;
  readonly parts?: OrderParts | undefined;
}

/**
 * The order after its amount or split was changed at the platform. A change that names a sub-merchant concerns only the
 * part of this sub-merchant. A change that names no sub-merchant concerns the whole order: the order has the new
 * amount, and the parts keep their shares.
 */
export function amendedOrder(order: SplitOrder, amount: Kurus, change: MarketplaceSplit): SplitOrder {
  const named = partsWith(order, amount, change);
  if (named) return {amount: sumOf(named), split: order.split, parts: named};
  return {amount, split: mergeSplit(order.split, change), parts: order.parts && rescale(order.parts, amount)};
}

/** The order's amount: the sum of its parts. */
export function sumOf(parts: OrderParts): Kurus {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** Divides a new sum in the proportion of the parts. The first part also gets what rounding leaves. */
function rescale(parts: OrderParts, sum: Kurus): OrderParts {
  const [[first] = [''], ...others] = Object.entries(parts);
  const known = Math.max(1, sumOf(parts));
  const rest = others.map(([id, part]) => [id, Math.floor((part * sum) / known)] as const);
  return {[first]: sum - rest.reduce((total, [, part]) => total + part, 0), ...Object.fromEntries(rest)};
}
