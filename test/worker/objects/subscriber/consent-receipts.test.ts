/** Tests that each subscription has one receipt of the shopper's consent, whenever the Worker dies. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import type {NewReceipt} from '../../../../worker/objects/archive/consent-store.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {storedIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSubscription} from '../../support/page.ts';
import {control, hold, setFault, subscriptionsOf, untilHeld} from '../../support/sandbox.ts';
import {askPin, awaitPins, newNumber, oneClick, receivePin, subscribe} from '../../support/subscriber.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
awaitPins();

const REQUEST = '/landing/subscription-request';
const ADDRESS = '198.51.100.7';
const AGREED = {
  trackingId: 't-81c4',
  product: 77,
  price: 1_200,
  texts: {title: {en: 'Club membership'}},
  isNetwork: true,
};

const consents = () => contextOf(env).objects.archivedConsents(formatMonth(Date.now()));
const receipts = () => consents().findReceipts({trackingId: 't-81c4', network: ADDRESS});
const subscriberOf = (key: string) => contextOf(env).objects.subscriber(key);
const runAlarm = async (key: string) => runDurableObjectAlarm(await subscriberOf(key));
const countEvents = async () => (await outboxObject().read(0)).items.length;
/** Whether the number's object still stores the shopper's network. */
const isNetworkStored = async (key: string) =>
  JSON.stringify(await storedIn(await subscriberOf(key))).includes(ADDRESS);

async function openWithPin(msisdn = newNumber()) {
  const {token} = await openSubscription();
  return {token, msisdn, pin: await receivePin({token, msisdn}), address: ADDRESS};
}

/** Replaces `Archive.addReceipt`, also in an object that a slow run has evicted, until `mockRestore` is called. */
function replaceAdd(replace: (add: (receipt: NewReceipt) => Promise<void>) => typeof add) {
  const {addReceipt} = Archive.prototype;
  return vi.spyOn(Archive.prototype, 'addReceipt').mockImplementation(function (this: Archive, receipt) {
    return replace(addReceipt.bind(this))(receipt);
  });
}

/** Lets the platform execute a request, and aborts all objects before the Worker has the answer. */
async function abortDuring(sendRequest: () => Promise<unknown>): Promise<void> {
  await hold(REQUEST, {after: true});
  const interrupted = sendRequest();
  await untilHeld();
  await abortAllDurableObjects();
  await interrupted;
}

const never = () => new Promise<void>(() => {});

test.for([
  ['before `Archive` has the receipt', () => never],
  [
    'after `Archive` has stored the receipt',
    (add: (receipt: NewReceipt) => Promise<void>) => (receipt: NewReceipt) => add(receipt).then(never),
  ],
] as const)('a crash %s: the receipt exists once, and the event too', async ([_when, replace]) => {
  const shopper = await openWithPin();
  const at = Date.now();
  const add = replaceAdd(replace);
  expect((await subscribe(shopper)).status).toBe(201);
  await expect.poll(() => add.mock.calls.length).toBeGreaterThan(0);
  add.mockRestore();
  await abortAllDurableObjects();
  await advance(10 * SECOND);
  await runAlarm(shopper.msisdn);
  expect(await receipts()).toMatchObject([{...AGREED, confirmedBy: 'pin', outcome: 'subscribed', at}]);
  await expect.poll(countEvents).toBe(1);
  expect(await isNetworkStored(shopper.msisdn)).toBe(false);
});

test('a receipt that `Archive` cannot store is handed over again until it is stored', async () => {
  const shopper = await openWithPin();
  const add = replaceAdd(() => () => Promise.reject(new Error()));
  expect((await subscribe(shopper)).status).toBe(201);
  for (const delayMs of [10 * SECOND, 10 * SECOND, 20 * SECOND]) {
    expect(await receipts()).toEqual([]);
    await advance(delayMs);
    await runAlarm(shopper.msisdn);
  }
  add.mockRestore();
  await advance(15 * MINUTE);
  await runAlarm(shopper.msisdn);
  expect(await receipts()).toMatchObject([{...AGREED, outcome: 'subscribed'}]);
});

test('a crash before the platform’s answer: a lookup finds the start, and the receipt exists once', async () => {
  const shopper = await openWithPin();
  await abortDuring(() => subscribe(shopper));
  await advance(MINUTE);
  await runAlarm(shopper.msisdn);
  expect(await receipts()).toMatchObject([{...AGREED, outcome: 'subscribed'}]);
  expect(await isNetworkStored(shopper.msisdn)).toBe(false);
});

test('a crash before the answer to a one-click request: the receipt says that the outcome is unknown', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  const {number_token} = await control<{number_token: string}>('number-tokens', {msisdn});
  await abortDuring(() => oneClick({token, number_token, address: ADDRESS}));
  await advance(MINUTE);
  await runAlarm(`token ${number_token}`);
  expect(await receipts()).toMatchObject([{...AGREED, confirmedBy: 'click', outcome: 'unknown'}]);
  expect(await isNetworkStored(`token ${number_token}`)).toBe(true);
  await advance(15 * MINUTE);
  await runAlarm(`token ${number_token}`);
  expect(await receipts()).toHaveLength(1);
  expect(await isNetworkStored(`token ${number_token}`)).toBe(false);
});

test('if a lookup by the alarm finds the start, the receipt of the unknown outcome is completed', async () => {
  const shopper = await openWithPin();
  await setFault({operation: REQUEST, kind: 'empty', times: 1, after: true});
  expect((await subscribe(shopper)).status).toBeGreaterThanOrEqual(500);
  await expect.poll(receipts).toMatchObject([{outcome: 'unknown'}]);
  const [unknown] = await receipts();
  await advance(5 * SECOND);
  await runAlarm(shopper.msisdn);
  const [{id = ''} = {}] = await subscriptionsOf(shopper.msisdn);
  expect(await receipts()).toEqual([{...unknown, outcome: 'subscribed', service: 'DEMO', subscription: id}]);
});

test.for([
  ['the first request started it', true, 'tr'],
  ['the retry started it', false, 'en'],
] as const)(
  'if a request is repeated and %s, the receipt has the consent of that request',
  async ([_what, after, language]) => {
    const shopper = await openWithPin();
    await setFault({operation: REQUEST, kind: 'empty', times: 1, after});
    expect((await subscribe({...shopper, language: 'tr'})).status).toBeGreaterThanOrEqual(500);
    await expect.poll(receipts).toMatchObject([{outcome: 'unknown', language: 'tr'}]);
    expect((await subscribe({...shopper, language: 'en'})).status).toBe(201);
    await expect.poll(receipts).toMatchObject([{...AGREED, outcome: 'subscribed', language}]);
  },
);

test('a shopper who cancels and subscribes again on the same day leaves two receipts', async () => {
  const first = await openWithPin();
  expect((await subscribe(first)).status).toBe(201);
  const [{id = ''} = {}] = await subscriptionsOf(first.msisdn);
  await control(`subscriptions/${id}/status`, {status: 'cancelled'});
  await advance(10 * MINUTE);
  expect((await subscribe(await openWithPin(first.msisdn))).status).toBe(201);
  await expect.poll(receipts).toMatchObject([{outcome: 'subscribed'}, {outcome: 'subscribed'}]);
});

test('a wrong PIN leaves nothing of the shopper’s consent', async () => {
  const shopper = await openWithPin();
  expect((await subscribe({...shopper, pin: '0000'})).status).toBe(422);
  expect(await isNetworkStored(shopper.msisdn)).toBe(false);
  expect(await receipts()).toEqual([]);
});

test('a lookup for another PIN does not report a subscription again that has just started', async () => {
  const shopper = await openWithPin();
  expect((await subscribe(shopper)).status).toBe(201);
  await advance(MINUTE + SECOND);
  expect((await askPin(shopper)).status).toBe(202);
  const otherPin = shopper.pin === '0000' ? '1111' : '0000';
  await setFault({operation: REQUEST, kind: '500-html', times: 1});
  expect((await subscribe({...shopper, pin: otherPin})).status).toBe(504);
  await advance(MINUTE);
  await runAlarm(shopper.msisdn);
  expect(await countEvents()).toBe(1);
});
