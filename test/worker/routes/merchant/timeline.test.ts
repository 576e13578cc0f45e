/** Tests what the timeline of an order tells the merchant's support, and that a forgotten person is nowhere. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {breakOrder, everythingStored, isStored, orderObject, runSweep} from '../../support/durable-objects.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, ORIGIN} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {
  breakOutbox,
  deliver,
  freshReceiver,
  receivedRequests,
  receiverUrl,
  repairOutbox,
  setReceiver,
} from '../../support/webhook-receiver.ts';
import {call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {contact, injectFault, liftPlatformLimits, service} from './support/refundable-orders.ts';

freshReceiver();
liftPlatformLimits();

const CREATE = '/orderToReference/create';
const timeline = (order: string) => read('showTimeline', {service, order});
const told = async (order: string) =>
  (await timeline(order)).items.map(({what, by, key, reason}) => [what, by, key, reason].filter(Boolean).join(' '));
const next = async (order: string) => (await timeline(order)).next.map(({what}) => what).toSorted();

async function createOrder(more: object = {}): Promise<{order: string; code: string}> {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount: '100.00', ...more});
  return {order, code};
}

/** An order with money. */
async function orderWith(amount: string, more: object = {}) {
  const {order, code} = await createOrder(more);
  await pay({order_code: code, amount, sender: 'Deniz Örnek'});
  await runSweep();
  await expect.poll(() => told(order)).toContain('money.arrived shopper');
  return {order, code};
}

/** An order of a session that the merchant's server opened. */
async function sessionOrder() {
  const order = newOrder();
  const {token} = await read('createSession', {kind: 'payment', origin: ORIGIN, service, order, amount: '100.00'});
  return {order, ask: async (path: string, body = {}) => (await askAsPage('POST', path, {token, body})).status};
}

test('who placed an order and asked for its code are the merchant’s server with its key, or a shopper', async () => {
  const {id, key} = await read('createKey', {name: 'shop', scopes: ['sessions', 'money', 'read']});
  const order = newOrder();
  await read('createOrderCode', {service, order, amount: '100.00'}, {headers: {authorization: `Bearer ${key}`}});
  await expect.poll(() => told(order)).toEqual([`order.placed merchant ${id}`, `code.created merchant ${id}`]);
  const page = await sessionOrder();
  await page.ask('/v1/order-code');
  await expect.poll(() => told(page.order)).toEqual(['order.placed merchant root', 'code.created shopper']);
  const attempt = crypto.randomUUID();
  const placed = await askAsPage('POST', '/v1/order-code', {
    body: {offer: 'gold', attempt, shown_amount: '149.90', bank: 'garanti'},
  });
  const own = (placed.body as {order: string}).order;
  await pay({order_code: (placed.body as {order_code: string}).order_code});
  await runDurableObjectAlarm(orderObject(own));
  await runSweep();
  await expect.poll(() => told(own)).toContain('order.placed shopper');
  expect(await told(own)).toContain('code.created shopper');
});

test('a payment notice is found by its code, also after its order was deleted', async () => {
  const {order} = await createOrder();
  const asked = {service, order, amount: '75.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  const {notice_code: id} = await read('createPaymentNotice', asked);
  const found = async () => (await read('searchBookings', {service, id})).items;
  await expect
    .poll(found)
    .toMatchObject([{type: 'notice.created', order, amount: '75.00', balance: '0.00', notice_code: id}]);
  const {items} = await read('showTimeline', {service, order});
  expect(items).toContainEqual(expect.objectContaining({what: 'notice.created', by: 'merchant', name: 'garanti', id}));
  await advance(20 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  expect(await found()).toHaveLength(1);
  expect(await told(order)).toContain('notice.created merchant root');
});

test('an order tells who cancelled it and changed its amount, also after it was deleted', async () => {
  const {order} = await createOrder();
  await read('updateOrderCode', {service, order, amount: '90.00'});
  await read('cancelOrder', {service, order});
  await expect.poll(() => told(order)).toContain('order.changed merchant root');
  expect(await told(order)).toContain('code.changed merchant root');
  const before = await told(order);
  await advance(8 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  expect(await told(order)).toEqual(before);
  expect(await next(order)).toEqual([]);
});

test('the key that places an order again under the reference of a deleted one did not place the deleted one', async () => {
  const {id, key} = await read('createKey', {name: 'shop', scopes: ['sessions']});
  const {order} = await createOrder();
  await read('cancelOrder', {service, order});
  await advance(8 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  const page = {item: 'Kitap', price: '20.00', success_url: `${ORIGIN}/ok`, failure_url: `${ORIGIN}/no`};
  await read('createPaymentPage', {service, reference: order, ...page}, {headers: {authorization: `Bearer ${key}`}});
  await expect
    .poll(async () => (await told(order)).filter((each) => each.startsWith('order.')))
    .toEqual(['order.placed merchant root', 'order.changed merchant root', `order.placed merchant ${id}`]);
});

test('nobody is told as the actor of what somebody else did', async () => {
  const {id, key} = await read('createKey', {name: 'shop', scopes: ['money']});
  const asShop = {headers: {authorization: `Bearer ${key}`}};
  const {order} = await orderWith('90.00');
  const {id: link} = await read('createRefundLink', {service, order, amount: '10.00'});
  await read('updateOrderCode', {service, order, amount: '90.00'}, asShop);
  await expect.poll(() => told(order)).toContain(`order.changed merchant ${id}`);
  await injectFault('/transaction/order-complete', 'status', {status: 'ERR_099', times: 1});
  expect((await call('completeOrder', {service, order}, asShop)).status).toBeGreaterThan(400);
  await read('completeOrder', {service, order});
  await expect.poll(() => told(order)).toContain('order.changed merchant root');
  await runInDurableObject(contextOf(env).objects.refunds(), (_, {storage: {sql}}) => {
    sql.exec('UPDATE refund_links SET attempt = 1000, withdrawn_at = created_at WHERE id = ?', link);
  });
  expect(await told(order)).toContain('refund_link.withdrawn worker');
});

test('a code that the platform refused is told with its reason for a week, although there is no order', async () => {
  const order = newOrder();
  await injectFault(CREATE, 'status', {status: 'ERR_021', times: 1});
  const answer = await call('createOrderCode', {service, order, amount: '100.00', user_id: 'u-1'});
  expectProblem(answer, 'amount_invalid', {platform: expect.anything() as never});
  expect(await told(order)).toEqual(['code.failed merchant root amount_invalid']);
  expect(await next(order)).toEqual([]);
  expectProblem(await call('getOrder', {service, order}), 'unknown_order');
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  expectProblem(await call('showTimeline', {service, order}), 'unknown_order');
});

test('failed calls and opened pages are told with actor and reason, the last ten, and none twice in a minute', async () => {
  const {order, ask} = await sessionOrder();
  await injectFault(CREATE, 'status', {status: 'ERR_005', times: 2});
  expect([await ask('/v1/order-code'), await ask('/v1/order-code')]).toEqual([502, 502]);
  expect(await told(order)).toEqual(['code.failed shopper unknown_service']);
  expect(await ask('/v1/hosted-payment')).toBe(200);
  expect(await ask('/v1/payment-pages')).toBe(200);
  await expect
    .poll(() => told(order))
    .toEqual([
      'order.placed merchant root',
      'code.created shopper',
      'code.failed shopper unknown_service',
      'bank_page.opened shopper',
      'payment_page.opened shopper',
    ]);
  for (let number = 0; number < 9; number += 1) {
    await advance(MINUTE);
    await ask('/v1/hosted-payment');
  }
  expect(await told(order)).toEqual([
    'order.placed merchant root',
    'code.created shopper',
    'payment_page.opened shopper',
    ...Array.from({length: 9}, () => 'bank_page.opened shopper'),
  ]);
});

test('a refund that a shopper began with a link is the shopper’s, and the link tells when it was made, opened and used', async () => {
  const {order} = await orderWith('150.00');
  const {id, url} = await read('createRefundLink', {service, order});
  const link = url.split('/').at(-1);
  expect(await next(order)).toContain('refund_link_end');
  await askAsPage('POST', '/v1/refund-links/preview', {body: {link}});
  await askAsPage('POST', '/v1/refund-contacts', {body: {link, ...contact}});
  const {id: own} = await read('createRefund', {service, order, amount: '20.00', contact});
  await expect.poll(() => told(order)).toContain('refund.requested merchant root');
  const {items} = await timeline(order);
  const byLink = items.filter(({what, id: about}) => what.startsWith('refund') && about !== own);
  expect(byLink.map(({what, by, key}) => [what, by, key]).toSorted()).toEqual([
    ['refund.requested', 'shopper', null],
    ['refund_link.created', 'merchant', 'root'],
    ['refund_link.opened', 'shopper', null],
    ['refund_link.used', 'shopper', null],
  ]);
  expect(byLink.find(({what}) => what === 'refund_link.used')).toMatchObject({id, state: 'used', amount: '50.00'});
  const {id: other} = await read('createRefundLink', {service, order, amount: '10.00', hours: 1});
  await advance(HOUR);
  const expired = (await timeline(order)).items.find(({what}) => what === 'refund_link.expired');
  expect(expired).toMatchObject({id: other, by: 'worker', state: 'expired'});
});

test('a delivery is told with its webhook and attempt: the last that failed, and then the one that was accepted', async () => {
  await setReceiver({refused: 1});
  const {id: webhook} = await read('createWebhook', {url: receiverUrl('/'), types: ['payment.received']});
  const {order} = await orderWith('100.00');
  await deliver();
  const deliveries = async () => (await timeline(order)).items.filter(({what}) => what.startsWith('delivery.'));
  const failed = {what: 'delivery.failed', name: 'payment.received', state: 'waiting', attempt: 1, reason: '503'};
  await expect.poll(deliveries).toContainEqual(expect.objectContaining({...failed, webhook}));
  expect(await next(order)).toEqual(expect.arrayContaining(['delivery', 'delivery_end', 'deletion', 'search']));
  await setReceiver({});
  await advance(10 * SECOND);
  await deliver();
  const accepted = {what: 'delivery.accepted', by: 'merchant', name: 'payment.received', attempt: 2};
  await expect.poll(deliveries).toContainEqual(expect.objectContaining({...accepted, webhook}));
  expect((await deliveries())[0]).toMatchObject({what: 'delivery.failed', state: null, attempt: 1, reason: '503'});
  expect(await next(order)).not.toContain('delivery');
});

test('what happens next is told for each state of an order', async () => {
  const waiting = await createOrder({hours: 1});
  expect(await next(waiting.order)).toEqual(['deletion', 'expires', 'search']);
  const part = await orderWith('40.00', {hours: 1});
  expect(await next(part.order)).toEqual(['deletion', 'expires', 'search', 'status_check']);
  const notice = {service, order: waiting.order, amount: '100.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  await read('createPaymentNotice', notice);
  expect(await next(waiting.order)).toEqual(['deletion', 'expires', 'notice_check', 'search']);
  const paid = await orderWith('100.00');
  await read('createRefund', {service, order: paid.order, amount: '10.00', contact});
  await expect.poll(() => next(paid.order)).toEqual(['deletion', 'refund_check', 'search', 'status_check']);
  await injectFault('/refund/getByOrder', 'delay', {delay_ms: 1, times: 1});
  await injectFault('/refund/getByOrder', 'malformed', {times: 3});
  await injectFault('/refund/create', 'empty', {after: true, times: 1});
  await call('createRefund', {service, order: paid.order, amount: '5.00', contact});
  expect(await next(paid.order)).toContain('command_check');
  await advance(HOUR + MINUTE);
  // Whether the time to pay was missed, a search after it decides.
  for (const {order} of [waiting, part]) expect(await next(order)).toContain('expires');
});

/** What a person might be called, wherever it is written. */
const PERSON = 'Plantedperson';

test('after an erasure, nothing that any object stores, sends or logs has the person, and sums stay', async () => {
  await read('createWebhook', {url: receiverUrl('/')});
  await setReceiver({refused: 1});
  const prefill = {name: PERSON, email: `${PERSON}@shop.example`, description: PERSON};
  const {order, code} = await createOrder({user_id: PERSON, prefill});
  const transfer = {order_code: code, amount: '150.00', sender: `Ayşe ${PERSON}`};
  await pay(transfer);
  await runSweep();
  await expect.poll(() => told(order)).toContain('money.arrived shopper');
  await deliver();
  // The outbox does not take the next event, and the order does not take the next money.
  await breakOutbox();
  await pay({...transfer, amount: '1.00'});
  await runSweep();
  await repairOutbox();
  await breakOrder(order);
  await pay({...transfer, amount: '2.00'});
  await runSweep();
  const lost = await pay({amount: '3.00', sender: PERSON, description: PERSON});
  await advance(10 * MINUTE);
  await runSweep();
  const {url} = await read('createRefundLink', {service, order});
  await askAsPage('POST', '/v1/refund-contacts', {body: {link: url.split('/').at(-1), ...contact, name: PERSON}});
  await injectFault('/refund/create', 'status', {status: `ERR_099`, times: 1});
  await call('createRefund', {service, order, amount: '5.00', contact: {...contact, name: PERSON}});
  await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}});
  const notice = {service, order, amount: '100.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  await read('createPaymentNotice', {...notice, notice: {name: PERSON, user_ip: '192.0.2.1', description: PERSON}});
  // A request whose answer was lost keeps the terms from before it.
  const prepared = newOrder();
  const terms = {service, order: prepared, amount: '10.00'};
  await read('createSession', {kind: 'payment', origin: ORIGIN, ...terms, user_id: PERSON});
  await injectFault(CREATE, 'empty', {times: 1});
  await call('createOrderCode', {...terms, user_id: PERSON});
  const found = (text: string) => text.split(PERSON).length - 1;
  expect(found(await everythingStored())).toBeGreaterThan(7);

  expect(await read('forgetPerson', {service, user_id: PERSON})).toMatchObject({orders: 1, complete: true});
  for (const input of [{order}, {order: prepared}]) await read('forgetPerson', {service, ...input});
  await read('forgetPerson', {service, transaction: lost});
  const left = await everythingStored();
  const at = left.indexOf(PERSON);
  expect(left.slice(Math.max(0, at - 400), at + 40)).not.toContain(PERSON);
  expect(await told(order)).toContain('money.arrived shopper');
  await setReceiver({});
  const before = (await receivedRequests()).length;
  await advance(DAY);
  await deliver();
  await expect.poll(async () => (await receivedRequests()).length).toBeGreaterThan(before);
  expect(JSON.stringify((await receivedRequests()).slice(before))).not.toContain(PERSON);
  expect(JSON.stringify(logLines())).not.toContain(PERSON);
  expect(JSON.stringify(logLines())).not.toContain('ayse');
});

test('after an erasure, the summary of a deleted order has nothing that its page said but the campaign', async () => {
  const {order, ask} = await sessionOrder();
  const page = {reference: 'Onpage', metadata: {note: 'Onpage'}, utm: {campaign: 'spring'}};
  expect(await ask('/v1/order-code', {page})).toBe(200);
  await advance(20 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  expect(await read('getOrder', {service, order})).toMatchObject({page: {reference: 'Onpage'}});
  await read('forgetPerson', {service, order});
  expect(await everythingStored()).not.toContain('Onpage');
  expect(await read('getOrder', {service, order})).toMatchObject({page: {campaign: {campaign: 'spring'}}});
});

test('an erasure waits for what an order is reporting to the books', async () => {
  const {order, code} = await createOrder();
  const archive = Archive.prototype as unknown as {book: (...args: unknown[]) => unknown};
  const {book} = archive;
  const slow = vi.spyOn(archive, 'book').mockImplementation(async function slowly(this: Archive, ...args) {
    await scheduler.wait(500);
    return book.apply(this, args);
  });
  await pay({order_code: code, amount: '7.00', sender: 'Ayşe Onherway'});
  await runSweep();
  await read('forgetPerson', {service, order});
  await expect.poll(() => told(order)).toContain('money.arrived shopper');
  slow.mockRestore();
  expect(await everythingStored()).not.toContain('Onherway');
});

test('an order that nobody knows is not forgotten, and an order that is forgotten twice is known', async () => {
  expectProblem(await call('forgetPerson', {service, order: newOrder()}), 'unknown_order');
  expectProblem(await call('forgetPerson', {service, user_id: 'u-nobody'}), 'not_found', {
    fields: [{path: 'user_id', message: 'No order has this.'}],
  });
  const {order} = await createOrder({user_id: 'u-9'});
  for (const rows of [1, 0])
    expect(await read('forgetPerson', {service, order})).toEqual({orders: 1, rows, left: 0, complete: true});
});
