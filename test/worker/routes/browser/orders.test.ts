/** POST /v1/order-code: with an offer and an attempt, and with a session. */

import {abortAllDurableObjects, evictDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {readConfig} from '../../../../worker/config/config.ts';
import {BankList, OrderCode, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {countObjectCalls, everythingStored, isStored, orderObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {
  type Answer,
  ask,
  askAsPage,
  newAddress,
  openOrder,
  openSession,
  openSubscription,
  ORIGIN,
  read,
  type RequestOptions,
  SELLER,
  showPayment,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, callsDuring, countCalls, hold, release, setFault, setLine, untilHeld} from '../../support/sandbox.ts';
import {TURNSTILE} from '../../support/turnstile.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const OTHER_ORIGIN = 'http://localhost:8000';
const TEXT = {'content-type': 'text/plain'};

let attemptCount = 0;
function newAttempt(): string {
  attemptCount += 1;
  return `${crypto.randomUUID().replaceAll('-', '')}_${attemptCount}`;
}

interface PlaceOptions extends Pick<RequestOptions, 'bindings' | 'headers'> {
  readonly body?: object;
}

/** Sends the request as an element does: without headers that need a preflight. */
const place = (attempt: string, {body, headers, ...rest}: PlaceOptions = {}): Promise<Answer> =>
  askAsPage('POST', '/v1/order-code', {
    ...rest,
    headers: {...TEXT, ...headers},
    body: {offer: 'gold', attempt, shown_amount: '149.90', ...body},
  });
const placed = (answer: Answer) => read(answer, PlacedOrder);

const goldAt = (amount: string) => ({
  OFFERS: {gold: {kind: 'payment', service: 'DEMO', amount, title: {tr: 'Lamba', en: 'Lamp'}}},
});

test('one request without a preflight opens a session and creates its order code', async () => {
  const answer = await place(newAttempt(), {body: {bank: 'garanti'}});
  const {token, order, order_code, account, ...rest} = placed(answer);
  expect(rest).toEqual({
    kind: 'payment',
    title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
    amount: '149.90',
    currency: 'TRY',
    create_until: wireTime(Date.now() + 30 * MINUTE),
    read_until: wireTime(Date.now() + 7 * DAY),
    hours: 72,
    human_check: null,
    pay_until: wireTime(Date.now() + 72 * HOUR),
    seller: SELLER,
  });
  expect(order).toMatch(/^VZ[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(order_code).toMatch(/^\d{12}$/);
  const {banks} = read(await ask('/v1/banks'), BankList);
  expect(account).toEqual(banks.find(({code}) => code === 'garanti'));
  expect((await calls(CREATE)).map(({params}) => params)).toEqual([{code: 'DEMO', order, amount: '149.90'}]);
  expect(await showPayment(token)).toMatchObject({state: 'waiting', amount: '149.90'});
  expect(read(await askAsPage('POST', '/v1/order-code', {token}), OrderCode)).toMatchObject({order, order_code});
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'access-control-allow-origin': ORIGIN,
  });
});

describe('a repeated attempt', () => {
  test('twenty concurrent requests get the same order, code and session, with one platform call', async () => {
    const attempt = newAttempt();
    const answers = await Promise.all(Array.from({length: 20}, async () => placed(await place(attempt))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('a repeated request gets the same answer, also after a minute and a restart of every object', async () => {
    const attempt = newAttempt();
    const first = placed(await place(attempt));
    await advance(MINUTE);
    await evictDurableObject(orderObject(first.order));
    expect(placed(await place(attempt))).toEqual(first);
    await abortAllDurableObjects();
    expect(placed(await place(attempt))).toEqual(first);
    expect(await countCalls(CREATE)).toBe(1);
  });

  test.for(['address_unpaid_orders_per_day', 'address_sessions_per_minute'])(
    'a repeated request does not count towards the limit %s, not even while the platform is down',
    async (limit) => {
      const attempt = newAttempt();
      const more = {bindings: {LIMITS: {[limit]: 1}}, headers: {'cf-connecting-ip': newAddress()}};
      await setLine('refused');
      expectProblem(await place(attempt, more), PROBLEMS.temporarily_unavailable);
      expectProblem(await place(attempt, more), PROBLEMS.temporarily_unavailable);
      await setLine('open');
      await advance(30 * SECOND);
      const first = placed(await place(attempt, more));
      expect(placed(await place(attempt, more))).toEqual(first);
      expectProblem(await place(newAttempt(), more), PROBLEMS.rate_limited);
    },
  );

  test('after the platform’s reply was lost, a repeated request finds the code and creates no other', async () => {
    await place(newAttempt());
    const attempt = newAttempt();
    await setLine('truncated');
    expectProblem(await place(attempt), PROBLEMS.temporarily_unavailable);
    await setLine('open');
    const {order} = placed(await place(attempt));
    expect((await calls(CREATE)).filter(({params}) => params['order'] === order)).toHaveLength(1);
  });

  test('if the order’s object is aborted during the platform call, a repeated request finds the code', async () => {
    const attempt = newAttempt();
    await hold(CREATE, {after: true});
    const interrupted = place(attempt);
    await untilHeld();
    await abortAllDurableObjects();
    expectProblem(await interrupted, PROBLEMS.internal);
    await advance(MINUTE);
    const {create_until} = placed(await place(attempt));
    expect(create_until).toBe(wireTime(Date.now() + 29 * MINUTE));
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('after the price has changed, a repeated request gets the terms with which the order was placed', async () => {
    const attempt = newAttempt();
    const first = placed(await place(attempt));
    const repeated = placed(await place(attempt, {bindings: goldAt('199.90')}));
    // The offer now has another title, and no seller.
    expect(repeated).toEqual(first);
    const shown = {shown_amount: '199.90'};
    expectProblem(await place(attempt, {bindings: goldAt('199.90'), body: shown}), PROBLEMS.price_changed);
  });

  test('after half an hour the attempt has expired, even if the order has a code', async () => {
    const attempt = newAttempt();
    placed(await place(attempt));
    await advance(30 * MINUTE - SECOND);
    placed(await place(attempt));
    await advance(SECOND);
    expectProblem(await place(attempt), PROBLEMS.session_expired);
    expect(await countCalls(CREATE)).toBe(1);
  });

  test.for<[story: string, secret: object]>([
    ['that only verifies', {SESSION_SECRET_PREVIOUS: 'another-session-secret-0123456789abcdef'}],
    [
      'that already signs',
      {
        SESSION_SECRET: 'another-session-secret-0123456789abcdef',
        SESSION_SECRET_PREVIOUS: readConfig(env).sessionSecrets[0],
      },
    ],
  ])('a repeated request finds the order while a second session secret is configured %s', async ([, bindings]) => {
    const attempt = newAttempt();
    const {order, order_code} = placed(await place(attempt));
    expect(placed(await place(attempt, {bindings: {...bindings}}))).toMatchObject({order, order_code});
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('an order placed with the new session secret is found by a Worker that still signs with the old', async () => {
    const attempt = newAttempt();
    const next = 'another-session-secret-0123456789abcdef';
    const current = readConfig(env).sessionSecrets[0];
    const signs = {SESSION_SECRET: next, SESSION_SECRET_PREVIOUS: current};
    const {order} = placed(await place(attempt, {bindings: signs}));
    expect(placed(await place(attempt, {bindings: {SESSION_SECRET_PREVIOUS: next}})).order).toBe(order);
  });
});

test('the same attempt places different orders from two origins and for two offers', async () => {
  const attempt = newAttempt();
  const orders = [
    placed(await place(attempt)),
    placed(await place(attempt, {headers: {origin: OTHER_ORIGIN}})),
    placed(await place(attempt, {body: {offer: 'brief'}})),
  ];
  expect(new Set(orders.map(({order}) => order)).size).toBe(3);
  expect(new Set(orders.map(({order_code}) => order_code)).size).toBe(3);
  expectProblem(
    await askAsPage('GET', '/v1/payment', {token: orders[1]?.token ?? '', headers: {origin: ORIGIN}}),
    PROBLEMS.origin_not_allowed,
  );
});

describe('an order is not stored, and the platform is not called for it, if it is refused because', () => {
  test('the page showed another price', async () => {
    const attempt = newAttempt();
    for (const body of [{shown_amount: '149.91'}, {shown_amount: '0.01'}, {shown_amount: '999999999999.99'}])
      expectProblem(await place(attempt, {body}), PROBLEMS.price_changed);
    expectProblem(await place(attempt, {bindings: goldAt('199.90')}), PROBLEMS.price_changed);
    expect(await countCalls(CREATE)).toBe(0);
    const stored = await everythingStored();
    expect(stored).not.toContain('"order"');
    const {order} = placed(await place(attempt));
    expect(stored).not.toContain(order);
  });

  test('the IP address has reached its limit of orders', async () => {
    const more = {bindings: {LIMITS: {address_unpaid_orders_per_day: 1}}, headers: {'cf-connecting-ip': newAddress()}};
    placed(await place(newAttempt(), more));
    const attempt = newAttempt();
    expectProblem(await place(attempt, more), PROBLEMS.rate_limited);
    const refused = logLines('request').at(-1)?.['order'];
    expect(refused).toMatch(/^VZ/);
    expect(await isStored(orderObject(String(refused)))).toBe(false);
    expect(await countCalls(CREATE)).toBe(1);
    await advance(DAY);
    expect(placed(await place(attempt, more)).order).toBe(refused);
  });

  test('the IP address has reached its limit of sessions, also those without an order', async () => {
    const more = {bindings: {LIMITS: {address_sessions_per_minute: 1}}, headers: {'cf-connecting-ip': newAddress()}};
    expect((await askAsPage('POST', '/v1/sessions', {...more, body: {offer: 'gold'}})).status).toBe(201);
    expectProblem(await place(newAttempt(), more), PROBLEMS.rate_limited);
    expect(await isStored(orderObject(String(logLines('request').at(-1)?.['order'])))).toBe(false);
  });

  test('a human check is required, for which the page needs a session', async () => {
    const more = {
      bindings: {...TURNSTILE, LIMITS: {address_unpaid_orders_per_day: 1}},
      headers: {'cf-connecting-ip': newAddress()},
    };
    const human_check = {sitekey: TURNSTILE.TURNSTILE_SITEKEY, action: 'order'};
    expect(placed(await place(newAttempt(), more))).toMatchObject({human_check});
    expectProblem(await place(newAttempt(), more), PROBLEMS.human_check_required);
    expect(await isStored(orderObject(String(logLines('request').at(-1)?.['order'])))).toBe(false);
  });
});

describe('wrong requests', () => {
  const WRONG_ATTEMPTS = [undefined, null, 7, '', 'a'.repeat(21), 'a'.repeat(65), `${'a'.repeat(21)}/`, 'ş'.repeat(22)];

  test('a wrong attempt is refused', async () => {
    for (const attempt of WRONG_ATTEMPTS) {
      const answer = await place(newAttempt(), {body: {attempt}});
      expect([answer.status, (answer.body as {fields: {path: string}[]}).fields.map(({path}) => path)]).toEqual([
        422,
        ['attempt'],
      ]);
    }
  });

  test('a wrong value of a field is refused', async () => {
    for (const [field, value] of [
      ['shown_amount', 149.9],
      ['shown_amount', '149.9'],
      ['shown_amount', '-1.00'],
      ['shown_amount', undefined],
      ['offer', ''],
      ['offer', 'x'.repeat(81)],
      ['bank', ''],
      ['bank', 'x'.repeat(65)],
      ['amount', '0.01'],
      ['order', 'VZ0'],
    ] as readonly [field: string, value: unknown][]) {
      const answer = await place(newAttempt(), {body: {[field]: value}});
      expect([answer.status, (answer.body as {fields: {path: string}[]}).fields.map(({path}) => path)]).toEqual([
        422,
        [field],
      ]);
    }
  });

  test('a request with an unknown offer gets unknown_offer', async () => {
    for (const offer of ['none', 'club', '__proto__', 'constructor', 'gold ']) {
      expectProblem(await place(newAttempt(), {body: {offer}}), PROBLEMS.unknown_offer);
    }
  });

  test('a body of more than 16 kB is refused', async () => {
    expectProblem(await place(newAttempt(), {body: {human: 'x'.repeat(17_000)}}), PROBLEMS.too_large);
  });

  test('a body of another type is refused', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      expect((await place(newAttempt(), {headers: {'content-type': type}})).status).toBe(400);
    }
  });

  test('a request with the type text/plain is refused if it has no allowed origin', async () => {
    for (const [path, body] of [
      ['/v1/order-code', {offer: 'gold', attempt: 'a'.repeat(22), shown_amount: '149.90'}],
      ['/v1/sessions', {offer: 'gold'}],
      ['/v1/order-code', {session: 'x'}],
    ] as readonly [path: string, body: object][]) {
      for (const origin of [undefined, 'null', 'https://evil.example', `${ORIGIN}.evil.example`]) {
        const answer = await ask(path, {
          method: 'POST',
          headers: {...TEXT, ...(origin !== undefined && {origin})},
          body: JSON.stringify(body),
        });
        expectProblem(answer, PROBLEMS.origin_not_allowed);
      }
      expect(await countCalls(CREATE)).toBe(0);
    }
  });
});

describe('the account', () => {
  test('the account is null without a known bank, and comes from the last list if the platform fails', async () => {
    expect(placed(await place(newAttempt(), {body: {bank: 'unknown'}})).account).toBeNull();
    expect(placed(await place(newAttempt())).account).toBeNull();
    await setFault({operation: '/bank/getAll', kind: '500-html'});
    await advance(2 * MINUTE);
    const stale = placed(await place(newAttempt(), {body: {bank: 'garanti'}}));
    expect(stale.account).toMatchObject({code: 'garanti'});
  });

  test('an old bank list is read again only after the platform has made the order’s code', async () => {
    await ask('/v1/banks');
    await advance(2 * MINUTE);
    const attempt = newAttempt();
    await hold(CREATE);
    const placing = place(attempt, {body: {bank: 'garanti'}});
    await untilHeld();
    expect(await countCalls('/bank/getAll')).toBe(1);
    await release(CREATE);
    expect(placed(await placing).account).toMatchObject({code: 'garanti'});
    expect(await countCalls('/bank/getAll')).toBe(2);
  });

  test('an order gets its code even without any bank list', async () => {
    await setFault({operation: '/bank/getAll', kind: '500-html'});
    expect(placed(await place(newAttempt(), {body: {bank: 'garanti'}})).account).toBeNull();
  });

  test('POST /v1/order-code also returns the account of the chosen bank', async () => {
    const {token} = await openSession();
    const answer = await askAsPage('POST', '/v1/order-code', {token, body: {bank: 'isbank'}});
    expect(read(answer, OrderCode).account).toMatchObject({account_no: '20451836'});
  });
});

const requestCode = (body: object, headers: Record<string, string> = {}) =>
  askAsPage('POST', '/v1/order-code', {body, headers: {...TEXT, ...headers}});

describe('an order code with the session in the body', () => {
  test('a page may open a session and request its order code without a preflight', async () => {
    const opened = await askAsPage('POST', '/v1/sessions', {headers: TEXT, body: {offer: 'gold'}});
    const {token: session, order} = opened.body as {token: string; order: string};
    const code = read(await requestCode({session, bank: 'garanti'}), OrderCode);
    expect(code).toMatchObject({order, account: {code: 'garanti'}});
    expect(read(await askAsPage('POST', '/v1/order-code', {token: session}), OrderCode).order_code).toBe(
      code.order_code,
    );
  });

  test('a wrong, missing or foreign session in the body is refused like one in the header', async () => {
    expectProblem(await requestCode({session: 'x'}), PROBLEMS.unauthorized);
    expectProblem(await requestCode({}), PROBLEMS.unauthorized);
    expectProblem(await requestCode({session: (await openSubscription()).token}), PROBLEMS.session_kind);
    const {token: session} = await openSession();
    expectProblem(await requestCode({session}, {origin: OTHER_ORIGIN}), PROBLEMS.origin_not_allowed);
  });

  test('if the header and the body have different sessions, the Worker uses the session in the header', async () => {
    const {token, code} = await openOrder();
    const {token: session} = await openSession();
    const answer = await requestCode({session}, {authorization: `Bearer ${token}`});
    expect(read(answer, OrderCode).order_code).toBe(code);
  });

  test('a request with a session in the header or in the body cannot name an offer', async () => {
    const {token} = await openOrder();
    const answers = [
      await place(newAttempt(), {headers: {authorization: `Bearer ${token}`}}),
      await place(newAttempt(), {body: {session: token}}),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect((answer.body as {fields: unknown[]}).fields).toHaveLength(1);
    }
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('other endpoints do not take a session from the body', async () => {
    const {token: session} = await openOrder();
    expectProblem(await askAsPage('POST', '/v1/handoffs', {headers: TEXT, body: {session}}), PROBLEMS.unauthorized);
  });
});

test('no log line and no object contains an attempt or a session', async () => {
  const attempt = newAttempt();
  const {token, order} = placed(await place(attempt));
  await place(attempt);
  expectProblem(await place(attempt, {body: {offer: 'none'}}), PROBLEMS.unknown_offer);
  expect((await place(attempt, {body: {shown_amount: 'x'}})).status).toBe(422);
  const known = [JSON.stringify(logLines()), await everythingStored(), JSON.stringify(await calls())];
  for (const text of known) {
    expect(text).toContain(order);
    expect(text).not.toContain(attempt);
    expect(text).not.toContain(token.slice(-20));
  }
});

test('a repeated request calls only the order', async () => {
  const attempt = newAttempt();
  await place(attempt);
  expect(await callsDuring(CREATE, () => place(attempt))).toBe(0);
  const counts = await countObjectCalls(() => place(attempt));
  const called = Object.keys(counts).filter((name) => !name.endsWith('.runInScope'));
  expect(called).toEqual(['Order.placeOrder']);
});
