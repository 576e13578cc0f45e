/** Gets a permit for each limited call from the `Platform` object, which counts the calls of all isolates. */

import {describeError, log} from '../lib/log.ts';
import type {Allowance, QuotaName} from './quota-limits.ts';

/** What the `Platform` object answers to a request for a permit. */
export type QuotaPermitResult =
  | {readonly permitId: number}
  /** Nothing may be sent now. */
  | {readonly limit: 'day' | 'second'; readonly retryAfterMs: number};

/** The permission to send one call. The call is already counted. */
export interface QuotaPermit {
  /**
   * Reports that the call ended. The call counts, whatever its outcome was.
   * @param refusal - Present if the platform refused the call because a limit is used up.
   */
  end(refusal?: QuotaRefusal): void;
  /** Reports that nothing was sent, so that the call does not count. */
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
  /** The limit that is used up; absent when the `Platform` object could not be reached. */
  readonly limit?: 'day' | 'second';
}

/** What a permit is for. */
export interface QuotaCaller {
  /** Id of the queue entry, if the call belongs to a command that waited for a later day; otherwise null. */
  readonly queueId: string | null;
  /** Whether the Worker itself needs the call; see `OWN_SHARES`. */
  readonly isOwn: boolean;
}

/** Gives out permits for limited calls. */
export interface QuotaSource {
  /** Counts one call. If only the limit per second is used up, the method waits briefly for a free call slot. */
  acquire(quota: QuotaName, caller: QuotaCaller): Promise<QuotaPermit | QuotaExhausted>;
}

/** The methods of the `Platform` object that this file calls. */
interface QuotaObject {
  acquirePermit(quota: QuotaName, caller: QuotaCaller): Promise<QuotaPermitResult>;
  endPermit(permitId: number, refusal: QuotaRefusal | null): Promise<void>;
  releasePermit(permitId: number): Promise<void>;
}

const UNREACHED_DELAY_MS = 1_000;
const UNLIMITED: QuotaPermit = {end() {}, release() {}};

export class CountedQuotas implements QuotaSource {
  readonly #allowance: Allowance;
  readonly #quotaObject: () => QuotaObject;
  readonly #waitUntil: (report: Promise<unknown>) => void;

  /** @param waitUntil - Keeps the isolate alive until the `Platform` object has answered. */
  constructor(allowance: Allowance, quotaObject: () => QuotaObject, waitUntil: (report: Promise<unknown>) => void) {
    this.#allowance = allowance;
    this.#quotaObject = quotaObject;
    this.#waitUntil = waitUntil;
  }

  acquire(quota: QuotaName, caller: QuotaCaller): Promise<QuotaPermit | QuotaExhausted> {
    const permit = this.#acquire(quota, caller);
    // If the permit arrives after the caller's deadline, the isolate must still be alive to release it.
    this.#waitUntil(permit);
    return permit;
  }

  async #acquire(quota: QuotaName, caller: QuotaCaller): Promise<QuotaPermit | QuotaExhausted> {
    const {day, second} = this.#allowance[quota];
    if (day === null && second === null) return UNLIMITED;
    let result;
    try {
      result = await this.#quotaObject().acquirePermit(quota, caller);
    } catch {
      // The runtime may restart the object while it answers. A call that cannot be counted must not be sent.
      return {retryAfterMs: UNREACHED_DELAY_MS};
    }
    if ('retryAfterMs' in result) return result;
    const {permitId} = result;
    return {
      end: (refusal) => this.#report(this.#quotaObject().endPermit(permitId, refusal ?? null)),
      release: () => this.#report(this.#quotaObject().releasePermit(permitId)),
    };
  }

  /** Delivers a report. If the report is lost, the call counts, and keeps its call slot until the slot's lease ends. */
  #report(report: Promise<void>): void {
    this.#waitUntil(
      report.catch((error: unknown) => log('warn', 'quota_report_failed', {error: describeError(error)})),
    );
  }
}
