/** Makes a busy day, so that somebody who tries the desk has something to look for. */

import {prepareOverpaid, type Servers} from './builder/prepare.ts';
import {callMerchant} from './merchant-server.ts';

const ORDERS = 40;

/**
 * Makes orders as the merchant's server, and the money of most of them in all ways: too much, in parts, without a code.
 * @throws if the Worker or the sandbox refuses a request.
 */
export async function makeBusyDay(servers: Servers): Promise<void> {
  const batch = Date.now().toString(36);
  for (let number = 0; number < ORDERS; number += 1) {
    const amount = `${50 + ((number * 97) % 450)}.90`;
    await callMerchant(servers.key, 'POST', 'order-codes', {service: 'DEMO', order: `S-${batch}-${number}`, amount});
  }
  await servers.sandbox.control('busy-day', {});
  // While a page waits for money, the Worker reads the banks within seconds.
  await prepareOverpaid(servers);
}
