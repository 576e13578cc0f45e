/** A merchant's server, as the Worker meets it over HTTP. Every answer that passes here is held against the contract. */

import {env, exports} from 'cloudflare:workers';
import {expect} from 'vitest';
import type * as z from 'zod';
import {ERROR_KINDS, type ErrorCode} from '../../../../../worker/contract/codes.ts';
import {QueuedCommand} from '../../../../../worker/contract/merchant/commands.ts';
import type {Endpoint} from '../../../../../worker/contract/merchant/endpoint.ts';
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
  /** Bindings of the Worker that differ; objects keep theirs. */
  readonly bindings?: Record<string, unknown>;
}

let orders = 0;

/** A reference of an order that nobody had before. */
export function newOrder(): string {
  orders += 1;
  return `S-${orders}-${crypto.randomUUID().slice(0, 8)}`;
}

let keys = 0;

/** An `Idempotency-Key` that nobody had before. */
export function newKey(): string {
  keys += 1;
  return `key-${keys}-${crypto.randomUUID()}`;
}

/** Asks as a merchant's server does; headers given here replace its own, and an empty one is left out. */
export async function ask(
  path: string,
  {method = 'GET', headers = {}, body, bindings}: RequestOptions = {},
): Promise<Answer> {
  const all = {
    authorization: `Bearer ${KEY}`,
    ...(typeof body === 'string' && {'content-type': 'application/json'}),
    ...headers,
  };
  const request = new Request(`${WORKER}${path}`, {
    method,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    ...(body !== undefined && body !== null && {body}),
  });
  const response = bindings ? await handle(request, {...env, ...bindings}) : await exports.default.fetch(request);
  const text = await response.text();
  const answer = {status: response.status, headers: response.headers, text, body: parse(text)};
  checkAnswer(answer);
  return answer;
}

export interface CallOptions extends Omit<RequestOptions, 'method' | 'body'> {
  /** Null sends none. */
  readonly key?: string | null;
}

/** Calls an endpoint with an input of any form, and holds what it answers against the contract and its description: fields of the path are put there, the rest where the endpoint takes it. */
export async function call(
  name: EndpointName,
  input: object,
  {key, headers, ...rest}: CallOptions = {},
): Promise<Answer> {
  const row: Endpoint = endpoints[name];
  const fields: Record<string, unknown> = {...input};
  const path = row.path.replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = String(fields[field]);
    delete fields[field];
    return encodeURIComponent(value.toWellFormed());
  });
  const sent = key === undefined ? newKey() : key;
  const query =
    row.method === 'GET' && Object.keys(fields).length > 0
      ? `?${new URLSearchParams(fields as Record<string, string>)}`
      : '';
  const answer = await ask(path + query, {
    ...rest,
    method: row.method,
    headers: {...(row.write && sent !== null && {'idempotency-key': sent}), ...headers},
    ...(row.method !== 'GET' && {body: JSON.stringify(fields)}),
  });
  if (answer.status === 202 && row.queues) QueuedCommand.parse(answer.body);
  else if (answer.status < 300) {
    expect(answer.status, answer.text).toBe(row.status);
    row.answer.parse(answer.body);
  }
  // An empty segment is another address.
  if (!/\/\/|\/$/.test(path)) expectDocumented(name, answer);
  return answer;
}

/** Calls an endpoint that answers well. */
export async function read<N extends EndpointName>(
  name: N,
  input: EndpointInput<N>,
  calling?: CallOptions,
): Promise<EndpointAnswer<N>> {
  const answer = await call(name, input as object, calling);
  expect(answer.status, answer.text).toBe(endpoints[name].status);
  return answer.body as EndpointAnswer<N>;
}

/** The whole body of a problem. */
export function expectProblem(
  answer: Answer,
  code: ErrorCode,
  more: Partial<z.infer<typeof MerchantProblem>> = {},
): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  expect(answer.body, answer.text).toEqual({
    type: 'about:blank',
    title,
    status,
    code,
    request_id: expect.any(String) as string,
    retryable,
    ...more,
  });
  expect(answer.status).toBe(more.status ?? status);
}

/** The fields a problem names. */
export function fieldsOf(answer: Answer): string[] {
  return (MerchantProblem.parse(answer.body).fields ?? []).map(({path}) => path);
}

function checkAnswer({status, headers, text, body}: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  for (const [name] of headers) expect(name).not.toMatch(/^access-control|^vary$/);
  // The key, the platform's token and every secret of the sandbox's.
  const shown = [...headers].flat().join('\n') + text;
  expect(shown).not.toMatch(/sandbox-|\{[0-9A-F]{8}-/);
  expect(plantedSecrets.findIn(shown)).toEqual([]);
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
