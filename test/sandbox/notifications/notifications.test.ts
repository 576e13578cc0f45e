/**
 * Notifications that only some platforms send (`docs/spec/observed.md`, "Notifications"). The sandbox sends them only
 * if its settings have a URL for them.
 */

import {evictDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest';
import {paymentKey} from '../../../sandbox/keys.ts';
import {fillTemplate} from '../../../sandbox/notifications/mobile.ts';
import {getBilling, listCycles, subscribe, advanceDays} from '../support/mobile-billing.ts';
import {call, control, createOrder, pay, read} from '../support/platform.ts';

interface SentNotification {
  readonly kind: string;
  readonly method: string;
  readonly url: string;
  readonly content: Record<string, unknown>;
  readonly answer: string;
}

const originalSettings = {...env};
const ADDRESSES = {
  PAYMENT_NOTIFY_URL: 'http://merchant.example/payment',
  BILLING_NOTIFY_URL:
    'http://merchant.example/billing?s=xxSubsIdxx&t=xxTransactionIdxx&st=xxStatusxx&a=xxAmountxx&o=xxOidxx&q=xxQSxx',
  SUBSCRIPTION_NOTIFY_URL: 'http://merchant.example/subscription/xxSubsIdxx?st=xxStatusxx&order=xxOrderxx',
};

async function restartWith(settings: Partial<typeof env>): Promise<void> {
  Object.assign(env, settings);
  await evictDurableObject(exports.Platform.getByName('platform'));
}

async function listNotifications(): Promise<SentNotification[]> {
  return (await read<{notifications: SentNotification[]}>('notifications')).notifications;
}

beforeEach(async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('OK'));
  await control('reset');
  await control('limits', {limits: null});
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('without URLs for notifications in its settings, the sandbox sends no notifications', async () => {
  await pay({order_code: await createOrder('S-1')});
  await subscribe();
  expect(await listNotifications()).toEqual([]);
});

test.each([
  ['1.00', 'a58208eec831ca64fdee53713f76b6bc'],
  ['1', 'f6f52d0ebad075dbc9c30d424c410549'],
])('the key of a payment notification for the amount %s matches the test vector', async (amount, key) => {
  const fields = {txid: 77001, code: '881200450017', order: 'S-1009', amount};
  expect(await paymentKey('KTP', 2042, fields, 'example merchant private', 'example service private')).toBe(key);
});

test('the placeholders of a template are filled with escaped text, and unknown placeholders become empty', () => {
  expect(
    fillTemplate('http://m.example/?a=xxOrderxx&b=xxQSxx&c=xxSubsIdxxxxStatusxx', {
      Order: 'a&b ç',
      SubsId: 7,
      Status: 'active',
    }),
  ).toBe('http://m.example/?a=a%26b%20%C3%A7&b=&c=7active');
});

describe('with URLs for notifications', () => {
  beforeAll(() => restartWith(ADDRESSES));
  afterAll(() => restartWith(originalSettings));

  test('a payment notification is a POST with a key, sent as soon as the order of a transaction is known', async () => {
    const code = await createOrder('S-1');
    const {transaction_id: txid} = await pay({order_code: code, at: '2026-11-20 14:05:00'});
    const key = await paymentKey(
      'DEMO',
      123,
      {txid, code, order: 'S-1', amount: '149.90'},
      'sandbox-merchant-private-key',
      'sandbox-service-private-key',
    );
    const content = {
      txid,
      code,
      order: 'S-1',
      status: 3,
      amount: '149.90',
      transaction_date: '2026-11-20 14:05:00',
      bank: 'garanti',
      key,
    };
    await expect
      .poll(listNotifications)
      .toMatchObject([{kind: 'payment', method: 'POST', url: ADDRESSES.PAYMENT_NOTIFY_URL, content, answer: 'OK'}]);

    const {transaction_id} = await pay({description: 'kira'});
    const {code: notice} = await call('/paymentNotification/create', {
      code: 'DEMO',
      order: 'S-1',
      amount: '149.90',
      bank: 'garanti',
    });
    expect(await listNotifications()).toHaveLength(1);
    await control(`notices/${notice}/approve`, {transaction_id});
    await expect
      .poll(async () => (await listNotifications()).map((notification) => notification.content['txid']))
      .toEqual([txid, transaction_id]);
  });

  test("notifications of charges and subscriptions are GETs to URLs made from the merchant's templates", async () => {
    const id = await subscribe({operator: 4});
    const [{charges: [charge] = []} = {}] = await listCycles();
    await expect
      .poll(async () => (await listNotifications()).map(({method, url}) => `${method} ${url}`))
      .toEqual([
        `GET http://merchant.example/billing?s=${id}&t=${charge?.charge_id}&st=3&a=12.00&o=4&q=`,
        `GET http://merchant.example/subscription/${id}?st=active&order=`,
      ]);
  });

  test('the sandbox notifies the merchant of renewals, refunds and cancellations', async () => {
    const id = await subscribe();
    await advanceDays(7);
    const [, renewed] = await listCycles();
    await getBilling(`/transaction/refund/123/1/${renewed?.charges[0]?.charge_id}`);
    await getBilling(`/subscription/cancel/123/1/${id}`);
    await expect
      .poll(async () =>
        (await listNotifications()).map(({kind, content}) => [kind, content['SubsId'], content['Status']]),
      )
      .toEqual([
        ['billing', id, 3],
        ['subscription', id, 'active'],
        ['billing', renewed?.subscription_id, 3],
        ['subscription', renewed?.subscription_id, 'active'],
        ['billing', renewed?.subscription_id, 6],
        ['subscription', id, 'cancelled'],
      ]);
  });
});
