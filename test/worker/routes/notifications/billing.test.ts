/** Notifications of mobile billing: hints that a record may have changed. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, countObjectCalls, replaceBindings, serviceObject, storedIn} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {HINT_KEY, notify} from '../../support/notifications.ts';
import {calls, control, hold, release, setFault, untilHeld} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

const [KEY, PREVIOUS] = [HINT_KEY, 'hush-fedcba9876543210fedcba9876543210'];
const bindings = {NOTIFICATIONS: 'billing subscription', NOTIFICATION_KEY: KEY};
const off = {...bindings, SUBSCRIPTION_SWEEP_SHARE: '0'};
/** The interval of the sweep of subscriptions. */
const INTERVAL = DAY / 300;
const SUBSCRIPTIONS = '/micropayment/subscriptions/search';
const CHARGES = '/micropayment/transactions/search';

const runAlarm = () => runDurableObjectAlarm(serviceObject());
const notifySubscription = (id: string, more = '', using: object = bindings) =>
  notify(`/hooks/subscription?key=${KEY}&subscription=${id}${more}`, {method: 'GET', bindings: {...using}});
const notifyCharge = (id: string) => notify(`/hooks/billing?key=${KEY}&charge=${id}`, {method: 'GET', bindings});
/** The events of mobile billing. An event of an earlier test's order may still arrive. */
const billingEvents = async () => (await outboxObject().read(0)).items.filter(({type}) => !type.startsWith('payment.'));
const eventsOfOutbox = async () =>
  (await billingEvents()).map(({type, data}) => [type, 'state' in data ? data.state : '']);
const countCallsTo = async (part: string) => (await calls()).filter(({path}) => path.includes(part)).length;

/** The object reads its own configuration, not that of the request. */
const configure = (own: object = bindings) => replaceBindings(serviceObject(), {...own});

/** Lets the service search until nothing is due for some time. */
async function pass(ms: number): Promise<void> {
  for (const end = Date.now() + ms; ; await runAlarm()) {
    const dueIn = await alarmIn(serviceObject());
    if (dueIn === null || Date.now() + dueIn > end) return advance(Math.max(0, end - Date.now()));
    await advance(Math.max(0, dueIn));
  }
}

/** Starts a subscription at the platform, with its first charge. */
async function subscribe(): Promise<{subscription: string; charge: string}> {
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {
    msisdn: '5321234567',
    operator: 1,
  });
  const {platform} = contextOf(env);
  const {transactions} = await platform.call('chargeSearch', {
    serviceId: '1',
    search: [{column: 'subscriptionId', term: String(subscription_id)}],
    sort: [],
  });
  return {subscription: String(subscription_id), charge: transactions.rows[0]?.id ?? ''};
}

test('a change is reported after the platform has shown it, and an unchanged record is not reported again', async () => {
  await configure();
  const {subscription, charge} = await subscribe();
  expect(await notifySubscription(subscription)).toBe('200 OK');
  expect(await notifyCharge(charge)).toBe('200 OK');
  await pass(2 * MINUTE);
  expect((await billingEvents()).map(({type, data}) => ({type, data}))).toMatchObject([
    {
      type: 'charge.changed',
      data: {
        service: 'DEMO',
        charge_id: charge,
        subscription_id: subscription,
        amount: '12.00',
        status: 3,
        state: 'successful',
        operator: 1,
      },
    },
    {
      type: 'subscription.changed',
      data: {
        service: 'DEMO',
        subscription_id: subscription,
        state: 'active',
        operator: 1,
        msisdn: '532*****67',
        tracking_id: null,
      },
    },
  ]);
  await control(`subscriptions/${subscription}/status`, {status: 'suspend'});
  for (let time = 0; time < 2; time += 1) {
    await notifySubscription(subscription);
    await pass(MINUTE);
  }
  expect((await eventsOfOutbox()).slice(2)).toEqual([['subscription.changed', 'suspend']]);
});

test('a cancelled subscription becomes one event subscription.cancelled', async () => {
  const {subscription} = await subscribe();
  const {platform} = contextOf(env);
  await platform.call('subscriptionCancel', {serviceId: '1', subscriptionId: subscription});
  await notifySubscription(subscription);
  await pass(MINUTE);
  expect(await eventsOfOutbox()).toEqual([['subscription.cancelled', 'cancelled']]);
});

test.for<[hook: string, kind: string, search: string]>([
  ['/hooks/subscription', 'subscription', SUBSCRIPTIONS],
  ['/hooks/billing', 'charge', CHARGES],
])(
  'at %s, a hundred notifications of any records cause one search a minute, and repetitions write nothing',
  async ([hook, kind, search]) => {
    await configure();
    const sendHundred = () =>
      Promise.all(
        Array.from({length: 100}, (_, id) =>
          notify(`${hook}?key=${KEY}&${kind}=${900_000 + id}`, {method: 'GET', bindings}),
        ),
      );
    // The first notification of a charge finds out whether charges can be searched by the time of change.
    await notify(`${hook}?key=${KEY}&${kind}=900000`, {method: 'GET', bindings});
    await pass(3 * MINUTE);
    const before = await countCallsTo(search);
    expect(new Set(await sendHundred())).toEqual(new Set(['200 OK']));
    const stored = await storedIn(serviceObject());
    await sendHundred();
    expect(await storedIn(serviceObject())).toEqual(stored);
    await runAlarm();
    expect(await countCallsTo(search)).toBe(before + 1);
    await sendHundred();
    expect(await alarmIn(serviceObject())).toBe(MINUTE);
  },
);

const sendIds = (count: number) =>
  notify(`/hooks/subscription?key=${KEY}`, {
    body: JSON.stringify(Array.from({length: count}, (_, index) => ({subscription: index + 1}))),
    bindings,
  });

test('a notification with a hundred ids causes one call of an object; with more ids it is refused', async () => {
  await notifySubscription('1');
  expect(await countObjectCalls(async () => expect(await sendIds(100)).toBe('200 OK'))).toEqual({
    'Service.receiveHints': 1,
  });
  expect(await sendIds(101)).toBe('413 too_large');
});

test('notifications all day cost the sweep no search more than its share', async () => {
  await configure();
  await notifySubscription('1');
  const before = await countCallsTo(SUBSCRIPTIONS);
  const hours = 3;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    await notifySubscription('1');
    await pass(MINUTE);
  }
  const made = (await countCallsTo(SUBSCRIPTIONS)) - before;
  // A few searches may be ahead of their time.
  expect(made).toBeGreaterThan((hours * HOUR) / INTERVAL);
  expect(made).toBeLessThan((hours * HOUR) / INTERVAL + 10);
});

test('only notifications with NOTIFICATION_KEY or the previous one wake a search', async () => {
  const keyed = {...bindings, NOTIFICATION_KEY_PREVIOUS: PREVIOUS};
  const send = (query: string, using: object = keyed) =>
    notify(`/hooks/subscription?${query}`, {method: 'GET', bindings: {...using}});
  const {NOTIFICATION_KEY: _key, ...keyless} = bindings;
  expect(await send('subscription=1', keyless)).toBe('501 not_configured');
  for (const query of ['subscription=1', 'subscription=1&key=', `subscription=1&key=${KEY.toUpperCase()}`])
    expect(await send(query)).toBe('400 Wrong Data');
  const body = JSON.stringify([{subscription: '1', key: KEY}]);
  expect(await notify('/hooks/subscription', {body, bindings: keyed})).toBe('400 Wrong Data');
  expect(await alarmIn(serviceObject())).toBeNull();
  for (const key of [KEY, PREVIOUS]) expect(await send(`subscription=1&key=${key}`)).toBe('200 OK');
  expect(await alarmIn(serviceObject())).toBe(0);
  expect(await notify(`/hooks/subscription?key=${KEY}`, {body, bindings: keyed})).toBe('200 OK');
});

test('the search that a notification wakes is repeated until it succeeds, even after a crash of all objects', async () => {
  await configure();
  const {subscription} = await subscribe();
  await notifySubscription('1');
  await pass(MINUTE);
  await control(`subscriptions/${subscription}/status`, {status: 'suspend'});
  await setFault({operation: SUBSCRIPTIONS, kind: '500-html'});
  await notifySubscription(subscription);
  await pass(MINUTE);
  await abortAllDurableObjects();
  await setFault({operation: SUBSCRIPTIONS, kind: 'clear'});
  await configure();
  await pass(10 * MINUTE);
  expect((await eventsOfOutbox()).at(-1)).toEqual(['subscription.changed', 'suspend']);
});

test('where the platform cannot be searched by the time of change, the record is read at once, and nothing is stored but that it must be read again', async () => {
  await configure(off);
  const {subscription} = await subscribe();
  const send = () => notifySubscription(subscription, '', off);
  await setFault({operation: '/micropayment/subscription/detail', kind: '500-html', times: 3});
  expect(await send()).toBe('503 Try Again');
  await setFault({operation: '/micropayment/subscription/detail', kind: 'clear'});
  expect(await runInDurableObject(serviceObject(), (_object, {storage}) => [...storage.kv.list()])).toEqual([
    ['service', 'DEMO'],
  ]);
  expect(await send()).toBe('200 OK');
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([['subscription.changed', 'active']]);
  // A hundred notifications of one record cost one read a minute, which shows the last change.
  const before = await countCallsTo('/subscription/detail');
  const answers = await Promise.all(Array.from({length: 100}, send));
  expect([new Set(answers), await countCallsTo('/subscription/detail')]).toEqual([new Set(['200 OK']), before]);
  await control(`subscriptions/${subscription}/status`, {status: 'suspend'});
  await pass(3 * MINUTE);
  expect(await countCallsTo('/subscription/detail')).toBe(before + 1);
  expect((await eventsOfOutbox()).at(-1)).toEqual(['subscription.changed', 'suspend']);
  expect(await notifySubscription('999999', '', off)).toBe('400 Wrong Data');
  // Each repetition reads the next five.
  const ids = [...Array.from({length: 11}, (_, index) => 900_000 + index), Number(subscription)];
  const many = JSON.stringify(ids.map((id) => ({subscription: id})));
  const read = await countCallsTo('/subscription/detail');
  await control(`subscriptions/${subscription}/status`, {status: 'active'});
  const answers12: string[] = [];
  for (let count = 0; count < 3; count += 1)
    answers12.push(await notify(`/hooks/subscription?key=${KEY}`, {body: many, bindings: off}));
  expect(answers12).toEqual(['503 Try Again', '503 Try Again', '400 Wrong Data']);
  expect((await countCallsTo('/subscription/detail')) - read).toBe(12);
  await runAlarm();
  expect((await eventsOfOutbox()).at(-1)).toEqual(['subscription.changed', 'active']);
});

test.for<[kind: 'charge' | 'subscription', search: string, using: 'sweep' | 'off']>([
  ['charge', CHARGES, 'sweep'],
  ['subscription', SUBSCRIPTIONS, 'sweep'],
  ['subscription', '/micropayment/subscription/detail', 'off'],
])('if a %s is named again while %s is being read, it is read once more', async ([kind, path, using]) => {
  const settings = using === 'off' ? off : bindings;
  await configure(settings);
  const ids = await subscribe();
  const hook = kind === 'charge' ? '/hooks/billing' : '/hooks/subscription';
  const send = () => notify(`${hook}?key=${KEY}&${kind}=${ids[kind]}`, {method: 'GET', bindings: {...settings}});
  if (using === 'sweep') {
    await send();
    await pass(3 * MINUTE);
  }
  const before = await countCallsTo(path);
  await hold(path);
  const first = send();
  if (using === 'sweep') await first;
  const alarm = using === 'sweep' ? pass(0) : undefined;
  await untilHeld();
  await advance(SECOND);
  const second = await send();
  await release(path);
  await alarm;
  expect([await first, second]).toEqual(['200 OK', '200 OK']);
  expect(await countCallsTo(path)).toBe(before + 1);
  await pass(2 * MINUTE);
  expect(await countCallsTo(path)).toBe(before + 2);
});

test('steady notifications leave the last searches to pages: the charge of a page is found within seconds', async () => {
  await configure();
  await runInDurableObject(serviceObject(), (_object, {storage}) =>
    storage.kv.put('chargeSearches', {left: 15, at: Date.now()}),
  );
  // One search a minute would use them up in half an hour, because every third minute allows another one.
  for (let minute = 0; minute < 30; minute += 1) {
    await serviceObject().receiveHints('DEMO', 'charge', ['900000']);
    await pass(MINUTE);
  }
  await serviceObject().trackPaymentPage('DEMO', {order: 'VZ-1', until: Date.now() + HOUR});
  const view = {order: 'VZ-1', until: Date.now() + HOUR, opened: true, settled: false};
  await runAlarm();
  await serviceObject().reportView(view);
  expect(await alarmIn(serviceObject())).toBeLessThanOrEqual(10 * SECOND);
});

test.for(['refused', 'ignored'])(
  'a platform by which the time of change is %s is asked for the charges that notifications name',
  async (charge_changes) => {
    await control('readings', {charge_changes});
    await configure();
    // The first notification finds out whether charges can be searched by the time of change.
    for (let count = 1; count <= 3; count += 1) {
      const {charge} = await subscribe();
      expect(await notifyCharge(charge)).toBe('200 OK');
      await pass(10 * MINUTE);
      expect(await eventsOfOutbox()).toEqual(Array.from({length: count}, () => ['charge.changed', 'successful']));
    }
  },
);

test('a notification names a service by code or id, or omits the only service; an invalid one gets Wrong Data', async () => {
  for (const more of ['&service=DEMO', '&service=1', '']) expect(await notifySubscription('7', more)).toBe('200 OK');
  for (const [id, more] of [
    ['7', '&service=OTHER'],
    ['x', ''],
    ['', ''],
    ['7', '&subscription=8'],
    ['123456789012345678901', ''],
  ] as const) {
    expect(await notifySubscription(id, more), id + more).toBe('400 Wrong Data');
  }
  const two = {...bindings, SERVICES: {DEMO: {micropaymentId: 1}, MORE: {micropaymentId: 2}}};
  expect(await notifySubscription('7', '', two)).toBe('400 Wrong Data');
  const body = '[{"charge":1},{"charge":2}]';
  await evictDurableObject(serviceObject());
  expect(
    await notify(`/hooks/subscription?key=${KEY}`, {body: body.replaceAll('charge', 'subscription'), bindings}),
  ).toBe('200 OK');
});

test('a hook that NOTIFICATIONS does not name gets 404; without mobile billing it gets 501', async () => {
  expect(await notify('/hooks/subscription?subscription=7', {method: 'GET'})).toBe('404 not_found');
  expect(await notify('/hooks/billing?charge=7', {method: 'GET', bindings: {NOTIFICATIONS: 'subscription'}})).toBe(
    '404 not_found',
  );
  expect(
    await notify('/hooks/billing?charge=7', {method: 'GET', bindings: {...bindings, MICROPAYMENT_URL: undefined}}),
  ).toBe('501 not_configured');
});
