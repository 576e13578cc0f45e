/**
 * Tests replies that platforms may write in different ways: under each reading of the sandbox, the merchant gets the
 * same result.
 */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {READINGS} from '../../../../sandbox/records/readings.ts';
import {contextOf} from '../../../../worker/context.ts';
import {formatInstant} from '../../../../worker/lib/time.ts';
import {notifyRefunds, refundResults} from '../../support/notifications.ts';
import {control, pay, setFault} from '../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};

test.for([
  ['the contract’s example and field table', 'both'],
  ['the contract’s example', 'example'],
  ['the contract’s field table', 'table'],
] as const)(
  'a refund whose answer was lost is found and settled if its record has the field names of %s',
  async ([, names]) => {
    await control('readings', {refund_names: names, optional_value: 'object'});
    const [order, other] = [newOrder(), newOrder()];
    for (const reference of [order, other]) {
      const {order_code: code} = await read('createOrderCode', {service: 'DEMO', order: reference, amount: '149.90'});
      await pay({order_code: code});
    }
    await setFault({operation: '/refund/create', kind: 'empty', after: true, times: 1});
    const {id} = await read('createRefund', {service: 'DEMO', order, amount: '149.90', contact});
    expect(await platformCalls('/refund/create')).toHaveLength(1);
    // The Worker lists the order's refunds before the request, and again after the lost answer.
    expect((await platformCalls('/refund/getByOrder')).length).toBeGreaterThan(1);
    expect(await read('getRefund', {id})).toMatchObject({
      service: names === 'example' ? null : 'DEMO',
      service_name: expect.any(String) as string,
      amount: '149.90',
      contact,
    });
    const [result = {}] = await refundResults();
    expect(await notifyRefunds(result)).toBe('200 OK');
    expect((await read('getOrder', {service: 'DEMO', order})).refunds).toMatchObject([{id, state: 'successful'}]);
    const {items} = await contextOf(env).objects.outbox().read(0);
    expect(items.map(({type}) => type)).toContain('refund.settled');
  },
);

test.for(READINGS.landing_zone)(
  'if times of the landing interface have their zone as %s, the merchant gets ISO times',
  async (zone) => {
    await control('readings', {landing_zone: zone});
    const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {
      msisdn: '5321234567',
      operator: 1,
    });
    expect(await read('cancelLandingSubscription', {subscription: id})).toMatchObject({
      subscription_date: formatInstant(Date.now()),
      renewal_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/) as string,
      cancellation_date: formatInstant(Date.now()),
    });
  },
);

test.for(READINGS.lists)('if the platform writes lists as %s, searches and refunds work', async (lists) => {
  await control('readings', {lists});
  const order = newOrder();
  expect((await read('searchTransactions', {service: 'DEMO'})).items).toEqual([]);
  expect((await read('listBanks', {})).items.length).toBeGreaterThan(0);
  const {order_code: code} = await read('createOrderCode', {service: 'DEMO', order, amount: '149.90'});
  expect((await read('listRefunds', {order})).items).toEqual([]);
  await pay({order_code: code});
  expect((await read('searchTransactions', {service: 'DEMO'})).items).toMatchObject([{order}]);
  const {id} = await read('createRefund', {service: 'DEMO', order, amount: '149.90', contact});
  expect((await read('listRefunds', {order})).items).toMatchObject([{id}]);
  expect((await read('searchSubscriptions', {service: 'DEMO'})).items).toEqual([]);
});

test.for(READINGS.unknown_order)(
  'if the platform answers %s for an unknown order, an order whose first request was lost gets its code',
  async (unknown_order) => {
    await control('readings', {unknown_order});
    const order = newOrder();
    expect((await call('findOrderCode', {service: 'DEMO', order})).body).toMatchObject({code: 'unknown_order'});
    await setFault({operation: '/orderToReference/create', kind: 'empty', times: 1});
    const {objects} = contextOf(env);
    const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
    expect(await objects.order('DEMO', order).orderCode(terms)).toHaveProperty('failure');
    expect(await objects.order('DEMO', order).orderCode(terms)).toHaveProperty('code');
  },
);

test.for(READINGS.absent_record)('a subscription whose last charge is %s can be read and cancelled', async (absent) => {
  await control('readings', {absent_record: absent, optional_value: 'object'});
  const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5321230009'});
  const {last_charge: charge} = await read('getSubscription', {service: 'DEMO', id});
  await control(`charges/${charge?.id}/status`, {status: 4});
  expect(await read('getSubscription', {service: 'DEMO', id})).toMatchObject({last_successful_charge: null});
  expect(await read('cancelSubscription', {service: 'DEMO', id})).toMatchObject({state: 'cancelled'});
});

test('if mobile billing answers 204 in place of an empty list, searches that find nothing stop no other search', async () => {
  await control('readings', {no_content: 'empty_list'});
  await control('limits', {limits: null});
  // The circuit of an operation opens after ten failures.
  for (let search = 0; search < 10; search += 1)
    expectProblem(await call('searchCharges', {service: 'DEMO'}), 'temporarily_unavailable');
  await control('subscriptions', {msisdn: '5321234567'});
  expect((await read('searchCharges', {service: 'DEMO'})).items).toHaveLength(1);
});

test('if mobile billing answers a cancellation or a refund with 204, the Worker reads what was done', async () => {
  await control('readings', {no_content: 'changed'});
  const {subscription_id} = await control<{subscription_id: number}>('subscriptions', {msisdn: '5321234567'});
  const id = String(subscription_id);
  const {last_charge: charge} = await read('getSubscription', {service: 'DEMO', id});
  expect(await read('refundCharge', {service: 'DEMO', id: charge?.id ?? ''})).toMatchObject({state: 'refunded'});
  expect(await read('cancelSubscription', {service: 'DEMO', id})).toMatchObject({state: 'cancelled'});
});
