/** Tests how the merchant learns the id of a subscription that began, and that the shopper never waits for this id. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {ShownSubscription} from '../../../../worker/contract/browser/subscription-answers.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, breakMethod, everythingStored, mendMethod, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {askAsPage, askMerchant, openMerchantSession, openSubscription, read} from '../../support/page.ts';
import {calls, control, hold, pinOf, subscriptionsOf, untilHeld} from '../../support/sandbox.ts';
import {awaitPins, newNumber, oneClick, receivePin, subscribe} from '../../support/subscriber.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();
awaitPins();

const SEARCH = '/micropayment/subscriptions/search';
const countSearches = async () => (await calls()).filter(({path}) => path === SEARCH).length;
const serviceObject = () => contextOf(env).objects.service('DEMO');
const subscriberOf = (key: string) => contextOf(env).objects.subscriber(key);

interface ReportedSubscription {
  readonly type: string;
  readonly service: string | null;
  readonly subscription_id: string | null;
  readonly tracking_id: string | null;
  readonly product: number | null;
}

async function events(): Promise<ReportedSubscription[]> {
  return (await outboxObject().read(0)).items.map(({type, data}) => {
    const {service, subscription_id, tracking_id, product} = data as Omit<ReportedSubscription, 'type'>;
    return {type, service, subscription_id, tracking_id, product};
  });
}

/** Subscribes a new number on a page. @returns the number, and the id of its subscription at the platform. */
async function subscribeOnPage(): Promise<{msisdn: string; id: string}> {
  const msisdn = newNumber();
  const {token} = await openSubscription();
  const pin = await receivePin({token, msisdn});
  expect((await subscribe({token, msisdn, pin})).body).toEqual({state: 'subscribed'});
  return {msisdn, id: (await subscriptionsOf(msisdn))[0]?.id ?? ''};
}

const started = (id: string | null) => ({
  type: 'subscription.started',
  service: id === null ? null : 'DEMO',
  subscription_id: id,
  tracking_id: 't-81c4',
  product: 77,
});
const identified = (id: string) => ({...started(id), type: 'subscription.changed'});

/** Runs the alarms with which a number's object looks up the id of the subscription. */
async function runLookups(msisdn: string): Promise<void> {
  for (const delayMs of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE]) {
    await advance(delayMs);
    await runDurableObjectAlarm(await subscriberOf(msisdn));
  }
}

/** Lets the sweep of subscriptions search for half an hour. */
async function sweep(): Promise<void> {
  for (let minute = 0; minute < 30; minute += 1) {
    await advance(MINUTE);
    if (((await alarmIn(serviceObject())) ?? 1) <= 0) await runDurableObjectAlarm(serviceObject());
  }
}

test('the event of a start names a subscription for which the merchant can make a management session', async () => {
  const {id, msisdn} = await subscribeOnPage();
  await expect.poll(events).toEqual([started(id)]);
  const [event] = await events();
  const {token} = await openMerchantSession({
    kind: 'management',
    via: 'micropayment',
    service: event?.service ?? '',
    subscription: event?.subscription_id ?? '',
  });
  expect(read(await askAsPage('GET', '/v1/subscription', {token}), ShownSubscription).subscription).toMatchObject({
    id,
    state: 'active',
  });
  expect(await everythingStored()).not.toContain(msisdn);
});

const consents = () => contextOf(env).objects.archivedConsents(formatMonth(Date.now()));
const receiptsOf = (subscription: string) => consents().findReceipts({service: 'DEMO', subscription, network: null});

test.for([
  [{}, '29.90'],
  [{trial_fee: 'zero'}, null],
] as const)(
  'a trial is in the terms, the receipt and the subscription, under the reading %j',
  async ([reading, price]) => {
    await control('readings', reading);
    const {token} = await openMerchantSession({
      kind: 'subscription',
      product: 78,
      price: '29.90',
      period: 'monthly',
      trial_days: 7,
      title: {tr: 'Kulüp', en: 'Club'},
      terms: {tr: 'Yedi gün ücretsiz.', en: 'Seven days free.'},
      operators: [{id: 1, name: 'Bir'}],
    });
    expect((await askAsPage('GET', '/v1/session', {token})).body).toMatchObject({trial_days: 7});
    const msisdn = newNumber();
    await subscribe({token, msisdn, pin: await receivePin({token, msisdn})});
    const [{id} = {id: ''}] = await subscriptionsOf(msisdn);
    await expect.poll(events).toEqual([{...started(id), product: 78}]);
    expect(await receiptsOf(id)).toMatchObject([{trialDays: 7, period: 'monthly'}]);
    const management = {kind: 'management', via: 'micropayment', service: 'DEMO', subscription: id};
    const show = async () => {
      const {token: session} = await openMerchantSession(management);
      return read(await askAsPage('GET', '/v1/subscription', {token: session}), ShownSubscription).subscription;
    };
    expect(await show()).toMatchObject({state: 'active', price, trial_days: 7});
    await advance(8 * DAY);
    expect(await show()).toMatchObject({trial_days: null});
  },
);

test('a receipt gets the subscription’s id, even if `Archive` cannot be reached at the first lookup', async () => {
  const first = await subscribeOnPage();
  await expect.poll(() => receiptsOf(first.id)).toHaveLength(1);
  await breakMethod(consents(), 'assignSubscription');
  const {id, msisdn} = await subscribeOnPage();
  await expect.poll(events).toEqual([started(first.id), started(id)]);
  await mendMethod(consents(), 'assignSubscription');
  expect(await receiptsOf(id)).toEqual([]);
  await advance(5 * SECOND);
  await runDurableObjectAlarm(await subscriberOf(msisdn));
  expect(await receiptsOf(id)).toHaveLength(1);
  expect(await events()).toHaveLength(2);
  expect(await everythingStored()).not.toContain(msisdn);
});

test('the sweep does not report a start that the Worker reported, but it reports the later cancellation', async () => {
  const {id} = await subscribeOnPage();
  await expect.poll(events).toEqual([started(id)]);
  await sweep();
  expect(await events()).toEqual([started(id)]);
  await control(`subscriptions/${id}/cancel`);
  await sweep();
  expect((await events()).slice(1)).toMatchObject([{type: 'subscription.cancelled', subscription_id: id}]);
});

test('if the platform lists a subscription later, a second event has the id, and the sweep adds no event', async () => {
  await control('readings', {subscription_listed: 'later'});
  const {id, msisdn} = await subscribeOnPage();
  await expect.poll(events).toEqual([started(null)]);
  await serviceObject().startSubscriptionSweep('DEMO');
  await advance(61 * SECOND);
  await runDurableObjectAlarm(serviceObject());
  await runLookups(msisdn);
  expect(await events()).toEqual([started(null), identified(id)]);
  await sweep();
  expect(await events()).toHaveLength(2);
  expect(await everythingStored()).not.toContain(msisdn);
});

test('the shopper is answered before a slow lookup ends, and a crash during the lookup loses no event', async () => {
  await hold(SEARCH);
  const {id, msisdn} = await subscribeOnPage();
  await untilHeld();
  const subscriber = await subscriberOf(msisdn);
  expect(await alarmIn(subscriber)).toBeLessThanOrEqual(10 * SECOND);
  expect(await events()).toEqual([]);
  await abortAllDurableObjects();
  await replaceBindings(contextOf(env).objects.platform(), {QUOTAS: {search_subscriptions: {second: null}}});
  await advance(10 * SECOND);
  await runDurableObjectAlarm(await subscriberOf(msisdn));
  expect(await events()).toEqual([started(id)]);
});

test('if the day’s searches are used up, the event has no id, and a second event has it the next day', async () => {
  const quota = contextOf(env).objects.platform();
  await replaceBindings(quota, {QUOTAS: {search_subscriptions: {day: 0, second: null}}});
  const {id, msisdn} = await subscribeOnPage();
  await expect.poll(events).toEqual([started(null)]);
  await serviceObject().startSubscriptionSweep('DEMO');
  await runLookups(msisdn);
  expect([await countSearches(), (await events()).length]).toEqual([0, 1]);
  await replaceBindings(quota, {QUOTAS: {search_subscriptions: {second: null}}});
  await sweep();
  const listed = {...identified(id), tracking_id: null, product: null};
  expect(await events()).toEqual([started(null), listed]);
  await runDurableObjectAlarm(await subscriberOf(msisdn));
  await expect.poll(events).toEqual([started(null), listed, identified(id)]);
  expect(await everythingStored()).not.toContain(msisdn);
});

test('without mobile billing, the event has no id, and nothing is looked up', async () => {
  const msisdn = newNumber();
  const {token} = await openSubscription();
  const pin = await receivePin({token, msisdn});
  await replaceBindings(await subscriberOf(msisdn), {MICROPAYMENT_URL: undefined});
  expect((await subscribe({token, msisdn, pin})).status).toBe(201);
  expect(await events()).toEqual([started(null)]);
  expect(await countSearches()).toBe(0);
  // Only its deletion is due, at the end of a step of ten minutes.
  const dueIn = (await alarmIn(await subscriberOf(msisdn))) ?? 0;
  expect(dueIn).toBeGreaterThanOrEqual(DAY);
  expect(dueIn).toBeLessThan(DAY + 10 * MINUTE);
});

test('the event of a one-click start has the id, although the number token is used up', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  const {number_token} = await control<{number_token: string}>('number-tokens', {msisdn});
  expect((await oneClick({token, number_token})).status).toBe(201);
  await expect.poll(events).toEqual([started((await subscriptionsOf(msisdn))[0]?.id ?? '')]);
});

describeMerchantAnswer(
  'has the id of the subscription, also when the request is repeated',
  {},
  async (answer, again) => {
    const {id} = (await subscriptionsOf('5321234567'))[0] ?? {};
    expect(answer).toEqual({state: 'subscribed', service: 'DEMO', subscription_id: id});
    expect(again).toEqual(answer);
  },
);

describeMerchantAnswer(
  'has no id while the platform does not list the subscription',
  {subscription_listed: 'later'},
  (answer) => {
    expect(answer).toEqual({state: 'subscribed', service: null, subscription_id: null});
  },
);

type Check = (answer: unknown, again: unknown) => void | Promise<void>;

/** A test of the answer to the merchant's server, and of the answer to a repeated request with a new key. */
function describeMerchantAnswer(title: string, readings: object, check: Check): void {
  test(`the merchant API’s answer to a subscription request ${title}`, async () => {
    await control('readings', readings);
    waitPatiently();
    const shopper = {product: 77, user_ip: '198.51.100.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567'};
    await post('generate-pin', shopper);
    const request = {...shopper, pin: await pinOf(shopper.msisdn)};
    await check(await post('subscription-request', request), await post('subscription-request', request));
  });
}

/** Makes the Worker wait longer for the subscription's id, so that a busy machine does not change the answer. */
function waitPatiently(): void {
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, 'wait').mockImplementation((ms, options) => wait(ms === 2 * SECOND ? 20 * SECOND : ms, options));
}

async function post(operation: string, body: object): Promise<unknown> {
  const answer = await askMerchant(`landing/${operation}`, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return JSON.parse(answer.text);
}
