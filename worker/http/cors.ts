/** Checks which pages may call, and sets the CORS headers. The headers name the allowed origin, never `*`. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from './errors.ts';

export type Access =
  /** Only merchants' servers may call, with their key. There is no CORS, so pages cannot read the answers. */
  | 'merchant'
  /**
   * Only the platform may call. Its notifications need no session and no API key. There is no CORS, so pages cannot
   * read the answers.
   */
  | 'platform'
  /** Anyone may call. A page on a different origin can read the answer only if its origin is allowed. */
  | 'anyone'
  /**
   * Only allowed pages may call, and pages of the Worker itself. A GET without an `Origin` is accepted only if it comes from the Worker's own origin or
   * carries a session.
   */
  | 'page';

/** HEAD is answered as GET, without the body. */
export const READ_METHODS: readonly string[] = ['GET', 'HEAD'];

const MAX_READ_LENGTH = 64;

type CorsContext = {readonly config: Pick<Config, 'allowedOrigins'>};

/** @throws {ApiError} `origin_not_allowed` */
export function checkOrigin(request: Request, context: CorsContext, access: Access): void {
  if (access !== 'page') return;
  const origin = request.headers.get('origin');
  if (origin !== null) {
    const isAllowed = matchesOrigin(origin, context.config.allowedOrigins) || origin === new URL(request.url).origin;
    if (!isAllowed) throw new ApiError('origin_not_allowed');
    return;
  }
  if (!READ_METHODS.includes(request.method) || !(isSameOrigin(request) || carriesSession(request)))
    throw new ApiError('origin_not_allowed');
}

/**
 * Lets an allowed page read the answer. A page sends a random `Vezne-Read` with each request for a personal answer, and
 * the answer repeats it: an answer of a service worker's cache, which may be one of another session, repeats another.
 * @param isPersonal - Whether the answer depends on the session.
 */
export function addCorsHeaders(
  {headers}: Response,
  request: Request,
  {config}: CorsContext,
  isPersonal: boolean | undefined,
): void {
  const read = isPersonal && request.headers.get('vezne-read');
  headers.append('vary', isPersonal ? 'Origin, Authorization, Vezne-Read' : 'Origin');
  if (read) headers.set('vezne-read', read.slice(0, MAX_READ_LENGTH));
  const origin = request.headers.get('origin');
  if (origin === null || !matchesOrigin(origin, config.allowedOrigins)) return;
  headers.set('access-control-allow-origin', origin);
  if (request.method !== 'OPTIONS')
    headers.set('access-control-expose-headers', 'x-request-id, retry-after, vezne-read');
}

/**
 * Answers a CORS preflight. `addCorsHeaders` adds the origin. HEAD is not named, because a page sends it without a
 * preflight.
 */
export function answerPreflight(request: Request, context: CorsContext, methods: readonly string[]): Response {
  if (methods.length === 0) throw new ApiError('not_found');
  const origin = request.headers.get('origin');
  if (origin === null || !matchesOrigin(origin, context.config.allowedOrigins))
    throw new ApiError('origin_not_allowed');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.filter((method) => method !== 'HEAD').join(', '),
      'access-control-allow-headers': 'authorization, content-type, vezne-read',
      'access-control-max-age': '7200',
    },
  });
}

/** Browsers send no `Origin` with a same-origin GET. */
function isSameOrigin(request: Request): boolean {
  return request.headers.get('sec-fetch-site') === 'same-origin';
}

/** Whether the request has a session that the route can check, in a header or in a socket's subprotocols. */
function carriesSession(request: Request): boolean {
  return request.headers.has('authorization') || request.headers.has('sec-websocket-protocol');
}
