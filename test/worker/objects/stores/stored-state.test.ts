/** Opens stores that were written before stores had versions, and shows that everything continues. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {StoredObject} from '../../../../worker/objects/stored-object.ts';
import {advance, MINUTE} from '../../support/clock.ts';
import {alarmIn, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, openSubscription, showPayment} from '../../support/page.ts';
import {callPlatform, landingCalls, pay} from '../../support/sandbox.ts';
import {awaitPins, payOn, subscribe} from '../../support/subscriber.ts';
import {deliver, freshReceiver, outboxObject, receivedRequests} from '../../support/webhook-receiver.ts';
import written from './state-before-versions.json?raw';
import {buildState, CONTACT, createCode, goToWritingTime, refund, type StoredState} from './support/build-state.ts';
import {loadObjects, objectOf, type ObjectDump} from './support/object-dumps.ts';

freshWorker();
freshReceiver();
awaitPins();

const CLASS_COUNT = 17;
/** `OrderHistory` and `Consents` did not exist when the state was written. */
const FORMER_CLASS_COUNT = 15;
const commands = () => contextOf(env).objects.commands('DEMO');

/**
 * Expects that every object records a version of at least one store or value, and that each recorded version is the
 * newest.
 */
async function expectNewestVersions(objects: readonly ObjectDump[], classCount: number): Promise<void> {
  expect(new Set(objects.map(({method}) => method)).size).toBe(classCount);
  for (const object of objects) {
    await runInDurableObject(await objectOf(object), (instance, {storage}) => {
      const {schemas, values} = instance.constructor as typeof StoredObject;
      const newest = new Map(schemas.map(({name, steps}) => [name, steps.length]));
      const valueVersions = values.map(({key, version}) => [storage.kv.get<{version: number}>(key)?.version, version]);
      const isValue = valueVersions.some(([stored, version]) => stored === version);
      if (isValue && !hasVersions(storage)) return;
      const stored = storage.sql
        .exec<{store: string; version: number}>('SELECT store, version FROM _schema_migrations')
        .toArray();
      expect(stored.length, object.method).toBeGreaterThan(0);
      for (const {store, version} of stored) expect(version, store).toBe(newest.get(store));
    });
  }
}

const hasVersions = ({sql}: DurableObjectStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE name = '_schema_migrations'").toArray().length > 0;

test('every object with stored data records the newest version of its stores', async ({task}) => {
  await goToWritingTime();
  const state = await buildState();
  // With `--reporter=json`, the report contains the state. `state-before-versions.json` is from such a report.
  Object.assign(task.meta, {state});
  await expectNewestVersions(state.objects, CLASS_COUNT);
});

describe('a state that was written before stores had versions', () => {
  const state = JSON.parse(written) as StoredState;

  beforeEach(async () => {
    await goToWritingTime();
    await loadObjects(state.objects);
    await advance(MINUTE);
  });

  test('is upgraded when its objects wake', async () => {
    expect(written).not.toContain('_schema_migrations');
    await expectNewestVersions(state.objects, FORMER_CLASS_COUNT);
  });

  test('has a waiting order whose page sees the money', async () => {
    const {token, order} = state.waiting;
    expect(await showPayment(token)).toMatchObject({state: 'waiting', amount: '149.90'});
    await pay({order_code: await createAtPlatform(order)});
    await runSweep();
    expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
  });

  test('has a paid order and an order with a payment notice, which pages still show', async () => {
    expect(await showPayment(state.paid.token)).toMatchObject({state: 'paid', transactions: [{amount: '149.90'}]});
    expect(await showPayment(state.noticed.token)).toMatchObject({state: 'waiting', notice: {}});
  });

  test('has a refund of unknown outcome, which is found and not sent again', async () => {
    await pay({order_code: await createAtPlatform(state.paid.order)});
    const {refund_id} = await callPlatform('/refund/create', {
      code: 'DEMO',
      order: state.paid.order,
      amount: '149.90',
      'contact[name]': CONTACT.name,
      'contact[iban]': CONTACT.iban,
    });
    await advance(Math.max(0, (await alarmIn(commands())) ?? 0));
    await runDurableObjectAlarm(commands());
    const answer = await refund(state.paid.order);
    expect([answer.status, answer.body]).toMatchObject([201, {id: String(refund_id)}]);
    const events = (await outboxObject().read(0)).items;
    expect(events.map(({type}) => type)).toEqual(expect.arrayContaining(['command.settled', 'refund.requested']));
  });

  test('has an event that the merchant’s server refused, and delivers this event', async () => {
    await advance(Math.max(0, (await alarmIn(outboxObject())) ?? 0));
    await deliver();
    const received = (await receivedRequests()).map(({body, taken}) => [body, taken]);
    expect(received).toContainEqual([
      expect.objectContaining({
        type: 'payment.received',
        data: expect.objectContaining({order: state.paid.order}) as unknown,
      }),
      true,
    ]);
  });

  test('has a kept answer, which a repeated write with the same idempotency key receives', async () => {
    const {status, headers, text} = await createCode();
    expect([status, headers.get('idempotency-replayed'), text]).toEqual([201, 'true', state.kept]);
  });

  test('has a subscriber whose repeated request succeeds without a second subscription', async () => {
    const {token} = await openSubscription();
    expect((await subscribe({token, ...state.subscriber})).status).toBe(201);
    expect(await landingCalls('subscription-request')).toEqual([]);
  });

  test('has an order on the payment page, whose charge is found', async () => {
    const {token, order} = state.onPaymentPage;
    const {tokenData} = await contextOf(env).platform.call('paymentPageToken', {
      serviceId: '1',
      referenceCode: order,
      item: 'Lamba',
      price: '149.90',
      successUrl: 'http://localhost:5173/paid',
      failureUrl: 'http://localhost:5173/failed',
    });
    await payOn(tokenData.redirectUrl);
    await runDurableObjectAlarm(contextOf(env).objects.charges('DEMO'));
    expect(await showPayment(token)).toMatchObject({state: 'paid', transactions: [{bank: null, amount: '149.90'}]});
  });

  test('has a vendor session and an activity that was not reported yet', async () => {
    expect((await askAsPage('POST', '/v1/vendor-forms', {token: state.vendor.token})).status).toBe(200);
    await runDurableObjectAlarm(await contextOf(env).objects.activities('click-7'));
    expect(await landingCalls('user-activity')).toMatchObject([{params: {tracking_id: 'click-7'}}]);
  });
});

/** Creates an order of the stored state at the platform. @returns its order code. */
async function createAtPlatform(order: string): Promise<string> {
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order, amount: '149.90'});
  return String(code);
}
