import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, read} from '../support/platform.ts';

const ORDER = {code: 'DEMO', order: 'S-1009', amount: '149.90'};

beforeEach(() => control('reset'));

describe('create', () => {
  test('/orderToReference/create and /orderToReference/check return the same order code of twelve digits', async () => {
    const created = await call('/orderToReference/create', ORDER);
    expect(created).toEqual({status: '000', message: 'Success', order: expect.stringMatching(/^[1-8]\d{11}$/)});
    expect(await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'})).toEqual(created);
  });

  test('/orderToReference/create refuses an order that exists, even with a different amount', async () => {
    await call('/orderToReference/create', ORDER);
    const refusal = {status: 'ERR_019', message: 'Your Order is exists'};
    expect(await call('/orderToReference/create', ORDER)).toEqual(refusal);
    expect(await call('/orderToReference/create', {...ORDER, amount: '1.00'})).toEqual(refusal);
  });

  test('only one of many concurrent calls creates an order', async () => {
    const replies = await Promise.all(Array.from({length: 20}, () => call('/orderToReference/create', ORDER)));
    expect(replies.filter(({status}) => status === '000')).toHaveLength(1);
    expect(replies.filter(({status}) => status === 'ERR_019')).toHaveLength(19);
  });

  test.each(['code', 'order', 'amount'])('/orderToReference/create requires the parameter %s', async (name) => {
    const refusal = {status: '400', message: 'Missing Parameter'};
    const {[name as 'code']: _, ...others} = ORDER;
    expect(await call('/orderToReference/create', others)).toEqual(refusal);
    expect(await call('/orderToReference/create', {...ORDER, [name]: ''})).toEqual(refusal);
  });

  test('/orderToReference/create refuses an unknown service', async () => {
    const refusal = {status: 'ERR_005', message: 'Invalid Service'};
    expect(await call('/orderToReference/create', {...ORDER, code: 'OTHER'})).toEqual(refusal);
    expect(await call('/orderToReference/create', {...ORDER, code: 'demo'})).toEqual(refusal);
  });

  test.each(['0', '0.00', '-1.00', '1,00', '1.005', '1.', '.5', '1e3', '1 000.00', 'NaN', '12.00 TL', '9999999999999'])(
    '/orderToReference/create refuses the amount %s',
    async (amount) => {
      const refusal = {status: 'ERR_017', message: 'Invalid Amount'};
      expect(await call('/orderToReference/create', {...ORDER, amount})).toEqual(refusal);
    },
  );

  test.each([
    ['1', '1.00'],
    ['149.9', '149.90'],
    ['0.01', '0.01'],
    ['999999999999.99', '999999999999.99'],
  ])('/orderToReference/create accepts the amount %s and stores %s', async (amount, stored) => {
    await call('/orderToReference/create', {...ORDER, amount});
    expect(await read('orders')).toMatchObject({orders: [{order: 'S-1009', amount: stored}]});
  });

  test('with the reading `largest_order: 100000`, an order of a larger amount is neither created nor updated', async () => {
    await control('readings', {largest_order: '100000'});
    const refusal = {status: 'ERR_021', message: 'Amount Limit Exceed'};
    expect(await call('/orderToReference/create', {...ORDER, amount: '100000.01'})).toEqual(refusal);
    expect(await call('/orderToReference/create', {...ORDER, amount: '100000'})).toMatchObject({status: '000'});
    expect(await call('/orderToReference/update', {...ORDER, amount: '100000.01'})).toEqual(refusal);
  });

  test('/orderToReference/create accepts a user_id of 32 characters and refuses a longer one', async () => {
    const userId = 'ğ'.repeat(31) + '💸';
    expect(await call('/orderToReference/create', {...ORDER, user_id: `${userId}1`})).toEqual({
      status: 'ERR_008',
      message: 'Bad Request:user_id',
    });
    expect(await call('/orderToReference/create', {...ORDER, user_id: userId})).toMatchObject({status: '000'});
    expect(await read('orders')).toMatchObject({orders: [{user_id: userId}]});
  });
});

describe('a marketplace order', () => {
  const SPLIT = {payout: '120.00', sub_merchant_id: '4711', fee: '29.9'};

  test('/orderToReference/check returns the split of a marketplace order', async () => {
    const {order} = await call('/orderToReference/create', {...ORDER, ...SPLIT});
    expect(await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'})).toEqual({
      status: '000',
      message: 'Success',
      order,
      payout: '120.00',
      sub_merchant_id: '4711',
      fee: '29.90',
    });
  });

  test.each(Object.keys(SPLIT))('a marketplace order requires all three parameters, including %s', async (name) => {
    const refusal = {status: '400', message: 'Missing Parameter'};
    expect(await call('/orderToReference/create', {...ORDER, ...SPLIT, [name]: ''})).toEqual(refusal);
  });

  test.each([
    ['sub_merchant_id', 'x', 'ERR_008', 'Bad Request:sub_merchant_id'],
    ['fee', 'x', 'ERR_017', 'Invalid Amount:fee'],
  ])('/orderToReference/create refuses a marketplace order when %s is %s', async (name, value, status, message) => {
    expect(await call('/orderToReference/create', {...ORDER, ...SPLIT, [name]: value})).toEqual({status, message});
  });
});

describe('check', () => {
  test.each([
    [{code: 'DEMO', order: 'unknown'}, 'ERR_014', 'Invalid Order'],
    [{code: 'OTHER', order: 'S-1009'}, 'ERR_005', 'Invalid Service'],
    [{code: 'DEMO'}, '400', 'Missing Parameter'],
    [{order: 'S-1009'}, '400', 'Missing Parameter'],
  ])('/orderToReference/check with %o gets the status %s', async (fields, status, message) => {
    expect(await call('/orderToReference/check', fields)).toEqual({status, message});
  });
});
