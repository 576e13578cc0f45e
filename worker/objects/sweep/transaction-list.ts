/**
 * Finds new transactions with at most two searches per sweep, no matter how many web pages are waiting and how long the
 * platform's list is.
 *
 * The platform's search cannot filter by order, does not sort, and does not show changes, but it returns a total count.
 * The first search of each sweep therefore reads the first rows of the last days, and the count. If needed, a second
 * search does one of two things; when both are needed, sweeps alternate:
 * - If the count is higher than the number of known transactions, it reads recently booked transactions.
 * - If a pass over the whole list is due or running, it reads the next page of the pass.
 *
 * A pass over the last days runs regularly, and whenever recent bookings do not explain the count (a bank may book
 * without a time of day). A pass over the earlier days, back to the oldest open order, runs less often. Only a pass
 * finds a transaction that was matched to its order after a sweep had first read it.
 */

import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatPlatformDay, formatPlatformTime} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import type {SweepProgress, ListReading, SweepStore} from './sweep-store.ts';

/** The age up to which a booking counts as recent. */
const RECENT_MS = 2 * HOUR_MS;
/** How many days every sweep reads. On Monday, a bank may report a transfer that it booked on Friday. */
const LAST_DAYS_MS = 3 * DAY_MS;
const FIRST_LENGTH = 100;
const PAGE_LENGTH = 5_000;
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

interface List {
  readonly startDate: string;
  readonly endDate?: string | undefined;
  /** Only transactions booked since this time are listed; epoch milliseconds. */
  readonly since?: number;
}

export class TransactionList {
  #searches = 0;
  #unreadable = 0;

  constructor(
    private readonly platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly processRows: ProcessRows,
  ) {}

  /** @throws {PlatformError} */
  async read(oldestRegisteredAt: number, now: number): Promise<SweepResult> {
    // A bank may book a transfer with the date of the day before, and without a time of day.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(begin - DAY_MS);
    const last = this.#progress(begin);
    const {startDate} = last;

    const first = await this.#search({startDate}, 0, FIRST_LENGTH);
    const total = first.recordsFiltered;
    const isWholeList = total <= countRows(first.data);
    const {fresh, undelivered} = await this.processRows(first.data.rows);
    const read = isWholeList
      ? {...last, known: total - undelivered, readAt: now, reading: null}
      : {...last, known: addKnown(last.known, fresh, total)};
    const progress = this.#save(read, total, now);
    const page =
      (!isWholeList && this.#nextPage(progress, total, now)) ||
      this.#nextEarlierPage(progress, formatPlatformDay(begin), now);
    const isUnexplained = !isWholeList && (progress.known === null || progress.known < total);
    if (page && !(isUnexplained && progress.pagedLast)) await page({...progress, pagedLast: true});
    else if (isUnexplained) await this.#readRecent({...progress, pagedLast: false}, total, now);
    return {searches: this.#searches, unreadable: this.#unreadable};
  }

  /** The progress so far. When the first day of the list changes, the known count and the running pass start again. */
  #progress(begin: number): SweepProgress {
    const last = this.store.progress();
    const startDate = formatPlatformDay(last ? Math.max(begin, last.completeAt - LAST_DAYS_MS) : begin);
    const previous = last ?? {completeAt: 0, earlierReadAt: 0, earlier: null, pageFailedAt: 0, pagedLast: false};
    const progress =
      last?.startDate === startDate ? last : {...previous, startDate, known: null, readAt: 0, reading: null};
    return this.store.takeReadAgain() ? {...progress, known: null, earlierReadAt: 0} : progress;
  }

  /** Reads recent bookings. If they do not explain the count, the whole list must be read. */
  async #readRecent(progress: SweepProgress, total: number, now: number): Promise<void> {
    const recent = await this.#search({startDate: progress.startDate, since: now - RECENT_MS}, 0, PAGE_LENGTH);
    const known = addKnown(progress.known, (await this.processRows(recent.data.rows)).fresh, total);
    this.#save({...progress, known: known !== null && known < total ? null : known}, total, now);
  }

  /** Returns a function that reads the next page of the last days; null if no page is due. */
  #nextPage(
    {known, readAt, reading, pageFailedAt, startDate}: SweepProgress,
    total: number,
    now: number,
  ): ReadPage | null {
    const isDue = reading !== null || known === null || known > total || now - readAt >= READ_EVERY_MS;
    if (!isDue || now - pageFailedAt < PAGE_RETRY_MS) return null;
    return (progress) => this.#readPage(progress, reading ?? newReading({startDate}), total, now);
  }

  /** Returns a function that reads the next page of the earlier days; null if no page is due. */
  #nextEarlierPage(
    {earlierReadAt, earlier, pageFailedAt, startDate}: SweepProgress,
    begin: string,
    now: number,
  ): ReadPage | null {
    const isDue = earlier !== null || (begin < startDate && now - earlierReadAt >= READ_EARLIER_EVERY_MS);
    if (!isDue || now - pageFailedAt < PAGE_RETRY_MS) return null;
    return (progress) =>
      this.#readEarlierPage(progress, earlier ?? newReading({startDate: begin, endDate: startDate}), now);
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

  async #readEarlierPage(progress: SweepProgress, reading: ListReading, now: number): Promise<void> {
    const {next, isEnd} = await this.#readNextPage(progress, reading, now);
    if (!isEnd) return this.store.setProgress({...progress, earlier: next});
    // If a row could not be delivered, the pass runs again soon.
    const earlierReadAt = next.undelivered > 0 ? now - READ_EARLIER_EVERY_MS + PAGE_RETRY_MS : now;
    this.store.setProgress({...progress, earlierReadAt, earlier: null});
  }

  /** Reads and processes one page. */
  async #readNextPage(progress: SweepProgress, reading: ListReading, now: number) {
    // The time of the failure is stored before the search, so that the retry delay holds even if the process dies.
    this.store.setProgress({...progress, pageFailedAt: now});
    const page = await this.#search(reading, reading.position, PAGE_LENGTH);
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

  async #search({startDate, endDate, since}: List, start: number, length: number) {
    this.#searches += 1;
    const found = await this.platform.call('transactionSearch', {
      code: this.service,
      start,
      length,
      Transaction: {
        startDate,
        ...(endDate !== undefined && {endDate}),
        ...(since !== undefined && {transaction_date: {con_operator: '>=', value: formatPlatformTime(since)}}),
      },
    });
    this.#unreadable = Math.max(this.#unreadable, found.data.unreadable);
    return found;
  }
}

function newReading(list: Pick<ListReading, 'startDate' | 'endDate'>): ListReading {
  return {...list, position: 0, total: null, undelivered: 0};
}

/** How many transactions are known after adding the fresh ones, at most the total. */
function addKnown(known: number | null, fresh: number, total: number): number | null {
  return known === null ? null : Math.max(known, Math.min(known + fresh, total));
}
