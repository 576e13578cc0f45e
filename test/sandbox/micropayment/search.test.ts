import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {getBilling, listCycles, LOCAL_TIME, search, subscribe, type MobileBody} from '../support/mobile-billing.ts';
import {control, request} from '../support/platform.ts';

const TIME = expect.stringMatching(LOCAL_TIME);
const NUMBERS = ['5551000001', '5551000002', '5551000003'];

type Item = {id: number; msisdn: string};

let ids: number[];

beforeAll(async () => {
  await control('reset');
  await control('limits', {limits: null});
  ids = [];
  for (const [index, msisdn] of NUMBERS.entries()) {
    await control('clock', {advance_seconds: 3600});
    ids.push(await subscribe({msisdn, operator: index + 1, product: index === 2 ? 78 : 77}));
  }
  await getBilling(`/subscription/cancel/123/1/${ids[0]}`);
});

async function findNumbers(collection: string, body: Record<string, unknown> = {}): Promise<string[]> {
  const reply = await search(collection, body);
  return (reply.body[collection] as Item[]).map(({msisdn}) => msisdn.slice(-1));
}

test('a search for subscriptions returns items without the field `service`, newest first', async () => {
  const {httpStatus, body} = await search('subscriptions');
  expect(httpStatus).toBe(200);
  expect(body).toEqual({
    response: {
      result: 'SUCCESS',
      resultCode: '0000',
      resultDescription: 'Success',
      resultDetail: null,
      timeElapsed: expect.stringMatching(/ms$/),
      responseTime: TIME,
    },
    meta: {totalCount: 3, limit: 10, page: 1, pageCount: 1},
    subscriptions: [
      expect.objectContaining({msisdn: NUMBERS[2], hasTrialPeriod: true, trialPeriodDay: 7}),
      expect.objectContaining({msisdn: NUMBERS[1]}),
      {
        id: ids[0],
        status: 'cancelled',
        msisdn: NUMBERS[0],
        operator: 1,
        subscriptionFee: 12,
        period: 'weekly',
        subscriptionDate: TIME,
        renewalDate: TIME,
        cancellationDate: TIME,
        cancellationSource: 'mi',
        hasTrialPeriod: false,
        trialPeriodDay: 0,
      },
    ],
  });
});

test('a search for transactions returns items with a subscription id and the text "null" as reference', async () => {
  const {body} = await search('transactions');
  expect(body['meta']).toEqual({totalCount: 2, limit: 10, page: 1, pageCount: 1});
  expect((body['transactions'] as Item[])[1]).toEqual({
    id: expect.any(Number),
    service: 1,
    status: 3,
    msisdn: NUMBERS[0],
    operator: 1,
    amount: 12,
    error: null,
    errorDetail: null,
    transactionDate: TIME,
    referenceCode: 'null',
    subscriptionId: ids[0],
  });
});

test('a search for messages returns the sent messages, and its answer spells responsetime in lower case', async () => {
  const {body} = await search('messages', {sort: [{column: 'id', asc: true}]});
  expect(body.response).toHaveProperty('responsetime');
  expect(body['meta']).toMatchObject({totalCount: 4});
  expect((body['messages'] as Item[])[0]).toEqual({
    id: expect.any(Number),
    service: 1,
    msisdn: NUMBERS[0],
    operator: 1,
    type: 'MT',
    message: 'Kulüp üyeliği başladı. Ücreti: 12,00 TL / hafta.',
    date: TIME,
  });
});

test.each(['subscriptions', 'transactions', 'messages'])(
  'the platform accepts a search for %s in the format of the spec',
  async (collection) => {
    const body =
      '{"merchantId":123,"serviceId":1,"search":[{"column":"msisdn","term":"5551000002"},' +
      '{"column":"modifiedDate","term":"2026-01-01T00:00:00","condition":">="}],"sort":[{"column":"id","asc":false}],"limit":10,"page":1}';
    const init = {method: 'POST', headers: {'Content-Type': 'application/json; charset=utf-8'}, body};
    const response = await request(`/micropayment/${collection}/search`, init);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      meta: {totalCount: 1, limit: 10, page: 1, pageCount: 1},
      [collection]: [{msisdn: '5551000002'}],
    });
  },
);

describe('criteria', () => {
  test.each<[string, Record<string, unknown>[], string[]]>([
    ['a mobile number', [{column: 'msisdn', term: '5551000002'}], ['2']],
    ['a status', [{column: 'status', term: 'active'}], ['3', '2']],
    ['a fee', [{column: 'subscriptionFee', term: '12.00'}], ['2', '1']],
    ['a minimum fee', [{column: 'subscriptionFee', term: '12.01', condition: '>='}], ['3']],
    ['a mobile operator of at most a value', [{column: 'operator', term: '2', condition: '<='}], ['2', '1']],
    ['a mobile operator above a value', [{column: 'operator', term: '2', condition: '>'}], ['3']],
    ['a mobile operator below a value', [{column: 'operator', term: '2', condition: '<'}], ['1']],
    [
      'three criteria',
      [
        {column: 'operator', term: '1', condition: '>='},
        {column: 'operator', term: '2', condition: '<='},
        {column: 'status', term: 'active'},
      ],
      ['2'],
    ],
    ['a number without subscriptions', [{column: 'msisdn', term: '5321234567'}], []],
    ['a maximum date in the past', [{column: 'modifiedDate', term: '2020-01-01', condition: '<='}], []],
    [
      'a minimum time in the past',
      [{column: 'modifiedDate', term: '2020-01-01T10:00:00', condition: '>='}],
      ['3', '2', '1'],
    ],
    [
      'a minimum time written with a space',
      [{column: 'subscriptionDate', term: '2020-01-01 10:00:00', condition: '>='}],
      ['3', '2', '1'],
    ],
  ])('a search for subscriptions can filter by %s', async (_, criteria, expected) => {
    expect(await findNumbers('subscriptions', {search: criteria})).toEqual(expected);
  });

  test('a search for subscriptions or transactions can filter by the id of a subscription', async () => {
    expect(await findNumbers('subscriptions', {search: [{column: 'id', term: String(ids[1])}]})).toEqual(['2']);
    expect(await findNumbers('transactions', {search: [{column: 'subscriptionId', term: String(ids[1])}]})).toEqual([
      '2',
    ]);
  });

  test('a search can find the subscriptions that changed since a given time', async () => {
    const [, , third] = await listCycles();
    const term = third?.subscribed_at.replace(' ', 'T') ?? '';
    expect(await findNumbers('subscriptions', {search: [{column: 'modifiedDate', term, condition: '>='}]})).toEqual([
      '3',
      '1',
    ]);
  });
});

describe('sorting', () => {
  test.each<[Record<string, unknown>[], string[]]>([
    [[{column: 'id', asc: true}], ['1', '2', '3']],
    [[{column: 'id', asc: false}], ['3', '2', '1']],
    [
      [
        {column: 'subscriptionFee', asc: false},
        {column: 'msisdn', asc: true},
      ],
      ['3', '1', '2'],
    ],
    [
      [
        {column: 'status', asc: true},
        {column: 'period', asc: false},
        {column: 'id', asc: false},
      ],
      ['2', '3', '1'],
    ],
  ])('a search for subscriptions can sort by %o', async (sort, expected) => {
    expect(await findNumbers('subscriptions', {sort})).toEqual(expected);
  });
});

describe('pages', () => {
  test('a page has the requested length, and a page beyond the end is empty', async () => {
    const first = await search('subscriptions', {limit: 2});
    expect(first.body['meta']).toEqual({totalCount: 3, limit: 2, page: 1, pageCount: 2});
    expect(await findNumbers('subscriptions', {limit: 2})).toEqual(['3', '2']);
    expect(await findNumbers('subscriptions', {limit: 2, page: 2})).toEqual(['1']);
    const past = await search('subscriptions', {limit: 2, page: 3});
    expect(past.httpStatus).toBe(200);
    expect(past.body).toMatchObject({meta: {totalCount: 3, limit: 2, page: 3, pageCount: 2}, subscriptions: []});
    expect(await findNumbers('subscriptions', {limit: 100, page: 1_000_000_000})).toEqual([]);
  });

  test('a search without results has no pages', async () => {
    const {body} = await search('messages', {search: [{column: 'msisdn', term: '5321234567'}]});
    expect(body).toMatchObject({meta: {totalCount: 0, limit: 10, page: 1, pageCount: 0}, messages: []});
  });
});

describe.each(['subscriptions', 'transactions', 'messages'])('a search for %s', (collection) => {
  const CRITERION = {column: 'msisdn', term: '5'};
  const SORT = {column: 'id', asc: true};

  test.each<[Record<string, unknown>, string]>([
    [{merchantId: 124}, 'merchantId'],
    [{merchantId: '123'}, 'merchantId'],
    [{serviceId: 2}, 'serviceId'],
    [{serviceId: undefined}, 'serviceId'],
    [{search: CRITERION}, 'search'],
    [{search: [CRITERION, CRITERION, CRITERION, CRITERION]}, 'search'],
    [{search: [{term: '5'}]}, 'search.0.column'],
    [{search: [{column: 'msisdn', term: 5}]}, 'search.0.term'],
    [{search: [{...CRITERION, condition: 'LIKE'}]}, 'search.0.condition'],
    [{search: [{column: '1; DROP TABLE messages', term: '5'}]}, 'search.0.column'],
    [{search: [{column: 'toString', term: '5'}]}, 'search.0.column'],
    [{search: [{column: 'id', term: 'x'}]}, 'search.0.term'],
    [{search: [{column: 'modifiedDate', term: '2026-02-30'}]}, 'search.0.term'],
    [{sort: [SORT, SORT, SORT, SORT]}, 'sort'],
    [{sort: [{column: 'nothing', asc: true}]}, 'sort.0.column'],
    [{sort: [{column: 'id', asc: 'yes'}]}, 'sort.0.asc'],
    [{limit: 101}, 'limit'],
    [{limit: 0}, 'limit'],
    [{limit: 1.5}, 'limit'],
    [{page: 0}, 'page'],
  ])(`a search for ${collection} with %o gets 400`, async (wrong, parameter) => {
    const {httpStatus, body} = await search(collection, wrong);
    expect(httpStatus).toBe(400);
    expect(body.response).toMatchObject({
      result: 'FAILED',
      resultCode: 'API_ERR_1001',
      resultDescription: `Invalid parameter, ${parameter}`,
    });
  });

  test.each([
    ['malformed JSON', 'application/json', '{'],
    ['a form', 'application/x-www-form-urlencoded', 'merchantId=123&serviceId=1'],
    ['null', 'application/json', 'null'],
  ])(`a search for ${collection} with a body of %s gets 400`, async (_, contentType, text) => {
    const init = {method: 'POST', headers: {'content-type': contentType}, body: text};
    const response = await request(`/micropayment/${collection}/search`, init);
    expect(response.status).toBe(400);
    const {response: envelope} = await response.json<MobileBody>();
    expect(envelope).toMatchObject({resultCode: 'API_ERR_1001', resultDescription: 'Invalid parameter, body'});
  });
});

describe('more records than fit on one page', () => {
  beforeEach(() => control('reset'));

  test('a merchant that reads page after page gets every record once', async () => {
    await control('limits', {limits: null});
    for (let number = 0; number < 25; number += 1)
      await subscribe({msisdn: `55510000${String(number).padStart(2, '0')}`});
    const pagedIds: number[] = [];
    for (const page of [1, 2, 3]) {
      const {body} = await search('subscriptions', {page, sort: [{column: 'id', asc: true}]});
      pagedIds.push(...(body['subscriptions'] as Item[]).map(({id}) => id));
    }
    expect(pagedIds).toEqual((await listCycles()).map(({subscription_id}) => subscription_id));
  });
});
