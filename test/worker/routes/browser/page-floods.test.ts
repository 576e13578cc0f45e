/** Tests how many calls to objects a page causes if it sends the same request again and again. */

import {runInDurableObject} from 'cloudflare:test';
import {expect, test, vi} from 'vitest';
import {Handoff, RedeemedSession} from '../../../../worker/contract/browser/answers.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {
  alarmIn,
  countObjectCalls,
  orderObject,
  runSweep,
  storedIn,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket, requestSocket} from '../../support/page-socket.ts';
import {askAsPage, openOrder, read, showPayment} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';

freshWorker();

const MINUTES = 3;

async function poll(token: string, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 2) {
    vi.setSystemTime(Date.now() + 2 * SECOND);
    await showPayment(token);
  }
}

test('a page that polls every two seconds costs the sweep of its service at most two calls a minute', async () => {
  const {token} = await openOrder();
  const {'Service.reportView': reports = 0} = await countObjectCalls(() => poll(token, MINUTES * 60));
  expect(reports).toBeGreaterThan(0);
  expect(reports).toBeLessThanOrEqual(2 * MINUTES);
});

test('while a page polls, the sweep runs every three seconds', async () => {
  const {token} = await openOrder();
  for (let count = 0; count < 8; count += 1) {
    await poll(token, 14);
    await runSweep();
    expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
  }
});

test('if a page polls while its socket is open, it causes at most two calls a minute to the sweep', async () => {
  const {token} = await openOrder();
  const socket = await openSocket(token);
  const {'Service.reportView': reports = 0} = await countObjectCalls(() => poll(token, MINUTES * 60));
  expect(reports).toBeLessThanOrEqual(2 * MINUTES);
  socket.close();
});

test('the sweep counts viewers at most once a second, but a new page immediately makes sweeps frequent', async () => {
  const {order} = await openOrder();
  const sweep = serviceObject();
  await runSweep();
  expect(await alarmIn(sweep)).toBe(5 * MINUTE);
  const report = {order, until: Date.now() + 90 * SECOND, settled: false};
  const counts = await runInDurableObject(sweep, async (object, {storage}) => {
    const exec = vi.spyOn(storage.sql, 'exec');
    for (let count = 0; count < 50; count += 1) await object.reportView({...report, opened: count === 0});
    const queries = exec.mock.calls.filter(([query]) => query.includes('count(*)'));
    exec.mockRestore();
    return {queries: queries.length, reports: 50};
  });
  expect(counts.queries).toBeLessThanOrEqual(1);
  expect(await alarmIn(sweep)).toBe(3 * SECOND);
});

test('a page that requests hand-offs in a loop gets a new one every ten seconds, and each of them works', async () => {
  const {token, order} = await openOrder();
  const create = async () => read(await askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201).code;
  const codes = new Set(await Promise.all(Array.from({length: 5}, create)));
  codes.add(await create());
  expect(codes.size).toBe(1);
  expect(JSON.stringify(await storedIn(orderObject(order))).match(/"digest"/g)).toHaveLength(1);
  await advance(10 * SECOND);
  codes.add(await create());
  expect(codes.size).toBe(2);
  for (const code of codes)
    read(await askAsPage('POST', '/v1/handoffs/redeem', {body: {code, offer: 'gold'}}), RedeemedSession, 201);
});

test('after a hand-off was used, the page gets a new one immediately', async () => {
  const {token} = await openOrder();
  const create = async () => read(await askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201).code;
  const code = await create();
  read(await askAsPage('POST', '/v1/handoffs/redeem', {body: {code, offer: 'gold'}}), RedeemedSession, 201);
  expect(await create()).not.toBe(code);
});

test('an order accepts at most thirty new sockets a minute, and does not close open sockets', async () => {
  const {token} = await openOrder();
  const first = await openSocket(token);
  for (let count = 1; count < 30; count += 1) (await openSocket(token)).close();
  const refused = await requestSocket(`vezne.v1, ${token}`);
  expectProblem(refused, PROBLEMS.rate_limited);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await first.rest()).toMatchObject([{state: 'waiting'}]);
  await advance(MINUTE);
  const again = await openSocket(token);
  expect(await again.next()).toMatchObject({state: 'waiting'});
  for (const socket of [first, again]) socket.close();
});
