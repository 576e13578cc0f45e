/** Counts what a stranger's order costs: anybody can place one for an offer, and most strangers never come back. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {NewPaymentSession, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {advance, SECOND} from '../../support/clock.ts';
import {orderObject, renewToken} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, read} from '../../support/page.ts';
import {countStorage, type StorageCosts} from './storage-costs.ts';

freshWorker();

let attempts = 0;
const headersOf = (address: string) => ({'cf-connecting-ip': address});

async function place(address: string): Promise<string> {
  const body = {offer: 'gold', attempt: `attempt-${(attempts += 1)}-of-a-stranger`, shown_amount: '149.90'};
  return read(await askAsPage('POST', '/v1/order-code', {body, headers: headersOf(address)}), PlacedOrder).order;
}

/** Opens a session and requests its code, as a page with an older script does. */
async function placeInSession(address: string): Promise<string> {
  const headers = headersOf(address);
  const opened = await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers});
  const {token, order} = read(opened, NewPaymentSession, 201);
  expect((await askAsPage('POST', '/v1/order-code', {token, headers})).status).toBe(200);
  return order;
}

/** What a task writes, and in how many objects of its own. The sweep and the archive exist once for a service. */
async function costOf(task: () => Promise<unknown>): Promise<{rows: number; created: number; details: string}> {
  const costs: StorageCosts = await countStorage(task);
  const {Health: _health, ...byClass} = costs.byClass;
  return {
    rows: Object.values(byClass).reduce((sum, {rowsWritten}) => sum + rowsWritten, 0),
    created: Object.keys(byClass).filter((name) => ['Order', 'Guard'].includes(name)).length,
    details: JSON.stringify([byClass, costs.writes], null, 1),
  };
}

/** Nobody looks at the order: its alarm tells the sweep the code. */
async function forget(order: string): Promise<void> {
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
}

test.for([
  ['a new IPv4 network', '11.1.1.1', place, 6],
  ['a known IPv4 network', '10.1.2.3', place, 5],
  ['a new IPv6 network', '2001:db8:1:1::1', place, 7],
  ['a new IPv4 network, with a session', '11.2.1.1', placeInSession, 6],
] as const)(
  'an order from %s writes few rows, in an order and one guard, and six more when the sweep learns of it',
  async ([, address, order, expected]) => {
    await renewToken();
    // The first order creates what all orders of the service share.
    await forget(await place('10.1.1.1'));
    let placed = '';
    const {rows, created, details} = await costOf(async () => {
      placed = await order(address);
    });
    expect([rows, created], details).toEqual([expected, 2]);
    const later = await costOf(() => forget(placed));
    expect(later.rows, later.details).toBe(6);
  },
);
