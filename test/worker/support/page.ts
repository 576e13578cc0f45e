/** Sends HTTP requests to the Worker as a merchant's page does, and checks that no answer contains secrets. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, inject} from 'vitest';
import type * as z from 'zod/mini';
import {
  Handoff,
  OrderCode,
  Payment,
  RedeemedSession,
  NewPaymentSession,
} from '../../../worker/contract/browser/answers.ts';
import {NewSubscriptionSession} from '../../../worker/contract/browser/subscription-answers.ts';
import {handle} from '../../../worker/router.ts';
import {advance, MINUTE, wireTime} from './clock.ts';
import {plantedSecrets} from './configured-secrets.ts';
import {orderObject} from './durable-objects.ts';
import {control} from './sandbox.ts';

export const ORIGIN = 'http://localhost:5173';
export const WORKER = 'https://pay.example';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  readonly webSocket: WebSocket | null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
  /** Bindings that replace the Worker's bindings. The objects keep their bindings. */
  readonly bindings?: Record<string, unknown>;
  /** All bindings of another isolate. Requests with the same object reach the same isolate. */
  readonly isolate?: Env;
}

/** What no answer may contain: texts, paths and tokens of the platform, the sandbox's secrets, and stack traces. */
const FORBIDDEN = [
  /ERR_/,
  /orderToReference|getToken|bank\/getAll|transaction\//,
  /\/phs/,
  /IP Not Allow|Invalid (Auth|Merch|Serv|Trans|Req|Bank|Pay|Ord|Tok|Amo|Act)|Missing Parameter|Internal Server Error|Success/,
  /sandbox-/,
  /\{[0-9A-F]{8}-/,
  /\bat \S+\.ts/,
];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let addressCount = 0;

/** An IP address that no shopper has used before. */
export function newAddress(): string {
  addressCount += 1;
  return `198.18.${Math.floor(addressCount / 250)}.${(addressCount % 250) + 1}`;
}

const REQUESTS_PER_ADDRESS = 10;
let requestCount = 0;
let sharedAddress = '';

/**
 * An IP address that ten requests share; every limit of an address allows more requests. Tests share addresses because
 * each new address needs several Durable Objects, and starting them takes longer than the rest of a request.
 */
export function nextAddress(): string {
  if (requestCount % REQUESTS_PER_ADDRESS === 0) sharedAddress = newAddress();
  requestCount += 1;
  return sharedAddress;
}

export async function ask(
  path: string,
  {method = 'GET', headers = {}, body, bindings, isolate}: RequestOptions = {},
): Promise<Answer> {
  const request = new Request(`${WORKER}${path}`, {
    method,
    headers: {'cf-connecting-ip': nextAddress(), ...headers},
    ...(body !== undefined && {body}),
  });
  const other = bindings ? {...env, ...bindings} : isolate;
  const response = other ? await handle(request, other) : await exports.default.fetch(request);
  const text = response.webSocket ? '' : await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: parse(text),
    webSocket: response.webSocket,
  };
  checkAnswer(answer);
  // `/health` has its own format for errors.
  if (answer.status >= 400 && !(path === '/health' && answer.status === 503))
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  return answer;
}

/** Sends a request as a merchant's page does: with its origin, JSON and its session token. */
export function askAsPage(
  method: 'GET' | 'POST',
  path: string,
  {token, body, headers, ...rest}: Omit<RequestOptions, 'method' | 'body'> & {token?: string; body?: unknown} = {},
) {
  return ask(path, {
    ...rest,
    method,
    headers: {
      origin: ORIGIN,
      ...(method === 'POST' && {'content-type': 'application/json'}),
      ...(token !== undefined && {authorization: `Bearer ${token}`}),
      ...headers,
    },
    ...(method === 'POST' && {body: JSON.stringify(body ?? {})}),
  });
}

function checkAnswer({headers, text: fullText, body}: Answer): void {
  // Only the field `url` may contain the platform's host, because this URL leads to the platform's own pages.
  const text = fullText.replace(JSON.stringify((body as {url?: unknown} | undefined)?.url ?? null), '');
  expect(headers.get('x-request-id')).toMatch(UUID);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const shown = [...headers].flat().join('\n') + text;
  // One assertion for everything, because each assertion takes long.
  const {host} = new URL(inject('platformUrl'));
  const found = [...FORBIDDEN.filter((pattern) => pattern.test(shown)), ...plantedSecrets.findIn(shown)];
  expect(shown.includes(host) ? [...found, host] : found, shown).toEqual([]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses an answer with its schema from the contract. */
export function read<T extends z.ZodMiniType>(answer: Answer, schema: T, status = 200): z.output<T> {
  expect(answer.status, answer.text).toBe(status);
  return schema.parse(answer.body);
}

export async function openSession(): Promise<z.infer<typeof NewPaymentSession>> {
  return read(await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}}), NewPaymentSession, 201);
}

/** A payment of the offer `gold` before any money has arrived. */
export const waitingPayment = (order: string, code: string | null, asOf = Date.now()) => ({
  order,
  order_code: code,
  seller: SELLER,
  title: TITLE,
  state: 'waiting',
  amount: '149.90',
  currency: 'TRY',
  paid: '0.00',
  refunded: '0.00',
  refunding: '0.00',
  remaining: '149.90',
  late: false,
  overdue: false,
  unclear: false,
  notice: null,
  handed_over_at: null,
  transactions: [],
  revision: expect.any(Number) as number,
  as_of: wireTime(asOf),
});

/** What a page may know of the offer `club`, except its links. `openSubscription` opens a session for this offer. */
export const CLUB = {
  kind: 'subscription',
  title: {tr: 'Kulüp üyeliği', en: 'Club membership'},
  terms: {
    tr: 'İlk ücret üyelik başladığında alınır. Üyeler yeni ürünleri iki gün önceden görür.',
    en: 'You pay the first week when your membership starts. Members see new products two days early.',
  },
  price: '12.00',
  currency: 'TRY',
  period: 'weekly',
  operators: [
    {id: 1, name: 'Telemavi'},
    {id: 4, name: 'Kuzeycell'},
    {id: 5, name: 'Hatay Mobil'},
  ],
  human_check: null,
  one_click: false,
};

export const CLUB_LINKS = {
  terms_url: 'http://localhost:5173/terms',
  privacy_url: 'http://localhost:5173/terms#privacy',
};

/** Opens a session with which a page can subscribe numbers to the offer `club`. */
export async function openSubscription(
  bindings?: Record<string, unknown>,
): Promise<z.infer<typeof NewSubscriptionSession>> {
  return read(
    await askAsPage('POST', '/v1/sessions', {body: {offer: 'club'}, ...(bindings && {bindings})}),
    NewSubscriptionSession,
    201,
  );
}

/**
 * Sends a POST request as the merchant's server does.
 * @param path - Below `/merchant/v1/`.
 */
export const askMerchant = (
  path: string,
  body: object = {},
  idempotencyKey: string = crypto.randomUUID(),
  method = 'POST',
) =>
  ask(`/merchant/v1/${path}`, {
    method,
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': encodeURIComponent(idempotencyKey),
    },
    body: JSON.stringify(body),
  });

/** Makes an offer as the merchant's server does. @returns what a page names. */
export async function putOffer(id: string, offer: object = {}): Promise<string> {
  const body = {kind: 'payment', service: 'DEMO', amount: '149.90', title: TITLE, seller: SELLER, ...offer};
  const answer = await askMerchant(`offers/${id}`, body, undefined, 'PUT');
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as {name: string}).name;
}

/** Opens a session as the merchant's server does. */
export async function openMerchantSession(request: object): Promise<{token: string}> {
  const answer = await askMerchant('sessions', {origin: ORIGIN, ...request});
  expect(answer.status, answer.text).toBe(201);
  return {token: (answer.body as {token: string}).token};
}

let vendorCount = 0;

export const openVendor = (): Promise<{token: string}> =>
  openMerchantSession({
    kind: 'vendor',
    service: 'DEMO',
    vendor_code: `V-${Date.now()}-${vendorCount++}`,
    name: 'Ada Seramik',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
  });

/** Opens a session with which a page may cancel a new subscription. @param via - The interface that cancels it. */
export async function openManagement(
  via: 'micropayment' | 'landing' = 'micropayment',
  msisdn = '5341112233',
  product = 77,
): Promise<{token: string; subscription: string}> {
  const {subscription_id: subscription} = await control<{subscription_id: number}>('subscriptions', {
    msisdn,
    product,
  });
  const {token} = await openMerchantSession({kind: 'management', via, service: 'DEMO', subscription});
  return {token, subscription: String(subscription)};
}

export interface Shopper {
  readonly token: string;
  readonly order: string;
  readonly code: string;
}

/** The seller of the offers `gold` and `club`. */
export const SELLER = {
  name: 'Fener Atölyesi',
  support_email: 'destek@fener.example',
  support_phone: '0850 000 00 00',
};

/** The title of the offer `gold`. */
export const TITLE = {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'};

/** Opens a session and requests its order code, as a shopper's page does. */
export async function openOrder(): Promise<Shopper> {
  const {token, order} = await openSession();
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token}), OrderCode);
  // As no page views the order, its alarm tells the sweep the code.
  await runDurableObjectAlarm(orderObject(order));
  return {token, order, code};
}

/** Opens an order that its shopper reads again a minute later, so that the merchant hears of it in any case. */
export async function openWantedOrder(): Promise<Shopper> {
  const shopper = await openOrder();
  await advance(MINUTE);
  await showPayment(shopper.token);
  return shopper;
}

/** Hands the order off to a second device. @returns that device's session. */
export async function handOff({token}: Pick<Shopper, 'token'>): Promise<{token: string}> {
  const {code} = read(await askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201);
  return read(await askAsPage('POST', '/v1/handoffs/redeem', {body: {code, offer: 'gold'}}), RedeemedSession, 201);
}

export async function showPayment(token: string): Promise<z.infer<typeof Payment>> {
  return read(await askAsPage('GET', '/v1/payment', {token}), Payment);
}
