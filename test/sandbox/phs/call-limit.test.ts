import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {control, request} from '../support/platform.ts';

beforeEach(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: Date.parse('2026-11-21T10:00:20.000+03:00')});
  await control('reset');
});

afterEach(() => {
  vi.useRealTimers();
});

const call = () => request('/phs/bank/getAll');

test.for([
  [{}, 429, '40', '{"status":"429","message":"Too Many Requests"}'],
  [{phs_limit_reply: 'status', phs_retry_after: 'absent'}, 200, null, '{"status":"429","message":"Too Many Requests"}'],
  [
    {phs_limit_reply: 'html', phs_retry_after: 'date'},
    429,
    'Sat, 21 Nov 2026 07:01:00 GMT',
    '<html><h1>429 Too Many Requests</h1></html>',
  ],
] as const)('with the readings %o, the 21st call of a minute gets HTTP %i', async ([readings, http, delay, body]) => {
  await control('readings', {phs_limit: '20', ...readings});
  for (let count = 0; count < 20; count += 1) expect((await (await call()).json()) as object).toHaveProperty('banks');
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([http, delay, body]);
  vi.setSystemTime(Date.now() + 40_000);
  expect(await (await call()).text()).toContain('banks');
});
