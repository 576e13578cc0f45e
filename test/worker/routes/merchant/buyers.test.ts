/** The buyers of orders, as the merchant's server reads, finds and erases them. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {readConfig} from '../../../../worker/config/config.ts';
import {NewPaymentSession, OrderCode, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import {Commands} from '../../../../worker/objects/commands/commands.ts';
import {Outbox} from '../../../../worker/objects/events/outbox.ts';
import {Order} from '../../../../worker/objects/order/order.ts';
import {BuyerIndex} from '../../../../worker/objects/sweep/buyer-index.ts';
import {advance, DAY, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {
  everythingStored,
  orderObject,
  replaceBindings,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import * as pages from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {contact, injectFault} from './support/refundable-orders.ts';

freshWorker();

const service = 'DEMO';
const CONTRACT = {tr: 'Sözleşmeyi okudum.', en: 'I have read the contract.'};
const MARKETING = {tr: 'Haber verin.', en: 'Tell me.'};
const offer = {
  privacy_url: 'https://shop.example/privacy',
  fields: {
    email: 'required',
    phone: 'optional',
    own: [{id: 'contract', type: 'tick', required: true, label: CONTRACT}],
    marketing: MARKETING,
  },
};
const BUYER = {email: 'deniz@shop.example', phone: '5321234567', own: {contract: true}, marketing: true};

let attempts = 0;
/** A shopper orders. @returns the order's reference, which the search knows. */
async function buy(buyer: object = BUYER): Promise<string> {
  const opened = await pages.askAsPage('POST', '/v1/sessions', {body: {offer: 'lamp'}});
  const form = pages.read(opened, NewPaymentSession, 201).buyer_form?.version;
  const attempt = `attempt-of-a-shopper-${(attempts += 1)}`;
  const body = {offer: 'lamp', attempt, shown_amount: '149.90', buyer: {...buyer, form}};
  const {order} = pages.read(await pages.askAsPage('POST', '/v1/order-code', {body}), PlacedOrder);
  await runDurableObjectAlarm(orderObject(order));
  return order;
}
const found = async (name: object) => (await read('searchOrders', {service, ...name})).items.map(({order}) => order);

test('an order says who bought, and all orders of the buyer are found by e-mail and by phone', async () => {
  await pages.putOffer('lamp', offer);
  const [first, second, other] = [
    await buy({...BUYER, email: 'DENIZ@Shop.example'}),
    await buy({...BUYER, phone: undefined}),
    await buy({...BUYER, email: 'ada@shop.example', phone: '+49 151 12345678'}),
  ];
  expect((await read('getOrder', {service, order: second})).buyer).toEqual({
    email: BUYER.email,
    own: {contract: true},
    marketing: true,
    at: wireTime(Date.now()),
  });
  expect(new Set(await found({email: 'Deniz@shop.example'}))).toEqual(new Set([first, second]));
  expect(await found({phone: '+90 532 123 45 67'})).toEqual([first]);
  expect(await found({phone: '+49 (151) 12345678'})).toEqual([other]);
  expect(await found({email: 'deniz@shop.exampl'})).toEqual([]);
  expectProblem(await call('searchOrders', {service}), 'invalid_request', {
    fields: [{path: 'email', message: 'Expected either email or phone.'}],
  });
  expectProblem(await call('searchOrders', {service, email: 'deniz'}), 'invalid_request', {
    fields: [{path: 'email', message: 'Expected an e-mail address.'}],
  });
});

test('a buyer is found while and after SESSION_SECRET is rotated, and not after it was replaced', async () => {
  await pages.putOffer('lamp', offer);
  const order = await buy();
  const bindings = {
    SESSION_SECRET: 'the-new-secret-of-sessions-which-is-long',
    SESSION_SECRET_PREVIOUS: readConfig(env).sessionSecrets[0],
  };
  await replaceBindings(serviceObject(), bindings);
  expect(await found({email: BUYER.email})).toEqual([order]);
  // From now on, the key is sealed with the new secret.
  await replaceBindings(serviceObject(), {SESSION_SECRET: bindings.SESSION_SECRET});
  expect(await found({email: BUYER.email})).toEqual([order]);
  // Without its secret, the index finds nobody, and nobody can read it.
  await replaceBindings(serviceObject(), {SESSION_SECRET: 'a-secret-that-replaced-a-leaked-one'});
  expect(await found({email: BUYER.email})).toEqual([]);
  expect(await read('forgetPerson', {service, email: BUYER.email})).toEqual({
    orders: 0,
    rows: 0,
    left: 0,
    complete: true,
    unknown_before: wireTime(Date.now()),
  });
  expect(await read('forgetPerson', {service, order})).toEqual({orders: 1, rows: 0, left: 0, complete: true});
});

test('a search for a buyer of many orders lists the newest', async () => {
  for (const order of ['S-b', 'S-c', 'S-a', 'S-d']) {
    const page = {order, until: Date.now() + MINUTE};
    await serviceObject().trackPaymentPage('DEMO', page, {email: BUYER.email, phone: BUYER.phone});
    await advance(SECOND);
  }
  expect(await serviceObject().ordersOfBuyer(BUYER, 3)).toEqual({orders: ['S-d', 'S-a', 'S-c']});
});

/** An order of a user whose person is in every object that may name them. @returns its reference. */
async function buyAsUser(user_id: string): Promise<string> {
  const order = newOrder();
  const session = {kind: 'payment', service, order, amount: '100.00', user_id, seller: pages.SELLER, ...offer};
  const {token} = await pages.openMerchantSession(session);
  const {buyer_form} = (await pages.askAsPage('GET', '/v1/payment', {token})).body as {buyer_form: {version: string}};
  const body = {buyer: {...BUYER, form: buyer_form.version}, page: {reference: 'lamp of Deniz'}};
  const {order_code} = pages.read(await pages.askAsPage('POST', '/v1/order-code', {token, body}), OrderCode);
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code, amount: '150.00', sender: 'Deniz Örnek'});
  await advance(MINUTE);
  await runSweep();
  await expect.poll(async () => (await read('searchBookings', {service, sender: 'deniz'})).items).toHaveLength(1);
  await injectFault('/refund/create', 'status', {status: 'ERR_099', times: 1});
  await call('createRefund', {service, order, amount: '5.00', contact: {...contact, name: 'Deniz Örnek'}});
  return order;
}

const STEPS: readonly (readonly [step: string, prototype: object, method: string, what?: 'names' | 'user'])[] = [
  ['the order', Order.prototype, 'forgetPerson'],
  ['the outbox', Outbox.prototype, 'forgetPersons'],
  ['the commands', Commands.prototype, 'forgetPersons'],
  ['the names in the books', Archive.prototype, 'forgetPersons', 'names'],
  ['what pages said', Archive.prototype, 'forgetPages'],
  ['the user in the books', Archive.prototype, 'forgetPersons', 'user'],
  ['the index of buyers', BuyerIndex.prototype, 'remove'],
];

test.for(STEPS)(
  'an erasure that dies at %s finds its orders again, and a repetition forgets the person everywhere',
  async ([, prototype, method, what]) => {
    const steps = prototype as Record<string, (...args: unknown[]) => unknown>;
    const real = steps[method];
    for (const by of ['email', 'phone', 'user_id', 'order'] as const) {
      const user_id = `deniz-by-${by}`;
      const order = await buyAsUser(user_id);
      expect(await everythingStored()).toMatch(new RegExp(user_id));
      const name = {[by]: {email: BUYER.email, phone: BUYER.phone, user_id, order}[by]};
      const die = vi.spyOn(steps, method).mockImplementation(function (this: unknown, ...args) {
        if (what === undefined || args[0] === what) throw new Error('The process dies.');
        return real?.apply(this, args);
      });
      expectProblem(await call('forgetPerson', {service, ...name}), 'temporarily_unavailable');
      die.mockRestore();
      await abortAllDurableObjects();
      expect(await call('forgetPerson', {service, ...name}), by).toMatchObject({
        status: 200,
        body: {orders: 1, complete: true},
      });
      const left = await everythingStored();
      const at = left.search(/deniz|5321234567/i);
      expect(at < 0 ? '' : left.slice(Math.max(0, at - 200), at + 40), by).toBe('');
      const index = await runInDurableObject(serviceObject(), (_, {storage}) =>
        storage.sql.exec('SELECT * FROM buyers').toArray(),
      );
      expect(index).toEqual([]);
    }
  },
);

test('a buyer who is kept alone after the order was deleted is erased by the order', async () => {
  await pages.putOffer('lamp', {...offer, fields: {name: 'required', keep_days: 100}});
  const order = await buy({name: 'Deniz Örnek'});
  await advance(40 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  expect(await orderObject(order).buyer()).toMatchObject({person: {name: 'Deniz Örnek'}});
  expect(await read('forgetPerson', {service, order})).toEqual({orders: 1, rows: 0, left: 0, complete: true});
  expect(await everythingStored()).not.toMatch(/deniz/i);
});

test('an erasure by e-mail or phone deletes the buyer everywhere, and a receipt stays that names nobody', async () => {
  await pages.putOffer('lamp', offer);
  for (const name of [{email: 'Deniz@SHOP.example'}, {phone: '0532 123 45 67'}]) {
    const order = await buy();
    expect(await read('forgetPerson', {service, ...name})).toEqual({orders: 1, rows: 0, left: 0, complete: true});
    expect((await read('getOrder', {service, order})).buyer).toBeNull();
    expect(await everythingStored()).not.toMatch(/deniz|5321234567/i);
    expect([...(await found({email: BUYER.email})), ...(await found({phone: BUYER.phone}))]).toEqual([]);
    expectProblem(await call('forgetPerson', {service, ...name}), 'not_found', {
      fields: [{path: Object.keys(name).join(), message: 'No order has this.'}],
    });
    expect(await read('getOrderConsent', {service, order})).toEqual({
      id: expect.stringMatching(/^con_[\da-f]{32}$/),
      service,
      order,
      offer: 'lamp',
      origin: pages.ORIGIN,
      language: null,
      seller: pages.SELLER.name,
      privacy_url: offer.privacy_url,
      terms_url: null,
      ticks: [{id: 'contract', label: CONTRACT, links: [], required: true, ticked: true}],
      marketing: {label: MARKETING, ticked: true},
      texts_digest: expect.stringMatching(/^[\da-f]{64}$/),
      sent_at: wireTime(Date.now()),
      network: expect.stringMatching(/^[\da-f]{64}$/),
    });
  }
  expectProblem(await call('getOrderConsent', {service, order: newOrder()}), 'not_found');
});
