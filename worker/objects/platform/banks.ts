import type {Context} from '../../context.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {failureOf, type PlatformFailure, retryAfterMsOf} from '../../platform/failure.ts';
import type {BankItem} from '../../platform/operations/orders.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

export interface BankListSnapshot {
  readonly banks: BankItem[];
  /** True if a refresh was tried and failed or took too long, so that the stored list is returned. */
  readonly stale: boolean;
  /** True if the list is younger than a minute. */
  readonly isFresh: boolean;
}
export type BanksResult = BankListSnapshot | {readonly failure: PlatformFailure};

const FRESH_MS = MINUTE_MS;
/** A page immediately gets a list of up to this age; the Worker then refreshes the list for later pages. */
const MAX_SHOWN_AGE_MS = 10 * MINUTE_MS;
/** Delay between a failed refresh and the next refresh. */
const RETRY_DELAY_MS = 5_000;
/** How long a shopper waits for a refresh when an older list is stored. */
const REFRESH_TIMEOUT_MS = 1_000;

interface StoredBanks {
  readonly banks: BankItem[];
  readonly at: number;
}

export const BANKS: StoreSchema = {name: 'banks', createdOn: 'wake', steps: [NO_TABLES]};

/**
 * The platform's bank list. Concurrent callers share one request. The last list is stored, and is returned while the
 * platform is down.
 */
export class Banks {
  #refreshing: Promise<BanksResult> | undefined;
  #failed: {readonly failure: PlatformFailure; readonly at: number} | undefined;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly context: () => Context,
  ) {}

  /** Returns the list if it needs no refresh, otherwise null. Never calls the platform. */
  fresh(): BankListSnapshot | null {
    const last = this.#last();
    return last && isYounger(last, FRESH_MS) ? {banks: last.banks, stale: false, isFresh: true} : null;
  }

  /** The list, refreshed if needed, for a caller that needs the account to which an order is paid. */
  async current(): Promise<BanksResult> {
    const fresh = this.fresh();
    if (fresh) return fresh;
    const last = this.#last();
    const failure = this.#recentFailure();
    if (failure) return this.#fallBack(last, failure);
    const refreshing = this.#refreshOnce(last);
    if (!last) return refreshing;
    return Promise.race([
      refreshing,
      scheduler.wait(REFRESH_TIMEOUT_MS).then(() => ({banks: last.banks, stale: true, isFresh: false})),
    ]);
  }

  /**
   * The list for a page that shows banks to choose from. Such a page never waits for the platform while the stored list
   * is younger than ten minutes; the next page gets the refreshed list.
   */
  async latest(): Promise<BanksResult> {
    const last = this.#last();
    if (!last || !isYounger(last, MAX_SHOWN_AGE_MS)) return this.current();
    const isFresh = isYounger(last, FRESH_MS);
    if (!isFresh && !this.#recentFailure()) void this.#refreshOnce(last);
    return {banks: last.banks, stale: false, isFresh};
  }

  #last(): StoredBanks | undefined {
    return this.storage.kv.get<StoredBanks>('banks');
  }

  #recentFailure(): PlatformFailure | undefined {
    if (!this.#failed) return undefined;
    const {failure} = this.#failed;
    return isYounger(this.#failed, retryAfterMsOf(failure) ?? RETRY_DELAY_MS) ? failure : undefined;
  }

  #refreshOnce(last: StoredBanks | undefined): Promise<BanksResult> {
    this.#refreshing ??= this.#refresh(last).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #refresh(last: StoredBanks | undefined): Promise<BanksResult> {
    try {
      const {banks, unreadable} = await this.context().platform.call('bankGetAll', {});
      if (unreadable > 0) log('error', 'banks_unreadable', {rows: unreadable});
      this.storage.kv.put<StoredBanks>('banks', {banks, at: Date.now()});
      this.#failed = undefined;
      return {banks, stale: false, isFresh: true};
    } catch (error) {
      const failure = failureOf(error);
      // A call that was not sent cost nothing, so the next caller tries again immediately: the platform may be up
      // again.
      if (failure.outcome !== 'unsent') this.#failed = {failure, at: Date.now()};
      return this.#fallBack(last, failure);
    }
  }

  #fallBack(last: StoredBanks | undefined, failure: PlatformFailure): BanksResult {
    if (!last) return {failure};
    log('warn', 'bank_list_stale');
    return {banks: last.banks, stale: true, isFresh: false};
  }
}

/** False for a time in the future, which means that the clock was set back. */
function isYounger({at}: {readonly at: number}, ms: number): boolean {
  const ageMs = Date.now() - at;
  return ageMs >= 0 && ageMs < ms;
}
