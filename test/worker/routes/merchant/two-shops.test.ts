/** Tests that an API key that is limited to services neither sees nor changes anything of other services. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {WORK_KINDS} from '../../../../worker/contract/merchant/books-work.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {SCOPES} from '../../../../worker/contract/merchant/scopes.ts';
import {formatMonth, formatPlatformDay} from '../../../../worker/lib/time.ts';
import type {NewReceipt} from '../../../../worker/objects/archive/consent-store.ts';
import {handle} from '../../../../worker/router.ts';
import {advance, DAY} from '../../support/clock.ts';
import {runSweep} from '../../support/durable-objects.ts';
import {control} from '../../support/sandbox.ts';
import {
  type Answer,
  ask,
  call,
  type CallOptions,
  expectProblem,
  newKey,
  newOrder,
  read,
  WORKER,
} from './support/merchant-server.ts';
import {platformCalls, startCounting} from './support/platform-calls.ts';
import {IBAN, paidOrder} from './support/refundable-orders.ts';

const names = Object.keys(endpoints) as EndpointName[];
const rows = (kind: string) => names.filter((name) => endpoints[name].service === kind);
/** The fields of an endpoint's input. */
const inputOf = (name: EndpointName): object =>
  (endpoints[name].input as unknown as {def: {shape?: object}}).def.shape ?? {};
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

const TRACKING = 'tracking-of-demo';
const receipt = (): NewReceipt => ({
  attempt: 'a-1',
  trackingId: TRACKING,
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

const vendorEvent = (service: string, vendor_code: string) =>
  ({type: 'vendor.registered', key: vendor_code, at: Date.now(), data: {service, vendor_code}}) as const;
const session = {kind: 'payment', origin: 'http://localhost:5173', amount: '20.00'};

/** Everything that a shop can have, of the service DEMO. */
async function seed(own: CallOptions) {
  const paid = await paidOrder();
  await runSweep();
  const {id: refund} = await read('createRefund', {...paid, amount: '10.00'});
  const link = await read('createRefundLink', {service: 'DEMO', order: paid.order, amount: '1.00'});
  const order = {service: 'DEMO', order: newOrder(), amount: '20.00'};
  const {order_code: code} = await read('createOrderCode', order);
  await read('createPaymentNotice', {...order, bank: 'garanti', notice: {name: 'Ayşe Yılmaz', phone: '5321234567'}});
  const transactions = await read('searchTransactions', {service: 'DEMO'});
  const webhook = await read('createWebhook', {url, services: ['DEMO']}, own);
  const {id: all} = await read('createWebhook', {url: `${url}-of-all`});
  const bill = await read('putOffer', {...LAMP, id: 'secretname', order: order.order, amount: '20.00'}, own);
  await outbox().append([vendorEvent('DEMO', 'v-of-demo')]);
  await runDurableObjectAlarm(outbox());
  await advance(4 * DAY);
  await runDurableObjectAlarm(outbox());
  const consents = contextOf(env).objects.archivedConsents(formatMonth(Date.now()));
  await consents.addReceipt(receipt());
  await consents.assignSubscription({trackingId: TRACKING, service: 'DEMO', subscription: '4001', startedAt: null});
  const {items: events} = await read('listEvents', {});
  const event = events.find(({type}) => type === 'vendor.registered')?.id ?? '';
  const {notices} = await (await fetch(`${inject('sandboxUrl')}/_sandbox/notices?limit=1`)).json<Notices>();
  const {items: commands} = await read('listCommands', {}, own);
  return {
    own: {order: order.order, paid: paid.order, webhook: webhook.id, event, link: link.id},
    /** Of all webhooks, the last is not only of this shop. */
    webhooks: [webhook.id, all, 'wh_configured'],
    refund: String(refund),
    transaction: transactions.items[0]?.id ?? '',
    notice: String(notices[0]?.id),
    /** No answer to another shop may have any of these texts. */
    secrets: [
      order.order,
      paid.order,
      code,
      all,
      webhook.id,
      String(webhook.secret),
      link.id,
      link.url,
      bill.name,
      bill.id,
      TRACKING,
      'v-of-demo',
      'DEMO',
      'Ayşe',
      'of-all',
      ...[...events, ...commands].map(({id}) => id),
    ],
  };
}

type Seeded = Awaited<ReturnType<typeof seed>>;
type Of<K extends string> = {[N in EndpointName]: (typeof endpoints)[N]['service'] extends K ? N : never}[EndpointName];

/**
 * What another shop may send to each endpoint that finds things without the name of their service. The other endpoints
 * get their example with the name of the service.
 */
const attempts = ({own, webhooks, refund, transaction, notice}: Seeded) =>
  ({
    getTransaction: [{id: transaction}],
    getRefund: [{id: refund}],
    getRefundLink: [{id: own.link}],
    withdrawRefundLink: [{id: own.link}],
    listRefunds: [{order: own.paid}],
    getPaymentNotice: [{id: notice}],
    listConsents: [{tracking_id: TRACKING}],
    listEvents: [{}, {type: 'vendor.registered'}, {service: 'DEMO', order: own.paid}],
    listDeadEvents: [{}],
    getEvent: [{id: own.event}],
    resendEvent: [{id: own.event}, ...webhooks.map((webhook) => ({id: own.event, webhook}))],
    listCommands: [{}, {service: 'DEMO'}],
    listOffers: [{}],
    getOffer: [{id: 'secretname'}],
    deleteOffer: [{id: 'secretname'}],
    putOffer: [
      {...LAMP, id: 'secretname', service: 'OTHER'},
      {...LAMP, id: 'mine', order: own.order},
    ],
    createSession: [{...session, service: 'DEMO', order: own.order}],
    listWebhooks: [{}],
    createWebhook: [{url, services: ['DEMO']}],
    getWebhook: webhooks.map((id) => ({id})),
    updateWebhook: webhooks.map((id) => ({id, enabled: false})),
    deleteWebhook: webhooks.map((id) => ({id})),
    rotateWebhookSecret: webhooks.map((id) => ({id})),
    testWebhook: webhooks.map((id) => ({id})),
    listDeliveries: [{}, ...webhooks.map((webhook) => ({webhook}))],
    resendDeliveries: [{}, ...webhooks.map((webhook) => ({webhook}))],
  }) satisfies Record<Of<'answer' | 'list' | 'handler'>, readonly object[]>;

/** How many things an answer has. */
const countOf = ({status, body}: Answer): number => {
  const {code, items, resumed} = body as {code?: string; items?: readonly unknown[]; resumed?: number};
  if (status >= 400) return status === 404 || status === 403 || code === 'unknown_service' ? 0 : status;
  return items?.length ?? resumed ?? 1;
};

/** What a shop can read of itself, without what every answer has anew. */
const reads = (all: Record<string, readonly object[]>) =>
  (Object.entries(all) as [EndpointName, readonly object[]][]).filter(([name]) => endpoints[name].scope === 'read');
/** How the platform is asked for the banks, and for records by their ids. */
const READS = ['bank/getAll', 'paymentNotification/get', 'refund/get', 'refund/getByOrder', 'transaction/get'].map(
  (path) => `/phs/${path}`,
);
async function readAll(all: Record<string, readonly object[]>, as: CallOptions) {
  const answers = await Promise.all(
    reads(all).map(async ([name, [input = {}]]) => [name, (await call(name, input, as)).body] as const),
  );
  return answers.map(([name, body]) => [name, {...(body as object), next_cursor: null}]);
}

test('a key of one shop finds, changes and learns nothing of the other shop at any endpoint', async () => {
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  const seeded = await seed(own);
  const ways = attempts(seeded);
  const all: Record<string, readonly object[]> = ways;
  const before = await readAll(ways, own);
  for (const [name, body] of before) expect([name, body]).not.toEqual([name, expect.objectContaining({items: []})]);
  await startCounting();
  for (const name of names) {
    const row = endpoints[name];
    const example = row.docs.example.input as object;
    const ids = 'order' in example ? {order: seeded.own.order} : {};
    for (const input of all[name] ?? [{...example, ...ids}]) {
      const answer = await call(name, input, other);
      if (row.service === 'none') continue;
      expect([name, input, countOf(answer)]).toEqual([name, input, 0]);
      // A list that had to be cleaned after its page was cut is refused as a whole.
      if (row.service === 'list' && !('service' in input)) expect([name, answer.status]).toEqual([name, 200]);
      for (const secret of seeded.secrets)
        expect([name, input, answer.text.includes(secret)]).toEqual([name, input, false]);
      if (row.service === 'code' || row.service === 'billing')
        expectProblem(answer, 'unknown_service', {fields: [expect.objectContaining({path: 'service'})]});
      if (row.service === 'all')
        expectProblem(answer, row.scope === 'root' ? 'root_key_required' : 'all_services_required');
    }
  }
  expectProblem(await ask('/merchant/v1/metrics', other), 'all_services_required');
  // Only records are read, which say whose they are.
  const asked = new Set((await platformCalls()).map(({path}) => path));
  expect([...asked].toSorted()).toEqual(READS);
  expect(await readAll(ways, own)).toEqual(before);
  expect(await read('getOffer', {id: 'secretname'}, own)).toMatchObject({service: 'DEMO'});
});

test('a key of one shop learns nothing of the other shop when it asks about its own service', async () => {
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  const seeded = await seed(own);
  const day = formatPlatformDay(Date.now());
  const inputs = [seeded.own.order, seeded.own.paid].flatMap((order) => [
    ['getOrder', {order}],
    ['showTimeline', {order}],
    ['createRefundLink', {order}],
    ['cancelOrder', {order}],
  ]) satisfies [EndpointName, object][];
  const ids = Object.values(seeded.own).map((id) => ['searchBookings', {id}] as const);
  const kinds = WORK_KINDS.map((kind) => ['listWork', {kind}] as const);
  for (const [name, input] of [...inputs, ...ids, ...kinds, ['listOrders', {day}]] as [EndpointName, object][]) {
    const answer = await call(name, {service: 'OTHER', ...input}, other);
    expect([name, countOf(answer)]).toEqual([name, 0]);
    for (const secret of seeded.secrets) expect([name, answer.text.includes(secret)]).toEqual([name, false]);
  }
});

test('every list that has pages leaves out what is not the caller’s before it cuts a page', async () => {
  const cut = names.filter((name) => endpoints[name].service === 'answer' && 'cursor' in inputOf(name));
  expect(cut).toEqual([]);
  const other = await shop('OTHER');
  const {id: all} = await read('createWebhook', {url});
  const {id: mine} = await read('createWebhook', {url}, other);
  const foreign = Array.from({length: 150}, (_, index) => vendorEvent('DEMO', `d-${index}`));
  const events = Array.from({length: 101}, (_, index) => vendorEvent('OTHER', `o-${index}`));
  await outbox().append([...foreign, ...events]);
  const offers = contextOf(env).objects.offers();
  const {id: _, ...lamp} = LAMP;
  for (let index = 0; index < 101; index += 1)
    await Promise.all([
      offers.put(`a-${index}`, {...lamp, hours: 1}),
      offers.put(`b-${index}`, {...lamp, hours: 1, service: 'OTHER'}),
    ]);
  for (const [name, input] of [
    ['listOffers', {}],
    ['listEvents', {type: 'vendor.registered'}],
    ['listDeliveries', {}],
    ['listDeliveries', {webhook: mine}],
  ] as const) {
    const {items, next_cursor} = await read(name, input, other);
    const cursor = next_cursor ?? '';
    const next = await read(name, {...input, cursor}, other);
    expect([name, items.length, next.items.length]).toEqual([name, 100, 1]);
    expect([name, JSON.stringify([items, next]).includes('DEMO')]).toEqual([name, false]);
    expectProblem(await call(name, {...input, cursor}), 'invalid_request', {
      fields: [expect.objectContaining({path: 'cursor'})],
    });
  }
  expect((await read('listDeliveries', {webhook: all})).items.length).toBe(100);
});

test('a key that is limited to services may not ask for what is about all services, except for the banks', async () => {
  const own = await shop('DEMO');
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
  await outbox().append([vendorEvent('DEMO', 'v-1')]);
  const id = (await read('listEvents', {})).items[0]?.id ?? '';
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  await read('createWebhook', {url}, own);
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
  const managed = {kind: 'management', origin, via: 'micropayment', service: 'DEMO2', subscription} as const;
  const {token} = await read('createSession', managed, other);
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

test('of webhooks that get events of all services, a key of one shop sees no delivery of its own events, and resends none to them', async () => {
  const {id: all} = await read('createWebhook', {url: `${url}-of-all`});
  const own = await shop('DEMO');
  const paid = await paidOrder();
  await runSweep();
  await runDurableObjectAlarm(outbox());
  const query = {service: 'DEMO', order: paid.order};
  const shown = async (as: CallOptions) => [
    (await read('showTimeline', query, as)).items.filter(({webhook}) => webhook !== null).map(({webhook}) => webhook),
    (await read('listWork', {service: 'DEMO', kind: 'delivery_failed'}, as)).items.map(
      ({delivery}) => delivery?.webhook,
    ),
    [...new Set((await read('listDeliveries', {}, as)).items.map(({webhook}) => webhook))],
  ];
  expect(await shown({bindings})).toEqual([[all], [all], [all]]);
  expect(await shown(own)).toEqual([[], [], []]);
  expect(await read('resendDeliveries', {}, own)).toEqual({resumed: 0});
  const [event] = (await read('listEvents', query, own)).items;
  for (const input of [{id: event?.id ?? ''}, {id: event?.id ?? '', webhook: all}])
    expectProblem(await call('resendEvent', input, own), 'not_configured');
  const {id: mine} = await read('createWebhook', {url}, own);
  expect(await read('resendEvent', {id: event?.id ?? ''}, own)).toMatchObject({state: 'waiting'});
  expect(await shown(own)).toEqual([[], [], [mine]]);
});

test('a shop has at most five of the ten places of webhooks, so that the other shop has the rest', async () => {
  const [own, other] = [await shop('DEMO'), await shop('OTHER')];
  for (let count = 0; count < 5; count += 1) await read('createWebhook', {url}, other);
  expectProblem(await call('createWebhook', {url}, other), 'webhook_limit');
  expectProblem(await call('createWebhook', {url}, await shop('OTHER')), 'webhook_limit');
  for (let count = 0; count < 5; count += 1) await read('createWebhook', {url}, own);
  expectProblem(await call('createWebhook', {url}, {bindings}), 'webhook_limit');
});
