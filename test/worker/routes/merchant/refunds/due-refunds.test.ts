/** Tests refunds without an amount: what is due back of an order's money is sent once, whoever asks and however often. */

import {abortAllDurableObjects} from 'cloudflare:test';
import {describe, expect, test} from 'vitest';
import {ShownRefund} from '../../../../../worker/contract/browser/answers.ts';
import {MINUTE, SECOND} from '../../../support/clock.ts';
import {runSweep} from '../../../support/durable-objects.ts';
import {askAsPage, read as readPage} from '../../../support/page.ts';
import {callPlatform, hold, pay, release, untilHeld} from '../../../support/sandbox.ts';
import {call, expectProblem, newKey, newOrder, read} from '../support/merchant-server.ts';
import {platformCalls} from '../support/platform-calls.ts';
import {contact, injectFault, liftPlatformLimits, runAlarmAfter, service} from '../support/refundable-orders.ts';

liftPlatformLimits();

const refundCalls = async () => (await platformCalls('/refund/create')).map(({params}) => params['amount']);

/** The input of a refund of an order of 100.00 for which this amount arrived. */
async function orderWith(arrived = '150.00') {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service, order, amount: '100.00'});
  await pay({order_code, amount: arrived});
  await runSweep();
  return {service, order, contact};
}

const sendByLink = async ({url}: {readonly url: string}) =>
  readPage(
    await askAsPage('POST', '/v1/refund-contacts', {body: {link: url.split('/').at(-1), ...contact}}),
    ShownRefund,
  ).state;

test('an excess is sent back once without an amount; an amount of one’s own stays possible up to what is left', async () => {
  const input = await orderWith();
  expect(await read('createRefund', input)).toMatchObject({amount: '50.00'});
  expectProblem(await call('createRefund', input), 'already_refunded');
  expectProblem(await call('createRefund', {...input, reason: 'excess'}), 'already_refunded');
  expectProblem(await call('createRefundLink', {service, order: input.order}), 'already_refunded');
  expect(await read('createRefund', {...input, amount: '30.00'})).toMatchObject({amount: '30.00'});
  expectProblem(await call('createRefund', {...input, amount: '70.01'}), 'refund_too_large', {
    fields: [{path: 'amount', message: '70.00 of the order’s money is left. `force` refunds more.'}],
  });
  expect(await refundCalls()).toEqual(['50.00', '30.00']);
});

test('`reason: "excess"` says the same as no amount, and not beside one', async () => {
  const input = await orderWith();
  expectProblem(await call('createRefund', {...input, reason: 'excess', amount: '50.00'}), 'invalid_request', {
    fields: [{path: 'reason', message: 'Expected either amount or reason.'}],
  });
  expectProblem(await call('createRefund', {...input, reason: 'late'}), 'invalid_request', {
    fields: [{path: 'reason', message: 'Expected excess.'}],
  });
  expect(await read('createRefund', {...input, reason: 'excess'})).toMatchObject({amount: '50.00'});
});

test('all money of a cancelled order is due', async () => {
  const {order_code, ...input} = {
    ...(await read('createOrderCode', {service, order: newOrder(), amount: '80.00'})),
    contact,
  };
  await read('cancelOrder', {service, order: input.order});
  await pay({order_code, amount: '80.00'});
  await runSweep();
  const refund = {service, order: input.order, contact};
  expect(await read('createRefund', refund)).toMatchObject({amount: '80.00'});
  expectProblem(await call('createRefund', refund), 'already_refunded');
});

test('a paid order is no reason to send money back', async () => {
  const input = await orderWith('100.00');
  expectProblem(await call('createRefund', input), 'refund_too_large', {
    fields: [{path: 'amount', message: 'Nothing is due back. Name an amount: at most 100.00 is left.'}],
  });
  expectProblem(await call('createRefund', {...input, order: newOrder()}), 'unknown_order');
  expect(await refundCalls()).toEqual([]);
});

test('a refund made elsewhere, of which the Worker has not heard, counts', async () => {
  const input = await orderWith();
  const elsewhere = {'contact[name]': 'Deniz', 'contact[iban]': contact.iban};
  await callPlatform('/refund/create', {code: service, order: input.order, amount: '50.00', ...elsewhere});
  expectProblem(await call('createRefund', input), 'already_refunded');
  expect(await refundCalls()).toHaveLength(1);
});

describe('the excess is sent once', () => {
  test('by a link and by a server', async () => {
    const [first, second] = [await orderWith(), await orderWith()];
    const link = await read('createRefundLink', {service, order: first.order});
    expect(await sendByLink(link)).toBe('sent');
    expectProblem(await call('createRefund', first), 'already_refunded');
    const late = await read('createRefundLink', {service, order: second.order});
    await read('createRefund', second);
    expect(await sendByLink(late)).toBe('unavailable');
    expect(await read('listCommands', {state: 'failed'})).toMatchObject({items: [{code: 'already_refunded'}]});
    expect(await refundCalls()).toEqual(['50.00', '50.00']);
  });

  test('to servers that ask at the same time', async () => {
    const input = await orderWith();
    const answers = await Promise.all(Array.from({length: 5}, () => call('createRefund', input)));
    expect(answers.filter(({status}) => status === 201)).toHaveLength(1);
    for (const {body} of answers.filter(({status}) => status !== 201))
      expect(['already_refunded', 'command_pending']).toContain((body as {code: string}).code);
    expect(await refundCalls()).toEqual(['50.00']);
  });

  test('beside a refund of another amount that runs, which counts', async () => {
    const input = await orderWith();
    await hold('/refund/create');
    const first = call('createRefund', {...input, amount: '20.00'});
    await untilHeld();
    expect(await read('createRefund', input)).toMatchObject({amount: '30.00'});
    await release('/refund/create');
    expect((await first).status).toBe(201);
  });

  test('while the outcome of the first is unknown, and after the platform shows it', async () => {
    const input = await orderWith();
    const key = newKey();
    await injectFault('/refund/create', 'empty', {after: true, times: 1});
    await injectFault('/refund/getByOrder', 'delay', {delay_ms: 1, times: 1});
    await injectFault('/refund/getByOrder', 'malformed', {times: 3});
    expectProblem(await call('createRefund', input, {key}), 'outcome_unknown', {
      command_id: expect.any(String) as string,
    });
    expectProblem(await call('createRefund', input), 'already_refunded');
    await runAlarmAfter(MINUTE);
    expect(await read('createRefund', input, {key})).toMatchObject({amount: '50.00'});
    expectProblem(await call('createRefund', input), 'already_refunded');
    expect(await refundCalls()).toEqual(['50.00']);
  });
});

describe('if every process dies, the same key gets the refund, and another key none', () => {
  test('while the platform makes it', async () => {
    const input = await orderWith();
    const key = newKey();
    await hold('/refund/create', {after: true});
    const first = call('createRefund', input, {key});
    await untilHeld();
    await abortAllDurableObjects();
    await first;
    await release('/refund/create');
    await runAlarmAfter(MINUTE);
    expect(await read('createRefund', input, {key})).toMatchObject({amount: '50.00'});
    expectProblem(await call('createRefund', input), 'already_refunded');
    expect(await refundCalls()).toEqual(['50.00']);
  });

  test('before it was sent', async () => {
    const input = await orderWith();
    const key = newKey();
    await hold('/refund/getByOrder');
    const first = call('createRefund', input, {key});
    await untilHeld();
    await abortAllDurableObjects();
    await first;
    await release('/refund/getByOrder');
    await runAlarmAfter(2 * SECOND);
    const again = await call('createRefund', input, {key});
    const other = await call('createRefund', input);
    expect([again.status, other.status].sort()).toEqual([201, 409]);
    expect(await refundCalls()).toEqual(['50.00']);
  });
});
