/** Which pages may call, and what their browsers are told. The allowed origin is named, never `*`. */

import type {Config} from '../config/config.ts';
import {matchesOrigin} from '../config/origins.ts';
import {ApiError} from './errors.ts';

export type Access =
  /** Merchants' servers, by their key. No page may: there is no CORS. */
  | 'merchant'
  /** The platform, which proves itself by what it says. No page may: there is no CORS. */
  | 'platform'
  /** Answered to anyone; only allowed pages may read it across origins. */
  | 'anyone'
  /** Allowed pages; a GET without an `Origin` must be of the same site or carry a session. */
  | 'page';

type CorsContext = {readonly config: Pick<Config, 'allowedOrigins'>};

/** @throws {ApiError} `origin_not_allowed` */
export function checkOrigin(request: Request, context: CorsContext, access: Access): void {
  if (access === 'anyone') return;
  const origin = request.headers.get('origin');
  if (origin !== null) {
    if (!matchesOrigin(origin, context.config.allowedOrigins)) throw new ApiError('origin_not_allowed');
    return;
  }
  if (request.method !== 'GET' || !(isSameOrigin(request) || carriesSession(request)))
    throw new ApiError('origin_not_allowed');
}

/** Lets an allowed page read the answer. */
export function addCorsHeaders({headers}: Response, request: Request, {config}: CorsContext): void {
  headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin === null || !matchesOrigin(origin, config.allowedOrigins)) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', 'x-request-id, retry-after');
}

/** The browser's question before a request across origins. */
export function answerPreflight(request: Request, context: CorsContext, methods: readonly string[]): Response {
  if (methods.length === 0) throw new ApiError('not_found');
  const origin = request.headers.get('origin');
  if (origin === null || !matchesOrigin(origin, context.config.allowedOrigins))
    throw new ApiError('origin_not_allowed');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '7200',
      vary: 'Origin',
    },
  });
}

/** A browser leaves the `Origin` out of a GET on its own site. */
function isSameOrigin(request: Request): boolean {
  return request.headers.get('sec-fetch-site') === 'same-origin';
}

/** Whether there is a session to check: in a header, or among a socket's subprotocols. */
function carriesSession(request: Request): boolean {
  return request.headers.has('authorization') || request.headers.has('sec-websocket-protocol');
}
