/** Notifications of refund results. */

import * as z from 'zod/mini';
import {ApiError} from '../../http/errors.ts';
import {lazily} from '../../lib/lazily.ts';
import {parseAmount} from '../../lib/money.ts';
import type {ServiceFinder} from '../../platform/keys.ts';
import type {RefundNotification} from '../../platform/notifications.ts';
import {withoutPrefix} from '../../platform/order-prefix.ts';
import type {RouteContext} from '../route.ts';
import type {NotificationRecord} from './parse-records.ts';
import {
  answerRecords,
  checkRecords,
  type NotificationBounds,
  optionalText,
  readRecords,
  recordId,
  signedFields,
} from './records.ts';

/** One call contains a whole day's refunds: up to ten thousand, with all fields. */
const BOUNDS: NotificationBounds = {records: 10_000, bytes: 4_194_304};

/** The fields of a record (`docs/spec/orders.md`, 6), all as text. */
const RefundResult = lazily(() =>
  z.object({
    refund_id: recordId(),
    ...signedFields(),
    status: z.string().check(z.regex(/^-?\d{1,6}$/)),
    refund_iban: optionalText(),
    bank_code: optionalText(),
  }),
);

/**
 * GET|POST /hooks/refund-result: how refunds ended (`docs/spec/orders.md`, 6). A genuine key does not prove the result,
 * because the key covers neither status nor IBAN. Therefore the Worker reads each refund from the platform. `OK` means
 * that the platform confirmed every record and the Worker has stored each of them.
 */
export async function receiveRefundResults(request: Request, context: RouteContext): Promise<Response> {
  const {config, objects} = context;
  if (!config.notificationKeys) throw new ApiError('not_configured');
  const records = await readRecords(request, 'refund_id', BOUNDS, context);
  const {genuine, ...others} = await checkRecords(records, checkKey, request, context);
  const own = genuine.flatMap((each) => {
    const order = withoutPrefix(config.orderPrefix, each.order);
    return order === null ? [] : [{...each, order}];
  });
  const outcomes = own.length > 0 ? await objects.refunds().handleNotifications(own) : [];
  // The others belong to another shop or environment.
  const rest = Array<'accepted'>(genuine.length - own.length).fill('accepted');
  return answerRecords([...outcomes, ...rest], others);
}

/** Parses a record and finds the service with whose private key the record was signed; see `checkRecords`. */
async function checkKey(
  record: NotificationRecord,
  services: ServiceFinder,
): Promise<RefundNotification | 'foreign' | null> {
  const parsed = RefundResult().safeParse(Object.fromEntries(record ?? []));
  if (!parsed.success) return null;
  const {refund_id: id, code, order, status, amount, refund_iban: iban, bank_code, key} = parsed.data;
  const service = await services.find({key, before: [id, code, order], amount, after: [bank_code]});
  return service === null ? 'foreign' : {id, service, order, amount: parseAmount(amount), status, iban};
}
