/**
 * Compares requests to `/phs` byte for byte. The expected requests are written by hand from `docs/spec/orders.md` and
 * `docs/spec/observed.md`, and not from `worker/`, so that a wrong row of the operation table fails here.
 */

import {expect, test} from 'vitest';
import {tokenKey} from '../../../../worker/platform/keys.ts';
import type {OperationInput, OperationName} from '../../../../worker/platform/operations/index.ts';
import {clientWithTransport, type SentRequest, success} from '../../support/stub-transport.ts';

const FORM = {'content-type': 'application/x-www-form-urlencoded;charset=UTF-8'};
const SIGNED = {...FORM, merchant: '2042', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'};
/** A POST request to `/phs`. */
const post = (path: string, headers: Record<string, string>, body: string): SentRequest => ({
  method: 'POST',
  url: `https://platform.example/phs${path}`,
  headers,
  body,
  redirect: 'manual',
});

interface Vector<N extends OperationName = OperationName> {
  readonly title: string;
  readonly name: N;
  readonly input: OperationInput<N>;
  readonly reply: object;
  readonly sent: SentRequest;
}

const vector = <N extends OperationName>(
  title: string,
  name: N,
  input: OperationInput<N>,
  reply: object,
  sent: SentRequest,
): Vector => ({title, name, input, reply, sent});

const search = (title: string, input: Omit<OperationInput<'transactionSearch'>, 'code'>, body: string): Vector =>
  vector(
    `transactionSearch ${title}`,
    'transactionSearch',
    {code: 'KTP', ...input},
    {recordsFiltered: 0, data: []},
    post('/transaction/search', SIGNED, `code=KTP${body}`),
  );

const VECTORS: readonly Vector[] = [
  vector(
    'tokenGet requests a token',
    'tokenGet',
    {merchant: '2042', key: 'ab15c00e40d43db6e1cc40da2bb38c51'},
    {token: '{T}'},
    post('/getToken', FORM, 'merchant=2042&key=ab15c00e40d43db6e1cc40da2bb38c51'),
  ),
  vector(
    'tokenCheck sends the token that the platform should check',
    'tokenCheck',
    {merchant: '2042', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'},
    {},
    post('/getToken/check', FORM, 'merchant=2042&token=%7B7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314%7D'),
  ),
  vector(
    'orderCodeCheck looks up an order code',
    'orderCodeCheck',
    {code: 'KTP', order: 'S-1009'},
    {order: '881200450017'},
    post('/orderToReference/check', SIGNED, 'code=KTP&order=S-1009'),
  ),
  vector(
    'orderCodeCreate creates an order code',
    'orderCodeCreate',
    {code: 'KTP', order: 'S-1009', amount: '149.90'},
    {order: '881200450017'},
    post('/orderToReference/create', SIGNED, 'code=KTP&order=S-1009&amount=149.90'),
  ),
  vector(
    'orderCodeCreate creates an order code for a marketplace',
    'orderCodeCreate',
    {
      code: 'KTP',
      order: 'S-1009',
      amount: '149.90',
      payout: '140.00',
      sub_merchant_id: 77001,
      fee: '9.90',
      user_id: 'u-31',
    },
    {order: '881200450017'},
    post(
      '/orderToReference/create',
      SIGNED,
      'code=KTP&order=S-1009&amount=149.90&payout=140.00&sub_merchant_id=77001&fee=9.90&user_id=u-31',
    ),
  ),
  vector(
    'orderCodeCreate sends Turkish letters and special characters as UTF-8',
    'orderCodeCreate',
    {code: 'KTP', order: 'Ş/İ&9=+%', amount: '1', user_id: 'Işıl Öğüt çÇ'},
    {order: 'AB12'},
    post(
      '/orderToReference/create',
      SIGNED,
      'code=KTP&order=%C5%9E%2F%C4%B0%269%3D%2B%25&amount=1&user_id=I%C5%9F%C4%B1l+%C3%96%C4%9F%C3%BCt+%C3%A7%C3%87',
    ),
  ),
  vector(
    'transactionGet sends an id larger than 2^53',
    'transactionGet',
    {id: '98765432109876543210'},
    {transaction: {id: 1, amount: '1.00', status: 3}},
    post('/transaction/get', SIGNED, 'id=98765432109876543210'),
  ),
  vector(
    'orderComplete sends service and order',
    'orderComplete',
    {code: 'KTP', order: 'S-1009'},
    {},
    post('/transaction/order-complete', SIGNED, 'code=KTP&order=S-1009'),
  ),
  vector(
    'bankGetAll sends neither merchant nor token',
    'bankGetAll',
    {},
    {banks: []},
    {method: 'GET', url: 'https://platform.example/phs/bank/getAll', headers: {}, body: '', redirect: 'manual'},
  ),
  search('searches all transactions of a service', {}, ''),
  search('searches page by page', {start: 200, length: 100}, '&start=200&length=100'),
  search(
    'searches by day',
    {Transaction: {startDate: '2026-11-21', endDate: '2026-11-22'}},
    '&Transaction%5BstartDate%5D=2026-11-21&Transaction%5BendDate%5D=2026-11-22',
  ),
  search(
    'searches by status and bank',
    {Transaction: {status: 3, bank_id: 6}},
    '&Transaction%5Bstatus%5D=3&Transaction%5Bbank_id%5D=6',
  ),
  search(
    'searches by several statuses and banks',
    {Transaction: {status: [3, 5], bank_id: [6, 12]}},
    '&Transaction%5Bstatus%5D%5B%5D=3&Transaction%5Bstatus%5D%5B%5D=5&Transaction%5Bbank_id%5D%5B%5D=6&Transaction%5Bbank_id%5D%5B%5D=12',
  ),
  search('searches by amount', {Transaction: {amount: '149.90'}}, '&Transaction%5Bamount%5D=149.90'),
  search(
    'searches by several amounts',
    {Transaction: {amount: ['149.90', '12.00']}},
    '&Transaction%5Bamount%5D%5B%5D=149.90&Transaction%5Bamount%5D%5B%5D=12.00',
  ),
  search(
    'searches by a minimum amount',
    {Transaction: {amount: {con_operator: '>=', value: '100.00'}}},
    '&Transaction%5Bamount%5D%5Bcon_operator%5D=%3E%3D&Transaction%5Bamount%5D%5Bvalue%5D=100.00',
  ),
  ...(
    [
      ['<', '%3C'],
      ['>', '%3E'],
      ['>=', '%3E%3D'],
      ['<=', '%3C%3D'],
      ['=', '%3D'],
    ] as const
  ).map(([operator, sent]) =>
    search(
      `searches by time with the operator ${operator}`,
      {Transaction: {transaction_date: {con_operator: operator, value: '2026-11-21 13:42:00'}}},
      `&Transaction%5Btransaction_date%5D%5Bcon_operator%5D=${sent}&Transaction%5Btransaction_date%5D%5Bvalue%5D=2026-11-21+13%3A42%3A00`,
    ),
  ),
  search(
    'searches by all fields together',
    {
      start: 0,
      length: 10000,
      Transaction: {
        startDate: '2026-11-21',
        endDate: '2026-11-22',
        status: [-1],
        bank_id: 6,
        amount: {con_operator: '<', value: '0.01'},
        transaction_date: {con_operator: '>', value: '2026-11-21 00:00:00'},
      },
    },
    '&start=0&length=10000&Transaction%5BstartDate%5D=2026-11-21&Transaction%5BendDate%5D=2026-11-22&Transaction%5Bstatus%5D%5B%5D=-1&Transaction%5Bbank_id%5D=6' +
      '&Transaction%5Bamount%5D%5Bcon_operator%5D=%3C&Transaction%5Bamount%5D%5Bvalue%5D=0.01' +
      '&Transaction%5Btransaction_date%5D%5Bcon_operator%5D=%3E&Transaction%5Btransaction_date%5D%5Bvalue%5D=2026-11-21+00%3A00%3A00',
  ),
];

test.for(VECTORS)('$title', async ({name, input, reply, sent: expected}) => {
  const {client, sent} = clientWithTransport(() => success(reply));
  await client.call(name, input);
  expect(sent).toEqual([expected]);
});

test.for<[name: OperationName, input: unknown]>([
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '149,90'}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: 149.9}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.005'}],
  ['orderCodeCreate', {code: '', order: 'S-1', amount: '1.00'}],
  ['orderCodeCreate', {code: 'KTP', order: '', amount: '1.00'}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.00', user_id: 'x'.repeat(33)}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.00', note: 'x'}],
  ['transactionSearch', {code: 'KTP', Transaction: {startDate: '21.11.2026'}}],
  ['transactionSearch', {code: 'KTP', Transaction: {startDate: '2026-02-30'}}],
  ['transactionSearch', {code: 'KTP', Transaction: {amount: {con_operator: 'LIKE', value: '1.00'}}}],
  ['transactionSearch', {code: 'KTP', Transaction: {transaction_date: '2026-11-21'}}],
])('%s sends nothing and refuses this input, which the spec does not allow: %o', async ([name, input]) => {
  const {client, sent} = clientWithTransport(() => success());
  await expect(client.call(name, input as OperationInput<typeof name>)).rejects.toThrow();
  expect(sent).toEqual([]);
});

test('`tokenKey` computes the `key` that `/getToken` expects', async () => {
  expect(await tokenKey({id: '2042', ip: '192.0.2.44', key: 'example merchant key'})).toBe(
    'ab15c00e40d43db6e1cc40da2bb38c51',
  );
});

test('`tokenKey` reads a merchant key with Turkish letters as UTF-8', async () => {
  // `printf '2042192.0.2.44gizli anahtar ığüşöç' | md5sum`
  expect(await tokenKey({id: '2042', ip: '192.0.2.44', key: 'gizli anahtar ığüşöç'})).toBe(
    '030cf9efdb310d6e29ddeabc936ea0e5',
  );
});
