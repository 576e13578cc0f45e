/** Refunds over everything at once: a merchant's server asks, the bank settles, the platform tells, the merchant reads what happened. */

import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';

const {page, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

async function merchant<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
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

async function refund(): Promise<string> {
  const order = {service: 'DEMO', order: `S-${crypto.randomUUID()}`, amount: '149.90'};
  const {order_code} = await merchant<{order_code: string}>('POST', '/order-codes', order);
  await bank.receive(order_code, order.amount);
  const {id} = await merchant<{id: string}>('POST', '/refunds', {
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

/** What was told of these refunds, over all pages of the feed. */
async function toldOf(ids: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  let after = '';
  for (let more = true; more;) {
    const feed: {items: {type: string; data: {refund_id?: string}}[]; next_cursor: string; more: boolean} =
      await merchant('GET', `/events${after}`);
    told.push(
      ...feed.items.flatMap(({type, data}) =>
        data.refund_id !== undefined && ids.includes(data.refund_id) ? [`${type} ${data.refund_id}`] : [],
      ),
    );
    after = `?after=${feed.next_cursor}`;
    ({more} = feed);
  }
  return told;
}

describe('A merchant’s server', () => {
  test.for(['get', 'post', 'batch'] as const)(
    'hears how refunds ended that the platform tells by %s',
    async (notify) => {
      const ids = [await refund(), await refund()];
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
      expect((await toldOf(ids)).sort()).toEqual([
        `refund.failed ${second}`,
        `refund.requested ${first}`,
        `refund.requested ${second}`,
        `refund.settled ${first}`,
      ]);
    },
  );
});
