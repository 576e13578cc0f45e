/** Tests mobile billing, the payment page and the landing interface. */

import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {everythingStored, replaceBindings} from '../../support/durable-objects.ts';
import {captureLog, checkLog} from '../../support/log-lines.ts';
import {control} from '../../support/sandbox.ts';
import {ask, call, expectProblem, newKey, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const service = 'DEMO';
const anyText = expect.any(String) as string;
const subscribe = async (msisdn: string) =>
  String((await control<{subscription_id: number}>('subscriptions', {msisdn})).subscription_id);
const visitor = {product: 77, user_ip: '192.0.2.7', tracking_id: 't-1', operator: 1};
const platform = (status: string) => ({platform: {status, message: anyText}});

test('a subscription can be read with its service’s code or numeric id, and can be cancelled once', async () => {
  await control('limits', {limits: null});
  const id = await subscribe('5321230001');
  const subscription = await read('getSubscription', {service, id});
  expect(subscription).toMatchObject({
    id,
    service: 'DEMO',
    service_id: '1',
    status: 'active',
    state: 'active',
    operator: 1,
    subscription_fee: '12.00',
    period: 'weekly',
    subscription_date: expect.stringMatching(/\+03:00$/) as string,
    renewal_date: expect.stringMatching(/\+03:00$/) as string,
    cancellation_date: null,
    has_trial_period: false,
    last_charge: {state: 'successful', amount: '12.00', subscription_id: id},
  });
  expect(await read('getSubscription', {service: 1, id})).toEqual(subscription);
  expect(await read('cancelSubscription', {service, id})).toMatchObject({
    id,
    state: 'cancelled',
    cancellation_source: 'mi',
    cancellation_date: expect.stringMatching(/\+03:00$/) as string,
  });
  // The Worker reads the state before it cancels, so it does not send this second cancellation.
  expectProblem(await call('cancelSubscription', {service, id}), 'already_cancelled');
});

const OTHER_WORDS = {PLATFORM_STATUSES: {subscription: {'yürürlükte ': 'active', Sonlandı: 'cancelled'}}};

test.each([
  ['uppercase', {}, ' ACTIVE', ' CANCELLED', ['active', 'cancelled']],
  ['others', OTHER_WORDS, 'Yürürlükte', 'Sonlandı', ['active', 'cancelled']],
  ['others', {}, 'Yürürlükte', 'Sonlandı', ['unknown', 'unknown']],
])('with %s words for the status of a subscription, and %j', async (words, bindings, active, cancelled, states) => {
  await control('readings', {subscription_words: words});
  const id = await subscribe('5321230012');
  const show = async () => read('getSubscription', {service, id}, {bindings});
  expect(await show()).toMatchObject({status: active, state: states[0]});
  await control(`subscriptions/${id}/cancel`, {});
  expect(await show()).toMatchObject({status: cancelled, state: states[1]});
});

test('with parameters in the query, an order is created and found', async () => {
  const bindings = {PHS_PARAMETERS: 'query'};
  const order = {service, order: 'Sipariş & 1'};
  expectProblem(await call('findOrderCode', order), 'unknown_order', platform('ERR_014'));
  await control('readings', {phs_parameters: 'query'});
  await replaceBindings(contextOf(env).objects.order(service, order.order), {...bindings});
  expect((await call('createOrderCode', {...order, amount: '1.00'}, {bindings})).status).toBe(201);
  expect(await read('findOrderCode', order, {bindings})).toMatchObject({order_code: expect.any(String) as string});
});

test('a rejected subscription cannot be cancelled', async () => {
  const id = await subscribe('5321230002');
  await control(`subscriptions/${id}/status`, {status: 'rejected'});
  const answer = await call('cancelSubscription', {service, id});
  const subscription = {id, state: 'rejected'};
  expectProblem(answer, 'cannot_cancel', {platform: {...platform('API_ERR_2006').platform, subscription}});
});

test('a charge can be read together with its subscription, and can be refunded once', async () => {
  const subscription = await subscribe('5321230003');
  const {last_charge: charge} = await read('getSubscription', {service, id: subscription});
  const id = charge?.id ?? '';
  expect(await read('getCharge', {service, id})).toMatchObject({
    id,
    service: 'DEMO',
    status: 3,
    state: 'successful',
    amount: '12.00',
    item: anyText,
    refund_date: null,
    subscription_id: subscription,
    subscription: {id: subscription, state: 'active'},
  });
  const key = newKey();
  const refunded = await read('refundCharge', {service, id}, {key});
  expect(refunded).toMatchObject({id, status: 6, state: 'refunded'});
  expect(await read('refundCharge', {service, id}, {key})).toEqual(refunded);
  expectProblem(await call('refundCharge', {service, id}), 'already_refunded');
  expect(await everythingStored()).not.toContain('5321230003');
});

test('resetting a test number cancels its subscription, and other numbers are refused', async () => {
  const id = await subscribe('5551112233');
  expect(await read('resetTestNumber', {service, msisdn: '5551112233'})).toEqual({
    service,
    msisdn: '5551112233',
    state: 'reset',
  });
  expect(await read('getSubscription', {service, id})).toMatchObject({state: 'cancelled'});
  expectProblem(
    await call('resetTestNumber', {service, msisdn: '5321112233'}),
    'invalid_request',
    platform('API_ERR_2007'),
  );
});

test('an unknown subscription or charge is refused', async () => {
  for (const name of ['getSubscription', 'cancelSubscription'] as const)
    expectProblem(await call(name, {service, id: '987654'}), 'subscription_not_found', platform('API_ERR_2001'));
  for (const name of ['getCharge', 'refundCharge'] as const)
    expectProblem(await call(name, {service, id: '987654'}), 'not_found', platform('API_ERR_3001'));
});

test('a refund that exceeds the platform’s limit is refused, and may be repeated with the same key', async () => {
  await control('limits', {limits: {'transaction/refund': {day: 0, second: null}}});
  const {last_charge: charge} = await read('getSubscription', {service, id: await subscribe('5321230004')});
  const key = newKey();
  expectProblem(
    await call('refundCharge', {service, id: charge?.id ?? ''}, {key}),
    'quota_exhausted',
    platform('API_ERR_1029'),
  );
  await control('limits', {limits: null});
  expect((await call('refundCharge', {service, id: charge?.id ?? ''}, {key})).status).toBe(200);
});

test('a payment page is created', async () => {
  const page = await read('createPaymentPage', {
    service,
    reference: 'R-7',
    item: 'Aylık üyelik',
    price: '30',
    trial_days: 7,
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
  });
  expect(page).toEqual({
    token: anyText,
    url: expect.stringMatching(/^http/) as string,
    expires_at: expect.stringMatching(/\+03:00$/) as string,
    expires_at_text: null,
  });
});

test.each([
  ['header', {MICROPAYMENT_HEADERS: {'x-api-key': 'sandbox-billing-key'}}],
  ['query', {MICROPAYMENT_QUERY: {api_key: 'sandbox-billing-key'}}],
  ['body', {MICROPAYMENT_QUERY: {api_key: 'sandbox-billing-key'}, MICROPAYMENT_BODY: {api_key: 'sandbox-billing-key'}}],
])('mobile billing with credentials in the %s is called, and they are not logged', async (place, bindings) => {
  const id = await subscribe('5321230011');
  await control('readings', {billing_credentials: place});
  captureLog();
  expect(await read('getSubscription', {service, id}, {bindings})).toMatchObject({id});
  expect((await read('searchSubscriptions', {service}, {bindings})).items).toMatchObject([{id}]);
  expect((await call('getSubscription', {service, id})).status).toBe(502);
  checkLog();
});

test('a wrong PAYMENT_PAGE_SECRET is reported as wrong credentials; without mobile billing, no page is created', async () => {
  const page = {
    service,
    item: 'I',
    price: '1',
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
  };
  const create = async (reference: string, bindings: object) => {
    await replaceBindings(contextOf(env).objects.order(service, reference), {...bindings});
    return call('createPaymentPage', {...page, reference});
  };
  const wrong = await create('R', {PAYMENT_PAGE_SECRET: 'sandbox-wrong-secret'});
  expectProblem(wrong, 'platform_unauthorized', platform('API_ERR_1023'));
  expectProblem(await create('R-8', {MICROPAYMENT_URL: undefined}), 'not_configured');
});

test('through the merchant’s server, a shopper receives a PIN, subscribes with it and cancels', async () => {
  await control('limits', {limits: null});
  const msisdn = '5321230005';
  expect(await read('generatePin', {...visitor, msisdn})).toEqual({
    expires_at: expect.stringMatching(/T12:10:00\+03:00$/) as string,
  });
  expectProblem(await call('requestSubscription', {...visitor, msisdn, pin: 'none'}), 'pin_wrong', platform('028'));
  const sms = (await (await fetch(`${inject('sandboxUrl')}/_sandbox/sms?msisdn=${msisdn}`)).json()) as {
    messages: {message: string}[];
  };
  const pin = /\b\d{4}\b/.exec(sms.messages[0]?.message ?? '')?.[0] ?? '';
  const answers = await Promise.all([1, 2].map(() => read('requestSubscription', {...visitor, msisdn, pin})));
  expect(answers).toMatchObject([{state: 'subscribed'}, {state: 'subscribed'}]);
  const events = (await read('listEvents', {})).items
    .filter(({type}) => type === 'subscription.started')
    .map(({data}) => data);
  expect(events).toMatchObject([
    {product: 77, operator: visitor.operator, msisdn: '532*****05', tracking_id: visitor.tracking_id},
  ]);
  expectProblem(await call('generatePin', {...visitor, msisdn}), 'already_subscribed', platform('020'));
  const {items} = await read('searchSubscriptions', {service, search: [{column: 'msisdn', term: msisdn}]});
  const id = items[0]?.id ?? '';
  expect(await read('cancelLandingSubscription', {subscription: id})).toMatchObject({
    id,
    product: '77',
    state: 'cancelled',
    subscription_date: expect.stringMatching(/\+03:00$/) as string,
  });
  expectProblem(await call('cancelLandingSubscription', {subscription: id}), 'already_cancelled', platform('032'));
});

test.each([
  [{}, false],
  [{number_tokens: 'text'}, false],
  [{number_tokens: 'text', one_click: 'token_and_number'}, true],
])('under the reading %j, a number token can be looked up and used (number sent: %s)', async (reading, isSent) => {
  await control('readings', reading);
  const number = {msisdn: '5321230006', operator: 4};
  const {number_token} = await control<{number_token: string}>('number-tokens', number);
  expect(await read('getNumber', {number_token})).toEqual(number);
  const request = {product: 77, user_ip: '192.0.2.7', tracking_id: 't', number_token, ...(isSent && number)};
  expect(await read('requestSubscription', request)).toMatchObject({state: 'subscribed'});
  expectProblem(await call('getNumber', {number_token: '1'}), 'number_token_invalid', platform('027'));
});

test('visits and clicks are reported to the platform', async () => {
  const visit = {
    type: 'visit',
    product: 77,
    tracking_id: 't',
    url: 'https://shop.example/',
    user_ip: '192.0.2.7',
    browser: 'B',
    referer: '-',
  } as const;
  expect(await read('addActivity', visit)).toEqual({state: 'recorded'});
  expect(await read('addActivity', {type: 'confirm_clicked', product: 77, tracking_id: 't'})).toEqual({
    state: 'recorded',
  });
  const {activities} = (await (await fetch(`${inject('sandboxUrl')}/_sandbox/activities`)).json()) as {
    activities: unknown[];
  };
  expect(activities).toHaveLength(2);
});

test('a refusal of the landing interface has its status and message', async () => {
  expectProblem(await call('generatePin', {...visitor, msisdn: '5550000007'}), 'not_eligible', platform('007'));
});

test('searches for charges, subscriptions and messages can be read page by page to the end', async () => {
  await control('limits', {limits: null});
  for (let i = 0; i < 7; i += 1) await subscribe(`532123010${i}`);
  for (const name of ['searchSubscriptions', 'searchCharges', 'searchMessages'] as const) {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: {items: {id: string}[]; next_cursor: string | null; total: number | null} = await read(name, {
        service,
        limit: 3,
        sort: [{column: 'id', asc: true}],
        ...(cursor && {cursor}),
      });
      expect(page.items.length).toBeLessThanOrEqual(3);
      ids.push(...page.items.map(({id}) => id));
      if (page.next_cursor === null) expect(ids).toHaveLength(page.total ?? -1);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids.length).toBeGreaterThanOrEqual(7);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('the platform receives the criteria, sort columns and limit of a search unchanged', async () => {
  const input = {
    service,
    search: [
      {column: 'id', term: '1', condition: '>='},
      {column: 'msisdn', term: '5321234567'},
    ],
    sort: [{column: 'id', asc: false}],
    limit: 100,
  };
  await call('searchCharges', input);
  const searchCall = (await platformCalls()).find(({path}) => path.endsWith('/transactions/search'));
  expect(searchCall?.params).toMatchObject({merchantId: '123', serviceId: '1', limit: '100', page: '1'});
  expect(JSON.stringify(searchCall?.params)).toContain('5321234567');
});

test('a write whose fields are all in the path needs no body', async () => {
  const answer = await ask('/merchant/v1/subscriptions/DEMO/987654/cancel', {
    method: 'POST',
    headers: {'idempotency-key': newKey()},
  });
  expectProblem(answer, 'subscription_not_found', platform('API_ERR_2001'));
});
