/** Calls mobile billing over HTTP, as the merchant's server, the phone and the mobile network do. */

import {control, read, request, type Reply} from './platform.ts';

export const AUTHORIZATION = 'sandbox-landing-authorization';
/** A number without a special meaning. It is a test number, so it can be reset. */
export const NUMBER = '5551234567';
/** Matches an ISO 8601 time without a zone. */
export const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

export interface MobileBody {
  readonly response: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Sends a GET to a path under /micropayment. */
export async function getBilling(path: string): Promise<Reply<MobileBody>> {
  const response = await request(`/micropayment${path}`);
  return {httpStatus: response.status, body: await response.json()};
}

/** Searches a collection of service 1 of merchant 123. */
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

/** Posts a form to a path under /landing, with merchant and authorization. */
export async function postLanding(path: string, fields: Record<string, string>): Promise<LandingBody> {
  const body = new URLSearchParams({authorization: AUTHORIZATION, merchant: '123', ...fields});
  return (await request(`/landing${path}`, {method: 'POST', body})).json();
}

export const VISITOR = {product: '77', operator: '1', userip: '192.0.2.7', tracking_id: 't-1'};

export function generatePin(msisdn: string, fields: Record<string, string> = {}): Promise<LandingBody> {
  return postLanding('/generate-pin', {...VISITOR, msisdn, ...fields});
}

/** Returns the PIN in the last message to a number. */
export async function readPin(msisdn: string): Promise<string> {
  const {messages} = await read<{messages: {message: string}[]}>(`sms?msisdn=${msisdn}`);
  return /\b\d{4}\b/.exec(messages.at(-1)?.message ?? '')?.[0] ?? '';
}

export async function requestSubscription(msisdn: string, fields: Record<string, string> = {}): Promise<LandingBody> {
  return postLanding('/subscription-request', {...VISITOR, msisdn, pin: await readPin(msisdn), ...fields});
}

/** Subscribes a number to product 77, or to another product, and returns the id of the subscription. */
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

/** Returns all cycles of all subscriptions, oldest first. */
export async function listCycles(): Promise<Cycle[]> {
  const {subscriptions} = await read<{subscriptions: Cycle[]}>('subscriptions?limit=10000');
  return subscriptions.toReversed();
}

export const DAY_SECONDS = 24 * 60 * 60;

export async function advanceDays(days: number): Promise<void> {
  await control('clock', {advance_seconds: days * DAY_SECONDS});
}
