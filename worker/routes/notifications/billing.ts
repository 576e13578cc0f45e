import type {Config} from '../../config/config.ts';
import {ApiError} from '../../http/errors.ts';
import type {BillingHint, BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import {limitHook} from '../rate-limit.ts';
import type {Route, RouteContext} from '../route.ts';
import {
  answerNotification,
  combineOutcomes,
  type NotificationBounds,
  type NotificationRecord,
  readRecords,
  requireNotification,
} from './records.ts';

/** One id a call is what is observed; each is written down by the one object that every hint goes to. */
const BOUNDS: NotificationBounds = {records: 100, bytes: 65_536};

/**
 * GET|POST /hooks/billing?charge= and /hooks/subscription?subscription=, where they are on: something may have changed in
 * mobile billing (observed, "Notifications"). Nothing is signed, so nothing is believed: `OK` says that it will be looked into.
 */
export const receiveCharges = receiver('billing', 'charge');
export const receiveSubscriptions = receiver('subscription', 'subscription');

function receiver(name: 'billing' | 'subscription', kind: BillingRecordKind): Route['handle'] {
  return async (request, context) => {
    requireNotification(name, context.config);
    if (!context.config.micropayment) throw new ApiError('not_configured');
    // Nothing proves who sends it.
    await limitHook(request, context);
    const records = await readRecords(request, kind, BOUNDS, context);
    const outcomes: NotificationOutcome[] = [];
    for (const record of records) {
      const outcome = await handleRecord(record, kind, context);
      outcomes.push(outcome);
      // Too many wait: there is no room for the next ones either.
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

/** The code of a service that is named by its code or its number in mobile billing; who has one needs no name. */
function serviceOf(name: string, {services}: Config): string | null {
  const billed = [...services].filter(([, {micropaymentId}]) => micropaymentId !== null);
  const matching =
    name === '' ? billed : billed.filter(([code, {micropaymentId}]) => code === name || micropaymentId === name);
  return (matching.length === 1 && matching[0]?.[0]) || null;
}
