/**
 * Tests what the platform, the shoppers and the operator see of an outage of the platform.
 * `test/bench/outage.bench.mjs` measures an outage.
 */

import {setTimeout as wait} from 'node:timers/promises';
import {expect, inject, test, type TestContext} from 'vitest';
import {type FaultStack, openFaultStack} from './support/fault-stack.ts';
import {retryUntil} from './support/page.ts';

async function open({onTestFinished}: TestContext): Promise<FaultStack> {
  const stack = await openFaultStack(inject('bundles'));
  onTestFinished(() => stack.stop());
  return stack;
}

test.concurrent('the Worker calls a failing platform at most 12 times, and all pages recover', async (context) => {
  const {page, line, platform, logLines} = await open(context);
  const waiting = await page.openOrder();
  const sessions = await Promise.all(Array.from({length: 60}, () => page.openSession()));
  await line.set('reset-before');
  const before = line.attempts();
  const answers = [];
  for (const session of sessions) answers.push(await page.requestOrderCode(session));
  // At most ten calls, one retry (a tenth of the calls) and one sweep that was already running.
  expect(line.attempts() - before).toBeLessThanOrEqual(12);
  expect(new Set(answers.map(({status}) => status))).toEqual(new Set([503]));
  expect(answers.at(-1)?.retryAfter).toBeGreaterThan(5);
  expect(await page.health()).toMatchObject({
    status: 'degraded',
    problems: [
      'The platform keeps failing, so the Worker calls it only now and then until it recovers. You need not do anything.',
    ],
  });

  await platform.pay(waiting.code);
  await line.set(null);
  const healthyAt = performance.now();
  const [codes, payment] = await Promise.all([
    Promise.all(sessions.map((session) => retryUntil(() => page.requestOrderCode(session)))),
    retryUntil(
      () => page.readPayment(waiting.session),
      ({body}) => body.state === 'paid',
    ),
  ]);
  expect(performance.now() - healthyAt).toBeLessThan(30_000);
  expect(payment.body.transactions).toHaveLength(1);
  const orders = (await platform.orders()).map(({order, order_code}) => ({order, order_code}));
  expect(orders).toHaveLength(61);
  expect(orders).toEqual(
    expect.arrayContaining(
      codes.map(({body}) => ({
        order: (body as {order: string}).order,
        order_code: (body as {order_code: string}).order_code,
      })),
    ),
  );
  expect(logLines('circuit_opened')).toHaveLength(1);
  expect(logLines('circuit_closed')).toHaveLength(1);
  expect(await page.health()).toMatchObject({status: 'ok', problems: []});
});

test.concurrent('when a new attempt is due, only one of many requests reaches the platform', async (context) => {
  const {page, line} = await open(context);
  await line.set('reset-before');
  const sessions = await Promise.all(Array.from({length: 30}, () => page.openSession()));
  let retryAfter = 0;
  for (const session of sessions) retryAfter = (await page.requestOrderCode(session)).retryAfter ?? 0;
  const before = line.attempts();
  await wait(retryAfter * 1000);
  const answers = await Promise.all(sessions.map((session) => page.requestOrderCode(session)));
  expect(line.attempts() - before).toBe(1);
  expect(new Set(answers.map(({status}) => status))).toEqual(new Set([503]));
});
