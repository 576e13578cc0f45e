import type {Context} from '../context.ts';
import {
  logUnexpectedError,
  type AnswerFields,
  type PlatformInterface,
  type PlatformRequest,
  type Parameters,
} from '../request.ts';
import {isLandingStatus, LandingRefusal, LANDING_STATUSES, isWholeNumber} from './landing-statuses.ts';
import {addUserActivity, getMsisdn, cancelLandingSubscription, requestSubscription, generatePin} from './operations.ts';

const COMMON = ['authorization', 'merchant'] as const;
/** These parameters are whole numbers, if they are sent (subscriptions 4.C). The number token is read as text. */
const WHOLE_NUMBERS = ['merchant', 'product', 'operator', 'subscription'] as const;

/** The landing interface (subscriptions 4.C). */
const OPERATIONS: ReadonlyMap<string, LandingOperation> = new Map<string, LandingOperation>([
  [
    '/landing/generate-pin',
    {required: ['product', 'operator', 'msisdn', 'userip', 'tracking_id'], handle: generatePin},
  ],
  ['/landing/subscription-request', {required: ['product', 'userip', 'tracking_id'], handle: requestSubscription}],
  ['/landing/cancel-subscription', {required: ['subscription'], handle: cancelLandingSubscription}],
  ['/landing/get-msisdn', {required: ['token'], handle: getMsisdn}],
  ['/landing/user-activity', {required: ['product', 'tracking_id', 'type'], handle: addUserActivity}],
]);

export const landingInterface: PlatformInterface = {
  operationOf: (path) => (OPERATIONS.has(path) ? path : undefined),
  refuse,
  async answer(request, context) {
    try {
      return Response.json({status: '000', description: LANDING_STATUSES['000'], ...runOperation(request, context)});
    } catch (error) {
      if (error instanceof LandingRefusal) return refuse(error.status, context);
      logUnexpectedError(request.path, error);
      return refuse('005', context);
    }
  },
};

/** An error body. A status that is not in the table is written unchanged. */
function refuse(status: string, {config}: Context): Response {
  const description = isLandingStatus(status) ? LANDING_STATUSES[status] : 'Unknown';
  return Response.json({status, description}, {status: config.errorHttpStatus});
}

/** Checks for missing parameters, then checks the caller, then runs the operation. @throws {LandingRefusal} */
function runOperation({method, path, parameters}: PlatformRequest, context: Context): AnswerFields {
  const {config, merchantAddress} = context;
  const operation = OPERATIONS.get(path);
  if (!operation || (method !== 'GET' && method !== 'POST')) throw new LandingRefusal('026');
  if ([...COMMON, ...operation.required].some((name) => parameters.text(name) === '')) throw new LandingRefusal('400');
  if (parameters.text('authorization') !== config.landingAuthorization) throw new LandingRefusal('029');
  if (!merchantAddress.isAllowed()) throw new LandingRefusal('030');
  if (WHOLE_NUMBERS.map((name) => parameters.text(name)).some((text) => text !== '' && !isWholeNumber(text)))
    throw new LandingRefusal('026');
  if (Number(parameters.text('merchant')) !== config.merchantId) throw new LandingRefusal('029');
  return operation.handle(parameters, context);
}

export interface LandingOperation {
  /** The required parameters in addition to `authorization` and `merchant` (subscriptions 4.C). */
  readonly required: readonly string[];
  /** @throws {LandingRefusal} */
  readonly handle: (parameters: Parameters, context: Context) => AnswerFields;
}
