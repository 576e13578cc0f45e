/** Kills a Worker while it delivers an event to the merchant's server. */

import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, inject, test} from 'vitest';
import {sendRequest} from './support/http-request.ts';
import {planSandbox, planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const KEY = 'sandbox-merchant-api-key';

let isSilent = true;
/** The codes of the notices that the receiver got, by path. */
const received: Record<string, string[]> = {'/': [], '/second': []};
let receiver: Server;
let sandbox: Workerd;
let worker: Workerd;

const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

beforeAll(async () => {
  receiver = createServer((request, response) => void receive(request, response).catch(() => {}));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const bundles = inject('bundles');
  sandbox = await Workerd.start([planSandbox('sandbox', bundles)]);
  worker = await Workerd.start([
    planWorker('worker', bundles, sandbox.url('sandbox'), {
      MERCHANT_API_KEY: KEY,
      WEBHOOK_SECRET: 'a secret of the merchant, and long enough',
      PAYMENT_PAGE_URL: `${sandbox.url('sandbox')}/pay`,
      WEBHOOK_URL: `${receiverUrl()}/`,
    }),
  ]);
});
afterAll(async () => {
  await worker.stop();
  await sandbox.stop();
  receiver.closeAllConnections();
  receiver.close();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = (await request.toArray()) as Buffer[];
  const {type, data} = JSON.parse(Buffer.concat(chunks).toString()) as {type: string; data: {notice_code: string}};
  if (type !== 'webhook.changed') received[request.url ?? '']?.push(data.notice_code);
  if (!isSilent || type === 'webhook.changed') response.writeHead(204).end();
}

/** Calls the merchant API. */
async function write(path: string, key: string, body: object): Promise<string> {
  const {status, text} = await sendRequest(`${worker.url('worker')}/merchant/v1/${path}`, {
    headers: {authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key},
    body: JSON.stringify(body),
  });
  if (status !== 201) throw new Error(text);
  return text;
}

/** Creates a payment notice, which makes an event. Returns the code of the notice. */
async function createNotice(number: number): Promise<string> {
  const notice = {service: 'DEMO', order: 'S-1', amount: '10.00', bank: 'garanti'};
  const text = await write('payment-notices', `notice-${number}`, notice);
  return (JSON.parse(text) as {notice_code: string}).notice_code;
}

test('after a crash, the alarms of the Worker deliver the interrupted event and the next one to every webhook', async () => {
  await write('webhooks', 'webhook', {url: `${receiverUrl()}/second`});
  const first = await createNotice(1);
  await expect.poll(() => received).toEqual({'/': [first], '/second': [first]});
  const second = await createNotice(2);
  await worker.kill();
  isSilent = false;
  await worker.restart();
  // No request is sent to the Worker: its alarms alone must deliver the events.
  const all = [first, first, second];
  await expect.poll(() => received).toEqual({'/': all, '/second': all});
});
