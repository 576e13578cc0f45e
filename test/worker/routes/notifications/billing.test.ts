/** Notifications of mobile billing: unsigned hints that anyone could send. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {MobileBilling} from '../../../../worker/objects/billing/mobile-billing.ts';
import {PlatformClient} from '../../../../worker/platform/client.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {alarmIn, countObjectCalls, replaceBindings, storedIn} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {notify} from '../../support/notifications.ts';
import {calls, control, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

const bindings = {NOTIFICATIONS: 'billing subscription'};
const mobileBilling = (): DurableObjectStub<MobileBilling> => contextOf(env).objects.mobileBilling('DEMO');
const quota = () => contextOf(env).objects.platform();
const runAlarm = () => runDurableObjectAlarm(mobileBilling());
const notifySubscription = (id: string, more = '') =>
  notify(`/hooks/subscription?subscription=${id}${more}`, {method: 'GET', bindings});
const notifyCharge = (id: string) => notify(`/hooks/billing?charge=${id}`, {method: 'GET', bindings});
const eventsOfOutbox = async () =>
  (await outboxObject().read(0)).items.map(({type, data}) => [type, 'state' in data ? data.state : '']);
const countCallsTo = async (part: string) => (await calls()).filter(({path}) => path.includes(part)).length;

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

test('a change is reported after the record was read back, and an unchanged record is not reported again', async () => {
  const {subscription, charge} = await subscribe();
  expect(await notifySubscription(subscription)).toBe('200 OK');
  expect(await notifyCharge(charge)).toBe('200 OK');
  await runAlarm();
  const {items} = await outboxObject().read(0);
  expect(items.map(({type, data}) => ({type, data}))).toMatchObject([
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
  await advance(MINUTE);
  await notifySubscription(subscription);
  await runAlarm();
  await advance(MINUTE);
  await notifySubscription(subscription);
  await runAlarm();
  expect((await eventsOfOutbox()).slice(2)).toEqual([['subscription.changed', 'suspend']]);
});

test('a cancelled subscription becomes one event subscription.cancelled', async () => {
  const {subscription} = await subscribe();
  const {platform} = contextOf(env);
  await platform.call('subscriptionCancel', {serviceId: '1', subscriptionId: subscription});
  await notifySubscription(subscription);
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([['subscription.cancelled', 'cancelled']]);
});

test('a hundred hints about one record cost one platform call a minute', async () => {
  const {subscription} = await subscribe();
  await Promise.all(Array.from({length: 100}, () => notifySubscription(subscription)));
  await runAlarm();
  await Promise.all(Array.from({length: 100}, () => notifySubscription(subscription)));
  expect(await countCallsTo('/subscription/detail')).toBe(1);
  expect(await alarmIn(mobileBilling())).toBe(MINUTE);
  await advance(MINUTE);
  await runAlarm();
  expect(await countCallsTo('/subscription/detail')).toBe(2);
});

test('a notification with a hundred hints causes one object call, and repeated hints write nothing', async () => {
  const body = JSON.stringify(Array.from({length: 100}, (_, index) => ({charge: String(1 + (index % 50))})));
  const send = () => notify('/hooks/billing', {body, bindings});
  const first = await countObjectCalls(async () => expect(await send()).toBe('200 OK'));
  expect(first).toEqual({'MobileBilling.record': 1});
  expect(await send()).toBe('200 OK');
  const stored = await storedIn(mobileBilling());
  const written = await runInDurableObject(mobileBilling(), async (object, {storage}) => {
    const {exec} = storage.sql;
    const setAlarm = vi.spyOn(storage, 'setAlarm');
    let rows = 0;
    const spy = vi.spyOn(storage.sql, 'exec').mockImplementation(((...args: Parameters<typeof exec>) => {
      const cursor = exec.apply(storage.sql, args);
      rows += cursor.rowsWritten;
      return cursor;
    }) as typeof exec);
    await object.record(
      Array.from({length: 50}, (_, index) => ({kind: 'charge', service: 'DEMO', id: `${index + 1}`})),
      null,
    );
    spy.mockRestore();
    return [rows, setAlarm.mock.calls.length];
  });
  expect(written).toEqual([0, 0]);
  expect(await storedIn(mobileBilling())).toEqual(stored);
});

const idsOf = (kind: string, count: number) =>
  JSON.stringify(Array.from({length: count}, (_, index) => ({[kind]: String(900_000 + index)})));
const sendFrom = (address: string, kind: 'billing' | 'subscription', body: string) =>
  notify(`/hooks/${kind}`, {body, address, bindings});

test('without a key, one network lets fifty ids wait, and the two kinds have places of their own', async () => {
  expect(await sendFrom('2001:db8:7:1::1', 'billing', idsOf('charge', 50))).toBe('200 OK');
  expect(await sendFrom('2001:db8:7:2::1', 'billing', idsOf('charge', 51))).toBe('503 Try Again');
  expect(await sendFrom('2001:db8:8:1::1', 'billing', idsOf('charge', 51))).toBe('200 OK');
  expect(await sendFrom('2001:db8:7:1::1', 'subscription', idsOf('subscription', 50))).toBe('200 OK');
});

test('with NOTIFICATION_KEY, only notifications with this key or the previous one are stored', async () => {
  const [key, previous] = ['hush-0123456789abcdef0123456789abcdef', 'hush-fedcba9876543210fedcba9876543210'];
  const keyed = {...bindings, NOTIFICATION_KEY: key, NOTIFICATION_KEY_PREVIOUS: previous};
  const send = (query: string) => notify(`/hooks/billing?${query}`, {method: 'GET', bindings: keyed});
  for (const query of ['charge=1', 'charge=1&key=', `charge=1&key=${key.toUpperCase()}`])
    expect(await send(query)).toBe('400 Wrong Data');
  const body = JSON.stringify(Array.from({length: 100}, (_, index) => ({charge: String(index + 1), key})));
  expect(await notify('/hooks/billing', {body, bindings: keyed})).toBe('400 Wrong Data');
  for (const good of [key, previous]) expect(await send(`charge=42&key=${good}`)).toBe('200 OK');
  expect(await notify(`/hooks/billing?key=${key}`, {body, bindings: keyed})).toBe('200 OK');
});

test('every ten hints of a notification count as one request of the sender', async () => {
  const keys: string[] = [];
  const limited = (allowed: number) => ({
    ...bindings,
    ADDRESS_RATE: {limit: ({key}: {key: string}) => Promise.resolve({success: keys.push(key) <= allowed})},
  });
  const body = JSON.stringify(Array.from({length: 95}, (_, index) => ({charge: String(index + 1)})));
  expect(await notify('/hooks/billing', {body, bindings: limited(10)})).toBe('503 Try Again');
  expect(keys).toHaveLength(10);
  expect(await notify('/hooks/billing', {body, bindings: limited(15)})).toBe('429 rate_limited');
});

test('if a hint is received again while its record is being read, the record is read once more', async () => {
  const {charge} = await subscribe();
  for (let count = 0; count < 3; count += 1) await notifyCharge(charge);
  const original = contextOf(env).platform.call.bind(contextOf(env).platform);
  const call = vi.spyOn(PlatformClient.prototype, 'call').mockImplementationOnce(async (...args) => {
    await notifyCharge(charge);
    call.mockRestore();
    return original(...args);
  });
  await runAlarm();
  expect(await countCallsTo('transaction/detail')).toBe(1);
  await advance(MINUTE);
  expect(await runAlarm()).toBe(true);
  expect(await countCallsTo('transaction/detail')).toBe(2);
  await advance(MINUTE);
  await runAlarm();
  expect(await countCallsTo('transaction/detail')).toBe(2);
});

test('forged hints cause a limited number of platform calls, in small batches', async () => {
  const answers = await Promise.all(
    Array.from({length: 600}, (_, index) => notifySubscription(String(900_000 + index))),
  );
  expect([
    answers.filter((answer) => answer === '200 OK').length,
    answers.filter((answer) => answer === '503 Try Again').length,
  ]).toEqual([250, 350]);
  await runAlarm();
  expect(await countCallsTo('/subscription/detail')).toBe(5);
  expect(await alarmIn(mobileBilling())).toBe(5 * SECOND);
  // Simulates that most of the day's calls were used.
  await runInDurableObject(mobileBilling(), (_object, {storage}) =>
    storage.kv.put('reads subscription', {day: platformTime().slice(0, 10), count: 198}),
  );
  for (let batch = 0; batch < 3; batch += 1) {
    await advance(5 * SECOND);
    await runAlarm();
  }
  expect(await countCallsTo('/subscription/detail')).toBe(7);
  expect(await eventsOfOutbox()).toEqual([]);
});

/** Sends `count` subscription ids, starting with `from`, in one notification. */
const notifyAll = (from: number, count: number) =>
  notify('/hooks/subscription', {
    body: JSON.stringify(Array.from({length: count}, (_, index) => ({subscription: from + index}))),
    bindings,
  });

test('a notification may contain a hundred ids; after an id that finds no room, the rest are ignored', async () => {
  expect(await notifyAll(1_000, 101)).toBe('413 too_large');
  for (let from = 1_000; from < 1_250; from += 50) expect(await notifyAll(from, 50)).toBe('200 OK');
  // The second id is already waiting. If it were not ignored, its hint would be counted again.
  expect(await notifyAll(999, 2)).toBe('503 Try Again');
  expect(
    await runInDurableObject(mobileBilling(), (_object, {storage}) =>
      storage.sql.exec("SELECT repeated FROM hints WHERE id = '1000'").toArray(),
    ),
  ).toEqual([{repeated: 0}]);
});

test('hints are checked five at a time, with five seconds between the batches', async () => {
  for (let batch = 1; batch <= 3; batch += 1) {
    await Promise.all(Array.from({length: 8}, (_, index) => notifySubscription(String(910_000 + 10 * batch + index))));
    expect(await alarmIn(mobileBilling())).toBeLessThanOrEqual(batch === 1 ? 0 : 5 * SECOND);
    await runAlarm();
    await notifySubscription(String(920_000 + batch));
    expect(await alarmIn(mobileBilling())).toBe(5 * SECOND);
    expect(await countCallsTo('/subscription/detail')).toBe(5 * batch);
    await advance(SECOND);
    await notifySubscription(String(930_000 + batch));
    expect(await alarmIn(mobileBilling())).toBe(4 * SECOND);
    await advance(4 * SECOND);
  }
});

test('a failed check is retried, even after a crash of all objects', async () => {
  const {charge} = await subscribe();
  await setFault({operation: '/micropayment/transaction/detail', kind: '500-html'});
  await notifyCharge(charge);
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([]);
  await abortAllDurableObjects();
  await control('faults');
  await advance(15 * MINUTE);
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([['charge.changed', 'successful']]);
});

test('hints survive an outage of hours, and expire with a log line after three days', async () => {
  const {subscription, charge} = await subscribe();
  for (const operation of ['transaction', 'subscription'])
    await setFault({operation: `/micropayment/${operation}/detail`, kind: '500-html'});
  await notifyCharge(charge);
  for (const end = Date.now() + 3 * HOUR; Date.now() < end;) {
    await runAlarm();
    await advance((await alarmIn(mobileBilling())) ?? 0);
  }
  await setFault({operation: '/micropayment/transaction/detail', kind: 'clear'});
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([['charge.changed', 'successful']]);
  await notifySubscription(subscription);
  await runAlarm();
  await advance(3 * DAY);
  await runAlarm();
  // Nothing is left to read; the alarm is for the deletion after 400 days.
  expect(await alarmIn(mobileBilling())).toBeGreaterThan(300 * DAY);
  expect(logLines('hint_expired')).toMatchObject([
    {level: 'error', event: 'hint_expired', service: 'DEMO', names: ['subscription']},
  ]);
});

test('a check that a platform limit delays does not count as a try, and is made when the limit allows', async () => {
  const {charge} = await subscribe();
  await replaceBindings(quota(), {QUOTAS: {get_charge: {day: 0, second: null}}});
  await notifyCharge(charge);
  await runAlarm();
  const count = () =>
    runInDurableObject(mobileBilling(), (_object, {storage}) => storage.kv.get<{count: number}>('reads charge')?.count);
  expect([await countCallsTo('/transaction/detail'), await count()]).toEqual([0, 0]);
  await evictDurableObject(quota());
  await advance((await alarmIn(mobileBilling())) ?? 0);
  await runAlarm();
  expect(await eventsOfOutbox()).toEqual([['charge.changed', 'successful']]);
});

test('a hint names a service by code or id, or omits the only service; invalid hints get Wrong Data', async () => {
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
  expect(
    await notify('/hooks/subscription?subscription=7', {
      method: 'GET',
      bindings: {...bindings, SERVICES: {DEMO: {micropaymentId: 1}, MORE: {micropaymentId: 2}}},
    }),
  ).toBe('400 Wrong Data');
  expect(await notify('/hooks/billing', {body: '[{"charge":1},{"charge":2}]', bindings})).toBe('200 OK');
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
