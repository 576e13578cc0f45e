/** Controls the sandbox: what shoppers, banks and the platform itself do in a test. */

import {expect, inject} from 'vitest';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly at: string;
  readonly params: Readonly<Record<string, string | string[]>>;
}

export interface Fault {
  /** Path of the operation, below `/phs`. */
  readonly operation: string;
  readonly kind: 'delay' | 'hold' | '500-html' | 'malformed' | 'empty' | 'huge' | 'redirect' | 'status' | 'clear';
  readonly status?: string;
  readonly delay_ms?: number;
  readonly times?: number;
  /** Which share of the calls fails, from 0 to 1. */
  readonly rate?: number;
  /** Whether the platform executes the operation, so that only the answer fails. */
  readonly after?: boolean;
}

export interface Transfer {
  readonly order_code?: string;
  readonly description?: string;
  readonly amount?: string;
  readonly bank?: string;
  readonly sender?: string;
  readonly at?: string;
  /** How many equal transfers; 1 by default. */
  readonly count?: number;
}

export async function control<T = unknown>(name: string, body: object = {}): Promise<T> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  // A reset forgets all calls.
  if (name === 'reset') clearedCount = 0;
  return response.json();
}

export const setFault = (fault: Fault) => control('faults', fault);

/** The platform holds the next call of an operation, or with `after` its answer, until `release` or a reset. */
export const hold = (operation: string, more: Partial<Fault> = {}) =>
  setFault({operation, kind: 'hold', times: 1, ...more});

/** Waits until the platform holds this many calls. With `after`, it has then executed them. */
export async function untilHeld(count = 1): Promise<void> {
  const url = `${inject('sandboxUrl')}/_sandbox/faults`;
  await expect.poll(async () => ((await (await fetch(url)).json()) as {held: string[]}).held).toHaveLength(count);
}

/** Lets the held calls of an operation continue, and deletes its faults. */
export const release = (operation: string) => setFault({operation, kind: 'clear'});

/** A shopper transfers money, by default 149.90 to Garanti BBVA. @returns the transaction's id. */
export async function pay(transfer: Transfer): Promise<string> {
  const paid = await control<{transaction_id: number}>('transfers', {bank: 'garanti', amount: '149.90', ...transfer});
  return String(paid.transaction_id);
}

let clearedCount = 0;

/** Makes `calls` leave out all calls that were made until now. */
export async function clearCalls(): Promise<void> {
  clearedCount = 0;
  clearedCount = (await calls()).length;
}

/** The calls that the platform received in this test. */
export async function calls(operation?: string): Promise<Call[]> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/calls`);
  const callsMade = ((await response.json()) as {calls: Call[]}).calls.slice(clearedCount);
  return operation === undefined ? callsMade : callsMade.filter(({path}) => path === `/phs${operation}`);
}

export async function countCalls(operation: string): Promise<number> {
  return (await calls(operation)).length;
}

/** Counts the calls of an operation while `task` runs. */
export async function callsDuring(operation: string, task: () => Promise<unknown>): Promise<number> {
  const before = await countCalls(operation);
  await task();
  return (await countCalls(operation)) - before;
}

type LineState = 'open' | 'refused' | 'silent' | 'reset' | 'truncated';

/** The connection is open when the test run begins. */
let lineState: LineState = 'open';

/** Sets how the connection between Worker and platform behaves from now on. */
export async function setLine(state: LineState): Promise<void> {
  if (state === lineState) return;
  lineState = state;
  await fetch(`${inject('lineUrl')}/${state}`, {method: 'POST'});
}

/** Calls the platform directly as the merchant, without the Worker. */
export async function callPlatform(
  operation: string,
  fields: Record<string, string>,
): Promise<Record<string, unknown>> {
  const base = `${inject('sandboxUrl')}/phs`;
  // MD5 of `123127.0.0.1sandbox-merchant-key`, computed with another program.
  const answer = await fetch(`${base}/getToken?merchant=123&key=935b88250b3c795b0b17e63c665ff9bf`);
  const {token} = (await answer.json()) as {token: string};
  const response = await fetch(`${base}${operation}`, {
    method: 'POST',
    headers: {merchant: '123', token},
    body: new URLSearchParams(fields),
  });
  return response.json();
}

/** Calls of an operation of the landing interface, such as `generate-pin` or `subscription-request`. */
export async function landingCalls(operation: string): Promise<Call[]> {
  return (await calls()).filter(({path}) => path === `/landing/${operation}`);
}

/** The texts of the SMS that were sent to a number. */
export async function smsTo(msisdn: string): Promise<string[]> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/sms?msisdn=${msisdn}`);
  return ((await response.json()) as {messages: {message: string}[]}).messages.map(({message}) => message);
}

/** The last PIN that a number received. */
export async function pinOf(msisdn: string): Promise<string> {
  const [pin] = (await smsTo(msisdn)).toReversed().flatMap((message) => /\b\d{4}\b/.exec(message) ?? []);
  if (pin === undefined) throw new Error('The number received no PIN.');
  return pin;
}

/** The cycles of a number's subscriptions, newest first. */
export async function subscriptionsOf(msisdn: string): Promise<{id: string; status: string}[]> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/subscriptions?msisdn=${msisdn}`);
  const {subscriptions} = (await response.json()) as {subscriptions: {subscription_id: number; status: string}[]};
  return subscriptions.map(({subscription_id, status}) => ({id: String(subscription_id), status}));
}
