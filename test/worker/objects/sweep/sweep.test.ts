/** How a sweep hands transactions to their orders. */

import {expect, inject, test, vi} from 'vitest';
import {
  addTransactions,
  clearMatches,
  searchFarDays,
  inBatches,
  openOrders,
  SEARCH,
  searches,
  stateOf,
} from '../../support/busy-service.ts';
import {advance, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, deleteMoney, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {callPlatform, pay} from '../../support/sandbox.ts';

freshWorker();

const PAGES = Math.ceil(500 * inject('scale'));

const TRANSACTIONS = Math.ceil(5_000 * inject('scale'));

test(
  `after the first sweep, three searches per sweep find the money of ${PAGES} pages among ${TRANSACTIONS} transactions`,
  {timeout: 600_000},
  async () => {
    const orders = await openOrders(PAGES);
    await addTransactions(TRANSACTIONS - PAGES);
    // The first sweep searches today, the rest of today's list, a near day and a far day.
    expect(await searches()).toBe(4);
    await searchFarDays();
    for (let count = 0; count < 2; count += 1) {
      await advance(3 * SECOND);
      expect(await searches()).toBe(2);
    }
    await inBatches(PAGES, (index) => pay({order_code: orders[index]?.code ?? ''}));
    for (let count = 0; count < 2; count += 1) {
      await advance(3 * SECOND);
      expect(await searches()).toBeLessThanOrEqual(3);
    }
    const states = await Promise.all(
      orders.map(({order}) => orderObject(order).payment({service: 'DEMO', order, amount: 14990, hours: 72})),
    );
    expect(states.filter(({state, transactions}) => state === 'paid' && transactions.length === 1)).toHaveLength(PAGES);
    expect(logLines('sweep').reduce((sum, line) => sum + Number(line['rows']), 0)).toBe(TRANSACTIONS);
  },
);

test('reading the same list again changes nothing', async () => {
  const {token, code} = await openOrder();
  await pay({order_code: code, amount: '50.00'});
  await runSweep();
  const once = await showPayment(token);
  for (let count = 0; count < 3; count += 1) await runSweep();
  expect(await showPayment(token)).toEqual(once);
  expect(logLines('sweep').map((line) => line['rows'])).toEqual([1, 0, 0, 0]);
});

test('if money arrives while no page views the order, it is found when a page views the order again', async () => {
  const {token, code} = await openOrder();
  await runSweep();
  await advance(HOUR);
  await pay({order_code: code});
  await advance(HOUR);
  expect(await alarmIn(serviceObject())).toBeLessThanOrEqual(5 * MINUTE - 2 * HOUR);
  await showPayment(token);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});

test('money that arrived before the Worker knew its order is found', async () => {
  const {token} = await openOrder();
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order: 'S-1', amount: '149.90'});
  await pay({order_code: String(code)});
  await runSweep();
  const [opened] = await openOrders(1, 1, 'gold');
  const order = opened?.order ?? '';
  expect(opened?.code).toBe(code);
  await runSweep();
  expect(await orderObject(order).payment({service: 'DEMO', order, amount: 14990, hours: 72})).toMatchObject({
    state: 'paid',
  });
  expect(await stateOf(token)).toBe('waiting');
});

test('money that the platform matches to its order late is found by the next sweep', async () => {
  const {token, code, order} = await openOrder();
  const id = await pay({order_code: code});
  await runSweep();
  await clearMatches();
  await deleteMoney(order);
  expect(await stateOf(token)).toBe('waiting');
  await runSweep();
  expect((await showPayment(token)).transactions).toMatchObject([{id}]);
});

test('money that is read again, because its match changed, is counted once', async () => {
  const {token, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  await clearMatches();
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90', transactions: [{}]});
});

/** Adds a transaction without an id at the start of the platform's list, and counts it in the list's total. */
function addUnreadableRow() {
  const realFetch = globalThis.fetch;
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await realFetch(input, init);
    if (!String(input).endsWith(SEARCH)) return response;
    const list = (await response.json()) as {recordsFiltered: number; data: unknown[]};
    const {start} = Object.fromEntries(new URLSearchParams(String(init?.body)));
    return Response.json({
      ...list,
      recordsFiltered: list.recordsFiltered + 1,
      data: [...(start === '0' ? [{amount: '1.00'}] : []), ...list.data],
    });
  });
}

test('an unreadable row does not hide other money, and is logged once an hour', async () => {
  addUnreadableRow();
  const {token, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
  await runSweep();
  await advance(HOUR);
  await runSweep();
  const expected = {level: 'error', event: 'rows_unreadable', operation: 'transactionSearch', service: 'DEMO', rows: 1};
  expect(logLines('rows_unreadable')).toMatchObject([expected, expected]);
  expect(logLines('sweep_failed')).toEqual([]);
  expect(logLines('sweep').map((line) => line['rows'])).toEqual([1, 0, 0]);
});
