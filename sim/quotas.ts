/** How often the Worker may call the platform. Few calls a day, so that histories reach the limits. */

import {violate} from './books.ts';
import {DAY_MS, MINUTE_MS} from './values.ts';

type Limit = {readonly day: number; readonly second: number};
/** A sweep may make more searches than the one before, by whose searches its time was planned. */
const LARGEST_SWEEP = 8;
/** The services of the Worker, which share the calls. */
const SERVICES = 2;

/** By operation: the name in the Worker's setting `QUOTAS`, and the limit. */
export const QUOTAS: Readonly<Record<string, readonly [name: string, limit: Limit]>> = {
  'subscriptions/search': ['search_subscriptions', {day: 120, second: 1}],
  'transactions/search': ['search_charges', {day: 120, second: 1}],
  'messages/search': ['search_messages', {day: 3, second: 1}],
  'subscription/detail': ['get_subscription', {day: 40, second: 5}],
  'subscription/cancel': ['cancel_subscription', {day: 2, second: 5}],
  'transaction/refund': ['refund_charge', {day: 3, second: 5}],
};

export class Quotas {
  readonly #times = new Map<string, readonly number[]>();

  /** Counts a call. Returns whether the calls of a day are used up now. */
  count(pathname: string, now: number): boolean {
    const [, operation = ''] = /^\/micropayment\/(\w+\/\w+)/.exec(pathname) ?? [];
    const [, limit] = QUOTAS[operation] ?? [];
    if (!limit) return false;
    this.#within(1_000, operation, limit.second, now);
    return this.#within(DAY_MS, operation, limit.day, now) === limit.day;
  }

  /**
   * Counts a search for a service's money that was asked for at `at`. Of the service's part of the calls of a minute,
   * sweeps may use a half, and the server a quarter. Returns whether this is used up now.
   */
  countSearch(by: 'sweep' | 'server', service: string, calls: number, now: number, at: number): boolean {
    const part = calls / SERVICES;
    const most = by === 'server' ? Math.ceil(part / 4) : part / 2 + LARGEST_SWEEP;
    return this.#within(MINUTE_MS, `searches of the ${by} for ${service}`, most, now, at) === most;
  }

  #within(windowMs: number, what: string, most: number, now: number, at = now): number {
    const name = `${what} in ${windowMs / 1_000} s`;
    const times = [...(this.#times.get(name) ?? []), at].filter((time) => time > now - windowMs);
    this.#times.set(name, times);
    if (times.length > most) violate('quota', `${times.length} times ${name}`);
    return times.length;
  }
}
