/** What a request to the browser API is refused for first, when several things are wrong with it. */

import {describe, expect, test} from 'vitest';
import {sharedWorker} from '../support/fresh-worker.ts';
import {
  type Answer,
  ask,
  handOff,
  openManagement,
  openOrder,
  openSubscription,
  openVendor,
  ORIGIN,
} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';

interface Row {
  readonly path: string;
  readonly method?: 'GET';
  readonly session?: 'payment' | 'subscription' | 'management' | 'vendor';
  /** Whether a session that only reads is refused. */
  readonly creates?: true;
  /** What the rate-limit binding counts; sessions are counted by the subnet alone. */
  readonly limit?: string;
  /** A body that the schema takes, where only such a body is counted. */
  readonly countsValid?: object;
}

/** Written by hand from the design of the API. */
const ROWS: readonly Row[] = [
  {path: '/v1/sessions', limit: ''},
  {method: 'GET', path: '/v1/session', session: 'subscription'},
  {path: '/v1/order-code', session: 'payment'},
  {method: 'GET', path: '/v1/payment', session: 'payment'},
  {path: '/v1/handoffs', session: 'payment', creates: true},
  {path: '/v1/handoffs/preview', limit: ''},
  {path: '/v1/handoffs/redeem', limit: ''},
  {path: '/v1/hosted-payment', session: 'payment', creates: true},
  {path: '/v1/payment-notices', session: 'payment', creates: true},
  {method: 'GET', path: '/v1/payment-notices/prefill', session: 'payment', creates: true},
  {path: '/v1/payment-pages', session: 'payment', creates: true},
  {path: '/v1/vendor-forms', session: 'vendor'},
  {path: '/v1/pins', session: 'subscription', limit: 'pins '},
  {
    path: '/v1/subscriptions',
    session: 'subscription',
    limit: 'subscriptions ',
    countsValid: {operator: 1, msisdn: 'x', pin: 'x', tracking_id: 't'},
  },
  {
    path: '/v1/numbers',
    session: 'subscription',
    limit: 'numbers ',
    countsValid: {number_token: 'x'},
  },
  {method: 'GET', path: '/v1/subscription', session: 'management'},
  {path: '/v1/subscription/cancel', session: 'management'},
  {path: '/v1/activities', limit: 'activities '},
];
const OPEN = {payment: openOrder, subscription: openSubscription, vendor: openVendor, management: openManagement};
const ADDRESS = '198.51.100.7';
const NOT_JSON = {
  ...PROBLEMS.invalid_request,
  status: 400,
  fields: [{path: '', message: 'The body is not JSON (application/json).'}],
};
const UNKNOWN_FIELD = {...PROBLEMS.invalid_request, fields: [{path: 'price', message: 'This field is not accepted.'}]};

interface Sent {
  readonly origin?: string;
  readonly token?: string;
  readonly body?: string;
  /** Whether the rate-limit binding refuses whatever it is asked. */
  readonly flooding?: boolean;
}

/** The answer to a request from `ADDRESS`, and what the rate-limit binding was asked on the way. */
async function send({path, method}: Row, {origin = ORIGIN, token, body = '{', flooding = false}: Sent) {
  const counted: string[] = [];
  const limit = ({key}: {key: string}) => Promise.resolve({success: counted.push(key) > 0 && !flooding});
  const answer: Answer = await ask(path, {
    method: method ?? 'POST',
    headers: {
      origin,
      'cf-connecting-ip': ADDRESS,
      'content-type': 'application/json',
      ...(token !== undefined && {authorization: `Bearer ${token}`}),
    },
    ...(!method && {body}),
    bindings: {ADDRESS_RATE: {limit}},
  });
  return {answer, counted};
}

describe.each(ROWS.map((row) => [row.path, row] as const))('%s', (_path, row) => {
  sharedWorker();
  const {method, session, creates, limit, countsValid} = row;
  const keys = limit === undefined ? [] : [`${limit}${ADDRESS}`];

  test('refuses a foreign page before it reads a session, counts or reads a body', async () => {
    const {answer, counted} = await send(row, {origin: 'https://evil.example', flooding: true});
    expectProblem(answer, PROBLEMS.origin_not_allowed);
    expect(counted).toEqual([]);
  });

  test.runIf(session)('refuses a wrong session before it counts or reads a body', async () => {
    const other = session === 'payment' ? openSubscription : openOrder;
    for (const [token, problem] of [
      ['x', PROBLEMS.unauthorized],
      [(await other()).token, PROBLEMS.session_kind],
    ] as const) {
      const {answer, counted} = await send(row, {token, flooding: true});
      expectProblem(answer, problem);
      expect(counted).toEqual([]);
    }
  });

  test.runIf(session === 'payment')('takes a session that only reads where nothing is created', async () => {
    const {token} = await handOff(await openOrder());
    const {answer} = await send(row, {token});
    if (creates) expectProblem(answer, PROBLEMS.session_kind);
    else if (method) expect(answer.status).toBe(200);
    else expectProblem(answer, NOT_JSON);
  });

  test.runIf(!method)('counts an address once, before or after it reads the body', async () => {
    const token = session && (await OPEN[session]()).token;
    for (const [body, problem] of [
      ['{', NOT_JSON],
      ['{"price": "0.01"}', null],
    ] as const) {
      for (const flooding of [false, true]) {
        const {answer, counted} = await send(row, {...(token !== undefined && {token}), body, flooding});
        expect(counted).toEqual(countsValid ? [] : keys);
        if (flooding && limit !== undefined && !countsValid) {
          expectProblem(answer, PROBLEMS.rate_limited);
          expect(answer.headers.get('retry-after')).toBe('60');
        } else if (problem) expectProblem(answer, problem);
        else {
          expect(answer.status).toBe(422);
          expect((answer.body as {fields: unknown[]}).fields).toContainEqual(UNKNOWN_FIELD.fields[0]);
        }
      }
    }
  });

  test.runIf(countsValid)('counts an address only for a body that the schema takes', async () => {
    const token = session && (await OPEN[session]()).token;
    const sent = {...(token !== undefined && {token}), body: JSON.stringify(countsValid)};
    const {answer, counted} = await send(row, {...sent, flooding: true});
    expectProblem(answer, PROBLEMS.rate_limited);
    expect(counted).toEqual(keys);
    expect((await send(row, sent)).counted).toEqual(keys);
  });
});

const live = (headers: Record<string, string>) => ask('/v1/payment/live', {headers: {origin: ORIGIN, ...headers}});

describe('/v1/payment/live', () => {
  sharedWorker();
  test('refuses a request that is none for a WebSocket before it looks at the session', async () => {
    const fields = [{path: '', message: 'This endpoint requires a WebSocket.'}];
    for (const protocol of ['vezne.v1, x', `vezne.v1, ${(await openOrder()).token}`])
      expectProblem(await live({'sec-websocket-protocol': protocol}), {
        ...PROBLEMS.invalid_request,
        status: 426,
        fields,
      });
  });

  test('refuses another subprotocol before it looks at the session', async () => {
    const {token} = await openOrder();
    for (const protocol of [`vezne.v2, ${token}`, token, ''])
      expectProblem(await live({upgrade: 'websocket', 'sec-websocket-protocol': protocol}), PROBLEMS.unauthorized);
  });

  test('takes the session from the subprotocols only', async () => {
    const {token} = await openOrder();
    const answer = await live({
      upgrade: 'websocket',
      'sec-websocket-protocol': 'vezne.v1',
      authorization: `Bearer ${token}`,
    });
    expectProblem(answer, PROBLEMS.unauthorized);
  });
});

const postToDoctor = (key: string) =>
  ask('/merchant/v1/doctor', {method: 'POST', headers: {authorization: `Bearer ${key}`, origin: ORIGIN}});

describe('/merchant/v1/doctor', () => {
  sharedWorker();

  test('takes no other method than GET, and says so to nobody without a key', async () => {
    expectProblem(await postToDoctor('wrong'), PROBLEMS.unauthorized);
    const answer = await postToDoctor('sandbox-merchant-api-key');
    expectProblem(answer, PROBLEMS.not_found);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
