/**
 * Finds new transactions with few searches per sweep, no matter how many web pages are waiting and how long the
 * platform's list is.
 *
 * The platform's search cannot filter by order, does not sort, and does not show changes, but it returns a total count.
 * The first search of each sweep therefore reads the first rows of the last days, and the count. If needed, a second
 * search does one of two things; when both are needed, sweeps alternate:
 * - If the count is higher than the number of known transactions, it reads recently booked transactions.
 * - If a pass over the whole list is due or running, it reads the next page of the pass.
 *
 * The contract leaves open what a missing `endDate` means, whether a search includes its end day, and how many days it
 * may span. Every search therefore has an `endDate`, and a row that two searches return is processed once. If the
 * platform refuses a search over several days, sweeps search single days: each sweep searches today and two of the
 * other last days, so that every day is searched within two sweeps.
 *
 * A pass over the last days runs regularly, and whenever recent bookings do not explain the count (a bank may book
 * without a time of day). A pass over the earlier days, back to the oldest open order, runs less often. Only a pass
 * finds a transaction that was matched to its order after a sweep had first read it.
 */

import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import type {ListReading, SingleDays, SweepProgress, SweepStore} from './sweep-store.ts';
import {
  dayAfter,
  type Days,
  FIRST_LENGTH,
  isSearchRefused,
  oneDay,
  PAGE_LENGTH,
  REFUSAL_HOLDS_MS,
  TransactionSearch,
} from './transaction-search.ts';

/** The age up to which a booking counts as recent. */
const RECENT_MS = 2 * HOUR_MS;
/** How many days every sweep reads. On Monday, a bank may report a transfer that it booked on Friday. */
const LAST_DAYS_MS = 3 * DAY_MS;
/** A bank may book money on a day to come: before a weekend, on the next working day. */
const AHEAD_MS = 7 * DAY_MS;
/** How many other days a sweep searches if each search may span only one day. */
const OTHER_DAYS_PER_SWEEP = 2;
const READ_EVERY_MS = 10 * MINUTE_MS;
const READ_EARLIER_EVERY_MS = HOUR_MS;
/** Delay after a page of a pass could not be read. In the meantime, sweeps read recent bookings. */
const PAGE_RETRY_MS = MINUTE_MS;

export interface ProcessedRows {
  /** How many of the rows were new. */
  readonly fresh: number;
  /** How many rows could not be handed to their order. These rows are read again. */
  readonly undelivered: number;
}

export interface SweepResult {
  readonly searches: number;
  /** The highest number of unreadable rows in one search. */
  readonly unreadable: number;
}

/** Processes the rows of one search. */
type ProcessRows = (rows: readonly TransactionItem[]) => Promise<ProcessedRows>;

type ReadPage = (progress: SweepProgress) => Promise<void>;

export class TransactionList {
  readonly #search: TransactionSearch;

  constructor(
    platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly processRows: ProcessRows,
  ) {
    this.#search = new TransactionSearch(platform, store, service);
  }

  /** @throws {PlatformError} */
  async read(oldestRegisteredAt: number, now: number): Promise<SweepResult> {
    // A bank may book a transfer with the date of the day before, and without a time of day.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(begin - DAY_MS);
    const singleDays = this.store.singleDays();
    if (singleDays && now - singleDays.since < REFUSAL_HOLDS_MS) await this.#readSingleDays(singleDays, begin, now);
    else await this.#readLastDays(begin, now);
    const {searches, unreadable} = this.#search;
    return {searches, unreadable};
  }

  /** Reads the last days with one search, or each by itself if the platform refuses that search. */
  async #readLastDays(begin: number, now: number): Promise<void> {
    const completeAt = this.store.progress()?.completeAt;
    const firstDay = completeAt === undefined ? begin : Math.max(begin, completeAt - LAST_DAYS_MS);
    const days = {startDate: formatPlatformDay(firstDay), endDate: formatPlatformDay(now + AHEAD_MS)};
    try {
      await this.#readDays(days, begin, now);
    } catch (error) {
      if (this.#search.searches > 1 || !isSearchRefused(error)) throw error;
      await this.#readSingleDays({since: now, turn: 0, totals: {}}, begin, now);
      log('warn', 'search_days_refused', {service: this.service});
    }
  }

  /** Reads today, and some of the other last days in turn. */
  async #readSingleDays(singleDays: SingleDays, begin: number, now: number): Promise<void> {
    const isReadAgain = this.store.isReadAgain();
    await this.#readDays(oneDay(now), begin, now);
    const others = [now - 3 * DAY_MS, now - 2 * DAY_MS, now - DAY_MS, now + DAY_MS]
      .filter((day) => day >= begin)
      .map((day) => oneDay(day));
    const totals: Record<string, number> = {};
    for (const {startDate} of others) totals[startDate] = isReadAgain ? 0 : (singleDays.totals[startDate] ?? 0);
    const count = Math.min(OTHER_DAYS_PER_SWEEP, others.length);
    for (let step = 0; step < count; step += 1) {
      const day = others[(singleDays.turn + step) % others.length];
      if (day) totals[day.startDate] = await this.#readOtherDay(day, totals[day.startDate] ?? 0);
    }
    this.store.setSingleDays({since: singleDays.since, turn: singleDays.turn + count, totals});
  }

  /** Reads a day's rows if there are more than at the last time. @returns how many of them are known. */
  async #readOtherDay(day: Days, knownTotal: number): Promise<number> {
    let position = 0;
    let undelivered = 0;
    for (;;) {
      const page = await this.#search.read(day, position, position === 0 ? FIRST_LENGTH : PAGE_LENGTH);
      undelivered += (await this.processRows(page.data.rows)).undelivered;
      const rowCount = countRows(page.data);
      const total = page.recordsFiltered;
      const isKnown = position === 0 && total === knownTotal;
      position += rowCount;
      if (isKnown || rowCount === 0 || position >= total) return total - undelivered;
    }
  }

  /** Reads a list of days: its first rows, and what they leave unexplained. */
  async #readDays(days: Days, begin: number, now: number): Promise<void> {
    const last = this.#progress(days.startDate);
    const first = await this.#search.read(days, 0, FIRST_LENGTH);
    const total = first.recordsFiltered;
    const isWholeList = total <= countRows(first.data);
    const {fresh, undelivered} = await this.processRows(first.data.rows);
    const read = isWholeList
      ? {...last, known: total - undelivered, readAt: now, reading: null}
      : {...last, known: addKnown(last.known, fresh, total)};
    const progress = this.#save(read, total, now);
    const page =
      (!isWholeList && this.#nextPage(progress, days, total, now)) ||
      this.#nextEarlierPage(progress, days, formatPlatformDay(begin), now);
    const isUnexplained = !isWholeList && (progress.known === null || progress.known < total);
    if (page && !(isUnexplained && progress.pagedLast)) await page({...progress, pagedLast: true});
    else if (isUnexplained) await this.#readRecent({...progress, pagedLast: false}, days, total, now);
  }

  /** The progress so far. When the first day of the list changes, the known count and the running pass start again. */
  #progress(startDate: string): SweepProgress {
    const last = this.store.progress();
    const previous = last ?? {completeAt: 0, earlierReadAt: 0, earlier: null, pageFailedAt: 0, pagedLast: false};
    const progress =
      last?.startDate === startDate ? last : {...previous, startDate, known: null, readAt: 0, reading: null};
    return this.store.takeReadAgain() ? {...progress, known: null, earlierReadAt: 0} : progress;
  }

  /** Reads recent bookings. If they do not explain the count, the whole list must be read. */
  async #readRecent(progress: SweepProgress, days: Days, total: number, now: number): Promise<void> {
    const recent = await this.#search.read({...days, since: now - RECENT_MS}, 0, PAGE_LENGTH);
    const known = addKnown(progress.known, (await this.processRows(recent.data.rows)).fresh, total);
    this.#save({...progress, known: known !== null && known < total ? null : known}, total, now);
  }

  /** Returns a function that reads the next page of the last days; null if no page is due. */
  #nextPage(
    {known, readAt, reading, pageFailedAt}: SweepProgress,
    days: Days,
    total: number,
    now: number,
  ): ReadPage | null {
    const isDue = reading !== null || known === null || known > total || now - readAt >= READ_EVERY_MS;
    if (!isDue || now - pageFailedAt < PAGE_RETRY_MS) return null;
    return (progress) => this.#readPage(progress, reading ?? newReading(days), total, now);
  }

  /** Returns a function that reads the next page of the earlier days; null if no page is due. */
  #nextEarlierPage(
    {earlierReadAt, earlier, pageFailedAt}: SweepProgress,
    {startDate, endDate}: Days,
    begin: string,
    now: number,
  ): ReadPage | null {
    const isDue = earlier !== null || (begin < startDate && now - earlierReadAt >= READ_EARLIER_EVERY_MS);
    if (!isDue || now - pageFailedAt < PAGE_RETRY_MS) return null;
    const isSingleDay = endDate === dayAfter(startDate);
    const first = newReading({startDate: begin, endDate: isSingleDay ? dayAfter(begin) : startDate});
    return (progress) => this.#readEarlierPage(progress, earlier ?? first, startDate, now);
  }

  async #readPage(progress: SweepProgress, reading: ListReading, total: number, now: number): Promise<void> {
    const {next, fresh, isEnd, count} = await this.#readNextPage(progress, reading, now);
    const known = addKnown(progress.known, fresh, total);
    if (!isEnd) return void this.#save({...progress, known, reading: next}, total, now);
    // During a first pass, new rows may have appeared on pages that were already read. Run the pass once more, now that
    // the count is known.
    const isFirst = progress.known === null && count !== next.total;
    this.#save(
      {...progress, known: (known ?? count) - next.undelivered, readAt: isFirst ? 0 : now, reading: null},
      total,
      now,
    );
  }

  /** @param end the day after the last of the days before. */
  async #readEarlierPage(progress: SweepProgress, reading: ListReading, end: string, now: number): Promise<void> {
    const {next, isEnd} = await this.#readNextPage(progress, reading, now);
    if (!isEnd) return this.store.setProgress({...progress, earlier: next});
    const {endDate, undelivered} = next;
    if (endDate !== undefined && endDate < end) {
      const nextDay = {...newReading({startDate: endDate, endDate: dayAfter(endDate)}), undelivered};
      return this.store.setProgress({...progress, earlier: nextDay});
    }
    // If a row could not be delivered, the pass runs again soon.
    const earlierReadAt = next.undelivered > 0 ? now - READ_EARLIER_EVERY_MS + PAGE_RETRY_MS : now;
    this.store.setProgress({...progress, earlierReadAt, earlier: null});
  }

  /** Reads and processes one page. */
  async #readNextPage(progress: SweepProgress, reading: ListReading, now: number) {
    // The time of the failure is stored before the search, so that the retry delay holds even if the process dies.
    this.store.setProgress({...progress, pageFailedAt: now});
    const {startDate, endDate = formatPlatformDay(now + AHEAD_MS)} = reading;
    const page = await this.#search.read({startDate, endDate}, reading.position, PAGE_LENGTH);
    const {fresh, undelivered} = await this.processRows(page.data.rows);
    const count = page.recordsFiltered;
    const rowCount = countRows(page.data);
    const next = {
      ...reading,
      position: reading.position + rowCount,
      total: reading.total ?? count,
      undelivered: reading.undelivered + undelivered,
    };
    return {next, fresh, count, isEnd: rowCount === 0 || next.position >= count};
  }

  /** Stores the progress. If all transactions are known, also stores the time, as `completeAt`. */
  #save(progress: SweepProgress, total: number, now: number): SweepProgress {
    const saved = progress.known === total ? {...progress, completeAt: now} : progress;
    this.store.setProgress(saved);
    return saved;
  }
}

function newReading(list: Days): ListReading {
  return {...list, position: 0, total: null, undelivered: 0};
}

/** How many transactions are known after adding the fresh ones, at most the total. */
function addKnown(known: number | null, fresh: number, total: number): number | null {
  return known === null ? null : Math.max(known, Math.min(known + fresh, total));
}
