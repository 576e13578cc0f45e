/** The interface of mobile billing: its operations, its limits and the checks before each operation. */

import {isMobileNumber} from '../billing/mobile-numbers.ts';
import {usageLimitOf, type UsageLimits, USAGE_LIMITS_SETTING, findServiceById} from '../config.ts';
import type {Context} from '../context.ts';
import {
  listFields,
  logUnexpectedError,
  type AnswerFields,
  type PlatformInterface,
  type PlatformRequest,
} from '../request.ts';
import {
  answerRefusal,
  answerStatus,
  succeed,
  type TimeName,
  type RecordTarget,
  MicropaymentRefusal,
} from './envelope.ts';
import {searchMessages, searchSubscriptions, searchCharges} from './search.ts';
import {cancelSubscription, getSubscription, getCharge, refundCharge} from './subscriptions-and-charges.ts';

const PREFIX = '/micropayment/';

/** Operations that are called by GET, with merchant, service and id in the path. */
const RECORD_OPERATIONS: ReadonlyMap<string, HandleRecord> = new Map([
  ['subscription/detail', getSubscription],
  ['subscription/cancel', cancelSubscription],
  ['transaction/detail', getCharge],
  ['transaction/refund', refundCharge],
]);

/** Operations that are called by POST, with a JSON body. */
const SEARCH_OPERATIONS: ReadonlyMap<string, HandleSearch> = new Map([
  ['subscriptions/search', searchSubscriptions],
  ['transactions/search', searchCharges],
  ['messages/search', searchMessages],
]);

/** Operations that exist but that merchants cannot call (subscriptions.md 1). The spec does not show their paths. */
const CLOSED_OPERATIONS: ReadonlySet<string> = new Set(['subscription/create', 'transaction/request']);

/** The subscription and transaction query interface (subscriptions.md 4.A). */
export const micropaymentInterface: PlatformInterface = {
  operationOf: (path) => {
    const name = nameOf(path);
    return RECORD_OPERATIONS.has(name) || SEARCH_OPERATIONS.has(name) || CLOSED_OPERATIONS.has(name)
      ? PREFIX + name
      : undefined;
  },
  refuse: answerStatus,
  async answer(request, context) {
    try {
      const answer = runOperation(request, context);
      if (isWithoutContent(nameOf(request.path), answer, context)) return new Response(null, {status: 204});
      return succeed(answer, context, timeNameOf(request.path));
    } catch (error) {
      if (error instanceof MicropaymentRefusal) return answerRefusal(error, context, timeNameOf(request.path));
      logUnexpectedError(request.path, error);
      return answerRefusal(new MicropaymentRefusal('API_ERR_9000'), context);
    }
  },
};

/** Whether the reading `no_content` leaves out the answer. */
function isWithoutContent(name: string, answer: AnswerFields, {readings}: Context): boolean {
  switch (readings.get('no_content')) {
    case 'never':
      return false;
    case 'empty_list':
      return Object.values(answer).some((list) => Array.isArray(list) && list.length === 0);
    case 'changed':
      return /\/(cancel|refund)$/.test(name);
  }
}

/** Returns `subscription/detail` for `/micropayment/subscription/detail/123/1/7`. */
function nameOf(path: string): string {
  return path.slice(PREFIX.length).split('/').slice(0, 2).join('/');
}

/** @throws {MicropaymentRefusal} */
function runOperation(request: PlatformRequest, context: Context): AnswerFields {
  const {method, path, json} = request;
  const name = nameOf(path);
  if (!context.merchantAddress.isAllowed()) throw new MicropaymentRefusal('API_ERR_1003');
  if (!hasCredentials(request, context)) throw new MicropaymentRefusal('API_ERR_1002');
  if (CLOSED_OPERATIONS.has(name)) throw new MicropaymentRefusal('API_ERR_1004');
  const handleRecord = RECORD_OPERATIONS.get(name);
  if (handleRecord && method === 'GET') {
    const target = readTarget(path, context);
    countUsage(name === 'subscription/cancel' && isMobileNumber(target.id) ? 'subscription/reset' : name, context);
    return handleRecord(target, context);
  }
  const search = SEARCH_OPERATIONS.get(name);
  if (search && method === 'POST' && path === PREFIX + name) {
    countUsage(name, context);
    return search(readJson(json), context);
  }
  throw new MicropaymentRefusal('API_ERR_1005');
}

/** The key that mobile billing needs under the reading `billing_credentials`. */
const BILLING_KEY = 'sandbox-billing-key';

function hasCredentials({headers, parameters, json}: PlatformRequest, {readings}: Context): boolean {
  const place = readings.get('billing_credentials');
  if (place === 'none') return true;
  if (place === 'header') return headers.get('x-api-key') === BILLING_KEY;
  const isInBody = place === 'body' && json !== undefined;
  return (isInBody ? new Map(listFields(json)).get('api_key') : parameters.text('api_key')) === BILLING_KEY;
}

/**
 * Counts a call against the limits. Calls with a wrong JSON body count too, because the limits apply to every query
 * (subscriptions.md 8).
 */
function countUsage(operation: string, {config, settings, usage}: Context): void {
  const override = settings.get(USAGE_LIMITS_SETTING) as UsageLimits | undefined;
  if (!usage.countIfAllowed(operation, usageLimitOf(operation, override, config.limits)))
    throw new MicropaymentRefusal('API_ERR_1029');
}

/** Reads the ids in a path. Each id is an integer. The last id may also be a mobile number (subscriptions.md 4.A). */
function readTarget(path: string, {config}: Context): RecordTarget {
  const [merchantId = '', serviceId = '', id = '', ...rest] = path.slice(PREFIX.length).split('/').slice(2);
  if (rest.length > 0 || ![merchantId, serviceId, id].every((part) => /^\d{1,15}$/.test(part)))
    throw new MicropaymentRefusal('API_ERR_1005');
  if (Number(merchantId) !== config.merchantId)
    throw new MicropaymentRefusal('API_ERR_1001', {parameter: 'merchantId'});
  if (!findServiceById(Number(serviceId))) throw new MicropaymentRefusal('API_ERR_1001', {parameter: 'serviceId'});
  return {serviceId: Number(serviceId), id};
}

function readJson(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    throw new MicropaymentRefusal('API_ERR_1001', {parameter: 'body'});
  }
}

function timeNameOf(path: string): TimeName {
  return nameOf(path) === 'messages/search' ? 'responsetime' : 'responseTime';
}

/** Handles GET `/{group}/{verb}/{merchantId}/{serviceId}/{id}`. @throws {MicropaymentRefusal} */
export type HandleRecord = (target: RecordTarget, context: Context) => AnswerFields;

/** Handles POST `/{collection}/search` with a JSON body. @throws {MicropaymentRefusal} */
export type HandleSearch = (body: unknown, context: Context) => AnswerFields;
