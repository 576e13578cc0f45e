/**
 * Tests a refund from end to end: the merchant requests it, the bank settles it, and the merchant reads the result as
 * an event.
 */

import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';

const {page, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

async function callMerchantApi<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const headers = {
    authorization: 'Bearer sandbox-merchant-api-key',
    ...(body && {'content-type': 'application/json', 'idempotency-key': crypto.randomUUID()}),
  };
  const response = await fetch(`${page}/merchant/v1${path}`, {
    method,
    headers,
    ...(body && {body: JSON.stringify(body)}),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as T;
}

/** Pays an order and requests its refund. @returns The refund's id. */
async function requestRefund(): Promise<string> {
  const order = {service: 'DEMO', order: `S-${crypto.randomUUID()}`, amount: '149.90'};
  const {order_code} = await callMerchantApi<{order_code: string}>('POST', '/order-codes', order);
  await bank.receive(order_code, order.amount);
  const {id} = await callMerchantApi<{id: string}>('POST', '/refunds', {
    ...order,
    contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'},
  });
  return id;
}

interface DayEnd {
  readonly notifications: readonly {
    readonly refund_ids: readonly number[];
    readonly http_status: number;
    readonly answer: string;
  }[];
}

/** @returns Type and refund id of all events about these refunds, from all pages of the event list. */
async function eventsOf(ids: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  let query = '';
  for (let more = true; more;) {
    const list: {items: {type: string; data: {refund_id?: string}}[]; next_cursor: string; more: boolean} =
      await callMerchantApi('GET', `/events${query}`);
    events.push(
      ...list.items.flatMap(({type, data}) =>
        data.refund_id !== undefined && ids.includes(data.refund_id) ? [`${type} ${data.refund_id}`] : [],
      ),
    );
    query = `?cursor=${list.next_cursor}`;
    ({more} = list);
  }
  return events;
}

describe('The events of a merchant', () => {
  test.for(['get', 'post', 'batch'] as const)(
    'the merchant reads the refund results that the platform sends by %s',
    async (notify) => {
      const ids = [await requestRefund(), await requestRefund()];
      const [first = '', second = ''] = ids;
      const response = await fetch(`${sandbox}/_sandbox/day-end`, {
        method: 'POST',
        body: JSON.stringify({notify, outcomes: {[second]: 4}}),
      });
      const {notifications} = (await response.json()) as DayEnd;
      expect(new Set(notifications.map(({http_status, answer}) => `${http_status} ${answer}`))).toEqual(
        new Set(['200 OK']),
      );
      expect(notifications.flatMap(({refund_ids}) => refund_ids.map(String))).toEqual(expect.arrayContaining(ids));
      expect((await eventsOf(ids)).sort()).toEqual([
        `refund.failed ${second}`,
        `refund.requested ${first}`,
        `refund.requested ${second}`,
        `refund.settled ${first}`,
      ]);
    },
  );
});
