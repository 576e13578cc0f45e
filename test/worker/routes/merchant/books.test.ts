/** Tests the day's books as a merchant's server reads them, with money from the sandbox. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatPlatformDay, startOfDay} from '../../../../worker/lib/time.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import {type Booking, book, NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import {advance, DAY, HOUR, MINUTE, platformTime} from '../../support/clock.ts';
import {everythingStored, orderObject, renewToken, replaceBindings, runSweep} from '../../support/durable-objects.ts';
import {ORIGIN} from '../../support/page.ts';
import {control, pay} from '../../support/sandbox.ts';
import {deliver, outboxObject} from '../../support/webhook-receiver.ts';
import {ask, call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {contact, injectFault, paidOrder} from './support/refundable-orders.ts';

const service = 'DEMO';
const today = () => formatPlatformDay(Date.now());

async function createOrder(amount = '149.90'): Promise<{order: string; code: string}> {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount, user_id: `u ${order}`});
  return {order, code};
}

async function payOrder(amount: string, sender = 'Deniz Örnek', bank = 'garanti') {
  const order = await createOrder();
  const transaction = await pay({order_code: order.code, amount, sender, bank});
  return {...order, transaction};
}

/** Sweeps until the books have what the sandbox has. */
async function sweep(): Promise<void> {
  await runSweep();
  await expect
    .poll(async () => (await read('searchBookings', {service, state: 'waiting'})).items.length)
    .toBeGreaterThan(0);
}

const readCsv = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await ask(`/merchant/v1/${path}`, {
    headers,
  });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
  return answer;
};

test('a day has the sums of what arrived on it, by bank, and of the states that orders reached', async () => {
  await payOrder('149.90');
  await payOrder('200.00', 'Ayşe Yılmaz', 'akbank');
  await payOrder('100.00');
  await pay({amount: '10.00', description: 'lamba', sender: 'İpek Yıldız'});
  await sweep();
  const day = await read('showDay', {service, day: today()});
  expect(day).toMatchObject({
    closed: false,
    arrived: '459.90',
    refunded: '0.00',
    balance: '459.90',
    banks: [
      {method: 'transfer', currency: 'TRY', count: 1, arrived: '200.00'},
      {bank_name: 'Garanti BBVA', method: 'transfer', currency: 'TRY', count: 3, arrived: '259.90'},
    ],
    orders: [
      {state: 'overpaid', count: 1, amount: '149.90'},
      {state: 'paid', count: 1, amount: '149.90'},
      {state: 'partial', count: 1, amount: '149.90'},
      {state: 'waiting', count: 3, amount: '449.70'},
    ],
    unmatched: {count: 1, amount: '10.00'},
    corrections: [],
  });
});

test('late money that is withdrawn is no late money any more, and money whose amount is read later counts once', async () => {
  const order = await payOrder('149.90');
  await sweep();
  const before = await read('showDay', {service, day: today()});
  const money = {
    ...NO_DETAILS,
    ...order,
    type: 'money.arrived',
    at: Date.now(),
    bank: 'X',
    method: 'transfer',
  } as const;
  const late = {...money, id: 'in', late: true, amount: 7500, transaction: 'T-1'} as const;
  await book(contextOf(env).objects, service, [
    {...late, id: 'in unread', amount: null},
    late,
    {...late, id: 'in 2', amount: 1000, transaction: 'T-2'},
    {...late, id: 'out', type: 'money.withdrawn', late: false},
  ]);
  expect(await read('showDay', {service, day: today()})).toMatchObject({
    arrived: '159.90',
    banks: [...before.banks, {bank_name: 'X', count: 1, arrived: '10.00'}],
    late: {count: 1, amount: '10.00'},
  });
  expect(before.late).toEqual({count: 0, amount: '0.00'});
});

test('money is found by its sender, however the name is written, and an order by its customer', async () => {
  const {order, transaction} = await payOrder('149.90', 'ŞÜKRÜ ÇAĞLAYAN');
  await sweep();
  const {items} = await read('searchBookings', {service, sender: 'caglayan şük'});
  expect(items).toMatchObject([
    {type: 'money.arrived', order, state: 'paid', balance: '149.90', transaction_id: transaction},
  ]);
  expect((await read('searchBookings', {service, user_id: `u ${order}`})).items).toMatchObject([
    {type: 'order.placed', order},
  ]);
  expect((await read('searchBookings', {service, id: transaction})).items).toEqual(items);
  expect(
    (await read('searchBookings', {service, sender: 'caglayan', from: '2020-01-01', to: '2020-02-01'})).items,
  ).toEqual([]);
});

test('a day is a CSV file: by path or by Accept, plain or Turkish, and a name cannot be a formula', async () => {
  const {order} = await payOrder('149.90', '=cmd|"x";"=A1,-B2');
  await sweep();
  const plain = await readCsv(`days/${today()}.csv?service=${service}`);
  expect(plain.headers.get('content-disposition')).toBe(`attachment; filename="DEMO-${today()}-open.csv"`);
  const lines = plain.text.replace(/^\u{FEFF}/u, '').split('\r\n');
  expect(lines[0]).toMatch(/^day,number,corrects,at,booked_at,type,/);
  const line = lines.find((each) => each.includes('money.arrived')) ?? '';
  expect(line).toContain(`,paid,,${order},`);
  expect(line).toContain(`,149.90,149.90,TRY,Garanti BBVA,transfer,"'=cmd|""x"";'""=A1,'-B2",`);
  const turkish = await readCsv(`days/${today()}?service=${service}&numbers=tr`, {accept: 'text/csv'});
  expect(turkish.text).toContain(`;149,90;149,90;TRY;Garanti BBVA;transfer;"'=cmd|""x"";'""=A1,'-B2";`);
});

test('the file of a closed day stays the same, and a search is a file, too', async () => {
  await payOrder('149.90');
  await sweep();
  const day = today();
  await advance(DAY + 10 * HOUR);
  const first = await readCsv(`days/${day}.csv?service=${service}`);
  expect(first.headers.get('content-disposition')).toBe(`attachment; filename="DEMO-${day}.csv"`);
  await payOrder('10.00');
  await sweep();
  expect((await readCsv(`days/${day}.csv?service=${service}`)).text).toBe(first.text);
  expect((await read('showDay', {service, day})).closed).toBe(true);
  const found = await readCsv(`bookings.csv?service=${service}&from=${day}&type=money.arrived`);
  expect(found.text.trim().split('\r\n')).toHaveLength(3);
});

test.each([
  ['a day that does not exist', () => ({day: '2026-13-01'}), 'day'],
  ['a day to come', () => ({day: formatPlatformDay(Date.now() + 40 * DAY)}), 'day'],
  ['a day whose rows are deleted', () => ({day: formatPlatformDay(Date.now() - 401 * DAY)}), 'day'],
  ['a way to write numbers that does not exist', () => ({day: today(), numbers: 'de'}), 'numbers'],
])('%s is refused, and the error names the field', async (_title, input, path) => {
  expectProblem(await call('showDay', {service, ...input()}), 'invalid_request', {
    fields: [{path, message: expect.any(String) as string}],
  });
});

test('a refund whose result is read at 08:00 is a row of the day before, which is still open', async () => {
  const {order} = await paidOrder();
  await runSweep();
  const {id} = await read('createRefund', {service, order, amount: '10.00', contact});
  const day = today();
  await control('day-end', {notify: 'get'});
  await advance(startOfDay(day) + DAY + 8 * HOUR - Date.now());
  await renewToken();
  await runDurableObjectAlarm(contextOf(env).objects.refunds());
  const refund = {method: 'transfer', count: 1, amount: '10.00'} as const;
  const {bank_name} = (await read('searchBookings', {service, order, type: 'money.arrived'})).items[0] ?? {};
  expect(bank_name).toEqual(expect.any(String));
  expect(await read('showDay', {service, day})).toMatchObject({
    closed: false,
    refunded: '10.00',
    refunds: [
      {...refund, state: 'requested', bank_name},
      {...refund, state: 'settled', bank_name},
    ],
  });
  expect((await read('searchBookings', {service, id, type: 'refund.settled'})).items).toMatchObject([
    {day, corrects: null, balance: '-10.00'},
  ]);
  await advance(HOUR);
  expect(await read('showDay', {service, day})).toMatchObject({closed: true, refunded: '10.00'});
});

test('money of a deleted order that was sent back is no work any more', async () => {
  const {order} = await payOrder('200.00');
  await sweep();
  await advance(11 * DAY);
  await renewToken();
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  const overpaid = async () => (await read('listWork', {service, kind: 'overpaid'})).items;
  expect(await overpaid()).toMatchObject([{payment: {refundable: {amount: '50.10'}}}]);
  await read('createRefund', {service, order, amount: '50.10', contact});
  expect(await overpaid()).toEqual([]);
});

test('a file of days whose rows are deleted is refused, because an empty one would say that nothing was sold', async () => {
  const {status, text} = await ask(`/merchant/v1/bookings.csv?service=${service}&from=2020-01-01&to=2020-01-02`);
  expect([status, text]).toEqual([422, expect.stringContaining('"path":"from"')]);
});

test('a file without a first day, or of more than 31 days, is refused', async () => {
  for (const query of ['', '&from=2026-01-01&to=2026-03-01']) {
    const {status, text} = await ask(`/merchant/v1/bookings.csv?service=${service}${query}`);
    expect([status, text]).toEqual([422, expect.stringContaining('at most 31 days')]);
  }
});

test('money without an order is listed with the orders that it may belong to, until it has found one', async () => {
  const typed = await createOrder('80.00');
  const same = await createOrder('75.00');
  await pay({amount: '75.00', description: `odeme ${typed.code.slice(0, 8)}`, sender: 'İpek Yıldız'});
  await sweep();
  const {items} = await read('listWork', {service, kind: 'unmatched'});
  expect(items).toMatchObject([
    {
      booking: {type: 'money.unmatched', sender: 'İpek Yıldız', balance: '75.00', order: null},
      payment: null,
      proposals: [
        {order: typed.order, because: 'code', state: 'waiting'},
        {order: same.order, because: 'amount', amount: '75.00'},
      ],
    },
  ]);
  const id = items[0]?.booking?.transaction_id ?? '';
  const notice = {amount: '75.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  const {notice_code: code} = await read('createPaymentNotice', {service, order: same.order, ...notice});
  await control(`notices/${code}/approve`, {transaction_id: Number(id)});
  await advance(5_000);
  await sweep();
  await expect.poll(async () => (await read('listWork', {service, kind: 'unmatched'})).items).toEqual([]);
  const rows = (await read('searchBookings', {service, sender: 'ipek'})).items;
  expect(rows.map(({type, order}) => [type, order])).toEqual([
    ['money.arrived', same.order],
    ['money.unmatched', null],
  ]);
  expect(await read('showDay', {service, day: today()})).toMatchObject({
    arrived: '75.00',
    unmatched: {count: 0, amount: '0.00'},
  });
});

test('money whose sender was forgotten while it had no order has no name when it finds one', async () => {
  const {order} = await createOrder('75.00');
  const transaction = await pay({amount: '75.00', description: 'lamba Ayşe', sender: 'Ayşe Yılmaz'});
  await sweep();
  expect(await read('forgetPerson', {service, transaction})).toEqual({orders: 0, rows: 1, complete: true});
  const notice = {amount: '75.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  const {notice_code: code} = await read('createPaymentNotice', {service, order, ...notice});
  await control(`notices/${code}/approve`, {transaction_id: Number(transaction)});
  await advance(5_000);
  await sweep();
  await expect.poll(async () => (await read('searchBookings', {service, order, state: 'paid'})).items).toHaveLength(1);
  expect(await everythingStored()).not.toContain('Ayşe');
});

test('proposals are cut after they are ranked: many paid orders of the same amount hide no unpaid one, and a paid order with the code comes last', async () => {
  const again = await payOrder('149.90');
  const same = await createOrder('75.00');
  await sweep();
  const placed = {...NO_DETAILS, at: Date.now(), due: 7500, amount: null} as const;
  const paid = Array.from({length: 30}, (_, index): Booking[] => [
    {...placed, id: 'placed', type: 'order.placed', order: `P-${index}`},
    {...placed, id: 'in', type: 'money.arrived', order: `P-${index}`, amount: 7500, transaction: `T-${index}`},
  ]);
  await book(contextOf(env).objects, service, paid.flat());
  await pay({amount: '75.00', description: `odeme ${again.code.slice(0, 8)}`});
  await sweep();
  const proposals = async () => (await read('listWork', {service, kind: 'unmatched'})).items[0]?.proposals;
  await expect.poll(proposals).toMatchObject([
    {order: same.order, because: 'amount', state: 'waiting'},
    {order: again.order, because: 'code', state: 'paid'},
  ]);
});

test('refunds are found by the code of their order, and say it, also after the order was deleted', async () => {
  const {order, code} = await payOrder('149.90');
  await sweep();
  const ids = [(await read('createRefund', {service, order, amount: '10.00', contact})).id];
  const found = async () =>
    (await read('searchBookings', {service, code})).items.flatMap((row) =>
      row.refund_id === null ? [] : [[row.refund_id, row.order_code]],
    );
  await expect.poll(found).toEqual(ids.map((id) => [id, code]));
  await advance(11 * DAY);
  await renewToken();
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  ids.unshift((await read('createRefund', {service, order, amount: '20.00', contact})).id);
  await expect.poll(found).toEqual(ids.map((id) => [id, code]));
  const file = await readCsv(`bookings.csv?service=${service}&from=${today()}&code=${code}`);
  expect(file.text.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(`,${order},${code},`)]);
});

test('a sender without a letter is refused, because everybody would be found', async () => {
  expectProblem(await call('searchBookings', {service, sender: '***'}), 'invalid_request', {
    fields: [{path: 'sender', message: expect.stringContaining('letter') as string}],
  });
});

test('old money without an order that a notification gives to a newer order is counted once', async () => {
  await createOrder();
  const id = await pay({amount: '75.00', description: 'lamba', sender: 'İpek Yıldız'});
  await sweep();
  await advance(40 * DAY);
  const {order} = await createOrder('75.00');
  const notice = {amount: '75.00', bank: 'garanti', redirect_url: `${ORIGIN}/thanks`};
  const {notice_code: code} = await read('createPaymentNotice', {service, order, ...notice});
  await control(`notices/${code}/approve`, {transaction_id: Number(id)});
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  const rows = async () =>
    (await read('searchBookings', {service, id})).items.map((row) => [row.type, row.order, row.balance]).toSorted();
  await expect.poll(rows).toEqual([
    ['money.arrived', order, '75.00'],
    ['money.matched', null, '-75.00'],
    ['money.unmatched', null, '75.00'],
  ]);
  await runSweep();
  expect(await rows()).toHaveLength(3);
  expect((await read('listWork', {service, kind: 'unmatched'})).items).toEqual([]);
});

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
  const empty = {booking: null, payment: null, proposals: []};
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
  expect(await read('forgetPerson', {service, user_id: `u ${order}`})).toEqual({orders: 1, rows: 2, complete: true});
  expect((await read('searchBookings', {service, sender: 'yilmaz'})).items).toEqual([]);
  expect((await read('getOrder', {service, order})).user_id).toBeNull();
  expect(await everythingStored()).not.toContain('Ayşe');
  expect(await read('showDay', {service, day: today()})).toEqual(before);
  const paid = await payOrder('149.90', 'Ayşe Yılmaz');
  await runSweep();
  const {transaction} = paid;
  await expect.poll(async () => (await read('searchBookings', {service, id: transaction})).items).toHaveLength(1);
  expect(await read('forgetPerson', {service, transaction})).toEqual({orders: 1, rows: 2, complete: true});
  expect((await read('getOrder', {service, order: paid.order})).user_id).toBeNull();
  expect(await everythingStored()).not.toContain('Ayşe');
  expectProblem(await call('forgetPerson', {service, transaction: '404'}), 'not_found');
  expectProblem(await call('forgetPerson', {service, user_id: 'u', order}), 'invalid_request', {
    fields: [{path: 'user_id', message: 'Expected either user_id, order or transaction.'}],
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
