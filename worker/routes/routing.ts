/**
 * Registers rows of routes with itty-router. What a reader of its documentation does not expect of version 5.0.24:
 * parameters arrive undecoded; `/p/*` also matches `/p`, and every path also matches with slashes at its end; a `get`
 * route does not answer HEAD; of the handlers that fit, the first answer that is neither null nor undefined ends the
 * search, `0` and `''` too; all names of the query are read before the first handler, and what is found (`params`,
 * `query`, `route`) is written to the request. Therefore a call is not the request but has it, and its `url` has no
 * query. A router has a method of every name, also `then`, so a promise of a router never settles. `AutoRouter` sends
 * the messages of thrown errors to the caller, so it is not used.
 */

import type {RouterType} from 'itty-router';
import {contextOf} from '../context.ts';
import type {ErrorCode} from '../contract/codes.ts';
import {clientSubnet} from '../http/client-ip.ts';
import {checkOrigin} from '../http/cors.ts';
import {ApiError} from '../http/errors.ts';
import type {Caller, Route} from './route.ts';

/** A request on its way through the router, and that of the merchant API, with what their steps learn of it. */
export interface Call {
  readonly method: string;
  /** The URL without its query. */
  readonly url: string;
  readonly request: Request;
  readonly env: Env;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The named segments of the path, which itty-router finds. */
  params: Readonly<Record<string, string>>;
  /** The row that answers; its path is in the log. */
  row: Pick<Route, 'path' | 'isPersonal'>;
  /** The merchant's server that asks. */
  caller: Caller | null;
  callers: Callers;
  /** The code of the problem that was answered. */
  code?: ErrorCode;
}

/** How callers of one kind are answered. */
export interface Callers {
  readonly toProblem: (error: ApiError, call: Call) => Response;
  /** Set if allowed pages may read every answer. */
  readonly cors?: true;
}

const isPattern = ({path}: Route) => Number(path.includes('{'));

export type CallRouter = RouterType<Call, [], Response>;

/**
 * Registers rows. A path without parameters comes before a path with parameters that fits too. HEAD is answered as GET,
 * where a GET only reads.
 * @param first - Runs before each of them.
 */
export function addRows(router: CallRouter, rows: readonly Route[], first: (call: Call) => void = () => {}): void {
  for (const row of rows.toSorted((a, b) => isPattern(a) - isPattern(b))) {
    const method = row.method.toLowerCase() as Lowercase<Route['method']>;
    const path = row.path.replace(/\{(\w+)\}/g, ':$1');
    router[method](path, first, (call) => answer(row, call));
    if (method === 'get' && !row.noHead) router.head(path, first, (call) => answer(row, call));
  }
}

/** Refuses a call that no row fits. `Allow` names the methods of the path. */
export function refuse(router: CallRouter, call: Call): never {
  const allow = methodsAt(router, call);
  throw allow.length > 0 ? new ApiError('method_not_allowed', {allow}) : new ApiError('not_found');
}

/** The methods that the path of a call supports. */
export function methodsAt({routes}: CallRouter, {url}: Call): string[] {
  const {pathname} = new URL(url);
  const fitting = routes.filter(([method, pattern]) => method !== 'ALL' && pattern.test(pathname));
  return [...new Set(fitting.map(([method]) => method))];
}

function answer(row: Route, call: Call): Promise<Response> {
  const {request, env, requestId, caller, params} = call;
  call.row = row;
  const context = contextOf(env);
  checkOrigin(request, context, row.access);
  const url = new URL(request.url);
  const subnet = clientSubnet(request);
  return row.handle(request, {...context, env, caller, params, requestId, url, subnet});
}
