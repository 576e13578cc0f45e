/** Searches the platform's transactions for one sweep. If the platform refuses a long page, asks for a short page. */

import {describeError, log, type LogFields} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {isRateLimited, isUnsent, PlatformError, retryAfterMsOf} from '../../platform/failure.ts';
import {isSearchRefused, SHORT_PAGE_LENGTH} from '../../platform/habits.ts';
import {slowedDown} from './pace.ts';
import {dayAfter} from './rotation.ts';
import {isHeld, REFUSAL_HOLD, type SweepProgress} from './sweep-progress.ts';

interface List {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** If set, the search returns only transactions that were booked at this time or later, epoch milliseconds. */
  readonly since?: number;
}

export class TransactionSearch {
  /** How many searches were sent. */
  searches = 0;
  /** The highest number of unreadable rows in one search. */
  unreadable = 0;

  constructor(
    private readonly platform: PlatformClient,
    private readonly progress: SweepProgress,
    private readonly service: string,
    private readonly now: number,
  ) {}

  /** Whether the platform refuses long pages for now. */
  get hasShortPages(): boolean {
    return isHeld(this.progress.lengthRefusal, this.now);
  }

  /** @throws {PlatformError} */
  async read(list: List, start: number, length: number) {
    if (length <= SHORT_PAGE_LENGTH || this.hasShortPages)
      return this.#send(list, start, Math.min(length, SHORT_PAGE_LENGTH));
    try {
      const found = await this.#send(list, start, length);
      this.progress.lengthRefusal = null;
      return found;
    } catch (error) {
      if (!isSearchRefused(error)) throw error;
    }
    const found = await this.#send(list, start, SHORT_PAGE_LENGTH);
    this.progress.lengthRefusal = nextFailures(REFUSAL_HOLD, this.progress.lengthRefusal, this.now);
    return found;
  }

  async #send({day, since}: List, start: number, length: number) {
    this.searches += 1;
    const askedAt = Date.now();
    const input = {
      code: this.service,
      start,
      length,
      Transaction: {
        startDate: day,
        endDate: dayAfter(day),
        ...(since !== undefined && {transaction_date: {con_operator: '>=' as const, value: formatPlatformTime(since)}}),
      },
    };
    const found = await this.platform.call('transactionSearch', input).catch((error: unknown) => {
      if (isLimited(error)) this.#slowDown(retryAfterMsOf(error.failure));
      throw error;
    });
    this.unreadable = Math.max(this.unreadable, found.data.unreadable);
    return {...found, askedAt};
  }

  #slowDown(retryAfterMs: number | null): void {
    const {progress, service, now} = this;
    progress.slowdown = slowedDown(progress.slowdown, retryAfterMs, now);
    log('warn', 'sweep_limited', {service, retry_in_ms: progress.slowdown.until - now});
  }
}

/** Whether the search was not sent, or the platform is called too often. Another search would not succeed either. */
export function endsSweep(error: unknown): boolean {
  return error instanceof PlatformError && isUnsent(error.failure);
}

/** Whether the platform is called too often. */
export function isLimited(error: unknown): error is PlatformError {
  return error instanceof PlatformError && isRateLimited(error.failure);
}

export function describeSearchError(error: unknown): LogFields {
  if (!(error instanceof PlatformError)) return {error: describeError(error)};
  const {operation, failure} = error;
  switch (failure.outcome) {
    case 'refused':
      return {operation, platform_status: failure.status};
    case 'unknown':
      return {operation, fault: failure.fault};
    case 'unsent':
      return {operation, retry_in_ms: failure.retryAfterMs};
    case 'unconfigured':
      return {operation, names: [failure.interface]};
  }
}
