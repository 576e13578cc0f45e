/**
 * A TCP proxy that simulates network faults between a Worker and the platform. Tests call this connection the "line".
 * The proxy parses just enough HTTP to separate the requests on a kept-alive connection and to read their paths.
 */

import {request as requestTarget, type IncomingMessage} from 'node:http';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';
import {type ReadRequest, RequestReader} from './request-reader.ts';

export const FAULTS = [
  'refused',
  'silent',
  'silent-after',
  'slow',
  'reset-before',
  'reset-after',
  'truncated',
] as const;

/**
 * - `refused`: the port is closed. The operating system refuses new connections, and open connections are reset. This
 *   fault takes no scope, because a closed port receives no request and so knows no paths. Refused requests are not
 *   counted.
 * - `silent`: the proxy accepts the request, does not deliver it and does not answer. The connection stays open.
 * - `silent-after`: the request is delivered and executed. No byte of the answer arrives. The connection stays open.
 * - `slow`: the request is delivered. Its answer arrives byte by byte, too slowly for any deadline.
 * - `reset-before`: the connection is reset (RST). The request is not delivered.
 * - `reset-after`: the request is delivered and executed. The connection is reset before any byte of the answer.
 * - `truncated`: the request is delivered. Half of the answer's body arrives, then the connection ends (FIN).
 */
export type Fault = (typeof FAULTS)[number];

/** The requests that a fault affects; by default all. */
export interface Scope {
  /** The fault affects only requests whose path contains this text. */
  readonly match?: string;
  /** The fault affects this many requests, then ends. */
  readonly times?: number;
  /** The fault affects only this fraction of the requests, 0 to 1. */
  readonly rate?: number;
}

type LineFault = Exclude<Fault, 'refused'>;

interface Rule {
  /** For each request, one of these faults is picked at random. */
  readonly faults: readonly LineFault[];
  readonly match: string;
  readonly rate: number;
  /** How many more requests the rule affects. */
  left: number;
}

const SLOW_BYTE_MS = 250;

/** @param target - The server behind the proxy: its port on this machine, or its URL. */
export async function startFaultProxy({target}: {target: number | string | URL}): Promise<FaultProxy> {
  const proxy = new FaultProxy(typeof target === 'number' ? target : Number(new URL(target).port));
  await proxy.set(null);
  return proxy;
}

/** Created by `startFaultProxy`. Its port stays the same under every fault. */
export class FaultProxy {
  #server: Server | undefined;
  #port = 0;
  #rules: Rule[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #attempts = new Map<string, number>();
  readonly #faultCounts = new Map<LineFault, number>();

  readonly #targetPort: number;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  get port(): number {
    return this.#port;
  }

  /** The proxy's origin, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Sets the fault for all later requests; null clears it. If a list of faults is given, one is picked at random for
   * each request. Faults with different `match` exist side by side, and the newest fault that applies is used. A request
   * that has already arrived keeps its fault. For example, a silent request stays silent.
   */
  async set(fault: Fault | readonly LineFault[] | null, scope: Scope = {}): Promise<void> {
    const {match = '', times = Infinity, rate = 1} = scope;
    if (fault === 'refused') {
      if (Object.keys(scope).length > 0)
        throw new TypeError('A closed port knows no requests: `refused` takes no scope.');
      return this.#close();
    }
    this.#rules = match === '' && fault === null ? [] : this.#rules.filter((rule) => rule.match !== match);
    if (fault !== null)
      this.#rules.unshift({faults: typeof fault === 'string' ? [fault] : fault, match, rate, left: times});
    await this.#listen();
  }

  /** How many requests with `match` in their path arrived. Requests that were not delivered count too. */
  attempts(match = ''): number {
    return [...this.#attempts].reduce((sum, [path, count]) => (path.includes(match) ? sum + count : sum), 0);
  }

  /** How many requests this fault has affected. */
  faultCount(fault: LineFault): number {
    return this.#faultCounts.get(fault) ?? 0;
  }

  /** Resets every open connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  async #listen(): Promise<void> {
    if (this.#server) return;
    const server = createServer((socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    this.cut();
    await closed;
  }

  #accept(client: Socket): void {
    this.#track(client);
    let target: Socket | undefined;
    const reader = new RequestReader((request) => {
      this.#attempts.set(request.path, (this.#attempts.get(request.path) ?? 0) + 1);
      const fault = this.#pickFault(request.path);
      if (!fault) {
        target ??= this.#connectToTarget(client);
        target.write(request.bytes);
        return;
      }
      // The target may close its side at any time. That must not close a client connection that should stay silent.
      target?.removeAllListeners('close').unpipe(client).destroy();
      target = undefined;
      this.#fail(fault, client, request);
    });
    client.on('data', (bytes) => reader.read(bytes));
    client.on('close', () => target?.destroy());
  }

  #pickFault(path: string): LineFault | undefined {
    const rule = this.#rules.find(
      (candidate) => candidate.left > 0 && path.includes(candidate.match) && Math.random() < candidate.rate,
    );
    if (!rule) return undefined;
    rule.left -= 1;
    const fault = rule.faults[Math.floor(Math.random() * rule.faults.length)];
    if (fault) this.#faultCounts.set(fault, this.faultCount(fault) + 1);
    return fault;
  }

  /** Connects to the target and forwards all its answers to the client, for every request on this connection. */
  #connectToTarget(client: Socket): Socket {
    const target = this.#track(connect(this.#targetPort, '127.0.0.1'));
    target.pipe(client);
    target.on('close', (failed) => (failed ? client.resetAndDestroy() : client.destroy()));
    return target;
  }

  #fail(fault: LineFault, client: Socket, request: ReadRequest): void {
    switch (fault) {
      case 'silent':
        return;
      case 'silent-after':
        this.#deliver(request, (answer) => answer.destroy());
        return;
      case 'reset-before':
        client.resetAndDestroy();
        return;
      case 'reset-after':
        this.#deliver(request, (answer) => {
          answer.destroy();
          client.resetAndDestroy();
        });
        return;
      case 'truncated':
        this.#deliver(request, async (answer) => {
          const {head, body} = await readAnswer(answer);
          client.end(Buffer.concat([head, body.subarray(0, Math.floor(body.length / 2))]));
        });
        return;
      case 'slow':
        this.#deliver(request, async (answer) => {
          const {head, body} = await readAnswer(answer);
          trickle(client, Buffer.concat([head, body]));
        });
    }
  }

  /** Sends a request to the target on a separate connection. */
  #deliver({method, path, headers, body}: ReadRequest, onAnswer: (answer: IncomingMessage) => unknown): void {
    const outgoing = requestTarget(
      {host: '127.0.0.1', port: this.#targetPort, agent: false, method, path, headers},
      onAnswer,
    );
    outgoing.on('error', () => {});
    outgoing.end(body);
  }

  /** Remembers an open connection until it is closed. */
  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** Reads the whole answer, and creates a head for it that has `content-length`. */
async function readAnswer(answer: IncomingMessage): Promise<{head: Buffer; body: Buffer}> {
  const body = Buffer.concat(await answer.toArray());
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (const [name, value] of Object.entries(answer.headers)) {
    if (!['connection', 'content-length', 'keep-alive', 'transfer-encoding'].includes(name))
      lines.push(`${name}: ${value}`);
  }
  lines.push(`content-length: ${body.length}`, '', '');
  return {head: Buffer.from(lines.join('\r\n')), body};
}

/** Sends the bytes one at a time. */
function trickle(client: Socket, bytes: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === bytes.length) clearInterval(timer);
    else client.write(bytes.subarray(sent, (sent += 1)));
  }, SLOW_BYTE_MS);
  client.on('close', () => clearInterval(timer));
}
