/** Changes of an order that concern its code, and whose code it is. The functions are pure. */

import {HOUR_MS} from '../../lib/durations.ts';
import {isExistingOrder} from '../../platform/failure.ts';
import type {OrderTerms} from '../../session.ts';
import {watchdogAt} from '../schedule.ts';
import type {CodeOrigin} from './order-calls.ts';
import {amendedOrder, amountOf, costOf, nextPart, type OrderPart, partsWith, withPartCode} from './order-parts.ts';
import {
  EMPTY_ORDER,
  opened,
  type OrderRecord,
  type OrderState,
  type Preparation,
  presented,
  retained,
  withRecord,
} from './order-state.ts';

/** Whether a page's offer made the order, so that its reference is random and no other system can have it. */
export function isNamedByWorker({offer, shared}: Pick<OrderRecord, 'offer' | 'shared'>): boolean {
  return offer !== undefined && shared !== true;
}

/** Whether a request of ours may have created the order at the platform, or no other system can have it. */
export function isOurs(record: OrderRecord): boolean {
  return isNamedByWorker(record) || (record.requested && !record.foreign);
}

/** Whether transfers that name the order are paid for it, and not for an order of another system. */
export function takesTransfers(record: OrderRecord): boolean {
  return record.code !== null || isOurs(record);
}

/**
 * Whether another system created the order. If only a request of the merchant's server met it, just the order's calls
 * say so.
 */
export function isForeign({record, calls}: OrderState): boolean {
  if (record && takesTransfers(record)) return false;
  return (
    record?.foreign === true ||
    calls.some(({refusal}) => refusal && 'failure' in refusal && isExistingOrder(refusal.failure))
  );
}

/**
 * The order with its code, which the sweep does not know yet. If several sub-merchants have a part, it is only the code
 * of the first part until the platform was asked for each.
 * @param by - For whom the code is; by default, for whoever placed the order.
 */
export function withCode(
  order: OrderState,
  code: string,
  now: number,
  {madeBy, by}: {readonly madeBy?: CodeOrigin | undefined; readonly by?: string | null} = {},
): OrderState {
  if (!order.record || order.record.code === code) return order;
  const parts = withPartCode(order.record.parts, code);
  const origin = madeBy ?? order.record.madeBy ?? 'unknown';
  const codeFor = by === undefined ? (order.record.placedBy ?? null) : by;
  const known = nextPart(parts) ? {} : {code, codeAt: now, codeFor};
  return asked(withRecord(retained(order), {parts, ...known, madeBy: origin, foreign: undefined}), now);
}

/** The code of the order's first part. */
export function firstCode({record}: OrderState): string | null | undefined {
  return record?.code ?? record?.parts?.[0]?.code;
}

/** The order, whose code the platform may have created and the sweep has to learn of. */
export function asked(order: OrderState, now: number): OrderState {
  const {untracked} = order.record ?? {};
  return untracked?.failures === 0 ? order : withRecord(order, {untracked: {failures: 0, retryAt: watchdogAt(now)}});
}

/** The order, whose code the merchant's server requests with these terms now. */
export function expected(
  order: OrderState,
  terms: OrderTerms,
  {operation, ...preparation}: Preparation & {operation: CodeOrigin},
  now: number,
): OrderState {
  const open = opened(order, terms, now, preparation.by);
  const {record} = open;
  if (record.code !== null) return open;
  const madeBy = originWith(record, operation);
  // The platform may already have been asked for this code, so the code may exist with the known terms.
  if (record.requested) return asked(withRecord(open, {madeBy, expected: undefined}), now);
  const {parts, userId, hours} = preparation;
  const change = {
    amount: terms.amount,
    parts,
    userId,
    requested: true,
    ...timeToPay(record, terms, hours, now),
    madeBy,
    expected: {before: order.record && termsOf(order.record)},
  };
  return asked(presented(withRecord(open, change), preparation), now);
}

/**
 * The order after the platform refused the request of the merchant's server. The terms from before `expected` apply
 * again, except for changes that pages made in between.
 */
export function refused(order: OrderState): OrderState {
  const {expected: request} = order.record ?? {};
  if (!request) return order;
  if (request.before) return withRecord(order, {...request.before, expected: undefined});
  return {...EMPTY_ORDER, journal: order.journal, calls: order.calls};
}

/** The order, which another system created at the platform, as it was before its code was requested. */
export function asForeign(order: OrderState): OrderState {
  const {expected: request} = order.record ?? {};
  if (request?.before === null) return {...EMPTY_ORDER, journal: order.journal, calls: order.calls};
  const before = request?.before ?? {};
  return withRecord(order, {madeBy: null, ...before, requested: false, expected: undefined, foreign: true});
}

/** The order with the code that the platform created for the merchant's server, and its terms. */
export function created(
  order: OrderState,
  code: string,
  terms: OrderTerms,
  {operation, parts, userId, by, ...shown}: Preparation & {operation: CodeOrigin},
  now: number,
): OrderState {
  const open = opened(order, terms, now, by);
  const made = withPartCode(parts, code);
  // The platform changes no order before it has created it.
  const amount = open.record.changed ? {} : {amount: terms.amount, parts: made};
  const change = {...amount, userId, requested: true, expected: undefined, madeBy: operation};
  const extended = made?.[0] && withPart(open, made[0]);
  return presented(
    extended
      ? withCode(extended, firstCode(extended) ?? code, now, {by: by ?? null})
      : withCode(withRecord(open, change), code, now, {by: by ?? null}),
    shown,
  );
}

/** The order with the code of another system's order, which the merchant's server adopts. */
export function adopted(
  order: OrderState,
  code: string,
  terms: OrderTerms,
  {parts, userId, hours, by, ...shown}: Preparation,
  now: number,
): OrderState {
  const open = opened(order, terms, now, by);
  const change = {
    amount: terms.amount,
    parts: withPartCode(parts, code),
    userId,
    requested: true,
    expected: undefined,
    foreign: undefined,
    knownBefore: true,
    ...timeToPay(open.record, terms, hours, now),
  } as const;
  return presented(withCode(withRecord(open, change), code, now, {madeBy: 'unknown', by: by ?? null}), shown);
}

/** The time to pay, if the merchant's server requests the code now. An order that has expired may expire again. */
function timeToPay({expiresAt}: OrderRecord, terms: OrderTerms, hours: number | undefined, now: number) {
  const isLeft = expiresAt > now && hours === undefined;
  return {expiresAt: isLeft ? expiresAt : now + terms.hours * HOUR_MS, expired: undefined};
}

/** The fields that apply again if the platform refuses the code to the merchant's server. */
function termsOf({amount, parts, userId, requested, expiresAt, expired, madeBy}: OrderRecord): Partial<OrderRecord> {
  return {amount, parts, userId, requested, expiresAt, expired, madeBy};
}

/** The origin of a code after one more operation may have created the code. */
export function originWith({madeBy}: OrderRecord, operation: CodeOrigin): CodeOrigin {
  return madeBy === null || madeBy === operation ? operation : 'unknown';
}

/** The order with the part of another sub-merchant; null if the platform has no part of the order yet. */
export function withPart(order: OrderState, part: OrderPart): OrderState | null {
  const {parts: known} = order.record ?? {};
  const parts = known?.some(({code}) => code !== undefined) ? partsWith(known, part) : null;
  return parts && withRecord(order, {parts, amount: amountOf(parts), expected: undefined});
}

/** The order with an amount and a split that were changed at the platform. Fields that the split leaves out stay. */
export function amended(order: OrderState, part: OrderPart): OrderState {
  if (!order.record) return order;
  return withRecord(order, {...amendedOrder(order.record, part), expected: undefined, changed: true});
}

/** The order, of which nobody knows whether the platform made the last change: the larger amount counts. */
export function withUnclearAmount(order: OrderState): OrderState {
  const {record} = order;
  if (!record?.change) return order;
  const most = Math.max(costOf(record), amendedOrder(record, record.change.part).amount);
  return withRecord(order, {change: undefined, mayCost: most});
}

/** What a page, and the offer that it sells, say of an order. */
export type OrderTold = Pick<OrderRecord, 'after' | 'page'>;

/** What was not said of the order before: the first page and the merchant's server come first. */
export function newlyTold({after, page}: OrderTold, told: OrderTold = {}): OrderTold {
  return {...told, ...(after && {after}), ...(page && {page})};
}
