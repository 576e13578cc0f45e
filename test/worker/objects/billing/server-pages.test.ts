/** How payments are followed on a payment page that the merchant's server opened: the page's reference is the order. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatPlatformDay} from '../../../../worker/lib/time.ts';
import {deliverCharge} from '../../../../worker/objects/billing/charge-delivery.ts';
import {advance, DAY, HOUR, MINUTE, wireTime} from '../../support/clock.ts';
import {alarmIn, orderObject} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {replyWith} from '../../support/literal-replies.ts';
import {ask, askMerchant} from '../../support/page.ts';
import {setFault} from '../../support/sandbox.ts';
import {payOn} from '../../support/subscriber.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

/** How long the sandbox's payment page is open. */
const OPEN = HOUR / 2;
/** The number whose charges fail. */
const FAILING = '5550002004';

const MERCHANT = {authorization: 'Bearer sandbox-merchant-api-key'};

let reference = '';
/** The references of the test's pages. An order of the test before may still report an event. */
let references: string[] = [];
beforeEach(() => {
  references = [];
});
const name = (next: string) => {
  reference = next;
  references.push(next);
};
const serviceObject = () => contextOf(env).objects.service('DEMO');

async function openPage(price: string, more: object = {}): Promise<string> {
  const answer = await askMerchant('payment-pages', {
    service: 'DEMO',
    reference,
    item: 'Kitap',
    price,
    success_url: 'https://shop.example/ok',
    failure_url: 'https://shop.example/no',
    ...more,
  });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as {url: string}).url;
}

/** Advances the clock, and runs the alarms of mobile billing and of the order in this time. */
async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    const objects = [serviceObject(), orderObject(reference)] as const;
    const due = await Promise.all(objects.map(async (stub) => (await alarmIn(stub)) ?? Infinity));
    const next = Math.min(...due);
    if (Date.now() + next > end) break;
    await advance(Math.max(0, next));
    await runDurableObjectAlarm(objects[due.indexOf(next)] ?? serviceObject());
  }
  await advance(end - Date.now());
}

async function events(): Promise<unknown[]> {
  const {items} = await outboxObject().read(0);
  // At the sandbox, a payment without a trial is also a subscription that never renews.
  return items
    .filter(({type}) => !type.startsWith('subscription'))
    .map(({type, data}) => {
      const {order, reference: named, paid = null, late = null} = data as Record<string, unknown>;
      return [type, order ?? named, paid, late];
    })
    .filter(([, named]) => references.includes(String(named)));
}

/** The payment and its transactions, as the merchant's server reads them. */
async function readOrder() {
  const {body} = await ask(`/merchant/v1/orders?service=DEMO&order=${reference}`, {headers: MERCHANT});
  const {payment, order_code} = body as {
    payment: {state: string; transactions: {kind: string}[]};
    order_code: string | null;
  };
  const {transactions, ...amounts} = payment;
  return {...amounts, order_code, kinds: transactions.map(({kind}) => kind)};
}

async function begin(price = '30.00'): Promise<string> {
  name(`R-${crypto.randomUUID()}`);
  return openPage(price);
}

test('a charge pays an order that nobody made before', async () => {
  await payOn(await begin('30'));
  await pass(10 * MINUTE);
  expect(await events()).toEqual([['payment.received', reference, '30.00', false]]);
  expect(await readOrder()).toMatchObject({
    state: 'paid',
    amount: '30.00',
    paid: '30.00',
    order_code: null,
    kinds: ['charge'],
  });
});

test('after half an hour beyond the page’s end, the order expires; but not while charges cannot be read', async () => {
  await begin();
  expect(await readOrder()).toMatchObject({state: 'waiting', paid: '0.00'});
  await pass(OPEN + HOUR / 2);
  expect(await events()).toEqual([]);
  await pass(HOUR / 2);
  expect(await events()).toEqual([['payment.expired', reference, '0.00', false]]);
  expect((await readOrder()).state).toBe('expired');

  await begin();
  await setFault({operation: '/micropayment/transactions/search', kind: '500-html'});
  await pass(5 * HOUR);
  expect([await events(), (await readOrder()).state]).toMatchObject([{length: 1}, 'waiting']);
  await setFault({operation: '/micropayment/transactions/search', kind: 'clear'});
  await pass(2 * HOUR);
  expect(await events()).toMatchObject([{}, ['payment.expired', reference, '0.00', false]]);
});

/** The delays between the first times that the order asks whether its money was searched. */
async function delaysOfSearches(): Promise<(number | null)[]> {
  await advance(((await orderObject(reference).details())?.expiryDueAt ?? 0) - Date.now());
  const delays = [];
  for (let time = 0; time < 4; time += 1) {
    await runDurableObjectAlarm(orderObject(reference));
    delays.push(await alarmIn(orderObject(reference)));
    await advance(delays.at(-1) ?? 0);
  }
  return delays;
}

test('an order whose time to pay moves asks for a search as if it had not asked before', async () => {
  const delays = [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE];
  await begin();
  expect(await delaysOfSearches()).toEqual(delays);
  await openPage('30');
  expect(await delaysOfSearches()).toEqual(delays);
});

test('a charge that is booked after the page closed pays the order', async () => {
  const url = await begin();
  await pass(OPEN - MINUTE);
  await payOn(url);
  const search = '/micropayment/transactions/search';
  await setFault({operation: search, kind: '500-html'});
  await pass(HOUR / 2);
  await setFault({operation: search, kind: 'clear'});
  await pass(DAY);
  expect(await events()).toEqual([['payment.received', reference, '30.00', false]]);
});

test('a failed charge is an event with the reference, and the shopper may try again', async () => {
  const url = await begin();
  await payOn(url, FAILING);
  await pass(10 * MINUTE);
  expect(await events()).toEqual([['charge.changed', reference, null, null]]);
  await payOn(await openPage('30.00'));
  await pass(10 * MINUTE);
  expect((await events())[1]).toEqual(['payment.received', reference, '30.00', false]);
});

test('two charges with one reference are overpaid; a second page before a charge sets the amount', async () => {
  await begin('50.00');
  const [first, second] = [await openPage('30.00'), await openPage('30.00')];
  await payOn(first);
  await pass(10 * MINUTE);
  await payOn(second);
  await pass(10 * MINUTE);
  expect(await events()).toEqual([
    ['payment.received', reference, '30.00', false],
    ['payment.overpaid', reference, '60.00', false],
  ]);
  expect((await readOrder()).kinds).toEqual(['charge', 'charge']);
  const work = await ask('/merchant/v1/work?service=DEMO&kind=overpaid', {headers: MERCHANT});
  expect(work.body).toMatchObject({
    items: [{booking: {order: reference}, payment: {paid: '60.00', refundable: {amount: '0.00'}}}],
  });
});

test('the charge counts towards the order that the reference names', async () => {
  name(`R-${crypto.randomUUID()}`);
  const order = await askMerchant('order-codes', {service: 'DEMO', order: reference, amount: '149.90'});
  const {order_code} = order.body as {order_code: string};
  await payOn(await openPage('49.90'));
  await pass(10 * MINUTE);
  expect(await events()).toEqual([['payment.partial', reference, '49.90', false]]);
  expect(await readOrder()).toMatchObject({state: 'partial', amount: '149.90', remaining: '100.00', order_code});
});

test('a page with a trial takes no money, so it makes no order; the event of the subscription has the reference', async () => {
  name(`R-${crypto.randomUUID()}`);
  await payOn(await openPage('30.00', {trial_days: 7}));
  expect(await orderObject(reference).details()).toBeNull();
  await serviceObject().startSubscriptionSweep('DEMO');
  await pass(10 * MINUTE);
  const {items} = await outboxObject().read(0);
  expect(items).toMatchObject([{type: 'subscription.changed', data: {state: 'active', reference}}]);
});

test.each([
  ['deleted', false],
  ['deleted, and its reference used again,', true],
])('a charge that is refunded after its order was %s is in the books of its day, once', async (_what, isReused) => {
  await payOn(await begin());
  await pass(10 * MINUTE);
  await pass(9 * DAY);
  expect(await orderObject(reference).details()).toBeNull();
  const search = (query: string) =>
    ask(`/merchant/v1/bookings?service=DEMO&order=${reference}&${query}`, {headers: MERCHANT});
  const [{transaction_id: id}] = ((await search('type=money.arrived')).body as {items: [{transaction_id: string}]})
    .items;
  if (isReused) await openPage('40.00');
  expect((await askMerchant(`charges/DEMO/${id}/refund`, {})).status).toBe(200);
  if (isReused) expect(await readOrder()).toMatchObject({state: 'waiting', paid: '0.00', kinds: []});
  const refunds = async () => ((await search('type=refund.settled')).body as {items: unknown[]}).items;
  const row = {day: formatPlatformDay(Date.now()), method: 'charge', balance: '-30.00', state: null};
  expect(await refunds()).toMatchObject([row]);
  const charge = {id, amount: 3000, at: Date.now() - 9 * DAY, state: 'refunded'};
  await deliverCharge(contextOf(env).objects, 'DEMO', reference, charge);
  expect(await refunds()).toHaveLength(1);
});

/** A reply of mobile billing, written by hand from `docs/spec/subscriptions.md`, 2.1 to 2.5. */
const reply = (path: string, response: string, body = '') => ({path, text: `{"response": {${response}}${body}}`});
const SUCCESS = '"result": "SUCCESS", "resultCode": "0000", "resultDescription": "", "resultDetail": null';
const SEARCH = '/micropayment/transactions/search';

test('with replies written by hand, a charge is found although the search refuses the time of change with HTTP 200', async () => {
  name('R-7');
  const token = `, "tokenData": {"token": "f3b2c1", "redirectUrl": "https://pay.example/f3b2c1", "expiryDate": "${wireTime(Date.now() + OPEN)}"}`;
  const refused = '"result": "FAILED", "resultCode": "API_ERR_1001", "resultDescription": "Invalid parameter, column"';
  // The clock of the test advances the sandbox's, too.
  const clock = {path: '/_sandbox/clock', text: '{}'};
  replyWith([clock, reply('/pay/token', SUCCESS, token), reply(SEARCH, refused)]);
  await openPage('30.00');
  await pass(11 * MINUTE);
  const charge = `{"id": 90011223344557, "service": 1, "status": 3, "msisdn": "532*****67", "operator": 1, "amount": 30.0, "error": null,
    "errorDetail": null, "transactionDate": "${wireTime()}", "referenceCode": "R-7", "subscriptionId": null}`;
  const rows = `, "meta": {"totalCount": 1, "limit": 100, "page": 1, "pageCount": 1}, "transactions": [${charge}]`;
  replyWith([clock, reply(SEARCH, SUCCESS, rows)]);
  await pass(10 * MINUTE);
  expect(await events()).toEqual([['payment.received', 'R-7', '30.00', false]]);
});
