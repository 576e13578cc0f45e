/** Kills a Worker while it delivers an event to the merchant's server. */

import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, inject, test, vi} from 'vitest';
import {sendRequest} from './support/http-request.ts';
import {planSandbox, planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const KEY = 'sandbox-merchant-api-key';

let isSilent = true;
const received: string[] = [];
let receiver: Server;
let sandbox: Workerd;
let worker: Workerd;

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
      WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
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
  received.push((JSON.parse(Buffer.concat(chunks).toString()) as {data: {notice_code: string}}).data.notice_code);
  if (!isSilent) response.writeHead(204).end();
}

/** Creates a payment notice, which makes an event. Returns the code of the notice. */
async function createNotice(number: number): Promise<string> {
  const {status, text} = await sendRequest(`${worker.url('worker')}/merchant/v1/payment-notices`, {
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': `notice-${number}`,
    },
    body: JSON.stringify({service: 'DEMO', order: 'S-1', amount: '10.00', bank: 'garanti'}),
  });
  if (status !== 201) throw new Error(text);
  return (JSON.parse(text) as {notice_code: string}).notice_code;
}

test('after a crash, the alarms of the Worker deliver the interrupted event and the next one', async () => {
  const first = await createNotice(1);
  await vi.waitFor(() => expect(received).toEqual([first]), {timeout: 20_000});
  const second = await createNotice(2);
  await worker.kill();
  isSilent = false;
  await worker.restart();
  // No request is sent to the Worker: its alarms alone must deliver the events.
  await vi.waitFor(() => expect(received).toEqual([first, first, second]), {timeout: 30_000});
});
