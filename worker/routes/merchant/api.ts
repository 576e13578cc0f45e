/** The merchant API: the contract's rows, each with its handler, served by one interpreter. */

import type {Endpoint} from '../../contract/merchant/endpoint.ts';
import {type EndpointName, endpoints} from '../../contract/merchant/endpoints.ts';
import {ApiError} from '../../http/errors.ts';
import {json} from '../../http/json.ts';
import {digest} from '../../lib/crypto.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {Route, RouteContext} from '../route.ts';
import {checkService} from '../services.ts';
import {charges, messages, subscriptions} from './billing.ts';
import {commands, quotas} from './commands.ts';
import {events} from './events.ts';
import {Queued, type Handlers, type WriteContext} from './handler.ts';
import {paymentPages, vendorForms} from './hosted-pages.ts';
import {idempotencyKey, once} from './idempotency.ts';
import {readInput} from './input.ts';
import {landing} from './landing.ts';
import {banks, orderCodes, paymentNotices} from './orders.ts';
import {platformProblem} from './platform-errors.ts';
import {refunds} from './refunds.ts';
import {sessions} from './sessions.ts';
import {transactions} from './transactions.ts';

/** The doctor works without a configuration, and is routed by itself. */
type Served = Exclude<EndpointName, 'examine'>;

const handlers: Handlers<Served> = {
  ...sessions,
  ...orderCodes,
  ...transactions,
  ...paymentNotices,
  ...refunds,
  ...vendorForms,
  ...banks,
  ...subscriptions,
  ...charges,
  ...messages,
  ...paymentPages,
  ...landing,
  ...events,
  ...quotas,
  ...commands,
};

type AnyHandler = (input: unknown, context: WriteContext, request: Request) => Promise<unknown>;

export const merchantRoutes: readonly Route[] = (Object.keys(handlers) as Served[]).map((name) => {
  const row: Endpoint = endpoints[name];
  const handle = handlers[name] as AnyHandler;
  return {
    method: row.method,
    path: row.path.replace(/\{(\w+)\}/g, ':$1'),
    access: 'merchant',
    handle: (request, context) => serve({name, row, handle}, request, context),
  };
});

interface Serving {
  readonly name: Served;
  readonly row: Endpoint;
  readonly handle: AnyHandler;
}

async function serve({name, row, handle}: Serving, request: Request, context: RouteContext): Promise<Response> {
  const key = row.write ? idempotencyKey(request) : null;
  const input = await readInput(row, request, context.params);
  checkService(row, input, context.config);
  const perform = async (writeId: string): Promise<Response> => {
    try {
      const answer = await handle(input, {...context, writeId}, request);
      return answer instanceof Queued ? json(answer.body, {status: 202}) : json(answer, {status: row.status});
    } catch (error) {
      throw await inOurWords(error, row, context);
    }
  };
  if (key === null) return perform(context.requestId);
  const asked = {
    key,
    fingerprint: await digest('SHA-256', JSON.stringify([name, input])),
    resumable: row.command === true,
  };
  return once(asked, context, perform);
}

async function inOurWords(
  error: unknown,
  {operation: asked, write}: Endpoint,
  context: RouteContext,
): Promise<unknown> {
  if (error instanceof PlatformError && asked !== null) {
    const {failure, operation} = error;
    const refused = failure.outcome === 'unsent' && operation === 'tokenGet' ? await tokenRefusal(context) : null;
    const problem = platformProblem(
      refused === null ? failure : {outcome: 'refused', status: refused, message: ''},
      operation as OperationName,
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
    return (await objects.token().standing()).tokenRefused;
  } catch {
    return null;
  }
}
