/** Tests that every route of the browser API must pass, and tests with a failing platform. */

import {env} from 'cloudflare:workers';
import description from 'virtual:openapi';
import {describe, expect, test} from 'vitest';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {browserRoutes} from '../../worker/routes/browser/api.ts';
import {merchantRoutes} from '../../worker/routes/merchant/api.ts';
import {notificationRoutes} from '../../worker/routes/notifications/notifications.ts';
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
  /** The path as in the table of routes, if it differs. */
  readonly pattern?: string;
  /** If true, the route is open: it accepts requests of every origin and without an origin. */
  readonly open?: true;
  /** The kind of session that the route requires. */
  readonly session?: 'payment' | 'payment without a code' | 'subscription' | 'vendor' | 'management';
  readonly body?: unknown;
  /** If true, the route accepts JSON with the type text/plain. */
  readonly beacon?: true;
  /** The status of a valid request. */
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** These rows were written by hand from the design of the API; they are not derived from the contract. */
const ROWS: readonly Row[] = [
  {method: 'POST', path: '/v1/sessions', body: {offer: 'gold'}, beacon: true, status: 201},
  {method: 'GET', path: '/v1/session', session: 'subscription', status: 200},
  {method: 'GET', path: '/v1/banks', open: true, status: 200},
  {method: 'GET', path: '/v1/banks/6/logo', pattern: '/v1/banks/{id}/logo', open: true, status: 200},
  {method: 'POST', path: '/v1/order-code', session: 'payment', body: {}, beacon: true, status: 200},
  {method: 'GET', path: '/v1/payment', session: 'payment', status: 200},
  {method: 'GET', path: '/v1/payment/live', session: 'payment', status: 101, headers: {upgrade: 'websocket'}},
  {method: 'POST', path: '/v1/handoffs', session: 'payment', body: {}, status: 201},
  {method: 'POST', path: '/v1/handoffs/preview', body: {code: 'x/DEMO/x'}, status: 404},
  {
    method: 'POST',
    path: '/v1/activities',
    status: 202,
    body: {offer: 'club', type: 'subscribe_clicked', tracking_id: 't-1'},
    beacon: true,
  },
  {method: 'POST', path: '/v1/hosted-payment', session: 'payment without a code', body: {}, status: 200},
  {method: 'POST', path: '/v1/payment-notices', session: 'payment', body: {bank: 'garanti', notice: {}}, status: 200},
  {method: 'GET', path: '/v1/payment-notices/prefill', session: 'payment', status: 200},
  {method: 'POST', path: '/v1/payment-pages', session: 'payment', body: {}, status: 200},
  {method: 'POST', path: '/v1/vendor-forms', session: 'vendor', body: {}, status: 200},
  {method: 'POST', path: '/v1/refund-links/preview', body: {link: 'unknown'}, status: 404},
  {
    method: 'POST',
    path: '/v1/refund-contacts',
    body: {link: 'unknown', name: 'Ada Örnek', iban: 'TR330006100519786457841326'},
    status: 404,
  },
  {method: 'POST', path: '/v1/handoffs/redeem', body: {code: 'x/DEMO/x'}, status: 404},
  {
    method: 'POST',
    path: '/v1/pins',
    session: 'subscription',
    body: {operator: 1, msisdn: '5321234567', tracking_id: 't-1'},
    status: 202,
  },
  // The status is 422 because no PIN was sent.
  {
    method: 'POST',
    path: '/v1/subscriptions',
    session: 'subscription',
    body: {operator: 1, msisdn: '5321234567', pin: '1234', tracking_id: 't-1'},
    status: 422,
  },
  // The status is 403 because one-click is off.
  {method: 'POST', path: '/v1/numbers', session: 'subscription', body: {number_token: '1'}, status: 403},
  {method: 'GET', path: '/v1/subscription', session: 'management', status: 200},
  {method: 'POST', path: '/v1/subscription/cancel', session: 'management', body: {}, status: 200},
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

const patternOf = ({path, pattern = path}: Row) => pattern;
const nameOf = (row: Row) => `${row.method} ${patternOf(row)}`;

const routes = [...browserRoutes, ...notificationRoutes];

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
  const unlisted = ['GET /health', 'GET /checkout.js', 'GET /subscribe.js', 'GET /p/{name}'];
  // The notifications are left out, because the platform's spec describes them. The description of a list mentions its
  // CSV file.
  const served = [...routes, ...merchantRoutes(endpoints)].filter(({path}) => !/^\/hooks\/|\.csv$/.test(path));
  expect(described.sort()).toEqual([...served.map(({method, path}) => `${method} ${path}`), ...unlisted].sort());
});

interface SendOptions {
  readonly origin?: string | undefined;
  readonly body?: BodyInit | undefined;
  readonly token?: string | undefined;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly isolate?: Env;
}

function send(
  row: Row,
  {origin, token, body, method = row.method, headers = {}, isolate}: SendOptions = {},
): Promise<Answer> {
  const live = row.headers?.['upgrade'] !== undefined;
  const sent = body ?? (row.body === undefined ? undefined : JSON.stringify(row.body));
  return ask(row.path, {
    method,
    ...(isolate && {isolate}),
    headers: {
      ...row.headers,
      ...(origin !== undefined && {origin}),
      ...(sent !== undefined && method === 'POST' && {'content-type': 'application/json'}),
      ...(token !== undefined &&
        (live ? {'sec-websocket-protocol': `vezne.v1, ${token}`} : {authorization: `Bearer ${token}`})),
      ...headers,
    },
    ...(sent !== undefined && method === 'POST' && {body: sent}),
  });
}

const OPEN = {
  payment: openOrder,
  'payment without a code': openSession,
  subscription: openSubscription,
  vendor: openVendor,
  management: openManagement,
};
const openFor = async ({session}: Row): Promise<string | undefined> => session && (await OPEN[session]()).token;

/** One session of each kind, for requests that change nothing. */
async function openEachKind() {
  const kinds = Object.keys(OPEN) as (keyof typeof OPEN)[];
  const tokens = await Promise.all(kinds.map(async (kind) => [kind, (await OPEN[kind]()).token] as const));
  const byKind = Object.fromEntries(tokens);
  return ({session}: Row): string | undefined => session && byKind[session];
}

function shown({status, text, headers}: Answer) {
  const {'x-request-id': _, ...rest} = Object.fromEntries(headers);
  return {status, headers: rest, text};
}

function close({webSocket}: Answer): void {
  webSocket?.accept();
  webSocket?.close();
}

describe('every route', () => {
  sharedWorker();

  test('answers an allowed page without a cookie, CORS headers name its origin, and a personal answer says that it is', async () => {
    for (const row of ROWS) {
      const token = await openFor(row);
      const answer = await send(row, {origin: ORIGIN, token, headers: {'vezne-read': '0.5'}});
      const {headers} = answer;
      // A socket's session is not a header, and no cache keeps a socket.
      const isPersonal = row.session && row.status !== 101;
      expect(
        [
          answer.status,
          ...['access-control-allow-origin', 'access-control-expose-headers', 'set-cookie', 'vary', 'vezne-read'].map(
            (name) => headers.get(name),
          ),
        ],
        nameOf(row) + answer.text,
      ).toEqual([
        row.status,
        ORIGIN,
        'x-request-id, retry-after, vezne-read',
        null,
        ...(isPersonal ? ['Origin, Authorization, Vezne-Read', '0.5'] : ['Origin', null]),
      ]);
      close(answer);
    }
  });

  test('gives a foreign page no CORS headers, and an error unless the route is open', async () => {
    const tokenFor = await openEachKind();
    for (const row of ROWS) {
      const answer = await send(row, {origin: 'https://evil.example', token: tokenFor(row)});
      expect(answer.headers.get('access-control-allow-origin'), nameOf(row)).toBeNull();
      if (row.open) expect(answer.status).toBe(200);
      else expectProblem(answer, PROBLEMS.origin_not_allowed);
    }
    const [sessions] = ROWS as [Row];
    for (const origin of ['http://localhost.evil.example', `${ORIGIN}.evil.example`, 'null'])
      expectProblem(await send(sessions, {origin}), PROBLEMS.origin_not_allowed);
  });

  test('accepts without an origin only a GET that is not cross-site, unless the route is open', async () => {
    const tokenFor = await openEachKind();
    for (const row of ROWS) {
      const token = tokenFor(row);
      const withoutOrigin = await send(row, {token});
      const foreign = await send(row, {headers: {'sec-fetch-site': 'cross-site'}});
      const sameOrigin = await send(row, {headers: {'sec-fetch-site': 'same-origin'}, token});
      const answers = [withoutOrigin, foreign, sameOrigin];
      answers.forEach(close);
      expect(answers.map(({headers}) => headers.get('access-control-allow-origin'))).toEqual([null, null, null]);
      const own = row.method === 'GET' ? row.status : 403;
      expect(
        answers.map(({status}) => status),
        nameOf(row),
      ).toEqual(row.open ? [200, 200, 200] : [own, 403, own]);
      if (!row.open) expectProblem(foreign, PROBLEMS.origin_not_allowed);
    }
  });

  test('answers 405 to a different method, and the header Allow names the supported methods', async () => {
    for (const row of ROWS) {
      const isRead = row.method === 'GET' && row.status === 200;
      const allowed: readonly string[] = isRead ? ['GET', 'HEAD'] : [row.method];
      for (const method of METHODS.filter((other) => !allowed.includes(other))) {
        // The request has no upgrade header, because a WebSocket handshake is always a GET.
        const answer = await send({...row, headers: {}}, {method, origin: ORIGIN});
        const allow = answer.headers.get('allow');
        expect([answer.status, allow], `${method} ${row.path}`).toEqual([405, allowed.join(', ')]);
        if (method !== 'HEAD') expectProblem(answer, PROBLEMS.method_not_allowed);
      }
    }
  });

  test('answers HEAD as GET, without the body, where a GET only reads', async () => {
    const tokenFor = await openEachKind();
    for (const row of ROWS.filter(({method, status}) => method === 'GET' && status === 200))
      for (const token of [tokenFor(row), undefined]) {
        const get = shown(await send(row, {token, origin: ORIGIN}));
        expect(shown(await send(row, {token, origin: ORIGIN, method: 'HEAD'})), row.path).toEqual({...get, text: ''});
      }
    for (const path of ['/hooks/payment', '/hooks/refund-result', '/return/vendor'])
      expect((await ask(path, {method: 'HEAD'})).status).toBe(405);
  });

  test('accepts only an allowed page’s preflight', async () => {
    for (const row of ROWS) {
      const headers = {
        'access-control-request-method': row.method,
        'access-control-request-headers': 'authorization, content-type, vezne-read',
      };
      const allowed = await ask(row.path, {method: 'OPTIONS', headers: {origin: ORIGIN, ...headers}});
      const {'x-request-id': _id, 'x-content-type-options': _options, ...rest} = Object.fromEntries(allowed.headers);
      expect([allowed.status, allowed.text, rest], nameOf(row)).toEqual([
        204,
        '',
        {
          'access-control-allow-origin': ORIGIN,
          'access-control-allow-methods': row.method,
          'access-control-allow-headers': 'authorization, content-type, vezne-read',
          'access-control-max-age': '7200',
          vary: 'Origin',
        },
      ]);
      const answer = await ask(row.path, {method: 'OPTIONS', headers: {origin: 'https://evil.example', ...headers}});
      expectProblem(answer, PROBLEMS.origin_not_allowed);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('access-control-allow-methods')).toBeNull();
    }
  });

  test('is in the log with its pattern, never with the URL', async () => {
    for (const [index, row] of ROWS.entries()) {
      const {status} = await send(
        {...row, path: row.path.replace('/6/', '/TR330006100519786457841326/')},
        {origin: ORIGIN, token: 'eyJ.x.y'},
      );
      const requests = logLines('request');
      expect(requests).toHaveLength(index + 1);
      expect(requests.at(-1)).toMatchObject({method: row.method, route: patternOf(row), status, duration_ms: 0});
    }
  });

  test('answers with an invalid configuration with the problem misconfigured, which is not retryable', async () => {
    for (const {path, method} of ROWS) {
      const answer = await ask(path, {method, headers: {origin: ORIGIN}, bindings: {MERCHANT_KEY: undefined}});
      expectProblem(answer, PROBLEMS.misconfigured);
    }
    expect(logLines('misconfigured')).toHaveLength(ROWS.length);
    expect(logLines('misconfigured')[0]).toMatchObject({level: 'error', names: ['MERCHANT_KEY']});
  });
});

describe('every route with a session', () => {
  sharedWorker();
  const rows = ROWS.filter(({session}) => session);

  test('refuses a request without a valid session, and a session of another kind', async () => {
    const payment = (await openSession()).token;
    const subscription = (await openSubscription()).token;
    for (const row of rows) {
      for (const token of [undefined, '', 'x', 'a.b.c'])
        expectProblem(await send(row, {origin: ORIGIN, token}), PROBLEMS.unauthorized);
      const other = row.session?.startsWith('payment') ? subscription : payment;
      expectProblem(await send(row, {origin: ORIGIN, token: other}), PROBLEMS.session_kind);
    }
  });

  test('refuses a session on a page with a different origin', async () => {
    const tokenFor = await openEachKind();
    const isolate = {...env, ALLOWED_ORIGINS: `${ORIGIN} https://other.example`} as unknown as Env;
    for (const row of rows) {
      const headers = {'vezne-read': '0.5'};
      const answer = await send(row, {origin: 'https://other.example', token: tokenFor(row), isolate, headers});
      expectProblem(answer, PROBLEMS.origin_not_allowed);
      // A refusal is personal too.
      if (row.status !== 101) expect(answer.headers.get('vezne-read')).toBe('0.5');
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
    }
  });
});

describe('every route with a body', () => {
  sharedWorker();
  const rows = ROWS.filter(({body}) => body !== undefined);
  const NOT_JSON = {
    ...PROBLEMS.invalid_request,
    status: 400,
    fields: [{path: '', message: 'The body is not JSON (application/json).'}],
  };

  test('refuses a body that is not JSON, or whose Content-Type is not JSON', async () => {
    for (const row of rows) {
      const token = await openFor(row);
      const post = (body?: BodyInit, headers?: Record<string, string>) =>
        send(row, {origin: ORIGIN, token, body, ...(headers && {headers})});
      expectProblem(await post('{'), NOT_JSON);
      const type = row.beacon ? 'application/jsonp' : 'text/plain';
      expectProblem(await post(undefined, {'content-type': type}), NOT_JSON);
      const answer = await post(undefined, {'content-type': 'Application/JSON; charset=utf-8'});
      expect(answer.status, nameOf(row)).toBe(row.status);
    }
    const [sessions] = rows as [Row];
    for (const body of ['', 'offer=gold', '<offer/>', 'undefined', '{"a":1}{"b":2}', "{'offer':'gold'}"])
      expectProblem(await send(sessions, {origin: ORIGIN, body}), NOT_JSON);
    for (const type of ['application/x-www-form-urlencoded', ''])
      expectProblem(await send(sessions, {origin: ORIGIN, headers: {'content-type': type}}), NOT_JSON);
  });

  test('refuses a body that is too large, with and without a Content-Length', async () => {
    const tokenFor = await openEachKind();
    for (const row of rows) {
      const text = JSON.stringify({...(row.body as object), padding: 'x'.repeat(20_000)});
      const stream = new Blob([text]).stream();
      for (const body of [text, stream])
        expectProblem(await send(row, {origin: ORIGIN, token: tokenFor(row), body}), PROBLEMS.too_large);
    }
  });

  test('refuses an unknown field, such as a price, and a body that is not an object', async () => {
    const tokenFor = await openEachKind();
    for (const row of rows) {
      const post = (body: unknown) => send(row, {origin: ORIGIN, token: tokenFor(row), body: JSON.stringify(body)});
      expectProblem(await post({...(row.body as object), price: '0.01', nested: {amount: 1}}), {
        ...PROBLEMS.invalid_request,
        fields: [
          {path: 'price', message: 'This field is not accepted.'},
          {path: 'nested', message: 'This field is not accepted.'},
        ],
      });
      const answer = await post([]);
      expectProblem(answer, {...PROBLEMS.invalid_request, fields: (answer.body as {fields: []}).fields});
      expect(answer.body).toMatchObject({fields: [{path: ''}]});
    }
    const [sessions] = rows as [Row];
    for (const body of ['null', '1', '"gold"', 'true'])
      expect((await send(sessions, {origin: ORIGIN, body})).body).toMatchObject({fields: [{path: ''}]});
  });
});

/** Other tests call these routes with a failing platform. */
const TESTED_ELSEWHERE = new Set([
  '/v1/hosted-payment',
  '/v1/payment-notices',
  '/v1/payment-pages',
  '/v1/vendor-forms',
  '/v1/pins',
  '/v1/subscriptions',
  '/v1/numbers',
  '/v1/subscription',
  '/v1/subscription/cancel',
]);
const failCalls = async (kind: 'status' | '500-html' | 'empty', status?: string) => {
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
    ['that refuses our IP address', () => failCalls('status', 'ERR_002'), PROBLEMS.platform_refused],
    ['that refuses every token', () => failCalls('status', 'ERR_016'), unavailable],
    ['that is unreachable', () => setLine('refused'), unavailable],
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
      for (const row of ROWS.filter(({path}) => !TESTED_ELSEWHERE.has(path))) {
        const answer = await send(row, {
          origin: ORIGIN,
          token: row.session === 'payment' || row.session === 'subscription' ? tokens[row.session] : undefined,
        });
        close(answer);
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
