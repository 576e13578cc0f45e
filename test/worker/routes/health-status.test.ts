/** Tests when `GET /health` answers 503, so that a monitor alerts the operator, and when it answers 200. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {Health} from '../../../worker/contract/browser/answers.ts';
import type {TroubleKind} from '../../../worker/platform/reporter.ts';
import {handle} from '../../../worker/router.ts';
import {advance, HOUR, MINUTE, SECOND} from '../support/clock.ts';
import {alarmIn, runSweep, platformObject} from '../support/durable-objects.ts';
import {notice, receivedNotices} from '../support/events.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {askAsPage, openSession, openWantedOrder, WORKER} from '../support/page.ts';
import {pay, setFault} from '../support/sandbox.ts';
import {deliver, freshReceiver, outboxObject, setReceiver} from '../support/webhook-receiver.ts';

freshWorker();
freshReceiver();

/** The answer of a new isolate, which has no earlier answer in its memory. */
async function healthNow(): Promise<{http: number; status: string; problems: string[]}> {
  const answer = await handle(new Request(`${WORKER}/health`), {...env});
  const {status, problems} = Health.parse(await answer.json());
  return {http: answer.status, status, problems};
}

/** How much money each webhook has not heard of. */
const unheard = async () => (await outboxObject().listWebhooks()).map(({unheardMoney}) => unheardMoney);

const report = (kind: TroubleKind, present = true) =>
  platformObject().recordReport({counts: {}, troubles: [{kind, interface: 'phs', operation: 'x', present}]});

test.for<TroubleKind>(['address_refused', 'credentials_refused'])(
  '/health answers 503 immediately for trouble that does not end by itself: %s',
  async (kind) => {
    await report(kind);
    expect(await healthNow()).toMatchObject({http: 503, status: 'degraded'});
  },
);

test.for<TroubleKind>(['circuit_open', 'calls_limited'])(
  '/health answers 503 after five minutes of %s',
  async (kind) => {
    await report(kind);
    expect(await healthNow()).toMatchObject({http: 200, status: 'degraded'});
    for (let minute = 0; minute < 5; minute += 1) {
      await advance(MINUTE);
      await report(kind);
    }
    expect(await healthNow()).toMatchObject({http: 503, status: 'degraded'});
    await report(kind, false);
    expect(await healthNow()).toMatchObject({http: 200, status: 'ok'});
  },
);

test('/health answers 200 while limits refuse a flood of requests', async () => {
  const counts = {'vezne_limit_refusals_total{limit="service_orders_per_minute"}': 10_000};
  await platformObject().recordReport({counts, troubles: []});
  expect(await healthNow()).toMatchObject({http: 200, status: 'ok', problems: []});
});

test('/health answers 503 after a sweep has failed for more than fifteen minutes, until it succeeds', async () => {
  const {token} = await openSession();
  await askAsPage('POST', '/v1/order-code', {token});
  await askAsPage('GET', '/v1/payment', {token});
  await runSweep();
  await setFault({operation: '/transaction/search', kind: 'status', status: 'ERR_005'});
  await advance(14 * MINUTE);
  await runSweep();
  expect(await healthNow()).toMatchObject({http: 200, status: 'ok'});
  await advance(2 * MINUTE);
  await runSweep();
  const {http, status, problems} = await healthNow();
  expect([http, status]).toEqual([503, 'degraded']);
  expect(problems).toEqual([
    'The service DEMO was last searched for money 16 minutes ago. The log event `sweep_failed` says why.',
  ]);
  await setFault({operation: '/transaction/search', kind: 'clear'});
  await advance(15 * SECOND);
  await runSweep();
  expect(await healthNow()).toMatchObject({http: 200, status: 'ok'});
});

test('/health answers 200 when the first order after a month without orders is placed', async () => {
  const first = await openSession();
  await askAsPage('POST', '/v1/order-code', {token: first.token});
  await askAsPage('GET', '/v1/payment', {token: first.token});
  await runSweep();
  await advance(24 * 30 * HOUR);
  await runSweep();
  const {token} = await openSession();
  await askAsPage('POST', '/v1/order-code', {token});
  await askAsPage('GET', '/v1/payment', {token});
  expect(await contextOf(env).objects.service('DEMO').ages()).toMatchObject({transfers: 0});
  expect(await healthNow()).toMatchObject({http: 200});
});

test('/health answers 503 from the first refused event about money until it is delivered, whatever else the receiver accepts', async () => {
  const {code} = await openWantedOrder();
  await setReceiver({refused: 1, status: 500});
  await pay({order_code: code});
  await runSweep();
  await deliver();
  const problem =
    'The webhook wh_configured did not accept an event about money of an order. When the receiver works, POST ' +
    '/merchant/v1/deliveries/resend delivers now what waits.';
  expect(await healthNow()).toEqual({http: 503, status: 'degraded', problems: [problem]});
  await setReceiver({});
  await outboxObject().append([notice('S-1')]);
  await deliver();
  expect(await receivedNotices()).toEqual(['S-1 1']);
  expect(await healthNow()).toEqual({http: 503, status: 'degraded', problems: [problem]});
  // The webhook of the configuration gets events of all services.
  for (const [limit, resumed] of [
    [['DEMO'], 0],
    [null, 1],
    [null, 0],
  ] as const)
    expect(await outboxObject().resendWaiting(null, limit)).toBe(resumed);
  await deliver();
  expect(await healthNow()).toEqual({http: 200, status: 'ok', problems: []});
});

test('resending an event of an order changes nothing of how much of its money the webhook has not heard', async () => {
  const {code} = await openWantedOrder();
  const receive = async (amount: string) => {
    await pay({order_code: code, amount});
    await advance(MINUTE);
    await runSweep();
    await deliver();
  };
  await receive('50.00');
  await setReceiver({refused: 2, status: 500, about: '"paid":"100.00"'});
  await receive('50.00');
  await receive('49.90');
  expect(await unheard()).toEqual([2]);
  const events = (await outboxObject().read(0)).items.filter(({type}) => type.startsWith('payment.'));
  expect(events.map(({type}) => type)).toEqual(['payment.partial', 'payment.partial', 'payment.received']);
  for (const {id} of [...events, ...events.toReversed()]) {
    expect(await outboxObject().resend(id, null, null)).toBe('waiting');
    expect(await unheard(), id).toEqual([2]);
  }
  // The first event is accepted again, and the second one is refused again.
  await deliver();
  expect(await unheard()).toEqual([2]);
  const {problems} = await healthNow();
  expect(problems).toHaveLength(1);
  await setReceiver({});
  await outboxObject().resendWaiting(null, null);
  await deliver();
  expect(await unheard()).toEqual([0]);
});

test('money whose event was given up is unheard again as soon as the event is to be sent again', async () => {
  const {code} = await openWantedOrder();
  await setReceiver({refused: 1, status: 410});
  await pay({order_code: code});
  await runSweep();
  await deliver();
  const [event] = (await outboxObject().readDead(0, null)).items;
  await outboxObject().resend(event?.event.id ?? '', null, null);
  expect(await unheard()).toEqual([1]);
  await setReceiver({refused: 1, status: 500});
  await deliver();
  // Its attempts begin again, so the next one is soon.
  expect(await alarmIn(outboxObject())).toBeLessThan(MINUTE);
});

test('money that a webhook has refused is counted while a thousand new events wait', async () => {
  const {code} = await openWantedOrder();
  await setReceiver({refused: 1, status: 500});
  await pay({order_code: code});
  await runSweep();
  await deliver();
  expect(await unheard()).toEqual([1]);
  await runInDurableObject(outboxObject(), (_object, {storage: {sql}}) => {
    for (let seq = 1_001; seq <= 2_100; seq += 1) {
      sql.exec(
        `INSERT INTO events (seq, id, subject, body, appended_at) VALUES (?, 'e' || ?, 's' || ?, '{}', 0)`,
        seq,
        seq,
        seq,
      );
      sql.exec(
        `INSERT INTO deliveries (subject, seq, webhook, state, due_at, attempts, queued_at)
        SELECT 's' || ?, ?, webhook, 'waiting', 0, 0, 0 FROM deliveries LIMIT 1`,
        seq,
        seq,
      );
    }
  });
  expect(await unheard()).toEqual([1]);
});

test('/health answers 200 while an event that is not about money waits after its first attempt', async () => {
  await setReceiver({refused: 1, status: 500});
  await outboxObject().append([notice('S-1')]);
  await deliver();
  expect(await healthNow()).toMatchObject({http: 200, status: 'ok'});
});
