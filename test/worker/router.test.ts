/** Tests that every route of the browser API must pass, and tests with a failing platform. */

import {env} from 'cloudflare:workers';
import description from 'virtual:openapi';
import {describe, expect, test} from 'vitest';
import {routes} from '../../worker/router.ts';
import {merchantRoutes} from '../../worker/routes/merchant/api.ts';
import {freshWorker, sharedWorker} from './support/fresh-worker.ts';
import {logLines} from './support/log-lines.ts';
import {
  type Answer,
  ask,
  askAsPage,
  openManagement,
  openOrder,
  openSession,
  openSubscription,
  openVendor,
  ORIGIN,
} from './support/page.ts';
import {expectProblem, PROBLEMS} from './support/problems.ts';
import {setLine, setFault} from './support/sandbox.ts';

interface Row {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path as in the table of routes. */
  readonly pattern: string;
  /** If true, the route is open: it accepts requests of every origin and without an origin. */
  readonly open?: true;
  /** The kind of session that the route requires. */
  readonly session?: 'payment' | 'payment without a code' | 'subscription' | 'vendor' | 'management';
  readonly body?: unknown;
  /**
   * If true, the tests with a failing platform leave this route out, because other tests cover this route with such a
   * platform.
   */
  readonly skipPlatformTrouble?: true;
  /** If true, the route accepts JSON with the type text/plain. */
  readonly beacon?: true;
  /** The status of a valid request. */
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** These rows were written by hand from the design of the API; they are not derived from the contract. */
const ROWS: readonly Row[] = [
  {method: 'POST', path: '/v1/sessions', pattern: '/v1/sessions', body: {offer: 'gold'}, beacon: true, status: 201},
  {method: 'GET', path: '/v1/session', pattern: '/v1/session', session: 'subscription', status: 200},
  {method: 'GET', path: '/v1/banks', pattern: '/v1/banks', open: true, status: 200},
  {method: 'GET', path: '/v1/banks/6/logo', pattern: '/v1/banks/{id}/logo', open: true, status: 200},
  {
    method: 'POST',
    path: '/v1/order-code',
    pattern: '/v1/order-code',
    session: 'payment',
    body: {},
    beacon: true,
    status: 200,
  },
  {method: 'GET', path: '/v1/payment', pattern: '/v1/payment', session: 'payment', status: 200},
  {
    method: 'GET',
    path: '/v1/payment/live',
    pattern: '/v1/payment/live',
    session: 'payment',
    status: 101,
    headers: {upgrade: 'websocket'},
  },
  {method: 'POST', path: '/v1/handoffs', pattern: '/v1/handoffs', session: 'payment', body: {}, status: 201},
  {
    method: 'POST',
    path: '/v1/handoffs/preview',
    pattern: '/v1/handoffs/preview',
    body: {code: 'x/DEMO/x'},
    status: 404,
  },
  {
    method: 'POST',
    path: '/v1/activities',
    pattern: '/v1/activities',
    status: 202,
    body: {offer: 'club', type: 'subscribe_clicked', tracking_id: 't-1'},
    beacon: true,
  },
  {
    method: 'POST',
    path: '/v1/hosted-payment',
    pattern: '/v1/hosted-payment',
    session: 'payment without a code',
    body: {},
    status: 200,
    skipPlatformTrouble: true,
  },
  {
    method: 'POST',
    path: '/v1/payment-notices',
    pattern: '/v1/payment-notices',
    session: 'payment',
    body: {bank: 'garanti', notice: {}},
    status: 200,
    skipPlatformTrouble: true,
  },
  {
    method: 'GET',
    path: '/v1/payment-notices/prefill',
    pattern: '/v1/payment-notices/prefill',
    session: 'payment',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/payment-pages',
    pattern: '/v1/payment-pages',
    session: 'payment',
    body: {},
    status: 200,
    skipPlatformTrouble: true,
  },
  {
    method: 'POST',
    path: '/v1/vendor-forms',
    pattern: '/v1/vendor-forms',
    session: 'vendor',
    body: {},
    status: 200,
    skipPlatformTrouble: true,
  },
  {
    method: 'POST',
    path: '/v1/refund-links/preview',
    pattern: '/v1/refund-links/preview',
    body: {link: 'unknown'},
    status: 404,
  },
  {
    method: 'POST',
    path: '/v1/refund-contacts',
    pattern: '/v1/refund-contacts',
    body: {link: 'unknown', name: 'Ada Örnek', iban: 'TR330006100519786457841326'},
    status: 404,
  },
  {method: 'POST', path: '/v1/handoffs/redeem', pattern: '/v1/handoffs/redeem', body: {code: 'x/DEMO/x'}, status: 404},
  {
    method: 'POST',
    path: '/v1/pins',
    pattern: '/v1/pins',
    session: 'subscription',
    body: {operator: 1, msisdn: '5321234567', tracking_id: 't-1'},
    status: 202,
    skipPlatformTrouble: true,
  },
  // The status is 422 because no PIN was sent.
  {
    method: 'POST',
    path: '/v1/subscriptions',
    pattern: '/v1/subscriptions',
    session: 'subscription',
    body: {operator: 1, msisdn: '5321234567', pin: '1234', tracking_id: 't-1'},
    status: 422,
    skipPlatformTrouble: true,
  },
  // The status is 403 because one-click is off.
  {
    method: 'POST',
    path: '/v1/numbers',
    pattern: '/v1/numbers',
    session: 'subscription',
    body: {number_token: '1'},
    status: 403,
    skipPlatformTrouble: true,
  },
  {
    method: 'GET',
    path: '/v1/subscription',
    pattern: '/v1/subscription',
    session: 'management',
    status: 200,
    skipPlatformTrouble: true,
  },
  {
    method: 'POST',
    path: '/v1/subscription/cancel',
    pattern: '/v1/subscription/cancel',
    session: 'management',
    body: {},
    status: 200,
    skipPlatformTrouble: true,
  },
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

const nameOf = ({method, pattern}: Row) => `${method} ${pattern}`;

test('the table contains every route of the browser API and no other', () => {
  expect(ROWS.map(nameOf).sort()).toEqual(
    routes
      .filter(({path}) => path.startsWith('/v1/'))
      .map(({method, path}) => `${method} ${path}`)
      .sort(),
  );
});

test('the OpenAPI description contains every route and no other', () => {
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // These routes work without a configuration and are not in the route tables.
  const unlisted = ['GET /health', 'GET /merchant/v1/doctor', 'GET /checkout.js', 'GET /subscribe.js', 'GET /p/{name}'];
  // The notifications are left out, because the platform's spec describes them. The description of a list mentions its
  // CSV file.
  const served = [...routes, ...merchantRoutes].filter(({path}) => !/^\/hooks\/|\.csv$/.test(path));
  expect(described.sort()).toEqual([...served.map(({method, path}) => `${method} ${path}`), ...unlisted].sort());
});

interface SendOptions {
  readonly origin?: string | undefined;
  readonly token?: string | undefined;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

function send(row: Row, {origin, token, method = row.method, headers = {}}: SendOptions = {}): Promise<Answer> {
  const live = row.headers?.['upgrade'] !== undefined;
  return ask(row.path, {
    method,
    headers: {
      ...row.headers,
      ...(origin !== undefined && {origin}),
      ...(row.body !== undefined && method === 'POST' && {'content-type': 'application/json'}),
      ...(token !== undefined &&
        (live ? {'sec-websocket-protocol': `vezne.v1, ${token}`} : {authorization: `Bearer ${token}`})),
      ...headers,
    },
    ...(row.body !== undefined && method === 'POST' && {body: JSON.stringify(row.body)}),
  });
}

const OPEN = {
  payment: openOrder,
  'payment without a code': openSession,
  subscription: openSubscription,
  vendor: openVendor,
  management: openManagement,
};
const tokenFor = async ({session}: Row): Promise<string | undefined> => session && (await OPEN[session]()).token;

describe.each(ROWS.map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
  sharedWorker();

  test('an allowed page gets the answer without a cookie, and CORS headers name its origin', async () => {
    const answer = await send(row, {origin: ORIGIN, token: await tokenFor(row)});
    expect(answer.status, answer.text).toBe(row.status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('access-control-expose-headers')).toBe('x-request-id, retry-after');
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('set-cookie')).toBeNull();
    answer.webSocket?.accept();
    answer.webSocket?.close();
  });

  test('a foreign page gets no CORS headers, and gets an error unless the route is open', async () => {
    const token = await tokenFor(row);
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const answer = await send(row, {origin, token});
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      if (row.open) expect(answer.status).toBe(200);
      else expectProblem(answer, PROBLEMS.origin_not_allowed);
    }
  });

  test('without an origin, only a GET that is not cross-site is accepted, except by open routes', async () => {
    const token = await tokenFor(row);
    const withoutOrigin = await send(row, {token});
    const foreign = await send(row, {headers: {'sec-fetch-site': 'cross-site'}});
    const sameOrigin = await send(row, {headers: {'sec-fetch-site': 'same-origin'}, token});
    for (const answer of [withoutOrigin, foreign, sameOrigin]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      answer.webSocket?.accept();
      answer.webSocket?.close();
    }
    if (row.open) return expect([withoutOrigin.status, foreign.status, sameOrigin.status]).toEqual([200, 200, 200]);
    expectProblem(foreign, PROBLEMS.origin_not_allowed);
    if (row.method === 'GET')
      return expect([withoutOrigin.status, sameOrigin.status]).toEqual([row.status, row.status]);
    expectProblem(withoutOrigin, PROBLEMS.origin_not_allowed);
    expectProblem(sameOrigin, PROBLEMS.origin_not_allowed);
  });

  test('a request with a different method gets 405, and the header Allow names the supported method', async () => {
    for (const method of METHODS.filter((other) => other !== row.method)) {
      // The request has no upgrade header, because a WebSocket handshake is always a GET.
      const answer = await send({...row, headers: {}}, {method, origin: ORIGIN});
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get('allow')).toBe(row.method);
      if (method !== 'HEAD') expectProblem(answer, PROBLEMS.method_not_allowed);
    }
  });

  test('only an allowed page’s preflight succeeds', async () => {
    const headers = {
      'access-control-request-method': row.method,
      'access-control-request-headers': 'authorization, content-type',
    };
    const allowed = await ask(row.path, {method: 'OPTIONS', headers: {origin: ORIGIN, ...headers}});
    const {'x-request-id': _id, 'x-content-type-options': _options, ...rest} = Object.fromEntries(allowed.headers);
    expect([allowed.status, allowed.text, rest]).toEqual([
      204,
      '',
      {
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': row.method,
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': '7200',
        vary: 'Origin',
      },
    ]);
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await ask(row.path, {method: 'OPTIONS', headers: {origin, ...headers}});
      expectProblem(answer, PROBLEMS.origin_not_allowed);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('access-control-allow-methods')).toBeNull();
    }
  });

  test('the log contains the route’s pattern, never the URL', async () => {
    const {status} = await send(
      {...row, path: row.path.replace('/6/', '/TR330006100519786457841326/')},
      {origin: ORIGIN, token: 'eyJ.x.y'},
    );
    const [request, ...more] = logLines('request');
    expect(more).toEqual([]);
    expect(request).toMatchObject({method: row.method, route: row.pattern, status, duration_ms: 0});
  });

  test('with an invalid configuration, the answer is the problem misconfigured, which is not retryable', async () => {
    const answer = await ask(row.path, {
      method: row.method,
      headers: {origin: ORIGIN},
      bindings: {MERCHANT_KEY: undefined},
    });
    expectProblem(answer, PROBLEMS.misconfigured);
    expect(logLines('misconfigured')).toMatchObject([{level: 'error', names: ['MERCHANT_KEY']}]);
  });
});

describe.each(ROWS.filter(({session}) => session).map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
  sharedWorker();

  test('a request without a valid session is refused', async () => {
    for (const token of [undefined, '', 'x', 'a.b.c'])
      expectProblem(await send(row, {origin: ORIGIN, token}), PROBLEMS.unauthorized);
  });

  test('a session of another kind is refused', async () => {
    const kind = row.session?.startsWith('payment') ? 'subscription' : 'payment';
    expectProblem(await send(row, {origin: ORIGIN, token: (await OPEN[kind]()).token}), PROBLEMS.session_kind);
  });

  test('a session is refused on a page with a different origin', async () => {
    const token = await tokenFor(row);
    const bindings = {...env, ALLOWED_ORIGINS: `${ORIGIN} https://other.example`};
    const live = row.headers?.['upgrade'] !== undefined;
    const answer = await ask(row.path, {
      method: row.method,
      bindings,
      headers: {
        ...row.headers,
        origin: 'https://other.example',
        'content-type': 'application/json',
        ...(live ? {'sec-websocket-protocol': `vezne.v1, ${token}`} : {authorization: `Bearer ${token}`}),
      },
      ...(row.method === 'POST' && {body: '{}'}),
    });
    expectProblem(answer, PROBLEMS.origin_not_allowed);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
  });
});

describe.each(ROWS.filter(({body}) => body !== undefined).map((row) => [nameOf(row), row] as const))(
  '%s',
  (_name, row) => {
    sharedWorker();

    const preparePost = async () => {
      const token = await tokenFor(row);
      const bearer = token === undefined ? {} : {authorization: `Bearer ${token}`};
      return (body: BodyInit, headers: Record<string, string> = {}) =>
        ask(row.path, {
          method: 'POST',
          headers: {origin: ORIGIN, 'content-type': 'application/json', ...bearer, ...headers},
          body,
        });
    };
    const NOT_JSON = {
      ...PROBLEMS.invalid_request,
      status: 400,
      fields: [{path: '', message: 'The body is not JSON (application/json).'}],
    };

    test('a body that is not JSON, or whose Content-Type is not JSON, is refused', async () => {
      const post = await preparePost();
      for (const body of ['', '{', 'offer=gold', '<offer/>', 'undefined', '{"a":1}{"b":2}', "{'offer':'gold'}"])
        expectProblem(await post(body), NOT_JSON);
      for (const type of [
        'application/x-www-form-urlencoded',
        'application/jsonp',
        '',
        ...(row.beacon ? [] : ['text/plain']),
      ]) {
        expectProblem(await post(JSON.stringify(row.body), {'content-type': type}), NOT_JSON);
      }
      expect((await post(JSON.stringify(row.body), {'content-type': 'Application/JSON; charset=utf-8'})).status).toBe(
        row.status,
      );
    });

    test('a body that is too large is refused, with and without a Content-Length', async () => {
      const post = await preparePost();
      const text = JSON.stringify({...(row.body as object), padding: 'x'.repeat(20_000)});
      expectProblem(await post(text), PROBLEMS.too_large);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      expectProblem(await post(stream), PROBLEMS.too_large);
    });

    test('an unknown field, such as a price, is refused, and the problem names the field', async () => {
      const post = await preparePost();
      const answer = await post(JSON.stringify({...(row.body as object), price: '0.01', nested: {amount: 1}}));
      expectProblem(answer, {
        ...PROBLEMS.invalid_request,
        fields: [
          {path: 'price', message: 'This field is not accepted.'},
          {path: 'nested', message: 'This field is not accepted.'},
        ],
      });
    });

    test('a body that is not a JSON object is refused', async () => {
      const post = await preparePost();
      for (const body of ['null', '[]', '1', '"gold"', 'true']) {
        const answer = await post(body);
        expectProblem(answer, {...PROBLEMS.invalid_request, fields: (answer.body as {fields: []}).fields});
        expect(answer.body).toMatchObject({fields: [{path: ''}]});
      }
    });
  },
);

test('a path without a route is not found', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v2/banks',
    '/v1/bank',
    '/v1/banks/6',
    '/v1/banks/6/logo/x',
    '/v1/payment/live/x',
    '/V1/banks',
    '//v1/banks',
    '/hooks/nothing',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expectProblem(await ask(path, {method, headers: {origin: ORIGIN}}), PROBLEMS.not_found);
  }
});

const failCalls = async (kind: 'status' | '500-html' | 'malformed' | 'empty' | 'redirect', status?: string) => {
  for (const operation of ['/bank/getAll', '/orderToReference/create', '/orderToReference/check']) {
    await setFault({operation, kind, ...(status !== undefined && {status})});
  }
};

describe('with a failing platform', () => {
  freshWorker();

  const unavailable = {...PROBLEMS.temporarily_unavailable};
  const TROUBLES: readonly [
    story: string,
    cause: () => Promise<unknown>,
    problem: typeof unavailable | typeof PROBLEMS.platform_refused,
  ][] = [
    ['that sends HTML', () => failCalls('500-html'), unavailable],
    ['that sends incomplete JSON', () => failCalls('malformed'), unavailable],
    ['that sends an empty reply', () => failCalls('empty'), unavailable],
    ['that redirects', () => failCalls('redirect'), unavailable],
    ['with an internal error', () => failCalls('status', 'ERR_010'), unavailable],
    ['that refuses our IP address', () => failCalls('status', 'ERR_002'), PROBLEMS.platform_refused],
    ['that does not know our service', () => failCalls('status', 'ERR_005'), PROBLEMS.platform_refused],
    ['with an unknown status', () => failCalls('status', 'ERR_777'), PROBLEMS.platform_refused],
    ['that refuses every token', () => failCalls('status', 'ERR_016'), unavailable],
    ['that is unreachable', () => setLine('refused'), unavailable],
    ['that closes the connection', () => setLine('reset'), unavailable],
  ];

  test.for(TROUBLES)(
    'with a platform %s, only routes that call the platform return a problem, without the platform’s message',
    async ([, cause, problem]) => {
      const session = await ask('/v1/sessions', {
        method: 'POST',
        headers: {origin: ORIGIN, 'content-type': 'application/json'},
        body: '{"offer":"gold"}',
      });
      const tokens = {payment: (session.body as {token: string}).token, subscription: (await openSubscription()).token};
      await cause();
      for (const row of ROWS.filter(({skipPlatformTrouble}) => !skipPlatformTrouble)) {
        const answer = await send(row, {
          origin: ORIGIN,
          token: row.session === 'payment' || row.session === 'subscription' ? tokens[row.session] : undefined,
        });
        answer.webSocket?.accept();
        answer.webSocket?.close();
        const needsPlatform = ['/v1/banks', '/v1/banks/6/logo', '/v1/order-code'].includes(row.path);
        if (!needsPlatform) {
          // Without an order code there is no order that could be handed off.
          expect(answer.status, nameOf(row)).toBe(row.path === '/v1/handoffs' ? 404 : row.status);
          continue;
        }
        expectProblem(answer, problem);
        if (problem.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        else expect(answer.headers.get('retry-after')).toBeNull();
      }
    },
  );

  test.for<[story: string, cause: () => Promise<unknown>, fields: Record<string, unknown>]>([
    ['that does not know our service', () => failCalls('status', 'ERR_005'), {platform_status: 'ERR_005'}],
    ['that sends an empty reply', () => failCalls('empty'), {fault: 'unreadable'}],
  ])('with a platform %s, the log connects the request id with the failed call', async ([, cause, fields]) => {
    const {token} = await openSession();
    await cause();
    const answer = await askAsPage('POST', '/v1/order-code', {token});
    expect(logLines('platform_trouble')).toEqual([
      {
        level: 'warn',
        event: 'platform_trouble',
        service: 'DEMO',
        order: expect.any(String) as string,
        request_id: answer.headers.get('x-request-id'),
        route: '/v1/order-code',
        ...fields,
      },
    ]);
  });
});
