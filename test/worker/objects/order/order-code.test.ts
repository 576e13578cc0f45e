/** What others do with an order while the merchant's server has its code made, which then comes to nothing. */

import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {storedIn, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {callPlatform, calls, countCalls, pay} from '../../support/sandbox.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const CHECK = '/orderToReference/check';
const terms = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
const split = {payout: '140.00', subMerchantId: '31', fee: '9.90'};
const more = {split, userId: 'u-1'};
const theOrder = () => orderObject(terms.order);
const outboxEvents = async () => (await contextOf(env).objects.outbox().read(0)).items;
const page = {
  terms,
  page: {serviceId: '1', item: 'Lamp', successUrl: 'https://shop.example/ok', failureUrl: 'https://shop.example/no'},
  reopen: false,
};

test('an order that nobody else did anything with is forgotten, and a session’s terms count again', async () => {
  await theOrder().expectCode(terms, more);
  await theOrder().codeRefused(false);
  expect(await storedIn(theOrder())).toEqual([[], []]);
  await theOrder().prepare(terms, {});
  await theOrder().expectCode({...terms, amount: 100}, more);
  await theOrder().codeRefused(false);
  expect(await theOrder().due(terms)).toBe(14990);
  expect(await theOrder().prepare({...terms, amount: 9900}, {})).toBe('prepared');
});

test('of two makings at once the order outlives the one that is refused', async () => {
  for (let times = 0; times < 2; times += 1) await theOrder().expectCode(terms, more);
  await theOrder().codeRefused(false);
  expect(await theOrder().prepare({...terms, amount: 9900}, {})).toBe('conflict');
  await theOrder().codeRefused(false);
  expect(await theOrder().prepare({...terms, amount: 9900}, {})).toBe('prepared');
});

test('a code that exists is found where a making before was cut off, whatever was prepared', async () => {
  await theOrder().prepare(terms, {});
  await theOrder().expectCode(terms, {});
  const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order: 'S-1', amount: '149.90'});
  await theOrder().expectCode(terms, {});
  await theOrder().codeRefused(true);
  const searches = await countCalls(CHECK);
  expect(await theOrder().orderCode(terms, {mayCreate: false})).toMatchObject({code});
  expect(await countCalls(CHECK)).toBe(searches);
});

test.for([
  ['not known before', undefined],
  ['prepared for less', {...terms, amount: 9900}],
] as const)('a session made meanwhile for an order %s keeps its split', async ([_what, before]) => {
  if (before) await theOrder().prepare(before, {});
  await theOrder().expectCode(terms, more);
  expect(await theOrder().prepare(terms, more)).toBe('prepared');
  await theOrder().codeRefused(false);
  expect(await theOrder().orderCode(terms)).toMatchObject({amount: 14990});
  expect((await calls(CREATE)).map(({params}) => params)).toEqual([
    {
      code: 'DEMO',
      order: 'S-1',
      amount: '149.90',
      payout: '140.00',
      sub_merchant_id: '31',
      fee: '9.90',
      user_id: 'u-1',
    },
  ]);
});

describe('the money of a shopper', () => {
  const arrived = {state: 'paid', paid: '149.90', remaining: '0.00'};

  test('who went to the common payment page meanwhile is found', async () => {
    await theOrder().expectCode(terms, {});
    expect(await theOrder().openPaymentPage(page)).toMatchObject({url: expect.any(String) as string});
    await theOrder().codeRefused(false);
    await theOrder().receiveCharge({id: '9001', amount: 14990, at: Date.now(), state: 'successful'}, Date.now());
    expect(await theOrder().payment(terms)).toMatchObject(arrived);
    expect(await outboxEvents()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: null, paid: '149.90'}},
    ]);
  });

  test('which came meanwhile stays', async () => {
    await theOrder().expectCode(terms, {});
    await theOrder().receiveArrivals(
      [{id: '77001', amount: 14990, currency: 'TRY', bank: 'Garanti BBVA', at: Date.now(), state: 'successful'}],
      Date.now(),
    );
    await theOrder().codeRefused(false);
    expect(await outboxEvents()).toMatchObject([{type: 'payment.received', data: {order: 'S-1', paid: '149.90'}}]);
    expect(await theOrder().due(terms)).toBe(0);
  });

  test('whose page has the code made meanwhile is found', async () => {
    await theOrder().expectCode(terms, {});
    const [made] = await Promise.all([theOrder().orderCode(terms), theOrder().codeRefused(false)]);
    const {code} = made as {code: string};
    expect(await countCalls(CREATE)).toBe(1);
    await pay({order_code: code});
    await runSweep();
    expect(await theOrder().payment(terms)).toMatchObject(arrived);
    expect(await outboxEvents()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: code, paid: '149.90'}},
    ]);
  });
});
