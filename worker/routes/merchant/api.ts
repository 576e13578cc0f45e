/** The routes of the merchant API: each endpoint of the contract with its handler. */

import {isWithin, limitConfig, type ServiceLimit} from '../../config/service-limit.ts';
import type {Endpoint} from '../../contract/merchant/endpoint.ts';
import type {EndpointName, Endpoints} from '../../contract/merchant/endpoints.ts';
import {json} from '../../http/body.ts';
import {ApiError, orUnavailable} from '../../http/errors.ts';
import {digest} from '../../lib/crypto.ts';
import {addToLogScope, type LogScope} from '../../lib/log-scope.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {loadOperation} from '../../platform/operations/load-operation.ts';
import type {Caller, Route, RouteContext} from '../route.ts';
import {checkService} from '../services.ts';
import {authorize} from './auth.ts';
import {chargeHandlers, messageHandlers, paymentPageHandlers, subscriptionHandlers} from './billing.ts';
import {bookWorkHandlers} from './books-work.ts';
import {bookHandlers, funnelHandlers} from './books.ts';
import {commandHandlers, quotaHandlers} from './commands.ts';
import {eventHandlers} from './events.ts';
import {QueuedAnswer, type Handlers, type WriteContext} from './handler.ts';
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

/** The router handles the doctor itself, because the doctor works without a configuration. */
type ServedName = Exclude<EndpointName, 'examine'>;

const handlers: Handlers<ServedName> = {
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
  ...keyHandlers,
  ...bookHandlers,
  ...bookWorkHandlers,
  ...timelineHandlers,
};

type AnyHandler = (input: unknown, context: WriteContext, request: Request) => Promise<unknown>;

const routesOf = (endpoints: Endpoints): Route[] =>
  (Object.keys(handlers) as ServedName[]).flatMap((name) => {
    const row: Endpoint = endpoints[name];
    const handle = handlers[name] as AnyHandler;
    // The router uses the first path that fits, and `{day}` would fit a name with `.csv`, too.
    return [...(row.csv ? [`${row.path}.csv`] : []), row.path].map((path) => ({
      method: row.method,
      path,
      access: 'merchant',
      handle: (request, context) => serve({name, row, handle}, request, context),
    }));
  });

/** The metrics are text and not JSON, so the contract has no endpoint for them. */
export const merchantRoutes = (endpoints: Endpoints): readonly Route[] => [
  ...routesOf(endpoints),
  {method: 'GET', path: '/merchant/v1/metrics', access: 'merchant', handle: showMetrics},
];

/** An endpoint of the contract with its handler. */
interface ServedEndpoint {
  readonly name: ServedName;
  readonly row: Endpoint;
  readonly handle: AnyHandler;
}

async function serve({name, row, handle}: ServedEndpoint, request: Request, context: RouteContext): Promise<Response> {
  const {caller} = context;
  if (!caller) throw new ApiError('unauthorized');
  authorize(row, caller);
  const key = row.write ? requireIdempotencyKey(request) : null;
  const input = await readInput(row, request, context);
  const config = limitConfig(context.config, caller.services);
  checkService(row, input, config);
  addToLogScope(orderIn(input));
  if (row.service === 'billing' || name === 'listEvents') startSubscriptionSweep(context);
  const run = async (writeId: string, isReplay: boolean): Promise<Response> => {
    try {
      if (!isReplay) await shareQuota(row, caller.services, writeId, context);
      const answer = limitAnswer(
        row,
        await handle(input, {...context, config, caller, writeId, isReplay}, request),
        caller,
      );
      if (answer instanceof Response) return answer;
      return answer instanceof QueuedAnswer
        ? json(answer.body, {status: 202})
        : json(answer, {status: row.status ?? 200});
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
async function shareQuota({operation}: Endpoint, services: ServiceLimit, id: string, {objects}: RouteContext) {
  const quota = services && operation && (await loadOperation(operation)).quota;
  const waitMs = quota ? await orUnavailable(() => objects.platform().admitLimited(quota, id)) : 0;
  if (waitMs > 0) throw new ApiError('quota_exhausted', {retryAfterSeconds: Math.ceil(waitMs / 1000)});
}

/**
 * Leaves out of an answer what is about services that the caller's key does not have.
 * @throws {ApiError} `not_found` if that is the whole answer, or if a handler has not done so before it cut a page.
 */
function limitAnswer({service: kind}: Endpoint, answer: unknown, {services: limit}: Caller): unknown {
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
  {operation: requested, write}: Endpoint,
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
