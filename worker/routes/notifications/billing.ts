/** Notifications of mobile billing: a charge or a subscription may have changed. */

import type {Config} from '../../config/config.ts';
import {ApiError} from '../../http/errors.ts';
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

/** The platform sends one id per call (`docs/spec/observed.md`). A single Durable Object stores all hints. */
const BOUNDS: NotificationBounds = {records: 100, bytes: 65_536};

/**
 * GET|POST /hooks/billing?charge= and /hooks/subscription?subscription=, if enabled (`docs/spec/observed.md`,
 * "Notifications"). They are not signed, so they are only hints: `OK` means that the Worker will read the record from
 * the platform.
 */
export const receiveCharges = createReceiver('billing', 'charge');
export const receiveSubscriptions = createReceiver('subscription', 'subscription');

function createReceiver(name: 'billing' | 'subscription', kind: BillingRecordKind): Route['handle'] {
  return async (request, context) => {
    requireNotification(name, context.config);
    if (!context.config.micropayment) throw new ApiError('not_configured');
    // Anyone can send this notification, so every call counts towards the sender's limit.
    await limitHook(request, context);
    const records = await readRecords(request, kind, BOUNDS, context);
    const outcomes: NotificationOutcome[] = [];
    for (const record of records) {
      const outcome = await handleRecord(record, kind, context);
      outcomes.push(outcome);
      // Too many hints are waiting, so the next ones would be refused too.
      if (outcome === 'retry') break;
    }
    return answerNotification(combineOutcomes(outcomes));
  };
}

async function handleRecord(
  record: NotificationRecord,
  kind: BillingRecordKind,
  {config, objects}: RouteContext,
): Promise<NotificationOutcome> {
  const hint = toHint(record, kind, config);
  return hint ? objects.billingChanges().record(hint) : 'invalid';
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
