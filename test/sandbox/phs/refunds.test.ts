import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {call, control, createOrder, pay, read, request, signIn} from '../support/platform.ts';

const CONTACT = {'contact[name]': 'Ayşe Yılmaz', 'contact[iban]': 'TR330006100519786457841326'};
const REFUND = {code: 'DEMO', order: 'S-1009', amount: '149.90', ...CONTACT};
const SPLIT = {payout: '120.00', sub_merchant_id: '4711', fee: '29.90'};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

beforeEach(async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('OK'));
  await control('reset');
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function paidOrder(order = 'S-1009', amount = '149.90'): Promise<{order_code: string; transaction_id: number}> {
  const order_code = await createOrder(order, amount);
  return {order_code, ...(await pay({order_code, amount}))};
}

async function createRefund(fields: Record<string, string> = {}): Promise<number> {
  const {refund_id} = await call('/refund/create', {...REFUND, ...fields});
  return Number(refund_id);
}

async function endDay(outcomes: Record<string, number> = {}): Promise<void> {
  expect(await control('day-end', {notify: 'post', outcomes})).toMatchObject({httpStatus: 200});
}

async function getRefund(id: number): Promise<Record<string, unknown>> {
  const {data} = await call('/refund/get', {id: String(id)});
  return data as Record<string, unknown>;
}

test('/refund/get and /refund/getByOrder return all fields of a new refund', async () => {
  const {transaction_id} = await paidOrder();
  const path =
    '/phs/refund/create?code=DEMO&amount=149.90&order=S-1009' +
    '&contact[name]=Ay%C5%9Fe%20Y%C4%B1lmaz&contact[iban]=TR330006100519786457841326';
  const created: {refund_id: number} = await (await request(path, {headers: await signIn()})).json();
  expect(created).toEqual({status: '000', message: 'Success', refund_id: expect.any(Number)});
  const refund = {
    id: created.refund_id,
    merchant: 'Fener Atölyesi',
    merchant_name: 'Fener Atölyesi',
    merchant_id: 123,
    service: 'Örnek Hizmet',
    service_name: 'Örnek Hizmet',
    service_id: 1,
    service_code: 'DEMO',
    transaction_id,
    status: 1,
    create_time: TIME,
    update_time: null,
    refund_time: null,
    amount: '149.90',
    requested_by: null,
    description: null,
    note: null,
    refund_contact: 'Ayşe Yılmaz',
    refund_iban: 'TR330006100519786457841326',
    bank_id: null,
    bank_name: null,
    bank_code: null,
    bank_no: null,
    bank_receipt_no: null,
  };
  expect(await call('/refund/get', {id: String(created.refund_id)})).toEqual({
    status: '000',
    message: 'Success',
    data: {...refund, update_userid: null},
  });
  expect(await call('/refund/getByOrder', {order: 'S-1009'})).toEqual({
    status: '000',
    message: 'Success',
    data: [refund],
  });
});

describe('at the end of the day', () => {
  test('at the end of the day a refund gets bank, time and receipt, and its transaction is refunded', async () => {
    const {transaction_id} = await paidOrder();
    const id = await createRefund();
    await endDay();
    expect(await getRefund(id)).toMatchObject({
      status: 3,
      update_time: TIME,
      refund_time: TIME,
      bank_id: 6,
      bank_name: 'Garanti BBVA',
      bank_code: 'garanti',
      bank_no: '00062',
      bank_receipt_no: `D${id}`,
    });
    expect(await call('/transaction/get', {id: String(transaction_id)})).toMatchObject({transaction: {status: 6}});
  });

  test.each([
    [4, {refund_time: null, bank_code: 'garanti', bank_receipt_no: null}],
    [6, {refund_time: null, bank_code: null, bank_receipt_no: null}],
  ])('a refund can fail with status %i, and then the amount can be refunded again', async (status, fields) => {
    await paidOrder();
    const id = await createRefund();
    await endDay({[id]: status});
    expect(await getRefund(id)).toMatchObject({status, ...fields});
    expect(await call('/refund/create', REFUND)).toMatchObject({status: '000'});
  });

  test('a refund whose notification fails is paid out, and gets the status of a success on the next day', async () => {
    await paidOrder();
    const id = await createRefund();
    await endDay({[id]: -1});
    expect(await getRefund(id)).toMatchObject({status: -1, refund_time: TIME, bank_receipt_no: `D${id}`});
    await endDay();
    expect(await getRefund(id)).toMatchObject({status: 3});
  });
});

describe('refunds of a marketplace order', () => {
  beforeEach(async () => {
    await call('/orderToReference/create', {code: 'DEMO', order: 'S-1009', amount: '149.90', ...SPLIT});
  });

  test('a marketplace order can have several refunds; the last one sets its transaction to refunded', async () => {
    const {order} = await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'});
    const {transaction_id} = await pay({order_code: order, amount: '149.90'});
    const ids = [await createRefund({amount: '100.00'}), await createRefund({amount: '49.00'})];
    expect(await call('/refund/create', {...REFUND, amount: '0.91'})).toEqual({
      status: 'ERR_021',
      message: 'Amount Limit Exceed',
    });
    ids.push(await createRefund({amount: '0.90'}));
    const {data} = await call('/refund/getByOrder', {order: 'S-1009'});
    expect((data as {id: number}[]).map(({id}) => id)).toEqual(ids);

    const [first = 0, second = 0] = ids;
    await endDay({[second]: 2});
    expect(await getRefund(first)).toMatchObject({status: 3});
    expect(await call('/transaction/get', {id: String(transaction_id)})).toMatchObject({transaction: {status: 3}});
    await endDay();
    expect(await call('/transaction/get', {id: String(transaction_id)})).toMatchObject({transaction: {status: 6}});
  });

  test('each refund belongs to a transaction that has enough money left', async () => {
    const {order} = await call('/orderToReference/check', {code: 'DEMO', order: 'S-1009'});
    const small = await pay({order_code: order, amount: '40.00'});
    const large = await pay({order_code: order, amount: '109.90'});
    const [first, second, third] = [
      await createRefund({amount: '100.00'}),
      await createRefund({amount: '40.00'}),
      await createRefund({amount: '9.90'}),
    ];
    expect(await getRefund(first)).toMatchObject({transaction_id: large.transaction_id});
    expect(await getRefund(second)).toMatchObject({transaction_id: small.transaction_id});
    expect(await getRefund(third)).toMatchObject({transaction_id: large.transaction_id});
    await endDay({[first]: 2, [third]: 2});
    expect(await call('/transaction/get', {id: String(small.transaction_id)})).toMatchObject({
      transaction: {status: 6},
    });
    expect(await call('/transaction/get', {id: String(large.transaction_id)})).toMatchObject({
      transaction: {status: 3},
    });
  });
});

describe('refused refunds', () => {
  test.each(['code', 'amount', 'order', 'contact[name]', 'contact[iban]'])(
    'the platform refuses a refund if %s is absent or empty',
    async (name) => {
      await paidOrder();
      const {[name as 'code']: _, ...others} = REFUND;
      const refusal = {status: '400', message: 'Missing Parameter'};
      expect(await call('/refund/create', others)).toEqual(refusal);
      expect(await call('/refund/create', {...REFUND, [name]: ''})).toEqual(refusal);
    },
  );

  test.each([
    [{code: 'OTHER'}, 'ERR_005', 'Invalid Service'],
    [{order: 'unknown'}, 'ERR_014', 'Invalid Order'],
    [{amount: '0.00'}, 'ERR_017', 'Invalid Amount'],
    [{amount: '149.91'}, 'ERR_021', 'Amount Limit Exceed'],
  ])('the platform refuses a refund with %o and returns the status %s', async (wrong, status, message) => {
    await paidOrder();
    expect(await call('/refund/create', {...REFUND, ...wrong})).toEqual({status, message});
  });

  test('the platform refuses a refund before money has arrived', async () => {
    await createOrder('S-1009');
    expect(await call('/refund/create', REFUND)).toEqual({status: 'ERR_006', message: 'Invalid Transaction'});
  });

  test('the platform refuses a refund of a completed order', async () => {
    await paidOrder();
    await call('/transaction/order-complete', {code: 'DEMO', order: 'S-1009'});
    expect(await call('/refund/create', REFUND)).toEqual({status: 'ERR_018', message: 'There is spending recording'});
  });

  test('the platform makes several refunds of one order, but never returns more than arrived', async () => {
    await paidOrder();
    await createRefund({amount: '49.90'});
    expect(await call('/refund/create', REFUND)).toEqual({status: 'ERR_021', message: 'Amount Limit Exceed'});
    await createRefund({amount: '100.00'});
  });

  test.each([
    ['ERR_039', 'Invalid Action'],
    ['ERR_018', 'There is spending recording'],
    ['ERR_008', 'Bad Request'],
  ])(
    'with the reading `second_refund: %s`, a second refund of an order without a split gets that status',
    async (status, message) => {
      await control('readings', {second_refund: status});
      await paidOrder();
      await createRefund({amount: '49.90'});
      expect(await call('/refund/create', {...REFUND, amount: '50.00'})).toEqual({status, message});
    },
  );

  test.each([
    ['completed_order', 'ERR_039', 'Invalid Action'],
    ['completed_order', 'ERR_008', 'Bad Request'],
    ['unpaid_refund', 'ERR_014', 'Invalid Order'],
    ['unpaid_refund', 'ERR_039', 'Invalid Action'],
  ])('with the reading `%s: %s`, a refund that is not possible gets that status', async (reading, status, message) => {
    await control('readings', {[reading]: status});
    if (reading === 'completed_order') {
      await paidOrder();
      await call('/transaction/order-complete', {code: 'DEMO', order: 'S-1009'});
      const update = {code: 'DEMO', order: 'S-1009', amount: '1.00'};
      expect(await call('/orderToReference/update', update)).toEqual({status, message});
    } else await createOrder('S-1009');
    expect(await call('/refund/create', REFUND)).toEqual({status, message});
  });

  test('with the reading `refund_times`, the times of a refund are in UTC or absent', async () => {
    await paidOrder();
    const id = await createRefund();
    const inTurkey = String((await getRefund(id))['create_time']);
    await control('readings', {refund_times: 'utc'});
    const inUtc = String((await getRefund(id))['create_time']);
    expect(Date.parse(`${inTurkey}Z`) - Date.parse(`${inUtc}Z`)).toBe(3 * 60 * 60 * 1000);
    await control('readings', {refund_times: 'absent'});
    expect(await getRefund(id)).toMatchObject({create_time: null, update_time: null, refund_time: null});
  });

  test('the readings `unknown_refund` and `no_refunds` set the statuses of reads that find no refund', async () => {
    await createOrder('S-1009');
    await control('readings', {unknown_refund: '404', no_refunds: 'ERR_006'});
    expect(await call('/refund/get', {id: '1'})).toEqual({status: '404', message: 'Page Not Found'});
    expect(await call('/refund/getByOrder', {order: 'S-1009'})).toMatchObject({status: 'ERR_006'});
  });
});

test.each([
  ['/refund/get', {}, '400', 'Missing Parameter'],
  ['/refund/get', {id: '1'}, 'ERR_006', 'Invalid Transaction'],
  ['/refund/get', {id: 'x'}, 'ERR_006', 'Invalid Transaction'],
  ['/refund/getByOrder', {}, '400', 'Missing Parameter'],
  ['/refund/getByOrder', {order: 'unknown'}, 'ERR_014', 'Invalid Order'],
])('%s with %o gets the status %s', async (path, fields, status, message) => {
  expect(await call(path, fields)).toEqual({status, message});
});

test('the list of refunds is empty for an order without refunds', async () => {
  await createOrder('S-1009');
  expect(await call('/refund/getByOrder', {order: 'S-1009'})).toEqual({status: '000', message: 'Success', data: []});
});

test.each([[1], [2], [3], [5], [6], [8]])(
  'the sandbox control sets the status of a transaction to %i',
  async (status) => {
    const {transaction_id} = await pay({description: '-'});
    expect(await control(`transfers/${transaction_id}/status`, {status})).toEqual({httpStatus: 200, body: {}});
    expect(await read('transfers')).toMatchObject({transfers: [{status}]});
  },
);
