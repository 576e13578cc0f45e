/// <reference types="node" />
/**
 * A Worker on an origin of its own that does as tests tell it. Each test has a scene: an address under which its own
 * script runs (`/<scene>/v1/…`) and is controlled (`/<scene>/_control/…`). What it answers is parsed with the
 * contract first, so that the elements are never tested against answers no Worker gives.
 */
import {readFile} from 'node:fs/promises';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {type WebSocket, WebSocketServer} from 'ws';
import {BankList, Handoff, OrderCode, Payment, Problem, RedeemedSession, Session} from '../../../worker/contract/browser.ts';
import {ERROR_KINDS, type ErrorCode} from '../../../worker/contract/codes.ts';
import {PAYMENTS, bankList, handoff, orderCode, redeemed, session} from './answers.ts';
import {OPERATIONS, type Call, type Operation, type Script} from './script.ts';

const CREATES: ReadonlySet<Operation> = new Set(['session', 'handoff', 'redeem']);

interface Scene {
  script: Script;
  readonly calls: Call[];
  readonly sockets: Set<WebSocket>;
  held: (() => void)[];
}

const PROTOCOL = 'vezne.v1';
const TYPES: Readonly<Record<string, string>> = {js: 'text/javascript', svg: 'image/svg+xml'};

export class StubWorker {
  readonly #scenes = new Map<string, Scene>();
  readonly #server: Server;
  readonly #upgrades = new WebSocketServer({noServer: true, handleProtocols: () => PROTOCOL});

  readonly #files: string;

  /** Takes the folder of the built files, which it serves as the edge would. */
  constructor(files: string) {
    this.#files = files;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      const {scene, path} = this.#find(request);
      scene.calls.push({operation: 'live', authorization: request.headers['sec-websocket-protocol'] ?? null, body: null});
      if (path !== '/v1/payment/live' || scene.script.sockets === 'refused') return void socket.destroy();
      this.#upgrades.handleUpgrade(request, socket, head, (live) => {
        scene.sockets.add(live);
        live.on('close', () => scene.sockets.delete(live));
        live.on('message', (said) => {
          if (String(said) === 'ping' && scene.script.pong) live.send('pong');
        });
        if (scene.script.sockets === 'open') live.send(JSON.stringify(Payment.parse(scene.script.payment)));
      });
    });
  }

  /** Listens on a free port and tells its origin. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('access-control-allow-methods', 'GET, POST');
    response.setHeader('access-control-expose-headers', 'retry-after');
    response.setHeader('access-control-max-age', '600');
    const {scene, path} = this.#find(request);
    if (path.startsWith('/v1/') && !scene.script.isAllowed) response.removeHeader('access-control-allow-origin');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await readBody(request);
    if (path.startsWith('/_control/')) return this.#control(scene, path.slice('/_control/'.length), body, response);
    if (path.startsWith('/v1/')) return this.#answer(scene, `${request.method} ${path}`, request, body, response);
    if (scene.script.missing && path.includes(scene.script.missing)) return;
    await this.#file(path, response);
  }

  #find(request: IncomingMessage): {scene: Scene; path: string} {
    const [, name = '', path = '/'] = /^\/([^/]+)([^?]*)/.exec(request.url ?? '') ?? [];
    let scene = this.#scenes.get(name);
    if (!scene) this.#scenes.set(name, (scene = newScene()));
    return {scene, path};
  }

  #control(scene: Scene, verb: string, body: unknown, response: ServerResponse): void {
    switch (verb) {
      case 'script':
        scene.script = {...scene.script, ...(body as Partial<Script>)};
        break;
      case 'send': {
        const {payment, raw} = body as {payment?: unknown; raw?: string};
        if (payment) scene.script = {...scene.script, payment: Payment.parse(payment)};
        const text = raw ?? JSON.stringify(scene.script.payment);
        for (const socket of scene.sockets) socket.send(text);
        break;
      }
      case 'drop':
        for (const socket of scene.sockets) socket.terminate();
        break;
      case 'release':
        for (const go of scene.held.splice(0)) go();
        break;
    }
    response.writeHead(200, {'content-type': 'application/json'});
    response.end(JSON.stringify({calls: scene.calls, sockets: scene.sockets.size}));
  }

  async #answer(scene: Scene, line: string, request: IncomingMessage, body: unknown, response: ServerResponse): Promise<void> {
    const authorization = request.headers.authorization ?? null;
    const operation = (Object.keys(OPERATIONS) as Operation[]).find((name) => OPERATIONS[name] === line);
    scene.calls.push({operation: operation ?? 'unknown', authorization, body});
    if (!operation) return refuse(response, 'not_found');
    const fault = scene.script.faults[operation];
    if (fault?.kind === 'held') await new Promise<void>((resolve) => scene.held.push(resolve));
    switch (fault?.kind) {
      case 'problem':
        return refuse(response, fault.code, fault.retryAfter);
      case 'garbled':
        return reply(response, 200, '{"banks": [');
      case 'strange':
        return reply(response, 200, '{"hello": "world"}');
      case 'html':
        return reply(response, 502, '<h1>Bad gateway</h1>', 'text/html');
      case 'reset':
        return void response.destroy();
      default:
        break;
    }
    const {script} = scene;
    const needsToken = operation === 'code' || operation === 'payment' || operation === 'handoff';
    if (needsToken && script.token && authorization !== `Bearer ${script.token}`) return refuse(response, 'session_expired');
    reply(response, CREATES.has(operation) ? 201 : 200, JSON.stringify(answerOf(operation, script)));
  }

  async #file(path: string, response: ServerResponse): Promise<void> {
    try {
      const content = await readFile(this.#files + path);
      response.writeHead(200, {
        'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain',
        'cross-origin-resource-policy': 'cross-origin',
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  }
}

function newScene(): Scene {
  return {
    script: {
      session: session(),
      banks: bankList(),
      code: orderCode(),
      payment: PAYMENTS.waiting,
      handoff: handoff(),
      redeemed: redeemed(),
      token: null,
      sockets: 'open',
      pong: true,
      isAllowed: true,
      missing: null,
      faults: {},
    },
    calls: [],
    sockets: new Set(),
    held: [],
  };
}

function answerOf(operation: Operation, script: Script): unknown {
  switch (operation) {
    case 'session':
      return Session.parse(script.session);
    case 'banks':
      return BankList.parse(script.banks);
    case 'code':
      return OrderCode.parse(script.code);
    case 'payment':
      return Payment.parse(script.payment);
    case 'handoff':
      return Handoff.parse(script.handoff);
    case 'redeem':
      return RedeemedSession.parse(script.redeemed);
  }
}

function refuse(response: ServerResponse, code: ErrorCode, retryAfter?: number): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  const problem = Problem.parse({type: 'about:blank', title, status, code, request_id: 'stub', retryable});
  if (retryAfter) response.setHeader('retry-after', String(retryAfter));
  reply(response, status, JSON.stringify(problem), 'application/problem+json');
}

function reply(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, {'content-type': type}).end(body);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? JSON.parse(text) : null;
}
