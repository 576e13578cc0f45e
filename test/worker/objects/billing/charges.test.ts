/** How the Worker finds the charges that shoppers pay on the platform's payment page. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PaymentPage} from '../../../../worker/contract/browser/answers.ts';
import {ChargeStore} from '../../../../worker/objects/billing/charge-store.ts';
import type {ObjectStorage} from '../../../../worker/objects/object-storage.ts';
import type {Service} from '../../../../worker/objects/service/service.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {
  alarmIn,
  breakMethod,
  countObjectCalls,
  mendMethod,
  orderObject,
  repeatAlarm,
} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import {
  askAsPage,
  askMerchant,
  openMerchantSession,
  openSession,
  read,
  SELLER,
  showPayment,
  TITLE,
} from '../../support/page.ts';
import {calls, control, hold, setFault, untilHeld} from '../../support/sandbox.ts';
import {newNumber, payOn} from '../../support/subscriber.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

const SEARCH = '/micropayment/transactions/search';
const chargesObject = (): DurableObjectStub<Service> => contextOf(env).objects.service('DEMO');
/** Runs the next poll at its time. */
async function runAlarm(): Promise<void> {
  await advance(Math.max(0, (await alarmIn(chargesObject())) ?? 0));
  await runDurableObjectAlarm(chargesObject());
}
const outboxEvents = async () => (await outboxObject().read(0)).items.map(({type, data}) => ({type, data}));
const searches = async () => (await calls()).filter(({path}) => path === SEARCH).length;

interface Visitor {
  readonly token: string;
  readonly order: string;
  /** URL of the payment page. */
  readonly url: string;
}

/** Opens the payment page, by default in a new session. */
async function goToPage(session?: {token: string; order: string}, body: object = {}): Promise<Visitor> {
  const {token, order} = session ?? (await openSession());
  return {token, order, url: read(await askAsPage('POST', '/v1/payment-pages', {token, body}), PaymentPage).url};
}

async function chargeOf(order: string): Promise<string> {
  const {transactions} = await contextOf(env).platform.call('chargeSearch', {
    serviceId: '1',
    search: [{column: 'referenceCode', term: order}],
    sort: [],
  });
  return transactions.rows[0]?.id ?? '';
}

const paid = (order: string, id: string, at = wireTime()) => ({
  order,
  order_code: null,
  seller: SELLER,
  title: TITLE,
  state: 'paid',
  amount: '149.90',
  currency: 'TRY',
  paid: '149.90',
  refunded: '0.00',
  refunding: '0.00',
  remaining: '0.00',
  late: false,
  overdue: false,
  unclear: false,
  notice: null,
  transactions: [{id, amount: '149.90', currency: 'TRY', bank: null, at}],
  handed_over_at: null,
  revision: expect.any(Number) as number,
  as_of: wireTime(),
});

/** Counts the deliveries to orders in this many passes. */
async function deliveries(passes: number): Promise<number> {
  const counts = await countObjectCalls(async () => {
    for (let pass = 0; pass < passes; pass += 1) await runAlarm();
  });
  return counts['Order.receiveCharge'] ?? 0;
}

test('a charge is handed to its order once for each status', async () => {
  const {order, url} = await goToPage();
  await payOn(url);
  const id = await chargeOf(order);
  expect(await deliveries(3)).toBe(1);
  await control(`charges/${id}/status`, {status: 7});
  await evictDurableObject(chargesObject());
  expect(await deliveries(3)).toBe(1);
});

test('a payment on the payment page is shown and reported as soon as mobile billing lists it', async () => {
  const {token, order, url} = await goToPage();
  expect((await showPayment(token)).state).toBe('waiting');
  const socket = await openSocket(token);
  await payOn(url);
  expect((await showPayment(token)).state).toBe('waiting');
  await runAlarm();
  const id = await chargeOf(order);
  const shown = await showPayment(token);
  // The sandbox's clock goes on during the test.
  const at = shown.transactions[0]?.at ?? '';
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(MINUTE);
  expect(shown).toEqual(paid(order, id, at));
  expect((await socket.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
  socket.close();
  const event = {
    type: 'payment.received',
    data: {
      service: 'DEMO',
      order,
      order_code: null,
      offer: 'gold',
      user_id: null,
      title: TITLE,
      metadata: {},
      state: 'paid',
      amount: '149.90',
      paid: '149.90',
      refunded: '0.00',
      remaining: '0.00',
      currency: 'TRY',
      late: false,
      refundable: {amount: '0.00', reason: null, left: '0.00'},
      transactions: [{id, amount: '149.90', currency: 'TRY', bank_name: null, at, time_unknown: false}],
    },
  };
  expect(await outboxEvents()).toEqual([event]);
  // After an eviction the object reads the charge again and delivers it again. The order ignores the second delivery.
  await evictDurableObject(chargesObject());
  await advance(10 * SECOND);
  await runAlarm();
  expect(await outboxEvents()).toEqual([event]);
});

test('an order that is paid on the payment page and by transfer is overpaid', async () => {
  const {token, url} = await goToPage();
  const {order_code} = (await askAsPage('POST', '/v1/order-code', {token})).body as {order_code: string};
  await payOn(url);
  await runAlarm();
  await control('transfers', {order_code, bank: 'garanti', amount: '149.90'});
  await runDurableObjectAlarm(contextOf(env).objects.service('DEMO'));
  expect(await showPayment(token)).toMatchObject({
    state: 'overpaid',
    paid: '299.80',
    transactions: [{bank: null}, {bank: 'Garanti BBVA'}],
  });
});

test('if a shopper pays on two payment pages of one order, the order is overpaid and an event reports it', async () => {
  const first = await goToPage();
  const second = await goToPage(first, {anew: true});
  await payOn(first.url);
  await runAlarm();
  await payOn(second.url);
  await advance(SECOND);
  await runAlarm();
  expect(await showPayment(first.token)).toMatchObject({
    state: 'overpaid',
    amount: '149.90',
    paid: '299.80',
    refunded: '0.00',
    refunding: '0.00',
    remaining: '0.00',
  });
  expect((await outboxEvents()).map(({type, data}) => [type, (data as {paid: string}).paid])).toEqual([
    ['payment.received', '149.90'],
    ['payment.overpaid', '299.80'],
  ]);
});

test('if part of an order was paid by transfer, the payment page asks for the rest', async () => {
  const {token, order} = await openSession();
  const {order_code} = (await askAsPage('POST', '/v1/order-code', {token})).body as {order_code: string};
  await showPayment(token);
  await control('transfers', {order_code, bank: 'garanti', amount: '100.00'});
  await runDurableObjectAlarm(contextOf(env).objects.service('DEMO'));
  await payOn((await goToPage({token, order})).url);
  await runAlarm();
  expect(await showPayment(token)).toMatchObject({
    state: 'paid',
    paid: '149.90',
    transactions: [
      {amount: '100.00', bank: 'Garanti BBVA'},
      {amount: '49.90', bank: null},
    ],
  });
});

test('each failed charge is an event, and a charge that is reversed later is also reported as withdrawn', async () => {
  const {token, order, url} = await goToPage();
  await payOn(url);
  const id = await chargeOf(order);
  const becomes = async (status: number) => {
    await advance(SECOND);
    await control(`charges/${id}/status`, {status});
    await runAlarm();
    return (await showPayment(token)).state;
  };
  expect([await becomes(1), await becomes(4)]).toEqual(['waiting', 'waiting']);
  expect([await becomes(3), await becomes(-18)]).toEqual(['paid', 'waiting']);
  const events = (await outboxEvents()).map(({type, data}) => [type, 'state' in data && data.state]);
  expect(events.toSorted()).toEqual([
    ['charge.changed', 'cancelled'],
    ['charge.changed', 'failed'],
    ['payment.received', 'paid'],
    ['payment.withdrawn', 'waiting'],
  ]);
});

test('a charge that the merchant’s server refunds is shown as refunded', async () => {
  const order = `S-${crypto.randomUUID()}`;
  const session = await openMerchantSession({kind: 'payment', service: 'DEMO', order, amount: '149.90'});
  const {token, url} = await goToPage({...session, order});
  await payOn(url);
  await runAlarm();
  const id = await chargeOf(order);
  await advance(2 * HOUR);
  const answer = await askMerchant(`charges/DEMO/${id}/refund`);
  expect(answer.status, answer.text).toBe(200);
  expect(await showPayment(token)).toMatchObject({state: 'refunded', paid: '0.00'});
});

test('after a notification of mobile billing, the order gets the charge before the next poll', async () => {
  const {token, order, url} = await goToPage();
  await payOn(url);
  await chargesObject().receiveHints('DEMO', 'charge', [await chargeOf(order)]);
  expect((await showPayment(token)).state).toBe('paid');
});

describe('polling', () => {
  test('while shoppers wait, one search every 3 seconds serves all payment pages, until the pages close', async () => {
    const visitors = await Promise.all([goToPage(), goToPage(), goToPage()]);
    expect(await alarmIn(chargesObject())).toBe(0);
    await runAlarm();
    expect(await alarmIn(chargesObject())).toBe(5 * MINUTE);
    await Promise.all(visitors.map(({url}) => payOn(url)));
    for (const {token} of visitors) await showPayment(token);
    expect(await alarmIn(chargesObject())).toBe(3 * SECOND);
    await runAlarm();
    for (const {token} of visitors) expect((await showPayment(token)).state).toBe('paid');
    expect(await searches()).toBe(2);
    expect(await alarmIn(chargesObject())).toBe(5 * MINUTE);
    await advance(61 * MINUTE);
    await runAlarm();
    // Nothing is left to search. The alarm deletes the statuses of the charges after 400 days.
    expect(await searches()).toBe(3);
    expect(await alarmIn(chargesObject())).toBeGreaterThan(399 * DAY);
  });

  test('a long list is read one page per poll', async () => {
    const {token, url} = await goToPage();
    await Promise.all(Array.from({length: 120}, () => control('subscriptions', {msisdn: newNumber()})));
    await payOn(url);
    await runAlarm();
    expect((await showPayment(token)).state).toBe('waiting');
    await runAlarm();
    expect((await showPayment(token)).state).toBe('paid');
  });

  test('if polls fail until the payment page has closed, a later poll finds what was paid in the meantime', async () => {
    const {token, url} = await goToPage();
    await showPayment(token);
    await setFault({operation: SEARCH, kind: '500-html'});
    await payOn(url);
    await runAlarm();
    expect(await alarmIn(chargesObject())).toBeGreaterThan(3 * SECOND);
    await setFault({operation: SEARCH, kind: 'clear'});
    await advance(3 * HOUR);
    await runAlarm();
    expect((await showPayment(token)).state).toBe('paid');
  });

  test('the fewer searches are left for polling, the longer the interval; when more are left again, it becomes shorter', async () => {
    const {token} = await goToPage();
    await showPayment(token);
    const after = async (spent: number) => {
      await runInDurableObject(chargesObject(), (object) => {
        const store = new ChargeStore((object as unknown as {storage: ObjectStorage}).storage);
        for (let search = 0; search < spent; search += 1) store.countSearch(Date.now());
      });
      await runAlarm();
      await runAlarm();
      return alarmIn(chargesObject());
    };
    expect([await after(0), await after(50), await after(45)]).toEqual([3 * SECOND, 10 * SECOND, 5 * MINUTE]);
    await advance(12 * MINUTE);
    await showPayment(token);
    await runAlarm();
    expect(await alarmIn(chargesObject())).toBe(10 * SECOND);
  });
});

test('if no payment page could be opened, nothing is polled', async () => {
  const {token} = await openSession();
  await setFault({operation: '/pay/token', kind: '500-html', times: 1});
  expect((await askAsPage('POST', '/v1/payment-pages', {token})).status).toBe(503);
  expect(await alarmIn(chargesObject())).toBeNull();
});

test('the start of a search is stored before it is sent, so an interrupted search is not repeated immediately', async () => {
  await goToPage();
  await hold(SEARCH);
  const interrupted = runAlarm().catch(() => undefined);
  await untilHeld();
  await abortAllDurableObjects();
  await interrupted;
  await setFault({operation: SEARCH, kind: 'clear'});
  const before = await searches();
  await repeatAlarm(chargesObject());
  expect(await searches()).toBe(before);
  expect(await alarmIn(chargesObject())).toBeGreaterThanOrEqual(3 * SECOND);
});

test('an order that cannot be reached gets its charge later, and the charges of other orders do not wait', async () => {
  const [broken, other] = [await goToPage(), await goToPage()];
  for (const {url} of [broken, other]) await payOn(url);
  const object = orderObject(broken.order);
  await breakMethod(object, 'receiveCharge');
  await runAlarm();
  expect((await showPayment(other.token)).state).toBe('paid');
  expect(await chargesObject().countUndelivered()).toBe(1);
  const searched = {transfers: null, charges: Date.now()};
  expect(await chargesObject().hasSearched({order: broken.order, code: null}, searched)).toBe(false);
  expect(await chargesObject().hasSearched({order: other.order, code: null}, searched)).toBe(true);
  await advance(2 * HOUR);
  await runAlarm();
  await mendMethod(object, 'receiveCharge');
  await advance(2 * HOUR);
  await runAlarm();
  expect((await showPayment(broken.token)).transactions).toMatchObject([{amount: '149.90'}]);
  expect(await chargesObject().countUndelivered()).toBe(0);
});
