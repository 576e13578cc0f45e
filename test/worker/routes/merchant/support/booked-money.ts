/** Money in the books, for the tests of the books. */

import {expect} from 'vitest';
import {formatPlatformDay} from '../../../../../worker/lib/time.ts';
import {runSweep} from '../../../support/durable-objects.ts';
import {pay} from '../../../support/sandbox.ts';
import {ask, newOrder, read} from './merchant-server.ts';

const service = 'DEMO';
export const today = () => formatPlatformDay(Date.now());

export async function createOrder(amount = '149.90'): Promise<{order: string; code: string}> {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service, order, amount, user_id: `u ${order}`});
  return {order, code};
}

export async function payOrder(amount: string, sender = 'Deniz Örnek', bank = 'garanti') {
  const order = await createOrder();
  const transaction = await pay({order_code: order.code, amount, sender, bank});
  return {...order, transaction};
}

/** Sweeps until the books have what the sandbox has. */
export async function sweep(): Promise<void> {
  await runSweep();
  await expect
    .poll(async () => (await read('searchBookings', {service, state: 'waiting'})).items.length)
    .toBeGreaterThan(0);
}

export const readCsv = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await ask(`/merchant/v1/${path}`, {
    headers,
  });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
  return answer;
};
