/** Tests that an API key that is limited to services neither sees nor changes anything of other services. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {SCOPES} from '../../../../worker/contract/merchant/endpoint.ts';
import {type EndpointInput, type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import type {NewReceipt} from '../../../../worker/objects/archive/consent-store.ts';
import {handle} from '../../../../worker/router.ts';
import {advance, DAY} from '../../support/clock.ts';
import {runSweep} from '../../support/durable-objects.ts';
import {control} from '../../support/sandbox.ts';
import {
  type Answer,
  ask,
  call,
  expectProblem,
  fieldsOf,
  newKey,
  newOrder,
  read,
  WORKER,
} from './support/merchant-server.ts';
import {platformCalls, startCounting} from './support/platform-calls.ts';
import {IBAN, paidOrder} from './support/refundable-orders.ts';

const names = Object.keys(endpoints) as EndpointName[];
const rows = (...kinds: string[]) => names.filter((name) => kinds.includes(endpoints[name].service));
type Notices = {readonly notices: readonly {readonly id: number}[]};
/** No server listens on this port. */
const url = 'http://127.0.0.1:1/vezne';
const outbox = () => contextOf(env).objects.outbox();
const bindings = {SERVICES: {DEMO: {micropaymentId: 1}, OTHER: {micropaymentId: 2}}};

/** Makes a key with all scopes for one shop. @returns The options of its calls. */
async function shop(service: string, own: {readonly SERVICES: object} = bindings) {
  const {key} = await read('createKey', {name: 'shop', scopes: [...SCOPES], services: [service]}, {bindings: own});
  return {headers: {authorization: `Bearer ${key}`}, bindings: own};
}

const receipt = (): NewReceipt => ({
  attempt: 'a-1',
  trackingId: 't-1',
  product: 77,
  offer: 'club',
  origin: 'https://shop.example',
  language: 'tr',
  price: 1200,
  period: 'weekly',
  trialDays: null,
  textsDigest: 'd',
  confirmedBy: 'pin',
  outcome: 'subscribed',
  network: '192.0.2.0/24',
  texts: null,
  at: Date.now(),
});

const LAMP = {
  id: 'lamp',
  kind: 'payment',
  service: 'DEMO',
  amount: '149.90',
  title: {tr: 'Lamba', en: 'Lamp'},
} as const;

/** Something of the service DEMO for every endpoint whose answer says the service. */
async function seed() {
  const paid = await paidOrder();
  await runSweep();
  const {id: refund} = await read('createRefund', {...paid, amount: '10.00'});
  const {id: link} = await read('createRefundLink', {service: 'DEMO', order: paid.order, amount: '1.00'});
  const order = {service: 'DEMO', order: newOrder(), amount: '20.00'};
  await read('createOrderCode', order);
  await read('createPaymentNotice', {...order, bank: 'garanti', notice: {name: 'Ayşe Yılmaz', phone: '5321234567'}});
  const transactions = await read('searchTransactions', {service: 'DEMO'});
  const {id: webhook} = await read('createWebhook', {url, services: ['DEMO']});
  await read('putOffer', LAMP);
  await outbox().append([
    {type: 'vendor.registered', key: 'v-1', at: Date.now(), data: {service: 'DEMO', vendor_code: 'v-1'}},
  ]);
  await runDurableObjectAlarm(outbox());
  await advance(4 * DAY);
  await runDurableObjectAlarm(outbox());
  const consents = contextOf(env).objects.archivedConsents(formatMonth(Date.now()));
  await consents.addReceipt(receipt());
  await consents.assignSubscription({trackingId: 't-1', service: 'DEMO', subscription: '4001', startedAt: null});
  const {items: events} = await read('listEvents', {});
  const {notices} = await (await fetch(`${inject('sandboxUrl')}/_sandbox/notices?limit=1`)).json<Notices>();
  return {
    getTransaction: {id: transactions.items[0]?.id ?? ''},
    getRefund: {id: refund},
    getRefundLink: {id: link},
    listRefunds: {order: paid.order},
    getPaymentNotice: {id: String(notices[0]?.id)},
    listConsents: {tracking_id: 't-1'},
    listEvents: {},
    listDeadEvents: {},
    getEvent: {id: events[0]?.id ?? ''},
    listCommands: {},
    listOffers: {},
    listWebhooks: {},
    getWebhook: {id: webhook},
    listDeliveries: {},
  } satisfies {[N in EndpointName]?: EndpointInput<N>};
}

/** How many things an answer has. */
const countOf = ({status, body}: Answer) =>
  status === 404 ? 0 : ((body as {readonly items?: readonly unknown[]}).items?.length ?? 1);

test('a key of one shop finds nothing of the other shop, whatever it reads', async () => {
  const things = await seed();
  expect(Object.keys(things).toSorted()).toEqual(rows('answer').toSorted());
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  for (const [name, input] of Object.entries(things) as [EndpointName, object][]) {
    expect([name, countOf(await call(name, input, own))]).not.toEqual([name, 0]);
    const answer = await call(name, input, other);
    expect([name, countOf(answer)]).toEqual([name, 0]);
    expect(answer.text).not.toContain('DEMO');
  }
  expectProblem(await call('withdrawRefundLink', things.getRefundLink, other), 'not_found');
});

test('for a key of another shop, a service does not exist in any request that names it, and nothing is done', async () => {
  const other = await shop('OTHER');
  await startCounting();
  for (const name of rows('code', 'billing')) {
    const answer = await call(name, endpoints[name].docs.example.input, other);
    expect([name, (answer.body as {code: string}).code, fieldsOf(answer)]).toEqual([
      name,
      'unknown_service',
      ['service'],
    ]);
  }
  expect(await platformCalls()).toEqual([]);
});

test('a key that is limited to services may not ask for what is about all services, except for the banks', async () => {
  const own = await shop('DEMO');
  await startCounting();
  for (const name of rows('all')) {
    const isRoot = endpoints[name].scope === 'root';
    const answer = await call(name, endpoints[name].docs.example.input, own);
    expectProblem(answer, isRoot ? 'root_key_required' : 'all_services_required');
  }
  expectProblem(await ask('/merchant/v1/metrics', own), 'all_services_required');
  expect(await platformCalls()).toEqual([]);
  expect(rows('none')).toEqual(['listBanks']);
  expect((await call('listBanks', {}, own)).status).toBe(200);
});

test('a session of another shop, or one that names no service, is refused', async () => {
  const other = await shop('OTHER');
  const origin = 'http://localhost:5173';
  const vendor = {vendor_code: 'v-1', name: 'Ada', phone: '5321234567', iban: IBAN};
  for (const input of [
    {kind: 'payment', origin, service: 'DEMO', order: newOrder(), amount: '149.90'},
    {kind: 'management', origin, via: 'micropayment', service: 'DEMO', subscription: '4001'},
    {kind: 'vendor', origin, service: 'DEMO', ...vendor},
  ])
    expectProblem(await call('createSession', input, other), 'unknown_service', {
      fields: [{path: 'service', message: 'SERVICES does not include this service.'}],
    });
  const page = {origin, product: 77, price: '12.00', period: 'weekly', title: text, terms: text};
  const operators = [{id: 1, name: 'Bir'}];
  for (const input of [
    {kind: 'subscription', ...page, operators},
    {kind: 'management', origin, via: 'landing', service: 'OTHER', subscription: '4001'},
  ])
    expectProblem(await call('createSession', input, other), 'all_services_required');
  const own = {kind: 'payment', origin, service: 'OTHER', order: newOrder(), amount: '149.90'};
  expect((await call('createSession', own, other)).status).toBe(201);
});
const text = {tr: 'Üyelik', en: 'Membership'};

test('a key of one shop can neither read, replace nor delete an offer of the other shop', async () => {
  const {qr: _, ...lamp} = await read('putOffer', LAMP);
  const other = await shop('OTHER');
  for (const name of ['getOffer', 'deleteOffer'] as const)
    expectProblem(await call(name, {id: 'lamp'}, other), 'unknown_offer');
  expectProblem(await call('putOffer', {...LAMP, service: 'OTHER'}, other), 'unknown_offer');
  expect((await call('putOffer', {...LAMP, id: 'x', service: 'DEMO'}, other)).body).toMatchObject({
    code: 'unknown_service',
  });
  expect(await read('putOffer', {...LAMP, id: 'x', service: 'OTHER'}, other)).toMatchObject({service: 'OTHER'});
  expect(await read('getOffer', {id: 'lamp'})).toMatchObject(lamp);
});

test('of two shops that make an offer with the same new id at the same time, one gets it', async () => {
  const services = ['DEMO', 'OTHER'];
  const keys = await Promise.all(services.map((service) => shop(service)));
  const made = await Promise.all(
    keys.map((own, index) => call('putOffer', {...LAMP, service: services[index] ?? ''}, own)),
  );
  expect(made.map(({status}) => status).toSorted()).toEqual([200, 404]);
  const service = services[made.findIndex(({status}) => status === 200)];
  expect(await read('getOffer', {id: 'lamp'})).toMatchObject({service});
});

test('a key of one shop can neither change nor see webhooks that get more than its own events', async () => {
  const {id: all} = await read('createWebhook', {url});
  const {id: both} = await read('createWebhook', {url, services: ['DEMO', 'OTHER']}, {bindings});
  const own = await shop('DEMO');
  for (const id of [all, both, 'wh_configured'])
    for (const [name, input] of [
      ['getWebhook', {id}],
      ['updateWebhook', {id, enabled: false}],
      ['rotateWebhookSecret', {id}],
      ['testWebhook', {id}],
      ['deleteWebhook', {id}],
    ] as const)
      expectProblem(await call(name, input, own), 'not_found');
  expect((await read('listWebhooks', {})).items).toMatchObject([{enabled: true}, {enabled: true}]);

  const created = await read('createWebhook', {url}, own);
  expect(created.services).toEqual(['DEMO']);
  expect((await read('listWebhooks', {}, own)).items.map(({id}) => id)).toEqual([created.id]);
  expect(await read('updateWebhook', {id: created.id, services: null}, own)).toMatchObject({services: ['DEMO']});
  for (const [name, input] of [
    ['createWebhook', {url, services: ['DEMO', 'OTHER']}],
    ['updateWebhook', {id: created.id, services: ['OTHER']}],
  ] as const)
    expect((await call(name, input, own)).body).toMatchObject({code: 'unknown_service'});
  expect((await call('createKey', {name: 'k', scopes: ['read'], services: ['DEMO', 'NONE']})).body).toMatchObject({
    code: 'unknown_service',
    fields: [{path: 'services.1'}],
  });
});

test('a key of another shop cannot have an event sent again, and gets no answer of this shop for the same `Idempotency-Key`', async () => {
  await outbox().append([
    {type: 'vendor.registered', key: 'v-1', at: Date.now(), data: {service: 'DEMO', vendor_code: 'v-1'}},
  ]);
  const id = (await read('listEvents', {})).items[0]?.id ?? '';
  await read('createWebhook', {url});
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  const key = newKey();
  expect((await call('resendEvent', {id}, {...own, key})).status).toBe(200);
  expectProblem(await call('resendEvent', {id}, {...other, key}), 'not_found');
});

const two = {SERVICES: {DEMO: {micropaymentId: 1}, DEMO2: {micropaymentId: 12}}};

/** A subscription and a charge of the service DEMO, at a platform that ignores the service in its paths. */
async function subscribed() {
  await control('limits', {limits: null});
  const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5321230001'});
  const {items} = await read('searchCharges', {service: 'DEMO'});
  await control('readings', {record_service: 'ignored'});
  return {subscription: String(id), charge: items[0]?.id ?? ''};
}

const CHANGES = /(?:cancel|refund)\//;
const changesSent = async () => (await platformCalls()).filter((one) => CHANGES.test(JSON.stringify(one)));

test.each(['a key of another shop', 'the root key with another service'])(
  'for %s, subscriptions and charges do not exist at a platform that looks only at their ids',
  async (who) => {
    const {subscription, charge} = await subscribed();
    const other = who.startsWith('a key') ? await shop('DEMO2', two) : {bindings: two};
    const told = {platform: {status: 'HTTP_404', message: ''}};
    const table = [
      ['getSubscription', subscription, 'subscription_not_found'],
      ['cancelSubscription', subscription, 'subscription_not_found'],
      ['getCharge', charge, 'not_found'],
      ['refundCharge', charge, 'not_found'],
    ] as const;
    const withIds = rows('billing').filter((name) => endpoints[name].path.includes('{id}') && name !== 'getConsent');
    expect(withIds.toSorted()).toEqual(table.map(([name]) => name).toSorted());
    for (const [name, id, code] of table)
      for (const service of ['DEMO2', '12']) expectProblem(await call(name, {service, id}, other), code, told);
    expect(await changesSent()).toEqual([]);
    expect(await read('getSubscription', {service: 'DEMO', id: subscription})).toMatchObject({state: 'active'});
    expect(await read('getCharge', {service: 'DEMO', id: charge})).toMatchObject({state: 'successful'});
    expect(await read('refundCharge', {service: 'DEMO', id: charge})).toMatchObject({state: 'refunded'});
    expect(await read('cancelSubscription', {service: 'DEMO', id: subscription})).toMatchObject({state: 'cancelled'});
  },
);

test('a page of another shop neither shows nor cancels a subscription at a platform that looks only at its id', async () => {
  const {subscription} = await subscribed();
  const other = await shop('DEMO2', two);
  const origin = 'http://localhost:5173';
  const session = {kind: 'management', origin, via: 'micropayment', service: 'DEMO2', subscription} as const;
  const {token} = await read('createSession', session, other);
  for (const [method, path] of [
    ['GET', '/v1/subscription'],
    ['POST', '/v1/subscription/cancel'],
  ] as const) {
    const headers = {authorization: `Bearer ${token}`, origin, 'content-type': 'application/json'};
    const request = new Request(WORKER + path, {method, headers, body: method === 'POST' ? '{}' : null});
    const answer = await handle(request, {...env, ...two} as unknown as Env);
    expect(await answer.json()).toMatchObject({code: 'subscription_not_found'});
  }
  expect(await changesSent()).toEqual([]);
});
