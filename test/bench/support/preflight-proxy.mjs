// @ts-check
// Stands before the Worker and holds back what DevTools does not: its shaping leaves out the questions a browser asks before a request
// across origins (`OPTIONS`), which on a real network travel as long as any other request. All else goes through as it is.

import {createServer, request as ask} from 'node:http';
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
    const request = ask({host: 'localhost', port: to, method, path: url, headers}, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    request.on('error', () => outgoing.destroy());
    incoming.pipe(request);
  });
  return listen(server);
}
