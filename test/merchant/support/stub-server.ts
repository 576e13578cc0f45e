/** A server that sends prepared replies in order, and records the requests that it receives. */

import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll} from 'vitest';
import {Vezne, type VezneOptions} from '../../../merchant/index.ts';

interface StubReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const STUB_KEY = 'stub-key-that-must-not-leak';

const servers: Server[] = [];

// The servers stop after the last test and not after each test, because tests of a file run at the same time.
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
});

export interface StubServer {
  readonly url: string;
  readonly requests: readonly StubRequest[];
  /** Creates a client of this server. */
  connect(options?: Partial<VezneOptions>): Vezne;
}

/**
 * @param replies - The replies in order; the last reply repeats. `silent` means that the server does not reply. A
 * server without replies never replies.
 */
export async function startStub(...replies: readonly (StubReply | 'silent')[]): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({method: request.method ?? '', path: request.url ?? '', headers: request.headers, body});
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply === undefined || reply === 'silent') return;
    const isText = typeof reply.body === 'string';
    response
      .writeHead(reply.status, {'content-type': isText ? 'text/html' : 'application/json', ...reply.headers})
      .end(isText ? reply.body : JSON.stringify(reply.body ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {url, requests, connect: (options) => new Vezne({url, key: STUB_KEY, ...options})};
}

/** A reply with a problem document in the Worker's format. */
export const problem = (
  code: string,
  status: number,
  {retryable = false, headers = {}}: {retryable?: boolean; headers?: Record<string, string>} = {},
): StubReply => ({
  status,
  headers: {'content-type': 'application/problem+json', ...headers},
  body: {type: `/problems/${code}`, title: 'A stub problem.', status, code, request_id: 'request-1', retryable},
});
