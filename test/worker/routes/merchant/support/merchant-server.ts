/** Calls the merchant API over HTTP, as a merchant's server does, and checks every answer against the contract. */

import {env, exports} from 'cloudflare:workers';
import {expect} from 'vitest';
import type * as z from 'zod/mini';
import {ERROR_KINDS, type ErrorCode} from '../../../../../worker/contract/codes.ts';
import type {MerchantRow} from '../../../../../worker/contract/endpoint.ts';
import {QueuedCommand} from '../../../../../worker/contract/merchant/commands.ts';
import {
  type EndpointAnswer,
  type EndpointInput,
  type EndpointName,
  endpoints,
} from '../../../../../worker/contract/merchant/endpoints.ts';
import {MerchantProblem} from '../../../../../worker/contract/problem.ts';
import {handle} from '../../../../../worker/router.ts';
import {plantedSecrets} from '../../../support/configured-secrets.ts';
import {expectDocumented} from './openapi.ts';

export const KEY = 'sandbox-merchant-api-key';
export const WORKER = 'https://pay.example';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit | null;
  /** Bindings that replace the Worker's bindings in this request. Durable Objects keep their bindings. */
  readonly bindings?: Record<string, unknown>;
  /** All bindings of another isolate. Requests with the same object reach the same isolate. */
  readonly isolate?: Env;
}

let orders = 0;

/** A new reference for an order. */
export function newOrder(): string {
  orders += 1;
  return `S-${orders}-${crypto.randomUUID().slice(0, 8)}`;
}

let keys = 0;

/** A new `Idempotency-Key`. */
export function newKey(): string {
  keys += 1;
  return `key-${keys}-${crypto.randomUUID()}`;
}

/** Sends a request with the merchant's key. `headers` replace the default headers; an empty header is omitted. */
export async function ask(
  path: string,
  {method = 'GET', headers = {}, body, bindings, isolate}: RequestOptions = {},
): Promise<Answer> {
  const allHeaders = {
    authorization: `Bearer ${KEY}`,
    ...(typeof body === 'string' && {'content-type': 'application/json'}),
    ...headers,
  };
  const request = new Request(`${WORKER}${path}`, {
    method,
    headers: Object.fromEntries(Object.entries(allHeaders).filter(([, value]) => value !== '')),
    ...(body !== undefined && body !== null && {body}),
  });
  const other = bindings ? {...env, ...bindings} : isolate;
  const response = other ? await handle(request, other) : await exports.default.fetch(request);
  const text = await response.text();
  const answer = {status: response.status, headers: response.headers, text, body: parse(text)};
  checkAnswer(answer);
  return answer;
}

export interface CallOptions extends Omit<RequestOptions, 'method' | 'body'> {
  /** The `Idempotency-Key`; null sends no key. */
  readonly key?: string | null;
}

/**
 * Calls an endpoint with any input, and checks the answer against the contract and the API description. Each field is
 * sent in the path, the query or the body, as the endpoint expects.
 */
export async function call(
  name: EndpointName,
  input: object,
  {key, headers, ...rest}: CallOptions = {},
): Promise<Answer> {
  const row: MerchantRow = endpoints[name];
  const fields: Record<string, unknown> = {...input};
  const path = row.path.replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = String(fields[field]);
    delete fields[field];
    return encodeURIComponent(value.toWellFormed());
  });
  const idempotencyKey = key === undefined ? newKey() : key;
  const query =
    row.method === 'GET' && Object.keys(fields).length > 0
      ? `?${new URLSearchParams(fields as Record<string, string>)}`
      : '';
  const answer = await ask(path + query, {
    ...rest,
    method: row.method,
    headers: {...(row.write && idempotencyKey !== null && {'idempotency-key': idempotencyKey}), ...headers},
    ...(row.method !== 'GET' && {body: JSON.stringify(fields)}),
  });
  // With an empty field in its path, the request reaches another endpoint or none: `GET /v1/webhooks/` is the list.
  if (/\/\/|\/$/.test(path)) return answer;
  if (answer.status === 202 && row.queues) QueuedCommand.parse(answer.body);
  else if (answer.status < 300) {
    expect(answer.status, answer.text).toBe(row.status ?? 200);
    row.docs.answer.parse(answer.body);
  }
  expectDocumented(name, answer);
  return answer;
}

/** Calls an endpoint, expects success and returns the answer's body. */
export async function read<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  options?: CallOptions,
): Promise<EndpointAnswer<N>> {
  const answer = await call(name, input as object, options);
  expect(answer.status, answer.text).toBe(endpoints[name].status ?? 200);
  return answer.body as EndpointAnswer<N>;
}

/** Expects a problem and compares its whole body. `more` contains fields that not every problem has. */
export function expectProblem(
  answer: Answer,
  code: ErrorCode,
  more: Partial<z.infer<typeof MerchantProblem>> = {},
): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  expect(answer.body, answer.text).toEqual({
    type: `/problems/${code}`,
    title,
    status,
    code,
    request_id: expect.any(String) as string,
    retryable,
    ...more,
  });
  expect(answer.status).toBe(more.status ?? status);
}

/** The paths of the fields that a problem lists. */
export function fieldsOf(answer: Answer): string[] {
  return (MerchantProblem.parse(answer.body).fields ?? []).map(({path}) => path);
}

function checkAnswer({status, headers, text, body}: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect([...headers.keys()].filter((name) => /^access-control|^vary$/.test(name))).toEqual([]);
  // An answer must not reveal the merchant's key, the platform's token or another secret.
  const visibleText = [...headers].flat().join('\n') + text;
  expect(visibleText).not.toMatch(/sandbox-|\{[0-9A-F]{8}-/);
  expect(plantedSecrets.findIn(visibleText)).toEqual([]);
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/problem+json');
  const problem = MerchantProblem.parse(body);
  expect(problem.status).toBe(status);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
