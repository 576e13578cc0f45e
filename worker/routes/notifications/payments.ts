/** Notifications of payments: money arrived for an order. */

import * as z from 'zod/mini';
import {ApiError} from '../../http/errors.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {lazily} from '../../lib/lazily.ts';
import type {ServiceFinder} from '../../platform/keys.ts';
import {withoutPrefix} from '../../platform/order-prefix.ts';
import type {RouteContext} from '../route.ts';
import type {NotificationRecord} from './parse-records.ts';
import {
  answerRecords,
  checkRecords,
  type NotificationBounds,
  readRecords,
  recordId,
  requireNotification,
  signedFields,
} from './records.ts';

/** The fields of a record (`docs/spec/observed.md`, "Notifications"), all as text. */
const PaymentNotification = lazily(() => z.object({txid: recordId(), ...signedFields()}));

const CONCURRENT_CALLS = 6;
/** The bounds are low, because each record wakes its order's Durable Object and costs a platform call. */
const BOUNDS: NotificationBounds = {records: 1_000, bytes: 1_048_576};

/**
 * GET|POST /hooks/payment, if enabled. The key does not cover the status and has no separators between fields, so the
 * record is only a hint: the order reads the transaction from the platform and stores it, as if a sweep had found it.
 */
export async function receivePayments(request: Request, context: RouteContext): Promise<Response> {
  requireNotification('payment', context.config);
  if (!context.config.notificationKeys) throw new ApiError('not_configured');
  const records = await readRecords(request, 'txid', BOUNDS, context);
  const {orderPrefix} = context.config;
  const check = (record: NotificationRecord, services: ServiceFinder) => checkKey(record, services, orderPrefix);
  const {genuine, ...others} = await checkRecords(records, check, request, context);
  const outcomes = await mapConcurrent(CONCURRENT_CALLS, genuine, async ({service, order, txid}) =>
    order === null ? 'accepted' : context.objects.order(service, order).handleHint(txid),
  );
  return answerRecords(outcomes, others);
}

/** The result has the order null if the order belongs to another shop or environment. */
async function checkKey(record: NotificationRecord, services: ServiceFinder, orderPrefix: string) {
  const parsed = PaymentNotification().safeParse(Object.fromEntries(record ?? []));
  if (!parsed.success) return null;
  const {txid, code, order, amount, key} = parsed.data;
  const service = await services.find({key, before: [txid, code, order], amount, after: []});
  return service === null ? 'foreign' : {txid, order: withoutPrefix(orderPrefix, order), service};
}
