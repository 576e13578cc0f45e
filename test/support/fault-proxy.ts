/**
 * A TCP proxy that can fail as no server does to its own connections: what lies between a Worker and the platform.
 * It knows just enough HTTP to tell the requests of a kept-alive connection apart and to read their paths.
 */

import {request as askTarget, type IncomingMessage} from 'node:http';
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
 * - `refused`: nobody listens. The port is really closed, so the system itself refuses, and standing connections are
 *   reset. A closed port knows no path, so this fault takes no scope, and what it refuses cannot be counted.
 * - `silent`: the request is taken and neither delivered nor answered; the connection stays open.
 * - `silent-after`: the request is delivered and carried out; no byte of the answer comes, and the connection stays open.
 * - `slow`: the request is delivered, its answer comes byte by byte, too slowly for any deadline.
 * - `reset-before`: the connection is reset (RST), the request is not delivered.
 * - `reset-after`: the request is delivered and carried out; the connection is reset before any byte of the answer.
 * - `truncated`: the request is delivered; half of the answer's body arrives, then the connection ends (FIN).
 */
export type Fault = (typeof FAULTS)[number];

/** Which requests a fault strikes: all of them unless said otherwise. */
export interface Scope {
  /** Part of the path. */
  readonly match?: string;
  /** How often it strikes before it is over. */
  readonly times?: number;
  /** The share of requests it strikes, 0 to 1. */
  readonly rate?: number;
  /** Strikes only where the connection has carried a request before. */
  readonly reused?: boolean;
}

type LineFault = Exclude<Fault, 'refused'>;

interface Rule {
  /** One of them strikes. */
  readonly faults: readonly LineFault[];
  readonly match: string;
  readonly rate: number;
  readonly reused: boolean;
  left: number;
}

const SLOW_BYTE_MS = 250;

/** @param target port on this machine, or address of the server behind the proxy. */
export async function startFaultProxy({target}: {target: number | string | URL}): Promise<FaultProxy> {
  const proxy = new FaultProxy(typeof target === 'number' ? target : Number(new URL(target).port));
  await proxy.set(null);
  return proxy;
}

/** Made by `startFaultProxy`. Its address stays the same whatever its state. */
export class FaultProxy {
  #server: Server | undefined;
  #port = 0;
  #rules: Rule[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #attempts = new Map<string, number>();
  readonly #faultCounts = new Map<LineFault, number>();
  #reused = 0;

  readonly #targetPort: number;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  get port(): number {
    return this.#port;
  }

  /** Origin, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Sets what requests meet from now on; null ends it. Faults of different `match` or `reused` stand side by side, the
   * newest that fits strikes; of a list one does, at random. A request that is under way meets what stood when it
   * came, so a silent one stays silent.
   */
  async set(fault: Fault | readonly LineFault[] | null, scope: Scope = {}): Promise<void> {
    const {match = '', times = Infinity, rate = 1, reused = false} = scope;
    if (fault === 'refused') {
      if (Object.keys(scope).length > 0)
        throw new TypeError('A closed port knows no requests: `refused` takes no scope.');
      return this.#close();
    }
    this.#rules =
      match === '' && fault === null
        ? []
        : this.#rules.filter((rule) => rule.match !== match || rule.reused !== reused);
    if (fault !== null)
      this.#rules.unshift({faults: typeof fault === 'string' ? [fault] : fault, match, rate, reused, left: times});
    await this.#listen();
  }

  /** How many requests came, delivered or not, whose path holds `match`. */
  attempts(match = ''): number {
    return [...this.#attempts].reduce((sum, [path, count]) => (path.includes(match) ? sum + count : sum), 0);
  }

  /** How many requests came on a connection that had carried one before. */
  get reused(): number {
    return this.#reused;
  }

  /** How many requests a fault struck. */
  faultCount(fault: LineFault): number {
    return this.#faultCounts.get(fault) ?? 0;
  }

  /** Resets every connection that stands. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  async #listen(): Promise<void> {
    if (this.#server) return;
    const server = createServer((socket) => this.#take(socket));
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

  #take(near: Socket): void {
    this.#keep(near);
    let far: Socket | undefined;
    let carried = 0;
    const reader = new RequestReader((request) => {
      this.#attempts.set(request.path, (this.#attempts.get(request.path) ?? 0) + 1);
      const fault = this.#strike(request.path, carried > 0);
      if (carried > 0) this.#reused += 1;
      carried += 1;
      if (!fault) {
        far ??= this.#join(near);
        far.write(request.bytes);
        return;
      }
      // The target may end its side at any time; that must not end a connection that is to be silent.
      far?.removeAllListeners('close').unpipe(near).destroy();
      far = undefined;
      this.#fail(fault, near, request);
    });
    near.on('data', (bytes) => reader.read(bytes));
    near.on('close', () => far?.destroy());
  }

  #strike(path: string, reused: boolean): LineFault | undefined {
    const rule = this.#rules.find(
      (one) => one.left > 0 && path.includes(one.match) && (reused || !one.reused) && Math.random() < one.rate,
    );
    if (!rule) return undefined;
    rule.left -= 1;
    const fault = rule.faults[Math.floor(Math.random() * rule.faults.length)];
    if (fault) this.#faultCounts.set(fault, this.faultCount(fault) + 1);
    return fault;
  }

  /** Passes every byte of the target's answers on, for as many requests as the connection carries. */
  #join(near: Socket): Socket {
    const far = this.#keep(connect(this.#targetPort, '127.0.0.1'));
    far.pipe(near);
    far.on('close', (failed) => (failed ? near.resetAndDestroy() : near.destroy()));
    return far;
  }

  #fail(fault: LineFault, near: Socket, request: ReadRequest): void {
    switch (fault) {
      case 'silent':
        return;
      case 'silent-after':
        this.#deliver(request, (answer) => answer.destroy());
        return;
      case 'reset-before':
        near.resetAndDestroy();
        return;
      case 'reset-after':
        this.#deliver(request, (answer) => {
          answer.destroy();
          near.resetAndDestroy();
        });
        return;
      case 'truncated':
        this.#deliver(request, async (answer) => {
          const {head, body} = await readAnswer(answer);
          near.end(Buffer.concat([head, body.subarray(0, Math.floor(body.length / 2))]));
        });
        return;
      case 'slow':
        this.#deliver(request, async (answer) => {
          const {head, body} = await readAnswer(answer);
          trickle(near, Buffer.concat([head, body]));
        });
    }
  }

  /** Carries a request out at the target, on a connection of its own. */
  #deliver({method, path, headers, body}: ReadRequest, onAnswer: (answer: IncomingMessage) => unknown): void {
    const asked = askTarget({host: '127.0.0.1', port: this.#targetPort, agent: false, method, path, headers}, onAnswer);
    asked.on('error', () => {});
    asked.end(body);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** The whole answer, its length announced. */
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

function trickle(near: Socket, bytes: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === bytes.length) clearInterval(timer);
    else near.write(bytes.subarray(sent, (sent += 1)));
  }, SLOW_BYTE_MS);
  near.on('close', () => clearInterval(timer));
}
