/**
 * Which pages may use the controls: those that a developer's machine serves itself, like the demo's bank counter.
 * Any other page in the same browser could otherwise pay orders and read calls.
 */

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for a page on another machine. Servers send no `Origin`. */
export function isForeign(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin !== null && !(URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname));
}

/** Lets the page that asked read the answer. */
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
