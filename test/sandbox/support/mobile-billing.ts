/** Mobile billing over HTTP, as a merchant's server, a phone and a network see it. */

import {control, read, request, type Reply} from './platform.ts';

export const AUTHORIZATION = 'sandbox-landing-authorization';
/** An ordinary number, which is a test number too. */
export const NUMBER = '5551234567';
/** ISO 8601 without a zone. */
export const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

export interface MobileBody {
  readonly response: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** GET under /micropayment. */
export async function ask(path: string): Promise<Reply<MobileBody>> {
  const response = await request(`/micropayment${path}`);
  return {httpStatus: response.status, body: await response.json()};
}

/** A search of merchant 123's service 1 for whatever is asked. */
export async function search(collection: string, body: Record<string, unknown> = {}): Promise<Reply<MobileBody>> {
  const response = await request(`/micropayment/${collection}/search`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({merchantId: 123, serviceId: 1, search: [], sort: [], ...body}),
  });
  return {httpStatus: response.status, body: await response.json()};
}

export interface LandingBody {
  readonly status: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** POST with a form under /landing, merchant and authorization included. */
export async function land(path: string, fields: Record<string, string>): Promise<LandingBody> {
  const body = new URLSearchParams({authorization: AUTHORIZATION, merchant: '123', ...fields});
  return (await request(`/landing${path}`, {method: 'POST', body})).json();
}

export const VISITOR = {product: '77', operator: '1', userip: '192.0.2.7', tracking_id: 't-1'};

export function generatePin(msisdn: string, fields: Record<string, string> = {}): Promise<LandingBody> {
  return land('/generate-pin', {...VISITOR, msisdn, ...fields});
}

/** The PIN in the last message to a number. */
export async function readPin(msisdn: string): Promise<string> {
  const {messages} = await read<{messages: {message: string}[]}>(`sms?msisdn=${msisdn}`);
  return /\b\d{4}\b/.exec(messages.at(-1)?.message ?? '')?.[0] ?? '';
}

export async function requestSubscription(msisdn: string, fields: Record<string, string> = {}): Promise<LandingBody> {
  return land('/subscription-request', {...VISITOR, msisdn, pin: await readPin(msisdn), ...fields});
}

/** Somebody subscribes to product 77, or to another; returns the id. */
export async function subscribe(fields: Record<string, unknown> = {}): Promise<number> {
  const {body} = await control('subscriptions', {msisdn: NUMBER, ...fields});
  return Number(body['subscription_id']);
}

export interface Cycle {
  readonly subscription_id: number;
  readonly status: string;
  readonly subscribed_at: string;
  readonly renews_at: string;
  readonly charges: readonly {charge_id: number; status: number; amount: string; at: string}[];
}

/** Every cycle there is, the oldest first. */
export async function cycles(): Promise<Cycle[]> {
  const {subscriptions} = await read<{subscriptions: Cycle[]}>('subscriptions?limit=10000');
  return subscriptions.toReversed();
}

export const DAY_SECONDS = 24 * 60 * 60;

export async function wait(days: number): Promise<void> {
  await control('clock', {advance_seconds: days * DAY_SECONDS});
}
