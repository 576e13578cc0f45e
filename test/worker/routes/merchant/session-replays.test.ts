/** Tests that a repeated request for a session always gets a session that a page can still use. */

import {env, exports} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {call, expectProblem, newKey, newOrder, read} from './support/merchant-server.ts';

const ORIGIN = 'http://localhost:5173';
const payment = () =>
  ({kind: 'payment', origin: ORIGIN, service: 'DEMO', order: newOrder(), amount: '149.90'}) as const;
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

const INPUTS = {
  payment: payment(),
  subscription: {
    kind: 'subscription',
    origin: ORIGIN,
    product: 77,
    price: '12.00',
    period: 'weekly',
    title: {tr: 'Kulüp', en: 'Club'},
    terms: {tr: 'Haftalık', en: 'Weekly'},
    operators: [{id: 1, name: 'Bir'}],
  },
  management: {kind: 'management', origin: ORIGIN, via: 'micropayment', service: 'DEMO', subscription: '4001'},
  vendor: {
    kind: 'vendor',
    origin: ORIGIN,
    service: 'DEMO',
    vendor_code: 'V-7',
    name: 'Ayşe Yılmaz',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
  },
} as const;

type Answer = Record<string, string>;

/** The time from which the session of an answer cannot create anything any more. */
const endOf = ({create_until: createUntil, expires_at: expiresAt}: Answer) =>
  Date.parse(createUntil ?? expiresAt ?? '');

test.for([
  ['payment', 30],
  ['subscription', 30],
  ['management', 10],
  ['vendor', 10],
] as const)(
  'a repeated request gets the same %s session, or a new one after half of the session’s time',
  async ([kind, minutes]) => {
    const input = {...INPUTS[kind], ...(kind === 'payment' && {order: newOrder()})};
    const key = newKey();
    const repeat = async () => {
      const answer = await call('createSession', input, {key});
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      return answer.body as Answer;
    };
    const first = (await call('createSession', input, {key})).body as Answer;
    expect(endOf(first)).toBe(Date.now() + minutes * MINUTE);
    wait((minutes / 2) * MINUTE);
    expect(await repeat()).toEqual(first);
    wait(SECOND);
    const second = await repeat();
    expect(second['token']).not.toBe(first['token']);
    expect(endOf(second)).toBe(Date.now() + minutes * MINUTE);
    expect(await repeat()).toEqual(second);
    // Shortly before the Worker deletes the key, and long after the first session has ended.
    wait(72 * HOUR - minutes * MINUTE);
    const last = await repeat();
    expect(endOf(last)).toBe(Date.now() + minutes * MINUTE);
    const session = await contextOf(env).sessions.verify(last['token'] ?? '', kind);
    if ('details' in session && session.details !== undefined)
      expect(await contextOf(env).objects.details(session.details).readDetails()).not.toBeNull();
  },
);

test('a repeated request gets a session that allows an order code after the first session does not', async () => {
  const [input, key] = [payment(), newKey()];
  await read('createSession', input, {key});
  wait(31 * MINUTE);
  const {token} = await read('createSession', input, {key});
  const response = await exports.default.fetch(
    new Request('https://pay.example/v1/order-code', {
      method: 'POST',
      headers: {origin: ORIGIN, authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: '{}',
    }),
  );
  expect(await response.json()).toMatchObject({order: input.order, amount: '149.90'});
});

const otherAmount = (amount: string) => ({
  fields: [
    {path: 'amount', message: `The order has the amount ${amount}. PATCH /merchant/v1/order-codes changes the amount.`},
  ],
});

test('a session is not renewed if the order’s terms have changed, and a different input is refused', async () => {
  const [input, key] = [payment(), newKey()];
  await read('createOrderCode', {service: 'DEMO', order: input.order, amount: input.amount});
  const first = await read('createSession', input, {key});
  await read('updateOrderCode', {service: 'DEMO', order: input.order, amount: '99.00'});
  expect(await read('createSession', input, {key})).toEqual(first);
  wait(16 * MINUTE);
  expectProblem(await call('createSession', input, {key}), 'order_exists', otherAmount('99.00'));
  expectProblem(await call('createSession', {...input, amount: '99.00'}, {key}), 'idempotency_key_reused');
  await read('updateOrderCode', {service: 'DEMO', order: input.order, amount: input.amount});
  expect((await read('createSession', input, {key})).token).not.toBe(first.token);
});

test('if a request for a session was refused, a repeated request gets the same refusal', async () => {
  const input = payment();
  await read('createOrderCode', {service: 'DEMO', order: input.order, amount: '1.00'});
  const key = newKey();
  expectProblem(await call('createSession', input, {key}), 'order_exists', otherAmount('1.00'));
  wait(HOUR);
  expectProblem(await call('createSession', input, {key}), 'order_exists', otherAmount('1.00'));
});
