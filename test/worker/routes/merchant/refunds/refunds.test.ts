/** Tests which refunds the Worker sends, how it recognizes them, and what it says when the platform refuses them. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {describe, expect, test} from 'vitest';
import type {ErrorCode} from '../../../../../worker/contract/codes.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../../support/clock.ts';
import {orderObject, renewToken, runSweep} from '../../../support/durable-objects.ts';
import {callPlatform, control, hold, pay, release, untilHeld} from '../../../support/sandbox.ts';
import {outboxObject} from '../../../support/webhook-receiver.ts';
import {call, expectProblem, newKey, newOrder, read} from '../support/merchant-server.ts';
import {platformCalls} from '../support/platform-calls.ts';
import {
  contact,
  IBAN,
  injectFault,
  liftPlatformLimits,
  paidOrder,
  runAlarmAfter,
  service,
} from '../support/refundable-orders.ts';

const OTHER_IBAN = 'TR320010009999901234567890';
const text = expect.any(String) as string;

const SPLIT = {payout: '90.00', sub_merchant_id: 31, fee: '5.00'};

liftPlatformLimits();

const sentPart = async () => (await platformCalls('/refund/create')).at(-1)?.params['sub_merchant_id'];
const refundCalls = async () => (await platformCalls('/refund/create')).length;
const listCommands = async (state: 'unknown' | 'done' | 'failed') => (await read('listCommands', {state})).items;
const refundsOf = async (order: string) =>
  (await read('listRefunds', {order})).items.map(({id, amount}) => [id, amount]).sort();

/** Makes a refund at the platform, without the Worker. */
const refundElsewhere = (order: string, amount: string, iban = IBAN) =>
  callPlatform('/refund/create', {code: service, order, amount, 'contact[name]': 'Deniz', 'contact[iban]': iban});

test('a part of the money is refunded, then the rest', async () => {
  const input = await paidOrder();
  const part = await read('createRefund', {...input, amount: '49.90'});
  const rest = await read('createRefund', {...input, amount: '100.00'});
  expect(await refundsOf(input.order)).toEqual(
    [
      [part.id, '49.90'],
      [rest.id, '100.00'],
    ].sort(),
  );
  expectProblem(await call('createRefund', {...input, amount: '0.01'}), 'amount_invalid', {
    platform: {status: 'ERR_021', message: 'Amount Limit Exceed'},
  });
});

test('two equal amounts of one order can be refunded one after the other', async () => {
  const input = {...(await paidOrder()), amount: '10.00'};
  expect((await read('createRefund', input)).id).not.toBe((await read('createRefund', input)).id);
  expect(await refundCalls()).toBe(2);
});

/** An order whose money the Worker has found. */
async function knownOrder() {
  const input = await paidOrder('100.00');
  await runSweep();
  return input;
}

const tooLarge = (left: string) => ({
  fields: [{path: 'amount', message: `${left} of the order’s money is left. \`force\` refunds more.`}],
});

describe('a refund of more than what is left of the order’s money', () => {
  test('is refused with another key, whoever made the earlier refunds, unless it is forced', async () => {
    const input = await knownOrder();
    await read('createRefund', {...input, amount: '60.00'});
    expectProblem(await call('createRefund', {...input, amount: '60.00'}), 'refund_too_large', tooLarge('40.00'));
    await refundElsewhere(input.order, '15.00');
    expectProblem(await call('createRefund', {...input, amount: '25.01'}), 'refund_too_large', tooLarge('25.00'));
    expect(await refundCalls()).toBe(2);
    // The platform is asked, and decides for itself.
    expectProblem(await call('createRefund', {...input, amount: '25.01', force: true}), 'amount_invalid', {
      platform: {status: 'ERR_021', message: 'Amount Limit Exceed'},
    });
    await read('createRefund', {...input, amount: '25.00'});
  });

  test('is refused by what the books know after the order was deleted', async () => {
    const input = await knownOrder();
    await read('createRefund', {...input, amount: '60.00'});
    await advance(11 * DAY);
    await renewToken();
    await runDurableObjectAlarm(orderObject(input.order));
    expect(await orderObject(input.order).details()).toBeNull();
    expectProblem(await call('createRefund', {...input, amount: '40.01'}), 'refund_too_large', tooLarge('40.00'));
    await read('createRefund', {...input, amount: '40.00'});
  });

  test('does not count a refund that failed', async () => {
    const input = await knownOrder();
    const {id} = await read('createRefund', input);
    await control('day-end', {notify: 'post', outcomes: {[id]: 4}});
    await read('createRefund', input);
  });

  test('waits while an earlier refund has no outcome', async () => {
    const input = await knownOrder();
    await injectFault('/refund/create', 'empty', {times: 1});
    await call('createRefund', {...input, amount: '60.00'});
    const key = newKey();
    expectProblem(await call('createRefund', {...input, amount: '50.00'}, {key}), 'command_pending');
    await read('createRefund', {...input, amount: '40.00'});
    for (const minutes of [1, 2, 3, 4, 5, 6]) await runAlarmAfter(minutes * MINUTE);
    expect((await call('createRefund', {...input, amount: '50.00'}, {key})).status).toBe(201);
  });

  test.for([
    ['the code may have been made elsewhere', 'code'],
    ['the refunds cannot be read', 'list'],
    ['some money cannot be read', 'money'],
  ] as const)('is sent if %s, because the record is not complete', async ([, gap]) => {
    const {order} = gap === 'code' ? {order: newOrder()} : await knownOrder();
    const input = {service, order, amount: '900.00', contact};
    if (gap === 'code') {
      const {order: code} = await callPlatform('/orderToReference/create', {code: service, order, amount: '100.00'});
      await read('createSession', {kind: 'payment', origin: 'http://localhost:5173', service, order, amount: '100.00'});
      await orderObject(order).orderCode({service, order, amount: 10_000, hours: 1});
      await pay({order_code: String(code)});
      await runSweep();
    }
    if (gap === 'list') await injectFault('/refund/getByOrder', 'status', {status: 'ERR_006', times: 1});
    if (gap === 'money') {
      const euros = {id: '7', amount: 1, currency: 'EUR', bank: 'x', at: Date.now(), state: 'unknown'};
      await orderObject(order).receiveArrivals([euros], Date.now());
    }
    expectProblem(await call('createRefund', input), 'amount_invalid', {platform: {status: 'ERR_021', message: text}});
  });
});

test('a refund knows its part, and the platform gets it where it was agreed', async () => {
  const input = {...(await paidOrder('100.00', SPLIT)), amount: '10.00'};
  await read('createRefund', {...input, sub_merchant_id: 31});
  expect(await sentPart()).toBeUndefined();
  const bindings = {EXTRA_PARAMETERS: 'sub_merchant_id'};
  await control('readings', {refund_part: 'named'});
  expectProblem(await call('createRefund', input, {bindings}), 'invalid_request', {
    platform: {status: '400', message: 'Missing Parameter'},
  });
  await read('createRefund', {...input, sub_merchant_id: '32'}, {bindings});
  expect(await sentPart()).toBe('32');
  await read('createRefund', {...input, extra: {sub_merchant_id: '33'}}, {bindings});
  expect(await sentPart()).toBe('33');
  const twice = {...input, sub_merchant_id: '31', extra: {sub_merchant_id: '32'}};
  expectProblem(await call('createRefund', twice, {bindings}), 'invalid_request', {
    fields: [{path: 'extra.sub_merchant_id', message: 'The request already has the field sub_merchant_id.'}],
  });
  const {refunds} = await read('getOrder', {service, order: input.order});
  expect(refunds.map(({sub_merchant_id}) => sub_merchant_id)).toEqual(['31', '32', '33']);
  const events = (await outboxObject().read(0)).items.filter(
    ({type, data}) => type === 'refund.requested' && 'order' in data && data.order === input.order,
  );
  expect(events).toMatchObject(['31', '32', '33'].map((sub_merchant_id) => ({data: {sub_merchant_id}})));
});

test('the answer of a completion names the refunds that are under way', async () => {
  const input = await paidOrder();
  const {id} = await read('createRefund', {...input, amount: '2.00'});
  const {pending_refunds: pending} = await read('completeOrder', {service, order: input.order});
  expect(pending).toMatchObject([{id, amount: '2.00', state: 'waiting'}]);
});

/** A status of each kind; `platform-errors.test.ts` has the codes of all of them. */
const REFUSALS: readonly [reading: string, status: string, code: ErrorCode][] = [
  ['second_refund', 'ERR_008', 'invalid_request'],
  ['completed_order', 'ERR_039', 'action_invalid'],
  ['unpaid_refund', 'ERR_014', 'unknown_order'],
];

test.for(REFUSALS)(
  'if the platform refuses a refund (%s) with %s, the merchant gets %s with the platform’s message',
  async ([reading, status, code]) => {
    await control('readings', {[reading]: status});
    const order = newOrder();
    const {order_code} = await read('createOrderCode', {service, order, amount: '149.90'});
    const input = {service, order, amount: '10.00', contact};
    if (reading !== 'unpaid_refund') await pay({order_code, amount: '149.90'});
    if (reading === 'completed_order') await read('completeOrder', {service, order});
    if (reading === 'second_refund') await read('createRefund', input);
    const before = await refundCalls();
    expectProblem(await call('createRefund', input), code, {platform: {status, message: text}});
    expect(await refundCalls()).toBe(before + 1);
  },
);

test('an update of a completed order is refused with the platform’s status and message', async () => {
  const {order} = await paidOrder();
  await read('completeOrder', {service, order});
  expectProblem(await call('updateOrderCode', {service, order, amount: '1.00'}), 'action_invalid', {
    platform: {status: 'ERR_018', message: 'There is spending recording'},
  });
});

test.for([
  ['API_ERR_3006', 'action_invalid'],
  ['API_ERR_1001', 'invalid_request'],
] as const)('the refund of a failed charge is refused: the platform’s status %s becomes %s', async ([status, code]) => {
  await control('readings', {unrefundable_charge: status});
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5550002004'});
  const {last_charge} = await read('getSubscription', {service, id: String(subscription_id)});
  expect(last_charge?.state).toBe('failed');
  expectProblem(await call('refundCharge', {service, id: last_charge?.id ?? ''}), code, {
    platform: {status, message: text},
  });
});

test('an invalid parameter of a payment page is not reported as wrong credentials', async () => {
  await control('readings', {invalid_parameter: 'API_ERR_1023'});
  const input = {
    service,
    reference: 'R',
    item: 'I',
    price: '1',
    trial_days: 900,
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
  };
  expectProblem(await call('createPaymentPage', input), 'invalid_request', {
    platform: {status: 'API_ERR_1023', message: 'Invalid parameter, trialPeriodDay'},
  });
});

describe('two refunds of one order', () => {
  test('run at the same time if their amounts differ; if their amounts are equal, the second is refused', async () => {
    const input = await paidOrder();
    await hold('/refund/create', {times: 2});
    const requests = ['10.00', '20.00', '10.0'].map((amount) => call('createRefund', {...input, amount}));
    await Promise.all([untilHeld(2), Promise.race(requests)]);
    await release('/refund/create');
    const answers = await Promise.all(requests);
    expect(answers.map(({status}) => status).sort()).toEqual([201, 201, 409]);
    for (const answer of answers.filter(({status}) => status === 409)) expectProblem(answer, 'command_pending');
    expect((await refundsOf(input.order)).map(([, amount]) => amount).sort()).toEqual(['10.00', '20.00']);
  });

  test('while the outcome of the first is unknown, a second one is refused only if its amount is equal', async () => {
    const input = await paidOrder();
    await injectFault('/refund/create', 'empty', {times: 1});
    const key = newKey();
    expectProblem(await call('createRefund', {...input, amount: '30.00'}, {key}), 'outcome_unknown', {
      command_id: text,
    });
    expectProblem(await call('createRefund', {...input, amount: '30.00'}), 'command_pending');
    expect(await refundCalls()).toBe(1);
    const other = await read('createRefund', {...input, amount: '20.00'});
    const {refund_id} = await refundElsewhere(input.order, '30.00');
    await runAlarmAfter(2 * SECOND);
    expect((await read('createRefund', {...input, amount: '30.00'}, {key})).id).toBe(String(refund_id));
    const second = await read('createRefund', {...input, amount: '30.00'});
    expect(new Set([other.id, String(refund_id), second.id]).size).toBe(3);
  });
});

test.for([{}, SPLIT])(
  'if an order with the split %j has several refunds, each command is matched to the correct refund',
  async (split) => {
    const input = await paidOrder('100.00', split);
    await injectFault('/refund/create', 'empty', {after: true, times: 1});
    await injectFault('/refund/getByOrder', 'delay', {delay_ms: 1, times: 1});
    await injectFault('/refund/getByOrder', 'malformed', {times: 3});
    const key = newKey();
    expectProblem(await call('createRefund', {...input, amount: '30.00'}, {key}), 'outcome_unknown', {
      command_id: text,
    });
    expectProblem(await call('createRefund', {...input, amount: '30.00'}), 'command_pending');
    const other = await read('createRefund', {...input, amount: '20.00'});
    await runAlarmAfter(MINUTE);
    const first = await read('createRefund', {...input, amount: '30.00'}, {key});
    expect(first.id).not.toBe(other.id);
    const {items} = await read('listRefunds', {order: input.order});
    expect(items.map(({id, amount}) => [id, amount]).sort()).toEqual(
      [
        [first.id, '30.00'],
        [other.id, '20.00'],
      ].sort(),
    );
    // The Worker does not take the earlier refund of the same amount for the result of a further command.
    await injectFault('/refund/create', 'empty', {after: true, times: 1});
    const again = await read('createRefund', {...input, amount: '30.00'});
    expect(again.id).not.toBe(first.id);
    expect((await read('listRefunds', {order: input.order})).total).toBe(3);
  },
);

test('a refund with a different IBAN or amount is not mistaken for the command’s refund', async () => {
  const input = await paidOrder('100.00');
  await injectFault('/refund/create', 'empty', {times: 1});
  const key = newKey();
  expectProblem(await call('createRefund', {...input, amount: '30.00'}, {key}), 'outcome_unknown', {command_id: text});
  await refundElsewhere(input.order, '30.00', OTHER_IBAN);
  await refundElsewhere(input.order, '10.00');
  await runAlarmAfter(2 * SECOND);
  expect(await listCommands('unknown')).toHaveLength(1);
  // This refund matches the command in amount and IBAN.
  await refundElsewhere(input.order, '30.00', 'tr33 0006 1005 1978 6457 8413 26');
  await runAlarmAfter(10 * SECOND);
  expect(await listCommands('done')).toMatchObject([
    {state: 'done', amount: '30.00', refund_id: (await read('createRefund', {...input, amount: '30.00'}, {key})).id},
  ]);
});

test.for(['empty', 'ERR_006', 'ERR_014', 'ERR_008'])(
  'a refund whose answer was lost is found, also if the platform reports “no refunds” as %s',
  async (no_refunds) => {
    await control('readings', {no_refunds});
    const input = await paidOrder();
    await injectFault('/refund/create', 'empty', {after: true, times: 1});
    const {id} = await read('createRefund', input);
    expect(await refundsOf(input.order)).toEqual([[id, '149.90']]);
    expect(await refundCalls()).toBe(1);
  },
);

test('an older refund is not taken for the command’s result, even if the earlier list call was refused', async () => {
  const input = {...(await paidOrder()), amount: '30.00'};
  const {refund_id} = await refundElsewhere(input.order, '30.00');
  await advance(HOUR);
  await injectFault('/refund/getByOrder', 'status', {status: 'ERR_014', times: 1});
  await injectFault('/refund/create', 'empty', {times: 1});
  const key = newKey();
  expectProblem(await call('createRefund', input, {key}), 'outcome_unknown', {command_id: text});
  const made = await refundElsewhere(input.order, '30.00');
  await runAlarmAfter(MINUTE);
  const {id} = await read('createRefund', input, {key});
  expect(id).toBe(String(made['refund_id']));
  expect(id).not.toBe(String(refund_id));
});

test('the refunds of an order can be limited to one service', async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '10.00'};
  const {order_code} = await read('createOrderCode', order);
  await pay({order_code, amount: '10.00'});
  const {id} = await read('createRefund', {...order, contact});
  const bindings = {SERVICES: {DEMO: {micropaymentId: 1}, SHOP: {}}};
  const refundsIn = async (one?: string) =>
    (await call('listRefunds', {order: order.order, ...(one && {service: one})}, {bindings})).body;
  expect(await refundsIn()).toMatchObject({items: [{id, service: 'DEMO'}], total: 1});
  expect(await refundsIn('DEMO')).toMatchObject({items: [{id}], total: 1});
  expect(await refundsIn('SHOP')).toEqual({items: [], next_cursor: null, total: 0});
  const {body} = await call('listRefunds', {order: order.order, service: 'NOPE'});
  expect(body).toMatchObject({code: 'unknown_service', fields: [{path: 'service'}]});
});
