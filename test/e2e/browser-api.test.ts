/** Tests answers of the Worker's browser API over HTTP, with the real sandbox behind it. `test/worker` tests each route. */

import {describe, expect, inject, test} from 'vitest';
import type {NewPaymentSession} from '../../worker/contract/browser/answers.ts';
import type {Problem} from '../../worker/contract/problem.ts';

const {page} = inject('addresses');

interface Call {
  readonly method?: string;
  readonly origin?: string | null;
  readonly session?: string;
  readonly body?: unknown;
  /** A raw body to send in place of `body`. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

function call(
  path: string,
  {method = 'POST', origin = page, session, body, text, headers = {}}: Call = {},
): Promise<Response> {
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return fetch(`${page}${path}`, {
    method,
    headers: {
      ...(origin !== null && {origin}),
      ...(session && {authorization: `Bearer ${session}`}),
      ...(payload !== undefined && {'content-type': 'application/json'}),
      ...headers,
    },
    ...(payload !== undefined && {body: payload}),
  });
}

async function openSession(): Promise<NewPaymentSession> {
  const response = await call('/v1/sessions', {body: {offer: 'gold'}});
  expect(response.status).toBe(201);
  return (await response.json()) as NewPaymentSession;
}

/** @returns The body of an error answer, without the request's id. */
async function readProblem(response: Response): Promise<Omit<Problem, 'request_id'>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const {request_id, ...problem} = (await response.json()) as Problem;
  expect(request_id).toBe(response.headers.get('x-request-id'));
  return problem;
}

describe('All answers', () => {
  /** What no answer may contain: the sandbox's secrets, names and codes of the platform, and texts of exceptions. */
  const forbidden =
    /sandbox-|ERR_\d|Invalid Service|orderToReference|getToken|\/phs|MERCHANT_KEY|at \w+ \(|\{[0-9A-F]{8}-/;

  test('every answer has its own request id and contains no secret and no text of the platform', async () => {
    const {token} = await openSession();
    const answers = await Promise.all([
      call('/v1/sessions', {body: {offer: 'gold'}}),
      call('/v1/sessions', {body: {offer: 'silver'}}),
      call('/v1/sessions', {origin: null, body: {offer: 'gold'}}),
      call('/v1/sessions', {text: '{'}),
      call('/v1/sessions', {method: 'DELETE'}),
      call('/v1/banks', {method: 'GET'}),
      call('/v1/order-code', {session: token, body: {}}),
      call('/v1/order-code', {session: 'x.y.z', body: {}}),
      call('/v1/payment', {method: 'GET', session: token}),
      call('/v1/nowhere', {method: 'GET'}),
      call('/health', {method: 'GET', origin: null}),
    ]);
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    expect(ids.every((id) => id !== null && id.length > 8)).toBe(true);
    expect(new Set(ids).size).toBe(answers.length);
    for (const answer of answers) {
      const headersAndBody = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
      expect(headersAndBody).not.toMatch(forbidden);
    }
  });
});

test('the `type` of a problem is the path of a page about its code', async () => {
  const {type, code} = await readProblem(await call('/v1/nowhere', {method: 'GET'}));
  const errorPage = await fetch(`${page}${type}`);
  expect([errorPage.status, errorPage.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(errorPage.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(await errorPage.text()).toContain(`<h1>${code}</h1>`);
});

test('a large body or a wrong key is refused with a problem, also when nine requests arrive together', async () => {
  const statuses = [];
  for (const size of [60_000, 400_000, 1_000_000]) {
    const text = JSON.stringify({order: 'x'.repeat(size)});
    const requests = Array.from({length: 3}, () => [
      call('/merchant/v1/order-codes', {
        text,
        headers: {authorization: 'Bearer sandbox-merchant-api-key', 'idempotency-key': crypto.randomUUID()},
      }),
      call('/merchant/v1/order-codes', {text, headers: {authorization: 'Bearer wrong'}}),
      call('/v1/sessions', {text}),
    ]);
    for (const response of await Promise.all(requests.flat())) {
      const {code} = await readProblem(response);
      statuses.push([response.status, code]);
    }
  }
  expect(statuses).toEqual(
    Array.from({length: 9}, () => [
      [413, 'too_large'],
      [401, 'unauthorized'],
      [413, 'too_large'],
    ]).flat(),
  );
});
