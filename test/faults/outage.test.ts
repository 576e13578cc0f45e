/**
 * Tests what the platform, the shoppers and the operator notice during an outage of the platform.
 * `client-retries.test.ts` tests with a simulated clock when the client makes its next attempt, and `npm run bench --
 * outage` measures an outage.
 */

import {expect, inject, test} from 'vitest';
import {openFaultStack} from './support/fault-stack.ts';
import {retryUntil} from './support/page.ts';

test('the Worker calls a failing platform at most 12 times, and all pages recover', async ({onTestFinished}) => {
  const {page, line, platform, logLines, stop} = await openFaultStack(inject('bundles'));
  onTestFinished(stop);
  const waiting = await page.openOrder();
  const sessions = await Promise.all(Array.from({length: 20}, () => page.openSession()));
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
  const [codes, payment] = await Promise.all([
    Promise.all(sessions.map((session) => retryUntil(() => page.requestOrderCode(session)))),
    retryUntil(
      () => page.readPayment(waiting.session),
      ({body}) => body.state === 'paid',
    ),
  ]);
  for (const {delaySeconds} of [...codes, payment]) expect(delaySeconds).toBeLessThanOrEqual(30);
  expect(payment.body.transactions).toHaveLength(1);
  const orders = (await platform.orders()).map(({order, order_code}) => ({order, order_code}));
  expect(orders).toHaveLength(21);
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
