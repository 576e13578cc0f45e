/** Searches of transfers page with cursors and can be walked to the end. */

import {expect, test} from 'vitest';
import type {EndpointInput} from '../../../../worker/contract/merchant/endpoints.ts';
import {DAY, platformTime} from '../../support/clock.ts';
import {pay} from '../../support/sandbox.ts';
import {call, fieldsOf, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

type Search = Omit<EndpointInput<'searchTransactions'>, 'service'>;
const search = (input: Search = {}) => read('searchTransactions', {service: 'DEMO', ...input});
const day = (ms = Date.now()) => platformTime(ms).slice(0, 10);

const found = async (input: Search) => (await search(input)).items.map(({id}) => id);

async function payments(amounts: readonly string[]): Promise<string[]> {
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '10.00'});
  const ids: string[] = [];
  for (const amount of amounts) ids.push(await pay({order_code, amount}));
  return ids;
}

test('a walk sees every transaction once, and ends', async () => {
  const ids = await payments(Array.from({length: 7}, (_, index) => `${index + 1}.00`));
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 10; pages += 1) {
    const page: Awaited<ReturnType<typeof search>> = await search({limit: 3, ...(cursor && {cursor})});
    expect(page.total).toBe(7);
    seen.push(...page.items.map(({id}) => id));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test('an item has no status, and everything else', async () => {
  const [id] = await payments(['10.00']);
  const {items} = await search();
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    id,
    service: 'DEMO',
    amount: '10.00',
    currency: 'TRY',
    bank_code: 'garanti',
    transaction_date: expect.stringMatching(/\+03:00$/) as string,
  });
  expect(items[0]).not.toHaveProperty('status');
});

test('nothing found is a page too', async () => {
  expect(await search({amount: '987654.32'})).toEqual({items: [], next_cursor: null, total: 0});
});

test('both days are included', async () => {
  const ids = await payments(['10.00']);
  expect(await found({start_date: day(), end_date: day()})).toEqual(ids);
  expect(await found({end_date: day(Date.now() - DAY)})).toEqual([]);
  expect(await found({start_date: day(Date.now() + DAY)})).toEqual([]);
  const [asked] = await platformCalls('/transaction/search');
  expect(JSON.stringify(asked?.params)).toContain(day(Date.now() + DAY));
});

test('the last day of a year and of February are followed by the next', async () => {
  await search({end_date: '2026-12-31'});
  await search({end_date: '2028-02-28'});
  await search({end_date: '2028-02-29'});
  expect(
    (await platformCalls('/transaction/search')).map(
      ({params}) => /20\d\d-\d\d-\d\d/.exec(JSON.stringify(params))?.[0],
    ),
  ).toEqual(['2027-01-01', '2028-02-29', '2028-03-01']);
});

test.for<[story: string, input: Search, expected: string[]]>([
  ['an amount', {amount: '2.00'}, ['2.00']],
  ['several amounts', {amount: ['1.00', '3.00']}, ['1.00', '3.00']],
  ['amounts from one on', {amount: {operator: '>=', value: '2.00'}}, ['2.00', '3.00']],
  ['amounts below one', {amount: {operator: '<', value: '2'}}, ['1.00']],
  ['a status', {status: 3}, ['1.00', '2.00', '3.00']],
  ['several statuses', {status: [1, 5]}, []],
  ['a bank', {bank_id: '6'}, ['1.00', '2.00', '3.00']],
  ['several banks, as numbers', {bank_id: [1, 2]}, []],
])('%s is searched', async ([, input, expected]) => {
  await payments(['1.00', '2.00', '3.00']);
  expect((await search(input)).items.map(({amount}) => amount).toSorted()).toEqual(expected);
});

test('a time is searched whatever its offset, alone, in a list and by an operator', async () => {
  const ids = await payments(['10.00']);
  const now = `${platformTime().replace(' ', 'T')}+03:00`;
  const utc = `${new Date(Date.now()).toISOString().slice(0, 19)}Z`;
  for (const transaction_date of [
    now,
    utc,
    [now, '2020-01-01T00:00:00+03:00'],
    {operator: '<=', value: utc} as const,
  ]) {
    expect((await search({transaction_date})).items.map(({id}) => id)).toEqual(ids);
  }
  expect((await search({transaction_date: {operator: '>', value: now}})).items).toEqual([]);
});

test('a cursor is good for its own query only', async () => {
  await payments(['1.00', '2.00', '3.00']);
  const {next_cursor: cursor} = await search({limit: 1});
  if (cursor === null) throw new Error('There are more.');
  for (const other of [{limit: 2}, {limit: 1, amount: '1.00'}, {limit: 1, status: 3}]) {
    expect(fieldsOf(await call('searchTransactions', {service: 'DEMO', ...other, cursor}))).toEqual(['cursor']);
  }
  for (const broken of [
    `${cursor}A`,
    cursor.slice(1),
    cursor.toLowerCase(),
    btoa('2.1.abc'),
    btoa('1.-1.abc'),
    '%%%',
  ]) {
    expect((await call('searchTransactions', {service: 'DEMO', limit: 1, cursor: broken})).status).toBe(422);
  }
  expect((await search({limit: 1, cursor})).items).toHaveLength(1);
});
