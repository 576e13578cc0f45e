/** The platform's limits as they are counted for every isolate, in the `Quota` object. */

import {waitUntil} from 'cloudflare:workers';
import {describeError, log} from '../log.ts';
import type {Allowance, Exhausted, QuotaName, QuotaSource, Refusal, Taken, Taking} from './quotas.ts';

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
  ) {}

  take(quota: QuotaName, place?: string): Promise<Taking | Exhausted> {
    const taken = this.#take(quota, place);
    // Who asked may have given up meanwhile, and gives back what comes.
    waitUntil(taken);
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
      end: (refusal) => tell(this.object().end(taking, refusal ?? null)),
      giveBack: () => tell(this.object().giveBack(taking)),
    };
  }
}

/** A call whose end is not heard keeps its turn for a while, and counts. */
function tell(told: Promise<void>): void {
  waitUntil(told.catch((error: unknown) => log('warn', 'quota_unheard', {error: describeError(error)})));
}
