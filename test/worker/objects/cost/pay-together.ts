/**
 * Simulates shoppers who order, wait and pay within a few minutes, and all later alarms until nothing of their orders
 * is stored.
 */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect} from 'vitest';
import {NewPaymentSession, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {
  alarmIn,
  isStored,
  listAddressed,
  namespacesExcept,
  orderObject,
  renewToken,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {openSocket} from '../../support/page-socket.ts';
import {askAsPage, read} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {deliver, receivedRequests} from '../../support/webhook-receiver.ts';

/** How long a page is open. */
const VISIT_MS = 3 * MINUTE;
/** The time from the arrival of a shopper's money until the shopper's page is closed. */
const SHOWN_PAID_MS = 21 * SECOND;
/** The time from one sweep to the next while a page awaits money. */
const SWEEP_EVERY_MS = 3 * SECOND;
/** A token that was just used is accepted for longer than this. */
const TOKEN_USED_MS = 10 * MINUTE;
/** The time from one shopper to the next. */
const NEXT_SHOPPER_MS = 18 * SECOND;

/** A shopper with an open page. */
interface Visit {
  readonly order: string;
  readonly code: string;
  readonly openedAt: number;
  readonly socket: Awaited<ReturnType<typeof openSocket>>;
}

/**
 * Lets shoppers pay. Each shopper has an IP address in another provider subnet, so that no guard of the address exists.
 * @param network - The first number of the IP addresses.
 */
export async function payTogether(shoppers: number, network: number, visitMs = VISIT_MS): Promise<void> {
  const start = Date.now();
  const [visits, unpaid] = [new Set<Visit>(), new Set<Visit>()];
  const orders: string[] = [];
  await renewToken();
  while (orders.length < shoppers || visits.size > 0) {
    if (orders.length < shoppers && Date.now() - start >= orders.length * NEXT_SHOPPER_MS) {
      const visit = await openPage(`${network}.${orders.length + 1}.0.7`);
      visits.add(visit);
      unpaid.add(visit);
      orders.push(visit.order);
    }
    await advance(SWEEP_EVERY_MS);
    const paid = [...unpaid].filter(({openedAt}) => Date.now() - openedAt >= visitMs - SHOWN_PAID_MS);
    for (const {code} of paid) await pay({order_code: code, sender: 'Ayşe Yılmaz'});
    if (((await alarmIn(serviceObject())) ?? 1) <= 0) await runSweep();
    for (const visit of paid) await receive(visit);
    for (const visit of paid) unpaid.delete(visit);
    for (const visit of visits) {
      if (Date.now() - visit.openedAt < visitMs) continue;
      visit.socket.close();
      visits.delete(visit);
    }
  }
  await runAllAlarms();
  // A later sweep deletes the orders and the transactions, because they are too old by then.
  await advance(20 * DAY);
  await renewToken();
  await runSweep();
  for (const order of orders) expect(await isStored(orderObject(order))).toBe(false);
}

async function openPage(address: string): Promise<Visit> {
  const headers = {'cf-connecting-ip': address};
  const session = await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers});
  const {token, order} = read(session, NewPaymentSession, 201);
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token, headers}), OrderCode);
  const socket = await openSocket(token);
  await socket.rest();
  return {order, code, openedAt: Date.now(), socket};
}

/** The page shows the payment, the order checks its status, and the webhook gets the event. */
async function receive({order, socket}: Visit): Promise<void> {
  expect((await socket.rest()).at(-1)).toMatchObject({state: 'paid'});
  await runDurableObjectAlarm(orderObject(order));
  const received = (await receivedRequests()).length;
  await deliver();
  expect(await receivedRequests()).toHaveLength(received + 1);
}

const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_object, {storage}) => storage.getAlarm());

/** Runs every alarm at its time, until no alarm is left. Leaves out the alarms of `Service` and `Archive`. */
async function runAllAlarms(): Promise<void> {
  const alarms = new Map<DurableObjectStub, number>();
  const plan = (stub: DurableObjectStub, at: number | null) => {
    if (at === null) alarms.delete(stub);
    else alarms.set(stub, at);
  };
  const namespaces = namespacesExcept('Service', 'Archive');
  // Waking objects takes most of the test's time, so all objects are woken in parallel.
  const planAll = async () => {
    const stubs = namespaces.flatMap((namespace) => listAddressed(namespace).map((id) => namespace.get(id)));
    const times = await Promise.all(stubs.map(alarmOf));
    for (const [index, stub] of stubs.entries()) plan(stub, times[index] ?? null);
    return alarms.size > 0;
  };
  let usedAt = 0;
  while (await planAll()) {
    // An alarm may plan an alarm of another object. The next round of the outer loop finds that alarm.
    while (alarms.size > 0) {
      const [[stub, at]] = [...alarms].toSorted(([, a], [, b]) => a - b) as [[DurableObjectStub, number]];
      await advance(Math.max(0, at - Date.now()));
      // Other payments of the merchant would renew the token. Here, the test renews it.
      if (Date.now() - usedAt >= TOKEN_USED_MS) await renewToken();
      usedAt = Date.now();
      await runDurableObjectAlarm(stub);
      plan(stub, await alarmOf(stub));
    }
  }
}
