/** Requests the parts of further sub-merchants of an order from the platform. */

import {log} from '../../lib/log.ts';
import {failureOf, isBroken, type PlatformFailure} from '../../platform/failure.ts';
import {withCode} from './order-code-changes.ts';
import {createAtPlatform, type HostedPagePrefill} from './order-code-requests.ts';
import type {OrderAccess} from './order-effects.ts';
import {nextPart, type OrderPart, withPartCode} from './order-parts.ts';
import {withRecord} from './order-state.ts';

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
