/**
 * Remembers what happened to an order beside its money, for its timeline: calls that failed, and pages that were opened.
 * The functions are pure.
 */

import type {ErrorCode} from '../../contract/codes.ts';
import type {CodeOrigin} from '../../contract/merchant/timeline.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import type {PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {READ_WINDOW_MS} from '../../session.ts';
import {isSame} from './payment.ts';

export const CALL_KINDS = [
  'code.failed',
  'code.changed',
  'code.change_failed',
  'bank_page.opened',
  'payment_page.opened',
  'payment_page.failed',
  'notice.failed',
] as const;

/** Why a call failed, without what the platform wrote: an error code, or the failure of an operation. */
export type CallRefusal =
  | {readonly code: ErrorCode}
  | {readonly operation: OperationName; readonly failure: PlatformFailure};

export interface NewCall {
  readonly what: (typeof CALL_KINDS)[number];
  /** The API key of the merchant's server that asked; null for a shopper. */
  readonly by: string | null;
  readonly refusal: CallRefusal | null;
}

export interface OrderCall extends NewCall {
  /** Epoch milliseconds. */
  readonly at: number;
}

export type {CodeOrigin};

/** What happened to an order that neither its books nor its events say. */
export interface OrderStory {
  readonly code: string | null;
  /** When the Worker got the code, and for which API key; missing for a shopper. */
  readonly codeAt?: number | undefined;
  readonly codeFor?: string | null | undefined;
  /** What created the code. */
  readonly madeBy: CodeOrigin | null;
  /** When the order was handed over to another device. */
  readonly handedOverAt?: number | undefined;
  /** The last calls that failed or opened a page, oldest first. */
  readonly calls: readonly OrderCall[];
}

/** What of an order matters here. */
interface CalledOrder {
  readonly record: object | null;
  readonly calls: readonly OrderCall[];
}

const MAX_CALLS = 10;

/**
 * The order with one more call. The same call within a minute counts once. An order that does not exist stores only why the
 * merchant's server did not get it.
 */
export function withCall<T extends CalledOrder>(order: T, {what, by, refusal}: NewCall, now: number): T {
  if (!order.record && (by === null || !refusal)) return order;
  const call = {what, by, refusal: refusal && withoutMessage(refusal)};
  const isKnown = order.calls.some(({at, ...known}) => now - at < MINUTE_MS && isSame(known, call));
  return isKnown ? order : {...order, calls: [...order.calls, {...call, at: now}].slice(-MAX_CALLS)};
}

/** Why this result is not what the shopper asked for; null if it is. */
export function refusalOf(
  result:
    | object
    | {readonly failure: PlatformFailure}
    | {readonly limited: object}
    | {readonly refused: ErrorCode}
    | {readonly foreign: true},
  operation: OperationName,
): CallRefusal | null {
  if ('failure' in result) return {operation, failure: result.failure};
  if ('limited' in result) return {code: 'rate_limited'};
  if ('foreign' in result) return {code: 'order_exists'};
  return 'refused' in result ? {code: result.refused} : null;
}

function withoutMessage(refusal: CallRefusal): CallRefusal {
  if ('code' in refusal || refusal.failure.outcome !== 'refused') return refusal;
  return {...refusal, failure: {...refusal.failure, message: ''}};
}

/** When the calls of an order that does not exist are forgotten; null if there are none. */
export function callsEnd({calls}: CalledOrder): number | null {
  const last = calls.at(-1);
  return last ? last.at + READ_WINDOW_MS : null;
}
