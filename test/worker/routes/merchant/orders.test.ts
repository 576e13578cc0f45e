/** Tests orders, transfers, payment notices, refunds and vendor forms against the sandbox. */

import {describe, expect, inject, test} from 'vitest';
import {formatInstant} from '../../../../worker/lib/time.ts';
import {HOUR} from '../../support/clock.ts';
import {orderObject} from '../../support/durable-objects.ts';
import {askAsPage, ORIGIN} from '../../support/page.ts';
import {control, pay, setFault} from '../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const text = expect.any(String) as string;
const newOrderInput = () => ({service: 'DEMO', order: newOrder(), amount: '149.90'});
interface Notices {
  readonly notices: readonly {readonly id: number}[];
}
const IBAN = 'TR330006100519786457841326';

test('the server may say the time to pay, the seller and the shopper with the order code', async () => {
  const seller = {name: 'Fener Atölyesi'};
  const {order, ...rest} = newOrderInput();
  const settings = {hours: 5, prefill: {name: 'Deniz Örnek'}, seller};
  await read('createSession', {kind: 'payment', origin: 'http://localhost:5173', order, ...rest, hours: 24});
  await read('createOrderCode', {order, ...rest, ...settings});
  const terms = {service: 'DEMO', order, amount: 14990, hours: 24};
  expect(await orderObject(order).payment(terms)).toMatchObject({order, seller});
  expect(await orderObject(order).noticePrefill(terms)).toMatchObject({name: 'Deniz Örnek'});
  const {payment} = await read('getOrder', {service: 'DEMO', order});
  expect(payment?.pay_until).toBe(formatInstant(Date.now() + 5 * HOUR));
  const [{params} = {params: {}}] = await platformCalls('/orderToReference/create');
  expect(params).toEqual({code: 'DEMO', order, amount: '149.90'});
});

test('a merchant creates an order code, looks it up, changes it and completes the order', async () => {
  const {order, ...rest} = newOrderInput();
  const created = await read('createOrderCode', {order, ...rest});
  expect(created).toEqual({
    order_code: expect.stringMatching(/^\d{12}$/) as string,
    service: 'DEMO',
    order,
    amount: '149.90',
    currency: 'TRY',
  });
  expect(await read('findOrderCode', {service: 'DEMO', order})).toEqual({
    order_code: created.order_code,
    service: 'DEMO',
    order,
    payout: null,
    sub_merchant_id: null,
    fee: null,
  });
  expect(await read('updateOrderCode', {service: 'DEMO', order, amount: '99.9'})).toEqual({
    ...created,
    amount: '99.90',
  });
  const id = await pay({order_code: created.order_code, amount: '99.90', sender: 'Ayşe Yılmaz'});
  expect(await read('getTransaction', {id})).toEqual({
    id,
    merchant: '123',
    merchant_name: text,
    bank_id: '6',
    bank_code: 'garanti',
    bank_name: text,
    service_id: '1',
    service: 'DEMO',
    service_name: text,
    order_code: created.order_code,
    order,
    amount: '99.90',
    currency: 'TRY',
    user_name: 'Ayşe Yılmaz',
    remote_bank: null,
    remote_description: text,
    transaction_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT12:00:\d\d\+03:00$/) as string,
    transaction_date_text: null,
    transaction_type: expect.any(Number) as number,
    create_time: expect.stringMatching(/\+03:00$/) as string,
    create_time_text: null,
    status: 3,
    state: 'successful',
  });
  expect(await read('completeOrder', {service: 'DEMO', order})).toEqual({
    service: 'DEMO',
    order,
    state: 'completed',
    pending_refunds: [],
  });
});

test('the Worker sends a marketplace’s split, and returns it when the order code is looked up', async () => {
  const order = newOrder();
  await read('createOrderCode', {
    service: 'DEMO',
    order,
    amount: '100.00',
    payout: '90.00',
    sub_merchant_id: 31,
    fee: '9.90',
    user_id: '👍'.repeat(32),
  });
  const [createCall] = await platformCalls('/orderToReference/create');
  expect(createCall?.params).toEqual({
    code: 'DEMO',
    order,
    amount: '100.00',
    payout: '90.00',
    sub_merchant_id: '31',
    fee: '9.90',
    user_id: '👍'.repeat(32),
  });
  expect(await read('findOrderCode', {service: 'DEMO', order})).toMatchObject({
    payout: '90.00',
    sub_merchant_id: '31',
    fee: '9.90',
  });
});

test.for(['140 TL, haftalık', '140.5'])('the payout %j is passed on as written in both directions', async (payout) => {
  const [order, split] = [newOrderInput(), {payout, sub_merchant_id: '31', fee: '9.90'}];
  await read('createOrderCode', {...order, ...split});
  expect(await read('findOrderCode', {service: 'DEMO', order: order.order})).toMatchObject(split);
});

test('an order with the parts of several sub-merchants has the sum of their amounts', async () => {
  const split = {payout: '1', fee: '1.00'};
  const order = {service: 'DEMO', order: newOrder()};
  const second = {...order, amount: '50.00', ...split, sub_merchant_id: '32'};
  const {order_code} = await read('createOrderCode', {...order, amount: '100.00', ...split, sub_merchant_id: '31'});
  await control('readings', {sub_merchant_parts: 'refused'});
  expectProblem(await call('createOrderCode', second), 'order_exists', {
    platform: {status: 'ERR_019', message: 'Your Order is exists'},
  });
  await control('readings', {sub_merchant_parts: 'same_code'});
  expect(await read('createOrderCode', second)).toMatchObject({order_code, amount: '50.00'});
  const payment = () => orderObject(order.order).payment({...order, amount: 1, hours: 1});
  expect(await payment()).toMatchObject({amount: '150.00', state: 'waiting'});
  await read('updateOrderCode', {...second, amount: '60.00'});
  expect(await payment()).toMatchObject({amount: '160.00'});
});

describe('an order whose amount is a sum of parts', () => {
  const split = {payout: '1', fee: '1.00'};
  /** Creates an order with these parts, by sub-merchant. */
  async function newParts(amounts: Record<string, string>) {
    await control('readings', {sub_merchant_parts: 'same_code'});
    const order = {service: 'DEMO', order: newOrder()};
    const add = (sub_merchant_id: string, amount: string) =>
      read('createOrderCode', {...order, amount, ...split, sub_merchant_id});
    for (const [id, amount] of Object.entries(amounts)) await add(id, amount);
    const update = (amount: string, change: object = {}) => read('updateOrderCode', {...order, amount, ...change});
    const amount = async () => (await orderObject(order.order).payment({...order, amount: 1, hours: 1})).amount;
    return {add, update, amount};
  }

  test('an update without a sub-merchant sets the whole amount, and a later part is added to it', async () => {
    const {add, update, amount} = await newParts({31: '60.00', 32: '40.00'});
    await update('90.01');
    expect(await amount()).toBe('90.01');
    await add('33', '5.00');
    expect(await amount()).toBe('95.01');
    await update('36.00', {sub_merchant_id: '32'});
    expect(await amount()).toBe('95.01');
  });

  test('an update with a new sub-merchant adds the part of this sub-merchant', async () => {
    const {update, amount} = await newParts({31: '100.00'});
    await update('10.00', {...split, sub_merchant_id: '32'});
    expect(await amount()).toBe('110.00');
    await update('20.00', {...split, sub_merchant_id: '32'});
    await update('50.00', {...split, sub_merchant_id: '31'});
    expect(await amount()).toBe('70.00');
  });
});

test('extra parameters that EXTRA_PARAMETERS lists reach the platform, and others are refused', async () => {
  const bindings = {EXTRA_PARAMETERS: 'installment_plan parts[0][amount]'};
  const extra = {installment_plan: '3', 'parts[0][amount]': '10.00'};
  const order = newOrderInput();
  await read('createOrderCode', {...order, extra}, {bindings});
  await read('updateOrderCode', {...order, extra}, {bindings});
  for (const path of ['create', 'update']) {
    const [sent] = await platformCalls(`/orderToReference/${path}`);
    expect(sent?.params).toEqual({code: 'DEMO', order: order.order, amount: '149.90', ...extra});
  }
  const refund = {...order, contact: {name: 'Deniz Örnek', iban: IBAN}};
  const withFee = {EXTRA_PARAMETERS: `${bindings.EXTRA_PARAMETERS} fee`};
  await call('createRefund', {...refund, extra: {...extra, fee: '1'}}, {bindings: withFee});
  expect((await platformCalls('/refund/create'))[0]?.params).toMatchObject({order: order.order, ...extra, fee: '1'});
  for (const name of ['createOrderCode', 'updateOrderCode', 'createHostedOrderCode'] as const)
    expectProblem(await call(name, {...order, extra: {other: '1', fee: '1'}}, {bindings: withFee}), 'invalid_request', {
      fields: [
        {path: 'extra.other', message: 'EXTRA_PARAMETERS does not list this name.'},
        {path: 'extra.fee', message: 'The contract has this parameter: use its own field.'},
      ],
    });
  expectProblem(await call('createRefund', {...refund, extra}), 'invalid_request', {
    fields: Object.keys(extra).map((name) => ({
      path: `extra.${name}`,
      message: 'EXTRA_PARAMETERS does not list this name.',
    })),
  });
});

test('one field of a split can be changed alone, and the other fields stay as they were', async () => {
  const [order, split] = [newOrderInput(), {payout: '90.00', sub_merchant_id: '31', fee: '9.90'}];
  await read('createOrderCode', {...order, ...split});
  await read('updateOrderCode', {...order, fee: '5.00'});
  expect(await read('findOrderCode', {service: 'DEMO', order: order.order})).toMatchObject({...split, fee: '5.00'});
  const session = {kind: 'payment', origin: 'http://localhost:5173', ...order, ...split};
  expectProblem(await call('createSession', session), 'order_exists', {
    fields: [
      {
        path: 'order',
        message:
          'The order has another split or user_id. PATCH /merchant/v1/order-codes changes the split, but not the user_id.',
      },
    ],
  });
  expect((await call('createSession', {...session, fee: '5.00'})).status).toBe(201);
  const whole = newOrderInput();
  await read('createOrderCode', whole);
  expectProblem(await call('updateOrderCode', {...whole, fee: '5.00'}), 'invalid_request', {
    platform: {status: '400', message: 'Missing Parameter'},
  });
});

test('a page shows a completed order as completed, and the completion reaches the platform once', async () => {
  const order = newOrderInput();
  const {token} = await read('createSession', {kind: 'payment', origin: 'http://localhost:5173', ...order});
  expect(token).toMatch(/^eyJ/);
  await orderObject(order.order).orderCode({service: 'DEMO', order: order.order, amount: 14990, hours: 72});
  await read('completeOrder', {service: 'DEMO', order: order.order});
  expect(
    await orderObject(order.order).payment({service: 'DEMO', order: order.order, amount: 14990, hours: 72}),
  ).toMatchObject({state: 'completed'});
  expect(await platformCalls('/transaction/order-complete')).toHaveLength(1);
  // The Worker knows that the order is completed, and does not call the platform again.
  await read('completeOrder', {service: 'DEMO', order: order.order});
  expect(await platformCalls('/transaction/order-complete')).toHaveLength(1);
});

test('pages show the changed amount of an order', async () => {
  const {order} = newOrderInput();
  const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
  await orderObject(order).orderCode(terms);
  await read('updateOrderCode', {service: 'DEMO', order, amount: '20.00'});
  expect(await orderObject(order).payment(terms)).toMatchObject({amount: '20.00', remaining: '20.00'});
});

test('the URL of a hosted order code leads to the platform’s page and contains both return URLs', async () => {
  const order = newOrder();
  const created = await read('createHostedOrderCode', {
    service: 'DEMO',
    order,
    amount: '10.00',
    redirect_url: 'https://shop.example/ok?a=1',
    back_url: 'https://shop.example/',
    notice: {name: 'Deniz', apply_time: '2026-11-21T15:42:00.123456+03:00'},
  });
  const url = new URL(created.url);
  expect(url.pathname).toBe(`/pay/phs/banks/${created.order_code}`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    redirect: 'https://shop.example/ok?a=1',
    backUrl: 'https://shop.example/',
  });
  const [createCall] = await platformCalls('/orderToReference/direct');
  expect(JSON.stringify(createCall?.params)).toContain('2026-11-21 15:42:00');
});

test('a payment notice is created and read', async () => {
  const order = newOrderInput();
  await read('createOrderCode', order);
  const created = await read('createPaymentNotice', {
    ...order,
    bank: 'garanti',
    notice: {name: 'Deniz Örnek', user_ip: '198.51.100.7'},
    redirect_url: 'https://shop.example/ok',
  });
  expect(new URL(created.url).pathname).toBe(`/pay/phs/yonlendir/${created.notice_code}`);
  const {notices} = await (await fetch(`${inject('sandboxUrl')}/_sandbox/notices?limit=1`)).json<Notices>();
  const id = String(notices[0]?.id);
  expect(await read('getPaymentNotice', {id})).toMatchObject({
    id,
    notice_code: created.notice_code,
    order: order.order,
    amount: '149.90',
    name: 'Deniz Örnek',
  });
  expectProblem(await call('createPaymentNotice', {...order, bank: 'nobank'}), 'bank_invalid', {
    platform: {status: 'ERR_011', message: 'Invalid Bank'},
  });
  expectProblem(await call('getPaymentNotice', {id: '999999'}), 'not_found', {
    platform: {status: 'ERR_013', message: 'Invalid Payment Notification'},
  });
});

test('a refund is created, found by id and by order, and settled at the end of the day', async () => {
  const order = newOrderInput();
  const {order_code} = await read('createOrderCode', order);
  const transaction = await pay({order_code});
  const contact = {name: 'Deniz Örnek', iban: IBAN};
  const created = await read('createRefund', {...order, contact});
  expect(created).toEqual({
    id: expect.stringMatching(/^\d+$/) as string,
    service: 'DEMO',
    order: order.order,
    amount: '149.90',
  });
  const waiting = await read('getRefund', {id: created.id});
  expect(waiting).toMatchObject({
    id: created.id,
    transaction_id: transaction,
    amount: '149.90',
    status: 1,
    state: 'waiting',
    contact,
    refund_time: null,
    refund_time_text: null,
  });
  expect(await read('listRefunds', {order: order.order})).toMatchObject({
    items: [{id: created.id, status: 1}],
    next_cursor: null,
    total: 1,
  });
  await control('day-end', {notify: 'post'});
  expect((await read('getRefund', {id: created.id})).state).toBe('successful');
  const again = await call('createRefund', {...order, amount: '1.00', contact});
  expectProblem(again, 'amount_invalid', {platform: {status: 'ERR_021', message: 'Amount Limit Exceed'}});
});

test('a vendor form is created', async () => {
  const {url} = await read('createVendorForm', {
    service: 'DEMO',
    vendor_code: newOrder(),
    name: 'Örnek',
    phone: '5321234567',
    iban: IBAN,
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
  });
  expect(url).toMatch(/^http/);
});

test('the merchant API returns the platform’s bank list', async () => {
  const {items, stale} = await read('listBanks', {});
  expect(stale).toBe(false);
  expect(items.map(({code}) => code)).toContain('garanti');
});

const refusedWith = (status: string) => ({platform: {status, message: expect.any(String) as string}});

test('an order that was just created cannot be created again, and its money cannot be sent back', async () => {
  const order = newOrderInput();
  await read('createOrderCode', order);
  expectProblem(await call('createOrderCode', order), 'order_exists', refusedWith('ERR_019'));
  const refund = {...order, contact: {name: 'D', iban: IBAN}};
  expectProblem(await call('createRefund', refund), 'not_found', refusedWith('ERR_006'));
});

const UNKNOWN = [
  ['findOrderCode', {service: 'DEMO', order: 'none'}, 'unknown_order', 'ERR_014'],
  ['updateOrderCode', {service: 'DEMO', order: 'none', amount: '1'}, 'unknown_order', 'ERR_014'],
  ['completeOrder', {service: 'DEMO', order: 'none'}, 'unknown_order', 'ERR_014'],
  [
    'createRefund',
    {service: 'DEMO', order: 'none', amount: '1', contact: {name: 'D', iban: IBAN}},
    'unknown_order',
    'ERR_014',
  ],
  ['listRefunds', {order: 'none'}, 'unknown_order', 'ERR_014'],
  ['getTransaction', {id: '99999999999999999999'}, 'not_found', 'ERR_006'],
  ['getRefund', {id: '99999999999999999999'}, 'not_found', 'ERR_006'],
] as const;

test('an unknown order or id is refused', async () => {
  for (const [name, input, code, status] of UNKNOWN) expectProblem(await call(name, input), code, refusedWith(status));
});

test('an order above the platform’s largest amount is refused with amount_invalid, and can be created smaller', async () => {
  await control('readings', {largest_order: '100000'});
  const order = newOrderInput();
  const answer = await call('createOrderCode', {...order, amount: '100000.01'});
  expectProblem(answer, 'amount_invalid', {platform: {status: 'ERR_021', message: 'Amount Limit Exceed'}});
  await read('createOrderCode', {...order, amount: '100000'});
  const larger = await call('updateOrderCode', {...order, amount: '100000.01'});
  expectProblem(larger, 'amount_invalid', {platform: {status: 'ERR_021', message: 'Amount Limit Exceed'}});
});

test('a problem contains the platform’s own status and message', async () => {
  await setFault({operation: '/transaction/get', kind: 'status', status: 'ERR_020', times: 1});
  expectProblem(await call('getTransaction', {id: '1'}), 'platform_unauthorized', {
    platform: {status: 'ERR_020', message: 'Unauthorized Access'},
  });
});

test('`order_exists` says which amount the order has, and how to change it', async () => {
  const order = {service: 'DEMO', order: newOrder()};
  await read('createOrderCode', {...order, amount: '149.90'});
  const session = {kind: 'payment', origin: ORIGIN, ...order} as const;
  const message = 'The order has the amount 149.90. PATCH /merchant/v1/order-codes changes the amount.';
  expectProblem(await call('createSession', {...session, amount: '99.00'}), 'order_exists', {
    fields: [{path: 'amount', message}],
  });
});

test('after the platform refused a page’s code, the merchant’s server may change the order', async () => {
  const session = {kind: 'payment', origin: ORIGIN, service: 'DEMO', order: newOrder()} as const;
  const {token} = await read('createSession', {...session, amount: '149.90'});
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_012', times: 1});
  expect((await askAsPage('POST', '/v1/order-code', {token})).status).toBe(502);
  const {token: next} = await read('createSession', {...session, amount: '99.00'});
  expect((await askAsPage('POST', '/v1/order-code', {token: next})).body).toMatchObject({amount: '99.00'});
});

test('the reference of an order cannot have control characters', async () => {
  const fields = [{path: 'order', message: 'Expected text without control characters.'}];
  for (const order of ['S-1\nS-2', 'S-1\u0007', 'S\u0085', '\t']) {
    const terms = {service: 'DEMO', order, amount: '149.90'};
    for (const name of ['createOrderCode', 'createHostedOrderCode'] as const)
      expectProblem(await call(name, terms), 'invalid_request', {fields});
    const session = {kind: 'payment', origin: ORIGIN, ...terms} as const;
    expectProblem(await call('createSession', session), 'invalid_request', {fields});
  }
});
