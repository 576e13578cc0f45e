/** The type of a route: method, path, callers and handler. */

import type {ServiceLimit} from '../config/service-limit.ts';
import type {Context} from '../context.ts';
import type {Scope} from '../contract/merchant/scopes.ts';
import type {Access} from '../http/cors.ts';

/** A merchant's server. */
export interface Caller {
  /** The id of its API key; `root` for `MERCHANT_API_KEY`. */
  readonly id: string;
  readonly scopes: ReadonlySet<Scope> | 'all';
  readonly services: ServiceLimit;
}

export interface RouteContext extends Context {
  readonly env: Env;
  /** The `x-request-id` of the response. */
  readonly requestId: string;
  readonly url: URL;
  /** Null for pages and for the platform. */
  readonly caller: Caller | null;
  /** The network that sends the request, as limits count it. */
  readonly subnet: string;
  /** The named segments of the path. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Route {
  /** HEAD is answered as GET, without the body. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` is a parameter. */
  readonly path: string;
  /** Marks a GET that does more than read, so that HEAD is refused. */
  readonly noHead?: true | undefined;
  readonly access: Access;
  /** Whether the answer depends on the session of the request. */
  readonly isPersonal?: boolean;
  readonly handle: (request: Request, context: RouteContext) => Promise<Response>;
}
