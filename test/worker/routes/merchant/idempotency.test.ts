/** Tests that a write with an `Idempotency-Key` is done at most once. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {Objects} from '../../../../worker/objects.ts';
import {HOUR, MINUTE} from '../../support/clock.ts';
import {everythingStored} from '../../support/durable-objects.ts';
import {logLines} from '../../support/log-lines.ts';
import {control, hold, release, setFault, untilHeld} from '../../support/sandbox.ts';
import {ask, call, expectProblem, fieldsOf, newKey, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const newOrderInput = () => ({service: 'DEMO', order: newOrder(), amount: '149.90'});
const ledgerOf = (key: string) => contextOf(env).objects.ledger('sessions', key);

test('a repeated request with the same key and body gets the same status and body', async () => {
  const order = newOrderInput();
  const key = newKey();
  const first = await call('createOrderCode', order, {key});
  const again = await call('createOrderCode', order, {key});
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('a body that differs only in spaces and in the order of its fields counts as the same body', async () => {
  const {order} = newOrderInput();
  const headers = {'idempotency-key': newKey()};
  const first = await ask('/merchant/v1/order-codes', {
    method: 'POST',
    headers,
    body: `{"service":"DEMO","order":"${order}","amount":"1.00"}`,
  });
  const again = await ask('/merchant/v1/order-codes', {
    method: 'POST',
    headers,
    body: `{ "amount": "1.00", "order": "${order}", "service": "DEMO" }`,
  });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
});

test('if a request was refused, the repeated request gets the same refusal', async () => {
  const order = newOrderInput();
  await call('createOrderCode', order);
  const key = newKey();
  const refused = await call('createOrderCode', order, {key});
  const again = await call('createOrderCode', order, {key});
  expect([again.status, again.text]).toEqual([409, refused.text]);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(2);
});

test('a key is refused for a different body and for a different endpoint', async () => {
  const order = newOrderInput();
  const key = newKey();
  await call('createOrderCode', order, {key});
  expectProblem(await call('createOrderCode', {...order, amount: '1.00'}, {key}), 'idempotency_key_reused');
  expectProblem(await call('createHostedOrderCode', order, {key}), 'idempotency_key_reused');
  expect(await platformCalls()).toHaveLength(1);
});

test('a key belongs to the scope of its endpoint, so a server without the scope `money` cannot block a refund', async () => {
  const order = newOrderInput();
  const key = newKey();
  await call('createOrderCode', order, {key});
  expect((await call('updateOrderCode', {...order, amount: '1.00'}, {key})).status).toBe(200);
});

test('of fifty parallel requests, one is sent; the others get `in_progress` or the same answer', async () => {
  const order = newOrderInput();
  const key = newKey();
  await hold('/orderToReference/create');
  const requests = Array.from({length: 50}, () => call('createOrderCode', order, {key}));
  await untilHeld();
  await release('/orderToReference/create');
  const answers = await Promise.all(requests);
  expect(answers.filter(({status}) => status === 201).length).toBeGreaterThanOrEqual(1);
  for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'in_progress');
  for (const answer of answers) if (answer.status === 409) expect(answer.headers.get('retry-after')).toBe('1');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('the stored answer survives when the runtime evicts the key’s object', async () => {
  const order = newOrderInput();
  const key = newKey();
  const first = await call('createOrderCode', order, {key});
  await evictDurableObject(await ledgerOf(key));
  const again = await call('createOrderCode', order, {key});
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('the answer is kept for 72 hours', async () => {
  const order = newOrderInput();
  const key = newKey();
  await call('createOrderCode', order, {key});
  vi.setSystemTime(Date.now() + 72 * HOUR - 1000);
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
  vi.setSystemTime(Date.now() + 2000);
  expectProblem(await call('createOrderCode', order, {key}), 'order_exists', {
    platform: {status: 'ERR_019', message: 'Your Order is exists'},
  });
});

/** The alarm of a key's object, and the tables in its storage, including the table of the key-value interface. */
const storageOf = (ledger: Awaited<ReturnType<typeof ledgerOf>>) =>
  runInDurableObject(ledger, async (_object, {storage}) => ({
    tables: storage.sql
      .exec<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({name}) => name),
    alarm: await storage.getAlarm(),
  }));
const emptyStorage = {tables: [], alarm: null};

test('after 72 hours the storage of a key’s object is deleted', async () => {
  const key = newKey();
  await call('createOrderCode', newOrderInput(), {key});
  const ledger = await ledgerOf(key);
  expect(await storageOf(ledger)).toEqual({
    tables: expect.arrayContaining(['_cf_KV']) as string[],
    alarm: Date.now() + 72 * HOUR,
  });
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await storageOf(ledger)).toEqual(emptyStorage);
});

test('when a write was not done, the storage of its key’s object is deleted', async () => {
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', times: 1});
  expectProblem(await call('createOrderCode', newOrderInput(), {key}), 'temporarily_unavailable', {
    platform: {status: 'ERR_010', message: 'Internal Server Error'},
  });
  expect(await storageOf(await ledgerOf(key))).toEqual(emptyStorage);
});

test('an interrupted write is never sent again with its key', async () => {
  const order = newOrderInput();
  const key = newKey();
  const ledger = await ledgerOf(key);
  // This is the state after a Worker began the write and stopped before it reported the outcome.
  const {input, fingerprint} = await fingerprintOf('createOrderCode', order);
  expect(await ledger.beginWrite({fingerprint, resumable: false, askedBy: 'root'})).toMatchObject({state: 'begun'});
  expectProblem(await call('createOrderCode', input, {key}), 'in_progress');
  vi.setSystemTime(Date.now() + MINUTE + 1);
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(0);
});

test('an interrupted request for a session may be sent again at once, because a session changes nothing', async () => {
  const key = newKey();
  const {input, fingerprint} = await fingerprintOf('createSession', sessionInput());
  expect(await (await ledgerOf(key)).beginWrite({fingerprint, resumable: true, askedBy: 'root'})).toMatchObject({
    state: 'begun',
  });
  const answer = await call('createSession', input, {key});
  expect(answer.status, answer.text).toBe(201);
  expect((await call('createSession', input, {key})).body).toEqual(answer.body);
});

/** The fingerprint that the Worker computes for a request. */
async function fingerprintOf<T extends object>(name: 'createOrderCode' | 'createSession', input: T) {
  const {digest} = await import('../../../../worker/lib/crypto.ts');
  const {endpoints} = await import('../../../../worker/contract/merchant/endpoints.ts');
  return {input, fingerprint: await digest('SHA-256', JSON.stringify([name, endpoints[name].input.parse(input)]))};
}

test('if the platform temporarily could not do a write, the write may be repeated with the same key', async () => {
  const order = newOrderInput();
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', times: 1});
  expectProblem(await call('createOrderCode', order, {key}), 'temporarily_unavailable', {
    platform: {status: 'ERR_010', message: 'Internal Server Error'},
  });
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
});

test('if the reply with an order code is lost, the outcome stays unknown, and the code can be looked up', async () => {
  const order = newOrderInput();
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'malformed', times: 1, after: true});
  expectProblem(await call('createOrderCode', order, {key}), 'outcome_unknown');
  expectProblem(await call('createOrderCode', order, {key}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
  expect((await call('findOrderCode', {service: 'DEMO', order: order.order})).status).toBe(200);
});

test('an invalid request does not use up its key', async () => {
  const order = newOrderInput();
  const key = newKey();
  expectProblem(await call('createOrderCode', {...order, amount: 'much'}, {key}), 'invalid_request', {
    fields: expect.any(Array) as [],
  });
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
});

test('a write without a key or with an invalid key is refused', async () => {
  expectProblem(await call('createOrderCode', newOrderInput(), {key: null}), 'idempotency_key_missing');
  for (const key of ['with space', 'ü', 'k'.repeat(256)]) {
    const answer = await call('createOrderCode', newOrderInput(), {
      key: encodeURI(key) === key || key.length > 255 ? key : key === 'ü' ? 'with\tTab' : key,
    });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Idempotency-Key']]);
  }
  expect(await platformCalls()).toEqual([]);
});

test('a read needs no key', async () => {
  expect((await call('searchTransactions', {service: 'DEMO'}, {key: null})).status).toBe(200);
});

const cannotReach = () => {
  throw new Error('hush');
};

test('after an internal error in the middle of a write, the write’s outcome stays unknown', async () => {
  const page = {
    service: 'DEMO',
    reference: newOrder(),
    item: 'Lamba',
    price: '149.90',
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
  };
  const key = newKey();
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const fault = vi
    .spyOn(crypto.subtle, 'digest')
    .mockImplementation((name, data) => (name === 'MD5' ? Promise.reject(new Error('hush')) : digest(name, data)));
  const first = await call('createPaymentPage', page, {key});
  fault.mockRestore();
  expectProblem(first, 'outcome_unknown');
  expect(logLines('request').at(-1)).toMatchObject({level: 'error', status: 504, code: 'outcome_unknown'});
  const again = await call('createPaymentPage', page, {key});
  expect([again.status, again.text]).toEqual([504, first.text]);
});

test('a change to an order reaches the order’s object even if the first call to the object fails', async () => {
  const {service, order} = newOrderInput();
  await read('createOrderCode', {service, order, amount: '149.90'});
  vi.spyOn(Objects.prototype, 'order').mockImplementationOnce(cannotReach);
  expect((await call('updateOrderCode', {service, order, amount: '20.00'})).status).toBe(200);
  expect(logLines('record_failed')).toMatchObject([{names: ['order']}]);
  expect(
    await contextOf(env).objects.order(service, order).payment({service, order, amount: 14990, hours: 72}),
  ).toMatchObject({amount: '20.00', remaining: '20.00'});
});

/** An order whose calls fail, as when its object cannot be reached. */
const unreachable = (createCode: () => Promise<never>) => () =>
  ({createCode}) as unknown as ReturnType<Objects['order']>;

test.for([
  ['there is no stub of it', cannotReach],
  ['its calls fail', unreachable(async () => cannotReach())],
] as const)(
  'when an order cannot be reached because %s, nothing is sent, and the key may be used again',
  async ([_why, fails]) => {
    const order = newOrderInput();
    const key = newKey();
    const orders = vi.spyOn(Objects.prototype, 'order').mockImplementation(fails);
    expectProblem(await call('createOrderCode', order, {key}), 'temporarily_unavailable');
    orders.mockRestore();
    expect(await platformCalls('/orderToReference/create')).toEqual([]);
    expect((await call('createOrderCode', order, {key})).status).toBe(201);
  },
);

test('when an order is lost after it began to send, nobody knows the outcome', async () => {
  const input = newOrderInput();
  const key = newKey();
  const {order} = Objects.prototype;
  const orders = vi.spyOn(Objects.prototype, 'order').mockImplementation(unreachable(async () => cannotReach()));
  orders.mockImplementationOnce(function (this: Objects, ...names) {
    const stub = order.apply(this, names);
    const lost = async (...args: Parameters<typeof stub.createCode>) => {
      await stub.createCode(...args);
      return cannotReach();
    };
    return {createCode: lost} as unknown as typeof stub;
  });
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  orders.mockRestore();
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('an order that is reached only after its caller gave up sends nothing', async () => {
  const input = newOrderInput();
  const asked: Parameters<ReturnType<Objects['order']>['createCode']>[] = [];
  const lost = async (...args: (typeof asked)[number]) => {
    asked.push(args);
    return cannotReach();
  };
  const orders = vi
    .spyOn(Objects.prototype, 'order')
    .mockImplementation(() => ({createCode: lost}) as unknown as ReturnType<Objects['order']>);
  expectProblem(await call('createOrderCode', input), 'temporarily_unavailable');
  orders.mockRestore();
  const late = contextOf(env).objects.order(input.service, input.order);
  for (const args of asked) expect(await late.createCode(...args)).toMatchObject({failure: {outcome: 'unsent'}});
  expect(await platformCalls('/orderToReference/create')).toEqual([]);
  expect((await call('createOrderCode', input)).status).toBe(201);
});

test('after an internal error in a write that does not reach the platform, the key may be used again', async () => {
  const session = {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order: newOrder(),
    amount: '149.90',
  } as const;
  const key = newKey();
  const orders = vi.spyOn(Objects.prototype, 'order').mockImplementation(cannotReach);
  expectProblem(await call('createSession', session, {key}), 'internal');
  orders.mockRestore();
  expect((await call('createSession', session, {key})).status).toBe(201);
});

test('the log contains the status with which the platform refused a write', async () => {
  const order = newOrderInput();
  await call('createOrderCode', order);
  const refused = await call('createOrderCode', order);
  expect(logLines('platform_trouble')).toEqual([
    {
      level: 'info',
      event: 'platform_trouble',
      service: order.service,
      order: order.order,
      request_id: refused.headers.get('x-request-id'),
      route: '/merchant/v1/order-codes',
      platform_status: 'ERR_019',
    },
  ]);
});

const sessionInput = () => ({kind: 'payment' as const, origin: 'http://localhost:5173', ...newOrderInput()});

test('what is stored of an answer shows no session token and no number', async () => {
  const [sessionKey, cancelKey] = [newKey(), newKey()];
  const session = await call('createSession', sessionInput(), {key: sessionKey});
  const {token} = session.body as {token: string};
  const msisdn = '5321239876';
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn, product: 77});
  const cancelled = await call('cancelSubscription', {service: 'DEMO', id: String(subscription_id)}, {key: cancelKey});
  expect(cancelled.body).toMatchObject({state: 'cancelled', msisdn});
  for (const key of [sessionKey, cancelKey]) {
    const ledger = await contextOf(env).objects.ledger(key === cancelKey ? 'money' : 'sessions', key);
    const stored = await runInDurableObject(ledger, (_object, {storage}) =>
      JSON.stringify(storage.kv.get('kept'), (_name, value: unknown) =>
        value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
      ),
    );
    for (const secret of [token, msisdn, key]) expect(stored).not.toContain(secret);
  }
  expect(
    (await call('cancelSubscription', {service: 'DEMO', id: String(subscription_id)}, {key: cancelKey})).text,
  ).toBe(cancelled.text);
  const everything = await everythingStored();
  expect(everything).toContain('532*****76');
  expect(everything).not.toContain(msisdn);
});

test('after a rotation, a stored answer can be read while the previous session secret is configured', async () => {
  const [input, key] = [newOrderInput(), newKey()];
  const first = await call('createOrderCode', input, {key});
  const SESSION_SECRET = 'sandbox-a-new-session-secret-long-enough';
  const previous = 'sandbox-session-secret-that-is-long-enough';
  const again = await call('createOrderCode', input, {
    key,
    bindings: {SESSION_SECRET, SESSION_SECRET_PREVIOUS: previous},
  });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expectProblem(await call('createOrderCode', input, {key, bindings: {SESSION_SECRET}}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

const newSubscription = async () => {
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {
    msisdn: '5321239876',
    product: 77,
  });
  return {service: 'DEMO', id: String(subscription_id)};
};

describe('after the session secret was replaced and the old secret was removed', () => {
  const bindings = {SESSION_SECRET: 'sandbox-a-new-session-secret-long-enough'};
  test('a repeated command reports its outcome and is not sent again', async () => {
    const [input, key] = [await newSubscription(), newKey()];
    expect((await call('cancelSubscription', input, {key})).body).toMatchObject({state: 'cancelled'});
    const calls = (await platformCalls()).length;
    const again = await call('cancelSubscription', input, {key, bindings});
    expect([again.status, again.body]).toMatchObject([200, {id: input.id, state: 'cancelled'}]);
    expect(await platformCalls()).toHaveLength(calls);
  });

  test('if a command was refused, a repeated request gets the same refusal, and nothing is sent', async () => {
    const [input, key] = [await newSubscription(), newKey()];
    await call('cancelSubscription', input);
    expectProblem(await call('cancelSubscription', input, {key}), 'already_cancelled');
    const calls = (await platformCalls()).length;
    expectProblem(await call('cancelSubscription', input, {key, bindings}), 'already_cancelled');
    expect(await platformCalls()).toHaveLength(calls);
  });

  test('a repeated command that is not stored is not sent again, and its outcome is unknown', async () => {
    const [input, key] = [{service: 'DEMO', id: '999999'}, newKey()];
    expectProblem(await call('cancelSubscription', input, {key}), 'subscription_not_found', {
      platform: expect.any(Object) as {status: string; message: string},
    });
    const calls = (await platformCalls()).length;
    const again = await call('cancelSubscription', input, {key, bindings});
    expectProblem(again, 'outcome_unknown', {command_id: expect.any(String) as string});
    expect(await platformCalls()).toHaveLength(calls);
  });
});
