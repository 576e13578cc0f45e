/** GET /merchant/v1/metrics. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {FAMILIES, renderMetrics} from '../../../../worker/routes/merchant/metrics.ts';
import {advance, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {replaceBindings, serviceObject} from '../../support/durable-objects.ts';
import {pay} from '../../support/sandbox.ts';
import {ask, newOrder, read} from './support/merchant-server.ts';

const metricsObject = () => contextOf(env).objects.platform();

/** Sends what this isolate has counted, and reads the metrics. */
async function scrape(): Promise<Record<string, number>> {
  await advance(30 * SECOND);
  contextOf(env).reporter.sendIfDue();
  const before = Date.now();
  const answer = await ask('/merchant/v1/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ]);
  expect(Date.now()).toBe(before);
  expect(answer.text.endsWith('\n# EOF\n')).toBe(true);
  const samples = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

const difference = (after: Record<string, number>, before: Record<string, number>, name: string) =>
  (after[name] ?? 0) - (before[name] ?? 0);

test('an order, its money and the calls for it appear in the metrics', async () => {
  // What earlier tests counted may arrive after the first.
  await scrape();
  const before = await scrape();
  const {service, order} = {service: 'DEMO', order: newOrder()};
  const {order_code: code} = await read('createOrderCode', {service, order, amount: '149.90'});
  // The sandbox's clock goes on while the test runs, so the transfer has an explicit time.
  await pay({order_code: code, at: platformTime()});
  await advance(45 * SECOND);
  await runDurableObjectAlarm(serviceObject());
  await expect
    .poll(async () => {
      const after = await scrape();
      return [
        'vezne_order_codes_total',
        'vezne_payments_total{state="paid"}',
        'vezne_platform_calls_total{operation="orderCodeCreate",outcome="success"}',
        'vezne_payment_lag_seconds_bucket{le="30"}',
        'vezne_payment_lag_seconds_bucket{le="60"}',
        'vezne_payment_lag_seconds_bucket{le="+Inf"}',
        'vezne_payment_lag_seconds_count',
        'vezne_payment_lag_seconds_sum',
      ].map((name) => difference(after, before, name));
    })
    .toEqual([1, 1, 1, 0, 1, 1, 1, 45]);
});

test('the metrics show that the Worker is healthy, the age of the sweep, and the calls left of a quota', async () => {
  const {service, order} = {service: 'DEMO', order: newOrder()};
  await read('createOrderCode', {service, order, amount: '149.90'});
  await runDurableObjectAlarm(serviceObject());
  await advance(2 * MINUTE);
  await replaceBindings(contextOf(env).objects.platform(), {QUOTAS: {refund_charge: {day: 20, second: null}}});
  const metrics = await scrape();
  expect(metrics['vezne_healthy']).toBe(1);
  // The sweep ran 2 minutes before `scrape`, which advances the clock by 30 seconds.
  expect(metrics['vezne_sweep_age_seconds{service="DEMO"}']).toBe(150);
  const quota = ['left', 'limit'].map((name) => metrics[`vezne_quota_${name}{quota="refund_charge"}`]);
  expect(quota).toEqual([20, 20]);
});

test('the metrics need the API key', async () => {
  expect((await ask('/merchant/v1/metrics', {headers: {authorization: 'Bearer wrong'}})).status).toBe(401);
});

test('five hundred reports in ten seconds cause at most one write, and later sums include all reports', async () => {
  const stub = metricsObject();
  await stub.metricSums();
  await advance(10 * SECOND);
  const writes: unknown[] = [];
  await runInDurableObject(stub, async (object, {storage}) => {
    const {kv} = storage;
    const put = kv.put.bind(kv);
    Object.defineProperty(kv, 'put', {
      configurable: true,
      value: (...args: [string, unknown]) => (writes.push(args), put(...args)),
    });
    for (let report = 0; report < 500; report += 1)
      object.recordReport({counts: {vezne_order_codes_total: 1}, troubles: []});
  });
  const writtenAtOnce = writes.length;
  const sums = await stub.metricSums();
  expect([writtenAtOnce <= 1, sums['vezne_order_codes_total']]).toEqual([true, expect.any(Number)]);
  expect(sums['vezne_order_codes_total']).toBeGreaterThanOrEqual(500);
});

test('the `Platform` object keeps at most a thousand series, and counts the counts that it lost', async () => {
  const stub = metricsObject();
  const lost = 'vezne_metrics_lost_counts_total';
  const {[lost]: lostBefore = 0, ...others} = await stub.metricSums();
  for (let part = 0; part < 3; part += 1)
    await stub.recordReport({
      counts: Object.fromEntries(Array.from({length: 500}, (_, index) => [`vezne_x_${part}_${index}`, 1])),
      troubles: [],
    });
  const {[lost]: lostAfter = 0, ...kept} = await stub.metricSums();
  expect(Object.keys(kept).length).toBeLessThanOrEqual(1_000);
  expect(lostAfter - lostBefore).toBe(Object.keys(others).length + 1_500 - Object.keys(kept).length);
});

test('the text has each known family once, and buckets in the order of their bounds', () => {
  const text = renderMetrics({
    'vezne_payment_lag_seconds_bucket{le="+Inf"}': 2,
    'vezne_payment_lag_seconds_bucket{le="3600"}': 2,
    'vezne_payment_lag_seconds_bucket{le="60"}': 1,
    'vezne_sessions_total{kind="payment",opened_by="page"}': 3,
    vezne_of_a_later_version_total: 1,
  });
  const types = text.split('\n').filter((line) => line.startsWith('# TYPE'));
  expect(types).toHaveLength(Object.keys(FAMILIES).length);
  expect(text.split('\n').filter((line) => line.startsWith('vezne_'))).toEqual([
    'vezne_sessions_total{kind="payment",opened_by="page"} 3',
    'vezne_payment_lag_seconds_bucket{le="60"} 1',
    'vezne_payment_lag_seconds_bucket{le="3600"} 2',
    'vezne_payment_lag_seconds_bucket{le="+Inf"} 2',
  ]);
});
