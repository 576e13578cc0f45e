/**
 * Tests webhooks that the Worker sends over HTTP. Each test listens on the port to which the Worker sends webhooks, so
 * the tests run one after the other.
 */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {copyFile, rm} from 'node:fs/promises';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import path from 'node:path';
import process from 'node:process';
import {Webhook} from 'standardwebhooks';
import {expect, inject, test} from 'vitest';
import {type MerchantEvent, verifyWebhook} from '../../merchant/index.ts';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {SECRET} from '../support/webhook-inbox.ts';
import {ADDRESS, connect, KEY, newOrder, pay, service} from './support/live-worker.ts';
import {copyProject} from './support/package.ts';

const inboxUrl = inject('inboxUrl');
const workerUrl = inject('workerUrl');
const {port} = new URL(inboxUrl);

test('the client and the library `standardwebhooks` verify a webhook of the Worker and get its event', async () => {
  const arrived = Promise.withResolvers<{headers: IncomingHttpHeaders; body: string}>();
  const order = newOrder();
  const inbox = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    response.writeHead(204).end();
    if (text.includes(order)) arrived.resolve({headers: request.headers, body: text});
  });
  await new Promise<void>((resolve) => inbox.listen(Number(port), 'localhost', resolve));
  try {
    const vezne = connect();
    await vezne.orderCodes.create({service, order, amount: '149.90'});
    const {notice_code} = await vezne.paymentNotices.create({service, order, amount: '149.90', bank: 'garanti'});
    const webhook = await arrived.promise;
    const event = await verifyWebhook({secret: SECRET, ...webhook});
    expect(event).toMatchObject({
      type: 'payment_notice.created',
      data: {service, order, amount: '149.90', bank_code: 'garanti', notice_code},
    });
    expect(new Webhook(SECRET).verify(webhook.body, webhook.headers as Record<string, string>)).toEqual(event);
    const events: MerchantEvent[] = [];
    for await (const listed of vezne.events.list()) events.push(listed);
    expect(events).toContainEqual(event);
  } finally {
    inbox.closeAllConnections();
    await new Promise((resolve) => void inbox.close(resolve));
  }
});

test('the example shop sells, delivers an order after its payment event, and refuses a forged webhook', async () => {
  const folder = await copyProject(inject('merchantProject'), {});
  await copyFile(repoPath('examples', 'node', 'shop.mjs'), path.join(folder, 'shop.mjs'));
  const shop = spawn(process.execPath, ['shop.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      VEZNE_URL: workerUrl,
      VEZNE_KEY: KEY,
      VEZNE_WEBHOOK_SECRET: SECRET,
      PORT: port,
      ORIGIN: inboxUrl,
    },
  });
  try {
    await once(shop.stdout, 'data');
    const [, token = ''] = /session="([^"]+)"/.exec(await (await fetch(inboxUrl)).text()) ?? [];
    const authorization = `Bearer ${token}`;
    const headers = {...ADDRESS, origin: inboxUrl, authorization, 'content-type': 'application/json'};
    const {order, order_code: code} = (await (
      await fetch(`${workerUrl}/v1/order-code`, {method: 'POST', body: '{}', headers})
    ).json()) as {order: string; order_code: string};
    const orderState = async () => (await fetch(`${inboxUrl}/orders/${order}`)).text();
    expect(await orderState()).toBe('waiting');

    const forged = await fetch(`${inboxUrl}/vezne`, {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      },
      body: JSON.stringify({id: 'evt_1', type: 'payment.received', data: {order}}),
    });
    expect([forged.status, await orderState()]).toEqual([400, 'waiting']);

    await pay(code);
    const paymentState = async () =>
      ((await (await fetch(`${workerUrl}/v1/payment`, {headers})).json()) as {state: string}).state;
    await expect.poll(paymentState, {interval: 500}).toBe('paid');
    await expect.poll(orderState).toBe('delivered');
  } finally {
    shop.kill();
    await rm(folder, {recursive: true, force: true});
  }
});
