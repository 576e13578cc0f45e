import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, createOrder, read, request, signIn} from '../support/platform.ts';

const ORDER = {code: 'DEMO', order: 'S-1009', amount: '149.90'};
const SPLIT = {payout: '120.00', sub_merchant_id: '4711', fee: '29.90'};

beforeEach(() => control('reset'));

function checkOrder() {
  return call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'});
}

describe('direct', () => {
  test('/orderToReference/direct and /orderToReference/check return the same order code', async () => {
    const created = await call('/orderToReference/direct', ORDER);
    expect(created).toEqual({status: '000', message: 'Success', code: expect.stringMatching(/^[1-8]\d{11}$/)});
    expect(await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'})).toMatchObject({
      order: created['code'],
    });
  });

  test('/orderToReference/direct accepts shopper details and a marketplace split, also in the query', async () => {
    const path =
      '/phs/orderToReference/direct?code=DEMO&order=S-1009&amount=149.90&payout=120.00&sub_merchant_id=4711&fee=29.90&user_id=u-7' +
      '&PaymentNotification[tc_no]=11111111111&PaymentNotification[name]=Ay%C5%9Fe+Y%C4%B1lmaz&PaymentNotification[email]=ayse@mail.example' +
      '&PaymentNotification[phone]=5321234567&PaymentNotification[user_ip]=192.0.2.7&PaymentNotification[apply_time]=2026-11-20%2014:05:00' +
      '&PaymentNotification[description]=Masa';
    const response = await request(path, {headers: await signIn()});
    expect(await response.json()).toMatchObject({status: '000'});
    expect(await read('orders')).toMatchObject({orders: [{order: 'S-1009', user_id: 'u-7'}]});
    expect(await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'})).toMatchObject(SPLIT);
  });

  test('/orderToReference/direct refuses an order that exists', async () => {
    await createOrder('S-1009');
    expect(await call('/orderToReference/direct', ORDER)).toEqual({status: 'ERR_019', message: 'Your Order is exists'});
  });

  test.each([
    [{code: ''}, '400', 'Missing Parameter'],
    [{order: ''}, '400', 'Missing Parameter'],
    [{amount: ''}, '400', 'Missing Parameter'],
    [{fee: '1.00'}, '400', 'Missing Parameter'],
    [{code: 'OTHER'}, 'ERR_005', 'Invalid Service'],
    [{amount: '-1'}, 'ERR_017', 'Invalid Amount'],
    [{user_id: 'x'.repeat(33)}, 'ERR_008', 'Bad Request:user_id'],
    [{'PaymentNotification[apply_time]': '20.11.2026'}, 'ERR_008', 'Bad Request:apply_time'],
    [{'PaymentNotification[name][first]': 'Ayşe'}, 'ERR_008', 'Bad Request:name'],
  ])('/orderToReference/direct with %o gets the status %s and saves no order', async (wrong, status, message) => {
    expect(await call('/orderToReference/direct', {...ORDER, ...wrong})).toEqual({status, message});
    expect(await read('orders')).toEqual({orders: []});
  });
});

describe('update', () => {
  test('/orderToReference/update changes the amount and keeps the order code', async () => {
    const code = await createOrder('S-1009');
    expect(await call('/orderToReference/update', {...ORDER, amount: '99.5'})).toEqual({
      status: '000',
      message: 'Success',
      order: code,
    });
    expect(await read('orders')).toMatchObject({orders: [{order_code: code, amount: '99.50'}]});
  });

  test('/orderToReference/update changes the split of an order only when the call has a split', async () => {
    await call('/orderToReference/create', {...ORDER, ...SPLIT});
    await call('/orderToReference/update', {...ORDER, amount: '160.00'});
    expect(await checkOrder()).toMatchObject(SPLIT);
    const newSplit = {payout: '130.00', sub_merchant_id: '4712', fee: '30.00'};
    await call('/orderToReference/update', {...ORDER, amount: '160.00', ...newSplit});
    expect(await checkOrder()).toMatchObject(newSplit);
  });

  test.each([
    ['refused', 'is refused'],
    ['same_code', 'gets the same order code'],
  ])('with the reading `sub_merchant_parts: %s`, a part of the order for another sub-merchant %s', async (reading) => {
    await control('readings', {sub_merchant_parts: reading});
    const {order: code} = await call('/orderToReference/create', {...ORDER, ...SPLIT});
    const second = await call('/orderToReference/create', {
      ...ORDER,
      ...SPLIT,
      sub_merchant_id: '99',
      amount: '1.00',
    });
    expect(second).toMatchObject(reading === 'refused' ? {status: 'ERR_019'} : {status: '000', order: code});
    expect(await call('/orderToReference/create', {...ORDER, ...SPLIT})).toMatchObject({status: 'ERR_019'});
  });

  test('/orderToReference/update changes one field of a split, and refuses one field of an order without a split', async () => {
    await call('/orderToReference/create', {...ORDER, ...SPLIT});
    await call('/orderToReference/update', {...ORDER, fee: '1.00'});
    expect(await checkOrder()).toMatchObject({...SPLIT, fee: '1.00'});
    await createOrder('S-2');
    expect(await call('/orderToReference/update', {...ORDER, order: 'S-2', fee: '1.00'})).toMatchObject({
      status: '400',
    });
  });

  test('/orderToReference/update refuses a completed order', async () => {
    await createOrder('S-1009');
    await call('/transaction/order-complete', {code: 'DEMO', order: 'S-1009'});
    expect(await call('/orderToReference/update', ORDER)).toEqual({
      status: 'ERR_018',
      message: 'There is spending recording',
    });
  });

  test.each([
    [{code: ''}, '400', 'Missing Parameter'],
    [{order: ''}, '400', 'Missing Parameter'],
    [{amount: ''}, '400', 'Missing Parameter'],
    [{payout: '1.00'}, '400', 'Missing Parameter'],
    [{code: 'OTHER'}, 'ERR_005', 'Invalid Service'],
    [{order: 'unknown'}, 'ERR_014', 'Invalid Order'],
    [{amount: '0'}, 'ERR_017', 'Invalid Amount'],
    [{...SPLIT, sub_merchant_id: 'x'}, 'ERR_008', 'Bad Request:sub_merchant_id'],
  ])(
    '/orderToReference/update with %o gets the status %s and does not change the order',
    async (wrong, status, message) => {
      await createOrder('S-1009');
      expect(await call('/orderToReference/update', {...ORDER, amount: '1.00', ...wrong})).toEqual({status, message});
      expect(await read('orders')).toMatchObject({orders: [{amount: '149.90'}]});
    },
  );
});
