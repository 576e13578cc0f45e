/**
 * A request's way in and out: who may call what, one answer form for every failure, and one log line.
 * Handlers take `(request, context)`, throw `ApiError` and know nothing of this.
 */

import {Router, type RouterType} from 'itty-router';
import {ConfigError} from './config/config.ts';
import {type Context, contextOf} from './context.ts';
import {addCorsHeaders, checkOrigin, answerPreflight} from './http/cors.ts';
import {drainRequestBody} from './http/drain-request-body.ts';
import {ApiError} from './http/errors.ts';
import {describeError, log, type LogFields} from './lib/log.ts';
import type {PlatformFailure} from './platform/failure.ts';
import {showHealth} from './routes/health.ts';
import {authenticateServer} from './routes/merchant/auth.ts';
import type {Route} from './routes/route.ts';
import {routes} from './routes/routes.ts';

const DOCTOR = '/merchant/v1/doctor';

const publicRouter = routerOf(routes);
/**
 * The merchant API weighs more than everything else, and shoppers have no use for it: an isolate reads it when it is
 * first asked for, and starts the sooner.
 */
let merchantRouter: RouterType | undefined;

/** Many monitors ask with HEAD. */
const HEALTH_METHODS = ['GET', 'HEAD'];

interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export async function handle(request: Request, env: Env): Promise<Response> {
  const startedAt = Date.now();
  const requestId = crypto.randomUUID();
  const {response, ...answered} = await answer(request, env, requestId);
  if (response.status >= 400) await drainRequestBody(request);
  response.headers.set('x-request-id', requestId);
  response.headers.set('x-content-type-options', 'nosniff');
  log(response.status >= 500 ? 'error' : 'info', 'request', {
    request_id: requestId,
    method: request.method,
    route: answered.route,
    status: response.status,
    ...(answered.code && {code: answered.code}),
    duration_ms: Date.now() - startedAt,
  });
  return response;
}

interface Answer {
  readonly response: Response;
  readonly route: string;
  readonly code?: string;
}

async function answer(request: Request, env: Env, requestId: string): Promise<Answer> {
  const {pathname} = new URL(request.url);
  if (pathname.startsWith('/merchant/')) return answerMerchant(request, env, requestId);
  return pathname.startsWith('/hooks/') ? answerPlatform(request, env, requestId) : answerPage(request, env, requestId);
}

async function answerPage(request: Request, env: Env, requestId: string): Promise<Answer> {
  let route = '(none)';
  let context: Context | undefined;
  try {
    const {pathname} = new URL(request.url);
    if (pathname === '/health') {
      route = pathname;
      if (!HEALTH_METHODS.includes(request.method)) throw new ApiError('method_not_allowed', {allow: HEALTH_METHODS});
      const response = await showHealth(env);
      return {response: request.method === 'HEAD' ? new Response(null, response) : response, route};
    }
    context = contextOf(env);
    if (request.method === 'OPTIONS')
      return {response: answerPreflight(request, context, methodsOf(publicRouter, pathname)), route: '(preflight)'};
    const match = await findRoute(publicRouter, request, pathname);
    route = match.route.path;
    checkOrigin(request, context, match.route.access);
    const response = await match.route.handle(request, {...context, params: match.params, requestId});
    addCorsHeaders(response, request, context);
    return {response, route};
  } catch (error) {
    const problem = toApiError(error, requestId, route);
    const response = problem.toResponse(requestId);
    if (context) addCorsHeaders(response, request, context);
    return {response, route, code: problem.code};
  }
}

/** Merchants' servers: a key, no CORS, and the platform's own words in a problem. */
async function answerMerchant(request: Request, env: Env, requestId: string): Promise<Answer> {
  let route = '(none)';
  try {
    const {pathname} = new URL(request.url);
    // Before anything is configured: what is wrong with the configuration is what it is asked for.
    if (pathname === DOCTOR && request.method === 'GET') {
      const {showDoctor} = await import('./routes/merchant/doctor.ts');
      return {response: await showDoctor(request, env), route: pathname};
    }
    const context = contextOf(env);
    await authenticateServer(request, context.config.merchantApiKeys);
    // The router is remembered and not its promise: one request must not wait for another's.
    merchantRouter ??= routerOf((await import('./routes/merchant/api.ts')).merchantRoutes);
    const match = await findRoute(merchantRouter, request, pathname);
    route = match.route.path;
    return {response: await match.route.handle(request, {...context, params: match.params, requestId}), route};
  } catch (error) {
    const problem = toApiError(error, requestId, route);
    return {response: problem.toMerchantResponse(requestId), route, code: problem.code};
  }
}

/** The platform's notifications: no page may send one, so there is no CORS. */
async function answerPlatform(request: Request, env: Env, requestId: string): Promise<Answer> {
  let route = '(none)';
  try {
    const context = contextOf(env);
    const match = await findRoute(publicRouter, request, new URL(request.url).pathname);
    route = match.route.path;
    return {response: await match.route.handle(request, {...context, params: match.params, requestId}), route};
  } catch (error) {
    const problem = toApiError(error, requestId, route);
    return {response: problem.toResponse(requestId), route, code: problem.code};
  }
}

function routerOf(table: readonly Route[]): RouterType {
  const router = Router();
  for (const route of table) {
    router[route.method.toLowerCase() as Lowercase<typeof route.method>](route.path, (request) => ({
      route,
      params: request.params,
    }));
  }
  return router;
}

async function findRoute(router: RouterType, request: Request, pathname: string): Promise<Match> {
  const match = (await router.fetch(request)) as Match | undefined;
  if (match) return match;
  const allow = methodsOf(router, pathname);
  throw allow.length > 0 ? new ApiError('method_not_allowed', {allow}) : new ApiError('not_found');
}

/** The methods an address takes. */
function methodsOf(router: RouterType, pathname: string): string[] {
  return router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);
}

function toApiError(error: unknown, requestId: string, route: string): ApiError {
  if (error instanceof ApiError) {
    const {cause, failure} = error.options;
    if (failure) log('warn', 'platform_trouble', {request_id: requestId, route, ...describeFailure(failure)});
    if (error.status >= 500 && cause !== undefined)
      log('warn', 'internal_error', {request_id: requestId, error: describeError(cause)});
    return error;
  }
  if (error instanceof ConfigError) {
    log('error', 'misconfigured', {request_id: requestId, names: error.bindings});
    return new ApiError('misconfigured', {cause: error});
  }
  log('error', 'internal_error', {request_id: requestId, error: describeError(error)});
  return new ApiError('internal', {cause: error});
}

/** What the log keeps of a failed call: the line of the call itself stands beside it with the same words. */
function describeFailure(failure: PlatformFailure): LogFields {
  switch (failure.outcome) {
    case 'refused':
      return {platform_status: failure.status};
    case 'unknown':
      return {fault: failure.fault};
    case 'unsent':
      return {retry_in_ms: failure.retryAfterMs};
    case 'unconfigured':
      return {names: [failure.family]};
  }
}
