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

interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds routes. The `Router` stays inside: it has every method one asks it for, `then` too, so that it cannot be awaited. */
class RouteTable {
  readonly #router: RouterType = Router();

  constructor(table: readonly Route[]) {
    for (const route of table) {
      this.#router[route.method.toLowerCase() as Lowercase<typeof route.method>](route.path, (request) => ({
        route,
        params: request.params,
      }));
    }
  }

  /** @throws {ApiError} `method_not_allowed`, `not_found` */
  async find(request: Request, pathname: string): Promise<Match> {
    const match = (await this.#router.fetch(request)) as Match | undefined;
    if (match) return match;
    const allow = this.methodsOf(pathname);
    throw allow.length > 0 ? new ApiError('method_not_allowed', {allow}) : new ApiError('not_found');
  }

  /** The methods an address takes. */
  methodsOf(pathname: string): string[] {
    return this.#router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);
  }
}

const publicRoutes = new RouteTable(routes);
/**
 * The merchant API weighs more than everything else, and shoppers have no use for it: an isolate reads it when it is
 * first asked for, and starts the sooner.
 */
let merchantRoutes: RouteTable | undefined;

/** Who calls below a prefix, and how they are answered. */
interface Callers {
  readonly prefix: string;
  /** Whether pages call: the `Origin` is checked, and allowed pages may read every answer. */
  readonly cors: boolean;
  /** Checks who calls, before the route is looked for. */
  readonly authenticate?: (request: Request, context: Context) => Promise<void>;
  readonly loadRoutes: () => RouteTable | Promise<RouteTable>;
  readonly toResponse: (error: ApiError, requestId: string) => Response;
}

/** Merchants' servers: a key, and the platform's own words in a problem. */
const MERCHANTS: Callers = {
  prefix: '/merchant/',
  cors: false,
  authenticate: (request, {config}) => authenticateServer(request, config.merchantApiKeys),
  // The table is remembered and not its promise: one request must not wait for another's.
  loadRoutes: async () =>
    (merchantRoutes ??= new RouteTable((await import('./routes/merchant/api.ts')).merchantRoutes)),
  toResponse: (error, requestId) => error.toMerchantResponse(requestId),
};

/** The platform's notifications. */
const PLATFORM: Callers = {
  prefix: '/hooks/',
  cors: false,
  loadRoutes: () => publicRoutes,
  toResponse: (error, requestId) => error.toResponse(requestId),
};

const PAGES: Callers = {...PLATFORM, prefix: '/', cors: true};

const DOCTOR = '/merchant/v1/doctor';
/** Many monitors ask with HEAD. */
const HEALTH_METHODS = ['GET', 'HEAD'];

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
  const callers = [MERCHANTS, PLATFORM].find(({prefix}) => pathname.startsWith(prefix)) ?? PAGES;
  let route = '(none)';
  let context: Context | undefined;
  try {
    // These two work without a configuration: what is wrong with it is what they are asked for.
    if (pathname === '/health') {
      route = pathname;
      if (!HEALTH_METHODS.includes(request.method)) throw new ApiError('method_not_allowed', {allow: HEALTH_METHODS});
      const response = await showHealth(env);
      return {response: request.method === 'HEAD' ? new Response(null, response) : response, route};
    }
    if (pathname === DOCTOR && request.method === 'GET') {
      const {showDoctor} = await import('./routes/merchant/doctor.ts');
      return {response: await showDoctor(request, env), route: pathname};
    }
    context = contextOf(env);
    if (callers.cors && request.method === 'OPTIONS')
      return {response: answerPreflight(request, context, publicRoutes.methodsOf(pathname)), route: '(preflight)'};
    await callers.authenticate?.(request, context);
    const match = await (await callers.loadRoutes()).find(request, pathname);
    route = match.route.path;
    if (callers.cors) checkOrigin(request, context, match.route.access);
    const response = await match.route.handle(request, {...context, params: match.params, requestId});
    if (callers.cors) addCorsHeaders(response, request, context);
    return {response, route};
  } catch (error) {
    const problem = toApiError(error, requestId, route);
    const response = callers.toResponse(problem, requestId);
    if (callers.cors && context) addCorsHeaders(response, request, context);
    return {response, route, code: problem.code};
  }
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
