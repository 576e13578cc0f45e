/**
 * Tests names of the merchant API that have changed: requests may use either name, and answers have both. Also tests
 * the service of `listRefunds`, the message of `order_exists`, and references that are refused.
 */

import {expect, test} from 'vitest';
import {ORIGIN} from '../../../support/page.ts';
import {pay} from '../../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from '../support/merchant-server.ts';

async function createNotice(): Promise<void> {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  await read('createOrderCode', order);
  await read('createPaymentNotice', {...order, bank: 'garanti'});
}

test.each(['listEvents', 'listDeadEvents'] as const)(
  '%s takes its cursor as `cursor` or as `after`, but not as both',
  async (name) => {
    await createNotice();
    await createNotice();
    const {next_cursor: end} = await read('listEvents', {});
    if (name === 'listEvents') {
      expect((await read(name, {cursor: end ?? ''})).items).toEqual([]);
      expect(await read(name, {after: end ?? ''})).toEqual(await read(name, {cursor: end ?? ''}));
    }
    const invalid = 'This is not a valid cursor.';
    expectProblem(await call(name, {cursor: 'x'}), 'invalid_request', {fields: [{path: 'cursor', message: invalid}]});
    expectProblem(await call(name, {after: 'x'}), 'invalid_request', {fields: [{path: 'after', message: invalid}]});
    expectProblem(await call(name, {cursor: 'x', after: 'x'}), 'invalid_request', {
      fields: [{path: 'after', message: 'Send only `cursor`.'}],
    });
  },
);

test('the lists of banks and quotas have their items as `items` and under the earlier name', async () => {
  const banks = await read('listBanks', {});
  expect(banks.items.length).toBeGreaterThan(0);
  expect(banks.banks).toEqual(banks.items);
  const quotas = await read('showQuotas', {});
  expect(quotas.items.length).toBeGreaterThan(0);
  expect(quotas.quotas).toEqual(quotas.items);
});

test('the event of a payment notice has the bank’s code as `bank_code` and under the earlier name', async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  await read('createOrderCode', order);
  await read('createPaymentNotice', {...order, bank: 'garanti'});
  const event = (await read('listEvents', {})).items.find(({type}) => type === 'payment_notice.created');
  expect(event?.data).toMatchObject({bank_code: 'garanti', bank: 'garanti'});
});

test('the refunds of an order can be limited to one service', async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '10.00'};
  const {order_code} = await read('createOrderCode', order);
  await pay({order_code, amount: '10.00'});
  const {id} = await read('createRefund', {...order, contact: {name: 'Deniz', iban: 'TR330006100519786457841326'}});
  const bindings = {SERVICES: {DEMO: {micropaymentId: 1}, SHOP: {}}};
  const refundsOf = async (service?: string) =>
    (await call('listRefunds', {order: order.order, ...(service && {service})}, {bindings})).body;
  expect(await refundsOf()).toMatchObject({items: [{id, service: 'DEMO'}], total: 1});
  expect(await refundsOf('DEMO')).toMatchObject({items: [{id}], total: 1});
  expect(await refundsOf('SHOP')).toEqual({items: [], next_cursor: null, total: 0});
  const {body} = await call('listRefunds', {order: order.order, service: 'NOPE'});
  expect(body).toMatchObject({code: 'unknown_service', fields: [{path: 'service'}]});
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

test.each(['S-1\nS-2', 'S-1\u0007', 'S\u0085', '\t'])('a new order cannot have the reference %j', async (order) => {
  const fields = [{path: 'order', message: 'Expected text without control characters.'}];
  const terms = {service: 'DEMO', order, amount: '149.90'};
  for (const name of ['createOrderCode', 'createHostedOrderCode'] as const)
    expectProblem(await call(name, terms), 'invalid_request', {fields});
  const session = {kind: 'payment', origin: ORIGIN, ...terms} as const;
  expectProblem(await call('createSession', session), 'invalid_request', {fields});
  // Reading accepts such a reference, because an earlier version may have accepted it for an order.
  expectProblem(await call('getOrder', {service: 'DEMO', order}), 'unknown_order');
});
