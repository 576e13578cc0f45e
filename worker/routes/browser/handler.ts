/** What all handlers of the browser API share: their types, and the check of the session. */

import type * as z from 'zod/mini';
import type {Context} from '../../context.ts';
import type {BrowserEndpointName, BrowserEndpoints} from '../../contract/browser/endpoints.ts';
import type {PageEndpoint, RequiredSession} from '../../contract/endpoint.ts';
import {bearerToken} from '../../http/bearer-token.ts';
import {ApiError} from '../../http/errors.ts';
import type {SessionKind, SessionOf} from '../../session.ts';
import type {Handler} from '../endpoints.ts';
import type {RouteContext} from '../route.ts';

type SessionFor<S extends RequiredSession | null> = S extends 'creating'
  ? SessionOf<'payment'>
  : S extends Exclude<RequiredSession, 'creating'>
    ? SessionOf<S>
    : null;

export interface BrowserContext<S extends RequiredSession | null = RequiredSession | null> extends RouteContext {
  /** The verified session of the kind that the endpoint requires; null if the request needs no session. */
  readonly session: SessionFor<S>;
  /** When the request arrived, in epoch milliseconds. */
  readonly receivedAt: number;
}

type Session<R extends PageEndpoint> =
  R extends PageEndpoint<z.ZodMiniType, infer S, infer O>
    ? (S extends undefined ? null : S) | (O extends true ? null : never)
    : never;

export type BrowserHandlers = {
  readonly [N in BrowserEndpointName]: Handler<BrowserEndpoints[N], BrowserContext<Session<BrowserEndpoints[N]>>>;
};

/**
 * Verifies the session of a page's request.
 * @throws {ApiError} `unauthorized`, `session_expired`, `session_kind`, or `origin_not_allowed` if the page's origin
 * differs from the session's.
 */
export async function requireSession<K extends SessionKind = 'payment'>(
  request: Request,
  {sessions}: Context,
  {kind = 'payment' as K, token = bearerToken(request)}: {readonly kind?: K; readonly token?: string} = {},
): Promise<SessionOf<K>> {
  const session = await sessions.verify(token, kind);
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== session.origin) throw new ApiError('origin_not_allowed');
  return session;
}

/**
 * Verifies a payment session that is not read-only. A session from a hand-off is read-only.
 * @throws {ApiError} The errors of `requireSession`, and `session_kind` for a read-only session.
 */
export async function requireCreatingSession(request: Request, context: Context): Promise<SessionOf<'payment'>> {
  const session = await requireSession(request, context);
  if (session.createUntil === 0) throw new ApiError('session_kind');
  return session;
}
