/**
 * Tests values that libraries write in different ways: amounts in 17 digits, and times that are missing. Under each
 * reading of the sandbox, the merchant gets the same amount, and no time that the platform did not write.
 */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PaymentPage} from '../../../../worker/contract/browser/answers.ts';
import {runSweep} from '../../support/durable-objects.ts';
import {liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {notifyRefunds, refundResults} from '../../support/notifications.ts';
import {askAsPage, openMerchantSession, read as readAs, showPayment} from '../../support/page.ts';
import {control, pay} from '../../support/sandbox.ts';
import {payOn} from '../../support/subscriber.ts';
import {readCsv, today} from './support/booked-money.ts';
import {newOrder, read} from './support/merchant-server.ts';

const service = 'DEMO';
const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
/** 29.90 in 17 digits, as PHP writes it with `serialize_precision = 17`. */
const IN_17_DIGITS = '29.899999999999999';
const amount = '29.90';

liftLimitsPerSecond();
beforeEach(() => control('limits', {limits: null}));

async function openPage(): Promise<{token: string; order: string; url: string}> {
  const order = newOrder();
  const {token} = await openMerchantSession({kind: 'payment', service, order, amount});
  const {url} = readAs(await askAsPage('POST', '/v1/payment-pages', {token, body: {}}), PaymentPage);
  return {token, order, url};
}

const pollCharges = () => runDurableObjectAlarm(contextOf(env).objects.service(service));

test('if the platform writes amounts in 17 digits, every answer has two places, and money pays its order', async () => {
  await control('readings', {amounts: 'seventeen_digits'});
  const order = newOrder();
  const split = {payout: 'P-1', sub_merchant_id: '41', fee: '1.10'};
  const {order_code: code} = await read('createOrderCode', {service, order, amount, ...split});
  expect((await read('findOrderCode', {service, order})).fee).toBe('1.10');
  const transaction = await pay({order_code: code, amount});
  expect(await read('getTransaction', {id: transaction})).toMatchObject({amount});
  expect((await read('searchTransactions', {service})).items).toMatchObject([{amount}]);
  await runSweep();
  expect(await read('getOrder', {service, order})).toMatchObject({payment: {state: 'paid', paid: amount}});
  const {id} = await read('createRefund', {service, order, amount, contact});
  expect(await read('getRefund', {id})).toMatchObject({amount});
  expect((await read('listRefunds', {order})).items).toMatchObject([{amount}]);
  const notice = await read('createPaymentNotice', {service, order, amount, bank: 'garanti'});
  const {notices} = await (
    await fetch(`${inject('sandboxUrl')}/_sandbox/notices?limit=1`)
  ).json<{
    notices: {id: number}[];
  }>();
  expect(await read('getPaymentNotice', {id: String(notices[0]?.id)})).toMatchObject({
    notice_code: notice.notice_code,
    amount,
  });
  const {items} = await read('searchBookings', {service, order, type: 'money.arrived'});
  expect(items).toMatchObject([{amount, balance: amount, late: false, time_unknown: false}]);
});

test('if mobile billing writes amounts in 17 digits, a payment page of 29.90 pays its order', async () => {
  await control('readings', {amounts: 'seventeen_digits'});
  const {token, order, url} = await openPage();
  await payOn(url);
  await pollCharges();
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: amount, unclear: false});
  const {items} = await read('searchCharges', {service, search: [{column: 'referenceCode', term: order}]});
  expect(items).toMatchObject([{amount, reference: order}]);
  expect(await read('getCharge', {service, id: String(items[0]?.id)})).toMatchObject({
    amount,
    subscription: {subscription_fee: amount},
  });
});

test.for([
  ['in JSON in 17 digits', (json: string) => json.replace(/"amount":29\.9\b/, `"amount":${IN_17_DIGITS}`)],
  ['in JSON without its last zero', (json: string) => json],
  ['as text in 17 digits', (json: string) => json.replace(/"amount":29\.9\b/, `"amount":"${IN_17_DIGITS}"`)],
] as const)('a notification with a key over 29.90 settles its refund if the amount is %s', async ([, spell]) => {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount});
  await pay({order_code: code, amount});
  await read('createRefund', {service, order, amount, contact});
  const [result = {}] = await refundResults();
  const json = spell(JSON.stringify({...result, amount: Number(result['amount'])}));
  expect(await notifyRefunds(json)).toBe('200 OK');
  expect((await read('getOrder', {service, order})).refunds).toMatchObject([{amount, state: 'successful'}]);
});

test('a bank’s time that is missing is null in every answer, and the text stands beside it', async () => {
  await control('readings', {bank_times: 'zero'});
  const zero = '0000-00-00 00:00:00';
  const unknown = {transaction_date: null, transaction_date_text: zero};
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount});
  const transaction = await pay({order_code: code, amount});
  expect(await read('getTransaction', {id: transaction})).toMatchObject({...unknown, create_time_text: null});
  expect((await read('searchTransactions', {service})).items).toMatchObject([unknown]);
  const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5321230011'});
  expect((await read('getSubscription', {service, id: String(id)})).last_charge).toMatchObject(unknown);
});

test('money and a refund without the bank’s time are booked on the day they were first seen, and say so', async () => {
  await control('readings', {bank_times: 'zero'});
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount});
  await pay({order_code: code, amount});
  await runSweep();
  await read('createRefund', {service, order, amount, contact});
  const [result = {}] = await refundResults();
  expect(await notifyRefunds(result)).toBe('200 OK');
  const found = await read('getOrder', {service, order});
  expect(found.payment?.transactions).toMatchObject([{time_unknown: true}]);
  expect(found.refunds).toMatchObject([{refund_time: null, refund_time_text: '0000-00-00 00:00:00'}]);
  const {items} = await read('searchBookings', {service, order});
  expect(items.map(({type, day, time_unknown}) => [type, day, time_unknown])).toEqual([
    ['refund.settled', today(), true],
    ['order.changed', today(), false],
    ['refund.requested', today(), false],
    ['money.arrived', today(), true],
    ['order.placed', today(), false],
  ]);
  const {text} = await readCsv(`days/${today()}.csv?service=${service}`);
  expect(text.split('\r\n').filter((line) => line.includes(',time_unknown,'))).toHaveLength(3);
  const {items: events} = await contextOf(env).objects.outbox().read(0);
  expect(events.map(({type, data}) => [type, data])).toMatchObject([
    ['payment.received', {transactions: [{time_unknown: true}]}],
    ['refund.requested', {refund_time: null, refund_time_text: null}],
    ['refund.settled', {refund_time: null, refund_time_text: '0000-00-00 00:00:00'}],
    ['payment.refunded', {transactions: [{time_unknown: true}]}],
  ]);
});
