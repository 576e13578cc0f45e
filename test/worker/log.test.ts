/** Tests the log as an operator reads it: which lines belong together, and which lines are warnings. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../worker/context.ts';
import {isOrdinaryRefusal} from '../../worker/platform/failure.ts';
import {advance, MINUTE} from './support/clock.ts';
import {orderObject, runSweep} from './support/durable-objects.ts';
import {freshWorker} from './support/fresh-worker.ts';
import {type Line, logLines} from './support/log-lines.ts';
import {askAsPage, openSession} from './support/page.ts';
import {pay, setFault} from './support/sandbox.ts';

freshWorker();

/** The lines that have the same value in this field, as `grep` finds them. */
const linesWith = (field: string, value: unknown): Line[] => logLines().filter((line) => line[field] === value);
const eventsOf = (lines: readonly Line[]) => lines.map(({event, operation}) => operation ?? event);

async function openOrder(): Promise<{token: string; order: string; code: string; requestId: string | null}> {
  const {token, order} = await openSession();
  const answer = await askAsPage('POST', '/v1/order-code', {token});
  const {order_code: code} = answer.body as {order_code: string};
  return {token, order, code, requestId: answer.headers.get('x-request-id')};
}

test('log lines of one payment can be joined by order, by request and by the run of the sweep', async () => {
  const {token, order, code, requestId} = await openOrder();
  expect(eventsOf(linesWith('request_id', requestId))).toEqual(['orderCodeCreate', 'order_code_created', 'request']);
  for (const line of linesWith('request_id', requestId)) expect(line).toMatchObject({service: 'DEMO', order});

  await askAsPage('GET', '/v1/payment', {token});
  const transaction = await pay({order_code: code});
  await advance(MINUTE);
  expect(await runSweep()).toBe(true);
  const [payment] = logLines('payment');
  expect(payment).toEqual({
    level: 'info',
    event: 'payment',
    alarm_id: expect.any(String) as string,
    service: 'DEMO',
    order,
    transaction,
    state: 'paid',
  });
  const sweep = linesWith('alarm_id', payment?.['alarm_id']);
  expect(new Set(eventsOf(sweep))).toEqual(new Set(['transactionSearch', 'payment', 'sweep']));

  await askAsPage('GET', '/v1/payment', {token});
  await runDurableObjectAlarm(orderObject(order));
  const lines = linesWith('order', order);
  expect(eventsOf(lines)).toEqual(expect.arrayContaining(['order_code_created', 'payment', 'request']));
  // Every line belongs to a request or to a run of an alarm.
  for (const line of logLines())
    expect(line['request_id'] ?? line['alarm_id'], JSON.stringify(line)).toEqual(expect.any(String));
});

test('a repeated sweep logs the same money once', async () => {
  const {token, code} = await openOrder();
  await askAsPage('GET', '/v1/payment', {token});
  await pay({order_code: code});
  for (let sweep = 0; sweep < 3; sweep += 1) {
    await advance(MINUTE);
    await runSweep();
  }
  expect(logLines('payment')).toHaveLength(1);
});

test('two requests at the same time do not share log lines', async () => {
  const sessions = [await openSession(), await openSession()];
  const answers = await Promise.all(sessions.map(({token}) => askAsPage('POST', '/v1/order-code', {token})));
  for (const [index, answer] of answers.entries()) {
    const lines = linesWith('request_id', answer.headers.get('x-request-id'));
    expect(eventsOf(lines)).toEqual(['orderCodeCreate', 'order_code_created', 'request']);
    expect(new Set(lines.map(({order}) => order))).toEqual(new Set([sessions[index]?.order]));
  }
});

test('if the platform does not know an order, the log line of the call is no warning', async () => {
  await contextOf(env)
    .platform.call('orderCodeCheck', {code: 'DEMO', order: 'S-404'})
    .catch(() => {});
  expect(logLines('platform_call').at(-1)).toMatchObject({level: 'info', operation: 'orderCodeCheck'});
});

test.for(['ERR_005', 'ERR_010'])(
  'a refusal with %s is logged as a warning, because the platform would refuse other calls too',
  async (status) => {
    await setFault({operation: '/orderToReference/create', kind: 'status', status});
    const {token} = await openSession();
    await askAsPage('POST', '/v1/order-code', {token});
    const refused = logLines('platform_call').filter((line) => line['platform_status'] === status);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({level}) => level))).toEqual(new Set(['warn']));
  },
);

test('a refusal of one call is ordinary, and one of the caller or of every call is not', () => {
  for (const [isOrdinary, status, httpStatus] of [
    [true, 'ERR_014'],
    [true, 'ERR_019'],
    [true, 'ERR_020'],
    [true, 'anything else'],
    [true, '404', 404],
    [true, '400', 400],
    [false, 'ERR_002'],
    [false, 'ERR_004'],
    [false, 'ERR_007'],
    [false, 'ERR_016'],
    [false, 'ERR_010'],
    [false, '029'],
    [false, '030'],
    [false, '401', 401],
    [false, '403', 403],
    [false, '429', 429],
    [false, '500', 500],
  ] as readonly [isOrdinary: boolean, status: string, httpStatus?: number][]) {
    const failure = {outcome: 'refused', status, message: '', ...(httpStatus !== undefined && {httpStatus})} as const;
    expect(isOrdinaryRefusal(failure)).toBe(isOrdinary);
  }
});
