/**
 * Handles every request: checks the caller, finds the route, turns each failure into a problem, and logs one line.
 * Route handlers take `(request, context)` and throw `ApiError`.
 */

import {Router} from 'itty-router/Router';
import {contextOf, reporterOf, workingContextOf} from './context.ts';
import {drainRequestBody} from './http/body.ts';
import {addCorsHeaders, answerPreflight, READ_METHODS} from './http/cors.ts';
import {ApiError} from './http/errors.ts';
import {withLogScope} from './lib/log-scope.ts';
import {log} from './lib/log.ts';
import {browserRoutes} from './routes/browser/api.ts';
import {answerDesk} from './routes/desk.ts';
import {showHealth} from './routes/health.ts';
import {answerMerchant, authenticate} from './routes/merchant/api.ts';
import {explainConfiguration} from './routes/merchant/doctor.ts';
import {notificationRoutes} from './routes/notifications/notifications.ts';
import {type PageScript, servePageScript} from './routes/page-scripts.ts';
import {pageRoutes, problemPage} from './routes/pages/pages.ts';
import {toApiError} from './routes/problems.ts';
import {addRows, type Call, type Callers, type CallRouter, methodsAt, refuse} from './routes/routing.ts';

const asJson: Callers['toProblem'] = (error, {requestId}) => error.toResponse(requestId);

/** Merchants' pages. */
const page = setCallers({toProblem: asJson, cors: true});
/** The platform, which sends notifications. */
const platform = setCallers({toProblem: asJson});
/** Shoppers who open a page of the Worker itself. Their problems are pages too. */
const shopper = setCallers({toProblem: (error, {request}) => problemPage(error, request)});
/** Merchants' servers. They send an API key, and the problems that they get include the platform's message. */
const server = setCallers({toProblem: (error, {requestId}) => error.toMerchantResponse(requestId)});

function setCallers(callers: Callers) {
  return (call: Call): void => {
    call.callers = callers;
  };
}

/** Turns a failure into the problem that the callers get. */
function toProblem(thrown: unknown, call: Call): Response {
  const problem = toApiError(thrown, call.row.path);
  const {limit} = problem.options;
  if (limit !== undefined) reporterOf(call.env)?.count('limit_refusals', {limit});
  call.code = problem.code;
  return call.callers.toProblem(problem, call);
}

function cors(response: Response, {request, env, row, callers}: Call): void {
  const context = callers.cors && workingContextOf(env);
  if (context) addCorsHeaders(response, request, context, row.isPersonal);
}

function preflight(call: Call): Response | undefined {
  if (call.method !== 'OPTIONS') return undefined;
  const response = answerPreflight(call.request, contextOf(call.env), methodsAt(router, call));
  call.row = {path: '(preflight)'};
  return response;
}

function refuseCall(call: Call): never {
  contextOf(call.env);
  return refuse(router, call);
}

/** The answer to HEAD: status and headers of the answer to GET. */
function withoutBody(response: Response, {method}: Call): Response | undefined {
  if (method !== 'HEAD') return undefined;
  void response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

async function finish(response: Response, {method, request, requestId, row, code, caller, startedAt, env}: Call) {
  const {status, headers} = response;
  if (status >= 400) await drainRequestBody(request);
  headers.set('x-request-id', requestId);
  headers.set('x-content-type-options', 'nosniff');
  log(status >= 500 ? 'error' : 'info', 'request', {
    method,
    route: row.path,
    status,
    ...(code && {code}),
    ...(caller && {asked_by: caller.id}),
    duration_ms: Date.now() - startedAt,
  });
  reporterOf(env)?.sendIfDue();
}

const router: CallRouter = Router<Call, [], Response>({catch: toProblem, finally: [cors, withoutBody, finish]});
addRows(router, browserRoutes, page);

/**
 * The paths that, like the doctor's, work without a valid configuration. `/health` says what is wrong with it, and the
 * elements of page scripts tell the shopper that they cannot work.
 */
const OPEN: Readonly<Record<string, (request: Request, env: Env) => Promise<Response>>> = {
  '/health': (_request, env) => showHealth(env),
  '/checkout.js': scriptOf('checkout'),
  '/subscribe.js': scriptOf('subscribe'),
};
for (const [path, show] of Object.entries(OPEN))
  router.all(path, (call) => {
    call.row = {path};
    if (!READ_METHODS.includes(call.method)) throw new ApiError('method_not_allowed', {allow: READ_METHODS});
    return show(call.request, call.env);
  });

router
  .all('/desk/*', answerDesk)
  .get('/merchant/v1/doctor', server, explainConfiguration)
  .head('/merchant/v1/doctor', server, explainConfiguration)
  .all('/merchant/*', server, authenticate, answerMerchant);
addRows(router, notificationRoutes, platform);
router.all('/hooks/*', platform, refuseCall);
addRows(router, pageRoutes, shopper);
for (const path of ['/p/*', '/r/*', '/theme/*']) router.all(path, shopper, refuseCall);
router.all('*', page, preflight, refuseCall);

function scriptOf(script: PageScript) {
  return (request: Request, env: Env) => servePageScript(script, request, env);
}

export function handle(request: Request, env: Env): Promise<Response> {
  const requestId = crypto.randomUUID();
  const [url] = request.url.split('?', 1) as [string];
  const call: Call = {
    method: request.method,
    url,
    request,
    env,
    requestId,
    startedAt: Date.now(),
    params: {},
    row: {path: '(none)'},
    caller: null,
    callers: {toProblem: asJson},
  };
  return withLogScope({request_id: requestId}, () => router.fetch(call));
}
