/** The Worker's browser API as a stranger with `fetch` finds it: over HTTP, with the real sandbox behind it. */

import {beforeAll, describe, expect, inject, test} from 'vitest';
import type {NewPaymentSession} from '../../worker/contract/browser/answers.ts';
import type {Problem} from '../../worker/contract/problem.ts';

const {page, merchant} = inject('addresses');

interface Call {
  readonly method?: string;
  readonly origin?: string | null;
  readonly session?: string;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

function call(
  path: string,
  {method = 'POST', origin = page, session, body, text, headers = {}}: Call = {},
): Promise<Response> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return fetch(`${page}${path}`, {
    method,
    headers: {
      ...(origin !== null && {origin}),
      ...(session && {authorization: `Bearer ${session}`}),
      ...(sent !== undefined && {'content-type': 'application/json'}),
      ...headers,
    },
    ...(sent !== undefined && {body: sent}),
  });
}

async function openSession(origin = page): Promise<NewPaymentSession> {
  const response = await call('/v1/sessions', {origin, body: {offer: 'gold'}});
  expect(response.status).toBe(201);
  return (await response.json()) as NewPaymentSession;
}

/** The whole body of a refusal, but for the request's own id. */
async function refusal(response: Response): Promise<Omit<Problem, 'request_id'>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const {request_id, ...problem} = (await response.json()) as Problem;
  expect(request_id).toBe(response.headers.get('x-request-id'));
  return problem;
}

describe('A page', () => {
  test('opens a session for an offer and is told everything but secrets', async () => {
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

  test('gets one code for its order, however often and at once it asks', async () => {
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
    });
  });

  test('that names an unknown offer hears so', async () => {
    const response = await call('/v1/sessions', {body: {offer: 'silver'}});
    expect(response.status).toBe(404);
    expect(await refusal(response)).toEqual({
      type: 'about:blank',
      title: 'There is no such offer.',
      status: 404,
      code: 'unknown_offer',
      retryable: false,
    });
  });

  test('cannot say an amount, neither for a session nor for a code', async () => {
    const forSession = await call('/v1/sessions', {body: {offer: 'gold', amount: '1.00'}});
    expect(forSession.status).toBe(422);
    expect(await refusal(forSession)).toMatchObject({code: 'invalid_request', fields: [{path: 'amount'}]});
    const {token} = await openSession();
    const forCode = await call('/v1/order-code', {session: token, body: {amount: '1.00'}});
    expect(forCode.status).toBe(422);
    expect(await refusal(forCode)).toMatchObject({code: 'invalid_request', fields: [{path: 'amount'}]});
  });

  test('may ask from another origin that is allowed, after a preflight', async () => {
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

describe('A stranger', () => {
  test.each([
    ['without an origin', null],
    ['from an origin that is not allowed', 'https://elsewhere.example'],
    ['from an origin that only looks like one', `${page}.elsewhere.example`],
    ['from a page without an origin of its own', 'null'],
  ])('%s opens no session', async (_, origin) => {
    const response = await call('/v1/sessions', {origin, body: {offer: 'gold'}});
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await refusal(response)).toMatchObject({code: 'origin_not_allowed', status: 403, retryable: false});
  });

  test('gets no leave from a preflight', async () => {
    const response = await call('/v1/sessions', {
      method: 'OPTIONS',
      origin: 'https://elsewhere.example',
      headers: {'access-control-request-method': 'POST'},
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('may read the banks, but no page of theirs may', async () => {
    const response = await call('/v1/banks', {method: 'GET', origin: 'https://elsewhere.example'});
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('A session', () => {
  let session: NewPaymentSession;
  beforeAll(async () => {
    session = await openSession();
  });

  test('is needed for a code and for the payment', async () => {
    const code = await call('/v1/order-code', {body: {}});
    expect(code.status).toBe(401);
    const payment = await call('/v1/payment', {method: 'GET'});
    expect(payment.status).toBe(401);
    expect(await refusal(payment)).toMatchObject({code: 'unauthorized'});
  });

  test('that was changed, unsigned or signed by somebody else is worth nothing', async () => {
    const [header = '', claims = '', signature = ''] = session.token.split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const cheaper = Buffer.from(JSON.stringify({...read, amount: 100})).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({alg: 'none', typ: 'vezne-session+jwt'})).toString('base64url');
    for (const forged of [
      `${header}.${cheaper}.${signature}`,
      `${unsigned}.${claims}.`,
      `${header}.${claims}.${'A'.repeat(43)}`,
      'nonsense',
    ]) {
      const response = await call('/v1/order-code', {session: forged, body: {}});
      expect(response.status).toBe(401);
      expect(await refusal(response)).toMatchObject({code: 'unauthorized'});
    }
  });

  test('of one page is no good on another, though both are allowed', async () => {
    const response = await call('/v1/order-code', {origin: merchant, session: session.token, body: {}});
    expect(response.status).toBe(403);
    expect(await refusal(response)).toMatchObject({code: 'origin_not_allowed'});
  });
});

describe('A request', () => {
  test('that is too large is not read to its end', async () => {
    const response = await call('/v1/sessions', {body: {offer: 'g'.repeat(100_000)}});
    expect(response.status).toBe(413);
    expect(await refusal(response)).toMatchObject({code: 'too_large'});
  });

  test.each([
    ['broken', '{"offer": '],
    ['empty', ''],
    ['of another kind', 'offer=gold'],
  ])('with a body that is %s is malformed', async (_, text) => {
    const response = await call('/v1/sessions', {text});
    expect(response.status).toBe(400);
    expect(await refusal(response)).toMatchObject({code: 'invalid_request', status: 400});
  });

  test('with the wrong method hears the right one', async () => {
    const response = await call('/v1/sessions', {method: 'GET'});
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
    expect(await refusal(response)).toMatchObject({code: 'method_not_allowed'});
  });

  test('to nowhere is answered as such', async () => {
    const response = await call('/v1/nowhere', {method: 'GET'});
    expect(response.status).toBe(404);
    expect(await refusal(response)).toMatchObject({code: 'not_found'});
  });
});

describe('Every answer', () => {
  /** The sandbox's secrets, the platform's own words, and what an exception would say. */
  const never = /sandbox-|ERR_\d|Invalid Service|orderToReference|getToken|\/phs|MERCHANT_KEY|at \w+ \(|\{[0-9A-F]{8}-/;

  test('has an id of its own and no word of the platform, nor a secret', async () => {
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
      const told = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
      expect(told).not.toMatch(never);
    }
  });
});

test('a body that is too large, or comes with a wrong key, is refused in our words however often it is sent', async () => {
  const statuses = [];
  for (const size of [60_000, 400_000, 3_000_000]) {
    const text = JSON.stringify({order: 'x'.repeat(size)});
    const sent = Array.from({length: 3}, () => [
      call('/merchant/v1/order-codes', {
        text,
        headers: {authorization: 'Bearer sandbox-merchant-api-key', 'idempotency-key': crypto.randomUUID()},
      }),
      call('/merchant/v1/order-codes', {text, headers: {authorization: 'Bearer wrong'}}),
      call('/v1/sessions', {text}),
    ]);
    for (const response of await Promise.all(sent.flat())) {
      const {code} = await refusal(response);
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
