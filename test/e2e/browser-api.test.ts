/** Tests the Worker's browser API over HTTP, as any client can call it, with the real sandbox behind it. */

import {beforeAll, describe, expect, inject, test} from 'vitest';
import type {NewPaymentSession} from '../../worker/contract/browser/answers.ts';
import type {Problem} from '../../worker/contract/problem.ts';

const {page, merchant} = inject('addresses');

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

async function openSession(origin = page): Promise<NewPaymentSession> {
  const response = await call('/v1/sessions', {origin, body: {offer: 'gold'}});
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

describe('A page of an allowed origin', () => {
  test('a page opens a session for an offer, and the answer contains no secret', async () => {
    const response = await call('/v1/sessions', {body: {offer: 'gold'}});
    expect(response.status).toBe(201);
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const {
      token,
      order,
      create_until: createUntil,
      read_until: readUntil,
      ...rest
    } = (await response.json()) as NewPaymentSession;
    expect(rest).toEqual({
      kind: 'payment',
      title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
      amount: '149.90',
      currency: 'TRY',
      hours: 72,
      human_check: null,
    });
    expect(token.split('.')).toHaveLength(3);
    expect(order).toMatch(/^\w{8,}$/);
    expect(Date.parse(createUntil)).toBeLessThan(Date.parse(readUntil));
  });

  test('four simultaneous requests for the order code of one session get the same code', async () => {
    const {token, order} = await openSession();
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('/v1/order-code', {session: token, body: {}})));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toEqual({
      order_code: expect.stringMatching(/^\w+$/),
      order,
      amount: '149.90',
      currency: 'TRY',
      pay_until: expect.any(String),
      account: null,
      seller: expect.any(Object),
    });
  });

  test('an unknown offer is refused with 404', async () => {
    const response = await call('/v1/sessions', {body: {offer: 'silver'}});
    expect(response.status).toBe(404);
    expect(await readProblem(response)).toEqual({
      type: '/problems/unknown_offer',
      title: 'There is no such offer.',
      status: 404,
      code: 'unknown_offer',
      retryable: false,
    });
  });

  test('a page cannot choose the amount of a session or of an order code', async () => {
    const forSession = await call('/v1/sessions', {body: {offer: 'gold', amount: '1.00'}});
    expect(forSession.status).toBe(422);
    expect(await readProblem(forSession)).toMatchObject({code: 'invalid_request', fields: [{path: 'amount'}]});
    const {token} = await openSession();
    const forCode = await call('/v1/order-code', {session: token, body: {amount: '1.00'}});
    expect(forCode.status).toBe(422);
    expect(await readProblem(forCode)).toMatchObject({code: 'invalid_request', fields: [{path: 'amount'}]});
  });

  test('a preflight from another allowed origin is accepted', async () => {
    const preflight = await call('/v1/order-code', {
      method: 'OPTIONS',
      origin: merchant,
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(merchant);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(preflight.headers.get('vary')?.toLowerCase()).toContain('origin');
  });
});

describe('A client that is not allowed', () => {
  test.each([
    ['no origin', null],
    ['an origin that is not allowed', 'https://elsewhere.example'],
    ['an origin that begins like an allowed one', `${page}.elsewhere.example`],
    ['the opaque origin "null"', 'null'],
  ])('a client with %s cannot open a session', async (_, origin) => {
    const response = await call('/v1/sessions', {origin, body: {offer: 'gold'}});
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await readProblem(response)).toMatchObject({code: 'origin_not_allowed', status: 403, retryable: false});
  });

  test('a preflight from an origin that is not allowed gets no CORS headers', async () => {
    const response = await call('/v1/sessions', {
      method: 'OPTIONS',
      origin: 'https://elsewhere.example',
      headers: {'access-control-request-method': 'POST'},
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('any client may read the banks, but a page whose origin is not allowed gets no CORS headers', async () => {
    const response = await call('/v1/banks', {method: 'GET', origin: 'https://elsewhere.example'});
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('Session tokens', () => {
  let session: NewPaymentSession;
  beforeAll(async () => {
    session = await openSession();
  });

  test('an order code and a payment cannot be read without a session', async () => {
    const code = await call('/v1/order-code', {body: {}});
    expect(code.status).toBe(401);
    const payment = await call('/v1/payment', {method: 'GET'});
    expect(payment.status).toBe(401);
    expect(await readProblem(payment)).toMatchObject({code: 'unauthorized'});
  });

  test('a session token that is changed, unsigned, wrongly signed or malformed is refused', async () => {
    const [header = '', claims = '', signature = ''] = session.token.split('.');
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const cheaper = Buffer.from(JSON.stringify({...decoded, amount: 100})).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({alg: 'none', typ: 'vezne-session+jwt'})).toString('base64url');
    for (const forged of [
      `${header}.${cheaper}.${signature}`,
      `${unsigned}.${claims}.`,
      `${header}.${claims}.${'A'.repeat(43)}`,
      'nonsense',
    ]) {
      const response = await call('/v1/order-code', {session: forged, body: {}});
      expect(response.status).toBe(401);
      expect(await readProblem(response)).toMatchObject({code: 'unauthorized'});
    }
  });

  test('a session of one allowed origin is refused from another allowed origin', async () => {
    const response = await call('/v1/order-code', {origin: merchant, session: session.token, body: {}});
    expect(response.status).toBe(403);
    expect(await readProblem(response)).toMatchObject({code: 'origin_not_allowed'});
  });
});

describe('Malformed requests', () => {
  test('a body of more than 100 kB is refused with 413', async () => {
    const response = await call('/v1/sessions', {body: {offer: 'g'.repeat(100_000)}});
    expect(response.status).toBe(413);
    expect(await readProblem(response)).toMatchObject({code: 'too_large'});
  });

  test.each([
    ['truncated', '{"offer": '],
    ['empty', ''],
    ['not JSON', 'offer=gold'],
  ])('a request whose body is %s is refused with 400', async (_, text) => {
    const response = await call('/v1/sessions', {text});
    expect(response.status).toBe(400);
    expect(await readProblem(response)).toMatchObject({code: 'invalid_request', status: 400});
  });

  test('a request with a wrong method gets 405 and the allowed method', async () => {
    const response = await call('/v1/sessions', {method: 'GET'});
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
    expect(await readProblem(response)).toMatchObject({code: 'method_not_allowed'});
  });

  test('a request to an unknown path gets 404', async () => {
    const response = await call('/v1/nowhere', {method: 'GET'});
    expect(response.status).toBe(404);
    expect(await readProblem(response)).toMatchObject({code: 'not_found'});
  });
});

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
