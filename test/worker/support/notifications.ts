/** Sends notifications to the Worker as the platform does, and makes refunds that notifications report. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {inject} from 'vitest';
import {paymentKey} from '../../../sandbox/keys.ts';
import {contextOf} from '../../../worker/context.ts';
import type {Refunds} from '../../../worker/objects/refunds/refunds.ts';
import {handle} from '../../../worker/router.ts';
import {platformTime} from './clock.ts';
import {newAddress, openOrder, type Shopper, WORKER} from './page.ts';
import {callPlatform, control, pay} from './sandbox.ts';
import {outboxObject} from './webhook-receiver.ts';

export const refundsObject = (): DurableObjectStub<Refunds> => contextOf(env).objects.refunds();

/** Runs the alarm of the refunds' object now; returns false when no alarm is planned. */
export const readRefunds = (): Promise<boolean> => runDurableObjectAlarm(refundsObject());

interface NotifyOptions {
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly type?: string;
  readonly body?: string | ReadableStream<Uint8Array>;
  /** The value of `content-length`, if it is sent. */
  readonly length?: number;
  readonly origin?: string;
  readonly address?: string;
  readonly bindings?: Record<string, unknown>;
}

/** The value of `NOTIFICATION_KEY`. */
export const HINT_KEY = 'hush-0123456789abcdef0123456789abcdef';

/** Sends a notification. @returns the answer's status, and its text or error code. */
export async function notify(
  path: string,
  {
    method = 'POST',
    type = 'application/json',
    body,
    length,
    origin,
    address = newAddress(),
    bindings,
  }: NotifyOptions = {},
): Promise<string> {
  const headers = {
    'cf-connecting-ip': address,
    ...(body !== undefined && {'content-type': type}),
    ...(origin !== undefined && {origin}),
    ...(length !== undefined && {'content-length': String(length)}),
  };
  const request = new Request(`${WORKER}${path}`, {method, headers, ...(body !== undefined && {body})});
  const response = bindings ? await handle(request, {...env, ...bindings}) : await exports.default.fetch(request);
  const isText = response.headers.get('content-type')?.startsWith('text/plain');
  const text = await response.text();
  if ([...response.headers.keys()].some((name) => name.startsWith('access-control')))
    throw new Error('A page could read this answer.');
  return `${response.status} ${isText ? text : (JSON.parse(text) as {code: string}).code}`;
}

export const notifyRefunds = (content: unknown, options?: NotifyOptions): Promise<string> =>
  notify('/hooks/refund-result', {
    body: typeof content === 'string' || content instanceof ReadableStream ? content : JSON.stringify(content),
    ...options,
  });

/** Builds the notification of a transfer as the platform sends it (`docs/spec/observed.md`, "Notifications"). */
export async function notificationOf({code, order}: Shopper, txid: string, amount = '149.90') {
  const key = await paymentKey(
    'DEMO',
    123,
    {txid: Number(txid), code, order, amount},
    'sandbox-merchant-private-key',
    'sandbox-service-private-key',
  );
  return {txid: Number(txid), code, order, status: 3, amount, transaction_date: platformTime(), bank: 'garanti', key};
}
export type RefundResult = Record<string, string | number>;

export interface RefundedOrder extends Shopper {
  readonly id: string;
}

const CONTACT = {'contact[name]': 'Ayşe Yılmaz', 'contact[iban]': 'TR330006100519786457841326'};

/**
 * Makes a paid order and its refund at the platform.
 * @param recorded - Whether the Worker knows the refund, as if the Worker had requested it.
 */
export async function refundOrder({recorded = true, amount = '149.90'} = {}): Promise<RefundedOrder> {
  const shopper = await openOrder();
  await pay({order_code: shopper.code, amount});
  const {order} = shopper;
  const {refund_id} = await callPlatform('/refund/create', {code: 'DEMO', order, amount, ...CONTACT});
  const id = String(refund_id);
  if (recorded)
    await refundsObject().recordRequested({id, service: 'DEMO', order, amount: Math.round(Number(amount) * 100)});
  return {...shopper, id};
}

/** Ends the platform's day. @returns the notifications that the platform sends. */
export async function endDay(
  mode: 'get' | 'post' | 'batch' | 'get-batch',
  outcomes: Record<string, number> = {},
  options: {readonly foreign?: boolean} = {},
): Promise<{readonly url: string; readonly content: unknown}[]> {
  const before = (await sentNotifications()).length;
  await control('day-end', {notify: mode, outcomes, ...options});
  return (await sentNotifications()).slice(before);
}

async function sentNotifications(): Promise<{url: string; content: unknown}[]> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/notifications`);
  return ((await response.json()) as {notifications: {url: string; content: unknown}[]}).notifications;
}

/** Ends the platform's day with these results. @returns one notification per refund. */
export async function refundResults(outcomes: Record<string, number> = {}): Promise<RefundResult[]> {
  return (await endDay('post', outcomes)).map(({content}) => content as RefundResult);
}

/** The merchant's refund events, each as type and refund id. */
export async function eventTypes(): Promise<string[]> {
  const {items} = await outboxObject().read(0);
  return items.flatMap(({type, data}) => ('refund_id' in data ? [`${type} ${data.refund_id}`] : []));
}

/** A fake rate-limit binding that allows this many requests, and records its keys. */
export function fakeLimiter(allowed: number) {
  const keys: string[] = [];
  const bindings = {
    NOTIFICATIONS: 'payment billing subscription',
    NOTIFICATION_KEY: HINT_KEY,
    ADDRESS_RATE: {limit: ({key}: {key: string}) => Promise.resolve({success: keys.push(key) <= allowed})},
  };
  return {keys, bindings};
}

export const spaces = (bytes: number) => new TextEncoder().encode(' '.repeat(bytes));
export function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
