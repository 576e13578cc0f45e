/**
 * Records what the objects of a release store. `npm run release` runs this file, and `released-stores.test.ts` opens
 * the result with the classes of every later version.
 */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {version} from '../../../package.json';
import {contextOf} from '../../../worker/context.ts';
import {listAddressed, orderObject, runSweep} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import * as pages from '../support/page.ts';
import * as stores from '../support/released-stores.ts';
import {pay} from '../support/sandbox.ts';
import {newNumber, receivePin, subscribe} from '../support/subscriber.ts';
import {receiverUrl} from '../support/webhook-receiver.ts';

freshWorker();

test('the stores of every class are recorded', async () => {
  const {order} = await fillStores();
  const objects: stores.RecordedObject[] = [];
  for (const className of stores.STORING_CLASSES) {
    const stored: stores.RecordedObject[] = [];
    for (const id of listAddressed(exports[className]).slice(0, 3)) {
      const stub = exports[className].get(id) as DurableObjectStub;
      const dump = await stores.dumpObject(stub);
      if (dump.values.length === 0 && Object.values(dump.rows).flat().length === 0) continue;
      stored.push({className, ...dump, answer: await stores.readObject(stub, className, order)});
    }
    expect(stored.length, className).toBeGreaterThan(0);
    objects.push(...stored);
  }
  const written = JSON.parse(stores.toJson(objects)) as typeof objects;
  expect(stores.withBytes(written)).toEqual(objects);
  const recorded = {recordedAt: Date.now(), order, objects: written};
  await expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot(`../../releases/${version}/stores.json`);
});

/** Makes orders, refunds, events, keys, a subscription and activities, as pages and servers do. */
async function fillStores(): Promise<{order: string}> {
  succeeded(await pages.askMerchant('webhooks', {url: receiverUrl('/hooks'), types: ['payment.received']}));
  succeeded(await pages.askMerchant('keys', {name: 'till', scopes: ['read']}));
  await pages.putOffer('lamp');
  await pages.openVendor();
  const unpaid = await pages.openWantedOrder();
  const paid = await pages.openWantedOrder();
  const partial = await pages.openWantedOrder();
  await pay({order_code: paid.code});
  await pay({order_code: partial.code, amount: '50.00'});
  await runSweep();
  const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
  succeeded(await pages.askMerchant('refunds', {service: 'DEMO', order: paid.order, amount: '149.90', contact}));
  for (const {order} of [unpaid, paid, partial]) await runDurableObjectAlarm(orderObject(order));
  const {token} = await pages.openSubscription();
  const msisdn = newNumber();
  succeeded(await subscribe({token, msisdn, pin: await receivePin({token, msisdn})}));
  const managed = await pages.openManagement();
  succeeded(await pages.askAsPage('GET', '/v1/subscription', {token: managed.token}));
  succeeded(
    await pages.askAsPage('POST', '/v1/activities', {
      body: {offer: 'club', type: 'visit', tracking_id: 'click-7', event_id: 'event-000001', url: pages.ORIGIN},
    }),
  );
  const billing = contextOf(env).objects.mobileBilling('DEMO');
  await billing.record([{kind: 'charge', service: 'DEMO', id: '999999'}], null);
  succeeded(await pages.askAsPage('GET', '/v1/banks'));
  return paid;
}

function succeeded({status, text}: pages.Answer): void {
  expect([200, 201, 202], text).toContain(status);
}
