/**
 * Tests that the sweep reports changes of subscriptions that were made elsewhere, without the Worker. It reports each
 * change once, and uses at most its share of the searches.
 */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {withLogScope} from '../../../../worker/lib/log-scope.ts';
import {Outbox} from '../../../../worker/objects/events/outbox.ts';
import type {Service} from '../../../../worker/objects/service/service.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {alarmIn, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {ask, askMerchant} from '../../support/page.ts';
import {calls, control, setFault} from '../../support/sandbox.ts';
import {newNumber} from '../../support/subscriber.ts';
import {breakOutbox, outboxObject, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

const SEARCH = '/micropayment/subscriptions/search';
/** The interval of a sweep that may use 300 searches a day. */
const INTERVAL = DAY / 300;

const serviceObject = (): DurableObjectStub<Service> => contextOf(env).objects.service('DEMO');
const runAlarm = () => runDurableObjectAlarm(serviceObject());
const countSearches = async () => (await calls()).filter(({path}) => path === SEARCH).length;

async function subscribeElsewhere(): Promise<string> {
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn: newNumber()});
  return String(subscription_id);
}

/** Types, ids and states of the events. */
async function events(): Promise<string[]> {
  const items = [];
  for (let page = await outboxObject().read(0); page.items.length > 0; page = await outboxObject().read(page.position))
    items.push(...page.items);
  return items.map(({type, data}) => [type, ...subscriptionOf(data)].join(' '));
}

function subscriptionOf(data: object): string[] {
  const {subscription_id = '', state = ''} = data as {subscription_id?: string; state?: string};
  return [subscription_id, state];
}

/** Advances the clock, and runs every alarm that becomes due in this time. */
async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    const dueIn = await alarmIn(serviceObject());
    if (dueIn === null || Date.now() + dueIn > end) break;
    await advance(Math.max(0, dueIn));
    await runAlarm();
  }
  await advance(end - Date.now());
}

/** Starts the sweep, and lets it report subscriptions that began elsewhere. */
async function sweepNew(count: number): Promise<string[]> {
  await serviceObject().startSubscriptionSweep('DEMO');
  const ids = [];
  for (let index = 0; index < count; index += 1) ids.push(await subscribeElsewhere());
  await pass(20 * MINUTE);
  expect(await events()).toEqual(ids.map((id) => `subscription.changed ${id} active`));
  return ids;
}

test.each([
  {},
  {search_time: 'iso', invalid_parameter: 'API_ERR_1023'},
  {renewal_id: 'same', search_time: 'space'},
  {subscription_listed: 'later'},
])(
  'with the reading %j, a cancellation and a renewal made elsewhere are each reported once, within two intervals',
  async (reading) => {
    await control('readings', reading);
    const [cancelled = '', renewed = '', ...others] = await sweepNew(3);
    await control(`subscriptions/${cancelled}/cancel`, {source: 'sms'});
    const {subscription_id: cycle} = await control<{subscription_id: number}>(`subscriptions/${renewed}/renew`);
    expect(String(cycle) === renewed).toBe(reading.renewal_id === 'same');
    await pass(2 * INTERVAL);
    const expected = [
      ...[cancelled, renewed, ...others].map((id) => `subscription.changed ${id} active`),
      `subscription.cancelled ${cancelled} cancelled`,
      `subscription.${reading.renewal_id === 'same' ? 'renewed' : 'changed'} ${cycle} active`,
    ];
    expect((await events()).toSorted()).toEqual(expected.toSorted());
    await evictDurableObject(serviceObject());
    await pass(3 * INTERVAL);
    expect(await events()).toHaveLength(expected.length);
  },
);

test.each([{renewal_id: 'same'}, {renewal_id: 'new', search_sort: 'newest_first'}])(
  'with the reading %j, each cycle that begins when it is due is one event, with its charge',
  async (reading) => {
    await control('readings', reading);
    const [first = ''] = await sweepNew(1);
    let previous = first;
    for (let cycle = 1; cycle <= 2; cycle += 1) {
      await advance(7 * DAY - HOUR);
      await pass(2 * HOUR);
      const {items} = await outboxObject().read(0);
      expect(items).toHaveLength(cycle + 1);
      const {type, data} = items.at(-1) as {type: string; data: Record<string, unknown>};
      const id = String(data['subscription_id']);
      expect(id === previous).toBe(reading.renewal_id === 'same');
      expect([type, data]).toMatchObject([
        'subscription.renewed',
        {
          state: 'active',
          previous_subscription_id: reading.renewal_id === 'same' ? null : previous,
          charge: {subscription_id: id, amount: '12.00', state: 'successful', status: 3},
        },
      ]);
      previous = id;
    }
  },
);

test('if charges cannot be searched, the event of a renewal has no charge', async () => {
  await sweepNew(1);
  await setFault({operation: '/micropayment/transactions/search', kind: '500-html'});
  await advance(7 * DAY);
  await pass(HOUR);
  expect((await outboxObject().read(0)).items.at(-1)).toMatchObject({
    type: 'subscription.renewed',
    data: {charge: null},
  });
});

test('an event says when the subscription will be renewed, and masks its number', async () => {
  const [id = ''] = await sweepNew(1);
  const {subscription_id} = await control<{subscription_id: number}>(`subscriptions/${id}/renew`);
  await pass(2 * INTERVAL);
  expect((await outboxObject().read(0)).items.at(-1)).toMatchObject({
    type: 'subscription.changed',
    data: {
      service: 'DEMO',
      subscription_id: String(subscription_id),
      msisdn: expect.stringMatching(/^53\d\*{5}\d\d$/) as string,
      tracking_id: null,
      renewal_date: expect.stringContaining('+03:00') as string,
    },
  });
});

test('a cancellation through the Worker causes one event', async () => {
  const [id = ''] = await sweepNew(1);
  const answer = await askMerchant(`subscriptions/DEMO/${id}/cancel`);
  expect(answer.status, answer.text).toBe(200);
  await pass(3 * INTERVAL);
  expect(await events()).toEqual([`subscription.changed ${id} active`, `subscription.cancelled ${id} cancelled`]);
});

test('a change that a notification reports and the sweep finds causes one event', async () => {
  const [id = ''] = await sweepNew(1);
  await control(`subscriptions/${id}/cancel`);
  await serviceObject().receiveHints('DEMO', 'subscription', [id]);
  await pass(3 * INTERVAL);
  expect(await events()).toEqual([`subscription.changed ${id} active`, `subscription.cancelled ${id} cancelled`]);
});

test('even for a long list, the sweep uses at most its share of a day’s searches', async () => {
  const bindings = {SUBSCRIPTION_SWEEP_SHARE: '0.01'};
  await control('readings', {search_time: 'iso'});
  await replaceBindings(serviceObject(), bindings);
  await serviceObject().startSubscriptionSweep('DEMO');
  const ids = await Promise.all(Array.from({length: 120}, subscribeElsewhere));
  const perDay = [];
  for (let day = 0; day < 2; day += 1) {
    const before = await countSearches();
    await pass(DAY - 1);
    perDay.push((await countSearches()) - before);
  }
  expect(perDay).toEqual([10, 10]);
  expect((await events()).toSorted()).toEqual(ids.map((id) => `subscription.changed ${id} active`).toSorted());
});

test('when the day’s searches are used up, the sweep continues as soon as it may search again, and misses nothing', async () => {
  const [id = ''] = await sweepNew(1);
  const quota = contextOf(env).objects.platform();
  await replaceBindings(quota, {QUOTAS: {search_subscriptions: {day: 0, second: null}}});
  await control(`subscriptions/${id}/cancel`);
  const before = await countSearches();
  await pass(HOUR);
  expect((await countSearches()) - before).toBe(0);
  await evictDurableObject(quota);
  await pass((await alarmIn(serviceObject())) ?? 0);
  await pass(2 * INTERVAL);
  expect(await events()).toEqual([`subscription.changed ${id} active`, `subscription.cancelled ${id} cancelled`]);
});

test('while searches fail, the delays between them grow; the first success reports what has changed', async () => {
  const [id = ''] = await sweepNew(1);
  await setFault({operation: SEARCH, kind: '500-html'});
  await control(`subscriptions/${id}/cancel`);
  await pass(5 * HOUR);
  const delays = logLines('subscriptions_unread').map(({retry_in_ms}) => Number(retry_in_ms));
  expect(delays.slice(0, 3)).toEqual([10 * MINUTE, 20 * MINUTE, 40 * MINUTE]);
  expect(Math.max(...delays)).toBe(HOUR);
  await setFault({operation: SEARCH, kind: 'clear'});
  await pass(HOUR);
  expect(await events()).toEqual([`subscription.changed ${id} active`, `subscription.cancelled ${id} cancelled`]);
});

test('a restart between reading a change and reporting it loses nothing and reports nothing twice', async () => {
  const [first = '', second = ''] = await sweepNew(2);
  const before = await events();
  await control(`subscriptions/${first}/cancel`);
  await breakOutbox();
  await pass(INTERVAL);
  await abortAllDurableObjects();
  await repairOutbox();
  await control(`subscriptions/${second}/cancel`);
  const append = vi.spyOn(Outbox.prototype, 'append').mockImplementation(() => new Promise(() => {}));
  await advance((await alarmIn(serviceObject())) ?? 0);
  await advance(INTERVAL);
  const interrupted = runAlarm().catch(() => {});
  await expect.poll(() => append.mock.calls.length).toBeGreaterThan(0);
  append.mockRestore();
  await abortAllDurableObjects();
  await interrupted;
  // The runtime would repeat the interrupted alarm. In the test, the call plans the alarm again.
  await withLogScope({request_id: 'r'}, () => contextOf(env).objects.service('DEMO').ages());
  await pass(2 * INTERVAL);
  expect(await events()).toEqual([...before, ...[first, second].map((id) => `subscription.cancelled ${id} cancelled`)]);
});

test('without mobile billing no sweep starts, and a share of 0 ends a sweep that has started', async () => {
  await replaceBindings(serviceObject(), {MICROPAYMENT_URL: undefined});
  await serviceObject().startSubscriptionSweep('DEMO');
  expect(await alarmIn(serviceObject())).toBeNull();
  await evictDurableObject(serviceObject());
  await serviceObject().startSubscriptionSweep('DEMO');
  expect(await alarmIn(serviceObject())).toBe(0);
  await replaceBindings(serviceObject(), {SUBSCRIPTION_SWEEP_SHARE: '0'});
  await runAlarm();
  expect([await alarmIn(serviceObject()), await countSearches()]).toEqual([null, 0]);
});

test('the sweep starts when the merchant’s server reads events', async () => {
  const headers = {authorization: 'Bearer sandbox-merchant-api-key'};
  const {status} = await ask('/merchant/v1/events', {headers, bindings: {}});
  expect(status).toBe(200);
  await expect.poll(() => alarmIn(serviceObject())).toBe(0);
});
