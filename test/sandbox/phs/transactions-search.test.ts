import {runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {READINGS} from '../../../sandbox/records/readings.ts';
import {call, control, createOrder, pay, type Fields} from '../support/platform.ts';

interface Item {
  readonly id: number;
  readonly amount: string;
}

/** @param fields - A text is a query whose brackets and values are not encoded. */
async function search(
  fields: Fields | string = [],
): Promise<{recordsTotal: unknown; recordsFiltered: unknown; data: Item[]}> {
  const entries =
    typeof fields === 'string'
      ? fields.split('&').map((field) => field.split('=') as [string, string])
      : Array.isArray(fields)
        ? fields
        : Object.entries(fields);
  const {recordsTotal, recordsFiltered, data} = await call('/transaction/search', [['code', 'DEMO'], ...entries]);
  return {recordsTotal, recordsFiltered, data: data as Item[]};
}

/** Returns the amounts that a search finds, sorted here, because the platform does not guarantee a sequence. */
async function amountsFound(fields: Fields | string): Promise<string[]> {
  const {recordsTotal, recordsFiltered, data} = await search(fields);
  expect({recordsTotal, recordsFiltered}).toEqual({recordsTotal: 5, recordsFiltered: data.length});
  return data.map(({amount}) => amount).sort((a, b) => Number(a) - Number(b));
}

describe('an item of a search', () => {
  beforeEach(() => control('reset'));

  test('an item of the transaction search has times with zones and a ref_no, but no status', async () => {
    const code = await createOrder('S-1009');
    const {transaction_id} = await pay({order_code: code, sender: 'Ayşe Yılmaz', at: '2026-11-20 14:05:00'});
    expect(await call('/transaction/search', {code: 'DEMO'})).toEqual({
      status: '000',
      message: 'Success',
      recordsTotal: 1,
      recordsFiltered: 1,
      start: 0,
      length: 100,
      data: [
        {
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
          amount: '149.90',
          currency: 'TL',
          user_name: 'Ayşe Yılmaz',
          order_refno: 'S-1009',
          remote_bank: null,
          remote_description: code,
          transaction_date: '2026-11-20 14:05:00+03',
          transaction_type: 1,
          create_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03$/),
          ref_no: `S${transaction_id}`,
        },
      ],
    });
  });

  test('in the transaction search, a transaction without an order has an empty code and reference', async () => {
    await pay({description: 'kira'});
    const {data} = await search();
    expect(data).toMatchObject([{code: '', order_refno: '', remote_description: 'kira'}]);
  });
});

const DEFAULTS = Object.fromEntries(Object.entries(READINGS).map(([name, [reading]]) => [name, reading]));

/** The ids of the three transactions, in the sequence in which searches with one item on a page return them. */
async function idsIn(search_order: string): Promise<number[]> {
  await control('readings', {...DEFAULTS, search_order});
  const pages = await Promise.all(['0', '1', '2'].map((start) => search({start, length: '1'})));
  return pages.flatMap(({data}) => data.map(({id}) => id));
}

/** The status of a search that begins on the day of `at`, in UTC+3. */
async function statusOnDay(at: number): Promise<unknown> {
  const startDate = new Date(at + 3 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return (await call('/transaction/search', {code: 'DEMO', 'Transaction[startDate]': startDate}))['status'];
}

describe('a reading of the contract', () => {
  beforeAll(async () => {
    await control('reset');
    const code = await createOrder('S-1');
    for (const day of ['18', '19', '20'])
      await pay({order_code: code, amount: `${day}.00`, at: `2026-11-${day} 12:00:00`});
  });

  const day19 = {'Transaction[startDate]': '2026-11-19', 'Transaction[endDate]': '2026-11-20'};
  const from18 = {'Transaction[startDate]': '2026-11-18'};
  const from18To21 = {...from18, 'Transaction[endDate]': '2026-11-21'};

  test.each([
    [{}, day19, ['19.00']],
    [{end_date: 'inclusive'}, day19, ['19.00', '20.00']],
    [{}, from18, ['18.00', '19.00', '20.00']],
    [{missing_end_date: 'one_day'}, from18, ['18.00']],
    [{search_days: 'one'}, day19, ['19.00']],
    [{search_days: 'clipped'}, from18To21, ['18.00']],
    [{search_days: 'clipped'}, from18, ['18.00']],
    [{search_days: 'clipped', end_date: 'inclusive'}, from18To21, ['18.00', '19.00']],
    [{search_days: 'clipped_at_four'}, {'Transaction[startDate]': '2026-11-15'}, ['18.00']],
    [{search_days: 'clipped_at_four'}, from18To21, ['18.00', '19.00', '20.00']],
    [{search_time_of: 'create_time'}, from18To21, []],
  ])('with the reading %j, a search with %j finds the expected transactions', async (readings, filter, amounts) => {
    await control('readings', {...DEFAULTS, ...readings});
    const {data} = await search(filter);
    expect((data as {amount: string}[]).map(({amount}) => amount).sort()).toEqual(amounts);
  });

  test.each([
    [{search_days: 'one'}, from18, 'Bad Request:endDate'],
    [{search_length: '100'}, {length: '101'}, 'Bad Request:length'],
    [{latest_end_date: 'tomorrow'}, {...from18, 'Transaction[endDate]': '2100-01-01'}, 'Bad Request:endDate'],
  ])('with the reading %j, a search with %j is refused', async (readings, fields, message) => {
    await control('readings', {...DEFAULTS, ...readings});
    expect(await call('/transaction/search', {code: 'DEMO', ...fields})).toEqual({status: 'ERR_008', message});
  });

  test('with the reading `latest_end_date: tomorrow`, a transaction search may end tomorrow', async () => {
    await control('readings', {...DEFAULTS, latest_end_date: 'tomorrow'});
    const tomorrow = new Date(Date.now() + 27 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const {data} = await search({...from18, 'Transaction[endDate]': tomorrow});
    expect(data).toHaveLength(3);
  });

  test.each([
    ['all', 3],
    ['page', 2],
  ])(
    'with the reading `records_filtered: %s`, the answer counts %i of three transactions if a page has two',
    async (records_filtered, count) => {
      await control('readings', {...DEFAULTS, records_filtered});
      expect(await search({length: '2'})).toMatchObject({recordsFiltered: count, data: [{}, {}]});
    },
  );

  test.each(['ERR_008', '500', 'ERR_039'])(
    'with the reading `future_day: %s`, a search from tomorrow gets that status, and a search from today succeeds',
    async (future_day) => {
      await control('readings', {...DEFAULTS, future_day});
      const now = Date.now();
      expect([await statusOnDay(now), await statusOnDay(now + 24 * 60 * 60 * 1000)]).toEqual(['000', future_day]);
    },
  );

  test('the reading `search_order` sorts items newest first, oldest first or not at all; each comes once', async () => {
    const newestFirst = await idsIn('newest_first');
    expect(newestFirst).toEqual(newestFirst.toSorted((a, b) => b - a));
    expect(await idsIn('oldest_first')).toEqual(newestFirst.toReversed());
    expect(new Set(await idsIn('none'))).toEqual(new Set(newestFirst));
  });
});

describe('a filter', () => {
  beforeAll(async () => {
    await control('reset');
    const code = await createOrder('S-1');
    await pay({order_code: code, amount: '10.00', bank: 'ziraat', at: '2026-11-18 23:59:59'});
    await pay({order_code: code, amount: '20.00', bank: 'akbank', at: '2026-11-19 00:00:00'});
    await pay({description: '-', amount: '30.50', bank: 'akbank', at: '2026-11-19 12:00:00'});
    await pay({order_code: code, amount: '40.00', bank: 'garanti', at: '2026-11-19 23:59:59'});
    await pay({description: '-', amount: '100.00', bank: 'ziraat', at: '2026-11-20 00:00:00'});
  });

  const ALL = ['10.00', '20.00', '30.50', '40.00', '100.00'];

  test.each<[string, Fields | string, string[]]>([
    ['nothing', [], ALL],
    ['a first day', {'Transaction[startDate]': '2026-11-19'}, ['20.00', '30.50', '40.00', '100.00']],
    ['an exclusive end day', {'Transaction[endDate]': '2026-11-19'}, ['10.00']],
    [
      'one day, given as start day and the day after it',
      {'Transaction[startDate]': '2026-11-19', 'Transaction[endDate]': '2026-11-20'},
      ['20.00', '30.50', '40.00'],
    ],
    [
      'the same day as start and end',
      {'Transaction[startDate]': '2026-11-19', 'Transaction[endDate]': '2026-11-19'},
      [],
    ],
    ['a status', {'Transaction[status]': '3'}, ['10.00', '20.00', '40.00']],
    ['a list of statuses', 'Transaction[status][]=3&Transaction[status][]=1', ALL],
    ['a numbered list of statuses', 'Transaction[status][0]=1&Transaction[status][1]=8', ['30.50', '100.00']],
    ['a status without transactions', {'Transaction[status]': '6'}, []],
    ['a bank', {'Transaction[bank_id]': '5'}, ['20.00', '30.50']],
    ['a list of banks', 'Transaction[bank_id][]=1&Transaction[bank_id][]=6', ['10.00', '40.00', '100.00']],
    ['an amount', {'Transaction[amount]': '40.00'}, ['40.00']],
    ['an amount with one decimal', {'Transaction[amount]': '30.5'}, ['30.50']],
    ['a list of amounts', 'Transaction[amount][]=10&Transaction[amount][]=100.00', ['10.00', '100.00']],
    ['a time', {'Transaction[transaction_date]': '2026-11-19 12:00:00'}, ['30.50']],
    [
      'a list of times',
      'Transaction[transaction_date][]=2026-11-19 12:00:00&Transaction[transaction_date][]=2026-11-20 00:00:00',
      ['30.50', '100.00'],
    ],
    [
      'several columns',
      {'Transaction[bank_id]': '5', 'Transaction[status]': '3', 'Transaction[startDate]': '2026-11-19'},
      ['20.00'],
    ],
    [
      'empty values, as forms send them',
      {'Transaction[status]': '', 'Transaction[bank_id][]': '', 'Transaction[startDate]': ''},
      ALL,
    ],
    ['unknown names', {'Transaction[colour]': 'blue', Transaction_status: '6'}, ALL],
    ['text in place of `Transaction[…]`', {Transaction: '3'}, ALL],
  ])('a transaction search with %s in its filter finds the expected transactions', async (_, fields, found) => {
    expect(await amountsFound(fields)).toEqual(found);
  });

  test.each([
    ['<', ['10.00', '20.00']],
    ['<=', ['10.00', '20.00', '30.50']],
    ['=', ['30.50']],
    ['>=', ['30.50', '40.00', '100.00']],
    ['>', ['40.00', '100.00']],
  ])('a filter of the transaction search compares amounts and times with %s', async (operator, found) => {
    const amount = {'Transaction[amount][con_operator]': operator, 'Transaction[amount][value]': '30.50'};
    expect(await amountsFound(amount)).toEqual(found);
    const time = {
      'Transaction[transaction_date][con_operator]': operator,
      'Transaction[transaction_date][value]': '2026-11-19 12:00:00',
    };
    expect(await amountsFound(time)).toEqual(found);
  });

  test('a filter of the transaction search compares banks and statuses with < and >', async () => {
    const bank = {'Transaction[bank_id][con_operator]': '>', 'Transaction[bank_id][value]': '5'};
    expect(await amountsFound(bank)).toEqual(['40.00']);
    const status = {'Transaction[status][con_operator]': '<', 'Transaction[status][value]': '3'};
    expect(await amountsFound(status)).toEqual(['30.50', '100.00']);
  });

  test.each<[Record<string, string>, string, string]>([
    [{start: '-1'}, 'ERR_008', 'Bad Request:start'],
    [{start: 'x'}, 'ERR_008', 'Bad Request:start'],
    [{length: '1.5'}, 'ERR_008', 'Bad Request:length'],
    [{'Transaction[startDate]': '19.11.2026'}, 'ERR_008', 'Bad Request:startDate'],
    [{'Transaction[endDate]': '2026-02-30'}, 'ERR_008', 'Bad Request:endDate'],
    [{'Transaction[startDate][]': '2026-11-19'}, 'ERR_008', 'Bad Request:startDate'],
    [{'Transaction[status]': 'paid'}, 'ERR_008', 'Bad Request:status'],
    [{'Transaction[bank_id][]': 'akbank'}, 'ERR_008', 'Bad Request:bank_id'],
    [{'Transaction[amount]': '1,00'}, 'ERR_017', 'Invalid Amount'],
    [{'Transaction[transaction_date]': '2026-11-19'}, 'ERR_008', 'Bad Request:transaction_date'],
    [{'Transaction[transaction_date]': '2026-11-19 25:00:00'}, 'ERR_008', 'Bad Request:transaction_date'],
    [
      {'Transaction[amount][con_operator]': '<>', 'Transaction[amount][value]': '1'},
      'ERR_008',
      'Bad Request:con_operator',
    ],
    [
      {'Transaction[amount][con_operator]': '; DROP', 'Transaction[amount][value]': '1'},
      'ERR_008',
      'Bad Request:con_operator',
    ],
    [{'Transaction[amount][value]': '1'}, '400', 'Missing Parameter'],
    [{'Transaction[amount][con_operator]': '<'}, '400', 'Missing Parameter'],
  ])('a transaction search with %o gets the status %s', async (fields, status, message) => {
    expect(await call('/transaction/search', {code: 'DEMO', ...fields})).toEqual({status, message});
  });
});

describe('paging', () => {
  const COUNT = 25;

  beforeAll(async () => {
    await control('reset');
    await Promise.all(Array.from({length: COUNT}, (_, number) => pay({description: '-', amount: `${number + 1}.00`})));
  });

  test('the pages of the transaction search show every transaction once, newest first', async () => {
    const seen: number[] = [];
    for (const start of [0, 10, 20]) {
      const page = await search({start: String(start), length: '10'});
      expect({...page, data: page.data.length}).toEqual({
        recordsTotal: COUNT,
        recordsFiltered: COUNT,
        data: start === 20 ? 5 : 10,
      });
      seen.push(...page.data.map(({id}) => id));
    }
    expect(new Set(seen).size).toBe(COUNT);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(await search({start: '30', length: '10'})).toEqual({recordsTotal: COUNT, recordsFiltered: COUNT, data: []});
  });

  test('a transaction search with length 0 shows only the totals', async () => {
    expect(await search({length: '0'})).toEqual({recordsTotal: COUNT, recordsFiltered: COUNT, data: []});
  });
});

describe('a busy day of 5,000 transactions', () => {
  beforeAll(async () => {
    await control('reset');
    await runInDurableObject(exports.Platform.getByName('platform'), (_, {storage}) =>
      storage.sql.exec(`
        WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 4999)
        INSERT INTO transactions (id, service_code, bank_id, amount_kurus, description, transaction_date, create_time, status)
        SELECT 20000000000000 + n, 'DEMO', 1 + n % 12, 100 + n, '-', date('2026-11-19', '+' || (n % 2) || ' day') || ' 12:00:00',
          '2026-11-20 12:00:01', 3
        FROM number`),
    );
  });

  test('a page of length 10,000 contains all 5,000 transactions', async () => {
    expect((await search({length: '10000'})).data).toHaveLength(5000);
  });
});

test('a transaction search requires a known service', async () => {
  expect(await call('/transaction/search', {})).toEqual({status: '400', message: 'Missing Parameter'});
  expect(await call('/transaction/search', {code: 'OTHER'})).toEqual({status: 'ERR_005', message: 'Invalid Service'});
});
