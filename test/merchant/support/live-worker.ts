/** All tests share one Worker. Creates clients of it, and controls the Worker's sandbox. */

import {inject} from 'vitest';
import {Vezne, type VezneOptions} from '../../../merchant/index.ts';

export const KEY = 'sandbox-merchant-api-key';
export const service = 'DEMO';
/** Cloudflare adds this to every request; pages have limits for each address. */
export const ADDRESS = {'cf-connecting-ip': '192.0.2.7'};

export const connect = (options: Partial<VezneOptions> = {}): Vezne =>
  new Vezne({url: inject('workerUrl'), key: KEY, ...options});

/** Returns an order reference that no test has used before. */
export const newOrder = (): string => `S-${crypto.randomUUID()}`;

/** Calls a control endpoint of the sandbox. */
export async function control<T = unknown>(name: string, body: object = {}): Promise<T> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Lets a transfer with an order code arrive in the sandbox. @returns the transaction's id. */
export async function pay(orderCode: string, amount = '149.90'): Promise<string> {
  const {transaction_id: id} = await control<{transaction_id: number}>('transfers', {
    order_code: orderCode,
    bank: 'garanti',
    amount,
  });
  return String(id);
}

/** Returns the error with which a call rejects. */
export async function failureOf<E extends Error = Error>(call: PromiseLike<unknown>): Promise<E> {
  try {
    await call;
  } catch (error) {
    return error as E;
  }
  throw new Error('The call succeeded, but the test expected it to fail.');
}
