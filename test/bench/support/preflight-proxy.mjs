// @ts-check
// A proxy in front of the Worker that delays CORS preflight requests (`OPTIONS`). DevTools does not throttle them, but
// on a real network they take as long as any other request. Other requests pass through unchanged.

import {createServer, request as forward} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {listen} from './listen.mjs';

/**
 * @param {{to: number, preflightMs: number}} options
 * @returns {Promise<{origin: string, stop(): Promise<void>}>}
 */
export function servePreflightProxy({to, preflightMs}) {
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'OPTIONS') await wait(preflightMs);
    const {method, url, headers} = incoming;
    const request = forward({host: 'localhost', port: to, method, path: url, headers}, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    request.on('error', () => outgoing.destroy());
    incoming.pipe(request);
  });
  return listen(server);
}
