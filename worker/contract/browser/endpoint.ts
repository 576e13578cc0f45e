/** The row of one endpoint of the browser API. The file has types only. */

import type * as z from 'zod/mini';

/** `creating` is a payment session that is not read-only, so it may create an order code. */
export type RequiredSession = 'payment' | 'creating' | 'subscription' | 'management' | 'vendor';

/** Kinds of requests that are counted per IP address. A guard counts `sessions`, and only the binding all others. */
export type LimitedRequests = 'sessions' | 'activities' | 'pins' | 'subscriptions' | 'numbers' | 'returns';

export interface BrowserEndpoint {
  readonly method: 'GET' | 'POST';
  /** Marks a GET that does more than read, so that HEAD is refused. */
  readonly noHead?: true;
  /** `{name}` is a parameter that the handler reads. */
  readonly path: `/${string}`;
  /** `page`: only pages of allowed origins may call the endpoint. */
  readonly access: 'page' | 'anyone';
  /**
   * The session that the request must carry as `Authorization: Bearer`. The answer then depends on who asks, so it has
   * `Vary: Authorization, Vezne-Read` and repeats the request's `Vezne-Read`.
   */
  readonly session: RequiredSession | null;
  /** The limit towards which each request counts, after its session is checked and before its body is read. */
  readonly limit?: LimitedRequests;
  /** Counts a request only after its body has been read and found valid. */
  readonly countsValidOnly?: true;
  /** The JSON body; absent for requests without a body. An isolate builds the schema at the first such request. */
  readonly input?: () => z.ZodMiniType;
  /** Also accepts JSON with the content type `text/plain`, which needs no preflight. */
  readonly asText?: true;
  /**
   * A request without the header `Authorization` may carry the session in its body, in the field `session`. Or its body
   * names an `offer`, for which the handler opens a session. The order counts it.
   */
  readonly mayOpenSession?: true;
  readonly status: 101 | 200 | 201 | 202;
  /** The handler returns a `Response` instead of a value, because the answer is not JSON or has special headers. */
  readonly raw?: true;
}
