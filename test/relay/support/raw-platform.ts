/** A platform on plain TCP. It records every byte of the requests, and sends the answers that a test sets. */

import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {type ReadRequest, RequestReader} from '../../support/request-reader.ts';

export interface ReceivedRequest extends ReadRequest {
  /** The number of the connection on which the request came, counted from 1. */
  readonly connection: number;
  /** IP address of the client. */
  readonly from: string;
}

type Answer = (request: ReceivedRequest, socket: Socket) => string | Buffer | null;

export const httpResponse = (body: string, head = 'HTTP/1.1 200 OK', headers: Record<string, string> = {}): string =>
  [
    head,
    ...Object.entries({'content-type': 'application/json', ...headers}).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

export class RawPlatform {
  readonly requests: ReceivedRequest[] = [];
  /** Returns the answer to a request; null sends no answer. */
  answer: Answer = () => httpResponse('{"status":"000"}');
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async start(): Promise<RawPlatform> {
    const platform = new RawPlatform();
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve));
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    const connection = (this.connections += 1);
    const from = socket.remoteAddress ?? '';
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    const reader = new RequestReader((request) => {
      const received = {...request, connection, from};
      this.requests.push(received);
      const answer = this.answer(received, socket);
      if (answer !== null) socket.write(answer);
    });
    socket.on('data', (bytes) => reader.read(bytes));
  }
}
