/** A write happens once under its `Idempotency-Key`. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {HOUR, MINUTE} from '../../support/clock.ts';
import {logLines} from '../../support/log-lines.ts';
import {setFault} from '../../support/sandbox.ts';
import {ask, call, expectProblem, fieldsOf, newKey, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const lamp = () => ({service: 'DEMO', order: newOrder(), amount: '149.90'});
const ledgerOf = (key: string) => contextOf(env).objects.ledger(key);

test('the same key and body get the same answer, status and body', async () => {
  const order = lamp();
  const key = newKey();
  const first = await call('createOrderCode', order, {key});
  const again = await call('createOrderCode', order, {key});
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('the order of fields and the spaces between them do not make another body', async () => {
  const {order} = lamp();
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

test('a refusal is an answer too', async () => {
  const order = lamp();
  await call('createOrderCode', order);
  const key = newKey();
  const refused = await call('createOrderCode', order, {key});
  const again = await call('createOrderCode', order, {key});
  expect([again.status, again.text]).toEqual([409, refused.text]);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(2);
});

test('the same key with another body is refused, and so is another write', async () => {
  const order = lamp();
  const key = newKey();
  await call('createOrderCode', order, {key});
  expectProblem(await call('createOrderCode', {...order, amount: '1.00'}, {key}), 'idempotency_key_reused');
  expectProblem(await call('updateOrderCode', order, {key}), 'idempotency_key_reused');
  expect(await platformCalls()).toHaveLength(1);
});

test('of fifty at once one is done; the others hear that it runs, or how it went', async () => {
  const order = lamp();
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'delay', delay_ms: 300, times: 1});
  const answers = await Promise.all(Array.from({length: 50}, () => call('createOrderCode', order, {key})));
  expect(answers.filter(({status}) => status === 201).length).toBeGreaterThanOrEqual(1);
  for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'in_progress');
  for (const answer of answers) if (answer.status === 409) expect(answer.headers.get('retry-after')).toBe('1');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('the answer survives the eviction of its object', async () => {
  const order = lamp();
  const key = newKey();
  const first = await call('createOrderCode', order, {key});
  await evictDurableObject(await ledgerOf(key));
  const again = await call('createOrderCode', order, {key});
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

test('it is kept for 72 hours', async () => {
  const order = lamp();
  const key = newKey();
  await call('createOrderCode', order, {key});
  vi.setSystemTime(Date.now() + 72 * HOUR - 1000);
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
  vi.setSystemTime(Date.now() + 2000);
  expectProblem(await call('createOrderCode', order, {key}), 'order_exists', {
    platform: {status: 'ERR_019', message: 'Your Order is exists'},
  });
});

/** Tables of the object's storage, those of the key-value interface included, and its alarm. */
const storageOf = (ledger: Awaited<ReturnType<typeof ledgerOf>>) =>
  runInDurableObject(ledger, async (_object, {storage}) => ({
    tables: storage.sql
      .exec<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({name}) => name),
    alarm: await storage.getAlarm(),
  }));
const nothing = {tables: [], alarm: null};

test('after its 72 hours nothing is left of a key: the storage of its object is deleted', async () => {
  const key = newKey();
  await call('createOrderCode', lamp(), {key});
  const ledger = await ledgerOf(key);
  expect(await storageOf(ledger)).toEqual({
    tables: expect.arrayContaining(['_cf_KV']) as string[],
    alarm: Date.now() + 72 * HOUR,
  });
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await storageOf(ledger)).toEqual(nothing);
});

test('nothing is left of a key whose write was not done either', async () => {
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', times: 1});
  expectProblem(await call('createOrderCode', lamp(), {key}), 'temporarily_unavailable', {
    platform: {status: 'ERR_010', message: 'Internal Server Error'},
  });
  expect(await storageOf(await ledgerOf(key))).toEqual(nothing);
});

test('a write that was cut off is never done again under its key', async () => {
  const order = lamp();
  const key = newKey();
  const ledger = await ledgerOf(key);
  // The Worker that began it was gone before it could tell the end.
  const {input, fingerprint} = await beginAs('createOrderCode', order);
  expect(await ledger.begin(fingerprint, false)).toMatchObject({state: 'begun'});
  expectProblem(await call('createOrderCode', input, {key}), 'in_progress');
  vi.setSystemTime(Date.now() + MINUTE + 1);
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  expectProblem(await call('createOrderCode', input, {key}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(0);
});

async function beginAs(name: 'createOrderCode', input: object) {
  const {digest} = await import('../../../../worker/lib/crypto.ts');
  const {endpoints} = await import('../../../../worker/contract/merchant/endpoints.ts');
  return {input, fingerprint: await digest('SHA-256', JSON.stringify([name, endpoints[name].input.parse(input)]))};
}

test('what the platform could not do right now may be asked again under the same key', async () => {
  const order = lamp();
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', times: 1});
  expectProblem(await call('createOrderCode', order, {key}), 'temporarily_unavailable', {
    platform: {status: 'ERR_010', message: 'Internal Server Error'},
  });
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
});

test('an order code whose answer was lost stays unknown, and is found by reading', async () => {
  const order = lamp();
  const key = newKey();
  await setFault({operation: '/orderToReference/create', kind: 'malformed', times: 1, after: true});
  expectProblem(await call('createOrderCode', order, {key}), 'outcome_unknown');
  expectProblem(await call('createOrderCode', order, {key}), 'outcome_unknown');
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
  expect((await call('findOrderCode', {service: 'DEMO', order: order.order})).status).toBe(200);
});

test('a request that was wrong does not use its key up', async () => {
  const order = lamp();
  const key = newKey();
  expectProblem(await call('createOrderCode', {...order, amount: 'much'}, {key}), 'invalid_request', {
    fields: expect.any(Array) as [],
  });
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
});

test('a write without a key is refused, and so is a key that is none', async () => {
  expectProblem(await call('createOrderCode', lamp(), {key: null}), 'idempotency_key_missing');
  for (const key of ['with space', 'ü', 'k'.repeat(256)]) {
    const answer = await call('createOrderCode', lamp(), {
      key: encodeURI(key) === key || key.length > 255 ? key : key === 'ü' ? 'with\tTab' : key,
    });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Idempotency-Key']]);
  }
  expect(await platformCalls()).toEqual([]);
});

test('a read needs no key', async () => {
  expect((await call('searchTransactions', {service: 'DEMO'}, {key: null})).status).toBe(200);
});

/** An object of ours that breaks whenever it is asked. */
const broken = {
  getByName: () => {
    throw new Error('hush');
  },
};

test('a fault of ours in the middle of a write says that the outcome is unknown, once and for all', async () => {
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

test('an order that was changed at the platform changes here too, though its object broke off once', async () => {
  const {service, order} = lamp();
  await read('createOrderCode', {service, order, amount: '149.90'});
  let asked = 0;
  const breaksOff = {getByName: (name: string) => (asked++ === 0 ? broken.getByName() : env.ORDER.getByName(name))};
  expect(
    (await call('updateOrderCode', {service, order, amount: '20.00'}, {bindings: {ORDER: breaksOff}})).status,
  ).toBe(200);
  expect(logLines('record_failed')).toMatchObject([{names: ['order']}]);
  expect(
    await contextOf(env).objects.order(service, order).payment({service, order, amount: 14990, hours: 72}),
  ).toMatchObject({amount: '20.00', remaining: '20.00'});
});

test('nothing is sent for an order that cannot be kept, and its key is free', async () => {
  const order = lamp();
  const key = newKey();
  expectProblem(await call('createOrderCode', order, {key, bindings: {ORDER: broken}}), 'temporarily_unavailable');
  expect(await platformCalls('/orderToReference/create')).toEqual([]);
  expect((await call('createOrderCode', order, {key})).status).toBe(201);
});

test('a fault of ours in a write that is ours alone leaves its key free', async () => {
  const session = {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order: newOrder(),
    amount: '149.90',
  } as const;
  const key = newKey();
  expectProblem(await call('createSession', session, {key, bindings: {ORDER: broken}}), 'internal');
  expect((await call('createSession', session, {key})).status).toBe(201);
});

test('a write that is refused is logged with what the platform said', async () => {
  const order = lamp();
  await call('createOrderCode', order);
  const refused = await call('createOrderCode', order);
  expect(logLines('platform_trouble')).toEqual([
    {
      level: 'warn',
      event: 'platform_trouble',
      request_id: refused.headers.get('x-request-id'),
      route: '/merchant/v1/order-codes',
      platform_status: 'ERR_019',
    },
  ]);
});
