/**
 * Counts requests towards limits: a request names counters, and a guard counts it in all of them or, if one is full, in
 * none. What was counted can be released, or confirmed. An object that limits only what it does itself, such as the
 * sockets of an order, keeps its own counter of the same form.
 *
 * There is one guard for each network (an IPv4 /16 or IPv6 /32), product, service, block of numbers, order and session.
 * All counters of a network's addresses are in its guard, so that a request costs one call, whatever it counts towards.
 */

import {type CountedName, windowMsOf} from '../../config/limits.ts';
import {providerSubnet} from '../../http/client-ip.ts';
import type {Objects} from '../../objects.ts';
import type {CounterRule, CounterState} from './counter.ts';
import type {CountedKey} from './guard.ts';

/** A counter, and what it counts, such as `address_sessions_per_minute 192.0.2.7`. */
export interface Counter extends CounterRule {
  readonly name: string;
}

/**
 * The counter of a limit.
 * @param per - For whom or what the guard counts here; empty if the guard counts for nobody else.
 * @param limit - The limit's value, or the part of it that applies; null only counts.
 */
export function counterOf(name: CountedName, per: string, limit: number | null): Counter {
  return {name: `${name} ${per}`, windowMs: windowMsOf(name), limit};
}

/** Where one guard has counted a request. */
export interface Ticket {
  /** The guard's object name, an HMAC. */
  readonly guard: string;
  readonly keys: readonly CountedKey[];
}

export type CountResult = {
  /** The counters before this request, in the order in which they were named. */
  readonly before: readonly CounterState[];
} & (
  | {readonly ticket: Ticket; readonly full?: undefined}
  /** `full` is the index of the counter that refuses the request. */
  | {readonly full: number; readonly retryAfterSeconds: number}
);

/** @param guard - Says for what the guard counts, such as `product 77`. */
export async function count(objects: Objects, guard: string, counters: readonly Counter[]): Promise<CountResult> {
  if (counters.length === 0) return {before: [], ticket: {guard: '', keys: []}};
  const stub = await objects.guard(guard);
  const rules = await Promise.all(
    counters.map(async ({name, ...rule}) => ({...rule, key: await objects.counterKey(name)})),
  );
  const answer = await stub.count(rules);
  if ('full' in answer) return answer;
  return {before: answer.before, ticket: {guard: stub.name ?? '', keys: answer.counted}};
}

/** Releases what was counted, because it did not happen. */
export async function release(objects: Objects, tickets: readonly Ticket[]): Promise<void> {
  await change(objects, tickets, 'release');
}

/** Records that what was counted happened as intended: the order was paid, or the shopper entered the PIN. */
export async function confirm(objects: Objects, tickets: readonly Ticket[]): Promise<void> {
  await change(objects, tickets, 'confirm');
}

async function change(objects: Objects, tickets: readonly Ticket[], to: 'release' | 'confirm'): Promise<void> {
  const counted = tickets.filter(({keys}) => keys.length > 0);
  await Promise.all(counted.map(({guard, keys}) => objects.guardNamed(guard).change(keys, to)));
}

/** The guard that counts for a subnet and for the network of its provider. */
export function networkGuard(subnet: string): string {
  return `network ${providerSubnet(subnet)}`;
}

/** The guard of a product of mobile billing. */
export function productGuard(product: number): string {
  return `product ${product}`;
}

/** The guard of what may be done for one order. */
export function orderGuard(service: string, order: string): string {
  return `order ${service}/${order}`;
}
