/** An outage as the platform, the shoppers and whoever runs the Worker see it. `test/bench/outage.bench.mjs` measures one. */

import {setTimeout as wait} from 'node:timers/promises';
import {expect, inject, test, type TestContext} from 'vitest';
import {type FaultStack, openFaultStack} from './support/fault-stack.ts';
import {retryUntil} from './support/page.ts';

async function open({onTestFinished}: TestContext): Promise<FaultStack> {
  const stack = await openFaultStack(inject('bundles'));
  onTestFinished(() => stack.stop());
  return stack;
}

test.concurrent('a platform that fails is asked ten times, then once in fifteen seconds, and everybody is back when it is', async (context) => {
  const {page, line, platform, logLines} = await open(context);
  const waiting = await page.openOrder();
  const sessions = await Promise.all(Array.from({length: 60}, () => page.openSession()));
  await line.set('reset-before');
  const before = line.attempts();
  const answers = [];
  for (const session of sessions) answers.push(await page.askOrderCode(session));
  // Ten calls at most, of which a tenth may have been repeated, and a sweep that was under way.
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
    Promise.all(sessions.map((session) => retryUntil(() => page.askOrderCode(session)))),
    retryUntil(
      () => page.askPayment(waiting.session),
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

test.concurrent('of all who ask when a failing platform may be asked again, one asks', async (context) => {
  const {page, line} = await open(context);
  await line.set('reset-before');
  const sessions = await Promise.all(Array.from({length: 30}, () => page.openSession()));
  let retryAfter = 0;
  for (const session of sessions) retryAfter = (await page.askOrderCode(session)).retryAfter ?? 0;
  const before = line.attempts();
  await wait(retryAfter * 1000);
  const answers = await Promise.all(sessions.map((session) => page.askOrderCode(session)));
  expect(line.attempts() - before).toBe(1);
  expect(new Set(answers.map(({status}) => status))).toEqual(new Set([503]));
});
