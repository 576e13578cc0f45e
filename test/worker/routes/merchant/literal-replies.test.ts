/**
 * Tests what the merchant API answers to replies that were written by hand from `docs/spec/`. These replies come
 * neither from the sandbox nor from the Worker, so a test fails here even if both misread the spec in the same way.
 */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {endpoints, type EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import {formatInstant} from '../../../../worker/lib/time.ts';
import {type OperationInput, type OperationName, operations} from '../../../../worker/platform/operations/index.ts';
import landing from '../../platform/operations/replies/landing.md?raw';
import mobileBilling from '../../platform/operations/replies/mobile-billing.md?raw';
import orders from '../../platform/operations/replies/orders.md?raw';
import refunds from '../../platform/operations/replies/refunds.md?raw';
import statuses from '../../platform/operations/replies/statuses.md?raw';
import transactions from '../../platform/operations/replies/transactions.md?raw';
import {readCases, readTable, replyWith} from '../../support/literal-replies.ts';
import {clientWithTransport} from '../../support/stub-transport.ts';
import {call} from './support/merchant-server.ts';

const TEN_MINUTES_MS = 600_000;

const FILES = {orders, transactions, refunds, mobileBilling, landing};

const casesIn = (file: string) =>
  readCases(file, {
    payment_page_url: contextOf(env).config.hostedUrl ?? '',
    'in ten minutes': formatInstant(Date.now() + TEN_MINUTES_MS),
  });

/** The endpoint that calls an operation; undefined for the operations of the platform token. */
const endpointOf = (operation: string): EndpointName | undefined =>
  (Object.keys(endpoints) as EndpointName[]).find((name) => endpoints[name].operation === operation);

test('each of the 30 operations has a reply that was written by hand', () => {
  expect(
    [
      ...new Set(
        Object.values(FILES)
          .flatMap(casesIn)
          .map(({operation}) => operation),
      ),
    ].sort(),
  ).toEqual(Object.keys(operations).sort());
});

test.for(Object.keys(FILES) as (keyof typeof FILES)[])('each reply about %s gets its answer', async (file) => {
  for (const {operation, title, input, replies, answer} of casesIn(FILES[file])) {
    const endpoint = endpointOf(operation);
    if (endpoint === undefined) {
      const {client} = clientWithTransport(() => replies[0]?.text ?? '');
      const name = operation as OperationName;
      expect(await client.call(name, input as OperationInput<typeof name>), title).toEqual(answer);
      continue;
    }
    const called = replyWith(replies);
    const {body, text} = await call(endpoint, input);
    expect(body, `${operation}: ${title}: ${text}`).toEqual(answer);
    // After a subscription request, the Worker also searches for the new subscription.
    expect(called.slice(0, replies.length), title).toEqual(replies.map(({path}) => path));
  }
});

/** A record of each kind, as short as the contract allows, and how the merchant API reads it. */
const RECORDS = {
  transaction: {
    path: '/phs/transaction/get',
    reply: (status: string) => `{"status":"000","message":"Success","transaction":{"id":7,"status":${status}}}`,
    read: () => call('getTransaction', {id: '7'}),
  },
  refund: {
    path: '/phs/refund/get',
    reply: (status: string) => `{"status":"000","message":"Success","data":{"id":7,"status":${status}}}`,
    read: () => call('getRefund', {id: '7'}),
  },
  payment_notice: {
    path: '/phs/paymentNotification/get',
    reply: (status: string) => `{"status":"000","message":"Success","paymentNotification":{"id":7,"status":${status}}}`,
    read: () => call('getPaymentNotice', {id: '7'}),
  },
  charge: {
    path: '/micropayment/transaction/detail',
    reply: (status: string) =>
      `{"response":{"result":"SUCCESS","resultCode":"0000"},"transaction":{"id":7,"status":${status}}}`,
    read: () => call('getCharge', {service: 'DEMO', id: '7'}),
  },
};

test('every status gets its name from the table, whether it is sent as a number or as text', async () => {
  for (const [kind, {path, reply, read}] of Object.entries(RECORDS)) {
    const rows = readTable(statuses).filter(([interfaceName]) => interfaceName === kind);
    expect(rows.length).toBeGreaterThanOrEqual(6);
    for (const [, status = '', , state] of rows) {
      for (const spelling of [status, `"${status}"`]) {
        replyWith([{path, text: reply(spelling)}]);
        expect((await read()).body, `${kind} ${spelling}`).toMatchObject({status: Number(status), state});
      }
    }
  }
});
