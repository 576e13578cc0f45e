/**
 * What one request of a stranger costs the merchant: rows written, calls of objects, new objects and calls of the
 * platform. A request that gets dearer fails here.
 */

import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {CLASSES, listAddressed, renewToken} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {HINT_KEY, notify} from '../../support/notifications.ts';
import {
  type Answer,
  askAsPage,
  newAddress,
  openOrder,
  openSession,
  openSubscription,
  openVendor,
} from '../../support/page.ts';
import {calls, clearCalls, control} from '../../support/sandbox.ts';
import {askPin, newNumber, newNumberOfNewPrefix, oneClick, receivePin, subscribe} from '../../support/subscriber.ts';
import {countStorage} from './storage-costs.ts';

freshWorker();

const NUMBER = {msisdn: '5321112233', operator: 1};
const wrongPin = (pin: string) => String((Number(pin) + 1) % 10_000).padStart(4, '0');
const fresh = () => ({'cf-connecting-ip': newAddress()});
let attempts = 0;
const placed = (shown_amount: string) => ({
  offer: 'gold',
  attempt: `attempt-${(attempts += 1)}-of-a-stranger`,
  shown_amount,
});

/** What a request of the same kind has created before is there; each request comes from a new address. */
type Request = () => Promise<() => Promise<unknown>>;

const inSession =
  (path: string, body?: object): Request =>
  async () => {
    const {token} = await openSession();
    return () => askAsPage('POST', path, {token, body, headers: fresh()});
  };

const REQUESTS: readonly (readonly [title: string, request: Request, cost: string])[] = [
  [
    'an order',
    () => Promise.resolve(() => askAsPage('POST', '/v1/order-code', {body: placed('149.90'), headers: fresh()})),
    '200: 5 rows, 3 calls, 1 objects, 1 at the platform',
  ],
  [
    'an order at an outdated price',
    () => Promise.resolve(() => askAsPage('POST', '/v1/order-code', {body: placed('1.00'), headers: fresh()})),
    '409: 0 rows, 1 calls, 1 objects, 0 at the platform',
  ],
  [
    'a session',
    () => Promise.resolve(() => askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers: fresh()})),
    '201: 0 rows, 1 calls, 0 objects, 0 at the platform',
  ],
  ['an order of a session', inSession('/v1/order-code'), '200: 5 rows, 3 calls, 1 objects, 1 at the platform'],
  ['an order for the bank page', inSession('/v1/hosted-payment'), '200: 6 rows, 3 calls, 1 objects, 1 at the platform'],
  ['a payment page', inSession('/v1/payment-pages'), '200: 10 rows, 5 calls, 2 objects, 1 at the platform'],
  [
    'a payment notice',
    inSession('/v1/payment-notices', {bank: 'garanti', notice: {}}),
    '200: 27 rows, 10 calls, 2 objects, 2 at the platform',
  ],
  [
    'a read of a payment',
    async () => {
      const {token} = await openOrder();
      return () => askAsPage('GET', '/v1/payment', {token, headers: fresh()});
    },
    '200: 2 rows, 3 calls, 0 objects, 0 at the platform',
  ],
  [
    'a hand-off',
    async () => {
      const {token} = await openOrder();
      return () => askAsPage('POST', '/v1/handoffs', {token, headers: fresh()});
    },
    '201: 1 rows, 1 calls, 0 objects, 0 at the platform',
  ],
  [
    'a PIN',
    async () => {
      const {token} = await openSubscription();
      return () => askPin({token, msisdn: newNumberOfNewPrefix(), afterPlatform: true});
    },
    '202: 10 rows, 6 calls, 2 objects, 1 at the platform',
  ],
  [
    'a wrong PIN',
    async () => {
      const {token} = await openSubscription();
      const msisdn = newNumber();
      const pin = wrongPin(await receivePin({token, msisdn}));
      return () => subscribe({token, msisdn, pin});
    },
    '422: 5 rows, 1 calls, 0 objects, 1 at the platform',
  ],
  [
    'a wrong number token',
    async () => {
      const {token} = await openSubscription();
      return () => oneClick({token, number_token: '11'});
    },
    '422: 7 rows, 3 calls, 0 objects, 2 at the platform',
  ],
  [
    'the number of a token',
    async () => {
      const {token} = await openSubscription();
      const {number_token} = await control<{number_token: string}>('number-tokens', NUMBER);
      const bindings = {ONE_CLICK: 'on'};
      return () => askAsPage('POST', '/v1/numbers', {token, body: {number_token}, headers: fresh(), bindings});
    },
    '200: 6 rows, 4 calls, 0 objects, 1 at the platform',
  ],
  [
    'an activity',
    () =>
      Promise.resolve(() =>
        askAsPage('POST', '/v1/activities', {
          body: {
            offer: 'club',
            type: 'subscribe_clicked',
            tracking_id: 'click-7',
            event_id: `event-of-a-stranger-${(attempts += 1)}`,
          },
          headers: fresh(),
        }),
      ),
    '202: 5 rows, 1 calls, 0 objects, 0 at the platform',
  ],
  [
    'a vendor form',
    async () => {
      const {token} = await openVendor();
      return () => askAsPage('POST', '/v1/vendor-forms', {token, headers: fresh()});
    },
    '200: 0 rows, 2 calls, 1 objects, 1 at the platform',
  ],
  [
    'a notification of billing with a hundred ids',
    () =>
      Promise.resolve(() =>
        notify(`/hooks/subscription?key=${HINT_KEY}`, {
          bindings: {NOTIFICATIONS: 'subscription', NOTIFICATION_KEY: HINT_KEY},
          body: JSON.stringify(
            Array.from({length: 100}, () => ({service: '1', subscription: String((attempts += 1) + 5_000_000)})),
          ),
        }),
      ),
    '200 OK: 0 rows, 1 calls, 0 objects, 0 at the platform',
  ],
  [
    'a forged result of a refund',
    () => Promise.resolve(() => notify('/hooks/refund-result', {body: '[{"refund_id":1,"key":"0"}]'})),
    '400 Wrong Data: 0 rows, 0 calls, 0 objects, 0 at the platform',
  ],
];

const countObjects = () =>
  Object.keys(CLASSES).reduce((sum, name) => sum + listAddressed(exports[name as keyof typeof CLASSES]).length, 0);

test.for(REQUESTS)('%s', async ([, request, expected]) => {
  await renewToken();
  await (
    await request()
  )();
  const act = await request();
  await clearCalls();
  const before = countObjects();
  let answer: unknown;
  const {byClass, writes} = await countStorage(async () => {
    answer = await act();
  });
  const created = countObjects() - before;
  const {reports: _reports, ...others} = byClass;
  const sum = (of: 'rowsWritten' | 'calls') => Object.values(others).reduce((total, cost) => total + cost[of], 0);
  const platform = (await calls()).length;
  const status = typeof answer === 'string' ? answer : (answer as Answer).status;
  const cost = `${status}: ${sum('rowsWritten')} rows, ${sum('calls')} calls, ${created} objects, ${platform} at the platform`;
  expect(cost, JSON.stringify([others, writes], null, 1)).toBe(expected);
});
