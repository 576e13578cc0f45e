/**
 * How often the platform may be called, and how this isolate gets permission: the `Quota` object counts for all
 * isolates.
 */

import {describeError, log} from '../lib/log.ts';

export interface QuotaLimit {
  /** Calls in any 24 hours, and so on any calendar day of the platform; null means no limit. */
  readonly day: number | null;
  /** Calls in any second; null means no limit. */
  readonly second: number | null;
}

/** The platform's limits: subscriptions 8, and `search_messages` as observed. */
export const QUOTAS = {
  get_subscription: {day: 1000, second: 5},
  cancel_subscription: {day: 1000, second: 5},
  search_subscriptions: {day: 1000, second: 1},
  reset_test_number: {day: 20, second: 5},
  get_charge: {day: 1000, second: 5},
  refund_charge: {day: 20, second: 5},
  search_charges: {day: 1000, second: 1},
  search_messages: {day: 1000, second: 1},
} as const satisfies Record<string, QuotaLimit>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The part of each limit that this Worker may use. */
export type Allowance = Readonly<Record<QuotaName, QuotaLimit>>;

/** The answer of the `Quota` object. */
export type QuotaPermitResult =
  | {readonly permitId: number}
  /** Nothing may be sent now. */
  | {readonly limit: 'day' | 'second'; readonly retryAfterMs: number};

/** Permission to send one call, which is already counted. */
export interface QuotaPermit {
  /**
   * The call ended. It counts, whatever its outcome.
   * @param refusal present when the platform refused the call because a limit is used up.
   */
  end(refusal?: QuotaRefusal): void;
  /** It is certain that nothing was sent, so the call does not count. */
  release(): void;
}

/** The platform refused a call because a limit is used up. */
export interface QuotaRefusal {
  /** How long to wait; null when the platform does not say. */
  readonly retryAfterMs: number | null;
}

/** Nothing may be sent for now. */
export interface QuotaExhausted {
  readonly retryAfterMs: number;
  /** The limit that is used up; absent when the `Quota` object could not be reached. */
  readonly limit?: 'day' | 'second';
}

/** Gives out permits for limited calls. */
export interface QuotaSource {
  /**
   * Counts one call. If only this second's limit is used up, it waits briefly for a free call slot.
   * @param queueId the queue entry of a command that waits for another day; absent for every other call.
   */
  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted>;
}

/** The methods of the `Quota` object that this file calls. */
interface QuotaObject {
  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermitResult>;
  end(permitId: number, refusal: QuotaRefusal | null): Promise<void>;
  release(permitId: number): Promise<void>;
}

const UNREACHED_DELAY_MS = 1_000;
const UNLIMITED: QuotaPermit = {end() {}, release() {}};

export class CountedQuotas implements QuotaSource {
  readonly #allowance: Allowance;
  readonly #quotaObject: () => QuotaObject;
  readonly #waitUntil: (report: Promise<unknown>) => void;

  /** @param waitUntil keeps the isolate alive until a report is delivered. */
  constructor(allowance: Allowance, quotaObject: () => QuotaObject, waitUntil: (report: Promise<unknown>) => void) {
    this.#allowance = allowance;
    this.#quotaObject = quotaObject;
    this.#waitUntil = waitUntil;
  }

  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted> {
    const permit = this.#acquire(quota, queueId);
    // A caller that gave up in the meantime still has to release a permit that arrives late.
    this.#waitUntil(permit);
    return permit;
  }

  async #acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted> {
    const {day, second} = this.#allowance[quota];
    if (day === null && second === null) return UNLIMITED;
    let result;
    try {
      result = await this.#quotaObject().acquire(quota, queueId);
    } catch {
      // The runtime may move or restart the object while it answers. A call that cannot be counted is not sent.
      return {retryAfterMs: UNREACHED_DELAY_MS};
    }
    if ('retryAfterMs' in result) return result;
    const {permitId} = result;
    return {
      end: (refusal) => this.#report(this.#quotaObject().end(permitId, refusal ?? null)),
      release: () => this.#report(this.#quotaObject().release(permitId)),
    };
  }

  /** If the report is lost, the call keeps its slot until the lease ends, and counts. */
  #report(report: Promise<void>): void {
    this.#waitUntil(
      report.catch((error: unknown) => log('warn', 'quota_report_failed', {error: describeError(error)})),
    );
  }
}
