/** How a marketplace order's money is split among sub-merchants. The functions are pure. */

import type {Kurus} from '../../lib/money.ts';
import type {Failures} from '../../lib/retry.ts';
import {sumOf} from '../../lib/sum.ts';

/** How the money of one sub-merchant is split (`docs/spec/orders.md`, 2.2). */
export interface MarketplaceSplit {
  /** Text that the Worker passes on unchanged. */
  readonly payout?: string | undefined;
  readonly subMerchantId?: string | undefined;
  readonly fee?: string | undefined;
}

/** The part of one sub-merchant. The merchant's server may have told only some of its split. */
export interface OrderPart extends MarketplaceSplit {
  readonly amount: Kurus;
  /**
   * The code with which the platform answered the request for this part. Undefined before the platform is asked, and
   * after a refusal. Null from the request until its answer: if the answer is lost, nobody knows whether the platform
   * has the part, so the part is not requested again.
   */
  readonly code?: string | null | undefined;
}

/** A change of the merchant's server that was sent to the platform. */
export interface SentChange {
  readonly part: OrderPart;
  readonly by: string;
  /** When it is sent again. */
  readonly retry: Failures;
  /** Set if it had agreed parameters, which are not stored. */
  readonly unrepeatable?: true;
}

/** An order's amount, and what is known of its last changes; see `OrderRecord`. */
interface ChangedAmount {
  readonly amount: Kurus;
  readonly change?: SentChange | undefined;
  readonly mayCost?: Kurus | undefined;
}

/** What an order costs; if nobody knows it, the largest amount that is possible. */
export function costOf({amount, mayCost = amount}: ChangedAmount): Kurus {
  return mayCost;
}

/** Whether nobody knows which amount the platform has, because a change has no answer, or never got one. */
export function isAmountUnclear(order: ChangedAmount | null): boolean {
  return (order?.change ?? order?.mayCost) !== undefined;
}

/** The parts of an order, of which the order's amount is the sum. The first part's code is the order's. */
export type OrderParts = readonly OrderPart[];

/** The part that has the whole amount of an order; undefined for an order without a split. */
export function onlyPart(amount: Kurus, split: MarketplaceSplit): OrderParts | undefined {
  return SPLIT_FIELDS.some((field) => split[field] !== undefined) ? [{amount, ...split}] : undefined;
}

const SPLIT_FIELDS = ['payout', 'subMerchantId', 'fee'] as const;

/** Whether the named parts match the order's parts. If none are named, they match. */
export function areSameParts(named: OrderParts | undefined, known: OrderParts = []): boolean {
  return (
    named === undefined ||
    (named.length === known.length &&
      named.every((part) =>
        known.some(
          (other) => part.amount === other.amount && SPLIT_FIELDS.every((field) => part[field] === other[field]),
        ),
      ))
  );
}

/** The order's amount: the sum of its parts. */
export function amountOf(parts: OrderParts): Kurus {
  return sumOf(parts, ({amount}) => amount);
}

/**
 * The parts of an order after the merchant's server added the part of another sub-merchant, or changed a known part.
 * Null if the order has no split, or if the part is the order's only one.
 */
export function partsWith(parts: OrderParts | undefined, part: OrderPart): OrderParts | null {
  const {subMerchantId: id} = part;
  const first = parts?.[0]?.subMerchantId;
  if (!parts || first === undefined || id === undefined || (parts.length === 1 && first === id)) return null;
  const isKnown = parts.some(({subMerchantId}) => subMerchantId === id);
  return isKnown
    ? parts.map((known) => (known.subMerchantId === id ? mergePart(known, part) : known))
    : [...parts, part];
}

/** The fields of an order that a change of its amount or split concerns. */
interface SplitOrder {
  readonly amount: Kurus;
  readonly parts?: OrderParts | undefined;
}

/**
 * The order after its amount or split was changed at the platform. A change that names a sub-merchant concerns only the
 * part of this sub-merchant. A change that names no sub-merchant concerns the whole order: the order has the new
 * amount, and the parts keep their shares. Fields of the split that the change leaves out stay as they were.
 */
export function amendedOrder({parts}: SplitOrder, change: OrderPart): SplitOrder {
  const {amount} = change;
  const named = partsWith(parts, change);
  if (named) return {amount: amountOf(named), parts: named};
  if (!parts) return {amount, parts: onlyPart(amount, change)};
  const [first, ...others] = rescale(parts, amount);
  return {amount, parts: first && [mergePart(first, {...change, amount: first.amount}), ...others]};
}

function mergePart(known: OrderPart, {amount, code, payout, subMerchantId, fee}: OrderPart): OrderPart {
  return {
    amount,
    payout: payout ?? known.payout,
    subMerchantId: subMerchantId ?? known.subMerchantId,
    fee: fee ?? known.fee,
    code: code ?? known.code,
  };
}

/** Divides a new sum in the proportion of the parts. The first part also gets what rounding leaves. */
function rescale(parts: OrderParts, sum: Kurus): OrderParts {
  const known = Math.max(1, amountOf(parts));
  const [first, ...others] = parts.map((part) => ({...part, amount: Math.floor((part.amount * sum) / known)}));
  return first ? [{...first, amount: sum - amountOf(others)}, ...others] : [];
}

/** The next part that the platform was not asked for; undefined if there is none. */
export function nextPart(parts: OrderParts = []): OrderPart | undefined {
  return parts.find(({code}) => code === undefined);
}

/** The parts with the code of one of them; see `OrderPart`. Without a sub-merchant's id, the first part. */
export function withPartCode(
  parts: OrderParts | undefined,
  code: string | null | undefined,
  subMerchantId = parts?.[0]?.subMerchantId,
): OrderParts | undefined {
  return parts?.map((part) => (part.subMerchantId === subMerchantId ? {...part, code} : part));
}
