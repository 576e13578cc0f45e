/** Makes an order code once, though an answer may get lost on the way. */

import {log} from '../../lib/log.ts';
import {formatAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {failureOf, isBroken, isExistingOrder, type PlatformFailure} from '../../platform/failure.ts';
import type {Input} from '../../platform/operations/index.ts';
import type {OrderRecord} from './order-store.ts';

type PlatformCodeResult = {readonly code: string} | {readonly failure: PlatformFailure};

/** What the platform's own bank page begins with, where it shows the code instead of ours. */
export type Hosted = NonNullable<Input<'orderCodeDirect'>['PaymentNotification']>;

/**
 * Asks for the code of an order. An order that may have been made by an earlier attempt is looked up
 * first; one that turns out to exist, or whose answer was lost, is read back. After a time-out the shopper
 * has waited long enough: the next request looks it up.
 * @param setRequested keeps, durably, whether the platform may have been asked to make the code.
 * @param hosted where the platform's page shows the code.
 */
export async function requestOrderCode(
  platform: PlatformClient,
  record: OrderRecord,
  setRequested: (requested: boolean) => void,
  hosted: Hosted | null = null,
): Promise<PlatformCodeResult> {
  if (record.requested) {
    const found = await findOrderCode(platform, record);
    // Whatever a platform's word for an unknown order is, making one that exists is refused and read back.
    if ('code' in found || isBroken(found.failure) || found.failure.outcome === 'unsent') return found;
  }
  setRequested(true);
  try {
    const {split, userId} = record;
    const code = await makeCode(platform, hosted, {
      code: record.service,
      order: record.order,
      amount: formatAmount(record.amount),
      payout: split?.payout,
      sub_merchant_id: split?.subMerchantId,
      fee: split?.fee,
      user_id: userId,
    });
    log('info', 'order_code_created', {service: record.service, order: record.order});
    return {code};
  } catch (error) {
    const failure = failureOf(error);
    if (failure.outcome === 'unsent') setRequested(record.requested);
    if (isExistingOrder(failure)) return findOrderCode(platform, record);
    if (failure.outcome !== 'unknown' || failure.fault === 'timeout') return {failure};
    const found = await findOrderCode(platform, record);
    return 'code' in found ? found : {failure};
  }
}

async function makeCode(
  platform: PlatformClient,
  hosted: Hosted | null,
  order: Input<'orderCodeCreate'>,
): Promise<string> {
  if (!hosted) return (await platform.call('orderCodeCreate', order)).order;
  return (await platform.call('orderCodeDirect', {...order, PaymentNotification: hosted})).code;
}

/** The code of an order that the platform has; how it answers where there is none differs. */
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
