/**
 * Reads what is new at the platform with at most two searches a sweep, however many pages wait.
 *
 * A search cannot ask for an order, promises no order of results and shows no change, but it counts. So each
 * sweep takes the first rows and the count of all. Where the count says more than is known, a second search
 * reads what was booked lately; where that does not explain the count (a bank may book without a time of
 * day), the next sweep reads the whole list instead, and so it does now and then, because a transaction can be
 * matched to its order after it was first read. Lists of more than `WHOLE_LENGTH` rows take more searches.
 */
import {formatPlatformDay, formatPlatformTime} from '../instant.ts';
import type {PlatformClient} from '../platform/client.ts';
import type {TransactionItem} from '../platform/operations/transactions.ts';
import type {Progress, SweepStore} from './sweep-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const RECENT_MS = 2 * 60 * 60_000;
const FIRST_LENGTH = 100;
const WHOLE_LENGTH = 10_000;
const WHOLE_EVERY_MS = 10 * 60_000;
/** After a whole reading that failed. */
const WHOLE_AGAIN_MS = 60_000;

export interface Dealt {
  /** How many of the rows were not known before. */
  readonly fresh: number;
  /** How many could not be handed to their order: they are to be read again. */
  readonly undelivered: number;
}

/** Deals with rows as they were read. */
type Accept = (rows: readonly TransactionItem[]) => Promise<Dealt>;

export class SweepReader {
  #searches = 0;

  constructor(
    private readonly platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly accept: Accept,
  ) {}

  /** @returns how many searches it took. @throws {PlatformError} */
  async read(oldestRegisteredAt: number, now: number): Promise<number> {
    // A bank may book on the day before, and its time of day may be missing.
    const begin = oldestRegisteredAt - DAY_MS;
    const startDate = formatPlatformDay(begin);
    this.store.forgetBefore(begin - DAY_MS);
    const progress = this.#progress(startDate);

    const first = await this.#search({startDate}, 0, FIRST_LENGTH);
    const total = first.recordsFiltered;
    const {fresh, undelivered} = await this.accept(first.data);
    if (total <= first.data.length) {
      this.store.setProgress({startDate, known: total - undelivered, readWholeAt: now});
    } else if (mustReadWhole(progress, total, now)) {
      await this.#readWhole(progress, now);
    } else if (progress.known === null || progress.known < total) {
      const recent = await this.#search({startDate, since: now - RECENT_MS}, 0, WHOLE_LENGTH);
      const known = (progress.known ?? 0) + fresh + (await this.accept(recent.data)).fresh;
      this.store.setProgress({...progress, known: progress.known === null || known < total ? null : known});
    }
    return this.#searches;
  }

  #progress(startDate: string): Progress {
    const last = this.store.progress();
    const readAgain = this.store.takeReadAgain();
    return last?.startDate === startDate ? {...last, ...(readAgain && {known: null})} : {startDate, known: null, readWholeAt: 0};
  }

  /** A platform that cannot give the whole list is asked for what is recent until it is tried again. */
  async #readWhole(progress: Progress, now: number): Promise<void> {
    this.store.setProgress({...progress, known: null, wholeFailedAt: now});
    const {startDate} = progress;
    let read = 0;
    let total = 0;
    let undelivered = 0;
    do {
      const page = await this.#search({startDate}, read, WHOLE_LENGTH);
      undelivered += (await this.accept(page.data)).undelivered;
      read += page.data.length;
      total = page.recordsFiltered;
      if (page.data.length === 0) break;
    } while (read < total);
    this.store.setProgress({startDate, known: total - undelivered, readWholeAt: now});
  }

  async #search({startDate, since}: {startDate: string; since?: number}, start: number, length: number) {
    this.#searches += 1;
    return this.platform.call('transactionSearch', {
      code: this.service,
      start,
      length,
      Transaction: {startDate, ...(since !== undefined && {transaction_date: {con_operator: '>=', value: formatPlatformTime(since)}})},
    });
  }
}

function mustReadWhole({known, readWholeAt, wholeFailedAt = 0}: Progress, total: number, now: number): boolean {
  const wanted = known === null || known > total || now - readWholeAt >= WHOLE_EVERY_MS;
  return wanted && now - wholeFailedAt >= WHOLE_AGAIN_MS;
}
