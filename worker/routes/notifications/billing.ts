/** Notifications of mobile billing: a charge or a subscription may have changed. */

import type {Config} from '../../config/config.ts';
import {clientSubnet, siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {isSameSecret} from '../../lib/crypto.ts';
import type {BillingHint, BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
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

/**
 * The bounds are low, because the platform sends one id per call (`docs/spec/observed.md`), and one Durable Object
 * stores all hints of a service.
 */
const BOUNDS: NotificationBounds = {records: 100, bytes: 65_536};
/** How many records of a call count as one request towards the sender's limit. */
const RECORDS_PER_REQUEST = 10;

/**
 * GET|POST /hooks/billing?charge= and /hooks/subscription?subscription=, if enabled (`docs/spec/observed.md`,
 * "Notifications"). These notifications are not signed, so they are only hints: `OK` means that the Worker will read
 * the record from the platform. With `NOTIFICATION_KEY`, which the merchant adds to the address that the platform calls
 * (`&key=…`), nobody else can send them.
 */
export const receiveCharges = createReceiver('billing', 'charge');
export const receiveSubscriptions = createReceiver('subscription', 'subscription');

function createReceiver(name: 'billing' | 'subscription', kind: BillingRecordKind): Route['handle'] {
  return async (request, context) => {
    requireNotification(name, context.config);
    if (!context.config.micropayment) throw new ApiError('not_configured');
    // Anyone can send this notification, so every call counts towards the sender's limit.
    await limitHook(request, context);
    const isKnown = hasKey(request, context.config);
    if (isKnown === false) return answerNotification('invalid');
    const network = isKnown ? null : siteSubnet(clientSubnet(request));
    const records = await readRecords(request, kind, BOUNDS, context);
    await limitHook(request, context, Math.ceil(records.length / RECORDS_PER_REQUEST) - 1);
    return answerNotification(combineOutcomes(await recordHints(records, kind, network, context)));
  };
}

/** Whether the notification has the key; null if none is configured. */
function hasKey({url}: Request, {hintKeys}: Config): boolean | null {
  const key = new URL(url).searchParams.get('key') ?? '';
  return hintKeys.length === 0 ? null : hintKeys.some((known) => isSameSecret(key, known));
}

/** Stores the hints of all records, with one call of the object of each service. */
async function recordHints(
  records: readonly NotificationRecord[],
  kind: BillingRecordKind,
  network: string | null,
  {config, objects}: RouteContext,
): Promise<NotificationOutcome[]> {
  const hints = new Map<string, BillingHint>();
  let invalid = false;
  for (const record of records) {
    const hint = toHint(record, kind, config);
    if (hint) hints.set(`${hint.service}\n${hint.id}`, hint);
    else invalid = true;
  }
  return [
    ...(invalid ? (['invalid'] as const) : []),
    ...(await Promise.all(
      [...Map.groupBy(hints.values(), ({service}) => service)].map(([service, named]) =>
        objects.mobileBilling(service).record(named, network),
      ),
    )),
  ];
}

function toHint(record: NotificationRecord, kind: BillingRecordKind, config: Config): BillingHint | null {
  const id = record?.get(kind) ?? '';
  const service = serviceOf(record?.get('service') ?? '', config);
  return /^\d{1,20}$/.test(id) && service !== null ? {kind, service, id} : null;
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
