/** Requests order codes from the platform, looks codes up, and knows which operation created a code. */

import {log} from '../../lib/log.ts';
import {formatAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {failureOf, isBroken, isExistingOrder, isTokenRefused, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {CodeOrigin, OrderRecord} from './order-store.ts';

/** The origin of a code after one more operation may have created the code. */
export function originWith({requested, madeBy}: OrderRecord, operation: CodeOrigin): CodeOrigin {
  const isOnly = madeBy === undefined ? !requested : madeBy === operation;
  return isOnly ? operation : 'unknown';
}

type PlatformCodeResult =
  /**
   * `madeBy` is set if the answer shows the code's origin, or shows that an earlier request or caller created the code.
   */
  {readonly code: string; readonly madeBy?: CodeOrigin} | {readonly failure: PlatformFailure};

/** The initial content of the form on the platform's bank page. */
export type HostedPagePrefill = NonNullable<OperationInput<'orderCodeDirect'>['PaymentNotification']>;

/**
 * Requests the code of an order from the platform. If an earlier attempt may have created the code, looks the code up
 * first. If the platform says that the code exists, or if the answer is lost, looks the code up afterwards. After a
 * timeout, the next request looks the code up, because the shopper has already waited long enough.
 * @param setRequested - Stores whether a request for the code may have reached the platform.
 * @param hosted - Set when the platform's bank page shows the code.
 */
export async function requestOrderCode(
  platform: PlatformClient,
  record: OrderRecord,
  setRequested: (requested: boolean) => void,
  hosted: HostedPagePrefill | null = null,
): Promise<PlatformCodeResult> {
  if (record.requested) {
    const found = await findOrderCode(platform, record);
    // Platforms report an unknown order in different ways, so any other failure is taken for such a report. If the
    // order does exist, the platform refuses to create a second code, and then the code is looked up.
    if ('code' in found || isBroken(found.failure) || found.failure.outcome === 'unsent') return found;
  }
  setRequested(true);
  try {
    const {split, userId} = record;
    const code = await createAtPlatform(platform, hosted, {
      code: record.service,
      order: record.order,
      amount: formatAmount(record.amount),
      payout: split?.payout,
      sub_merchant_id: split?.subMerchantId,
      fee: split?.fee,
      user_id: userId,
    });
    log('info', 'order_code_created', {service: record.service, order: record.order});
    return {code, madeBy: hosted ? 'direct' : 'create'};
  } catch (error) {
    const failure = failureOf(error);
    if (failure.outcome === 'unsent') setRequested(record.requested);
    if (isExistingOrder(failure)) {
      const found = await findOrderCode(platform, record);
      return 'code' in found ? {...found, madeBy: record.madeBy ?? 'unknown'} : found;
    }
    if (failure.outcome !== 'unknown' || failure.fault === 'timeout') return {failure};
    const found = await findOrderCode(platform, record);
    return 'code' in found ? found : {failure};
  }
}

async function createAtPlatform(
  platform: PlatformClient,
  hosted: HostedPagePrefill | null,
  order: OperationInput<'orderCodeCreate'>,
): Promise<string> {
  if (!hosted) return (await platform.call('orderCodeCreate', order)).order;
  return (await platform.call('orderCodeDirect', {...order, PaymentNotification: hosted})).code;
}

/** Reads the code of an order from the platform. Platforms report an unknown order with different failures. */
export async function findOrderCode(
  platform: PlatformClient,
  {service, order}: OrderRecord,
): Promise<PlatformCodeResult> {
  try {
    const found = await platform.call('orderCodeCheck', {code: service, order});
    log('info', 'order_code_found', {service, order});
    return {code: found.order};
  } catch (error) {
    return {failure: failureOf(error)};
  }
}

/** Whether the failure says nothing about the order itself, only that the platform cannot answer now. */
export function isPlatformTrouble(failure: PlatformFailure): boolean {
  return failure.outcome !== 'refused' || isBroken(failure) || isTokenRefused(failure);
}
