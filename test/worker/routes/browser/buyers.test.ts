/** Orders that ask who buys before there is a code. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {NewPaymentSession, OrderCode, PlacedOrder, ReadPayment} from '../../../../worker/contract/browser/answers.ts';
import type {Buyer} from '../../../../worker/contract/buyer.ts';
import {formatPlatformDay} from '../../../../worker/lib/time.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {
  type ClassName,
  everythingStored,
  isStored,
  listAddressed,
  namespacesExcept,
  orderObject,
  runSweep,
  storedIn,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import * as pages from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, hold, pay, release, untilHeld} from '../../support/sandbox.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const today = () => formatPlatformDay(Date.now());
const PRIVACY = 'https://shop.example/gizlilik';
const CONTRACT = {
  id: 'contract',
  type: 'tick',
  required: true,
  label: {tr: 'Mesafeli satış sözleşmesini okudum.', en: 'I have read the distance sales contract.'},
  links: [{text: {tr: 'Sözleşme', en: 'Contract'}, url: 'https://shop.example/sozlesme'}],
};
const FIELDS = {
  email: 'required',
  name: 'required',
  phone: 'optional',
  address: 'required',
  own: [
    {
      id: 'color',
      type: 'choice',
      label: {tr: 'Renk', en: 'Color'},
      choices: [
        {value: 'red', label: {tr: 'Kırmızı', en: 'Red'}},
        {value: 'blue', label: {tr: 'Mavi', en: 'Blue'}},
      ],
    },
    CONTRACT,
  ],
  marketing: {tr: 'Kampanyalardan haberdar olmak isterim.', en: 'I would like to hear of offers.'},
};
/** Of the form below, as every page gets it. */
const VERSION = '17ayaux';
const FORM = {...FIELDS, privacy_url: PRIVACY, seller: pages.SELLER, version: VERSION};
const SENT = {
  email: ' Deniz@SHOP.example ',
  name: 'Deniz Örnek',
  phone: '0532 123 45 67',
  address: {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul', postal_code: '34 710'},
  own: {color: 'blue', contract: true, unknown: 'dropped'},
  language: 'tr',
  form: VERSION,
} as const;
const BUYER: Buyer = {
  email: 'Deniz@shop.example',
  name: 'Deniz Örnek',
  phone: '5321234567',
  address: {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul', postal_code: '34710'},
  own: {color: 'blue', contract: true},
  marketing: false,
};
/** What no other object, event, log line, token or answer of a page may have. */
const WORDS = /deniz|örnek|çiçek|kadıköy|5321234567|532 123/i;

const put = (id: string, offer: object = {}) => pages.putOffer(id, {fields: FIELDS, privacy_url: PRIVACY, ...offer});
const post = (path: string, body: object, token?: string) =>
  pages.askAsPage('POST', path, {body, ...(token !== undefined && {token})});
let attempts = 0;
const newAttempt = () => `attempt-of-a-shopper-${(attempts += 1)}`;
const place = (offer: string, body: object = {}) =>
  post('/v1/order-code', {offer, attempt: newAttempt(), shown_amount: '149.90', ...body});
const open = async (offer: string) => pages.read(await post('/v1/sessions', {offer}), NewPaymentSession, 201);
const formOf = async (token: string) =>
  pages.read(await pages.askAsPage('GET', '/v1/payment', {token}), ReadPayment).buyer_form;
const buyerOf = async (order: string) => (await orderObject(order).buyer())?.person;
const problems = (answer: pages.Answer) => {
  const {code, fields} = answer.body as {code: string; fields: {path: string; message: string}[]};
  return [answer.status, code, fields];
};

test('a page learns what an offer asks for before the shopper buys, and orders with it in one request', async () => {
  await put('lamp');
  const script = await pages.ask('/checkout.js?offer=lamp', {headers: {origin: pages.ORIGIN}});
  expect(script.text).toContain(JSON.stringify(FORM.privacy_url));
  const attempt = newAttempt();
  const missing = await place('lamp', {
    attempt,
    buyer: {form: VERSION, name: ' ', email: 'a@b', address: {district: 'Şişli'}},
  });
  expect(problems(missing)).toEqual([
    422,
    'buyer_required',
    [
      {path: 'buyer.name', message: 'This field is missing.'},
      {path: 'buyer.email', message: 'This value is not accepted.'},
      {path: 'buyer.address.line', message: 'This field is missing.'},
      {path: 'buyer.address.province', message: 'This field is missing.'},
      {path: 'buyer.own.contract', message: 'This field is missing.'},
    ],
  ]);
  expect(await everythingStored()).not.toContain('Şişli');
  const {order, token} = pages.read(await place('lamp', {attempt, buyer: SENT}), PlacedOrder);
  expect(await buyerOf(order)).toEqual(BUYER);
  expect(await formOf(token)).toBeUndefined();
  // A repetition need not send the buyer, and what another page sends changes nothing.
  expect(pages.read(await place('lamp', {attempt}), PlacedOrder).order).toBe(order);
  pages.read(await post('/v1/order-code', {buyer: {...SENT, name: 'Başkası'}}, token), OrderCode);
  expect(await buyerOf(order)).toEqual(BUYER);
});

test('a page with a session of the merchant’s server is asked, by GET /v1/payment too, until the order has its code', async () => {
  const session = {kind: 'payment', service: 'DEMO', order: 'S-buyer-1', amount: '149.90', seller: pages.SELLER};
  const {token} = await pages.openMerchantSession({...session, fields: FIELDS, privacy_url: PRIVACY});
  expect(await formOf(token)).toEqual(FORM);
  expectProblem(await post('/v1/order-code', {}, token), PROBLEMS.buyer_required);
  expectProblem(await post('/v1/payment-notices', {bank: 'garanti', notice: {}}, token), PROBLEMS.buyer_required);
  expect(problems(await post('/v1/order-code', {buyer: {...SENT, phone: '12'}}, token))).toEqual([
    422,
    'buyer_required',
    [{path: 'buyer.phone', message: 'This value is not accepted.'}],
  ]);
  pages.read(await post('/v1/order-code', {buyer: SENT}, token), OrderCode);
  expect(await formOf(token)).toBeUndefined();
  expect(await buyerOf('S-buyer-1')).toEqual(BUYER);
});

test('a shopper who has seen other texts than the offer has now is asked again, and no receipt says otherwise', async () => {
  const fields = {email: 'optional', marketing: {tr: 'Haber verin.', en: 'Tell me.'}};
  await put('lamp', {fields});
  const {token, order, buyer_form} = await open('lamp');
  await put('lamp', {fields: {...fields, marketing: {tr: 'Her gün arayın.', en: 'Call me every day.'}}});
  await advance(6 * SECOND);
  for (const buyer of [undefined, {}, {form: buyer_form?.version, marketing: true}])
    expectProblem(await post('/v1/order-code', {buyer}, token), PROBLEMS.buyer_required);
  expect(await merchant(`orders/consent?service=DEMO&order=${order}`)).toContain('"not_found"');
  const form = (await formOf(token))?.version;
  expect(form).not.toBe(buyer_form?.version);
  pages.read(await post('/v1/order-code', {buyer: {form, marketing: true}}, token), OrderCode);
  expect(await merchant(`orders/consent?service=DEMO&order=${order}`)).toContain('Call me every day.');
});

test('the bank page and the payment page ask as the elements do', async () => {
  await put('lamp');
  for (const path of ['/v1/hosted-payment', '/v1/payment-pages']) {
    const {token, order, buyer_form} = await open('lamp');
    expect(buyer_form).toEqual(FORM);
    expect(problems(await post(path, {}, token)).slice(0, 2)).toEqual([422, 'buyer_required']);
    expect((await post(path, {buyer: SENT}, token)).status).toBe(200);
    expect(await buyerOf(order)).toEqual(BUYER);
    expect((await post(path, {}, token)).status).toBe(200);
  }
});

test('the first payer of a bill is asked, the others are not, and no device gets the buyer back', async () => {
  const name = await put('bill', {uses: 'one'});
  const [first, second] = [await open(name), await open(name)];
  expect([first.buyer_form, second.buyer_form]).toEqual([FORM, FORM]);
  const {order} = pages.read(await post('/v1/order-code', {buyer: SENT}, first.token), OrderCode);
  expect(await formOf(second.token)).toBeUndefined();
  pages.read(await post('/v1/order-code', {buyer: {...SENT, name: 'Başkası'}}, second.token), OrderCode);
  const third = await open(name);
  expect(third.buyer_form).toBeUndefined();
  const placed = await place(name);
  const handoff = (await post('/v1/handoffs', {}, first.token)).body as {code: string};
  const other = (await post('/v1/handoffs/redeem', {...handoff, expires_at: undefined, offer: name})).body as {
    token: string;
  };
  const answers = [
    third,
    placed.body,
    await formOf(other.token),
    (await pages.askAsPage('GET', '/v1/payment', {token: other.token})).body,
    (await pages.askAsPage('GET', '/v1/payment-notices/prefill', {token: first.token})).body,
  ];
  expect(JSON.stringify(answers)).not.toMatch(WORDS);
  expect(await buyerOf(order)).toEqual(BUYER);
});

test('a session keeps asking what its offer asks now, and makes no order without it after the offer was deleted', async () => {
  await put('lamp');
  const [kept, fresh] = [await open('lamp'), await open('lamp')];
  const {order} = pages.read(await post('/v1/order-code', {buyer: SENT}, kept.token), OrderCode);
  await pages.askMerchant('offers/lamp', {}, undefined, 'DELETE');
  await advance(6 * SECOND);
  expectProblem(await post('/v1/order-code', {buyer: SENT}, fresh.token), PROBLEMS.offer_expired);
  expect(pages.read(await post('/v1/order-code', {}, kept.token), OrderCode).order).toBe(order);
});

test.for([false, true])(
  'a process that dies between the fields and the code loses no buyer and makes no second order (the platform made it: %s)',
  async (after) => {
    await put('lamp');
    const attempt = newAttempt();
    await hold(CREATE, {after});
    const interrupted = place('lamp', {attempt, buyer: SENT});
    await untilHeld();
    await abortAllDurableObjects();
    expectProblem(await interrupted, PROBLEMS.internal);
    await release(CREATE);
    await advance(MINUTE);
    const {order} = pages.read(await place('lamp', {attempt}), PlacedOrder);
    expect(await buyerOf(order)).toEqual(BUYER);
    expect(new Set((await calls(CREATE)).map(({params}) => params['order']))).toEqual(new Set([order]));
    await runDurableObjectAlarm(orderObject(order));
    expect((await search({email: 'deniz@shop.example'})).items).toMatchObject([{order, buyer: BUYER}]);
    const consent = await merchant(`orders/consent?service=DEMO&order=${order}`);
    expect(JSON.parse(consent)).toMatchObject({order, ticks: [{id: 'contract', ticked: true}]});
  },
);

const merchant = async (path: string) =>
  (await pages.ask(`/merchant/v1/${path}`, {headers: {authorization: 'Bearer sandbox-merchant-api-key'}})).text;

/** What all objects have stored that are not of these classes. */
async function storedExcept(...omitted: readonly ClassName[]): Promise<string> {
  const stored: unknown[] = [];
  for (const namespace of namespacesExcept(...omitted))
    for (const id of listAddressed(namespace)) stored.push(await storedIn(namespace.get(id)));
  return JSON.stringify(stored);
}

const search = async (name: object) => {
  const answer = await pages.askMerchant('orders/search', {service: 'DEMO', ...name});
  expect(answer.status, answer.text).toBe(200);
  return answer.body as {items: {order: string; buyer: object}[]};
};

test('only the order has the buyer: no other object, event, token, log line or call of the platform does, until the order is deleted', async () => {
  await put('lamp');
  const {order, token, order_code} = pages.read(await place('lamp', {buyer: SENT}), PlacedOrder);
  await pages.showPayment(token);
  await pay({order_code});
  await advance(3 * SECOND);
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  expect(await storedExcept('Order')).not.toMatch(WORDS);
  expect(await storedExcept()).toMatch(WORDS);
  expect(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))).not.toMatch(WORDS);
  for (const path of [
    'events',
    'bookings?service=DEMO',
    `days/${today()}.csv?service=DEMO`,
    `orders/timeline?service=DEMO&order=${order}`,
  ])
    expect(await merchant(path), path).not.toMatch(WORDS);
  expect((await search({email: 'deniz@shop.example'})).items).toMatchObject([{order}]);
  expect(JSON.stringify(await calls())).not.toMatch(WORDS);
  expect(JSON.stringify(logLines())).not.toMatch(WORDS);
  await advance(11 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await storedExcept()).not.toMatch(WORDS);
  expect((await search({email: 'deniz@shop.example'})).items).toEqual([]);
  expect(
    await runInDurableObject(serviceObject(), (_object, {storage}) =>
      storage.sql.exec('SELECT * FROM buyers').toArray(),
    ),
  ).toEqual([]);
});

test('a buyer whom the merchant keeps longer stays alone after the order was deleted, and is found until then', async () => {
  await put('lamp', {fields: {...FIELDS, keep_days: 100}});
  const {order, order_code} = pages.read(await place('lamp', {buyer: SENT}), PlacedOrder);
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code});
  await advance(3 * SECOND);
  await runSweep();
  await advance(11 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  const found = await search({phone: '+90 532 123 45 67'});
  expect(found.items).toMatchObject([{order, buyer: BUYER}]);
  await advance(89 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect((await search({phone: '5321234567'})).items).toEqual([]);
  expect(await isStored(orderObject(order))).toBe(false);
});
