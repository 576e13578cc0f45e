/**
 * Tests notifications whose requests, keys and records were written by hand from `docs/spec/`. The keys do not come
 * from the sandbox, so a test fails here even if the Worker and the sandbox compute keys in the same wrong way.
 */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {handle} from '../../../../worker/router.ts';
import notifications from '../../platform/operations/replies/notifications.md?raw';
import {replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {replyWith} from '../../support/literal-replies.ts';
import {HINT_KEY} from '../../support/notifications.ts';
import {newAddress, WORKER} from '../../support/page.ts';

freshWorker();

const bindings = {
  MERCHANT_ID: '2042',
  SERVICES: {KTP: {micropaymentId: 31}},
  OFFERS: {},
  NOTIFICATIONS: 'payment billing subscription',
  NOTIFICATION_KEY: HINT_KEY,
  // So the records that notifications name are read at once.
  SUBSCRIPTION_SWEEP_SHARE: '0',
  MERCHANT_PRIVATE_KEY: 'example merchant private',
  SERVICE_PRIVATE_KEYS: '{"KTP":"example service private"}',
};
const merchantEnv = {...env, ...bindings} as unknown as Env;
const {objects} = contextOf(merchantEnv);

const TOKEN = {
  path: '/phs/getToken',
  text: '{"status":"000","message":"Success","token":"{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}"}',
};
const ORDER_CODE = {
  path: '/phs/orderToReference/create',
  text: '{"status":"000","message":"Success","order":"881200450017"}',
};

/** Sections of the file, each with the text of a request, the replies, and the event. */
const cases = notifications
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [, request = ''] = /^```http\n([\s\S]*?)^```$/m.exec(section) ?? [];
    const [head = '', body = ''] = request.split('\n\n');
    const [start = '', ...headers] = head.trim().split('\n');
    const [method = '', path = ''] = start.split(' ');
    const replies = [...section.matchAll(/^```json reply (\S+)\n([\s\S]*?)^```$/gm)].map(([, to = '', text = '']) => ({
      path: to,
      text,
    }));
    const [, event = ''] = /^```json event\n([\s\S]*?)^```$/m.exec(section) ?? [];
    return {
      title: section.slice(0, section.indexOf('\n')),
      method,
      path,
      headers: headers.map((line): [string, string] => line.split(': ') as [string, string]),
      body: body.trim(),
      replies,
      event: JSON.parse(event) as object,
    };
  });

/** Creates the order's code through the merchant API, so that the Worker knows the order of the notification. */
async function createOrder(): Promise<void> {
  const request = new Request(`${WORKER}/merchant/v1/order-codes`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({service: 'KTP', order: 'S-1009', amount: '1.00'}),
  });
  expect((await handle(request, merchantEnv)).status).toBe(201);
}

test.for(cases.map((row) => [row.title, row] as const))(
  '%s is accepted, and becomes an event',
  async ([, {method, path, headers, body, replies, event}]) => {
    for (const stub of [objects.platform(), objects.refunds(), objects.service('KTP'), objects.order('KTP', 'S-1009')])
      await replaceBindings(stub, bindings);
    const called = replyWith([TOKEN, ORDER_CODE, ...replies]);
    if (path.startsWith('/hooks/payment')) await createOrder();
    const key = /^\/hooks\/(?:billing|subscription)/.test(path) ? `&key=${HINT_KEY}` : '';
    const request = new Request(WORKER + path + key, {
      method,
      headers: [['cf-connecting-ip', newAddress()], ...headers],
      ...(method === 'POST' && {body}),
    });
    const response = await handle(request, merchantEnv);
    expect([response.status, await response.text()]).toEqual([200, 'OK']);
    await runDurableObjectAlarm(objects.service('KTP'));
    expect(called).toEqual(expect.arrayContaining(replies.map((reply) => reply.path)));
    expect((await objects.outbox().read(0)).items).toMatchObject([event]);
  },
);

/** Replaces the last digit of the key by 0. No key in the file ends with 0. */
const forge = (text: string) => text.replace(KEY, (key) => `${key.slice(0, -1)}0`);
const KEY = /\b[0-9a-f]{32}\b/i;

test('each is refused without a call if one digit of its key differs', async () => {
  const signed = cases.filter(({path, body}) => KEY.test(path + body));
  expect(signed.length).toBeGreaterThan(1);
  for (const {title, method, path, headers, body} of signed) {
    const called = replyWith([TOKEN]);
    const request = new Request(WORKER + forge(path), {
      method,
      headers: [['cf-connecting-ip', newAddress()], ...headers],
      ...(method === 'POST' && {body: forge(body)}),
    });
    const response = await handle(request, merchantEnv);
    expect([response.status, await response.text()], title).toEqual([400, 'Wrong Data']);
    expect(called, title).toEqual([]);
  }
});
