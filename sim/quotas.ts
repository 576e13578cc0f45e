/** How often the merchant may call operations of mobile billing. Few calls a day, so that histories reach the limits. */

import {HOUR_MS, violate} from './books.ts';

interface Limit {
  readonly day: number;
  readonly second: number;
}

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
  readonly #calls = new Map<string, readonly number[]>();

  /** Counts a call. Returns whether the calls of a day are used up now. */
  count(pathname: string, now: number): boolean {
    const [, operation = ''] = /^\/micropayment\/(\w+\/\w+)/.exec(pathname) ?? [];
    const [, limit] = QUOTAS[operation] ?? [];
    if (!limit) return false;
    const calls = [...(this.#calls.get(operation) ?? []), now].filter((at) => at > now - 24 * HOUR_MS);
    this.#calls.set(operation, calls);
    const inSecond = calls.filter((at) => at > now - 1_000).length;
    if (calls.length > limit.day) violate('quota', `${operation}: ${calls.length} calls in a day`);
    if (inSecond > limit.second) violate('quota', `${operation}: ${inSecond} calls in a second`);
    return calls.length === limit.day;
  }
}
