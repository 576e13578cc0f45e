/** The requests of pages, of the merchant's server, of people at the platform's pages, and of the tests' controls. */

import type {HttpRequest} from './stage/protocol.ts';

export const ORIGIN = 'https://shop.example';
export const PLATFORM = 'http://localhost:8790';
type Headers = HttpRequest['headers'];

export const page = (path: string, body: object | null, token?: string): HttpRequest =>
  toRequest(`https://pay.example/v1/${path}`, body, {origin: ORIGIN, ...(token && {authorization: `Bearer ${token}`})});

export const ROOT_KEY = 'sandbox-merchant-api-key';

export const server = (
  path: string,
  body: object | null = null,
  idempotencyKey?: string,
  apiKey = ROOT_KEY,
): HttpRequest =>
  toRequest(`https://pay.example/merchant/v1/${path}`, body, {
    authorization: `Bearer ${apiKey}`,
    ...(idempotencyKey && {'idempotency-key': idempotencyKey}),
  });

export const control = (path: string, body: object | null): HttpRequest =>
  toRequest(`${PLATFORM}/_sandbox/${path}`, body, {});

/** A form of the platform's pages. */
export const form = (path: string, fields: Headers = {}): HttpRequest => ({
  url: `${PLATFORM}${path}`,
  method: 'POST',
  headers: {'content-type': 'application/x-www-form-urlencoded', origin: PLATFORM},
  body: new URLSearchParams(fields).toString(),
});

const toRequest = (url: string, body: object | null, headers: Headers): HttpRequest =>
  body
    ? {url, method: 'POST', headers: {...headers, 'content-type': 'application/json'}, body: JSON.stringify(body)}
    : {url, method: 'GET', headers, body: null};
