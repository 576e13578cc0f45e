/**
 * Handles every request: checks the caller, finds the route, turns each failure into a problem, and logs one line.
 * Route handlers take `(request, context)` and throw `ApiError`.
 */

import {ConfigError} from './config/mistakes.ts';
import {type Context, contextOf, reporterOf} from './context.ts';
import {drainRequestBody} from './http/body.ts';
import {clientSubnet} from './http/client-ip.ts';
import {addCorsHeaders, checkOrigin, answerPreflight, READ_METHODS} from './http/cors.ts';
import {ApiError} from './http/errors.ts';
import {accountLimitOf} from './lib/account-limit.ts';
import {withLogScope} from './lib/log-scope.ts';
import {describeError, log, type LogFields} from './lib/log.ts';
import {isStoreRefused} from './objects/migrations.ts';
import {isOrdinaryRefusal, type PlatformFailure} from './platform/failure.ts';
import {browserRoutes} from './routes/browser/api.ts';
import {showHealth} from './routes/health.ts';
import {merchantRoutes} from './routes/merchant/api.ts';
import {authenticateServer} from './routes/merchant/auth.ts';
import {showDoctor} from './routes/merchant/doctor.ts';
import {receiveCharges, receiveSubscriptions} from './routes/notifications/billing.ts';
import {receivePayments} from './routes/notifications/payments.ts';
import {receiveRefundResults} from './routes/notifications/refund-results.ts';
import {type PageScript, servePageScript} from './routes/page-scripts.ts';
import {pageRoutes, problemPage} from './routes/pages/pages.ts';
import type {Caller, Route} from './routes/route.ts';

/**
 * The platform's notifications. They need no session and no API key. In some notifications, a key in each record proves
 * the sender. All other notifications are only hints.
 */
const notificationHandlers: Readonly<Record<string, Route['handle']>> = {
  '/hooks/refund-result': receiveRefundResults,
  '/hooks/payment': receivePayments,
  '/hooks/billing': receiveCharges,
  '/hooks/subscription': receiveSubscriptions,
};

const notificationRoutes: readonly Route[] = Object.entries(notificationHandlers).flatMap(([path, receive]) =>
  (['GET', 'POST'] as const).map((method) => ({method, path, access: 'platform', noHead: true, handle: receive})),
);

/**
 * The routes of pages and of the platform's notifications. The routes of the merchant API are made later. `answer`
 * itself handles the paths that work without a valid configuration.
 */
export const routes: readonly Route[] = [...browserRoutes, ...notificationRoutes];

interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. A path without parameters comes before a path with parameters that fits too. */
class RouteTable {
  /** The routes of paths without parameters, by method and path. */
  readonly #literal = new Map<string, Match>();
  readonly #patterns: readonly {readonly route: Route; readonly pattern: RegExp}[];

  constructor(private readonly table: readonly Route[]) {
    for (const route of table) this.#literal.set(keyOf(route.method, route.path), {route, params: {}});
    this.#patterns = table
      .filter(({path}) => path.includes('{'))
      .map((route) => ({route, pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)}));
  }

  /**
   * @param pathname - Slashes at its end are ignored.
   * @throws {ApiError} `method_not_allowed`, `not_found`
   */
  find({method}: Request, pathname: string): Match {
    const path = pathname.replace(/\/+$/, '');
    const isHead = method === 'HEAD';
    const found = this.#find(isHead ? 'GET' : method, path);
    if (found && !(isHead && found.route.noHead)) return found;
    const allow = this.#routesOf(path).flatMap((route) =>
      route.method === 'GET' && !route.noHead ? READ_METHODS : [route.method],
    );
    throw allow.length > 0 ? new ApiError('method_not_allowed', {allow}) : new ApiError('not_found');
  }

  #find(method: string, path: string): Match | undefined {
    const literal = this.#literal.get(keyOf(method, path));
    if (literal) return literal;
    for (const {route, pattern} of this.#patterns) {
      const found = route.method === method && pattern.exec(path);
      if (found) return {route, params: {...found.groups}};
    }
    return undefined;
  }

  /** The methods that a path supports. HEAD is not among them, because a page may send it without a preflight. */
  methodsOf(pathname: string): string[] {
    return this.#routesOf(pathname.replace(/\/+$/, '')).map(({method}) => method);
  }

  #routesOf(path: string): Route[] {
    const fitting = this.#patterns.filter(({pattern}) => pattern.test(path)).map(({route}) => route);
    return [...this.table.filter((route) => route.path === path), ...fitting];
  }
}

const keyOf = (method: string, path: string) => `${method} ${path}`;

const publicRoutes = new RouteTable(routes);
const servedPages = new RouteTable(pageRoutes);
/**
 * More than half of all schemas are in the contract of the merchant API, and shoppers never use it. An isolate loads it
 * only when a merchant's server calls for the first time, so that the isolate starts faster.
 */
const loadEndpoints = async () => (await import('./contract/merchant/endpoints.ts')).endpoints;
let merchantTable: RouteTable | undefined;

/** The callers of some paths, and how the Worker treats them. */
interface Callers {
  readonly paths: RegExp;
  /** True for merchants' pages: allowed pages may read every answer. */
  readonly cors: boolean;
  /** Authenticates the caller before the route is looked up. */
  readonly authenticate?: (request: Request, context: Context) => Promise<Caller>;
  readonly loadRoutes: () => RouteTable | Promise<RouteTable>;
  readonly toResponse: (error: ApiError, requestId: string, request: Request) => Response;
}

/** Merchants' servers. They send an API key, and the problems that they get include the platform's message. */
const MERCHANTS: Callers = {
  paths: /^\/merchant\//,
  cors: false,
  authenticate: authenticateServer,
  // This caches the table and not its promise, because a request must not wait for work that another request started.
  loadRoutes: async () => (merchantTable ??= new RouteTable(merchantRoutes(await loadEndpoints()))),
  toResponse: (error, requestId) => error.toMerchantResponse(requestId),
};

/** The platform's notifications. */
const PLATFORM: Callers = {
  paths: /^\/hooks\//,
  cors: false,
  loadRoutes: () => publicRoutes,
  toResponse: (error, requestId) => error.toResponse(requestId),
};

/** Shoppers who open a page of the Worker itself. Their problems are pages too. */
const SHOPPERS: Callers = {
  paths: /^\/(?:p|r|theme)\//,
  cors: false,
  loadRoutes: () => servedPages,
  toResponse: (error, _requestId, request) => problemPage(error, request),
};

const PAGES: Callers = {...PLATFORM, paths: /^/, cors: true};

const DOCTOR = '/merchant/v1/doctor';
const PAGE_SCRIPTS: ReadonlyMap<string, PageScript> = new Map([
  ['/checkout.js', 'checkout'],
  ['/subscribe.js', 'subscribe'],
]);
/**
 * The paths that, like the doctor's, work without a valid configuration. `/health` says what is wrong with it, and the
 * elements of page scripts tell the shopper that they cannot work.
 */
function openPath(pathname: string): ((request: Request, env: Env) => Promise<Response>) | null {
  if (pathname === '/health') return (_request, env) => showHealth(env);
  const script = PAGE_SCRIPTS.get(pathname);
  if (!script) return null;
  return (request, env) => servePageScript(script, request, env);
}

const REFUSED_STORE_RETRY_SECONDS = 60;

export function handle(request: Request, env: Env): Promise<Response> {
  const requestId = crypto.randomUUID();
  return withLogScope({request_id: requestId}, () => handleInScope(request, env, requestId));
}

async function handleInScope(request: Request, env: Env, requestId: string): Promise<Response> {
  const startedAt = Date.now();
  const {response: whole, route, code, askedBy} = await answer(request, env, requestId);
  const response = request.method === 'HEAD' ? withoutBody(whole) : whole;
  if (response.status >= 400) await drainRequestBody(request);
  response.headers.set('x-request-id', requestId);
  response.headers.set('x-content-type-options', 'nosniff');
  log(response.status >= 500 ? 'error' : 'info', 'request', {
    method: request.method,
    route,
    status: response.status,
    ...(code && {code}),
    ...(askedBy !== undefined && {asked_by: askedBy}),
    duration_ms: Date.now() - startedAt,
  });
  reporterOf(env)?.sendIfDue();
  return response;
}

/** The answer to HEAD: status and headers of the answer to GET. */
function withoutBody(response: Response): Response {
  void response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

interface Answer {
  readonly response: Response;
  readonly route: string;
  readonly code?: string;
  /** The id of the API key of a merchant's server. */
  readonly askedBy?: string | undefined;
}

async function answer(request: Request, env: Env, requestId: string): Promise<Answer> {
  const url = new URL(request.url);
  const {pathname} = url;
  const callers = [MERCHANTS, PLATFORM, SHOPPERS].find(({paths}) => paths.test(pathname)) ?? PAGES;
  let route = '(none)';
  let isPersonal: boolean | undefined;
  let context: Context | undefined;
  let caller: Caller | null = null;
  try {
    const open = openPath(pathname);
    if (open) {
      route = pathname;
      if (!READ_METHODS.includes(request.method)) throw new ApiError('method_not_allowed', {allow: READ_METHODS});
      return {response: await open(request, env), route};
    }
    if (pathname === DOCTOR && READ_METHODS.includes(request.method)) {
      const {examine} = await loadEndpoints();
      return {response: await showDoctor(examine, request, url, env), route: pathname};
    }
    context = contextOf(env);
    if (callers.cors && request.method === 'OPTIONS')
      return {response: answerPreflight(request, context, publicRoutes.methodsOf(pathname)), route: '(preflight)'};
    caller = (await callers.authenticate?.(request, context)) ?? null;
    const match = (await callers.loadRoutes()).find(request, pathname);
    route = match.route.path;
    ({isPersonal} = match.route);
    checkOrigin(request, context, match.route.access);
    const response = await match.route.handle(request, {
      ...context,
      env,
      caller,
      params: match.params,
      requestId,
      url,
      subnet: clientSubnet(request),
    });
    if (callers.cors) addCorsHeaders(response, request, context, isPersonal);
    return {response, route, askedBy: caller?.id};
  } catch (error) {
    const problem = toApiError(error, route);
    const {limit} = problem.options;
    if (limit !== undefined) context?.reporter.count('limit_refusals', {limit});
    const response = await callers.toResponse(problem, requestId, request);
    if (callers.cors && context) addCorsHeaders(response, request, context, isPersonal);
    return {response, route, code: problem.code, askedBy: caller?.id};
  }
}

function toApiError(error: unknown, route: string): ApiError {
  if (error instanceof ApiError) {
    const {cause, failure} = error.options;
    if (failure)
      log(isOrdinaryRefusal(failure) ? 'info' : 'warn', 'platform_trouble', {route, ...describeFailure(failure)});
    if (error.status >= 500 && cause !== undefined && !isStoreRefused(cause))
      log('warn', 'internal_error', {error: describeError(cause)});
    return error;
  }
  if (error instanceof ConfigError) {
    log('error', 'misconfigured', {names: error.places});
    return new ApiError('misconfigured', {cause: error});
  }
  // The object has logged why it refuses its store.
  if (isStoreRefused(error))
    return new ApiError('temporarily_unavailable', {cause: error, retryAfterSeconds: REFUSED_STORE_RETRY_SECONDS});
  log('error', 'internal_error', {error: describeError(error)});
  return accountLimitOf(error) === null
    ? new ApiError('internal', {cause: error})
    : new ApiError('temporarily_unavailable', {cause: error, retryAfterSeconds: REFUSED_STORE_RETRY_SECONDS});
}

/** Describes a failed platform call for the log, with the same fields as the call's own `platform_call` line. */
function describeFailure(failure: PlatformFailure): LogFields {
  switch (failure.outcome) {
    case 'refused':
      return {platform_status: failure.status};
    case 'unknown':
      return {fault: failure.fault};
    case 'unsent':
      return {retry_in_ms: failure.retryAfterMs};
    case 'unconfigured':
      return {names: [failure.interface]};
  }
}
