import {beforeEach, describe, expect, test} from 'vitest';
import {control, createOrder, pay, read} from '../support/platform.ts';

beforeEach(() => control('reset'));

describe('a transfer', () => {
  test('every transfer with an order code adds to the money that arrived for the order', async () => {
    const order_code = await createOrder('S-1', '100.00');
    const transaction_id = expect.any(Number);
    expect(await control('transfers', {order_code, bank: 'ziraat', amount: '60.00'})).toEqual({
      httpStatus: 200,
      body: {transaction_id, matched: true},
    });
    await pay({order_code, amount: '40.00'});
    await pay({order_code, amount: '100.00'});
    expect(await read('orders')).toMatchObject({orders: [{arrived: '200.00'}]});
  });

  test('the platform finds the order of a transfer for every common spelling of the order code', async () => {
    const code = await createOrder('S-1');
    const groups = [code.slice(0, 4), code.slice(4, 8), code.slice(8)];
    for (const description of [
      groups.join(' '),
      groups.join('-'),
      groups.join('.'),
      `Merhaba, kod: ${groups.join(' ')} tel 0532 123 45 67`,
      `EFT TR33 0006 1005 1978 6457 8413 26 ${code}`,
    ]) {
      expect(await pay({description})).toMatchObject({matched: true});
    }
  });

  test('a transfer is not matched if its order code is missing, incomplete or part of a longer number', async () => {
    const code = await createOrder('S-1');
    for (const description of [`${code}1`, `0532${code}`, `TR330006${code}84132612`, code.slice(1), '', 'kira']) {
      expect(await pay({description})).toMatchObject({matched: false});
    }
    expect(await read('orders')).toMatchObject({orders: [{arrived: '0.00'}]});
  });

  test('a transfer with two different order codes is not matched; a transfer with the same code twice is', async () => {
    const [firstCode, secondCode] = [await createOrder('S-1'), await createOrder('S-2')];
    expect(await pay({description: `${firstCode} ${secondCode}`})).toMatchObject({matched: false});
    expect(await pay({description: `${firstCode} ${firstCode}`})).toMatchObject({matched: true});
  });

  test('a transfer with an unknown order code is matched to no order', async () => {
    expect(await pay({order_code: '881200450017'})).toMatchObject({matched: false});
  });

  test.each([
    ['2026-11-20 14:05:00', '2026-11-20 14:05:00'],
    ['2026-11-20T14:05:00+03:00', '2026-11-20 14:05:00'],
    ['2026-11-20T23:05:00Z', '2026-11-21 02:05:00'],
  ])('a transfer made at %s has the date %s', async (at, dated) => {
    await pay({description: '-', at});
    expect(await read('transfers')).toMatchObject({transfers: [{at: dated}]});
  });

  test('the sandbox control accepts an amount as a number', async () => {
    await pay({description: '-', amount: 149.9});
    expect(await read('transfers')).toMatchObject({transfers: [{amount: '149.90'}]});
  });

  test.each([
    [
      'neither an order code nor a description',
      {order_code: undefined},
      'A transfer must have either an order_code or a description.',
    ],
    [
      'both an order code and a description',
      {description: 'x'},
      'A transfer must have either an order_code or a description.',
    ],
    ['an order code that is a number', {order_code: 881200450017}, 'order_code: must be text.'],
    [
      'a description of 1,001 characters',
      {order_code: undefined, description: 'x'.repeat(1001)},
      'description: must have at most 1000 characters.',
    ],
    ['no bank', {bank: undefined}, 'bank: must be the code of a bank.'],
    ['an unknown bank', {bank: 'unknown'}, 'bank: must be the code of a bank in the bank list.'],
    ['no amount', {amount: undefined}, 'amount: must be an amount such as "149.90".'],
    ['a comma in the amount', {amount: '1,00'}, 'amount: must be an amount above zero such as "149.90".'],
    ['an amount of zero', {amount: '0.00'}, 'amount: must be an amount above zero such as "149.90".'],
    ['a negative amount', {amount: -1}, 'amount: must be an amount above zero such as "149.90".'],
    ['a fraction of a kuruş', {amount: 0.001}, 'amount: must be an amount above zero such as "149.90".'],
    [
      'an impossible date',
      {at: '2026-02-30 10:00:00'},
      'at: must be a time such as "2026-11-20 14:05:00" or ISO 8601 with a zone.',
    ],
    [
      'an ISO 8601 time without a zone',
      {at: '2026-11-20T10:00:00'},
      'at: must be a time such as "2026-11-20 14:05:00" or ISO 8601 with a zone.',
    ],
    ['a sender that is a number', {sender: 5}, 'sender: must be text.'],
  ])('the sandbox control refuses a transfer with %s', async (_, wrong, error) => {
    const body = {order_code: '881200450017', bank: 'garanti', amount: '1.00', ...wrong};
    expect(await control('transfers', body)).toEqual({httpStatus: 422, body: {error}});
    expect(await read('transfers')).toEqual({transfers: []});
  });
});

test('a transfer can be assigned to an order, and later to another', async () => {
  const codes = [await createOrder('S-1'), await createOrder('S-2')];
  const {transaction_id: id} = await pay({description: 'kira'});
  for (const [index, order_code] of codes.entries()) {
    expect(await control(`transfers/${id}/assign`, {order_code})).toEqual({httpStatus: 200, body: {}});
    expect(await read('transfers')).toMatchObject({transfers: [{order_code, order: `S-${index + 1}`, status: 3}]});
  }
  const error = 'There is no such transfer or order.';
  expect(await control('transfers/1/assign', {order_code: codes[0]})).toEqual({httpStatus: 422, body: {error}});
});

describe('the list of transfers', () => {
  test('the list of transfers shows all transfers, newest first, or only the transfers of one order', async () => {
    const order_code = await createOrder('S-1');
    const {transaction_id: matchedId} = await pay({order_code, sender: 'Ayşe Yılmaz', at: '2026-11-20 14:05:00'});
    const {transaction_id: unmatchedId} = await pay({description: 'kira', bank: 'ziraat', at: '2026-11-20 14:06:00'});
    const matched = {
      transaction_id: matchedId,
      order_code,
      order: 'S-1',
      matched: true,
      bank: 'garanti',
      amount: '149.90',
      sender: 'Ayşe Yılmaz',
      description: order_code,
      at: '2026-11-20 14:05:00',
      status: 3,
    };
    const unmatched = {
      transaction_id: unmatchedId,
      order_code: null,
      order: null,
      matched: false,
      bank: 'ziraat',
      amount: '149.90',
      sender: null,
      description: 'kira',
      at: '2026-11-20 14:06:00',
      status: 1,
    };
    expect(await read('transfers')).toEqual({transfers: [unmatched, matched]});
    expect(await read('transfers?order_code=')).toEqual({transfers: [unmatched, matched]});
    expect(await read('transfers?limit=1')).toEqual({transfers: [unmatched]});
    expect(await read(`transfers?order_code=${order_code}`)).toEqual({transfers: [matched]});
    expect(await read('transfers?order_code=881200450017')).toEqual({transfers: []});
  });
});
