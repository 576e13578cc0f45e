/** The platform's limits as they are counted for every isolate, in the `Quota` object. */

import {describeError, log} from '../lib/log.ts';
import type {Allowance, QuotaName, QuotaPermitResult} from './quotas.ts';

/** One call that was counted before it is sent. */
export interface QuotaPermit {
  /** The call ended and counts, whatever became of it. @param refusal the platform said that it was one too many. */
  end(refusal?: QuotaRefusal): void;
  /** Surely nothing was sent: it does not count. */
  release(): void;
}

/** The platform's own word that a limit is used up. */
export interface QuotaRefusal {
  /** When it wants to be asked again; null where it does not say. */
  readonly retryAfterMs: number | null;
}

/** Nothing may be sent for now. */
export interface QuotaExhausted {
  readonly retryAfterMs: number;
  /** What is used up; absent where nobody could be asked. */
  readonly limit?: 'day' | 'second';
}

/** Where leave to make a limited call comes from. */
export interface QuotaSource {
  /**
   * Counts one call. It waits a moment for its turn where only this second is used up.
   * @param queueId of a command that waits for another day; absent for every other call.
   */
  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted>;
}

const UNREACHED_DELAY_MS = 1_000;
const UNLIMITED: QuotaPermit = {end() {}, release() {}};

/** What the `Quota` object is asked. */
interface QuotaObject {
  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermitResult>;
  end(permitId: number, refusal: QuotaRefusal | null): Promise<void>;
  release(permitId: number): Promise<void>;
}

export class CountedQuotas implements QuotaSource {
  constructor(
    private readonly allowance: Allowance,
    private readonly quotaObject: () => QuotaObject,
    /** Keeps the isolate alive until a report is delivered. */
    private readonly waitUntil: (report: Promise<unknown>) => void,
  ) {}

  acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted> {
    const permit = this.#acquire(quota, queueId);
    // A caller that gave up meanwhile releases a permit that comes late.
    this.waitUntil(permit);
    return permit;
  }

  async #acquire(quota: QuotaName, queueId?: string): Promise<QuotaPermit | QuotaExhausted> {
    const {day, second} = this.allowance[quota];
    if (day === null && second === null) return UNLIMITED;
    let result;
    try {
      result = await this.quotaObject().acquire(quota, queueId);
    } catch {
      // An object may be moved or begun anew in the middle of an answer. What cannot be counted is not sent.
      return {retryAfterMs: UNREACHED_DELAY_MS};
    }
    if ('retryAfterMs' in result) return result;
    const {permitId} = result;
    return {
      end: (refusal) => this.#report(this.quotaObject().end(permitId, refusal ?? null)),
      release: () => this.#report(this.quotaObject().release(permitId)),
    };
  }

  /** A call whose end is not reported keeps its slot until the lease ends, and counts. */
  #report(report: Promise<void>): void {
    this.waitUntil(report.catch((error: unknown) => log('warn', 'quota_report_failed', {error: describeError(error)})));
  }
}
