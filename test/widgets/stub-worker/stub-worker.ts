/// <reference types="node" />
/**
 * A stub of the Worker, on the origin of the test page and on another one. Each test has a separate scene: a behavior of
 * the stub, with a path prefix. Below this prefix is the Worker's API (`/<scene>/v1/…`). Tests control the behavior with
 * messages on the socket `/_control`. The stub validates its answers with the contract's schemas, so that tests use only
 * answers that a real Worker can send.
 */

import {readFile} from 'node:fs/promises';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import {type WebSocket, WebSocketServer} from 'ws';
import type {ZodMiniType} from 'zod/mini';
import packageJson from '../../../package.json' with {type: 'json'};
import * as answer from '../../../worker/contract/browser/answers.ts';
import type {PageData} from '../../../worker/contract/browser/page-data.ts';
import * as requests from '../../../worker/contract/browser/requests.ts';
import * as subscriptionAnswers from '../../../worker/contract/browser/subscription-answers.ts';
import type {Buyer} from '../../../worker/contract/buyer.ts';
import {ERROR_KINDS, type ErrorCode} from '../../../worker/contract/codes.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {Problem} from '../../../worker/contract/problem.ts';
import {readBuyer} from '../../../worker/contract/readers/buyer.ts';
import {
  BANK_PAGE,
  KNOWN_NUMBER,
  NOTICE,
  NO_PREFILL,
  PAYMENTS,
  PAYMENT_PAGE,
  refund,
  VENDOR_FORM,
  bankList,
  handoff,
  orderCode,
  pinSent,
  preview,
  redeemed,
  session,
  subscription,
  terms,
} from './answers.ts';
import {OPERATIONS, type Call, type Operation, type Script} from './script.ts';

const {version} = packageJson;

const STATUSES: {readonly [operation in Operation]?: number} = {
  session: 201,
  handoff: 201,
  redeem: 201,
  activity: 202,
  pin: 202,
  subscribe: 201,
};

/** The schemas of the requests. The stub rejects any other request, like the real Worker. */
const INPUTS: {readonly [operation in Operation]?: () => ZodMiniType} = {
  code: requests.OrderCodeRequest,
  order: requests.OrderCodeRequest,
  preview: requests.HandoffRequest,
  redeem: requests.RedeemRequest,
  activity: requests.Activity,
  pin: requests.PinRequest,
  subscribe: requests.SubscribeRequest,
  number: requests.NumberRequest,
  bankPage: requests.HostedPaymentRequest,
  paymentPage: requests.PaymentPageRequest,
  notice: requests.PaymentNoticeRequest,
};

/** The operations that need no session. */
const WITHOUT_SESSION: ReadonlySet<Operation> = new Set<Operation>([
  'session',
  'order',
  'banks',
  'preview',
  'redeem',
  'activity',
]);

/** The operations that give an order its code, or lead to the platform's payment page. */
const NEEDS_BUYER: ReadonlySet<Operation> = new Set<Operation>(['order', 'code', 'bankPage', 'paymentPage']);

interface Scene {
  script: Script;
  readonly calls: Call[];
  /** The open sockets, with the tokens of their sessions. */
  readonly sockets: Map<WebSocket, string>;
  /** The tokens of the sessions whose orders have their buyers. */
  readonly withBuyer: Set<string>;
  /** Functions that each send one of the held answers. */
  readonly held: (() => void)[];
}

/** A message with which a test changes or reads a scene. */
interface Control {
  readonly scene: string;
  readonly action: string;
  readonly body: unknown;
}

const PROTOCOL = 'vezne.v1';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};

export class StubWorker {
  readonly #scenes = new Map<string, Scene>();
  readonly #server: Server;
  readonly #upgrades = new WebSocketServer({noServer: true, handleProtocols: () => PROTOCOL});

  readonly #files: string;

  /** @param files - The folder of the built files, which the stub serves like a CDN. */
  constructor(files: string) {
    this.#files = files;
    this.#server = createServer((request, response) => void this.handle(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      if (request.url === '/_control') {
        this.#upgrades.handleUpgrade(request, socket, head, (control) =>
          control.on('message', (message) => control.send(JSON.stringify(this.#control(JSON.parse(String(message)))))),
        );
        return;
      }
      this.upgrade(request, socket, head);
    });
  }

  /** Opens a socket of a scene. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const {scene, path} = this.#find(request);
    scene.calls.push({
      // Servers log URLs, so the elements must not add anything, such as a token, to this URL.
      operation: request.url?.endsWith('/v1/payment/live') ? 'live' : 'unknown',
      authorization: request.headers['sec-websocket-protocol'] ?? null,
      body: null,
    });
    const {sockets, token} = scene.script;
    const bearer = request.headers['sec-websocket-protocol']?.split(', ').at(-1) ?? '';
    const isRefused = sockets === 'refused' || (token !== null && bearer !== token);
    if (path !== '/v1/payment/live' || isRefused) return void socket.destroy();
    this.#upgrades.handleUpgrade(request, socket, head, (live) => {
      scene.sockets.set(live, bearer);
      live.on('close', () => scene.sockets.delete(live));
      live.on('message', (message) => {
        if (String(message) === 'ping' && scene.script.pong) live.send('pong');
      });
      if (scene.script.sockets === 'open') live.send(JSON.stringify(paymentOf(knownTo(scene, bearer))));
    });
  }

  /** Listens on a free port. @returns The origin. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Answers a request to a scene. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, vezne-read');
    response.setHeader('access-control-allow-methods', 'GET, POST');
    response.setHeader('access-control-expose-headers', 'retry-after, vezne-read');
    response.setHeader('access-control-max-age', '600');
    const {scene, path} = this.#find(request);
    if (path.startsWith('/v1/') && !scene.script.isAllowed) response.removeHeader('access-control-allow-origin');
    const read = request.headers['vezne-read'];
    if (read) response.setHeader('vezne-read', read).setHeader('vary', 'Origin, Authorization, Vezne-Read');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await readBody(request);
    if (path.startsWith('/v1/')) return this.#answer(scene, `${request.method} ${path}`, request, body, response);
    if (scene.script.missing && path.includes(scene.script.missing)) return;
    if (scene.script.notFound && path.includes(scene.script.notFound))
      return void response.writeHead(scene.script.isDown ? 503 : 404).end();
    if (path === '/checkout.js' || path === '/subscribe.js') return this.#pageScript(scene, request, response);
    await this.#file(path, scene.script.digest, response);
  }

  #find(request: IncomingMessage): {scene: Scene; path: string} {
    const [, name = '', path = '/'] = /^\/([^/]+)([^?]*)/.exec(request.url ?? '') ?? [];
    return {scene: this.#scene(name), path};
  }

  #scene(name: string): Scene {
    let scene = this.#scenes.get(name);
    if (!scene) this.#scenes.set(name, (scene = newScene()));
    return scene;
  }

  /** @returns The requests of the scene so far, and the number of its open sockets. */
  #control({scene: name, action, body}: Control): object {
    const scene = this.#scene(name);
    switch (action) {
      case 'script': {
        const changes = body as Partial<Script>;
        scene.script = {...scene.script, ...changes, payment: changedPayment(scene, changes.payment)};
        break;
      }
      case 'send': {
        const {payment, raw} = body as {payment?: answer.Payment; raw?: string};
        scene.script = {...scene.script, payment: changedPayment(scene, payment)};
        for (const [socket, bearer] of scene.sockets)
          socket.send(raw ?? JSON.stringify(paymentOf(knownTo(scene, bearer))));
        break;
      }
      case 'drop':
        for (const socket of scene.sockets.keys()) socket.terminate();
        break;
      case 'release':
        // After this, requests that the page has already sent are not held when they arrive.
        scene.script = {
          ...scene.script,
          faults: Object.fromEntries(Object.entries(scene.script.faults).filter(([, fault]) => fault?.kind !== 'held')),
        };
        for (const sendAnswer of scene.held.splice(0)) sendAnswer();
        break;
    }
    return {calls: scene.calls, sockets: scene.sockets.size};
  }

  async #answer(
    scene: Scene,
    methodAndPath: string,
    request: IncomingMessage,
    body: unknown,
    response: ServerResponse,
  ): Promise<void> {
    const authorization = request.headers.authorization ?? null;
    const isNewOrder = typeof body === 'object' && body !== null && 'attempt' in body && 'shown_amount' in body;
    const operation = (Object.keys(OPERATIONS) as Operation[]).find(
      (name) => OPERATIONS[name] === methodAndPath && (name !== 'order' || isNewOrder),
    );
    scene.calls.push({operation: operation ?? 'unknown', authorization, body});
    if (!operation) return refuse(response, 'not_found');
    const isHeld = scene.script.faults[operation]?.kind === 'held';
    if (isHeld) await new Promise<void>((resolve) => scene.held.push(resolve));
    // While the answer was held, the test may have chosen a different fault.
    const fault = scene.script.faults[operation];
    switch (fault?.kind) {
      case 'problem':
        return refuse(response, fault.code, {...fault, ...(MANAGED.has(operation) && sellerOf(scene.script))});
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
    const token = (body as {session?: string} | null)?.session ?? authorization?.replace('Bearer ', '');
    const bearer = token ?? scene.script.session.token;
    const script = knownTo(scene, bearer);
    if (!WITHOUT_SESSION.has(operation) && script.token && token !== script.token)
      return refuse(response, 'session_expired');
    if (operation === 'order' && (body as {shown_amount?: string}).shown_amount !== script.session.amount)
      return refuse(response, 'price_changed');
    if (INPUTS[operation]?.().safeParse(body).success === false) return refuse(response, 'invalid_request');
    if (script.buyerForm && NEEDS_BUYER.has(operation)) {
      const {buyer = {}} = body as {buyer?: Buyer};
      if (buyer.form !== script.buyerForm.version) return refuse(response, 'buyer_required');
      const {problems} = readBuyer(script.buyerForm, buyer);
      const fields = problems.map(({path, is}) => ({path: `buyer.${path}`, message: is}));
      if (fields.length > 0) return refuse(response, 'buyer_required', {fields});
      scene.withBuyer.add(bearer);
    }
    reply(response, STATUSES[operation] ?? 200, JSON.stringify(ANSWERS[operation](script, body)));
  }

  /** Serves a page script with the scene's data, like the Worker's route. */
  async #pageScript(scene: Scene, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {script} = scene;
    const {pathname, searchParams} = new URL(request.url ?? '', 'http://stub');
    const name = /\/(\w+)\.js$/.exec(pathname)?.[1] ?? '';
    const offer = searchParams.get('offer') ?? undefined;
    const template = await this.#template(name);
    // As at the Worker, a page that is not allowed gets a script without data.
    const data = script.isAllowed
      ? pageData(name, offer, script)
      : pageData(name, undefined, {...script, hasPageBanks: false});
    const text = script.digest ? template.replaceAll(DIGEST.exec(template)?.[0] ?? '', script.digest) : template;
    scene.calls.push({operation: 'pageScript', authorization: null, body: null});
    response.writeHead(200, {
      'content-type': 'text/javascript',
      'cache-control': 'max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
    });
    response.end(text.replace('"__VEZNE_PAGE_DATA__"', () => JSON.stringify(data).replaceAll('<', '\\u003c')));
  }

  #template(name: string): Promise<string> {
    return readFile(`${this.#files}/vezne/${version}/single/${name}.js`, 'utf8');
  }

  /**
   * Serves a file with the same caching as the Worker.
   * @param digest - The digest of a newer version of the page scripts, whose later files have other names.
   */
  async #file(path: string, digest: string | null, response: ServerResponse): Promise<void> {
    try {
      const [, name] = /\/(checkout|subscribe)\/[\w-]+\.js$/.exec(path) ?? [];
      const template = name && digest ? await this.#template(name) : '';
      const built = DIGEST.exec(template)?.[0];
      const content = await readFile(
        this.#files + (built && digest ? path.replace(built, 'gone').replace(digest, built) : path),
      );
      response.writeHead(200, {
        'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain',
        'cache-control': path.startsWith('/vezne/') ? 'max-age=31536000, immutable' : 'max-age=300',
        'cross-origin-resource-policy': 'cross-origin',
      });
      response.end(built && digest ? String(content).replaceAll(built, digest) : content);
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
      buyerForm: null,
      code: orderCode(),
      payment: PAYMENTS.waiting,
      handoff: handoff(),
      preview: preview(),
      redeemed: redeemed(),
      terms: terms(),
      pin: pinSent(),
      number: KNOWN_NUMBER,
      subscription: subscription(),
      seller: null,
      bankPage: BANK_PAGE,
      paymentPage: PAYMENT_PAGE,
      notice: NOTICE,
      prefill: NO_PREFILL,
      vendorForm: VENDOR_FORM,
      refundLink: refund('open'),
      refundContact: refund('sent'),
      token: null,
      sockets: 'open',
      pong: true,
      isAllowed: true,
      missing: null,
      notFound: null,
      isDown: false,
      hasPageBanks: true,
      pageAmount: null,
      digest: null,
      faults: {},
    },
    calls: [],
    sockets: new Map(),
    withBuyer: new Set(),
    held: [],
  };
}

/** The digest in the names of a page script's later files. */
const DIGEST = /(?<=Symbol\.for\(`vezne \w+ )[\w-]{8}(?=`\))/;

function pageData(name: string, offer: string | undefined, script: Script): PageData {
  if (name === 'checkout') {
    const {title, amount} = script.session;
    return {
      banks: script.hasPageBanks ? script.banks : null,
      offer:
        offer === 'gold'
          ? {id: offer, title, amount: script.pageAmount ?? amount, currency: 'TRY', ...formOf(script)}
          : null,
    };
  }
  const {create_until: _until, ...shown} = script.terms;
  return {
    offer: offer === 'club' ? {id: offer, ...shown, price: script.pageAmount ?? shown.price} : null,
  };
}

/** The order code, with the account of the bank in the request. */
function codeOf({code, banks: {banks}}: Script, body: unknown): answer.OrderCode {
  const wanted = (body as {bank?: string} | null)?.bank;
  const account = banks.length === 1 ? banks[0] : banks.find(({id}) => id === wanted);
  return {account: account ?? null, ...code};
}

/** The payment after a change, whose revision is higher, as at the Worker, unless the test itself counts revisions. */
function changedPayment({script: {payment}}: Scene, changed?: answer.Payment): answer.Payment {
  const isCounted = changed?.revision !== PAYMENTS.waiting.revision;
  return changed ? {...changed, ...(!isCounted && {revision: payment.revision + 1})} : payment;
}

/** The payment. As at the Worker, its seller is the seller of the order code, and code and money come after the buyer. */
function paymentOf({payment, code: {seller}, buyerForm}: Script): answer.Payment {
  return answer.Payment.parse({
    ...(seller && {seller}),
    ...payment,
    ...(buyerForm && {...PAYMENTS.waiting, order_code: null}),
  });
}

/** What the Worker does for a session: it asks for the buyer of its order once, and nobody pays before. */
const knownTo = ({script, withBuyer}: Scene, bearer: string): Script =>
  script.buyerForm && withBuyer.has(bearer) ? {...script, buyerForm: null} : script;

/** What the page learns of the buyer's form. */
const formOf = ({buyerForm}: Script) => buyerForm && {buyer_form: buyerForm};

/** What each operation answers, as the contract describes it. */
const ANSWERS: {readonly [operation in Operation]: (script: Script, body: unknown) => unknown} = {
  session: (script, body) =>
    // The offer `club` is a subscription.
    (body as {offer?: string}).offer === 'club'
      ? subscriptionAnswers.NewSubscriptionSession.parse({token: script.session.token, ...script.terms})
      : answer.NewPaymentSession.parse({...script.session, ...formOf(script)}),
  order: (script, body) => answer.PlacedOrder.parse({...script.session, ...codeOf(script, body)}),
  banks: ({banks}) => answer.BankList.parse(banks),
  code: (script, body) => answer.OrderCode.parse(codeOf(script, body)),
  payment: (script) => answer.ReadPayment.parse({...paymentOf(script), ...formOf(script)}),
  handoff: (script) => answer.Handoff.parse(script.handoff),
  preview: (script) => answer.HandoffPreview.parse(script.preview),
  redeem: (script) => answer.RedeemedSession.parse(script.redeemed),
  activity: () => answer.AcceptedActivity.parse({}),
  terms: (script) => subscriptionAnswers.SubscriptionTerms.parse(script.terms),
  pin: ({pin}) => subscriptionAnswers.PinSent.parse(pin),
  subscribe: () => subscriptionAnswers.Subscribed.parse({state: 'subscribed'}),
  number: ({number}) => subscriptionAnswers.ShownNumber.parse(number),
  subscription: (script) => managed(script, script.subscription),
  cancel: (script) => managed(script, {...script.subscription, state: 'cancelled'}),
  bankPage: ({bankPage}) => answer.HostedPayment.parse(bankPage),
  paymentPage: ({paymentPage}) => answer.PaymentPage.parse(paymentPage),
  notice: ({notice}) => answer.CreatedPaymentNotice.parse(notice),
  prefill: ({prefill}) => answer.NoticePrefill.parse(prefill),
  vendorForm: ({vendorForm}) => answer.VendorForm.parse(vendorForm),
  refundLink: ({refundLink}) => answer.ShownRefund.parse(refundLink),
  refundContact: ({refundContact}) => answer.ShownRefund.parse(refundContact),
};

/** The endpoints that say the seller in every answer. */
const MANAGED: ReadonlySet<Operation> = new Set<Operation>(['subscription', 'cancel']);
const sellerOf = ({seller}: Script) => seller && {seller};
const managed = (script: Script, shown: unknown) =>
  subscriptionAnswers.ShownSubscription.parse({subscription: shown, ...sellerOf(script)});

function refuse(
  response: ServerResponse,
  code: ErrorCode,
  {
    retryAfter,
    attemptsLeft,
    seller,
    fields,
  }: {
    readonly retryAfter?: number;
    readonly attemptsLeft?: number;
    readonly seller?: Seller;
    readonly fields?: Problem['fields'];
  } = {},
): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  const problem = Problem.parse({
    type: `/problems/${code}`,
    title,
    status,
    code,
    request_id: 'stub',
    retryable,
    ...(attemptsLeft !== undefined && {attempts_left: attemptsLeft}),
    ...(seller && {seller}),
    ...(fields && {fields}),
  });
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
