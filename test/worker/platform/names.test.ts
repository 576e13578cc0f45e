/** Tests that the client believes only records that are what it asked for, in every operation that has them. */

import {beforeEach, expect, test} from 'vitest';
import {type OperationInput, type OperationName, operations} from '../../../worker/platform/operations/index.ts';
import {captureLog, checkLog, logLines} from '../support/log-lines.ts';
import {clientWithTransport, failureOf, success} from '../support/stub-transport.ts';

beforeEach(captureLog);

/** `BASIC` and `GOLD` are codes of one service of mobile billing. */
const of = {
  merchant: {id: '2042'},
  services: new Map([
    ['BASIC', {micropaymentId: '31'}],
    ['GOLD', {micropaymentId: '31'}],
    ['OTHER', {micropaymentId: '32'}],
    ['77', {micropaymentId: '78'}],
    ['78', {micropaymentId: null}],
    ['PLAIN', {micropaymentId: null}],
    ['demo', {micropaymentId: '041'}],
    ['twin', {micropaymentId: '51'}],
    ['TWIN', {micropaymentId: '52'}],
  ]),
};

const call = <N extends OperationName>(name: N, input: OperationInput<N>, reply: object) =>
  clientWithTransport(
    () =>
      operations[name].interface === 'micropayment'
        ? JSON.stringify({response: {result: 'SUCCESS', resultCode: '0000'}, ...reply})
        : success(reply),
    {of},
  ).client.call(name, input);

const ID = '4001';
const billed = {serviceId: '31', search: [], sort: []};

/** Each operation whose reply has one record: its input, the record's place, the fields that name the input. */
const RECORDS: readonly [OperationName, object, (record: object) => object, object][] = [
  [
    'subscriptionGet',
    {serviceId: '31', subscriptionId: ID},
    (subscription) => ({subscription}),
    {id: 4001, service: 31},
  ],
  [
    'subscriptionCancel',
    {serviceId: '31', subscriptionId: ID},
    (subscription) => ({subscription}),
    {id: 4001, service: 31},
  ],
  ['chargeGet', {serviceId: '31', transactionId: ID}, (transaction) => ({transaction}), {id: 4001, service: 31}],
  // These records may be of another kind, with an id of their own.
  ['chargeGet', {serviceId: '31', transactionId: ID}, (other) => ({subscription: {id: 9, ...other}}), {service: 31}],
  ['chargeRefund', {serviceId: '31', transactionId: ID}, (other) => ({subscription: {id: 9, ...other}}), {service: 31}],
  ['chargeRefund', {serviceId: '31', transactionId: ID}, (other) => ({transaction: {id: 9, ...other}}), {service: 31}],
  ['transactionGet', {id: ID}, (transaction) => ({transaction}), {id: 4001, merchant: 2042}],
  ['paymentNotificationGet', {id: ID}, (paymentNotification) => ({paymentNotification}), {id: 4001, merchant: 2042}],
  ['refundGet', {id: ID}, (data) => ({data}), {id: 4001, merchant_id: 2042}],
];
const LISTS: readonly [OperationName, object, string, object][] = [
  ['subscriptionSearch', billed, 'subscriptions', {service: 31}],
  ['chargeSearch', billed, 'transactions', {service: 31}],
  ['messageSearch', billed, 'messages', {service: 31}],
  ['transactionSearch', {code: 'BASIC'}, 'data', {service_code: 'BASIC', merchant: 2042}],
  ['refundGetByOrder', {order: 'S-1'}, 'data', {merchant_id: 2042}],
];

test('every operation whose reply has records is in these tables', () => {
  const named = Object.entries(operations).filter(([, {names}]) => Object.keys(names).length > 0);
  expect(named.map(([name]) => name).toSorted()).toEqual(
    [...new Set([...RECORDS, ...LISTS].map(([name]) => name))].toSorted(),
  );
});

const NOT_FOUND = {micropayment: {status: 'HTTP_404', httpStatus: 404}, other: {status: 'ERR_006'}};

test.for(RECORDS)('%s with %j fails if its record names something else', async ([name, input, place, names]) => {
  const ask = (record: object) => call(name, input as never, place(record));
  const {interface: by, effect} = operations[name];
  const expected =
    effect === 'read'
      ? {outcome: 'refused', message: '', ...NOT_FOUND[by === 'micropayment' ? by : 'other']}
      : {outcome: 'unknown', fault: 'unreadable'};
  await expect(ask(names)).resolves.toBeTruthy();
  for (const field of Object.keys(names)) {
    for (const other of [4002, '4002', '04002', 310, 32])
      expect([field, other, await failureOf(ask({...names, [field]: other}))]).toEqual([field, other, expected]);
    expect(logLines().at(-1)).toMatchObject({level: 'warn', operation: name, fault: 'not_asked_for'});
    const spelled = `00${String((names as Record<string, unknown>)[field])}`;
    await expect(ask({...names, [field]: spelled})).resolves.toBeTruthy();
    if (field === 'id') continue;
    for (const missing of [undefined, null, '', 'null', 0, '0', false, [], {}])
      await expect(ask({...names, [field]: missing})).resolves.toBeTruthy();
  }
  checkLog();
});

test.for(LISTS)('%s with %j leaves out the rows that name something else, and says how many', async (row) => {
  const [name, input, place, names] = row;
  const others: object[] = [];
  for (const field of Object.keys(names))
    others.push({id: 2, ...names, [field]: field === 'service_code' ? 'OTHER' : 33});
  const rows = [{id: 1, ...names}, ...others, {id: 3}, {}];
  const {[place]: found, ...more} = (await call(name, input as never, {[place]: rows})) as Record<string, unknown>;
  expect(found).toMatchObject({rows: [{id: '1'}, {id: '3'}], unreadable: 1, others: others.length});
  // The totals count all rows, because a search is read on after them.
  if (name === 'transactionSearch') expect(more).toMatchObject({recordsFiltered: rows.length});
  expect(logLines().at(-1)).toMatchObject({
    level: 'warn',
    operation: name,
    fault: 'not_asked_for',
    rows: others.length,
  });
});

test.for<[unknown, boolean]>([
  ['31', true],
  [31, true],
  ['031', true],
  ['BASIC', true],
  ['GOLD', true],
  [' gold ', true],
  ['basıc', true],
  ['OTHER', false],
  ['PLAIN', false],
  ['unknown', false],
  ['constructor', false],
  [32, false],
])('a subscription of the service 31 may name the service %j: %s', ([service, isSame]) =>
  expectSubscription('31', service, isSame),
);

test.for<[string, unknown, boolean]>([
  // The configuration of this service has a zero in front of its number.
  ['041', 41, true],
  ['041', 'Demo', true],
  ['41', '041', true],
  ['41', 'DEMO', true],
  ['041', 'twin', false],
  // A code of digits is a code, too.
  ['78', 77, true],
  // If two codes differ only in their case, only a third spelling may be either of them.
  ['51', 'twin', true],
  ['51', 'TWIN', false],
  ['51', 'Twin', true],
  ['52', 'Twin', true],
])('a subscription of the service %s may name the service %j: %s', ([serviceId, service, isSame]) =>
  expectSubscription(serviceId, service, isSame),
);

async function expectSubscription(serviceId: string, service: unknown, isSame: boolean) {
  const reply = call('subscriptionGet', {serviceId, subscriptionId: ID}, {subscription: {id: ID, service}});
  await (isSame ? expect(reply).resolves.toBeTruthy() : expect(reply).rejects.toThrow('refused'));
}

test.for<[string, unknown, boolean]>([
  ['BASIC', 'BASIC', true],
  ['BASIC', ' basic', true],
  ['demo', 'DEMO', true],
  ['demo', 'DEMO2', false],
  ['twin', 'Twin', true],
  ['twin', 'TWIN', false],
  ['twin', ' TWIN ', false],
  ['BASIC', 'GOLD', false],
  ['BASIC', '  ', true],
  // Nobody says that the numbers here are those of mobile billing.
  ['BASIC', 31, true],
  ['BASIC', 32, true],
  ['PLAIN', 31, true],
  ['PLAIN', 9001, true],
  ['77', '77', true],
  ['77', '077', true],
  ['77', 78, false],
])('a transaction of the service %j may name the service %j: %s', async ([code, service_code, isSame]) => {
  const {data} = await call('transactionSearch', {code}, {data: [{id: 1, service_code}]});
  expect(data.rows).toHaveLength(isSame ? 1 : 0);
});

test('a merchant’s name in place of its id contradicts nothing', async () => {
  const named = await call('transactionGet', {id: ID}, {transaction: {id: ID, merchant: 'Lamba AŞ'}});
  expect(named.transaction.merchant).toBe('Lamba AŞ');
});

test.for(['lastTransaction', 'lastSuccessfulTransaction'])(
  'a subscription whose %s is of another service is not believed, whatever its own id is',
  async (inner) => {
    const ask = (service: number) =>
      call(
        'subscriptionGet',
        {serviceId: '31', subscriptionId: ID},
        {subscription: {id: ID, [inner]: {id: 9, service}}},
      );
    await expect(ask(32)).rejects.toThrow('refused');
    await expect(ask(31)).resolves.toMatchObject({subscription: {[inner]: {id: '9'}}});
  },
);

test('a landing interface with ids of its own may answer a cancellation with one', async () => {
  const reply = call('landingSubscriptionCancel', {subscription: ID}, {subscription: {id: 9}});
  await expect(reply).resolves.toMatchObject({subscription: {id: '9'}});
});

const askCharge = (service: number) =>
  call('chargeGet', {serviceId: '31', transactionId: ID}, {transaction: {id: ID, subscription: {id: 9, service}}});

test('a charge whose subscription is of another service is not believed', async () => {
  await expect(askCharge(32)).rejects.toThrow('refused');
  await expect(askCharge(31)).resolves.toMatchObject({transaction: {subscription: {id: '9'}}});
});

test('a refusal repeats no subscription of another service', async () => {
  const response = {result: 'FAILED', resultCode: 'API_ERR_2005', resultDescription: ''};
  const refuse = (service: unknown) =>
    failureOf(
      clientWithTransport(
        () => Response.json({response, subscription: {id: 4001, status: 'cancelled', service}}, {status: 409}),
        {of},
      ).client.call('subscriptionCancel', {serviceId: '31', subscriptionId: ID}),
    );
  expect(await refuse(31)).toMatchObject({subscription: {id: ID, status: 'cancelled'}});
  expect(await refuse(32)).not.toHaveProperty('subscription');
});
