/** Requests the code of an order from the platform, and finds a code whose request was interrupted. */

import {SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {
  failureOf,
  isBroken,
  isExistingOrder,
  isRateLimited,
  isTokenRefused,
  isUnsent,
  type PlatformFailure,
} from '../../platform/failure.ts';
import type {OperationInput, OperationName} from '../../platform/operations/index.ts';
import type {CodeOrigin} from './order-calls.ts';
import {withCode} from './order-code-changes.ts';
import type {OrderAccess} from './order-effects.ts';
import {nextPart, type OrderPart, withPartCode} from './order-parts.ts';
import {type OrderRecord, type Preparation, withRecord} from './order-state.ts';

/** A request of the merchant's server for a code. The platform gets it as it is, and decides. */
export interface ServerCodeRequest {
  readonly request: CodeInput;
  /** What the order stores of the request. */
  readonly preparation: Preparation & {readonly by: string};
  /** Whether to take an order that another system created. */
  readonly adopt: boolean;
  /** Set if the object may have died after an earlier try of the same request was sent. */
  readonly isRepeated: boolean;
  /** Asked just before the request is sent. If the caller has given up, or is gone, nothing is sent. */
  readonly maySend?: () => boolean | Promise<boolean>;
}

export type ServerCodeResult =
  | {readonly code: string}
  /** The merchant has cancelled the order. */
  | {readonly cancelled: true}
  /** `isForeign`: the platform refuses the code because another system created the order. */
  | {readonly failure: PlatformFailure; readonly operation: OperationName; readonly isForeign?: boolean};

/** Nobody knows yet whose order the platform has, how much it costs, or who buys. The caller asks again. */
export const UNDECIDED = {failure: {outcome: 'unsent', retryAfterMs: SECOND_MS}} as const;

export type PlatformCodeResult =
  /**
   * `madeBy` is set if the answer shows the code's origin, or shows that an earlier request or caller created the code.
   */
  | {readonly code: string; readonly madeBy?: CodeOrigin}
  /** `isUndone`: the platform did nothing. */
  | {readonly failure: PlatformFailure; readonly isUndone?: boolean}
  /** The platform has an order with this reference, which another system created. */
  | {readonly foreign: true};

/** The shopper who is sent to the platform's bank page. */
export interface HostedShopper {
  /** The shopper's IP address. */
  readonly address: string;
}

/** The initial content of the form on the platform's bank page. */
export type HostedPagePrefill = NonNullable<OperationInput<'orderCodeDirect'>['PaymentNotification']>;

/**
 * Requests the code of an order from the platform. If an earlier attempt may have created the code, looks the code up
 * first. If the platform says that the code exists, or if the answer is lost, looks the code up afterwards. After a
 * timeout, the next request looks the code up, because the shopper has already waited long enough.
 * @param record - The record before this request.
 * @param isOwn - Whether an order that the platform has may be this one; see `isOurs`.
 * @param hosted - Set when the platform's bank page shows the code.
 */
export async function requestOrderCode(
  platform: PlatformClient,
  record: OrderRecord,
  isOwn: boolean,
  hosted: HostedPagePrefill | null = null,
): Promise<PlatformCodeResult> {
  if (record.requested) {
    const found = await findOrderCode(platform, record);
    // Platforms report an unknown order in different ways, so any other failure is taken for such a report. If the
    // order does exist, the platform refuses to create a second code, and then the code is looked up.
    if ('code' in found || isPlatformTrouble(found.failure)) return found;
  }
  try {
    const code = await createAtPlatform(platform, hosted, record, record.parts?.[0]);
    log('info', 'order_code_created', {service: record.service, order: record.order});
    return {code, madeBy: hosted ? 'direct' : 'create'};
  } catch (error) {
    const failure = failureOf(error);
    if (isExistingOrder(failure)) {
      if (!isOwn) return {foreign: true};
      const found = await findOrderCode(platform, record);
      return 'code' in found ? {...found, madeBy: record.madeBy ?? 'unknown'} : found;
    }
    const isUndone = isUnsent(failure) || (failure.outcome === 'refused' && !isBroken(failure));
    if (failure.outcome !== 'unknown' || failure.fault === 'timeout') return {failure, isUndone};
    const found = await findOrderCode(platform, record);
    return 'code' in found ? found : {failure};
  }
}

/** A request for a code, with the fields of the platform. */
export type CodeInput =
  | {readonly operation: 'orderCodeCreate'; readonly input: OperationInput<'orderCodeCreate'>}
  | {readonly operation: 'orderCodeDirect'; readonly input: OperationInput<'orderCodeDirect'>};

/** Has the platform create a code. */
export async function createCode(platform: PlatformClient, {operation, input}: CodeInput): Promise<string> {
  return operation === 'orderCodeCreate'
    ? (await platform.call(operation, input)).order
    : (await platform.call(operation, input)).code;
}

/** @param part - The part that is created; undefined if the order has no split. */
export async function createAtPlatform(
  platform: PlatformClient,
  hosted: HostedPagePrefill | null,
  {service, order: reference, amount, userId}: OrderRecord,
  part: OrderPart | undefined,
): Promise<string> {
  const order = {
    code: service,
    order: reference,
    amount: formatAmount(part?.amount ?? amount),
    payout: part?.payout,
    sub_merchant_id: part?.subMerchantId,
    fee: part?.fee,
    user_id: userId,
  };
  return hosted
    ? createCode(platform, {operation: 'orderCodeDirect', input: {...order, PaymentNotification: hosted}})
    : createCode(platform, {operation: 'orderCodeCreate', input: order});
}

/** Reads the code of an order from the platform. Platforms report an unknown order with different failures. */
export async function findOrderCode(
  platform: PlatformClient,
  {service, order}: Pick<OrderRecord, 'service' | 'order'>,
): Promise<Exclude<PlatformCodeResult, {readonly foreign: true}>> {
  try {
    const {order: code} = await platform.call('orderCodeCheck', {code: service, order});
    if (code === null) return {failure: {outcome: 'refused', status: '000', message: ''}};
    log('info', 'order_code_found', {service, order});
    return {code};
  } catch (error) {
    return {failure: failureOf(error)};
  }
}

/** Whether the failure says nothing about the order itself, only that the platform cannot answer now. */
export function isPlatformTrouble(failure: PlatformFailure): boolean {
  return failure.outcome !== 'refused' || isBroken(failure) || isTokenRefused(failure) || isRateLimited(failure);
}

/**
 * Has the platform add the parts of further sub-merchants, one after the other, each at most once. A refused part is
 * requested again with the next request for the code; until then, no page shows the code.
 */
export async function requestParts(
  order: OrderAccess,
  code: string,
  page: HostedPagePrefill | null,
): Promise<{failure: PlatformFailure} | null> {
  const setCode = (part: OrderPart, partCode: string | null | undefined) =>
    order.commit(
      (known) => withRecord(known, {parts: withPartCode(known.record?.parts, partCode, part.subMerchantId)}),
      {is: 'code-request'},
    );
  for (let part = missingPart(order); part; part = missingPart(order)) {
    const {record} = order.state();
    if (!record) return null;
    // If the process dies during the request, the part stays one of which nobody knows whether the platform has it.
    await setCode(part, null);
    try {
      await setCode(part, await createAtPlatform(order.services().platform, page, record, part));
    } catch (error) {
      const failure = failureOf(error);
      log('error', 'order_part_missing', {service: record.service, order: record.order});
      // The contract has no way to ask which parts an order has, and a platform may add the same part twice.
      if (failure.outcome !== 'unsent' && isBroken(failure)) continue;
      await setCode(part, undefined);
      return {failure};
    }
  }
  if (order.state().record?.code === null)
    await order.commit((known, now) => withCode(known, code, now, {by: null}), {is: 'code-request'});
  return null;
}

/** The next part to request after the first one has a code. */
function missingPart(order: OrderAccess): OrderPart | undefined {
  const {record} = order.state();
  return record?.code === null ? nextPart(record.parts) : undefined;
}
