/** Makes a busy day, so that somebody who tries the desk has something to look for. */

import {callMerchant, createSession} from './merchant-server.ts';
import type {SandboxClient} from './sandbox-client.ts';

const SERVICE = 'DEMO';
const ORDERS = 40;
const AT_ONCE = 4;
/** While a page reads a payment, the Worker reads the banks within seconds. */
const READS = 5;
const READ_EVERY_MS = 2_000;

const amountOf = (index: number) => `${50 + ((index * 97) % 450)}.90`;

/** In Turkey, as the sandbox's records have it. */
const localTime = (at: number) => new Date(at + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Makes orders as the merchant's server, and the money of most of them in all ways: late, too much, in parts, without a
 * code. The times are of the last day.
 * @throws if the Worker or the sandbox refuses a request.
 */
export async function makeBusyDay(key: string, sandbox: SandboxClient): Promise<void> {
  const now = Date.now();
  const names = Array.from({length: ORDERS}, (_, index) => `S-${now.toString(36)}-${index}`);
  for (let start = 0; start < ORDERS; start += AT_ONCE)
    await Promise.all(
      names
        .slice(start, start + AT_ONCE)
        .map((order, index) =>
          callMerchant(key, 'POST', 'order-codes', {service: SERVICE, order, amount: amountOf(start + index)}),
        ),
    );
  await sandbox.control('busy-day', {from: localTime(now - 12 * 3_600_000), to: localTime(now)});
  const [order = ''] = names;
  const session = await createSession(key, {kind: 'payment', service: SERVICE, order, amount: amountOf(0)});
  for (let read = 0; read < READS; read += 1) {
    await fetch('/v1/payment', {headers: {authorization: `Bearer ${session}`}});
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
}
