/** The requests of pages, of the merchant's server, of people at the platform, and of the tests' controls. */

import type {HttpRequest} from './stage/protocol.ts';

export const ORIGIN = 'https://shop.example';
export const API_KEY = 'sandbox-merchant-api-key';
const PLATFORM = 'http://localhost:8790';

export function pageRequest(path: string, body: object | null, token: string | null, address: number): HttpRequest {
  const headers = {origin: ORIGIN, 'cf-connecting-ip': `192.0.2.${address}`};
  return toRequest(`https://pay.example/v1/${path}`, body, {
    ...headers,
    ...(token && {authorization: `Bearer ${token}`}),
  });
}

export function serverRequest(path: string, body: object | null, key: string | null): HttpRequest {
  const headers = {authorization: `Bearer ${API_KEY}`, ...(key !== null && {'idempotency-key': key})};
  return toRequest(`https://pay.example/merchant/v1/${path}`, body, headers);
}

export const controlRequest = (path: string, body: object | null): HttpRequest =>
  toRequest(`${PLATFORM}/_sandbox/${path}`, body, {});

/** A form of the platform's pages. */
export function formRequest(path: string, fields: Readonly<Record<string, string>>): HttpRequest {
  const headers = {'content-type': 'application/x-www-form-urlencoded', origin: PLATFORM};
  return {url: `${PLATFORM}${path}`, method: 'POST', headers, body: new URLSearchParams(fields).toString()};
}

function toRequest(url: string, body: object | null, headers: Readonly<Record<string, string>>): HttpRequest {
  if (!body) return {url, method: 'GET', headers, body: null};
  return {url, method: 'POST', headers: {...headers, 'content-type': 'application/json'}, body: JSON.stringify(body)};
}
