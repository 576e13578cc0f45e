/** Tests that sweeps find money if the platform limits its calls, and leave calls to order codes. */

import {describe, expect, inject, test, vi} from 'vitest';
import {READINGS} from '../../../../sandbox/records/readings.ts';
import {searchesPerMinute} from '../../../../worker/objects/sweep/pace.ts';
import {searches, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {alarmIn, platformObject, replaceBindings, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, openOrder, openSession, type Shopper, showPayment} from '../../support/page.ts';
import {callPlatform, control, countCalls, pay} from '../../support/sandbox.ts';

freshWorker();

/** Runs the sweeps of a time while a page waits for its money. @returns how many searches they made. */
async function sweepFor(ms: number, {token}: Shopper): Promise<number> {
  const end = Date.now() + ms;
  let count = 0;
  await showPayment(token);
  for (let wait = await alarmIn(serviceObject()); wait !== null && Date.now() + wait < end;) {
    await advance(Math.max(0, wait));
    count += await searches();
    await showPayment(token);
    wait = await alarmIn(serviceObject());
  }
  await advance(end - Date.now());
  return count;
}

/** Asks for the code of an order, by default a new one. @returns the HTTP status and `Retry-After`. */
async function askForCode(token?: string): Promise<string> {
  token ??= (await openSession()).token;
  const {status, headers} = await askAsPage('POST', '/v1/order-code', {token});
  return `${status} ${headers.get('retry-after') ?? ''}`.trim();
}

/** What happened in each of these minutes: how many searches there were, and how a request for a code ended. */
async function observe(minutes: number, shopper: Shopper): Promise<{searches: number; code: string}[]> {
  const seen = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    // Most of the minute's searches come before the request.
    const before = await sweepFor(0.8 * MINUTE, shopper);
    const code = await askForCode();
    seen.push({searches: before + (await sweepFor(0.2 * MINUTE, shopper)), code});
  }
  return seen;
}

const REPLIES = READINGS.phs_limit_reply.map((reply, index) => [reply, READINGS.phs_retry_after[index] ?? ''] as const);

// `npm test` plays one reply; `platform-errors.test.ts` reads them all.
test.for(inject('scale') < 1 ? REPLIES.slice(-1) : REPLIES)(
  'if the platform refuses further calls of a minute (%s, Retry-After %s), sweeps slow down and find money',
  async ([reply, delay]) => {
    const shopper = await openOrder();
    await control('readings', {phs_limit: '20', phs_limit_reply: reply, phs_retry_after: delay});
    await observe(2, shopper);
    expect(logLines('sweep_limited')).not.toEqual([]);
    const trouble = {kind: 'calls_limited', interface: 'phs', operation: ''};
    await expect.poll(() => platformObject().notices()).toMatchObject({troubles: [trouble]});
    // The interval doubles at most once a minute.
    const seen = await observe(3, shopper);
    expect(seen.at(-1)?.code).toBe('200');
    await pay({order_code: shopper.code});
    await sweepFor(MINUTE, shopper);
    expect(await stateOf(shopper.token)).toBe('paid');
    expect(logLines('circuit_opened')).toEqual([]);
  },
);

test('with its limit as QUOTAS.phs_calls, the platform never refuses a call', async () => {
  const shopper = await openOrder();
  await replaceBindings(serviceObject(), {QUOTAS: {phs_calls: {minute: 20}}});
  await control('readings', {phs_limit: '20'});
  const seen = await observe(3, shopper);
  expect(seen.map(({code}) => code)).toEqual(seen.map(() => '200'));
  expect(logLines('sweep_limited')).toEqual([]);
  expect(Math.min(...seen.slice(1).map((minute) => minute.searches))).toBeGreaterThanOrEqual(6);
});

/** An order of another system, whose money sweeps have read. */
async function addKnown(order: string) {
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order, amount: '149.90'});
  await pay({order_code: String(code)});
  await runSweep();
  await advance(SECOND);
  await runSweep();
  return {order, code: String(code), registeredAt: Date.now(), closesAt: Date.now() + DAY};
}

test('what must be read again is read within two seconds, unless the calls of a minute are few', async () => {
  await openOrder();
  const [first, second] = [await addKnown('S-1'), await addKnown('S-2')];
  await serviceObject().trackOrder('DEMO', first);
  expect(await alarmIn(serviceObject())).toBeLessThanOrEqual(2 * SECOND);
  await runSweep();
  await replaceBindings(serviceObject(), {QUOTAS: {phs_calls: {minute: 4}}});
  await advance(SECOND);
  await runSweep();
  await serviceObject().trackOrder('DEMO', second);
  expect(await alarmIn(serviceObject())).toBeGreaterThanOrEqual(30 * SECOND);
});

test('after a refusal, pages learn the delay, nothing else is sent, and only the refused days stay unread', async () => {
  const {order, code} = await openOrder();
  const today = platformTime().slice(0, 10);
  const realFetch = globalThis.fetch;
  const refused: string[] = [];
  let isLimited = true;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const isOfToday = String(init?.body).includes(`startDate%5D=${today}`);
    if (!isLimited || isOfToday || !path.startsWith('/phs/')) return realFetch(input, init);
    refused.push(path);
    return Promise.resolve(new Response('<html>', {status: 429, headers: {'retry-after': '40'}}));
  });
  expect(await searches()).toBe(1);
  expect(await alarmIn(serviceObject())).toBe(5 * MINUTE);
  expect((await serviceObject().pollTimes()).transfers.asOf).toBe(Date.now());
  const hasSearched = (since: number) => serviceObject().hasSearched({order, code}, {transfers: since, charges: null});
  expect(await hasSearched(Date.now() - DAY)).toBe(false);
  const {token} = await openSession();
  expect(await askForCode(token)).toBe('429 40');
  expect(refused).toEqual(['/phs/transaction/search', '/phs/orderToReference/create']);
  isLimited = false;
  // The order was not created, so it is not looked up.
  expect(await askForCode(token)).toBe('200');
  expect(await countCalls('/orderToReference/check')).toBe(0);
  await runSweep();
  expect([await hasSearched(Date.now() - DAY), await hasSearched(Date.now() + 1)]).toEqual([true, false]);
});

describe('the budget of a minute', () => {
  test.for<[newOrders: number, sweeps: number, server: number]>([
    [0, 100, 50],
    [50, 100, 50],
    [80, 100, 20],
    [120, 80, 0],
    [150, 50, 0],
    [1_000, 20, 0],
  ])('with %i new orders of 200 calls, sweeps may make %i searches and the server %i', ([orders, sweeps, server]) => {
    expect(searchesPerMinute(200, orders)).toEqual({sweeps, server});
  });
});
