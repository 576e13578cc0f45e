/** Tests that the answer to an invalid input lists the paths of the wrong fields, and that nothing is sent. */

import {afterEach, expect, test} from 'vitest';
import type {EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import {ask, call, expectProblem, fieldsOf, newKey} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

afterEach(async () => expect(await platformCalls()).toEqual([]));

const order = {service: 'DEMO', order: 'S-1', amount: '1.00'};
const split = {payout: '0.80', sub_merchant_id: 31, fee: '0.20'};
const refund = {...order, contact: {name: 'D', iban: 'TR33'}};
const pin = {product: 77, operator: 1, msisdn: '5321234567', user_ip: '192.0.2.7', tracking_id: 't'};
const subscribe = {...pin, pin: '1234'};
const page = {
  service: 'DEMO',
  reference: 'R',
  item: 'I',
  price: '1.00',
  success_url: 'https://shop.example/ok',
  failure_url: 'https://shop.example/no',
};
const vendor = {
  kind: 'vendor',
  origin: 'http://localhost:5173',
  service: 'DEMO',
  vendor_code: 'V-7',
  name: 'Ada Seramik',
  phone: '0532 123 45 67',
  iban: 'TR330006100519786457841326',
};

const WRONG_FIELDS: readonly (readonly [name: EndpointName, input: object, fields: readonly string[]])[] = [
  ['createOrderCode', {}, ['service', 'order', 'amount']],
  ['createOrderCode', {...order, amount: 1}, ['amount']],
  ['createOrderCode', {...order, amount: '-1.00'}, ['amount']],
  ['createOrderCode', {...order, amount: '1.001'}, ['amount']],
  ['createOrderCode', {...order, amount: '1e3'}, ['amount']],
  ['createOrderCode', {...order, amount: '1,00'}, ['amount']],
  ['createOrderCode', {...order, amount: ' 1.00'}, ['amount']],
  ['createOrderCode', {...order, amount: '00.10'}, ['amount']],
  ['createOrderCode', {...order, amount: '0.00'}, ['amount']],
  ['createOrderCode', {...order, amount: '1234567890123.00'}, ['amount']],
  ['createOrderCode', {...order, order: ''}, ['order']],
  ['createOrderCode', {...order, order: 'x'.repeat(256)}, ['order']],
  ['createOrderCode', {...order, order: 'a\u0000b'}, ['order']],
  ['createOrderCode', {...order, order: '\ud800'}, ['order']],
  ['createOrderCode', {...order, order: ['S-1']}, ['order']],
  ['createOrderCode', {...order, user_id: 'u'.repeat(33)}, ['user_id']],
  ['createOrderCode', {...order, user_id: '👍'.repeat(33)}, ['user_id']],
  ['createOrderCode', {...order, payout: '0.90'}, ['sub_merchant_id', 'fee']],
  ['createOrderCode', {...order, payout: '0.90', fee: '0.10'}, ['sub_merchant_id']],
  ['createHostedOrderCode', {...order, sub_merchant_id: 31, payout: '0.90'}, ['fee']],
  [
    'createSession',
    {kind: 'payment', origin: 'http://localhost:5173', ...order, payout: '0.90'},
    ['sub_merchant_id', 'fee'],
  ],
  ['createOrderCode', {...order, ...split, sub_merchant_id: 'abc'}, ['sub_merchant_id']],
  ['createOrderCode', {...order, ...split, sub_merchant_id: 2 ** 53}, ['sub_merchant_id']],
  ['createOrderCode', {...order, ...split, sub_merchant_id: -1}, ['sub_merchant_id']],
  ['createOrderCode', {...order, ...split, fee: '-0.10'}, ['fee']],
  ['createOrderCode', {...order, notice: {}}, ['notice']],
  ['createOrderCode', {...order, payOut: '1'}, ['payOut']],
  ['createHostedOrderCode', {...order, notice: {age: 3}}, ['notice.age']],
  ['createHostedOrderCode', {...order, notice: {apply_time: '2026-02-30T10:00:00+03:00'}}, ['notice.apply_time']],
  ['createHostedOrderCode', {...order, notice: {user_ip: '999.1.1.1'}}, ['notice.user_ip']],
  ['createHostedOrderCode', {...order, redirect_url: 'javascript:alert(1)'}, ['redirect_url']],
  ['createRefund', {...order}, ['contact']],
  ['createRefund', {...refund, contact: {name: 'D'}}, ['contact.iban']],
  ['createRefund', {...refund, contact: {name: 'D', iban: 'TR33', bic: 'x'}}, ['contact.iban', 'contact.bic']],
  ['createPaymentNotice', {...order}, ['bank']],
  ['getTransaction', {id: 'abc'}, ['id']],
  ['getTransaction', {id: '-1'}, ['id']],
  ['getTransaction', {id: '1'.repeat(21)}, ['id']],
  ['getTransaction', {id: '1', extra: 'x'}, ['extra']],
  ['findOrderCode', {service: 'DEMO'}, ['order']],
  ['findOrderCode', {service: 'DEMO', order: 'S', x: '1'}, ['x']],
  ['listRefunds', {}, ['order']],
  ['searchTransactions', {service: 'DEMO', start_date: '2026-02-30'}, ['start_date']],
  [
    'searchTransactions',
    {service: 'DEMO', start_date: '0000-01-01', end_date: '9999-12-31'},
    ['start_date', 'end_date'],
  ],
  ['createHostedOrderCode', {...order, notice: {apply_time: '9999-12-31T23:59:59-12:00'}}, ['notice.apply_time']],
  ['createHostedOrderCode', {...order, notice: {apply_time: '0000-01-01T00:00:00+14:00'}}, ['notice.apply_time']],
  ['searchTransactions', {service: 'DEMO', start_date: '21.11.2026'}, ['start_date']],
  ['searchTransactions', {service: 'DEMO', start_date: '2026-11-22', end_date: '2026-11-21'}, ['end_date']],
  ['searchTransactions', {service: 'DEMO', limit: 0}, ['limit']],
  ['searchTransactions', {service: 'DEMO', limit: 1001}, ['limit']],
  ['searchTransactions', {service: 'DEMO', limit: '10'}, ['limit']],
  ['searchTransactions', {service: 'DEMO', status: []}, ['status']],
  ['searchTransactions', {service: 'DEMO', amount: {operator: '!=', value: '1'}}, ['amount.operator']],
  ['searchTransactions', {service: 'DEMO', transaction_date: '2026-11-21 10:00:00'}, ['transaction_date']],
  ['searchTransactions', {service: 'DEMO', cursor: 'nonsense'}, ['cursor']],
  ['searchTransactions', {service: 'DEMO', cursor: 'MS4wLmFiYw'}, ['cursor']],
  ['searchCharges', {service: 'DEMO', limit: 101}, ['limit']],
  ['searchCharges', {service: 'DEMO', search: Array.from({length: 4}, () => ({column: 'id', term: '1'}))}, ['search']],
  ['searchCharges', {service: 'DEMO', sort: Array.from({length: 4}, () => ({column: 'id', asc: true}))}, ['sort']],
  ['searchCharges', {service: 'DEMO', sort: [{column: 'id', asc: 'yes'}]}, ['sort.0.asc']],
  ['searchMessages', {service: 'DEMO', search: [{column: 'id'}]}, ['search.0.term']],
  ['generatePin', {...pin, msisdn: '05321234567'}, ['msisdn']],
  ['generatePin', {...pin, msisdn: '4321234567'}, ['msisdn']],
  ['generatePin', {...pin, operator: 8}, ['operator']],
  ['generatePin', {...pin, operator: 0}, ['operator']],
  ['generatePin', {...pin, user_ip: 'home'}, ['user_ip']],
  ['requestSubscription', {...subscribe, pin: 1234}, ['pin']],
  ['addActivity', {type: 'left', product: 77, tracking_id: 't'}, ['type']],
  [
    'addActivity',
    {type: 'visit', product: 77, tracking_id: 't', url: 'u', user_ip: '192.0.2.7', browser: 'b'},
    ['referer'],
  ],
  ['createPaymentPage', {...page, price: 30}, ['price']],
  ['createPaymentPage', {...page, trial_days: 0}, ['trial_days']],
  ['createPaymentPage', {...page, success_url: '/ok'}, ['success_url']],
  ['createVendorForm', {service: 'DEMO'}, ['vendor_code', 'name', 'phone', 'iban', 'success_url', 'failure_url']],
  ['createSession', {...vendor, phone: '123', iban: 'TR00'}, ['phone', 'iban']],
  ['createSession', {...vendor, phone: '0212 123 45 67'}, ['phone']],
  ['createSession', {...vendor, iban: 'TR340006100519786457841326'}, ['iban']],
  ['createSession', {kind: 'payment', origin: 'http://localhost:5173/', ...order}, ['origin']],
  ['createSession', {kind: 'payment', origin: '', ...order}, ['origin']],
  ['createSession', {kind: 'gift', origin: 'http://localhost:5173'}, ['kind']],
  ['createSession', {kind: 'payment', origin: 'http://localhost:5173', ...order, product: 1}, ['product']],
  [
    'createSession',
    {
      kind: 'subscription',
      origin: 'http://localhost:5173',
      product: 77,
      price: '12.00',
      period: 'weekly',
      title: {tr: 'a'},
      terms: {tr: 'a', en: 'b'},
      operators: [{id: 9, name: 'x'}],
    },
    ['title.en', 'operators.0.id'],
  ],
];

test('an answer lists the paths of the wrong fields, with a sentence for each', async () => {
  for (const [name, input, fields] of WRONG_FIELDS) {
    const answer = await call(name, input);
    const {code, fields: wrong = []} = answer.body as {code: string; fields?: {message: string}[]};
    expect([answer.status, code, fieldsOf(answer).sort()], answer.text).toEqual([
      422,
      'invalid_request',
      [...fields].sort(),
    ]);
    expect(wrong.filter(({message}) => !/^(?!Invalid)[A-Z1-9].*\.$/.test(message))).toEqual([]);
  }
});

const EITHER = 'This field or its alternative is missing.';

const MESSAGES: readonly (readonly [name: EndpointName, input: object, fields: Record<string, string>])[] = [
  [
    'createOrderCode',
    {},
    {service: 'This field is missing.', order: 'This field is missing.', amount: 'This field is missing.'},
  ],
  [
    'createOrderCode',
    {...order, order: 1, user_id: 'u'.repeat(33)},
    {order: 'Expected text.', user_id: 'Expected at most 32 characters.'},
  ],
  ['createOrderCode', {...order, order: ''}, {order: 'This field is empty.'}],
  [
    'createOrderCode',
    {...order, ...split, amount: '100000000', fee: '99999999999.99'},
    {amount: 'Expected at most 99999999.99.', fee: 'Expected at most 99999999.99.'},
  ],
  [
    'createOrderCode',
    {...order, payout: '0.90', fee: '0.10'},
    {sub_merchant_id: 'A split needs payout, sub_merchant_id and fee.'},
  ],
  ['searchTransactions', {service: 'DEMO', amount: 10}, {amount: 'Expected text or a list or an object.'}],
  ['searchTransactions', {service: 'DEMO', status: 1.5}, {status: 'Expected a whole number or a list.'}],
  ['searchTransactions', {service: 'DEMO', status: []}, {status: 'Expected at least 1 item.'}],
  [
    'searchTransactions',
    {service: 'DEMO', amount: {operator: '!=', value: '1'}},
    {'amount.operator': 'Expected one of <, >, <=, >=, =.'},
  ],
  ['searchTransactions', {service: 'DEMO', limit: 0}, {limit: 'Expected at least 1.'}],
  [
    'searchTransactions',
    {service: 'DEMO', start_date: '21.11.2026', transaction_date: 'now'},
    {
      start_date: 'Expected an existing date, formatted YYYY-MM-DD.',
      transaction_date: 'Expected an existing time with an offset (RFC 3339), such as 2026-11-21T15:42:00+03:00.',
    },
  ],
  [
    'searchCharges',
    {service: true, sort: [{column: 'id', asc: 'yes'}]},
    {service: 'Expected text or a number.', 'sort.0.asc': 'Expected true or false.'},
  ],
  ['generatePin', {...pin, user_ip: 'home'}, {user_ip: 'Expected an IP address.'}],
  [
    'createHostedOrderCode',
    {...order, redirect_url: 'javascript:alert(1)'},
    {redirect_url: 'Expected a URL that begins with https:// or http://.'},
  ],
  ['createSession', {origin: 'http://localhost:5173'}, {kind: 'This field is missing.'}],
  [
    'createSession',
    {kind: 'gift', origin: 'http://localhost:5173'},
    {kind: 'Expected one of payment, subscription, management, vendor.'},
  ],
  [
    'addActivity',
    {type: 'visit', product: 77, tracking_id: 't'},
    {
      url: 'This field is missing.',
      user_ip: 'This field is missing.',
      browser: 'This field is missing.',
      referer: 'This field is missing.',
    },
  ],
  [
    'addActivity',
    {type: 'left', product: 77, tracking_id: 't'},
    {type: 'Expected one of visit, subscribe_clicked, confirm_clicked.'},
  ],
  [
    'requestSubscription',
    {product: 77, user_ip: '192.0.2.7', tracking_id: 't'},
    {operator: EITHER, msisdn: EITHER, pin: EITHER, number_token: EITHER},
  ],
  ['requestSubscription', pin, {pin: EITHER, number_token: EITHER}],
];

test('an answer says what is wrong with each field', async () => {
  for (const [name, input, fields] of MESSAGES)
    expectProblem(await call(name, input), 'invalid_request', {
      fields: Object.entries(fields).map(([path, message]) => ({path, message})),
    });
});

const UNKNOWN_SERVICES: readonly (readonly [name: EndpointName, input: object])[] = [
  ['createOrderCode', {...order, service: 'OTHER'}],
  ['findOrderCode', {service: 'constructor', order: 'S'}],
  ['createOrderCode', {...order, service: '1'}],
  ['searchTransactions', {service: '__proto__'}],
  ['getSubscription', {service: 'OTHER', id: '1'}],
  ['getSubscription', {service: '2', id: '1'}],
  ['searchCharges', {service: 2}],
  ['createPaymentPage', {...page, service: 'OTHER'}],
  ['createSession', {kind: 'payment', origin: 'http://localhost:5173', ...order, service: 'OTHER'}],
  [
    'createSession',
    {kind: 'management', origin: 'http://localhost:5173', via: 'micropayment', service: 'OTHER', subscription: '1'},
  ],
];

test('an unknown service is refused', async () => {
  for (const [name, input] of UNKNOWN_SERVICES)
    expectProblem(await call(name, input), 'unknown_service', {
      fields: [{path: 'service', message: 'SERVICES does not include this service.'}],
    });
});

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  ask('/merchant/v1/order-codes', {
    method: 'POST',
    headers: {'idempotency-key': newKey(), 'content-type': 'application/json', ...headers},
    body,
  });

const NOT_JSON = {status: 400, fields: [{path: '', message: 'The body is not JSON (application/json).'}]};
const validBody = JSON.stringify(order);

const BODIES: readonly (readonly [content: string, body: BodyInit, headers: Record<string, string>])[] = [
  ['truncated JSON', '{"service":"DEMO"', {}],
  ['plain text', 'hello', {}],
  ['a form', 'service=DEMO', {'content-type': 'application/x-www-form-urlencoded'}],
  ['JSON with the content type text/plain', validBody, {'content-type': 'text/plain'}],
  [
    'JSON whose content type names an encoding other than UTF-8',
    validBody,
    {'content-type': 'application/json; charset=iso-8859-9'},
  ],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xfe, 0xff, 0x22, 0x7d]), {}],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), {}],
];

test('a body is refused if its content or its type is not JSON in UTF-8', async () => {
  for (const [content, body, headers] of BODIES) {
    const answer = await post(body, headers);
    expect(answer.status, content).toBe(400);
    expectProblem(answer, 'invalid_request', NOT_JSON);
  }
});

test('a content type that names UTF-8 is accepted, and so is a byte order mark', async () => {
  expect(fieldsOf(await post('\uFEFF{}', {'content-type': 'application/json; charset=UTF-8'}))).toEqual([
    'service',
    'order',
    'amount',
  ]);
});

test('a body that is not an object is refused', async () => {
  for (const body of ['[null]', 'null', '3', '"text"', '[[{}]]'])
    expectProblem(await post(body), 'invalid_request', {
      fields: [{path: '', message: 'The body is not a JSON object.'}],
    });
});

/** PHP writes an empty table as an empty list. */
const EMPTY_TABLES: readonly (readonly [name: EndpointName, input: object, fields: readonly string[]])[] = [
  ['createRefund', {...order, contact: []}, ['contact.name', 'contact.iban']],
  ['createOrderCode', {...order, order: 1, title: [], seller: []}, ['order', 'seller.name', 'title.en', 'title.tr']],
  ['createOrderCode', {...order, order: 1, metadata: [], extra: [], prefill: []}, ['order']],
  ['createHostedOrderCode', {...order, order: 1, notice: []}, ['order']],
  [
    'putOffer',
    {id: 'lamp', kind: 'payment', service: 'DEMO', amount: '1', title: {tr: 'a', en: 'b'}, theme: [], order: 1},
    ['order'],
  ],
  ['searchCharges', {service: 'DEMO', search: [], sort: [[]]}, ['sort.0.asc', 'sort.0.column']],
  [
    'searchTransactions',
    {service: 'DEMO', amount: [], status: [], bank_id: '6', transaction_date: []},
    ['amount', 'status', 'transaction_date'],
  ],
  ['createOrderCode', {...order, metadata: [[]]}, ['metadata']],
  ['createOrderCode', {...order, metadata: {cart: []}}, ['metadata.cart']],
];

test('an empty list is an empty table where a table is expected, and a list where a list is', async () => {
  for (const [name, input, fields] of EMPTY_TABLES) {
    const wrong = fieldsOf(await call(name, input));
    expect(wrong.toSorted(), name).toEqual([...fields].sort());
  }
  expect(fieldsOf(await post('[ ]'))).toEqual(['service', 'order', 'amount']);
});

test('deeply nested and huge JSON is refused', async () => {
  expect((await post(`{"order":${'['.repeat(8000)}${']'.repeat(8000)}}`)).status).toBe(422);
  expect((await post('{"order":'.repeat(1500) + '1' + '}'.repeat(1500))).status).toBe(422);
  expectProblem(await post(JSON.stringify({order: 'x'.repeat(20_000)})), 'too_large');
  expectProblem(
    await post(
      new ReadableStream({pull: (controller) => controller.enqueue(new Uint8Array(4096).fill(32))}) as BodyInit,
    ),
    'too_large',
  );
});

test('a field that belongs in the path is refused in the body', async () => {
  const answer = await ask('/merchant/v1/charges/DEMO/1/refund', {
    method: 'POST',
    headers: {'idempotency-key': newKey()},
    body: '{"id":"2"}',
  });
  expectProblem(answer, 'invalid_request', {fields: [{path: 'id', message: 'This field is already in the path.'}]});
});

test('repeated, malformed and unexpected query fields are refused', async () => {
  expect(fieldsOf(await ask('/merchant/v1/refunds?order=a&order=b'))).toEqual(['order']);
  expect((await ask('/merchant/v1/refunds?order=%FF')).status).toBe(400);
  expect((await ask('/merchant/v1/transactions/%FF')).status).toBe(400);
  expect(fieldsOf(await ask('/merchant/v1/banks?all=1'))).toEqual(['all']);
  const write = await ask('/merchant/v1/orders/complete?service=DEMO&order=S-1', {
    method: 'POST',
    headers: {'idempotency-key': newKey()},
    body: '{"service": "DEMO", "order": "S-2"}',
  });
  expect(fieldsOf(write)).toEqual(['service', 'order']);
});

test('a cancellation refuses an id that looks like a mobile number, and a reset refuses all other texts', async () => {
  const refusal = await call('cancelSubscription', {service: 'DEMO', id: '5321234567'});
  expectProblem(refusal, 'test_number_refused', {fields: [{path: 'id', message: 'This looks like a mobile number.'}]});
  for (const msisdn of ['4001', '53212345678', '532123456', '4321234567', '5 321 234 56']) {
    expectProblem(await call('resetTestNumber', {service: 'DEMO', msisdn}), 'number_invalid', {
      fields: [{path: 'msisdn', message: 'Expected ten digits that begin with 5.'}],
    });
  }
});
