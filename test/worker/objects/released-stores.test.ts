/**
 * Opens with today's classes what the objects of every release have stored, and what those of today's code store. `npm
 * run release` keeps the latter.
 */

import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import type {StoredObject} from '../../../worker/objects/stored-object.ts';
import {advance, MINUTE} from '../support/clock.ts';
import {CLASSES, listAddressed, orderObject, runSweep} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import * as pages from '../support/page.ts';
import * as stores from '../support/released-stores.ts';
import {pay} from '../support/sandbox.ts';
import {newNumber, receivePin, subscribe} from '../support/subscriber.ts';
import {receiverUrl} from '../support/webhook-receiver.ts';

freshWorker();

const FILES = import.meta.glob<stores.RecordedStores>('../../../releases/*/stores.json', {
  eager: true,
  import: 'default',
});
const releases = Object.entries(FILES).map(([file, kept]) => ({release: file.split('/').at(-2) ?? '', kept}));

test.for(releases)('what objects of $release stored is read by today’s classes', ({kept}) => readStores(kept));

test('what objects of every class stored is read from a recording', async () => {
  const recorded = await recordStores();
  const file = inject('storesFile');
  if (file !== null) await expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot(file);
  await readStores(recorded);
});

async function readStores({recordedAt, order, objects}: stores.RecordedStores): Promise<void> {
  vi.setSystemTime(recordedAt);
  expect([...new Set(objects.map(({className}) => className))]).toEqual(stores.STORING_CLASSES);
  for (const [index, recorded] of objects.entries()) {
    const {className, answer} = recorded;
    const stub = exports[className].getByName(`released ${index}`) as DurableObjectStub;
    await stores.loadObject(stub, recorded);
    await evictDurableObject(stub);
    expect({className, answer: await stores.readObject(stub, className, order)}).toMatchObject({className, answer});
    // Every step has run.
    const {schemas} = CLASSES[className] as unknown as typeof StoredObject;
    for (const {store, version} of (await stores.dumpObject(stub)).rows['_schema_migrations'] ?? [])
      expect([store, version]).toEqual([store, schemas.find(({name}) => name === store)?.steps.length]);
  }
  expect(logLines('store_upgrade_failed')).toEqual([]);
}

/** Records up to three objects of every class, as JSON has them. */
async function recordStores(): Promise<stores.RecordedStores> {
  const {order} = await fillStores();
  const objects: stores.RecordedObject[] = [];
  for (const className of stores.STORING_CLASSES) {
    for (const id of listAddressed(exports[className]).slice(0, 3)) {
      const stub = exports[className].get(id) as DurableObjectStub;
      const dump = await stores.dumpObject(stub);
      if (dump.values.length === 0 && Object.values(dump.rows).flat().length === 0) continue;
      objects.push({className, ...dump, answer: await stores.readObject(stub, className, order)});
    }
  }
  return {recordedAt: Date.now(), order, objects: JSON.parse(stores.toJson(objects)) as typeof objects};
}

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
  // A sweep stores times once a minute.
  await advance(MINUTE);
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
  const billing = contextOf(env).objects.service('DEMO');
  await billing.receiveHints('DEMO', 'charge', ['999999']);
  succeeded(await pages.askAsPage('GET', '/v1/banks'));
  return paid;
}

function succeeded({status, text}: pages.Answer): void {
  expect([200, 201, 202], text).toContain(status);
}
