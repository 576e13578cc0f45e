/** A platform at which every call fails. The first segment of a URL's path names the fault, the second the cell. */

import {createServer, type RequestListener, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {FaultName} from './faults.ts';

const CLOSED_PORT = 1;
const SLOW_BYTE_MS = 250;
const CHUNK = 'x'.repeat(64 * 1024);
/** 32 MB, more than any operation reads. */
const HUGE_CHUNKS = 512;
const SUCCESS = '{"status":"000","message":"Success","response":{"result":"SUCCESS","resultCode":"0000"}}';
const HTML = '<!doctype html><title>Hata</title><h1>Internal Server Error</h1>';

export class FailingPlatform {
  readonly #server: Server;
  readonly #elsewhere: Server;
  readonly #requests = new Map<string, number>();
  #redirectsFollowed = 0;

  private constructor(server: Server, elsewhere: Server) {
    this.#server = server.on('request', this.#answer);
    this.#elsewhere = elsewhere.on('request', (_request, response: ServerResponse) => {
      this.#redirectsFollowed += 1;
      response.end(SUCCESS);
    });
  }

  static async start(): Promise<FailingPlatform> {
    const [server, elsewhere] = await Promise.all([listen(), listen()]);
    return new FailingPlatform(server, elsewhere);
  }

  /** The base URL for the calls of one cell. Calls to this URL fail with the fault, and are counted for the cell. */
  addressOf(cell: string, fault: FaultName): string {
    const port = fault === 'refused' ? CLOSED_PORT : portOf(this.#server);
    return `http://127.0.0.1:${port}/${encodeURIComponent(fault)}/${encodeURIComponent(cell)}`;
  }

  requestsOf(cell: string): number {
    return this.#requests.get(cell) ?? 0;
  }

  /** How many redirects were followed. */
  get redirectsFollowed(): number {
    return this.#redirectsFollowed;
  }

  async stop(): Promise<void> {
    await Promise.all([stop(this.#server), stop(this.#elsewhere)]);
  }

  readonly #answer: RequestListener = (request, response) => {
    const [, fault = '', cell = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
    this.#requests.set(cell, (this.#requests.get(cell) ?? 0) + 1);
    request
      .resume()
      .on('error', () => {})
      .on('end', () => this.#fail(fault as FaultName, response, request.socket));
  };

  #fail(fault: FaultName, response: ServerResponse, socket: Socket): void {
    const status = (code: string) =>
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          status: code,
          message: 'Refused',
          description: 'Refused',
          response: {result: 'ERROR', resultCode: code, resultDescription: 'Refused'},
        }),
      );
    switch (fault) {
      case 'refused':
      case 'no first byte':
        return;
      case 'slow body':
        trickle(response);
        return;
      case 'truncated':
        response.writeHead(200, {'content-length': SUCCESS.length, 'content-type': 'application/json'});
        response.write(SUCCESS.slice(0, SUCCESS.length / 2), () => socket.end());
        return;
      // These two faults differ only in whether the platform executed the call, which the caller cannot see.
      case 'reset':
      case 'executed, then reset':
        socket.resetAndDestroy();
        return;
      case '5xx with HTML':
        response.writeHead(503, {'content-type': 'text/html'}).end(HTML);
        return;
      case '200 with HTML':
        response.writeHead(200, {'content-type': 'text/html'}).end(HTML);
        return;
      case 'empty':
        response.end();
        return;
      case 'malformed':
        response.end(SUCCESS.slice(0, -2));
        return;
      case 'huge':
        pour(response);
        return;
      case 'redirect to another host':
        response.writeHead(307, {location: `http://localhost:${portOf(this.#elsewhere)}/`}).end();
        return;
      case 'ERR_016 storm':
        status('ERR_016');
        return;
      case 'ERR_007':
      case 'ERR_002':
        status(fault);
        return;
      case 'unknown status':
        status('ERR_777');
    }
  }
}

/** Sends the headers immediately and then one byte at a time, for longer than any deadline. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'application/json'});
  const timer = setInterval(() => response.write(' '), SLOW_BYTE_MS);
  response.on('close', () => clearInterval(timer));
}

/** Sends a huge valid JSON answer without `content-length`, as fast as the caller reads it. */
function pour(response: ServerResponse): void {
  let left = HUGE_CHUNKS;
  const writeMore = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(CHUNK)) return void response.once('drain', writeMore);
    }
    response.end('"}');
  };
  response.writeHead(200, {'content-type': 'application/json'});
  response.write(`${SUCCESS.slice(0, -1)},"padding":"`);
  writeMore();
}

async function listen(): Promise<Server> {
  const server = createServer();
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
