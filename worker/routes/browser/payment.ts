import {ApiError} from '../../http/errors.ts';
import {type Visit, VISIT_HEADER} from '../../objects/order/sockets.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';

const PROTOCOL = 'vezne.v1';

/**
 * GET /v1/payment/live: a WebSocket that sends the payment on open and on every change, and ends with the session
 * (4401). It answers `ping` with `pong`, so that a page can tell whether it still listens. A browser cannot
 * set headers on one, so the session is the second subprotocol offered; the answer names only the first.
 */
export async function watchPayment(request: Request, context: RouteContext): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError('invalid_request', {
      status: 426,
      fields: [{path: '', message: 'This address takes a WebSocket.'}],
    });
  }
  const [protocol, token = ''] = (request.headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((offered) => offered.trim());
  if (protocol !== PROTOCOL) throw new ApiError('unauthorized');
  const {terms, readUntil} = await sessionOf(request, context, {token});
  const opened = await context.objects.order(terms.service, terms.order).fetch('https://order/', {
    headers: {
      upgrade: 'websocket',
      [VISIT_HEADER]: encodeURIComponent(JSON.stringify({terms, readUntil} satisfies Visit)),
    },
  });
  return new Response(null, {
    status: 101,
    webSocket: opened.webSocket ?? null,
    headers: {'sec-websocket-protocol': PROTOCOL},
  });
}
