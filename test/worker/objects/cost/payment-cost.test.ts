import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {advance, DAY, SECOND} from '../../support/clock.ts';
import {isNamespace, isStored, listAddressed, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, read} from '../../support/page.ts';
import {openSocket} from '../../support/page-socket.ts';
import {calls, clearCalls, pay} from '../../support/sandbox.ts';
import {countStorage} from '../../support/storage-costs.ts';
import {NewPaymentSession, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {deliver, freshReceiver, receivedRequests} from '../../support/webhook-receiver.ts';

freshWorker();
freshReceiver();

const SWEEPS_OF_A_VISIT = 60;

/** Runs every alarm of the addressed objects at its time, except those of the sweep, until none is left. */
async function runAllAlarms(): Promise<void> {
  for (let guard = 0; guard < 200; guard += 1) {
    let next: {at: number; stub: DurableObjectStub} | null = null;
    for (const [name, namespace] of Object.entries(env)) {
      if (!isNamespace(namespace) || name === 'SWEEP') continue;
      for (const id of await listAddressed(namespace)) {
        const stub = namespace.get(id);
        const at = await runInDurableObject(stub, (_object, {storage}) => storage.getAlarm());
        if (at !== null && (next === null || at < next.at)) next = {at, stub};
      }
    }
    if (next === null) return;
    await advance(Math.max(0, next.at - Date.now()));
    await runDurableObjectAlarm(next.stub);
  }
  throw new Error('The alarms do not end.');
}

/** A shopper pays an order, and everything that follows runs until nothing is stored about the order. */
async function payment(address: string): Promise<void> {
  const headers = {'cf-connecting-ip': address};
  const session = await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers});
  const {token, order} = read(session, NewPaymentSession, 201);
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token, headers}), OrderCode);
  const socket = await openSocket(token);
  await socket.rest();
  await advance(3 * SECOND);
  await pay({order_code: code});
  await runSweep();
  expect((await socket.rest()).at(-1)).toMatchObject({state: 'paid'});
  await deliver();
  await advance(10 * SECOND);
  socket.close();
  await runAllAlarms();
  await advance(DAY);
  await runSweep();
  expect(await isStored(orderObject(order))).toBe(false);
}

test('one payment', async () => {
  // The objects that all payments share are created by the first payment.
  await payment('203.0.113.7');
  await clearCalls();
  const costs = await countStorage(() => payment('198.51.100.9'));
  const n: Record<string, number> = {};
  for (const {path} of await calls()) n[path] = (n[path] ?? 0) + 1;
  throw new Error(JSON.stringify([costs.byClass, costs.writes, n], null, 1));
});
