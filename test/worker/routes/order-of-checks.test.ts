/** Tests the order of checks in the browser API: which problem a request gets if several of its parts are wrong. */

import {describe, expect, test} from 'vitest';
import {countObjectCalls} from '../support/durable-objects.ts';
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
  /** If true, the endpoint refuses read-only sessions. */
  readonly creates?: true;
  /** The rate-limit binding counts requests by this prefix and the address. Undefined if the binding counts none. */
  readonly limit?: string;
  /** A valid body, for endpoints whose limit counts only requests with a valid body. */
  readonly validBody?: object;
}

/** These rows were written by hand from the design of the API; they are not derived from the contract. */
const ROWS: readonly Row[] = [
  {path: '/v1/sessions', limit: ''},
  {method: 'GET', path: '/v1/session', session: 'subscription'},
  {path: '/v1/order-code', session: 'payment'},
  {method: 'GET', path: '/v1/payment', session: 'payment'},
  {path: '/v1/handoffs', session: 'payment', creates: true},
  {path: '/v1/handoffs/preview', limit: ''},
  {path: '/v1/handoffs/redeem', limit: ''},
  {path: '/v1/hosted-payment', session: 'payment', creates: true},
  {path: '/v1/payment-notices', session: 'payment'},
  {method: 'GET', path: '/v1/payment-notices/prefill', session: 'payment', creates: true},
  {path: '/v1/payment-pages', session: 'payment', creates: true},
  {path: '/v1/vendor-forms', session: 'vendor'},
  {path: '/v1/pins', session: 'subscription', limit: 'pins '},
  {
    path: '/v1/subscriptions',
    session: 'subscription',
    limit: 'subscriptions ',
    validBody: {operator: 1, msisdn: 'x', pin: 'x', tracking_id: 't'},
  },
  {
    path: '/v1/numbers',
    session: 'subscription',
    limit: 'numbers ',
    validBody: {number_token: 'x'},
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

interface SendOptions {
  readonly origin?: string;
  readonly token?: string;
  readonly body?: string;
  /** Whether the rate-limit binding refuses every request. */
  readonly flooding?: boolean;
  /** Whether the rate-limit binding for requests with a session refuses every request. */
  readonly floodingReads?: boolean;
}

/** Sends a request from `ADDRESS`. Returns the answer and the keys that the rate-limit bindings counted. */
async function send({path, method}: Row, {origin = ORIGIN, token, body = '{', ...refused}: SendOptions) {
  const {flooding = false, floodingReads = false} = refused;
  const counted: string[] = [];
  const countedReads: string[] = [];
  const limit = ({key}: {key: string}) => Promise.resolve({success: counted.push(key) > 0 && !flooding});
  const limitReads = ({key}: {key: string}) => Promise.resolve({success: countedReads.push(key) > 0 && !floodingReads});
  const answer: Answer = await ask(path, {
    method: method ?? 'POST',
    headers: {
      origin,
      'cf-connecting-ip': ADDRESS,
      'content-type': 'application/json',
      ...(token !== undefined && {authorization: `Bearer ${token}`}),
    },
    ...(!method && {body}),
    bindings: {ADDRESS_RATE: {limit}, READ_RATE: {limit: limitReads}},
  });
  return {answer, counted, countedReads};
}

const keysOf = ({limit}: Row) => (limit === undefined ? [] : [`${limit}${ADDRESS}`]);

describe('every route', () => {
  sharedWorker();
  const withSession = ROWS.filter(({session}) => session);

  /** A session for each route; routes of the same kind share it. */
  async function openSessions() {
    const opened = new Map<Row['session'], string>();
    for (const {session} of withSession)
      if (session && !opened.has(session)) opened.set(session, (await OPEN[session]()).token);
    return ({session}: Row) => {
      const token = opened.get(session);
      return token === undefined ? {} : {token};
    };
  }

  test('refuses a foreign page before it checks the session, the limit and the body', async () => {
    for (const row of ROWS) {
      const {answer, counted} = await send(row, {origin: 'https://evil.example', flooding: true});
      expectProblem(answer, PROBLEMS.origin_not_allowed);
      expect(counted, row.path).toEqual([]);
    }
  });

  test('refuses a wrong session before it checks the limit and the body', async () => {
    const others = {payment: (await openSubscription()).token, rest: (await openOrder()).token};
    for (const row of withSession)
      for (const [token, problem] of [
        ['x', PROBLEMS.unauthorized],
        [row.session === 'payment' ? others.payment : others.rest, PROBLEMS.session_kind],
      ] as const) {
        const {answer, counted, countedReads} = await send(row, {token, flooding: true, floodingReads: true});
        expectProblem(answer, problem);
        expect([...counted, ...countedReads], row.path).toEqual([]);
      }
  });

  test('refuses a flood of requests with a valid session before it calls any object', async () => {
    const sessionFor = await openSessions();
    // The report of refusals follows the answer, so it may arrive during the task or later.
    const calls = await countObjectCalls(async () => {
      for (const row of withSession) {
        const {answer, counted, countedReads} = await send(row, {...sessionFor(row), floodingReads: true});
        expectProblem(answer, PROBLEMS.rate_limited);
        expect(answer.headers.get('retry-after')).toBe('60');
        expect([counted, countedReads], row.path).toEqual([[], [`reads ${ADDRESS}`]]);
      }
    });
    expect(calls).toEqual({});
  });

  test('accepts a read-only session, unless it needs a session that may create orders', async () => {
    const {token} = await handOff(await openOrder());
    for (const row of ROWS.filter(({session}) => session === 'payment')) {
      const {answer} = await send(row, {token});
      if (row.creates) expectProblem(answer, PROBLEMS.session_kind);
      else if (row.method) expect(answer.status, row.path).toBe(200);
      else expectProblem(answer, NOT_JSON);
    }
  });

  test('counts each request once, before it reads the body, if its limit does not need a valid body', async () => {
    const sessionFor = await openSessions();
    for (const row of ROWS.filter(({method}) => !method)) {
      const {limit, validBody} = row;
      for (const [body, problem] of [
        ['{', NOT_JSON],
        ['{"price": "0.01"}', null],
      ] as const) {
        for (const flooding of [false, true]) {
          const {answer, counted} = await send(row, {...sessionFor(row), body, flooding});
          expect(counted, row.path).toEqual(validBody ? [] : keysOf(row));
          if (flooding && limit !== undefined && !validBody) {
            expectProblem(answer, PROBLEMS.rate_limited);
            expect(answer.headers.get('retry-after')).toBe('60');
          } else if (problem) expectProblem(answer, problem);
          else {
            expect(answer.status).toBe(422);
            expect((answer.body as {fields: unknown[]}).fields).toContainEqual(UNKNOWN_FIELD.fields[0]);
          }
        }
      }
    }
  });

  test('counts only requests with a valid body, if its limit needs one', async () => {
    const sessionFor = await openSessions();
    for (const row of ROWS.filter(({validBody}) => validBody)) {
      const options = {...sessionFor(row), body: JSON.stringify(row.validBody)};
      const {answer, counted} = await send(row, {...options, flooding: true});
      expectProblem(answer, PROBLEMS.rate_limited);
      expect([counted, (await send(row, options)).counted], row.path).toEqual([keysOf(row), keysOf(row)]);
    }
  });
});

describe('/v1/order-code with an offer', () => {
  sharedWorker();
  const row = {path: '/v1/order-code'};
  const body = JSON.stringify({offer: 'gold', attempt: 'an-attempt-of-22-chars', shown_amount: '149.90'});

  test('a flood of valid requests counts as requests with a session, and is refused before its orders are called', async () => {
    for (const wrong of ['{', '{"offer": "gold"}']) expect((await send(row, {body: wrong})).countedReads).toEqual([]);
    const calls = await countObjectCalls(async () => {
      const {answer, counted, countedReads} = await send(row, {body, floodingReads: true});
      expectProblem(answer, PROBLEMS.rate_limited);
      expect([counted, countedReads]).toEqual([[], [`reads ${ADDRESS}`]]);
    });
    expect(calls).toEqual({});
  });
});

const refuseReads = ({key}: {key: string}) => Promise.resolve({success: key !== `reads ${ADDRESS}`});

const openLive = (headers: Record<string, string>) => ask('/v1/payment/live', {headers: {origin: ORIGIN, ...headers}});

describe('/v1/payment/live', () => {
  sharedWorker();
  test('a request without a WebSocket upgrade is refused before the session is checked', async () => {
    const fields = [{path: '', message: 'This endpoint requires a WebSocket.'}];
    for (const protocol of ['vezne.v1, x', `vezne.v1, ${(await openOrder()).token}`])
      expectProblem(await openLive({'sec-websocket-protocol': protocol}), {
        ...PROBLEMS.invalid_request,
        status: 426,
        fields,
      });
  });

  test('a subprotocol other than vezne.v1 is refused before the session is checked', async () => {
    const {token} = await openOrder();
    for (const protocol of [`vezne.v2, ${token}`, token, ''])
      expectProblem(await openLive({upgrade: 'websocket', 'sec-websocket-protocol': protocol}), PROBLEMS.unauthorized);
  });

  test('a flood of sockets from one address is refused before any object is called', async () => {
    const {token} = await openOrder();
    const calls = await countObjectCalls(async () => {
      const answer = await ask('/v1/payment/live', {
        headers: {
          origin: ORIGIN,
          'cf-connecting-ip': ADDRESS,
          upgrade: 'websocket',
          'sec-websocket-protocol': `vezne.v1, ${token}`,
        },
        bindings: {READ_RATE: {limit: refuseReads}},
      });
      expectProblem(answer, PROBLEMS.rate_limited);
    });
    expect(calls).toEqual({});
  });

  test('a session in the header authorization is not accepted for a socket', async () => {
    const {token} = await openOrder();
    const answer = await openLive({
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

  test('a method other than GET is refused: as unauthorized with a wrong key, otherwise because of the method', async () => {
    expectProblem(await postToDoctor('wrong'), PROBLEMS.unauthorized);
    const answer = await postToDoctor('sandbox-merchant-api-key');
    expectProblem(answer, PROBLEMS.method_not_allowed);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
