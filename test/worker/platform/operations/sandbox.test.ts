/** Calls the sandbox with the operations that pages need. The sandbox is written from the spec alone. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {tokenKey} from '../../../../worker/platform/keys.ts';
import {DAY, platformTime, wireTime} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {calls, pay} from '../../support/sandbox.ts';
import {failureOf} from '../../support/stub-transport.ts';

freshWorker();

const platform = () => contextOf(env).platform;
const ORDER = {code: 'DEMO', order: 'S-1009'};
const create = (fields: object = {}) => platform().call('orderCodeCreate', {...ORDER, amount: '149.90', ...fields});
const search = (input: object = {}) => platform().call('transactionSearch', {code: 'DEMO', ...input});
const today = (offsetMs = 0) => platformTime(Date.now() + offsetMs).slice(0, 10);

test('the sandbox issues a token for the correct key, accepts this token, and refuses another key or token', async () => {
  const key = await tokenKey({id: '123', ip: '127.0.0.1', key: 'sandbox-merchant-key'});
  const {token} = await platform().call('tokenGet', {merchant: '123', key});
  expect(token).toMatch(/^\{[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}$/);
  expect(await platform().call('tokenCheck', {merchant: '123', token})).toEqual({});
  expect(await failureOf(platform().call('tokenCheck', {merchant: '123', token: '{0}'}))).toEqual({
    outcome: 'refused',
    status: 'ERR_016',
    message: 'Invalid Token',
  });
  expect(await failureOf(platform().call('tokenGet', {merchant: '123', key: key.toUpperCase()}))).toEqual({
    outcome: 'refused',
    status: 'ERR_007',
    message: 'Invalid Request:key not true',
  });
});

test('an order code is created once and can be looked up with its service and order', async () => {
  const {order: code} = await create();
  expect(await platform().call('orderCodeCheck', ORDER)).toEqual({
    order: code,
    payout: null,
    sub_merchant_id: null,
    fee: null,
  });
  expect(await failureOf(create())).toEqual({outcome: 'refused', status: 'ERR_019', message: 'Your Order is exists'});
  expect(await failureOf(platform().call('orderCodeCheck', {code: 'DEMO', order: 'S-1'}))).toEqual({
    outcome: 'refused',
    status: 'ERR_014',
    message: 'Invalid Order',
  });
  expect(await failureOf(platform().call('orderCodeCheck', {code: 'KTP', order: 'S-1'}))).toEqual({
    outcome: 'refused',
    status: 'ERR_005',
    message: 'Invalid Service',
  });
});

test('a marketplace’s split and a user id with Turkish letters arrive unchanged', async () => {
  const {order: code} = await create({
    payout: '140.00',
    sub_merchant_id: 77001,
    fee: '9.90',
    user_id: 'Işıl Öğüt & Çağ',
  });
  expect(await platform().call('orderCodeCheck', ORDER)).toEqual({
    order: code,
    payout: '140.00',
    sub_merchant_id: '77001',
    fee: '9.90',
  });
  expect((await calls('/orderToReference/create')).at(-1)?.params).toEqual({
    code: 'DEMO',
    order: 'S-1009',
    amount: '149.90',
    payout: '140.00',
    sub_merchant_id: '77001',
    fee: '9.90',
    user_id: 'Işıl Öğüt & Çağ',
  });
});

test('a transaction can be searched and read, and its order can be completed', async () => {
  const {order: code} = await create();
  const id = await pay({order_code: code, sender: 'Ayşe Yılmaz', at: platformTime()});
  const found = {
    id,
    amount: '149.90',
    currency: 'TL',
    bank_name: 'Garanti BBVA',
    bank_code: 'garanti',
    code,
    order_refno: 'S-1009',
    transaction_date: wireTime(),
    create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/) as string,
  };
  expect(await platform().call('transactionGet', {id})).toMatchObject({transaction: {...found, status: '3'}});
  expect(await search()).toMatchObject({recordsFiltered: 1, data: {rows: [found]}});
  expect(await platform().call('orderComplete', ORDER)).toEqual({});
  expect(await failureOf(platform().call('transactionGet', {id: '98765432109876543210'}))).toEqual({
    outcome: 'refused',
    status: 'ERR_006',
    message: 'Invalid Transaction',
  });
});

test('a search can filter by every field that the spec names', async () => {
  const {order: code} = await create();
  const garanti = await pay({order_code: code, amount: '100.00', at: platformTime(-2 * DAY + Date.now())});
  const teb = await pay({description: 'forgot it', bank: 'teb', amount: '49.90', at: platformTime()});
  const ids = async (input: object) => (await search(input)).data.rows.map(({id}) => id).sort();
  const both = [garanti, teb].sort();
  for (const [found, input] of [
    [both, {}],
    [both, {start: 0, length: 2}],
    [[], {start: 2}],
    [[teb], {Transaction: {startDate: today(), endDate: today(DAY)}}],
    [[garanti], {Transaction: {startDate: today(-2 * DAY), endDate: today(-DAY)}}],
    [both, {Transaction: {startDate: today(-2 * DAY)}}],
    [[garanti], {Transaction: {status: 3}}],
    [both, {Transaction: {status: [1, 3]}}],
    [[teb], {Transaction: {bank_id: 4}}],
    [both, {Transaction: {bank_id: [4, 6]}}],
    [[teb], {Transaction: {amount: '49.90'}}],
    [both, {Transaction: {amount: ['49.90', '100.00']}}],
    [[garanti], {Transaction: {amount: {con_operator: '>', value: '49.90'}}}],
    [both, {Transaction: {amount: {con_operator: '>=', value: '49.90'}}}],
    [[teb], {Transaction: {amount: {con_operator: '<', value: '100'}}}],
    [both, {Transaction: {amount: {con_operator: '<=', value: '100.0'}}}],
    [[teb], {Transaction: {transaction_date: {con_operator: '=', value: platformTime()}}}],
    [[garanti], {Transaction: {transaction_date: {con_operator: '<', value: platformTime()}}}],
    [[], {Transaction: {status: 3, bank_id: 4}}],
  ] as const)
    expect(await ids(input), JSON.stringify(input)).toEqual(found);
  expect((await search({length: 1})).recordsFiltered).toBe(2);
});

test('the bank list needs no token', async () => {
  const {banks} = await platform().call('bankGetAll', {});
  expect(banks).toHaveLength(12);
  expect(banks[5]).toEqual({
    id: '6',
    code: 'garanti',
    name: 'Garanti BBVA',
    company_name: 'Örnek Ödeme Hizmetleri A.Ş.',
    branch_no: '0382',
    account_no: '62975301',
    account_iban: expect.stringMatching(/^TR\d{24}$/) as string,
    update_time: '2026-10-01T09:00:00+03:00',
    currency: 'TL',
    logo: expect.stringMatching(/\/logos\/garanti\.svg$/) as string,
    bank_no: '00062',
  });
  expect((await calls()).map(({path}) => path)).toEqual(['/phs/bank/getAll']);
});
