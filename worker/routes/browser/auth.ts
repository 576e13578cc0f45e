import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import type {SessionKind, SessionOf} from '../../session.ts';

/**
 * The session a page's request carries.
 * @throws {ApiError} `unauthorized`, `session_expired`, `session_kind`; `origin_not_allowed` on another page than its own.
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
 * A payment session that may do more than read: one that a hand-off brought reads only.
 * @throws {ApiError} as `requireSession`, and `session_kind`.
 */
export async function requireCreatingSession(request: Request, context: Context): Promise<SessionOf<'payment'>> {
  const session = await requireSession(request, context);
  if (session.createUntil === 0) throw new ApiError('session_kind');
  return session;
}

function bearerToken(request: Request): string {
  return /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}
