import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, createOrder, pay, read} from '../support/platform.ts';

beforeEach(() => control('reset'));

describe('get', () => {
  test('/transaction/get returns all fields of a transaction that belongs to an order', async () => {
    const code = await createOrder('S-1009');
    const {transaction_id} = await pay({
      order_code: code,
      sender: 'Ayşe Yılmaz',
      at: '2026-11-20 14:05:00',
      amount: '100',
    });
    expect(await call('/transaction/get', {id: String(transaction_id)})).toEqual({
      status: '000',
      message: 'Success',
      transaction: {
        id: transaction_id,
        merchant: 123,
        merchant_name: 'Fener Atölyesi',
        bank_id: 6,
        bank_code: 'garanti',
        bank_name: 'Garanti BBVA',
        service_id: 1,
        service_name: 'Örnek Hizmet',
        service_code: 'DEMO',
        code,
        amount: '100.00',
        currency: 'TL',
        user_name: 'Ayşe Yılmaz',
        order_refno: 'S-1009',
        remote_bank: null,
        remote_description: code,
        transaction_date: '2026-11-20 14:05:00',
        transaction_type: 1,
        create_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        status: 3,
      },
    });
  });

  test('a transaction without an order has an empty order code and the status 1 (being processed)', async () => {
    const {transaction_id} = await pay({description: 'kira'});
    expect(await call('/transaction/get', {id: String(transaction_id)})).toMatchObject({
      transaction: {
        code: '',
        order_refno: '',
        user_name: null,
        remote_description: 'kira',
        service_code: 'DEMO',
        status: 1,
      },
    });
  });

  test.each([
    [{}, '400', 'Missing Parameter'],
    [{id: ''}, '400', 'Missing Parameter'],
    [{id: '1'}, 'ERR_006', 'Invalid Transaction'],
    [{id: '-1'}, 'ERR_006', 'Invalid Transaction'],
    [{id: 'abc'}, 'ERR_006', 'Invalid Transaction'],
    [{id: '99999999999999999999'}, 'ERR_006', 'Invalid Transaction'],
  ])('/transaction/get with %o gets the status %s', async (fields, status, message) => {
    expect(await call('/transaction/get', fields)).toEqual({status, message});
  });
});

describe('order-complete', () => {
  test('/transaction/order-complete completes an order, and a second call does not change the time', async () => {
    await createOrder('S-1009');
    expect(await read('orders')).toMatchObject({orders: [{completed_at: null}]});
    const order = {code: 'DEMO', order: 'S-1009'};
    expect(await call('/transaction/order-complete', order)).toEqual({status: '000', message: 'Success'});
    const completed = await read('orders');
    expect(completed).toMatchObject({orders: [{completed_at: expect.stringMatching(/^\d{4}-/)}]});

    await control('clock', {advance_seconds: 3600});
    expect(await call('/transaction/order-complete', order)).toEqual({status: '000', message: 'Success'});
    expect(await read('orders')).toEqual(completed);
  });

  test.each([
    [{code: 'DEMO', order: 'unknown'}, 'ERR_014', 'Invalid Order'],
    [{code: 'OTHER', order: 'S-1009'}, 'ERR_005', 'Invalid Service'],
    [{code: 'DEMO'}, '400', 'Missing Parameter'],
    [{order: 'S-1009'}, '400', 'Missing Parameter'],
  ])('/transaction/order-complete with %o gets the status %s', async (fields, status, message) => {
    expect(await call('/transaction/order-complete', fields)).toEqual({status, message});
  });
});
