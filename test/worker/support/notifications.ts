/** The platform's notifications, as it sends them to the Worker. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {inject} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import type {Refunds} from '../../../worker/objects/refunds/refunds.ts';
import {handle} from '../../../worker/router.ts';
import {newAddress, openOrder, type Shopper, WORKER} from './page.ts';
import {callPlatform, control, pay} from './sandbox.ts';

export const refundsObject = (): DurableObjectStub<Refunds> => contextOf(env).objects.refunds();

/** The Worker asks for the refunds that are due; false where nothing is planned. */
export const readRefunds = (): Promise<boolean> => runDurableObjectAlarm(refundsObject());

interface NotifyOptions {
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly type?: string;
  readonly body?: string | ReadableStream<Uint8Array>;
  /** What it announces as the length of its body. */
  readonly length?: number;
  readonly origin?: string;
  readonly address?: string;
  readonly bindings?: Record<string, unknown>;
}

/** Status and text of the answer. */
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
    throw new Error('A page may read this.');
  return `${response.status} ${isText ? text : (JSON.parse(text) as {code: string}).code}`;
}

export const notifyRefunds = (content: unknown, options?: NotifyOptions): Promise<string> =>
  notify('/hooks/refund-result', {
    body: typeof content === 'string' || content instanceof ReadableStream ? content : JSON.stringify(content),
    ...options,
  });

export type RefundResult = Record<string, string | number>;

export interface RefundedOrder extends Shopper {
  readonly id: string;
}

const CONTACT = {'contact[name]': 'Ayşe Yılmaz', 'contact[iban]': 'TR330006100519786457841326'};

/** A paid order and its refund, made at the platform: by the Worker where it is noted. */
export async function refundOrder({noted: recorded = true, amount = '149.90'} = {}): Promise<RefundedOrder> {
  const shopper = await openOrder();
  await pay({order_code: shopper.code, amount});
  const {order} = shopper;
  const {refund_id} = await callPlatform('/refund/create', {code: 'DEMO', order, amount, ...CONTACT});
  const id = String(refund_id);
  if (recorded)
    await refundsObject().recordRequested({id, service: 'DEMO', order, amount: Math.round(Number(amount) * 100)});
  return {...shopper, id};
}

/** A paid order and its refund, neither of them made by the Worker. */
export async function refundAtPlatform(order: string, amount = '149.90'): Promise<string> {
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order, amount});
  await pay({order_code: String(code), amount});
  const {refund_id} = await callPlatform('/refund/create', {code: 'DEMO', order, amount, ...CONTACT});
  return String(refund_id);
}

/** The day ends: what the platform says to the merchant, as it was sent. */
export async function endDay(
  mode: 'get' | 'post' | 'batch',
  outcomes: Record<string, number> = {},
): Promise<{readonly url: string; readonly content: unknown}[]> {
  const before = (await sentNotifications()).length;
  await control('day-end', {notify: mode, outcomes});
  return (await sentNotifications()).slice(before);
}

async function sentNotifications(): Promise<{url: string; content: unknown}[]> {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/notifications`);
  return ((await response.json()) as {notifications: {url: string; content: unknown}[]}).notifications;
}

/** The day ends with these results, told one by one. */
export async function refundResults(outcomes: Record<string, number> = {}): Promise<RefundResult[]> {
  return (await endDay('post', outcomes)).map(({content}) => content as RefundResult);
}
