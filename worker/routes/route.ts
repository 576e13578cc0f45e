/** What a route is: its path, who may call it, and its handler. */

import type {Context} from '../context.ts';
import type {Access} from '../http/cors.ts';

export interface RouteContext extends Context {
  /** The `x-request-id` of the answer. */
  readonly requestId: string;
  /** Named segments of the path. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly access: Access;
  readonly handle: (request: Request, context: RouteContext) => Promise<Response>;
}

/** A path of the contract as the router matches it: `{name}` becomes `:name`. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
