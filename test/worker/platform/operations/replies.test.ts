/**
 * Tests how the Worker reads the platform's replies, including unusual replies. The bodies are written as text, because
 * the spelling of a number matters.
 */

import {expect, test} from 'vitest';
import type {OperationInput, OperationName} from '../../../../worker/platform/operations/index.ts';
import {stateOf} from '../../../../worker/platform/statuses.ts';
import {toArrival, toCurrency} from '../../../../worker/platform/to-payment.ts';
import {logLines} from '../../support/log-lines.ts';
import {clientWithTransport, failureOf, refusal, success} from '../../support/stub-transport.ts';

test.for(['javascript:alert(1)', 'data:text/html,x', 'JAVASCRIPT://pay.example/%0aalert(1)'])(
  'a reply that sends a vendor to %s is unreadable, because this is not a URL of a web page',
  async (redirectUrl) => {
    const shopper = {name: 'Örnek', phone: '5321234567', iban: 'TR33'};
    const back = {success_url: 'https://a.example', failure_url: 'https://a.example'};
    const vendor = {...shopper, ...back, successUrl: 'https://a.example', failureUrl: 'https://a.example'};
    const {client} = clientWithTransport(() => success({redirectUrl}));
    expect(await failureOf(client.call('vendorForm', {code: 'KTP', vendor_code: 'V', ...vendor}))).toMatchObject({
      outcome: 'unknown',
      fault: 'unreadable',
    });
  },
);

/** The operations of `/phs` that pages need. The tests of the merchant API cover the other operations. */
const INPUTS = {
  tokenGet: {merchant: '2042', key: 'k'},
  tokenCheck: {merchant: '2042', token: 't'},
  orderCodeCheck: {code: 'KTP', order: 'S-1'},
  orderCodeCreate: {code: 'KTP', order: 'S-1', amount: '1.00'},
  transactionGet: {id: '7'},
  transactionSearch: {code: 'KTP'},
  orderComplete: {code: 'KTP', order: 'S-1'},
  bankGetAll: {},
} satisfies {readonly [N in OperationName]?: OperationInput<N>};
type Tested = keyof typeof INPUTS;
const NAMES = Object.keys(INPUTS) as Tested[];

const NO_OVERRIDES = {transaction: {}, refund: {}, payment_notice: {}, charge: {}, subscription: {}};

const NO_TRANSACTION_DETAILS = {
  merchant: null,
  merchant_name: null,
  bank_id: null,
  service_id: null,
  service_name: null,
  service_code: null,
  user_name: null,
  remote_bank: null,
  remote_description: null,
  transaction_type: null,
  ref_no: null,
  bank_name: null,
  bank_code: null,
  code: null,
  currency: null,
  order_refno: null,
  transaction_date: null,
  create_time: null,
};
const NO_BANK_DETAILS = {
  company_name: null,
  branch_no: null,
  account_no: null,
  account_iban: null,
  update_time: null,
  currency: null,
  logo: null,
  bank_no: null,
};

test.for<[reply: string, name: Tested, body: string, output: unknown]>([
  [
    'a token in braces',
    'tokenGet',
    '{"status":"000","message":"Success","token":"{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}"}',
    {token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'},
  ],
  ['a success without a message', 'tokenCheck', '{"status":"000"}', {}],
  ['a success whose message is null', 'orderComplete', '{"status":"000","message":null}', {}],
  ['an order code as a number', 'orderCodeCreate', '{"status":"000","order":881200450017}', {order: '881200450017'}],
  [
    'an order code with leading zeros and letters',
    'orderCodeCreate',
    '{"status":"000","order":"00AB-12"}',
    {order: '00AB-12'},
  ],
  [
    'an order without a split',
    'orderCodeCheck',
    '{"status":"000","order":"881200450017"}',
    {order: '881200450017', payout: null, sub_merchant_id: null, fee: null},
  ],
  [
    'a split written as numbers and as text',
    'orderCodeCheck',
    '{"status":"000","order":"8","payout":140.00,"sub_merchant_id":77001,"fee":"null"}',
    {order: '8', payout: '140.00', sub_merchant_id: '77001', fee: null},
  ],
  [
    'every digit of ids larger than 2^53 and of amounts that are numbers',
    'transactionGet',
    '{"status":"000","transaction":{"id":98765432109876543210,"amount":149.90,"status":3,"code":881200450017,"order_refno":12345678901234567890}}',
    {
      transaction: {
        ...NO_TRANSACTION_DETAILS,
        id: '98765432109876543210',
        amount: '149.90',
        status: '3',
        code: '881200450017',
        order_refno: '12345678901234567890',
      },
    },
  ],
  [
    'the text "null" as null',
    'transactionGet',
    '{"status":"000","transaction":{"id":"7","amount":"1.00","status":"5","code":"null","order_refno":null,"bank_name":"null"}}',
    {transaction: {...NO_TRANSACTION_DETAILS, id: '7', amount: '1.00', status: '5'}},
  ],
  [
    'an unknown status',
    'transactionGet',
    '{"status":"000","transaction":{"id":7,"amount":"1.00","status":-99}}',
    {transaction: {...NO_TRANSACTION_DETAILS, id: '7', amount: '1.00', status: '-99'}},
  ],
  [
    'counts written as text, and unknown fields',
    'transactionSearch',
    '{"status":"000","recordsTotal":"12","recordsFiltered":"1","start":"0","length":"100","extra":[1],"data":[{"id":"7","amount":"1.00","mystery":{}}]}',
    {
      recordsTotal: 12,
      recordsFiltered: 1,
      data: {rows: [{...NO_TRANSACTION_DETAILS, id: '7', amount: '1.00'}], unreadable: 0},
    },
  ],
  [
    'a row without an amount next to a complete row',
    'transactionSearch',
    '{"status":"000","recordsFiltered":2,"data":[{"id":7,"amount":null},{"id":8,"amount":"1.00"}]}',
    {
      recordsTotal: null,
      recordsFiltered: 2,
      data: {
        rows: [
          {...NO_TRANSACTION_DETAILS, id: '7', amount: null},
          {...NO_TRANSACTION_DETAILS, id: '8', amount: '1.00'},
        ],
        unreadable: 0,
      },
    },
  ],
  [
    'an empty page after the last transaction',
    'transactionSearch',
    '{"status":"000","recordsFiltered":12,"data":[]}',
    {recordsTotal: null, recordsFiltered: 12, data: {rows: [], unreadable: 0}},
  ],
  [
    'rows without an id and a null row next to a complete row',
    'transactionSearch',
    '{"status":"000","recordsFiltered":4,"data":[{"amount":"1.00"},null,{"id":null},{"id":8,"amount":"1.00"}]}',
    {
      recordsTotal: null,
      recordsFiltered: 4,
      data: {rows: [{...NO_TRANSACTION_DETAILS, id: '8', amount: '1.00'}], unreadable: 3},
    },
  ],
  [
    'times with and without a zone',
    'transactionSearch',
    '{"status":"000","recordsFiltered":1,"data":[{"id":7,"amount":"1.00","transaction_date":"2026-11-21 15:42:07+03","create_time":"2026-11-21 15:42:08"}]}',
    {
      recordsTotal: null,
      recordsFiltered: 1,
      data: {
        rows: [
          {
            ...NO_TRANSACTION_DETAILS,
            id: '7',
            amount: '1.00',
            transaction_date: '2026-11-21T15:42:07+03:00',
            create_time: '2026-11-21T15:42:08+03:00',
          },
        ],
        unreadable: 0,
      },
    },
  ],
  ['an empty bank list', 'bankGetAll', '{"status":"000","banks":[]}', {banks: [], unreadable: 0}],
  [
    'a bank with few details',
    'bankGetAll',
    '{"status":"000","banks":[{"id":6,"code":"garanti","name":"Garanti BBVA","logo":"null","bank_no":62}]}',
    {banks: [{...NO_BANK_DETAILS, id: '6', code: 'garanti', name: 'Garanti BBVA', bank_no: '62'}], unreadable: 0},
  ],
  [
    'a bank without a name, next to banks without an id or a code',
    'bankGetAll',
    '{"status":"000","banks":[{"id":6,"code":"garanti","name":null},{"id":7,"name":"İş"},{"code":"","id":8},null]}',
    {banks: [{...NO_BANK_DETAILS, id: '6', code: 'garanti', name: 'garanti'}], unreadable: 3},
  ],
  ...[null, '', [], {}, 'null'].map((order): [string, Tested, string, unknown] => [
    `the code ${JSON.stringify(order)} as an unknown order`,
    'orderCodeCheck',
    success({order, payout: {}}),
    {order: null, payout: null, sub_merchant_id: null, fee: null},
  ]),
  ...[undefined, null, '', 'null', {}, []].map((data): [string, Tested, string, unknown] => [
    `the list ${JSON.stringify(data)} and an unreadable count as an empty list`,
    'transactionSearch',
    success({recordsFiltered: {}, data}),
    {recordsTotal: null, recordsFiltered: 0, data: {rows: [], unreadable: 0}},
  ]),
  ['a success whose message is an object', 'tokenCheck', '{"status":"000","message":{"tr":"Tamam"}}', {}],
  ['a byte order mark before the JSON', 'tokenCheck', '\uFEFF{"status":"000"}', {}],
  ['white space around the JSON', 'tokenCheck', '\r\n {"status":"000"}\n', {}],
])('the client reads %s', async ([, name, body, output]) => {
  const {client} = clientWithTransport(() => body);
  // The record has the id that was asked for.
  const id = /"transaction":\{"id":"?(\d+)/.exec(body)?.[1];
  const input = id === undefined ? INPUTS[name] : {id};
  expect(await client.call(name, input)).toEqual(output);
});

const REFUSALS: readonly [body: string, failure: object][] = [
  [refusal('ERR_005', 'Invalid Service'), {outcome: 'refused', status: 'ERR_005', message: 'Invalid Service'}],
  [refusal('ERR_002', 'IP Not Allow'), {outcome: 'refused', status: 'ERR_002', message: 'IP Not Allow'}],
  [refusal('400', 'Missing Parameter'), {outcome: 'refused', status: '400', message: 'Missing Parameter'}],
  ['{"status":404,"message":null}', {outcome: 'refused', status: '404', message: ''}],
  ['{"status":"ERR_777"}', {outcome: 'refused', status: 'ERR_777', message: ''}],
  ['{"status":"0","message":"Success"}', {outcome: 'refused', status: '0', message: 'Success'}],
  ['{"status":"000 ","message":"Success"}', {outcome: 'refused', status: '000 ', message: 'Success'}],
];

const UNREADABLE: readonly (string | (() => Response))[] = [
  '',
  ' ',
  'null',
  '[]',
  '"000"',
  '000',
  '{}',
  '{"status":null}',
  '{"status":{}}',
  '{"status":"000"',
  '{"message":"Success"}',
  '<!doctype html><h1>500</h1>',
  () => new Response(new Uint8Array([0xff, 0xfe, 0x00])),
];

const toReply = (body: string | (() => Response)) => (typeof body === 'string' ? body : body());

test.for(NAMES)('for %s, the client distinguishes a refusal from an unreadable reply', async (name) => {
  for (const [body, failure] of REFUSALS) {
    expect(await failureOf(clientWithTransport(() => body).client.call(name, INPUTS[name])), body).toEqual(failure);
  }
  for (const body of UNREADABLE) {
    expect(
      await failureOf(clientWithTransport(() => toReply(body)).client.call(name, INPUTS[name])),
      String(body),
    ).toEqual({
      outcome: 'unknown',
      fault: 'unreadable',
    });
  }
});

test('an HTML error page is an unreadable reply, and the failure contains the HTTP status', async () => {
  const {client} = clientWithTransport(
    () => new Response('<h1>Bad Gateway</h1>', {status: 502, headers: {'content-type': 'text/html'}}),
  );
  expect(await failureOf(client.call('orderCodeCheck', INPUTS.orderCodeCheck))).toEqual({
    outcome: 'unknown',
    fault: 'unreadable',
    httpStatus: 502,
  });
});

test.for<[reply: string, response: () => Response, failure: object]>([
  [
    'without a body and with the HTTP status 204',
    () => new Response(null, {status: 204}),
    {outcome: 'unknown', fault: 'no_content'},
  ],
  [
    'with FAILED and the code of a success',
    () => Response.json({response: {result: 'FAILED', resultCode: '0000'}}),
    {outcome: 'unknown', fault: 'unreadable'},
  ],
  [
    'with SUCCESS and the code of a failure',
    () => Response.json({response: {result: 'SUCCESS', resultCode: 'API_ERR_2005'}}),
    {outcome: 'unknown', fault: 'unreadable'},
  ],
  [
    'with FAILED, the code of a success and the HTTP status 409',
    () => Response.json({response: {result: 'FAILED', resultCode: '0000'}}, {status: 409}),
    {outcome: 'refused', status: 'HTTP_409', message: '', httpStatus: 409},
  ],
])('a reply of mobile billing %s is not a success', async ([, response, failure]) => {
  for (const name of ['subscriptionCancel', 'subscriptionGet'] as const) {
    expect(
      await failureOf(clientWithTransport(response).client.call(name, {serviceId: '31', subscriptionId: '4001'})),
      name,
    ).toEqual(failure);
  }
});

test.for<[name: Tested, bodies: string[]]>([
  ['tokenGet', [success(), success({token: null}), success({token: ''}), success({token: {}})]],
  ['orderCodeCreate', [success(), success({order: null}), success({order: {code: '1'}})]],
  ['transactionGet', [success(), success({transaction: null}), success({transaction: []})]],
  ['transactionSearch', [success({data: 'many'}), success({data: 7})]],
  ['bankGetAll', [success({banks: 'none'}), success({banks: [{name: 'İş'}]})]],
])('the outcome of %s is unknown when a reply reports success but lacks a required field', async ([name, bodies]) => {
  for (const body of bodies)
    expect(await failureOf(clientWithTransport(() => body).client.call(name, INPUTS[name])), body).toEqual({
      outcome: 'unknown',
      fault: 'unreadable',
    });
});

test('the client ignores the HTTP status of `/phs` and reads the body', async () => {
  for (const status of [200, 201, 400, 401, 404, 500, 503]) {
    const {client} = clientWithTransport(() => new Response(success({order: '8'}), {status}));
    expect(await client.call('orderCodeCreate', INPUTS.orderCodeCreate)).toEqual({order: '8'});
  }
});

test.for([301, 302, 303, 307, 308])('the client neither follows nor reads a redirect (%i)', async (status) => {
  const {client, sent} = clientWithTransport(
    () => new Response(success({order: '8'}), {status, headers: {location: 'https://elsewhere.example/'}}),
  );
  expect(await failureOf(client.call('orderCodeCreate', INPUTS.orderCodeCreate))).toEqual({
    outcome: 'unknown',
    fault: 'redirect',
  });
  expect(sent).toHaveLength(1);
});

test('the client stops reading a reply that is too long', async () => {
  let chunksSent = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunksSent += 1;
      controller.enqueue(new Uint8Array(100_000).fill(32));
    },
    cancel() {
      cancelled = true;
    },
  });
  expect(
    await failureOf(
      clientWithTransport(() => new Response(endless)).client.call('orderCodeCreate', INPUTS.orderCodeCreate),
    ),
  ).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(chunksSent).toBeLessThan(15);
  expect(cancelled).toBe(true);
});

test('a character is decoded even if its bytes arrive in separate chunks', async () => {
  const bytes = new TextEncoder().encode(success({banks: [{id: 7, code: 'isbank', name: 'İş Bankası'}]}));
  const byteByByte = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const {banks} = await clientWithTransport(() => new Response(byteByByte)).client.call('bankGetAll', {});
  expect(banks.map(({name}) => name)).toEqual(['İş Bankası']);
});

test('the log contains operation, status and duration, but not the platform’s message', async () => {
  const {client} = clientWithTransport(() => refusal('ERR_006', 'Invalid Transaction:7 of Ayşe Yılmaz'));
  await failureOf(client.call('transactionGet', {id: '7'}));
  expect(logLines()).toEqual([
    {level: 'info', event: 'platform_call', operation: 'transactionGet', platform_status: 'ERR_006', duration_ms: 0},
  ]);
});

const READ_AT = Date.UTC(2026, 10, 22);
const item = {...NO_TRANSACTION_DETAILS, id: '7', amount: '149.90', transaction_date: '2026-11-21 15:42:07+03'};
const arrival = {
  id: '7',
  amount: 14990,
  currency: 'TRY',
  bank: '',
  at: Date.UTC(2026, 10, 21, 12, 42, 7),
  state: 'unknown',
};

test.for<[title: string, change: object, arrival: object | null]>([
  ['a transaction becomes an arrival', {}, arrival],
  [
    'an arrival has the bank’s name',
    {bank_name: 'Garanti BBVA', bank_code: 'garanti'},
    {...arrival, bank: 'Garanti BBVA'},
  ],
  ['an arrival has the bank’s code if the bank has no name', {bank_code: 'garanti'}, {...arrival, bank: 'garanti'}],
  ['an arrival in TL is in TRY', {currency: 'TL'}, arrival],
  ['an arrival in a currency other than TL keeps its currency', {currency: 'EUR'}, {...arrival, currency: 'EUR'}],
  [
    'if the bank’s time is missing, the arrival has the time at which the platform recorded the transaction',
    {transaction_date: null, create_time: '2026-11-21 15:42:07'},
    {...arrival, timeUnknown: true},
  ],
  [
    'if the bank’s time is unreadable, the arrival has the time at which the platform recorded the transaction',
    {transaction_date: '21.11.2026', create_time: '2026-11-21 15:42:07'},
    {...arrival, timeUnknown: true},
  ],
  ['a transaction with a negative amount is not an arrival', {amount: '-149.90'}, null],
  ['a transaction with the amount 0 is not an arrival', {amount: '0.00'}, null],
])('%s', ([, change, expected]) => {
  expect(toArrival({...item, ...change}, READ_AT)).toEqual(expected);
  expect(logLines()).toEqual([]);
});

test.for<[transaction: string, change: object, arrival: object]>([
  ['without any time', {transaction_date: null}, {...arrival, at: READ_AT, timeUnknown: true}],
  ['with an unreadable amount', {amount: '149,90'}, {...arrival, amount: null}],
  ['without an amount', {amount: null}, {...arrival, amount: null}],
])('a transaction %s is an arrival, and the log names the transaction', ([, change, expected]) => {
  expect(toArrival({...item, ...change}, READ_AT)).toEqual(expected);
  expect(logLines()).toEqual([{level: 'error', event: 'transaction_unreadable', transaction: '7'}]);
});

test('a status has its observed name or a configured name, and every other status is `unknown`', () => {
  expect(['1', '2', '3', '5', '6', '8'].map((status) => stateOf('transaction', status, NO_OVERRIDES))).toEqual([
    'processing',
    'not_notified',
    'successful',
    'awaiting_approval',
    'refunded',
    'partial',
  ]);
  for (const status of ['0', '4', '7', '-1', '99', 'toString', '__proto__', 'constructor', ''])
    expect(stateOf('transaction', status, NO_OVERRIDES), status).toBe('unknown');
  expect(stateOf('transaction', '3', {...NO_OVERRIDES, transaction: {'3': 'refunded'}})).toBe('refunded');
});

test('money without a currency is in TRY, however the platform writes lira', () => {
  expect([null, '', 'TL', 'tl ', 'TRY', 'try', '₺', 'usd'].map(toCurrency)).toEqual([...Array(7).fill('TRY'), 'USD']);
});
