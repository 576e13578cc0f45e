/** The type of a route: method, path, callers and handler. */

import type {Context} from '../context.ts';
import type {Access} from '../http/cors.ts';

export interface RouteContext extends Context {
  readonly env: Env;
  /** The `x-request-id` of the response. */
  readonly requestId: string;
  /** The named segments of the path. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly access: Access;
  readonly handle: (request: Request, context: RouteContext) => Promise<Response>;
}

/** Converts a path of the contract to the router's syntax: `{name}` becomes `:name`. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
