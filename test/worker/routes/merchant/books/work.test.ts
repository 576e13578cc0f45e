/** Tests the work that the books leave to people, and that a person is forgotten. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {formatPlatformDay} from '../../../../../worker/lib/time.ts';
import {Archive} from '../../../../../worker/objects/archive/archive.ts';
import {book, NO_DETAILS} from '../../../../../worker/objects/archive/booking.ts';
import {advance, DAY, HOUR, MINUTE, platformTime} from '../../../support/clock.ts';
import {
  everythingStored,
  orderObject,
  renewToken,
  replaceBindings,
  runSweep,
  serviceObject,
} from '../../../support/durable-objects.ts';
import {openOrder} from '../../../support/page.ts';
import {control, pay} from '../../../support/sandbox.ts';
import {deliver, outboxObject} from '../../../support/webhook-receiver.ts';
import {createOrder, payOrder, readCsv, sweep, today} from '../support/booked-money.ts';

const service = 'DEMO';
import {call, expectProblem, newOrder, read} from '../support/merchant-server.ts';
import {contact, injectFault, paidOrder} from '../support/refundable-orders.ts';

test('an overpaid order is work until its excess is sent back, and an expired one says what is missing', async () => {
  const over = await payOrder('200.00');
  const {order} = await createOrder();
  await sweep();
  expect((await read('listWork', {service, kind: 'overpaid'})).items).toMatchObject([
    {booking: {order: over.order}, payment: {state: 'overpaid', refundable: {amount: '50.10', reason: 'overpaid'}}},
  ]);
  const refund = await read('createRefund', {service, order: over.order, amount: '50.10', contact});
  expect((await read('listWork', {service, kind: 'overpaid'})).items).toEqual([]);
  await expect
    .poll(async () => (await read('searchBookings', {service, id: refund.id})).items)
    .toMatchObject([{type: 'refund.requested', order: over.order, amount: '50.10', balance: '0.00'}]);
  expect((await read('searchBookings', {service, amount: '50.10'})).items).toMatchObject([{type: 'refund.requested'}]);
  expect((await read('searchBookings', {service, type: 'refund.requested', amount: '50.10'})).items).toHaveLength(1);
  expect((await read('searchBookings', {service, type: 'refund.requested', amount: '50.11'})).items).toEqual([]);
  expect((await read('listWork', {service, kind: 'expired'})).items).toEqual([]);
  await advance(80 * HOUR);
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  await runSweep();
  await advance(HOUR);
  await runDurableObjectAlarm(orderObject(order));
  await expect
    .poll(async () => (await read('listWork', {service, kind: 'expired', from: today()})).items)
    .toHaveLength(1);
  expect((await read('listWork', {service, kind: 'expired'})).items).toEqual([]);
  await advance(DAY);
  await expect
    .poll(async () => (await read('listWork', {service, kind: 'expired'})).items)
    .toMatchObject([{booking: {order, type: 'order.changed'}, payment: {state: 'expired', remaining: '149.90'}}]);
});

test('waiting orders are a file, also those that nobody opened again, and many orders are several files', async () => {
  const {code} = await openOrder();
  const path = `work.csv?service=${service}&kind=waiting`;
  const [names, row, ...others] = (await readCsv(`${path}&numbers=tr`)).text.trim().split('\r\n');
  expect(names).toBe('order;order_code;offer;created_at;pay_until;state;amount;paid;remaining');
  expect(row?.split(';').slice(1)).toEqual([
    `"=""${code}"""`,
    'gold',
    platformTime(Date.now()),
    platformTime(Date.now() + 72 * HOUR),
    'waiting',
    '149,90',
    '0,00',
    '149,90',
  ]);
  expect(others).toEqual([]);
  expectProblem(await call('listWork', {service, kind: 'late'}, {headers: {accept: 'text/csv'}}), 'invalid_request', {
    fields: [{path: 'kind', message: 'Only waiting orders have a file.'}],
  });
  // The oldest come first. Nothing is known of these.
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    for (let count = 0; count < 900; count += 1)
      storage.sql.exec(
        'INSERT INTO tracked ("order", code, registered_at, closes_at) VALUES (?, ?, ?, ?)',
        `gone-${count}`,
        `${count}`,
        count,
        Date.now() + HOUR,
      );
  });
  const first = await readCsv(path);
  expect(first.text.trim().split('\r\n')).toHaveLength(1);
  const next = /^<\/merchant\/v1\/(?<next>.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.groups?.['next'];
  const second = await readCsv(next ?? '');
  expect(second.text).toContain(`,${code},gold,`);
  expect(second.headers.get('link')).toBeNull();
});

test('an order with two late parts is one item of work', async () => {
  const {order, code} = await createOrder();
  await advance(73 * HOUR);
  for (const amount of ['75.00', '74.90']) {
    await pay({order_code: code, amount});
    await advance(MINUTE);
    await runSweep();
  }
  const late = async () => (await read('listWork', {service, kind: 'late'})).items;
  await expect.poll(late).toMatchObject([{booking: {order, state: 'paid'}, payment: {paid: '149.90'}}]);
  expect((await read('searchBookings', {service, order, type: 'money.arrived'})).items).toHaveLength(2);
});

test('money after the time to pay is late work once the money in time turns out to be another order’s', async () => {
  const [{order, code}, other] = [await createOrder(), await createOrder()];
  const inTime = await pay({order_code: code});
  await sweep();
  await advance(73 * HOUR);
  await pay({order_code: code});
  await runSweep();
  const late = async () => (await read('listWork', {service, kind: 'late'})).items;
  expect(await late()).toEqual([]);
  await control(`transfers/${inTime}/assign`, {order_code: other.code});
  await advance(MINUTE);
  await runSweep();
  await expect
    .poll(late)
    .toMatchObject([{booking: {order, type: 'money.arrived', late: true}, payment: {state: 'paid'}}]);
  const day = await read('showDay', {service, day: today()});
  expect(day).toMatchObject({late: {count: 1, amount: '149.90'}});
});

test('money of a cancelled order is work until it is sent back, and its refund link finds the order', async () => {
  const {order, code} = await createOrder();
  const cancelled = async () => (await read('listWork', {service, kind: 'cancelled'})).items;
  await read('cancelOrder', {service, order});
  expect(await cancelled()).toEqual([]);
  await pay({order_code: code, amount: '149.90'});
  await sweep();
  await expect
    .poll(cancelled)
    .toMatchObject([
      {booking: {order, state: 'cancelled'}, payment: {refundable: {amount: '149.90', reason: 'cancelled'}}},
    ]);
  const {id} = await read('createRefundLink', {service, order});
  expect((await read('searchBookings', {service, id})).items).toMatchObject([{order}, {order}, {order}]);
  await read('createRefund', {service, order, amount: '149.90', contact});
  expect(await cancelled()).toEqual([]);
});

test('money that does not count is work when the time to pay of its order has ended', async () => {
  const {order, code} = await createOrder();
  await replaceBindings(orderObject(order), {PAID_STATUSES: '3 8'});
  const id = await pay({order_code: code});
  await control(`transfers/${id}/status`, {status: 5});
  await sweep();
  await runDurableObjectAlarm(orderObject(order));
  expect(await read('getOrder', {service, order})).toMatchObject({payment: {state: 'pending'}});
  const pending = async () => (await read('listWork', {service, kind: 'pending'})).items;
  expect(await pending()).toEqual([]);
  await advance(73 * HOUR);
  expect(await pending()).toMatchObject([{booking: {order}, payment: {state: 'pending', paid: '0.00'}}]);
});

test('a refund that failed is work until a later one succeeded, also if nobody knows its order any more', async () => {
  await renewToken();
  const [{order}, {order: again}] = [await paidOrder(), await paidOrder()];
  const refund = async (of: string, outcome: number) => {
    const {id} = await read('createRefund', {service, order: of, amount: '10.00', contact});
    await control('day-end', {notify: 'get', outcomes: {[id]: outcome}});
    await advance(DAY);
    await renewToken();
    await runDurableObjectAlarm(contextOf(env).objects.refunds());
    return id;
  };
  const failed = async () =>
    (await read('listWork', {service, kind: 'refund_failed'})).items.map(({booking, payment}) => [
      booking?.refund_id,
      payment?.state,
    ]);
  await runSweep();
  const id = await refund(order, 4);
  const failedFirst = await refund(again, 4);
  await expect.poll(failed).toEqual([
    [failedFirst, 'paid'],
    [id, 'paid'],
  ]);
  await refund(again, 3);
  await read('completeOrder', {service, order});
  await expect.poll(failed).toEqual([[id, 'completed']]);
  await book(contextOf(env).objects, service, [
    {...NO_DETAILS, id: 'refund 7', type: 'refund.failed', at: Date.now(), order: 'S-0', amount: 1000, refund: '7'},
  ]);
  expect(await failed()).toEqual([
    ['7', undefined],
    [id, 'completed'],
  ]);
});

test('a refund that was sent, and money without an order, are found by the number on the receipt of the bank', async () => {
  await renewToken();
  const {order} = await paidOrder();
  const {id} = await read('createRefund', {service, order, amount: '10.00', contact});
  const transaction = await pay({amount: '75.00', description: 'lamba'});
  await runSweep();
  await control('day-end', {notify: 'get', outcomes: {[id]: 3}});
  await advance(DAY);
  await renewToken();
  await runDurableObjectAlarm(contextOf(env).objects.refunds());
  const found = async (receipt: string) => (await read('searchBookings', {service, id: receipt})).items;
  await expect
    .poll(() => found(`D${id}`))
    .toMatchObject([{type: 'refund.settled', refund_id: id, bank_receipt_no: `D${id}`}]);
  expect(await found(`S${transaction}`)).toMatchObject([
    {type: 'money.unmatched', transaction_id: transaction, bank_receipt_no: `S${transaction}`},
  ]);
});

test('a partly paid order is overdue when a search after its time has found no more, and not if the rest came in time', async () => {
  const [inTime, overdue] = [await payOrder('100.00'), await payOrder('100.00')];
  await sweep();
  await advance(72 * HOUR);
  await renewToken();
  const runAlarms = () => Promise.all([inTime, overdue].map(({order}) => runDurableObjectAlarm(orderObject(order))));
  await runAlarms();
  await pay({order_code: inTime.code, amount: '49.90', at: platformTime(Date.now() - MINUTE)});
  for (let hours = 0; hours < 3; hours += 1) {
    await runSweep();
    await advance(HOUR);
    await runAlarms();
  }
  const rows = async () => (await read('searchBookings', {service, type: 'order.overdue'})).items;
  await expect.poll(rows).not.toEqual([]);
  expect(await rows()).toMatchObject([{order: overdue.order}]);
  expect((await read('listWork', {service, kind: 'partial'})).items).toMatchObject([{booking: {order: overdue.order}}]);
});

test('refunds with an unknown outcome and deliveries that fail are work of their own service alone', async () => {
  const bindings = {SERVICES: {DEMO: {micropaymentId: 1}, OTHER: {micropaymentId: 2}}};
  // Earlier tests have advanced the clock.
  await renewToken();
  const {order} = await paidOrder();
  await read('createWebhook', {url: 'http://127.0.0.1:1/', types: ['vendor.registered']});
  expect((await read('listWork', {service, kind: 'refund_unknown'})).items).toEqual([]);
  await injectFault('/refund/getByOrder', 'delay', {delay_ms: 1, times: 1});
  await injectFault('/refund/getByOrder', 'malformed', {});
  await injectFault('/refund/create', 'empty', {after: true, times: 1});
  const refund = await call('createRefund', {service, order, amount: '10.00', contact});
  expectProblem(refund, 'outcome_unknown', {command_id: expect.any(String) as string});
  const {command_id: id} = refund.body as {command_id: string};
  await expect.poll(async () => (await read('searchBookings', {service, id})).items[0]?.order).toBe(order);
  await outboxObject().append(
    ['OTHER', service].map((name) => ({
      type: 'vendor.registered' as const,
      key: name,
      at: Date.now(),
      data: {service: name, vendor_code: 'V-1'},
    })),
  );
  await deliver();
  const listWork = async (name: string, kind: 'refund_unknown' | 'delivery_failed', days = {}) =>
    (await read('listWork', {service: name, kind, ...days}, {bindings})).items;
  const empty = {booking: null, waiting: null, payment: null, proposals: []};
  expect(await listWork(service, 'refund_unknown')).toMatchObject([
    {...empty, delivery: null, command: {operation: 'createRefund', order, amount: '10.00', state: 'unknown'}},
  ]);
  expect(await listWork(service, 'delivery_failed')).toMatchObject([
    {...empty, command: null, delivery: {service, type: 'vendor.registered', attempts: 1, last_fault: 'connection'}},
  ]);
  expect(await listWork('OTHER', 'refund_unknown')).toEqual([]);
  expect(await listWork('OTHER', 'delivery_failed')).toMatchObject([{delivery: {service: 'OTHER'}}]);
  const days = {to: formatPlatformDay(Date.now() - DAY)};
  expect(await listWork(service, 'refund_unknown', days)).toEqual([]);
  expect(await listWork(service, 'delivery_failed', days)).toEqual([]);
  const {key} = await read('createKey', {name: 'shop', scopes: ['read'], services: ['OTHER']}, {bindings});
  const headers = {authorization: `Bearer ${key}`};
  for (const kind of ['refund_unknown', 'delivery_failed'] as const)
    expectProblem(await call('listWork', {service, kind}, {headers, bindings}), 'unknown_service', {
      fields: [{path: 'service', message: 'SERVICES does not include this service.'}],
    });
  await control('faults', {});
});

test('a person is forgotten in orders and books, and the sums stay', async () => {
  const {order} = await payOrder('149.90', 'Ayşe Yılmaz');
  await sweep();
  const before = await read('showDay', {service, day: today()});
  expect(await read('forgetPerson', {service, user_id: `u ${order}`})).toEqual({
    orders: 1,
    rows: 2,
    left: 0,
    complete: true,
  });
  expect((await read('searchBookings', {service, sender: 'yilmaz'})).items).toEqual([]);
  expect((await read('getOrder', {service, order})).user_id).toBeNull();
  expect(await everythingStored()).not.toContain('Ayşe');
  expect(await read('showDay', {service, day: today()})).toEqual(before);
  const paid = await payOrder('149.90', 'Ayşe Yılmaz');
  await runSweep();
  const {transaction} = paid;
  await expect.poll(async () => (await read('searchBookings', {service, id: transaction})).items).toHaveLength(1);
  expect(await read('forgetPerson', {service, transaction})).toEqual({orders: 1, rows: 2, left: 0, complete: true});
  expect((await read('getOrder', {service, order: paid.order})).user_id).toBeNull();
  expect(await everythingStored()).not.toContain('Ayşe');
  expectProblem(await call('forgetPerson', {service, transaction: '404'}), 'not_found');
  expectProblem(await call('forgetPerson', {service, user_id: `${order} u`}), 'not_found', {
    fields: [{path: 'user_id', message: 'No order has this.'}],
  });
  expectProblem(await call('forgetPerson', {service, user_id: 'u', order}), 'invalid_request', {
    fields: [{path: 'user_id', message: 'Expected either user_id, email, phone, order or transaction.'}],
  });
});

test('an order that had a payment page first is found, and forgotten, by the code and the user that came later', async () => {
  const order = newOrder();
  const addresses = {success_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no'};
  await read('createPaymentPage', {service, reference: order, item: 'Kitap', price: '149.90', ...addresses});
  await expect.poll(async () => (await read('searchBookings', {service, order})).items.length).toBe(1);
  await advance(MINUTE);
  const user_id = `u ${order}`;
  const {order_code: code} = await read('createOrderCode', {service, order, amount: '149.90', user_id});
  const row = {type: 'order.amended', order, order_code: code, user_id, state: null};
  await expect.poll(async () => (await read('searchBookings', {service, code})).items).toMatchObject([row]);
  expect((await read('searchBookings', {service, user_id})).items[0]).toMatchObject({...row, order_amount: '149.90'});
  expect(await read('forgetPerson', {service, user_id})).toMatchObject({orders: 1, complete: true});
  expect(await everythingStored()).not.toContain(user_id);
  expect((await read('searchBookings', {service, order})).items).toHaveLength(3);
});

test('an erasure of many orders says how many are left, and a repeated request goes on', async () => {
  const user_id = 'u-of-many';
  const placed = {...NO_DETAILS, id: 'placed', type: 'order.placed', at: Date.now(), userId: user_id} as const;
  const rows = Array.from({length: 102}, () => Object.assign({}, placed, {order: newOrder()}));
  await book(contextOf(env).objects, service, rows);
  const forget = () => read('forgetPerson', {service, user_id});
  expect(await forget()).toEqual({orders: 100, rows: 100, left: 2, complete: false});
  expect(await forget()).toEqual({orders: 2, rows: 2, left: 0, complete: true});
  expectProblem(await call('forgetPerson', {service, user_id}), 'not_found', {
    fields: [{path: 'user_id', message: 'No order has this.'}],
  });
});

test('by the id of money, those are forgotten who have it, and not those who had it', async () => {
  const before = newOrder();
  const [had, has] = [newOrder(), newOrder()];
  const transaction = `9${newOrder().replaceAll(/\D/g, '')}`;
  const at = Date.now();
  const placed = (order: string) =>
    ({...NO_DETAILS, id: `placed ${order}`, type: 'order.placed', at, order, userId: `user-of-${order}`}) as const;
  const money = {...NO_DETAILS, at, amount: 14990, transaction} as const;
  await book(contextOf(env).objects, service, [
    ...[before, had, has].map(placed),
    {...money, id: 'moved', type: 'money.withdrawn', order: before},
    // The row that this one takes back is on an earlier day, so in other books.
    {...money, id: 'arrived', type: 'money.arrived', order: before, at: at - 31 * DAY},
    {...money, id: 'unmatched', type: 'money.unmatched', order: had},
    {...money, id: 'matched', type: 'money.matched', order: had},
    {...money, id: 'withdrawn', type: 'money.withdrawn', order: has},
    {...money, id: 'again', type: 'money.arrived', order: has, at: at - 31 * DAY},
    {...money, id: 'first', type: 'money.arrived', order: has},
  ]);
  expect(await read('forgetPerson', {service, transaction})).toMatchObject({orders: 1, complete: true});
  const users = async (order: string) =>
    (await read('searchBookings', {service, user_id: `user-of-${order}`})).items.map((row) => row.order);
  expect([await users(before), await users(had), await users(has)]).toEqual([[before], [had], []]);
});

test('a person is forgotten while the sweep books their money, and an order takes no names after that', async () => {
  const transaction = await pay({amount: '10.00', description: 'lamba Ayşe', sender: 'Ayşe Yılmaz'});
  const {order, code} = await payOrder('100.00', 'Ayşe Yılmaz');
  const released = Promise.withResolvers<undefined>();
  const {book: write} = Archive.prototype;
  const slow = vi.spyOn(Archive.prototype, 'book').mockImplementation(async function (
    this: Archive,
    ...args: Parameters<typeof write>
  ) {
    if (args[1].some(({type}) => type === 'money.unmatched')) await released.promise;
    return write.apply(this, args);
  } as unknown as typeof write);
  const sweeping = runSweep();
  await expect
    .poll(() => slow.mock.calls.some(([, rows]) => rows.some((row) => row.transaction === transaction)))
    .toBe(true);
  const forgetting = [read('forgetPerson', {service, order}), read('forgetPerson', {service, transaction})];
  // The first erasure waits for the sweep, which has read the names.
  await expect.poll(async () => (await orderObject(order).details())?.money[0]?.sender).toBeUndefined();
  released.resolve(undefined);
  await Promise.all([sweeping, ...forgetting]);
  await pay({order_code: code, amount: '49.90', sender: 'Ayşe Yılmaz'});
  await advance(MINUTE);
  await runSweep();
  await expect.poll(async () => (await read('searchBookings', {service, order, state: 'paid'})).items.length).toBe(1);
  expect(await everythingStored()).not.toContain('Ayşe');
});
