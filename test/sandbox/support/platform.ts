/** Calls the sandbox over HTTP, as the merchant's server and the demo's bank counter do. */

import {exports} from 'cloudflare:workers';

export const ORIGIN = 'http://sandbox.example';

/** MD5 of `123127.0.0.1sandbox-merchant-key`, computed by another program. */
export const KEY = '935b88250b3c795b0b17e63c665ff9bf';

export type Fields = Record<string, string> | [name: string, value: string][];

export interface Reply<Body> {
  readonly httpStatus: number;
  readonly body: Body;
}

/** The body of an answer under /phs. */
export interface PhsBody {
  readonly status: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/**
 * Sends a request and reads the whole response. An unread response would keep the Durable Object of the platform awake,
 * so that the tests could not evict it.
 */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  const response = await requestStream(path, init);
  return new Response(response.body && (await response.arrayBuffer()), response);
}

/** Sends a request without reading the response, for responses that are too long to read. */
export function requestStream(path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(`${ORIGIN}${path}`, init);
}

/** Posts a form to a path under /phs, as the Worker does. */
export async function post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<PhsBody> {
  const response = await request(`/phs${path}`, {method: 'POST', headers, body: new URLSearchParams(fields)});
  return response.json();
}

export async function signIn(): Promise<Record<string, string>> {
  const {token} = await post('/getToken', {merchant: '123', key: KEY});
  return {merchant: '123', token: String(token)};
}

/** Calls an operation under /phs that requires a token. */
export async function call(path: string, fields: Fields): Promise<PhsBody> {
  return post(path, fields, await signIn());
}

/** Creates an order and returns its order code. */
export async function createOrder(order: string, amount = '149.90'): Promise<string> {
  const {order: orderCode} = await call('/orderToReference/create', {code: 'DEMO', order, amount});
  return String(orderCode);
}

export interface ControlBody {
  readonly [field: string]: unknown;
}

export async function control(path: string, body?: unknown): Promise<Reply<ControlBody>> {
  const response = await request(`/_sandbox/${path}`, {method: 'POST', body: JSON.stringify(body ?? {})});
  return {httpStatus: response.status, body: await response.json()};
}

export async function read<Body = ControlBody>(path: string): Promise<Body> {
  return (await request(`/_sandbox/${path}`)).json();
}

export interface Paid {
  readonly transaction_id: number;
  readonly matched: boolean;
}

/** Simulates a transfer from a shopper. By default, the amount is 149.90 and the bank is Garanti BBVA. */
export async function pay(transfer: Record<string, unknown>): Promise<Paid> {
  const {body} = await control('transfers', {bank: 'garanti', amount: '149.90', ...transfer});
  return {transaction_id: Number(body['transaction_id']), matched: body['matched'] === true};
}
