/** Tests the day's books as a merchant's server reads them, with money from the sandbox. */

import {expect, test} from 'vitest';
import {formatPlatformDay} from '../../../../worker/lib/time.ts';
import {advance, DAY, HOUR} from '../../support/clock.ts';
import {runSweep} from '../../support/durable-objects.ts';
import {pay} from '../../support/sandbox.ts';
import {ask, call, expectProblem, newOrder, read} from './support/merchant-server.ts';

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
  const {order} = await payOrder('149.90', '=cmd|"x";A1');
  await sweep();
  const plain = await readCsv(`days/${today()}.csv?service=${service}`);
  expect(plain.headers.get('content-disposition')).toBe(`attachment; filename="DEMO-${today()}.csv"`);
  const lines = plain.text.replace(/^\u{FEFF}/u, '').split('\r\n');
  expect(lines[0]).toMatch(/^day,number,corrects,at,booked_at,type,/);
  const line = lines.find((each) => each.includes('money.arrived')) ?? '';
  expect(line).toContain(`,paid,,${order},`);
  expect(line).toContain(`,149.90,149.90,TRY,Garanti BBVA,transfer,"'=cmd|""x"";A1",`);
  const turkish = await readCsv(`days/${today()}?service=${service}&numbers=tr`, {accept: 'text/csv'});
  expect(turkish.text).toContain(`;149,90;149,90;TRY;Garanti BBVA;transfer;"'=cmd|""x"";A1";`);
});

test('the file of a closed day stays the same, and a search is a file, too', async () => {
  await payOrder('149.90');
  await sweep();
  const day = today();
  await advance(DAY + 4 * HOUR);
  const first = await readCsv(`days/${day}.csv?service=${service}`);
  await payOrder('10.00');
  await sweep();
  expect((await readCsv(`days/${day}.csv?service=${service}`)).text).toBe(first.text);
  expect((await read('showDay', {service, day})).closed).toBe(true);
  const found = await readCsv(`bookings.csv?service=${service}&from=${day}&type=money.arrived`);
  expect(found.text.trim().split('\r\n')).toHaveLength(3);
});

test.each([
  [{service, day: '2026-13-01'}, 'day'],
  [{service, day: '2026-11-27', numbers: 'de'}, 'numbers'],
])('the day of %j is refused, and the error names the field', async (input, path) => {
  expectProblem(await call('showDay', input), 'invalid_request', {
    fields: [{path, message: expect.any(String) as string}],
  });
});

test('a file without a first day, or of more than 31 days, is refused', async () => {
  for (const query of ['', '&from=2026-01-01&to=2026-03-01']) {
    const {status, text} = await ask(`/merchant/v1/bookings.csv?service=${service}${query}`);
    expect([status, text]).toEqual([422, expect.stringContaining('at most 31 days')]);
  }
});
