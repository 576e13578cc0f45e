/**
 * Makes the Worker store something in every class of Durable Objects: orders in several states, a refund whose outcome
 * is unknown, an event that the merchant's server refuses, a subscriber, and more.
 */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {CreatedPaymentNotice, PaymentPage} from '../../../../../worker/contract/browser/answers.ts';
import {advance, DAY} from '../../../support/clock.ts';
import {runSweep} from '../../../support/durable-objects.ts';
import {notify} from '../../../support/notifications.ts';
import {
  type Answer,
  ask,
  askAsPage,
  askMerchant,
  openOrder,
  openSession,
  openSubscription,
  openVendor,
  ORIGIN,
  read,
  type Shopper,
  showPayment,
} from '../../../support/page.ts';
import {pay, setFault} from '../../../support/sandbox.ts';
import {newNumber, receivePin, subscribe} from '../../../support/subscriber.ts';
import {deliver, setReceiver} from '../../../support/webhook-receiver.ts';
import {dumpObjects, type ObjectDump} from './object-dumps.ts';

export const CONTACT = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
export const KEPT_KEY = 'a key that is used again';
export const REFUND_KEY = 'the key of a refund';

/** A state that was written by some version of the Worker. */
export interface StoredState {
  /** When the state was written, epoch milliseconds. */
  readonly at: number;
  readonly waiting: Shopper;
  readonly paid: Shopper;
  readonly noticed: Shopper;
  readonly onPaymentPage: {readonly token: string; readonly order: string};
  readonly vendor: {readonly token: string};
  readonly subscriber: {readonly msisdn: string; readonly pin: string};
  /** The answer to the write with `KEPT_KEY`. */
  readonly kept: string;
  /** The id of the refund command whose outcome is unknown. */
  readonly command: string;
  readonly objects: readonly ObjectDump[];
}

/** The write with `KEPT_KEY`. */
export const createCode = (): Promise<Answer> =>
  askMerchant('order-codes', {service: 'DEMO', order: 'S-kept', amount: '10.00'}, KEPT_KEY);

/** Requests a refund. The refund with `REFUND_KEY` is the refund whose outcome is unknown. */
export const refund = (order: string, key = REFUND_KEY): Promise<Answer> =>
  askMerchant('refunds', {service: 'DEMO', order, amount: '149.90', contact: CONTACT}, key);

/** A moment in the far future, so that the clock can be advanced to it from any test. */
const WRITTEN_AT = Date.UTC(2100, 0, 4, 9);

/** The most by which one call can advance the sandbox's clock. */
const MAX_ADVANCE = 3650 * DAY;

/** Advances the clocks of Worker and sandbox to the moment at which states are written. */
export async function goToWritingTime(): Promise<void> {
  while (Date.now() < WRITTEN_AT) await advance(Math.min(MAX_ADVANCE, WRITTEN_AT - Date.now()));
}

export async function buildState(): Promise<StoredState> {
  await setReceiver({refused: 1});
  const [paid, refunded] = [await openOrder(), await openOrder()];
  for (const {code} of [paid, refunded]) await pay({order_code: code});
  await runSweep();
  await deliver();
  await setFault({operation: '/refund/create', kind: 'empty', times: 1});
  const unknown = await refund(paid.order);
  expect(unknown.status, unknown.text).toBe(504);
  const known = await refund(refunded.order, 'the key of another refund');
  expect(known.status, known.text).toBe(201);
  const noticed = await openOrder();
  const notice = {name: 'Ayşe Yılmaz', email: 'ayse@example.com', phone: '05321234567', tc_no: '10000000146'};
  read(
    await askAsPage('POST', '/v1/payment-notices', {
      token: noticed.token,
      body: {bank: 'garanti', notice: {...notice, description: 'Kod yok'}},
    }),
    CreatedPaymentNotice,
  );
  const {token, order} = await openSession();
  read(await askAsPage('POST', '/v1/payment-pages', {token}), PaymentPage);
  const kept = await createCode();
  expect(kept.status, kept.text).toBe(201);
  const msisdn = newNumber();
  const membership = await openSubscription();
  const pin = await receivePin({token: membership.token, msisdn});
  const subscribed = await subscribe({token: membership.token, msisdn, pin});
  expect(subscribed.status, subscribed.text).toBe(201);
  const vendor = await openVendor();
  await notify('/hooks/subscription?subscription=4711', {method: 'GET', bindings: {NOTIFICATIONS: 'subscription'}});
  const {status} = await askAsPage('POST', '/v1/activities', {
    body: {
      offer: 'club',
      type: 'visit',
      tracking_id: 'click-7',
      event_id: 'event-000001',
      url: `${ORIGIN}/club`,
      referer: '-',
    },
    headers: {'user-agent': 'Mozilla/5.0 Test'},
  });
  expect(status).toBe(202);
  expect((await ask('/v1/banks', {headers: {origin: ORIGIN}})).status).toBe(200);
  await runDurableObjectAlarm(contextOf(env).objects.charges('DEMO'));
  const waiting = await openOrder();
  await showPayment(waiting.token);
  return {
    at: Date.now(),
    waiting,
    paid,
    noticed,
    onPaymentPage: {token, order},
    vendor,
    subscriber: {msisdn, pin},
    kept: kept.text,
    command: (unknown.body as {command: string}).command,
    objects: await dumpObjects(),
  };
}
