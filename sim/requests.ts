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

/** The parameters of a call are in its address or in its body. */
export function fieldsOf({url, body}: HttpRequest): {readonly pathname: string; readonly fields: URLSearchParams} {
  const {pathname, search} = new URL(url);
  return {pathname, fields: new URLSearchParams(`${search}&${body ?? ''}`)};
}

/** What a call shows of the wish that it carries out; missing if it carries out none. */
export function markOf(pathname: string, fields: URLSearchParams): string | null | undefined {
  const marks: readonly (readonly [RegExp, string | null])[] = [
    [/\/refund\/create$/, fields.get('contact[name]')],
    [/\/paymentNotification\/create$/, fields.get('PaymentNotification[name]')],
    [/order-complete$/, `complete ${fields.get('code')} ${fields.get('order')}`],
    [/subscription-request$/, fields.get('tracking_id')],
    [/\/(?:subscription\/cancel|transaction\/refund)\/\d+\/\d+\/\d+$/, pathname.split('/').slice(-4).join('/')],
  ];
  return marks.find(([path]) => path.test(pathname))?.[1];
}
