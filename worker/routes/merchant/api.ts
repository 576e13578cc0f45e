/**
 * The merchant API: each endpoint of the contract with its handler. More than half of all schemas are in the contract of
 * this API, and shoppers never use it. An isolate loads the contract when a merchant's server calls for the first time,
 * so that the isolate starts faster.
 */

import {Router} from 'itty-router/Router';
import {isWithin, limitConfig, type ServiceLimit} from '../../config/service-limit.ts';
import {contextOf} from '../../context.ts';
import type {MerchantEndpoint} from '../../contract/endpoint.ts';
import type {Endpoints} from '../../contract/merchant/endpoints.ts';
import {ApiError, orUnavailable} from '../../http/errors.ts';
import {digest} from '../../lib/crypto.ts';
import {addToLogScope, type LogScope} from '../../lib/log-scope.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {loadOperation, loadOperations} from '../../platform/operations/load-operation.ts';
import {routesOf, type Served, toResponse} from '../endpoints.ts';
import type {Caller, Route, RouteContext} from '../route.ts';
import {addRows, type Call, type CallRouter, refuse} from '../routing.ts';
import {checkService} from '../services.ts';
import {authenticateServer, authorize} from './auth.ts';
import {chargeHandlers, messageHandlers, paymentPageHandlers, subscriptionHandlers} from './billing.ts';
import {bookWorkHandlers} from './books-work.ts';
import {bookHandlers, funnelHandlers} from './books.ts';
import {commandHandlers, quotaHandlers} from './commands.ts';
import {doctorHandlers} from './doctor.ts';
import {eventHandlers} from './events.ts';
import type {Handlers, WriteContext} from './handler.ts';
import {requireIdempotencyKey, withIdempotency} from './idempotency.ts';
import {readInput} from './input.ts';
import {keyHandlers} from './keys.ts';
import {landingHandlers} from './landing.ts';
import {showMetrics} from './metrics.ts';
import {offerHandlers} from './offers.ts';
import {orderHandlers} from './order-details.ts';
import {bankHandlers, orderCodeHandlers, paymentNoticeHandlers, vendorFormHandlers} from './orders.ts';
import {toMerchantError} from './platform-errors.ts';
import {refundLinkHandlers} from './refund-links.ts';
import {refundHandlers} from './refunds.ts';
import {isSessionEnding, sessionHandlers} from './sessions.ts';
import {startSubscriptionSweep} from './subscription-sweep.ts';
import {timelineHandlers} from './timeline.ts';
import {transactionHandlers} from './transactions.ts';
import {webhookHandlers} from './webhooks.ts';

const handlers: Handlers = {
  ...sessionHandlers,
  ...offerHandlers,
  ...orderCodeHandlers,
  ...orderHandlers,
  ...transactionHandlers,
  ...paymentNoticeHandlers,
  ...refundHandlers,
  ...refundLinkHandlers,
  ...vendorFormHandlers,
  ...bankHandlers,
  ...subscriptionHandlers,
  ...chargeHandlers,
  ...messageHandlers,
  ...paymentPageHandlers,
  ...landingHandlers,
  ...eventHandlers,
  ...webhookHandlers,
  ...funnelHandlers,
  ...quotaHandlers,
  ...commandHandlers,
  ...doctorHandlers,
  ...keyHandlers,
  ...bookHandlers,
  ...bookWorkHandlers,
  ...timelineHandlers,
};

/** The metrics are text and not JSON, so the contract has no endpoint for them. */
export const merchantRoutes = (endpoints: Endpoints): readonly Route[] => [
  ...routesOf<MerchantEndpoint, WriteContext>(endpoints, handlers, 'merchant', serve),
  {method: 'GET', path: '/merchant/v1/metrics', access: 'merchant', handle: showMetrics},
];

let router: CallRouter | undefined;

async function loadContract(): Promise<Endpoints> {
  await loadOperations();
  return (await import('../../contract/merchant/endpoints.ts')).endpoints;
}

function merchantRouter(endpoints: Endpoints): CallRouter {
  const made: CallRouter = Router<Call, [], Response>();
  addRows(made, merchantRoutes(endpoints));
  return made.all('*', (call) => refuse(made, call));
}

/** A caller needs a key even to learn whether a route exists. */
export async function authenticate(call: Call): Promise<void> {
  call.caller = await authenticateServer(call.request, contextOf(call.env));
}

export async function answerMerchant(call: Call): Promise<Response> {
  // This caches the router and not its promise, because a request must not wait for work that another request started.
  router ??= merchantRouter(await loadContract());
  return router.fetch(call);
}

/**
 * Checks scope, key, input and service, in this order, and calls the handler: once for each `Idempotency-Key`, and within
 * the share of the platform's quota.
 */
async function serve(
  {name, row, handle}: Served<MerchantEndpoint, WriteContext>,
  request: Request,
  context: RouteContext,
): Promise<Response> {
  const {caller} = context;
  if (!caller) throw new ApiError('unauthorized');
  authorize(row, caller);
  const key = row.write ? requireIdempotencyKey(request) : null;
  const input = await readInput(row, request, context);
  const config = limitConfig(context.config, caller.services);
  checkService(row, input, config);
  // What a person looks for may be no order, but a name.
  if (row.write) addToLogScope(orderIn(input));
  if (row.service === 'billing' || name === 'listEvents') startSubscriptionSweep(context);
  const run = async (writeId: string, isReplay: boolean): Promise<Response> => {
    try {
      if (!isReplay) await shareQuota(row, caller.services, writeId, context);
      const answer = await handle(input, {...context, config, caller, writeId, isReplay}, request);
      addToLogScope(orderIn(input));
      return toResponse(limitAnswer(row, answer, caller), row);
    } catch (error) {
      throw await toEndpointError(error, row, context);
    }
  };
  if (key === null) return run(context.requestId, false);
  const isSession = name === 'createSession';
  const idempotent = {
    scope: [row.scope, ...(caller.services ?? [])].join('\n'),
    key,
    fingerprint: await digest('SHA-256', JSON.stringify([name, input])),
    resumable: row.command === true || isSession,
    shownOnce: row.shownOnce ?? null,
    askedBy: caller.id,
    isOutdated: isSession ? isSessionEnding : null,
  };
  return withIdempotency(idempotent, context, run);
}

/**
 * Counts a request of a key that is limited to services.
 * @throws {ApiError} `quota_exhausted` if such keys have used their share; `temporarily_unavailable`
 */
async function shareQuota({operation}: MerchantEndpoint, services: ServiceLimit, id: string, {objects}: RouteContext) {
  const quota = services && operation && (await loadOperation(operation)).quota;
  const waitMs = quota ? await orUnavailable(() => objects.platform().admitLimited(quota, id)) : 0;
  if (waitMs > 0) throw new ApiError('quota_exhausted', {retryAfterSeconds: Math.ceil(waitMs / 1000)});
}

/**
 * Leaves out of an answer what is about services that the caller's key does not have.
 * @throws {ApiError} `not_found` if that is the whole answer, or if a handler has not done so before it cut a page.
 */
function limitAnswer({service: kind}: MerchantEndpoint, answer: unknown, {services: limit}: Caller): unknown {
  if ((kind !== 'answer' && kind !== 'list') || limit === null) return answer;
  const isVisible = (item: unknown) => isWithin(limit, subjectOf(item as AnswerItem));
  const {items, ...rest} = answer as {readonly items?: readonly unknown[]};
  if (items && kind === 'answer') return {...rest, items: items.filter(isVisible), total: null};
  if (!(items ?? [answer]).every(isVisible)) throw new ApiError('not_found');
  return answer;
}

interface AnswerItem {
  readonly data?: object;
  readonly event?: {readonly data: object};
}

/** Where an answer names its services: an event does so in its data. */
const subjectOf = (item: AnswerItem): object => item.event?.data ?? item.data ?? item;

/** The service and the order that an input names, for the log. */
function orderIn(input: unknown): LogScope {
  const {service, order} = input as Readonly<Record<string, unknown>>;
  return typeof service === 'string' && typeof order === 'string' ? {service, order} : {};
}

async function toEndpointError(
  error: unknown,
  {operation: requested, write}: MerchantEndpoint,
  context: RouteContext,
): Promise<unknown> {
  if (error instanceof PlatformError && requested !== undefined) {
    const {failure, operation: failed} = error;
    const refusal = failure.outcome === 'unsent' && failed === 'tokenGet' ? await tokenRefusal(context) : null;
    const problem = toMerchantError(
      refusal === null ? failure : {outcome: 'refused', status: refusal, message: ''},
      failed as OperationName,
      requested,
      context.config.statuses,
    );
    return new ApiError(problem.code, {...problem.options, failure});
  }
  // After an internal error during a write, it is unknown whether the platform was called.
  return error instanceof ApiError || !write || requested === undefined
    ? error
    : new ApiError('outcome_unknown', {cause: error});
}

/**
 * The status with which the platform last refused to issue a token. Null if the platform issues tokens, or if the
 * `Platform` object does not answer.
 */
async function tokenRefusal({objects}: RouteContext): Promise<string | null> {
  try {
    return (await objects.platform().tokenProblems()).refusal;
  } catch {
    return null;
  }
}
