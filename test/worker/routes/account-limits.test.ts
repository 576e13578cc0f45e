/** Tests what the Worker says and stores while Cloudflare refuses its Durable Objects because of the account. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {Health} from '../../../worker/contract/browser/answers.ts';
import {ACCOUNT_LIMITS} from '../../../worker/lib/account-limit.ts';
import {handle} from '../../../worker/router.ts';
import {REFUSALS, refuseCalls, refuseStorage} from '../support/account-limits.ts';
import {orderObject} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {
  eventTypes,
  notificationOf,
  notify,
  HINT_KEY,
  notifyRefunds,
  refundOrder,
  refundResults,
  refundsObject,
} from '../support/notifications.ts';
import {ask, askAsPage, askMerchant, openOrder, openSession, showPayment, WORKER} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';
import {pay} from '../support/sandbox.ts';

freshWorker();

const authorization = 'Bearer sandbox-merchant-api-key';
const bindings = {NOTIFICATIONS: 'payment billing subscription', NOTIFICATION_KEY: HINT_KEY};
const LIMITS = ['spending_limit', 'free_plan'] as const;

test.for(LIMITS)('with the %s reached, /health and the doctor name it, and a monitor rings', async (limit) => {
  const {message, action} = ACCOUNT_LIMITS[limit];
  const allow = refuseCalls(REFUSALS[limit]);
  const answer = await handle(new Request(`${WORKER}/health`), {...env});
  expect([answer.status, Health.parse(await answer.json()).problems[0]]).toEqual([503, `${message} ${action}`]);
  const doctor = (await ask('/merchant/v1/doctor', {headers: {authorization}})).body;
  expect(doctor).toMatchObject({healthy: false});
  expect((doctor as {checks: unknown[]}).checks).toContainEqual({name: 'limits', state: 'failed', message, action});
  expect(logLines('internal_error')[0]?.['error']).toMatch(limit);
  allow();
  expect((await handle(new Request(`${WORKER}/health`), {...env})).status).toBe(200);
});

test('with a limit of the account reached, pages and servers may try again later', async () => {
  const [{token}, {token: other, order}] = [await openSession(), await openOrder()];
  const allow = refuseCalls(REFUSALS.spending_limit);
  const refund = {service: 'DEMO', order, amount: '1.00', contact: {name: 'Ada', iban: 'TR330006100519786457841326'}};
  for (const answer of [
    await askAsPage('POST', '/v1/order-code', {token}),
    await askAsPage('GET', '/v1/payment', {token: other}),
    await ask(`/merchant/v1/orders?service=DEMO&order=${order}`, {headers: {authorization}}),
    await askMerchant('refunds', refund),
    await askMerchant('erasures', {service: 'DEMO', order}),
  ]) {
    expectProblem(answer, PROBLEMS.temporarily_unavailable);
    expect(answer.headers.get('retry-after')).toBe('60');
  }
  allow();
});

test('with a limit of the account reached, no notification is answered with OK, and a later one is stored', async () => {
  const [paid, refunded] = [await openOrder(), await refundOrder()];
  const txid = await pay({order_code: paid.code});
  const [result] = await refundResults();
  const payment = JSON.stringify(await notificationOf(paid, txid));
  const send = async () => [
    await notify('/hooks/payment', {body: payment, bindings}),
    await notifyRefunds(result),
    await notify(`/hooks/billing?key=${HINT_KEY}&charge=31001`, {method: 'GET', bindings}),
  ];
  const refused = ['503 temporarily_unavailable', '503 temporarily_unavailable', '503 temporarily_unavailable'];
  const allowCalls = refuseCalls(REFUSALS.free_plan);
  expect(await send()).toEqual(refused);
  allowCalls();

  // The objects are awake when the limit is reached.
  await showPayment(paid.token);
  const allowStorage = await Promise.all(
    [orderObject(paid.order), refundsObject()].map((stub) => refuseStorage(stub, REFUSALS.free_plan)),
  );
  for (const answer of (await send()).slice(0, 2)) expect(answer).toMatch(/^503 /);
  for (const allow of allowStorage) await allow();
  expect(await send()).toEqual(['200 OK', '200 OK', '200 OK']);
  expect(await showPayment(paid.token)).toMatchObject({state: 'paid'});
  expect(await eventTypes()).toContain(`refund.settled ${refunded.id}`);
});
