/** Tests searches for transactions, their filters and their cursors. */

import {expect, inject, test} from 'vitest';
import type {EndpointAnswer, EndpointInput} from '../../../../worker/contract/merchant/endpoints.ts';
import {searchReadings} from '../../objects/sweep/all-pairs.ts';
import {advance, DAY, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {replaceBindings, serviceObject} from '../../support/durable-objects.ts';
import {control, pay} from '../../support/sandbox.ts';
import {call, expectProblem, fieldsOf, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

type Search = Omit<EndpointInput<'searchTransactions'>, 'service'>;
/** Searches. If the platform is called too often, the search is repeated when `Retry-After` says. */
async function search(input: Search = {}): Promise<EndpointAnswer<'searchTransactions'>> {
  const answer = await call('searchTransactions', {service: 'DEMO', ...input});
  if (answer.status === 200) return answer.body as EndpointAnswer<'searchTransactions'>;
  expect(answer.body).toMatchObject({code: 'rate_limited'});
  await advance(Number(answer.headers.get('retry-after')) * SECOND);
  return search(input);
}
type Day = {readonly day: string; readonly ids: readonly string[]};
const day = (ms = Date.now()) => platformTime(ms).slice(0, 10);

const idsFoundBy = async (input: Search) => (await search(input)).items.map(({id}) => id);

/** Sends transfers of these amounts for a new order. @returns the ids of their transactions. */
async function sendTransfers(amounts: readonly string[]): Promise<string[]> {
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '10.00'});
  const ids: string[] = [];
  for (const amount of amounts) ids.push(await pay({order_code, amount}));
  return ids;
}

/** Collects the ids on all pages of a search, oldest first, and fails if an id is there twice. */
async function everyId(input: Search): Promise<string[]> {
  const ids: string[] = [];
  for (let page = await search(input); ; page = await search({...input, cursor: page.next_cursor})) {
    ids.push(...page.items.map(({id}) => id));
    expect(page.items.length).toBeLessThanOrEqual(input.limit ?? 100);
    if (page.next_cursor === null) return ids.toSorted((a, b) => Number(a) - Number(b));
  }
}

test('the pages of a search contain every transaction once', async () => {
  const ids = await sendTransfers(Array.from({length: 7}, (_, index) => `${index + 1}.00`));
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

test.for(searchReadings(inject('scale')))(
  'with the readings %j, searches return the transactions of the asked days, and no others',
  async (readings) => {
    const days: Day[] = [];
    for (let count = 0; count < 4; count += 1) {
      await advance(DAY);
      const ids = await sendTransfers(['1.00', '2.00', '3.00']);
      days.push({day: day(), ids: [...ids, await pay({description: 'lamba'})]});
    }
    await control('readings', readings);
    const [, second, third, fourth] = days as unknown as readonly [Day, Day, Day, Day];
    for (const limit of [2, 4, 1000]) {
      expect(await everyId({limit, start_date: second.day, end_date: third.day})).toEqual([
        ...second.ids,
        ...third.ids,
      ]);
      expect(await everyId({limit, start_date: third.day})).toEqual([...third.ids, ...fourth.ids]);
    }
  },
);

test('a day with more than a hundred transactions is listed whole if the platform counts only a page, and refuses tomorrow', async () => {
  const ids = await sendTransfers(Array.from({length: 103}, () => '1.00'));
  await control('readings', {records_filtered: 'page', search_length: '100', future_day: 'ERR_039'});
  expect(await everyId({start_date: day(), limit: 1000})).toEqual(ids);
});

const countSearches = async () => (await platformCalls('/transaction/search')).length;

test('searches of the server get a quarter of the calls of a minute, and return what was read until then', async () => {
  // The set-up of each test makes a search.
  await advance(MINUTE);
  await replaceBindings(serviceObject(), {QUOTAS: {phs_calls: {minute: 20}}});
  const input = {service: 'DEMO', start_date: day(Date.now() - 8 * DAY), limit: 1000};
  const [before, page] = [await countSearches(), await read('searchTransactions', input)];
  expect(await countSearches()).toBe(before + 5);
  const next = {...input, cursor: page.next_cursor ?? ''};
  const refused = await call('searchTransactions', next);
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await countSearches()).toBe(before + 5);
  await advance(MINUTE);
  await read('searchTransactions', next);
  expect(await countSearches()).toBe(before + 10);
});

test('a transaction in a search’s results has no status', async () => {
  const [id] = await sendTransfers(['10.00']);
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

test('a search without results gives an empty page', async () => {
  expect(await search({amount: '987654.32'})).toEqual({items: [], next_cursor: null, total: 0});
});

test('a search includes its first and its last date', async () => {
  const ids = await sendTransfers(['10.00']);
  expect(await idsFoundBy({start_date: day(), end_date: day()})).toEqual(ids);
  expect(await idsFoundBy({end_date: day(Date.now() - DAY)})).toEqual([]);
  expect(await idsFoundBy({start_date: day(Date.now() + DAY)})).toEqual([]);
  const [searchCall] = await platformCalls('/transaction/search');
  expect(JSON.stringify(searchCall?.params)).toContain(day(Date.now() + DAY));
});

test('the platform gets the day after the last date as the end, even at the end of a month or year', async () => {
  await search({end_date: '2026-12-31'});
  await search({end_date: '2028-02-28'});
  await search({end_date: '2028-02-29'});
  expect(
    (await platformCalls('/transaction/search')).map(
      ({params}) => /20\d\d-\d\d-\d\d/.exec(JSON.stringify(params))?.[0],
    ),
  ).toEqual(['2027-01-01', '2028-02-29', '2028-03-01']);
});

const FILTERS: readonly (readonly [filter: string, input: Search, expected: readonly string[]])[] = [
  ['an amount', {amount: '2.00'}, ['2.00']],
  ['several amounts', {amount: ['1.00', '3.00']}, ['1.00', '3.00']],
  ['a minimum amount', {amount: {operator: '>=', value: '2.00'}}, ['2.00', '3.00']],
  ['amounts below a limit', {amount: {operator: '<', value: '2'}}, ['1.00']],
  ['a status', {status: 3}, ['1.00', '2.00', '3.00']],
  ['several statuses', {status: [1, 5]}, []],
  ['a bank', {bank_id: '6'}, ['1.00', '2.00', '3.00']],
  ['several banks, as numbers', {bank_id: [1, 2]}, []],
];

test('a search filters by amount, status and bank', async () => {
  await sendTransfers(['1.00', '2.00', '3.00']);
  for (const [filter, input, expected] of FILTERS)
    expect((await search(input)).items.map(({amount}) => amount).toSorted(), filter).toEqual(expected);
});

test('a search filters by a time with any offset, by a list of times and by an operator', async () => {
  const ids = await sendTransfers(['10.00']);
  const now = `${platformTime().replace(' ', 'T')}+03:00`;
  const utc = new Date(Date.now()).toISOString();
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

test('a cursor is accepted only for the query that returned it', async () => {
  await sendTransfers(['1.00', '2.00', '3.00']);
  const {next_cursor: cursor} = await search({limit: 1});
  if (cursor === null) throw new Error('The search should have a second page.');
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
