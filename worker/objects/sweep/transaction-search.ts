/** One search of the platform's transactions. If the platform refuses a long page, the search asks for a short one. */

import {DAY_MS} from '../../lib/durations.ts';
import {formatPlatformDay, formatPlatformTime} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {areValuesRefused, PlatformError} from '../../platform/failure.ts';
import type {SweepStore} from './sweep-store.ts';

/** The default `length` of the contract, which every platform accepts. */
export const FIRST_LENGTH = 100;
export const PAGE_LENGTH = 5_000;
/** How long the Worker remembers that the platform refuses a kind of search, before it tries again. */
export const REFUSAL_HOLDS_MS = DAY_MS;

/** The days of a search, as `YYYY-MM-DD`. */
export interface Days {
  readonly startDate: string;
  /** The day after the last one. */
  readonly endDate: string;
}

interface List extends Days {
  /** Only transactions booked since then, epoch milliseconds. */
  readonly since?: number;
}

export class TransactionSearch {
  /** How many searches were sent. */
  searches = 0;
  /** The highest number of unreadable rows in one search. */
  unreadable = 0;

  constructor(
    private readonly platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
  ) {}

  /** @throws {PlatformError} */
  async read(list: List, start: number, length: number) {
    const refusedAt = this.store.lengthRefusedAt();
    const isLongRefused = refusedAt !== null && Date.now() - refusedAt < REFUSAL_HOLDS_MS;
    const accepted = isLongRefused ? Math.min(length, FIRST_LENGTH) : length;
    try {
      return await this.#send(list, start, accepted);
    } catch (error) {
      if (accepted <= FIRST_LENGTH || !isSearchRefused(error)) throw error;
      const found = await this.#send(list, start, FIRST_LENGTH);
      this.store.setLengthRefusedAt(Date.now());
      return found;
    }
  }

  async #send({startDate, endDate, since}: List, start: number, length: number) {
    this.searches += 1;
    const found = await this.platform.call('transactionSearch', {
      code: this.service,
      start,
      length,
      Transaction: {
        startDate,
        endDate,
        ...(since !== undefined && {transaction_date: {con_operator: '>=', value: formatPlatformTime(since)}}),
      },
    });
    this.unreadable = Math.max(this.unreadable, found.data.unreadable);
    return found;
  }
}

/** Whether the platform may accept another search. */
export function isSearchRefused(error: unknown): boolean {
  return error instanceof PlatformError && areValuesRefused(error.failure);
}

/** The day of a moment. */
export function oneDay(ms: number): Days {
  return {startDate: formatPlatformDay(ms), endDate: formatPlatformDay(ms + DAY_MS)};
}

/** @param day `YYYY-MM-DD`, as the result. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
