import {contextOf} from '../context.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {log} from '../lib/log.ts';
import {failureOf, type PlatformFailure} from '../platform/failure.ts';
import type {BankItem} from '../platform/operations/orders.ts';
import {NO_TABLES, type StoreSchema} from './migrations.ts';
import {StoredObject} from './stored-object.ts';

export interface BankListSnapshot {
  readonly banks: BankItem[];
  /** True when the list should have been refreshed but the platform did not answer. */
  readonly stale: boolean;
}
export type BanksResult = BankListSnapshot | {readonly failure: PlatformFailure};

const FRESH_MS = MINUTE_MS;
/** Delay between a failed refresh and the next one. */
const RETRY_DELAY_MS = 5_000;
/** How long a shopper waits for a refresh when an older list is stored. */
const REFRESH_TIMEOUT_MS = 1_000;

interface StoredBanks {
  readonly banks: BankItem[];
  readonly at: number;
}

const BANKS: StoreSchema = {name: 'banks', createdOn: 'wake', steps: [NO_TABLES]};

/**
 * The platform's bank list. Concurrent callers share one request. The last list is stored, and is returned while the
 * platform is down.
 */
export class Banks extends StoredObject {
  static override readonly schemas = [BANKS];

  #refreshing: Promise<BanksResult> | undefined;
  #failed: {readonly failure: PlatformFailure; readonly at: number} | undefined;

  /** The list if it needs no refresh, otherwise null. This never calls the platform. */
  fresh(): BankListSnapshot | null {
    const last = this.ctx.storage.kv.get<StoredBanks>('banks');
    return last && Date.now() - last.at < FRESH_MS ? {banks: last.banks, stale: false} : null;
  }

  async current(): Promise<BanksResult> {
    const fresh = this.fresh();
    if (fresh) return fresh;
    const last = this.ctx.storage.kv.get<StoredBanks>('banks');
    if (this.#failed && Date.now() - this.#failed.at < RETRY_DELAY_MS)
      return this.#fallBack(last, this.#failed.failure);
    this.#refreshing ??= this.#refresh(last).finally(() => (this.#refreshing = undefined));
    if (!last) return this.#refreshing;
    return Promise.race([
      this.#refreshing,
      scheduler.wait(REFRESH_TIMEOUT_MS).then(() => ({banks: last.banks, stale: true})),
    ]);
  }

  async #refresh(last: StoredBanks | undefined): Promise<BanksResult> {
    try {
      const {banks, unreadable} = await contextOf(this.env).platform.call('bankGetAll', {});
      if (unreadable > 0) log('error', 'banks_unreadable', {rows: unreadable});
      this.ctx.storage.kv.put<StoredBanks>('banks', {banks, at: Date.now()});
      this.#failed = undefined;
      return {banks, stale: false};
    } catch (error) {
      const failure = failureOf(error);
      // An unsent call costs nothing, so the next caller tries again immediately, in case the platform is up again.
      if (failure.outcome !== 'unsent') this.#failed = {failure, at: Date.now()};
      return this.#fallBack(last, failure);
    }
  }

  #fallBack(last: StoredBanks | undefined, failure: PlatformFailure): BanksResult {
    if (!last) return {failure};
    log('warn', 'bank_list_stale');
    return {banks: last.banks, stale: true};
  }
}
