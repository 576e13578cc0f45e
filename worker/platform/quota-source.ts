/** The platform's limits as they are counted for every isolate, in the `Quota` object. */

import {describeError, log} from '../lib/log.ts';
import type {Allowance, QuotaName, Taken} from './quotas.ts';

/** One call that was counted before it is sent. */
export interface Taking {
  /** The call ended and counts, whatever became of it. @param refusal the platform said that it was one too many. */
  end(refusal?: Refusal): void;
  /** Surely nothing was sent: it does not count. */
  giveBack(): void;
}

/** The platform's own word that a limit is used up. */
export interface Refusal {
  /** When it wants to be asked again; null where it does not say. */
  readonly retryAfterMs: number | null;
}

/** Nothing may be sent for now. */
export interface Exhausted {
  readonly retryAfterMs: number;
  /** What is used up; absent where nobody could be asked. */
  readonly limit?: 'day' | 'second';
}

/** Where leave to make a limited call comes from. */
export interface QuotaSource {
  /**
   * Counts one call. It waits a moment for its turn where only this second is used up.
   * @param place in the line of those that wait for another day, where the call has one.
   */
  take(quota: QuotaName, place?: string): Promise<Taking | Exhausted>;
}

const UNREACHED_PAUSE_MS = 1_000;
const UNCOUNTED: Taking = {end() {}, giveBack() {}};

/** What the `Quota` object is asked. */
interface QuotaObject {
  take(quota: QuotaName, place?: string): Promise<Taken>;
  end(taking: number, refusal: Refusal | null): Promise<void>;
  giveBack(taking: number): Promise<void>;
}

export class CountedQuotas implements QuotaSource {
  constructor(
    private readonly allowance: Allowance,
    private readonly object: () => QuotaObject,
    /** Keeps the isolate alive until a report is delivered. */
    private readonly waitUntil: (report: Promise<unknown>) => void,
  ) {}

  take(quota: QuotaName, place?: string): Promise<Taking | Exhausted> {
    const taken = this.#take(quota, place);
    // Who asked may have given up meanwhile, and gives back what comes.
    this.waitUntil(taken);
    return taken;
  }

  async #take(quota: QuotaName, place?: string): Promise<Taking | Exhausted> {
    const {day, second} = this.allowance[quota];
    if (day === null && second === null) return UNCOUNTED;
    let taken;
    try {
      taken = await this.object().take(quota, place);
    } catch {
      // An object may be moved or begun anew in the middle of an answer. What cannot be counted is not sent.
      return {retryAfterMs: UNREACHED_PAUSE_MS};
    }
    if ('retryAfterMs' in taken) return taken;
    const {taking} = taken;
    return {
      end: (refusal) => this.#tell(this.object().end(taking, refusal ?? null)),
      giveBack: () => this.#tell(this.object().giveBack(taking)),
    };
  }

  /** A call whose end is not heard keeps its turn for a while, and counts. */
  #tell(told: Promise<void>): void {
    this.waitUntil(told.catch((error: unknown) => log('warn', 'quota_unheard', {error: describeError(error)})));
  }
}
