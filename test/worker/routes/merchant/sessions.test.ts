/** Tests the sessions that a merchant's server creates for its pages. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {digestTexts} from '../../../../worker/objects/archive/consent-store.ts';
import {MINUTE} from '../../support/clock.ts';
import {orderObject} from '../../support/durable-objects.ts';
import {call, expectProblem, newKey, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const ORIGIN = 'http://localhost:5173';
const paymentInput = (fields: object = {}) =>
  ({kind: 'payment', origin: ORIGIN, service: 'DEMO', order: newOrder(), amount: '149.90', ...fields}) as const;
const claimsOf = (token: string) =>
  JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;

/** Sends a request as a page with this session. */
async function asPage(
  method: string,
  path: string,
  token: string,
): Promise<{status: number; body: Record<string, unknown>}> {
  const response = await exports.default.fetch(
    new Request(`https://pay.example${path}`, {
      method,
      headers: {
        origin: ORIGIN,
        authorization: `Bearer ${token}`,
        ...(method === 'POST' && {'content-type': 'application/json'}),
      },
      ...(method === 'POST' && {body: '{}'}),
    }),
  );
  return {status: response.status, body: await response.json()};
}

test('metadata that PHP writes as an empty list is an empty table', async () => {
  const key = newKey();
  const input = paymentInput({metadata: {}});
  const {body} = await call('createSession', input, {key});
  const again = await call('createSession', {...input, metadata: []}, {key});
  expect([again.status, again.body]).toEqual([201, body]);
});

test('with a payment session, a page creates the order with the merchant’s amount and split', async () => {
  const {order, ...rest} = paymentInput({
    payout: '140.00',
    sub_merchant_id: '31',
    fee: '9.90',
    user_id: 'shopper-77',
    prefill: {name: 'Ayşe Yılmaz', email: 'ayse@shop.example'},
    hours: 24,
  });
  const session = await read('createSession', {order, ...rest});
  expect(session).toEqual({
    token: expect.any(String) as string,
    kind: 'payment',
    service: 'DEMO',
    order,
    amount: '149.90',
    currency: 'TRY',
    hours: 24,
    create_until: expect.stringMatching(/T12:30:00\+03:00$/) as string,
    read_until: expect.stringMatching(/T12:00:00\+03:00$/) as string,
  });
  expect((await asPage('POST', '/v1/order-code', session.token)).body).toMatchObject({order, amount: '149.90'});
  const [createCall] = await platformCalls('/orderToReference/create');
  expect(createCall?.params).toEqual({
    code: 'DEMO',
    order,
    amount: '149.90',
    payout: '140.00',
    sub_merchant_id: '31',
    fee: '9.90',
    user_id: 'shopper-77',
  });
  expect((await asPage('GET', '/v1/payment', session.token)).body).toMatchObject({state: 'waiting', amount: '149.90'});
});

test('a token contains no personal data, but the Worker finds the stored data with the token', async () => {
  const prefill = {name: 'Ayşe Yılmaz', email: 'ayse@shop.example', phone: '5321234567', description: 'kapıda'};
  const {order, ...rest} = paymentInput({user_id: 'shopper-77', prefill});
  const {token} = await read('createSession', {order, ...rest});
  expect(Object.keys(claimsOf(token)).sort()).toEqual([
    'amount',
    'aud',
    'create_until',
    'exp',
    'hours',
    'kind',
    'order',
    'origin',
    'service',
  ]);
  expect(await orderObject(order).noticePrefill({service: 'DEMO', order, amount: 0, hours: 72})).toEqual({
    ...prefill,
    amount: 14990,
  });

  const vendor = await read('createSession', {
    kind: 'vendor',
    origin: ORIGIN,
    service: 'DEMO',
    vendor_code: 'V-7',
    name: 'Ayşe Yılmaz',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    tc_no: '10000000146',
  });
  const {details, ...claims} = claimsOf(vendor.token);
  expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'kind', 'origin', 'service']);
  const stored = contextOf(env).objects.details(String(details));
  expect(await stored.readDetails()).toEqual({
    kind: 'vendor',
    vendorCode: 'V-7',
    name: 'Ayşe Yılmaz',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    tcNo: '10000000146',
  });
  expect(await runDurableObjectAlarm(stored)).toBe(true);
  expect(await stored.readDetails()).toBeNull();
});

test('a session with an identity number is refused, because the Worker would have to store the number', async () => {
  const refused = await call('createSession', paymentInput({prefill: {name: 'Ayşe Yılmaz', tc_no: '10000000146'}}));
  expectProblem(refused, 'invalid_request', {
    fields: [{path: 'prefill.tc_no', message: 'This field is not accepted.'}],
  });
});

test('the answer with a new management or subscription session says what it is for and when it expires', async () => {
  const management = await read('createSession', {
    kind: 'management',
    origin: ORIGIN,
    via: 'micropayment',
    service: 'DEMO',
    subscription: 4001,
  });
  expect(management).toEqual({
    token: expect.any(String) as string,
    kind: 'management',
    subscription: '4001',
    expires_at: expect.stringMatching(/T12:10:00\+03:00$/) as string,
  });
  const {sessions} = contextOf(env);
  expect(await sessions.verify(management.token, 'management')).toEqual({
    kind: 'management',
    origin: ORIGIN,
    via: 'micropayment',
    service: 'DEMO',
    subscription: '4001',
    expiresAt: Date.now() + 10 * MINUTE,
  });

  const title = {tr: 'Kulüp', en: 'Club'};
  const terms = {tr: 'Haftalık', en: 'Weekly'};
  const operators = [{id: 1, name: 'Bir'}];
  const links = {privacy_url: 'https://shop.example/privacy', manage_url: 'https://shop.example/account'};
  const subscription = await read('createSession', {
    kind: 'subscription',
    origin: ORIGIN,
    product: 77,
    price: '12.00',
    period: 'weekly',
    title,
    terms,
    ...links,
    operators,
  });
  expect(subscription).toMatchObject({
    kind: 'subscription',
    product: 77,
    price: '12.00',
    expires_at: expect.stringMatching(/T12:30:00\+03:00$/) as string,
  });
  const {details, ...claims} = await sessions.verify(subscription.token, 'subscription');
  expect(claims).toEqual({
    kind: 'subscription',
    origin: ORIGIN,
    product: 77,
    price: 1200,
    period: 'weekly',
    operators,
    texts: await digestTexts({title, terms}),
    expiresAt: Date.now() + 30 * MINUTE,
  });
  expect(await contextOf(env).objects.details(String(details)).readDetails()).toEqual({
    kind: 'subscription',
    title,
    terms,
    ...links,
  });
});

test('a session is refused for requests that need a different kind of session, and after it has expired', async () => {
  const {token} = await read('createSession', {
    kind: 'management',
    origin: ORIGIN,
    via: 'landing',
    service: 'DEMO',
    subscription: '4001',
  });
  expect(await asPage('GET', '/v1/payment', token)).toMatchObject({status: 403, body: {code: 'session_kind'}});
  vi.setSystemTime(Date.now() + 10 * MINUTE + 1000);
  expect(await asPage('GET', '/v1/payment', token)).toMatchObject({status: 401, body: {code: 'session_expired'}});
});

test('a further session for an order may change the order’s terms until the order code is created', async () => {
  const first = paymentInput();
  const split = {payout: '119.00', sub_merchant_id: '31', fee: '1.00'};
  const {token} = await read('createSession', first);
  await read('createSession', {...first, amount: '99.00'});
  const session = await read('createSession', {...first, amount: '120.00', ...split});
  const {
    body: {pay_until},
  } = await asPage('POST', '/v1/order-code', session.token);
  const [createCall] = await platformCalls('/orderToReference/create');
  expect(createCall?.params).toMatchObject({amount: '120.00', fee: '1.00'});
  expectProblem(await call('createSession', {...first, amount: '99.00'}), 'order_exists', {
    fields: [
      {
        path: 'amount',
        message: 'The order has the amount 120.00. PATCH /merchant/v1/order-codes changes the amount.',
      },
    ],
  });
  const again = await read('createSession', {...first, amount: '120.00', ...split, hours: 5});
  expect((await asPage('POST', '/v1/order-code', again.token)).body).toMatchObject({pay_until});
  expect(token).not.toBe(session.token);
});

test('an order keeps its split when only the amount changes, and new sessions must have the same split', async () => {
  const split = {payout: '119.00', sub_merchant_id: '31', fee: '1.00'};
  const order = {service: 'DEMO', order: newOrder(), amount: '129.90'};
  await read('createOrderCode', {...order, amount: '149.90', ...split});
  await read('updateOrderCode', order);
  expect((await call('createSession', {kind: 'payment', origin: ORIGIN, ...order, ...split})).status).toBe(201);
  expectProblem(
    await call('createSession', {kind: 'payment', origin: ORIGIN, ...order, ...split, fee: '2.00'}),
    'order_exists',
    {
      fields: [
        {
          path: 'order',
          message:
            'The order has another split or user_id. PATCH /merchant/v1/order-codes changes the split, but not the user_id.',
        },
      ],
    },
  );
});

test('a shopper sees the order’s current amount, even if the session was created with another amount', async () => {
  const order = paymentInput();
  const {token} = await read('createSession', order);
  await read('createSession', {...order, amount: '139.90'});
  expect((await asPage('GET', '/v1/payment', token)).body).toMatchObject({amount: '139.90'});
  expect((await asPage('POST', '/v1/order-code', token)).body).toMatchObject({amount: '139.90'});
  await read('updateOrderCode', {service: 'DEMO', order: order.order, amount: '129.90'});
  expect((await asPage('POST', '/v1/order-code', token)).body).toMatchObject({amount: '129.90'});
  expect((await asPage('GET', '/v1/payment', token)).body).toMatchObject({amount: '129.90'});
});

test('a session is refused for an origin that is not allowed', async () => {
  for (const origin of ['https://evil.example', 'http://localhost.evil.example']) {
    expectProblem(await call('createSession', {...paymentInput(), origin}), 'origin_not_allowed', {
      fields: [{path: 'origin', message: 'ALLOWED_ORIGINS does not include this origin.'}],
    });
  }
});

test('a shop whose name is outside ASCII writes it in Unicode or as browsers send it', async () => {
  const bindings = {
    ALLOWED_ORIGINS: 'https://mağaza.example https://*.çarşı.example http://localhost:5173',
    RETURN_URLS: 'https://mağaza.example/teşekkürler',
  };
  for (const origin of [
    'https://mağaza.example',
    'https://xn--maaza-l1a.example',
    'https://bir.çarşı.example',
    ORIGIN,
  ]) {
    const success_url = 'https://mağaza.example/teşekkürler/1';
    const {body} = await call('createSession', paymentInput({origin, success_url}), {bindings});
    expect(claimsOf((body as {token: string}).token)).toMatchObject({
      origin: new URL(origin).origin,
      success_url: new URL(success_url).href,
    });
  }
  const {status} = await call('createSession', {...paymentInput(), origin: 'https://mağaza.example/'}, {bindings});
  expect(status).toBe(422);
});

test('a session accepts only return URLs on its origin or below RETURN_URLS', async () => {
  const bindings = {RETURN_URLS: 'https://shop.example/thanks https://market.example'};
  const statusWith = async (success_url: string) =>
    (await call('createSession', paymentInput({success_url}), {bindings})).status;
  for (const url of [
    'https://shop.example/thanks',
    'https://shop.example/thanks/1?a=b',
    'https://market.example/anything',
    `${ORIGIN}/page`,
  ])
    expect([url, await statusWith(url)]).toEqual([url, 201]);
  for (const url of [
    'https://shop.example/',
    'https://shop.example/thanks-a-lot',
    'https://shop.example.evil.example/thanks',
    'https://shop.example@evil.example/thanks',
    'https://shop.example/thanks/../x',
    'http://shop.example/thanks',
    'https://shop.example:8443/thanks',
  ]) {
    expect([url, await statusWith(url)]).toEqual([url, 422]);
  }
  expectProblem(
    await call('createSession', paymentInput({failure_url: 'https://evil.example'}), {bindings}),
    'return_url_not_allowed',
    {fields: [{path: 'failure_url', message: 'RETURN_URLS does not include this URL.'}]},
  );
});
