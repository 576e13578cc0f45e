import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, createOrder, pay, read, request, signIn} from '../support/platform.ts';

const NOTICE = {code: 'DEMO', order: 'S-1009', amount: '149.90', bank: 'garanti'};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

beforeEach(async () => {
  await control('reset');
  await control('readings', {notice_code: 'own_id'});
});

async function createNotice(fields: Record<string, string> = {}): Promise<string> {
  const {code} = await call('/paymentNotification/create', {...NOTICE, ...fields});
  return String(code);
}

async function getNotice(code: string): Promise<Record<string, unknown>> {
  const {paymentNotification} = await call('/paymentNotification/get', {id: code});
  return paymentNotification as Record<string, unknown>;
}

test('/paymentNotification/get returns all fields that /paymentNotification/create received', async () => {
  const path =
    '/phs/paymentNotification/create?code=DEMO&amount=149.9&bank=garanti&order=S-1009' +
    '&PaymentNotification[tc_no]=12345678901&PaymentNotification[name]=Ay%C5%9Fe+Y%C4%B1lmaz' +
    '&PaymentNotification[email]=ayse@mail.example&PaymentNotification[phone]=5321234567' +
    '&PaymentNotification[user_ip]=192.0.2.7&PaymentNotification[apply_time]=2026-11-20+14:05:00&PaymentNotification[description]=Masa';
  const created: {code: string} = await (await request(path, {headers: await signIn()})).json();
  expect(created).toEqual({status: '000', message: 'Success', code: expect.stringMatching(/^\d{14}$/)});
  expect(await call('/paymentNotification/get', {id: created.code})).toEqual({
    status: '000',
    message: 'Success',
    paymentNotification: {
      id: Number(created.code),
      code: created.code,
      bank_id: 6,
      bank_code: 'garanti',
      bank_name: 'Garanti BBVA',
      merchant: 123,
      merchant_name: 'Fener Atölyesi',
      service_id: 1,
      service_code: 'DEMO',
      service_name: 'Örnek Hizmet',
      transaction_id: 0,
      order_refno: 'S-1009',
      tc_no: '12345678901',
      name: 'Ayşe Yılmaz',
      email: 'ayse@mail.example',
      phone: '5321234567',
      amount: '149.90',
      description: 'Masa',
      user_ip: '192.0.2.7',
      create_time: TIME,
      apply_time: '2026-11-20 14:05:00',
      status: 0,
    },
  });
});

test.each([
  ['other_id', 'the id of another notice', /^\d{14}$/],
  ['text', 'a text that is no id', /^N\d{14}$/],
] as const)('with the reading `notice_code: %s`, the code of a notice is %s', async (notice_code, _, form) => {
  await control('readings', {notice_code});
  const [first, second] = [await createNotice(), await createNotice({order: 'S-2'})];
  for (const code of [first, second]) expect(code).toMatch(form);
  const {notices} = await read<{notices: {id: number; notice_code: string}[]}>('notices');
  expect(notices.map((notice) => notice.notice_code)).toEqual([second, first]);
  const [, {id} = {id: 0}] = notices;
  expect(await getNotice(String(id))).toMatchObject({id, code: first, order_refno: 'S-1009'});
  expect(second === String(id)).toBe(notice_code === 'other_id');
});

test.each([
  [{code: ''}, '400', 'Missing Parameter'],
  [{order: ''}, '400', 'Missing Parameter'],
  [{amount: ''}, '400', 'Missing Parameter'],
  [{bank: ''}, '400', 'Missing Parameter'],
  [{code: 'OTHER'}, 'ERR_005', 'Invalid Service'],
  [{amount: '1,00'}, 'ERR_017', 'Invalid Amount'],
  [{bank: 'unknown'}, 'ERR_011', 'Invalid Bank'],
  [{'PaymentNotification[apply_time]': '2026-02-30 10:00:00'}, 'ERR_008', 'Bad Request:apply_time'],
])('/paymentNotification/create with %o gets the status %s', async (wrong, status, message) => {
  expect(await call('/paymentNotification/create', {...NOTICE, ...wrong})).toEqual({status, message});
  expect(await read('notices')).toEqual({notices: []});
});

test.each([
  [{}, '400', 'Missing Parameter'],
  [{id: '1'}, 'ERR_013', 'Invalid Payment Notification'],
  [{id: 'x'}, 'ERR_013', 'Invalid Payment Notification'],
])('/paymentNotification/get with %o gets the status %s', async (fields, status, message) => {
  expect(await call('/paymentNotification/get', fields)).toEqual({status, message});
});

describe('a payment notice', () => {
  test('the approval of a notice assigns an unmatched transaction to the order', async () => {
    const order_code = await createOrder('S-1009');
    const code = await createNotice();
    const {transaction_id} = await pay({description: 'kira'});
    expect(await control(`notices/${code}/approve`, {transaction_id})).toEqual({httpStatus: 200, body: {order_code}});
    expect(await getNotice(code)).toMatchObject({status: 10, transaction_id});
    expect(await call('/transaction/get', {id: String(transaction_id)})).toMatchObject({
      transaction: {status: 3, code: order_code, order_refno: 'S-1009'},
    });
    expect(await read('orders')).toMatchObject({orders: [{arrived: '149.90'}]});
  });

  test('the approval of a notice creates the order if it does not exist', async () => {
    const code = await createNotice({order: 'S-2000'});
    const {transaction_id} = await pay({description: 'kira'});
    const {body} = await control(`notices/${code}/approve`, {transaction_id});
    expect(await call('/orderToReference/check', {code: 'DEMO', order: 'S-2000'})).toMatchObject({
      order: body['order_code'],
    });
  });

  test.each([[-1], [0], [1]])('the sandbox control sets the status of a notice to %i', async (status) => {
    const code = await createNotice();
    expect(await control(`notices/${code}/status`, {status})).toEqual({httpStatus: 200, body: {}});
    expect(await getNotice(code)).toMatchObject({status});
  });

  test('the controls refuse a second approval, a wrong transaction or status, and an unknown notice', async () => {
    const code = await createNotice();
    const matched = await pay({order_code: await createOrder('S-1')});
    const {transaction_id} = await pay({description: 'kira'});
    const refusals = [
      [`notices/${code}/approve`, {transaction_id: 'x'}, 'transaction_id: must be the id of a transaction.'],
      [`notices/${code}/approve`, {transaction_id: 1}, 'There is no transaction 1.'],
      ['notices/1/approve', {transaction_id}, 'There is no notice 1.'],
      [`notices/${code}/approve`, matched, `Transaction ${matched.transaction_id} is already assigned to order S-1.`],
      [`notices/${code}/status`, {status: 10}, 'status: must be one of -1, 0, 1.'],
      ['notices/x/status', {status: 1}, 'There is no notice x.'],
    ] as const;
    for (const [path, body, error] of refusals)
      expect(await control(path, body)).toEqual({httpStatus: 422, body: {error}});
    await control(`notices/${code}/approve`, {transaction_id});
    const secondTransfer = await pay({description: 'kira'});
    const error = `Notice ${code} is already approved.`;
    expect(await control(`notices/${code}/approve`, secondTransfer)).toEqual({httpStatus: 422, body: {error}});
  });
});
