/** Notifications of mobile billing: a charge or a subscription may have changed. */

import type {Config} from '../../config/config.ts';
import {ApiError} from '../../http/errors.ts';
import {isSameSecret} from '../../lib/crypto.ts';
import type {BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import {limitHook} from '../rate-limit.ts';
import type {Route, RouteContext} from '../route.ts';
import type {NotificationRecord} from './parse-records.ts';
import {
  answerNotification,
  combineOutcomes,
  type NotificationBounds,
  readRecords,
  requireNotification,
} from './records.ts';

/** The bounds are low, because the platform sends one id per call (`docs/spec/observed.md`). */
const BOUNDS: NotificationBounds = {records: 100, bytes: 65_536};

/**
 * GET|POST /hooks/billing?charge= and /hooks/subscription?subscription=, if enabled (`docs/spec/observed.md`,
 * "Notifications"). These notifications are not signed, so they are only hints that a record may have changed. The
 * merchant adds `NOTIFICATION_KEY` to the address that the platform calls (`&key=…`), so that nobody else can send them.
 * `OK` means that the Worker has read the change, or will search for it.
 */
export const receiveCharges = createReceiver('billing', 'charge');
export const receiveSubscriptions = createReceiver('subscription', 'subscription');

function createReceiver(name: 'billing' | 'subscription', kind: BillingRecordKind): Route['handle'] {
  return async (request, context) => {
    const {config} = context;
    requireNotification(name, config);
    if (!config.micropayment || config.hintKeys.length === 0) throw new ApiError('not_configured');
    // Anyone can send this notification, so every call counts towards the sender's limit.
    await limitHook(request, context);
    if (!hasKey(request, config)) return answerNotification('invalid');
    const records = await readRecords(request, kind, BOUNDS, context);
    return answerNotification(combineOutcomes(await sendHints(records, kind, context)));
  };
}

function hasKey({url}: Request, {hintKeys}: Config): boolean {
  const key = new URL(url).searchParams.get('key') ?? '';
  return hintKeys.some((known) => isSameSecret(key, known));
}

/** Tells the object of each service which of its records may have changed, with one call. */
async function sendHints(
  records: readonly NotificationRecord[],
  kind: BillingRecordKind,
  {config, objects}: RouteContext,
): Promise<NotificationOutcome[]> {
  const hints = records.map((record) => toHint(record, kind, config));
  const known = Map.groupBy(
    hints.filter((hint) => hint !== null),
    ({service}) => service,
  );
  return [
    ...(hints.includes(null) ? (['invalid'] as const) : []),
    ...(await Promise.all(
      [...known].map(([service, named]) =>
        objects.service(service).receiveHints(service, kind, [...new Set(named.map(({id}) => id))]),
      ),
    )),
  ];
}

function toHint(
  record: NotificationRecord,
  kind: BillingRecordKind,
  config: Config,
): {readonly service: string; readonly id: string} | null {
  const id = record?.get(kind) ?? '';
  const service = serviceOf(record?.get('service') ?? '', config);
  return /^\d{1,20}$/.test(id) && service !== null ? {service, id} : null;
}

/**
 * Finds a service by its code or by its number in mobile billing. `name` may be empty if only one service has mobile
 * billing.
 */
function serviceOf(name: string, {services}: Config): string | null {
  const billed = [...services].filter(([, {micropaymentId}]) => micropaymentId !== null);
  const matching =
    name === '' ? billed : billed.filter(([code, {micropaymentId}]) => code === name || micropaymentId === name);
  return (matching.length === 1 && matching[0]?.[0]) || null;
}
