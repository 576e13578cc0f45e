import {isMobileNumber} from '../billing/mobile-numbers.ts';
import {limitOf, type Limits, LIMITS_LEVER, findServiceById} from '../config.ts';
import type {Context} from '../context.ts';
import {noteMistake, type Answer, type Base, type Visit} from '../request.ts';
import {answerFailure, refuse, succeed, type TimeName, type Target, Failure} from './envelope.ts';
import {searchMessages, searchSubscriptions, searchTransactions} from './search.ts';
import {cancelSubscription, getSubscription, getTransaction, refundTransaction} from './subscriptions-and-charges.ts';

const PREFIX = '/micropayment/';

/** GET, with merchant, service and id in the path. */
const ONES: ReadonlyMap<string, HandleOne> = new Map([
  ['subscription/detail', getSubscription],
  ['subscription/cancel', cancelSubscription],
  ['transaction/detail', getTransaction],
  ['transaction/refund', refundTransaction],
]);

/** POST, with a JSON body. */
const SEARCHES: ReadonlyMap<string, HandleSearch> = new Map([
  ['subscriptions/search', searchSubscriptions],
  ['transactions/search', searchTransactions],
  ['messages/search', searchMessages],
]);

/** They exist and are closed to merchants (subscriptions 1); their paths are not shown. */
const CLOSED: ReadonlySet<string> = new Set(['subscription/create', 'transaction/request']);

/** The subscription and transaction query interface (subscriptions 4.A). */
export const micropayment: Base = {
  operationOf: (path) => {
    const name = nameOf(path);
    return ONES.has(name) || SEARCHES.has(name) || CLOSED.has(name) ? PREFIX + name : undefined;
  },
  refuse,
  async answer(request, context) {
    try {
      return succeed(perform(request, context), context, timeNameOf(request.path));
    } catch (error) {
      if (error instanceof Failure) return answerFailure(error, context, timeNameOf(request.path));
      noteMistake(request.path, error);
      return answerFailure(new Failure('API_ERR_9000'), context);
    }
  },
};

/** `subscription/detail` of `/micropayment/subscription/detail/123/1/7`. */
function nameOf(path: string): string {
  return path.slice(PREFIX.length).split('/').slice(0, 2).join('/');
}

/** @throws {Failure} */
function perform({method, path, json}: Visit, context: Context): Answer {
  const name = nameOf(path);
  if (!context.merchantAddress.isAllowed()) throw new Failure('API_ERR_1003');
  if (CLOSED.has(name)) throw new Failure('API_ERR_1004');
  const one = ONES.get(name);
  if (one && method === 'GET') {
    const target = readTarget(path, context);
    countUsage(name === 'subscription/cancel' && isMobileNumber(target.id) ? 'subscription/reset' : name, context);
    return one(target, context);
  }
  const search = SEARCHES.get(name);
  if (search && method === 'POST' && path === PREFIX + name) {
    countUsage(name, context);
    return search(readJson(json), context);
  }
  throw new Failure('API_ERR_1005');
}

/** Calls that are wrong count as well: the limits are on queries (subscriptions 8). */
function countUsage(operation: string, {config, settings, usage}: Context): void {
  const override = settings.get(LIMITS_LEVER) as Limits | undefined;
  if (!usage.take(operation, limitOf(operation, override, config.limits))) throw new Failure('API_ERR_1029');
}

/** Path segments are integers, except a number, which has digits too (subscriptions 4.A). */
function readTarget(path: string, {config}: Context): Target {
  const [merchantId = '', serviceId = '', id = '', ...rest] = path.slice(PREFIX.length).split('/').slice(2);
  if (rest.length > 0 || ![merchantId, serviceId, id].every((part) => /^\d{1,15}$/.test(part)))
    throw new Failure('API_ERR_1005');
  if (Number(merchantId) !== config.merchantId) throw new Failure('API_ERR_1001', {parameter: 'merchantId'});
  if (!findServiceById(Number(serviceId))) throw new Failure('API_ERR_1001', {parameter: 'serviceId'});
  return {serviceId: Number(serviceId), id};
}

function readJson(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    throw new Failure('API_ERR_1001', {parameter: 'body'});
  }
}

function timeNameOf(path: string): TimeName {
  return nameOf(path) === 'messages/search' ? 'responsetime' : 'responseTime';
}

/** GET `/{group}/{verb}/{merchantId}/{serviceId}/{id}`. @throws {Failure} */
export type HandleOne = (target: Target, context: Context) => Answer;

/** POST `/{collection}/search` with a JSON body. @throws {Failure} */
export type HandleSearch = (body: unknown, context: Context) => Answer;
