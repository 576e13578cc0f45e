import {runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {getBilling, search} from '../support/mobile-billing.ts';
import {control} from '../support/platform.ts';

const OPERATIONS: readonly [name: string, day: number, second: number, call: () => Promise<{httpStatus: number}>][] = [
  ['subscription/detail', 1000, 5, () => getBilling('/subscription/detail/123/1/7')],
  ['subscription/cancel', 1000, 5, () => getBilling('/subscription/cancel/123/1/7')],
  ['subscriptions/search', 1000, 1, () => search('subscriptions')],
  ['subscription/reset', 20, 5, () => getBilling('/subscription/cancel/123/1/5551234567')],
  ['transaction/detail', 1000, 5, () => getBilling('/transaction/detail/123/1/7')],
  ['transaction/refund', 20, 5, () => getBilling('/transaction/refund/123/1/7')],
  ['transactions/search', 1000, 1, () => search('transactions')],
  ['messages/search', 1000, 1, () => search('messages')],
];

/** 10:00 in UTC+3. The clock stands still unless a test advances it. */
const MORNING = Date.parse('2026-11-21T10:00:00.000+03:00');

beforeEach(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: MORNING});
  await control('reset');
});

afterEach(() => {
  vi.useRealTimers();
});

async function countAnswers(
  call: () => Promise<{httpStatus: number}>,
  times: number,
): Promise<{allowed: number; refused: number}> {
  const statuses = [];
  for (let index = 0; index < times; index += 1) statuses.push((await call()).httpStatus);
  const refused = statuses.filter((status) => status === 429).length;
  return {allowed: times - refused, refused};
}

describe.each(OPERATIONS)('%s', (name, day, second, call) => {
  test(`${name} allows ${second} calls a second`, async () => {
    expect(await countAnswers(call, second + 2)).toEqual({allowed: second, refused: 2});
    vi.setSystemTime(MORNING + 1000);
    expect(await countAnswers(call, second + 2)).toEqual({allowed: second, refused: 2});
  });

  test(`${name} allows ${day} calls a day, and the day ends at midnight in UTC+3`, async () => {
    await call();
    // The test writes the count to the table, because a thousand calls would take long.
    await runInDurableObject(exports.Platform.getByName('platform'), (_, {storage}) => {
      storage.sql.exec(`UPDATE usage SET used = ? WHERE operation = ? AND span = 'day'`, day - 1, name);
    });
    vi.setSystemTime(MORNING + 1000);
    expect(await countAnswers(call, 1)).toEqual({allowed: 1, refused: 0});
    vi.setSystemTime(Date.parse('2026-11-21T23:59:59.999+03:00'));
    expect(await countAnswers(call, 1)).toEqual({allowed: 0, refused: 1});
    vi.setSystemTime(Date.parse('2026-11-22T00:00:00.000+03:00'));
    expect(await countAnswers(call, 1)).toEqual({allowed: 1, refused: 0});
  });
});

test.each(OPERATIONS.filter(([, day]) => day === 20))(
  'the platform refuses the 21st call of %s in a day',
  async (_, day, second, call) => {
    for (let calls = 0; calls < day; calls += second) {
      expect(await countAnswers(call, second)).toEqual({allowed: second, refused: 0});
      vi.setSystemTime(Date.now() + 1000);
    }
    expect(await countAnswers(call, 1)).toEqual({allowed: 0, refused: 1});
  },
);

test('a call over the limit gets API_ERR_1029 and no result', async () => {
  await countAnswers(() => search('messages'), 1);
  expect(await search('messages')).toEqual({
    httpStatus: 429,
    body: {
      response: {
        result: 'FAILED',
        resultCode: 'API_ERR_1029',
        resultDescription: 'Usage limit exceeded',
        resultDetail: null,
        responsetime: '2026-11-21T10:00:00',
      },
    },
  });
});

test('the platform counts cancellations and resets separately, although they share a path', async () => {
  expect(await countAnswers(() => getBilling('/subscription/cancel/123/1/7'), 6)).toEqual({allowed: 5, refused: 1});
  expect(await countAnswers(() => getBilling('/subscription/cancel/123/1/5551234567'), 6)).toEqual({
    allowed: 5,
    refused: 1,
  });
});

describe('the sandbox control for limits', () => {
  test('the sandbox control can lift all limits and restore them', async () => {
    await control('limits', {limits: null});
    expect(await countAnswers(() => search('messages'), 5)).toEqual({allowed: 5, refused: 0});
    await control('limits', {limits: {}});
    expect(await countAnswers(() => search('messages'), 2)).toEqual({allowed: 0, refused: 2});
  });

  test.each([
    [{}],
    [{limits: 5}],
    [{limits: {'messages/search': {day: 1}}}],
    [{limits: {nothing: {day: 1, second: 1}}}],
  ])('the sandbox control refuses the limits in %o', async (body) => {
    const error = 'limits: must be null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}.';
    expect(await control('limits', body)).toEqual({httpStatus: 422, body: {error}});
  });
});
