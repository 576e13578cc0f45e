/**
 * Tests replies that platforms may write in different ways: under each reading of the sandbox, the merchant gets the
 * same result.
 */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatInstant} from '../../../../worker/lib/time.ts';
import {notifyRefunds, refundResults} from '../../support/notifications.ts';
import {control, pay, setFault} from '../../support/sandbox.ts';
import {newOrder, read} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};

test.for([
  ['the contract’s example and field table', 'both'],
  ['the contract’s example', 'example'],
  ['the contract’s field table', 'table'],
] as const)(
  'a refund whose answer was lost is found and settled if its record has the field names of %s',
  async ([, names]) => {
    await control('readings', {refund_names: names});
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

test.for(['offset', 'name'])(
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
