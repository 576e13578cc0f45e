import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {ask, search} from '../support/mobile-billing.ts';
import {control} from '../support/platform.ts';

const OPERATIONS: readonly [name: string, day: number, second: number, call: () => Promise<{httpStatus: number}>][] = [
  ['subscription/detail', 1000, 5, () => ask('/subscription/detail/123/1/7')],
  ['subscription/cancel', 1000, 5, () => ask('/subscription/cancel/123/1/7')],
  ['subscriptions/search', 1000, 1, () => search('subscriptions')],
  ['subscription/reset', 20, 5, () => ask('/subscription/cancel/123/1/5551234567')],
  ['transaction/detail', 1000, 5, () => ask('/transaction/detail/123/1/7')],
  ['transaction/refund', 20, 5, () => ask('/transaction/refund/123/1/7')],
  ['transactions/search', 1000, 1, () => search('transactions')],
  ['messages/search', 1000, 1, () => search('messages')],
];

/** Ten in the morning at UTC+3; time stands still unless a test moves it. */
const MORNING = Date.parse('2026-11-21T10:00:00.000+03:00');

beforeEach(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: MORNING});
  await control('reset');
});

afterEach(() => {
  vi.useRealTimers();
});

async function count(
  call: () => Promise<{httpStatus: number}>,
  times: number,
): Promise<{allowed: number; refused: number}> {
  const statuses = [];
  for (let made = 0; made < times; made += 1) statuses.push((await call()).httpStatus);
  const refused = statuses.filter((status) => status === 429).length;
  return {allowed: times - refused, refused};
}

describe.each(OPERATIONS)('%s', (name, day, second, call) => {
  test(`may be asked ${second} times a second`, async () => {
    expect(await count(call, second + 2)).toEqual({allowed: second, refused: 2});
    vi.setSystemTime(MORNING + 1000);
    expect(await count(call, second + 2)).toEqual({allowed: second, refused: 2});
  });

  test(`may be asked ${day} times a day, which ends at midnight of UTC+3`, async () => {
    await call();
    // A thousand calls would take long.
    await runInDurableObject(env.PLATFORM.getByName('platform'), (_, {storage}) => {
      storage.sql.exec(`UPDATE usage SET used = ? WHERE operation = ? AND span = 'day'`, day - 1, name);
    });
    vi.setSystemTime(MORNING + 1000);
    expect(await count(call, 1)).toEqual({allowed: 1, refused: 0});
    vi.setSystemTime(Date.parse('2026-11-21T23:59:59.999+03:00'));
    expect(await count(call, 1)).toEqual({allowed: 0, refused: 1});
    vi.setSystemTime(Date.parse('2026-11-22T00:00:00.000+03:00'));
    expect(await count(call, 1)).toEqual({allowed: 1, refused: 0});
  });
});

test.each(OPERATIONS.filter(([, day]) => day === 20))(
  '%s is refused the 21st time in a day',
  async (_, day, second, call) => {
    for (let made = 0; made < day; made += second) {
      expect(await count(call, second)).toEqual({allowed: second, refused: 0});
      vi.setSystemTime(Date.now() + 1000);
    }
    expect(await count(call, 1)).toEqual({allowed: 0, refused: 1});
  },
);

test('what is over the limit is told as such, is not carried out and does not count', async () => {
  await count(() => search('messages'), 1);
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

test('cancelling and resetting are counted apart, though their paths are alike', async () => {
  expect(await count(() => ask('/subscription/cancel/123/1/7'), 6)).toEqual({allowed: 5, refused: 1});
  expect(await count(() => ask('/subscription/cancel/123/1/5551234567'), 6)).toEqual({allowed: 5, refused: 1});
});

describe('the control', () => {
  test('lifts all limits, and lets them hold again', async () => {
    await control('limits', {limits: null});
    expect(await count(() => search('messages'), 5)).toEqual({allowed: 5, refused: 0});
    await control('limits', {limits: {}});
    expect(await count(() => search('messages'), 2)).toEqual({allowed: 0, refused: 2});
  });

  test('changes one and leaves the others', async () => {
    await control('limits', {limits: {'messages/search': {day: null, second: 2}}});
    expect(await count(() => search('messages'), 3)).toEqual({allowed: 2, refused: 1});
    expect(await count(() => search('transactions'), 3)).toEqual({allowed: 1, refused: 2});
  });

  test.each([
    [{}],
    [{limits: 5}],
    [{limits: {'messages/search': {day: 1}}}],
    [{limits: {nothing: {day: 1, second: 1}}}],
  ])('refuses %o', async (body) => {
    const error = 'limits: is null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}.';
    expect(await control('limits', body)).toEqual({httpStatus: 422, body: {error}});
  });
});
