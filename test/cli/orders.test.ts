/** `vezne orders`: who bought on a day. */

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {runHere} from './support/in-process.ts';

const KEY = 'a-key-of-sixteen-characters';
const buyer = {
  name: 'Deniz Örnek',
  email: 'deniz@shop.example',
  address: {line: 'Çiçek Sokak\n7/3', district: 'Kadıköy', province: 'İstanbul', postal_code: '34710'},
  own: {color: 'red', contract: true},
  marketing: true,
  at: '2026-11-21T15:42:00+03:00',
};
const paid = {order: 'S-1', state: 'paid', amount: '149.90', paid: '149.90'};
const partial = {order: 'S-2', state: 'partial', amount: '149.90', paid: '100.00'};
const worker = createServer((request, response) => {
  const {pathname, searchParams} = new URL(request.url ?? '', 'http://worker');
  if (request.headers.authorization !== `Bearer ${KEY}`)
    return void response.writeHead(401).end(JSON.stringify({title: 'A valid session or key is required.'}));
  if (pathname === '/merchant/v1/orders')
    return void response.end(JSON.stringify({buyer: searchParams.get('order') === 'S-1' ? buyer : null}));
  const isLast = searchParams.get('cursor') === 'next' || searchParams.get('service') !== 'DEMO';
  const items = searchParams.get('service') === 'DEMO' ? [isLast ? partial : paid] : [];
  response.end(JSON.stringify({items, next_cursor: isLast ? null : 'next'}));
});
let url: string;

beforeAll(async () => {
  await once(worker.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(worker.address() as AddressInfo).port}`;
});
afterAll(() => void worker.close());

const orders = (args: readonly string[], key = KEY) =>
  runHere(['orders', '--url', url, ...args], {MERCHANT_API_KEY: key, VEZNE_CONFIG: ''});

test('vezne orders prints each order of the day with its buyer, one line each', async () => {
  expect(await orders(['--day', '2026-11-21', '--service', 'DEMO'])).toEqual({
    code: 0,
    printed: [
      'S-1  paid  149.90 TRY  Deniz Örnek · deniz@shop.example · Çiçek Sokak 7/3, Kadıköy, 34710 İstanbul · color=red · contract=true · marketing',
      'S-2  partial  100.00 of 149.90 TRY  -',
      '\n2 orders on 2026-11-21.',
    ].join('\n'),
  });
  expect((await orders(['--day', '2026-11-21', '--service', 'OTHER'])).printed).toBe('No orders on 2026-11-21.');
});

test('vezne orders says what is wrong, and repeats no key', async () => {
  expect((await orders(['--day', 'yesterday'])).printed).toContain('Usage: ');
  expect((await orders([KEY])).printed).not.toContain(KEY);
  expect(await orders(['--day', '2026-11-21', '--service', 'DEMO'], 'another-key-of-a-shop')).toEqual({
    code: 1,
    printed: `${url} does not list the orders: A valid session or key is required.`,
  });
});
