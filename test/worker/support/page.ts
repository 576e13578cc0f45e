/** A merchant's page, as the Worker meets it over HTTP. Every answer that passes here is checked for what none may hold. */

import {env, exports} from 'cloudflare:workers';
import {expect, inject} from 'vitest';
import type * as z from 'zod';
import {
  Handoff,
  OrderCode,
  Payment,
  RedeemedSession,
  NewPaymentSession,
} from '../../../worker/contract/browser/answers.ts';
import {NewSubscriptionSession} from '../../../worker/contract/browser/subscription-answers.ts';
import {handle} from '../../../worker/router.ts';
import {plantedSecrets} from './configured-secrets.ts';
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

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
  /** Bindings of the Worker that differ; objects keep theirs. */
  readonly bindings?: Record<string, unknown>;
}

/** Words of the platform and secrets of ours that no answer holds, wherever it comes from. */
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

let addresses = 0;

/** A shopper's address that nobody had before. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

export async function ask(path: string, {method = 'GET', headers = {}, body, bindings}: Ask = {}): Promise<Answer> {
  const request = new Request(`${WORKER}${path}`, {
    method,
    headers: {'cf-connecting-ip': newAddress(), ...headers},
    ...(body !== undefined && {body}),
  });
  const response = bindings ? await handle(request, {...env, ...bindings}) : await exports.default.fetch(request);
  const text = response.webSocket ? '' : await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: parse(text),
    webSocket: response.webSocket,
  };
  checkAnswer(answer);
  // `/health` says what is wrong in a form of its own.
  if (answer.status >= 400 && !(path === '/health' && answer.status === 503))
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  return answer;
}

/** A page of the merchant's asks: with its origin, JSON and the session it holds. */
export function askAsPage(
  method: 'GET' | 'POST',
  path: string,
  {token, body, headers, ...rest}: Omit<Ask, 'method' | 'body'> & {token?: string; body?: unknown} = {},
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

function checkAnswer({headers, text: all, body}: Answer): void {
  // The platform's own pages are at the platform's address; what leads there may say it, in this field and nowhere else.
  const text = all.replace(JSON.stringify((body as {url?: unknown} | undefined)?.url ?? null), '');
  expect(headers.get('x-request-id')).toMatch(UUID);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const shown = [...headers].flat().join('\n') + text;
  for (const word of FORBIDDEN) expect(shown).not.toMatch(word);
  expect(plantedSecrets.findIn(shown)).toEqual([]);
  expect(shown).not.toContain(new URL(inject('platformUrl')).host);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the contract says this answer is. */
export function read<T extends z.ZodType>(answer: Answer, schema: T, status = 200): z.output<T> {
  expect(answer.status, answer.text).toBe(status);
  return schema.parse(answer.body);
}

export async function openSession(): Promise<z.infer<typeof NewPaymentSession>> {
  return read(await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}}), NewPaymentSession, 201);
}

/** A page that subscribes numbers to the club. */
export async function openSubscription(
  bindings?: Record<string, unknown>,
): Promise<z.infer<typeof NewSubscriptionSession>> {
  return read(
    await askAsPage('POST', '/v1/sessions', {body: {offer: 'club'}, ...(bindings && {bindings})}),
    NewSubscriptionSession,
    201,
  );
}

/** A session that only a merchant's server can make. */
export async function openMerchantSession(request: object): Promise<{token: string}> {
  const answer = await ask('/merchant/v1/sessions', {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({origin: ORIGIN, ...request}),
  });
  expect(answer.status, answer.text).toBe(201);
  return {token: (answer.body as {token: string}).token};
}

let vendors = 0;

export const openVendor = (): Promise<{token: string}> =>
  openMerchantSession({
    kind: 'vendor',
    service: 'DEMO',
    vendor_code: `V-${Date.now()}-${vendors++}`,
    name: 'Ada Seramik',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
  });

/** A subscriber who may end what they have; `via` says by which interface. */
export async function openManagement(
  via: 'micropayment' | 'landing' = 'micropayment',
  msisdn = '5341112233',
): Promise<{token: string; subscription: string}> {
  const {subscription_id: subscription} = await control<{subscription_id: number}>('subscriptions', {
    msisdn,
    product: 77,
  });
  const {token} = await openMerchantSession({kind: 'management', via, service: 'DEMO', subscription});
  return {token, subscription: String(subscription)};
}

export interface Shopper {
  readonly token: string;
  readonly order: string;
  readonly code: string;
}

/** A shopper who has chosen a bank and sees the code. */
export async function openOrder(): Promise<Shopper> {
  const {token, order} = await openSession();
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token}), OrderCode);
  return {token, order, code};
}

/** The same order on a second device, which reads. */
export async function handOff({token}: Pick<Shopper, 'token'>): Promise<{token: string}> {
  const {code} = read(await askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201);
  return read(await askAsPage('POST', '/v1/handoffs/redeem', {body: {code, offer: 'gold'}}), RedeemedSession, 201);
}

export async function showPayment(token: string): Promise<z.infer<typeof Payment>> {
  return read(await askAsPage('GET', '/v1/payment', {token}), Payment);
}

export const allHeaders = (answer: Answer): Record<string, string> => Object.fromEntries(answer.headers);
