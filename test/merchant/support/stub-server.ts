/** A server that says what it is told to, one answer after another, and remembers what it was asked. */

import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach} from 'vitest';
import {Vezne, type VezneOptions} from '../../../merchant/index.ts';

interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const STUB_KEY = 'stub-key-that-nobody-may-read';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
});

export interface Stub {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** A client of it. */
  connect(options?: Partial<VezneOptions>): Vezne;
}

/** @param answers in their order, the last one again and again; `silent` takes the request and says nothing. */
export async function startStub(...answers: readonly (Said | 'silent')[]): Promise<Stub> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push({method: request.method ?? '', path: request.url ?? '', headers: request.headers, body});
    const said = answers[Math.min(asked.length, answers.length) - 1];
    if (said === undefined || said === 'silent') return;
    const isText = typeof said.body === 'string';
    response
      .writeHead(said.status, {'content-type': isText ? 'text/html' : 'application/json', ...said.headers})
      .end(isText ? said.body : JSON.stringify(said.body ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {url, asked, connect: (options) => new Vezne({url, key: STUB_KEY, ...options})};
}

/** A problem as the Worker writes it. */
export const problem = (
  code: string,
  status: number,
  {retryable = false, headers = {}}: {retryable?: boolean; headers?: Record<string, string>} = {},
): Said => ({
  status,
  headers: {'content-type': 'application/problem+json', ...headers},
  body: {type: 'about:blank', title: 'What is wrong.', status, code, request_id: 'request-1', retryable},
});
