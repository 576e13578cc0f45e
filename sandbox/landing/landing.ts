import type {Context} from '../context.ts';
import {noteMistake, type Answer, type Base, type Visit, type Parameters} from '../request.ts';
import {isStatus, Refusal, STATUSES, isWhole} from './landing-statuses.ts';
import {addUserActivity, getMsisdn, cancelSubscription, requestSubscription, generatePin} from './operations.ts';

const COMMON = ['authorization', 'merchant'] as const;
/** Required or not, these are whole numbers (subscriptions 4.C). The number token is read as the text it is. */
const WHOLE = ['merchant', 'product', 'operator', 'subscription'] as const;

/** The landing interface (subscriptions 4.C). */
const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    '/landing/generate-pin',
    {required: ['product', 'operator', 'msisdn', 'userip', 'tracking_id'], handle: generatePin},
  ],
  ['/landing/subscription-request', {required: ['product', 'userip', 'tracking_id'], handle: requestSubscription}],
  ['/landing/cancel-subscription', {required: ['subscription'], handle: cancelSubscription}],
  ['/landing/get-msisdn', {required: ['token'], handle: getMsisdn}],
  ['/landing/user-activity', {required: ['product', 'tracking_id', 'type'], handle: addUserActivity}],
]);

export const landing: Base = {
  operationOf: (path) => (OPERATIONS.has(path) ? path : undefined),
  refuse,
  async answer(request, context) {
    try {
      return Response.json({status: '000', description: STATUSES['000'], ...perform(request, context)});
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.status, context);
      noteMistake(request.path, error);
      return refuse('005', context);
    }
  },
};

/** Statuses that are not in the table are written as they are. */
function refuse(status: string, {config}: Context): Response {
  const description = isStatus(status) ? STATUSES[status] : 'Unknown';
  return Response.json({status, description}, {status: config.errorHttpStatus});
}

/** Missing parameters first, then who asks, then what the operation makes of the rest. @throws {Refusal} */
function perform({method, path, parameters}: Visit, context: Context): Answer {
  const {config, merchantAddress} = context;
  const operation = OPERATIONS.get(path);
  if (!operation || (method !== 'GET' && method !== 'POST')) throw new Refusal('026');
  if ([...COMMON, ...operation.required].some((name) => parameters.text(name) === '')) throw new Refusal('400');
  if (parameters.text('authorization') !== config.landingAuthorization) throw new Refusal('029');
  if (!merchantAddress.isAllowed()) throw new Refusal('030');
  if (WHOLE.map((name) => parameters.text(name)).some((text) => text !== '' && !isWhole(text)))
    throw new Refusal('026');
  if (Number(parameters.text('merchant')) !== config.merchantId) throw new Refusal('029');
  return operation.handle(parameters, context);
}

export interface Operation {
  /** Parameters beside `authorization` and `merchant` without which nothing happens (subscriptions 4.C). */
  readonly required: readonly string[];
  /** @throws {Refusal} */
  readonly handle: (parameters: Parameters, context: Context) => Answer;
}
