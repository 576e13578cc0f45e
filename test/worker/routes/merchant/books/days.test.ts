/** Tests the day's books as a merchant's server reads them, with money from the sandbox. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {formatPlatformDay, startOfDay} from '../../../../../worker/lib/time.ts';
import {type Booking, book, NO_DETAILS} from '../../../../../worker/objects/archive/booking.ts';
import {advance, DAY, HOUR, platformTime, SECOND} from '../../../support/clock.ts';
import {everythingStored, orderObject, renewToken, runSweep} from '../../../support/durable-objects.ts';
import {ORIGIN} from '../../../support/page.ts';
import {control, pay} from '../../../support/sandbox.ts';
import {today, createOrder, payOrder, sweep, readCsv} from '../support/booked-money.ts';

const service = 'DEMO';
import {ask, call, expectProblem, read} from '../support/merchant-server.ts';
import {contact, paidOrder} from '../support/refundable-orders.ts';

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
    {...late, id: 'out', type: 'money.withdrawn'},
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
  const {items, searched_at} = await read('searchBookings', {service, sender: 'caglayan şük'});
  expect(searched_at).toBe((await read('showDay', {service, day: today()})).searched_at);
  expect(searched_at).not.toBeNull();
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
  expect(line).toContain(`,paid,,,,${order},`);
  expect(line).toContain(`,149.90,149.90,TRY,Garanti BBVA,transfer,"'=cmd|""x"";'""=A1,'-B2",`);
  const turkish = await readCsv(`days/${today()}?service=${service}&numbers=tr`, {accept: 'text/csv'});
  expect(turkish.text).toContain(`;149,90;149,90;TRY;Garanti BBVA;transfer;"'=cmd|""x"";'""=A1,'-B2";`);
  // A spreadsheet would drop the digits of a number after the fifteenth, and the zeros before it.
  expect(turkish.text).toMatch(/;"=""\d{12}""";149,90;/);
  expect(plain.text).not.toContain('=""1');
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

test('a day that does not exist, is to come or is deleted is refused, and so are unknown numbers', async () => {
  const message = expect.any(String) as string;
  for (const day of ['2026-13-01', formatPlatformDay(Date.now() + 40 * DAY), formatPlatformDay(Date.now() - 401 * DAY)])
    expectProblem(await call('showDay', {service, day}), 'invalid_request', {fields: [{path: 'day', message}]});
  expectProblem(await call('showDay', {service, day: today(), numbers: 'de'}), 'invalid_request', {
    fields: [{path: 'numbers', message}],
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
    ['money.matched', null],
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
  expect(await read('forgetPerson', {service, transaction})).toEqual({orders: 0, rows: 1, left: 0, complete: true});
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

test.each([0, 20])(
  'money dated %d hours ahead that came after its order is matched when the order is taken again',
  async (hours) => {
    const {order, code} = await createOrder('75.00');
    await advance(11 * DAY);
    await renewToken();
    await runDurableObjectAlarm(orderObject(order));
    await createOrder('10.00');
    const id = await pay({order_code: code, amount: '75.00', at: platformTime(Date.now() + hours * HOUR)});
    const types = async () => (await read('searchBookings', {service, id})).items.map(({type}) => type).toSorted();
    await runSweep();
    await expect.poll(types).toEqual(['money.unmatched']);
    await read('createOrderCode', {service, order, amount: '75.00', adopt: true});
    await advance(5 * SECOND);
    await runSweep();
    await expect.poll(types).toEqual(['money.arrived', 'money.matched', 'money.unmatched']);
  },
);

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
