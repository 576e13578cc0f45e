/** A platform of bare TCP: it keeps every byte it is sent, and answers what it is told to. */

import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {type ReadRequest, RequestReader} from '../../support/request-reader.ts';

export interface Heard extends ReadRequest {
  /** Counts the connections it came on, from 1. */
  readonly connection: number;
  /** Where it came from. */
  readonly from: string;
}

type Answer = (request: Heard, socket: Socket) => string | Buffer | null;

export const page = (body: string, head = 'HTTP/1.1 200 OK', headers: Record<string, string> = {}): string =>
  [
    head,
    ...Object.entries({'content-type': 'application/json', ...headers}).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

export class RawPlatform {
  readonly heard: Heard[] = [];
  /** What it answers with; null is silence. */
  answer: Answer = () => page('{"status":"000"}');
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#take(socket));
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

  #take(socket: Socket): void {
    const connection = (this.connections += 1);
    const from = socket.remoteAddress ?? '';
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    const reader = new RequestReader((request) => {
      const heard = {...request, connection, from};
      this.heard.push(heard);
      const answer = this.answer(heard, socket);
      if (answer !== null) socket.write(answer);
    });
    socket.on('data', (bytes) => reader.read(bytes));
  }
}
