/**
 * Only pages that the developer's own machine serves may use the controls, such as the demo's bank counter. Otherwise
 * any page in the same browser could pay orders and read calls.
 */

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for a page on another machine. A server sends no `Origin` and is allowed. */
export function isForeign(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin !== null && !(URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname));
}

/** Lets the calling page read the response. */
export function allowLoopback(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  response.headers.append('vary', 'origin');
  if (origin !== null) response.headers.set('access-control-allow-origin', origin);
  return response;
}

export function answerPreflight(request: Request): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
  };
  return allowLoopback(request, new Response(null, {status: 204, headers}));
}
