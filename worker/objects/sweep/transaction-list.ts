/**
 * Reads what is new at the platform with at most two searches a sweep, however many pages wait and however long its
 * list is.
 *
 * A search cannot ask for an order, promises no order of results and shows no change, but it counts. So each sweep
 * takes the first rows of the last days, and the count of all. The second search is for what was booked lately, where
 * the count says more than is known, or for the next page of a list that is read as a whole; where both are wanted they
 * take turns. The last days are read as a whole now and then, and where what was booked lately does not explain the
 * count (a bank may book without a time of day); the days before, back to the oldest open order, more seldom. Only such
 * a reading finds a transaction that was matched to its order after it was first read.
 */

import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatPlatformDay, formatPlatformTime} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import type {SweepProgress, ListReading, SweepStore} from './sweep-store.ts';

const RECENT_MS = 2 * HOUR_MS;
/** What every sweep looks at: a bank may report on Monday what it booked on Friday. */
const LAST_DAYS_MS = 3 * DAY_MS;
const FIRST_LENGTH = 100;
const PAGE_LENGTH = 5_000;
const READ_EVERY_MS = 10 * MINUTE_MS;
const READ_EARLIER_EVERY_MS = HOUR_MS;
/** After a page that failed. Until then there is what was booked lately. */
const PAGE_RETRY_MS = MINUTE_MS;

export interface ProcessedRows {
  /** How many of the rows were not known before. */
  readonly fresh: number;
  /** How many could not be handed to their order: they are to be read again. */
  readonly undelivered: number;
}

export interface SweepResult {
  readonly searches: number;
  /** The most rows of one search that could not be read. */
  readonly unreadable: number;
}

/** Deals with rows as they were read. */
type ProcessRows = (rows: readonly TransactionItem[]) => Promise<ProcessedRows>;

type ReadPage = (progress: SweepProgress) => Promise<void>;

interface List {
  readonly startDate: string;
  readonly endDate?: string | undefined;
  /** Only what was booked since, epoch milliseconds. */
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
    // A bank may book on the day before, and its time of day may be missing.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(begin - DAY_MS);
    const last = this.#progress(begin);
    const {startDate} = last;

    const first = await this.#search({startDate}, 0, FIRST_LENGTH);
    const total = first.recordsFiltered;
    const isAll = total <= countRows(first.data);
    const {fresh, undelivered} = await this.processRows(first.data.rows);
    const read = isAll
      ? {...last, known: total - undelivered, readAt: now, reading: null}
      : {...last, known: sum(last.known, fresh, total)};
    const progress = this.#save(read, total, now);
    const page =
      (!isAll && this.#nextPage(progress, total, now)) ||
      this.#nextEarlierPage(progress, formatPlatformDay(begin), now);
    const isUnexplained = !isAll && (progress.known === null || progress.known < total);
    if (page && !(isUnexplained && progress.pagedLast)) await page({...progress, pagedLast: true});
    else if (isUnexplained) await this.#readRecent({...progress, pagedLast: false}, total, now);
    return {searches: this.#searches, unreadable: this.#unreadable};
  }

  #progress(begin: number): SweepProgress {
    const last = this.store.progress();
    const startDate = formatPlatformDay(last ? Math.max(begin, last.completeAt - LAST_DAYS_MS) : begin);
    const known = last ?? {completeAt: 0, earlierReadAt: 0, earlier: null, pageFailedAt: 0, pagedLast: false};
    const progress =
      last?.startDate === startDate ? last : {...known, startDate, known: null, readAt: 0, reading: null};
    return this.store.takeReadAgain() ? {...progress, known: null, earlierReadAt: 0} : progress;
  }

  async #readRecent(progress: SweepProgress, total: number, now: number): Promise<void> {
    const recent = await this.#search({startDate: progress.startDate, since: now - RECENT_MS}, 0, PAGE_LENGTH);
    const known = sum(progress.known, (await this.processRows(recent.data.rows)).fresh, total);
    this.#save({...progress, known: known !== null && known < total ? null : known}, total, now);
  }

  /** Reads the page of the last days that is due, if one is. */
  #nextPage(
    {known, readAt, reading, pageFailedAt, startDate}: SweepProgress,
    total: number,
    now: number,
  ): ReadPage | null {
    const isDue = reading !== null || known === null || known > total || now - readAt >= READ_EVERY_MS;
    if (!isDue || now - pageFailedAt < PAGE_RETRY_MS) return null;
    return (progress) => this.#readPage(progress, reading ?? newReading({startDate}), total, now);
  }

  /** The same of the days before. */
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
    const known = sum(progress.known, fresh, total);
    if (!isEnd) return void this.#save({...progress, known, reading: next}, total, now);
    // What came while a first reading was under way may have come where it had been already: once more, now that the
    // count is known.
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
    // Soon again where an order could not be told.
    const earlierReadAt = next.undelivered > 0 ? now - READ_EARLIER_EVERY_MS + PAGE_RETRY_MS : now;
    this.store.setProgress({...progress, earlierReadAt, earlier: null});
  }

  /** Reads and deals with one page. */
  async #readNextPage(progress: SweepProgress, reading: ListReading, now: number) {
    // Written first: a page that fails is left alone for a while, whatever becomes of us.
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

/** How many are known with these; of no more than there are. */
function sum(known: number | null, fresh: number, total: number): number | null {
  return known === null ? null : Math.max(known, Math.min(known + fresh, total));
}
