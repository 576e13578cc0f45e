/** The merchant API: the contract's rows, each with its handler, served by one interpreter. */

import type {Endpoint} from '../../contract/merchant/endpoint.ts';
import {type EndpointName, endpoints} from '../../contract/merchant/endpoints.ts';
import {ApiError} from '../../http/errors.ts';
import {json} from '../../http/json.ts';
import {digest} from '../../lib/crypto.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {type Route, type RouteContext, routePath} from '../route.ts';
import {checkService} from '../services.ts';
import {chargeHandlers, messageHandlers, subscriptionHandlers} from './billing.ts';
import {commandHandlers, quotaHandlers} from './commands.ts';
import {eventHandlers} from './events.ts';
import {QueuedAnswer, type Handlers, type WriteContext} from './handler.ts';
import {paymentPageHandlers, vendorFormHandlers} from './hosted-pages.ts';
import {requireIdempotencyKey, withIdempotency} from './idempotency.ts';
import {readInput} from './input.ts';
import {landingHandlers} from './landing.ts';
import {bankHandlers, orderCodeHandlers, paymentNoticeHandlers} from './orders.ts';
import {toMerchantError} from './platform-errors.ts';
import {refundHandlers} from './refunds.ts';
import {sessionHandlers} from './sessions.ts';
import {transactionHandlers} from './transactions.ts';

/** The doctor works without a configuration, and is routed by itself. */
type ServedName = Exclude<EndpointName, 'examine'>;

const handlers: Handlers<ServedName> = {
  ...sessionHandlers,
  ...orderCodeHandlers,
  ...transactionHandlers,
  ...paymentNoticeHandlers,
  ...refundHandlers,
  ...vendorFormHandlers,
  ...bankHandlers,
  ...subscriptionHandlers,
  ...chargeHandlers,
  ...messageHandlers,
  ...paymentPageHandlers,
  ...landingHandlers,
  ...eventHandlers,
  ...quotaHandlers,
  ...commandHandlers,
};

type AnyHandler = (input: unknown, context: WriteContext, request: Request) => Promise<unknown>;

export const merchantRoutes: readonly Route[] = (Object.keys(handlers) as ServedName[]).map((name) => {
  const row: Endpoint = endpoints[name];
  const handle = handlers[name] as AnyHandler;
  return {
    method: row.method,
    path: routePath(row.path),
    access: 'merchant',
    handle: (request, context) => serve({name, row, handle}, request, context),
  };
});

interface Serving {
  readonly name: ServedName;
  readonly row: Endpoint;
  readonly handle: AnyHandler;
}

async function serve({name, row, handle}: Serving, request: Request, context: RouteContext): Promise<Response> {
  const key = row.write ? requireIdempotencyKey(request) : null;
  const input = await readInput(row, request, context.params);
  checkService(row, input, context.config);
  const run = async (writeId: string): Promise<Response> => {
    try {
      const answer = await handle(input, {...context, writeId}, request);
      return answer instanceof QueuedAnswer ? json(answer.body, {status: 202}) : json(answer, {status: row.status});
    } catch (error) {
      throw await toAnsweredError(error, row, context);
    }
  };
  if (key === null) return run(context.requestId);
  const idempotent = {
    key,
    fingerprint: await digest('SHA-256', JSON.stringify([name, input])),
    resumable: row.command === true,
  };
  return withIdempotency(idempotent, context, run);
}

async function toAnsweredError(
  error: unknown,
  {operation: asked, write}: Endpoint,
  context: RouteContext,
): Promise<unknown> {
  if (error instanceof PlatformError && asked !== null) {
    const {failure, operation: failed} = error;
    const refused = failure.outcome === 'unsent' && failed === 'tokenGet' ? await tokenRefusal(context) : null;
    const problem = toMerchantError(
      refused === null ? failure : {outcome: 'refused', status: refused, message: ''},
      failed as OperationName,
      asked,
    );
    return new ApiError(problem.code, {...problem.options, failure});
  }
  // A fault of ours in the middle of a write: whether it struck before the platform was asked or after, nobody knows.
  return error instanceof ApiError || !write || asked === null
    ? error
    : new ApiError('outcome_unknown', {cause: error});
}

/** Where no token can be had, the object that asks for it knows what the platform said; null where it does not answer either. */
async function tokenRefusal({objects}: RouteContext): Promise<string | null> {
  try {
    return (await objects.token().health()).tokenRefused;
  } catch {
    return null;
  }
}
