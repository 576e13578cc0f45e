/**
 * Reads one list of transactions with few searches per sweep, however long the list is.
 *
 * The platform's search cannot filter by merchant order, returns rows in any sequence, and does not show changes. But
 * it returns a total count. The first search of a sweep therefore reads the first rows and the count. If needed, a
 * second search does one of the following two things. If both are needed, sweeps do them in turn:
 * - If the count is higher than the number of known transactions, the second search reads many more of the first rows if
 *   all of these were new, and otherwise recently booked transactions.
 * - If a pass over the whole list is due or running, the second search reads the next page of the pass.
 *
 * A pass runs regularly, and also whenever recent bookings do not explain the count. (A booking without a time of day
 * has the time 00:00, so a new booking does not always count as recent.) Only a pass finds a transaction that was
 * matched to its order after a sweep had first read it.
 *
 * While the platform refuses long pages, a sweep reads several short pages: the last page of the list (the newest rows,
 * if the oldest rows come first), recent bookings, and pages of the pass.
 *
 * A platform may count only the rows of a page. If the first page is full and the count is the number of its rows, the
 * list may therefore have more rows. After a pass has found the end, each sweep also searches for rows after this end.
 */

import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {LONG_PAGE_LENGTH, mayBePageCount as mayCountPage, SHORT_PAGE_LENGTH} from '../../platform/habits.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import {addKnown, EMPTY_LIST, listState, type ListState, type Pass, type SweepProgress} from './sweep-progress.ts';
import type {TransactionSearch} from './transaction-search.ts';

/** The age up to which a booking counts as recent. */
const RECENT_MS = 2 * HOUR_MS;
const PASS_EVERY_MS = 10 * MINUTE_MS;
/** Delay after a read of a page of a pass failed. In the meantime, sweeps read recent bookings. */
export const PAGE_RETRY_MS = MINUTE_MS;

/**
 * Processes the rows of one search. @param askedAt - When it was sent, epoch milliseconds. @returns how many of the rows
 * were new.
 */
export type ProcessRows = (rows: readonly TransactionItem[], askedAt: number) => Promise<number>;

/** The first rows of a list that has more rows. */
export interface FirstRows {
  readonly count: number;
  /** Whether all of them were new, so that newer rows come first. */
  readonly areNew: boolean;
  /** Whether the platform's count may be the number of these rows. */
  readonly mayBePageCount: boolean;
}

interface Page {
  /** How many of the rows were new. */
  readonly fresh: number;
  /** The position of the next page. */
  readonly next: number;
  readonly isEnd: boolean;
  /** How many rows the list has. If the platform counts only the page: how many rows there are up to its end. */
  readonly total: number;
  readonly mayBePageCount: boolean;
}

/** How many searches a sweep may still make after the first search of each list. */
export interface Budget {
  left: number;
}

export interface ListReaderContext {
  readonly search: TransactionSearch;
  readonly progress: SweepProgress;
  /** Stores the progress. */
  readonly save: () => void;
  readonly processRows: ProcessRows;
  readonly now: number;
}

export class ListReader {
  constructor(private readonly context: ListReaderContext) {}

  /** Reads the first rows of a list, and the count of rows. @returns null if the list has no more rows. */
  async readFirst(day: string): Promise<FirstRows | null> {
    const {search, progress, processRows, now} = this.context;
    const last = {...this.state(day), sweep: progress.sweeps, hold: null};
    const {data, recordsFiltered, askedAt} = await search.read({day}, 0, SHORT_PAGE_LENGTH);
    const count = countRows(data);
    const fresh = await processRows(data.rows, askedAt);
    const mayBePageCount = mayCountPage(recordsFiltered, count);
    if (mayBePageCount && count < SHORT_PAGE_LENGTH) {
      this.#setSearched(day, {...last, total: recordsFiltered, known: recordsFiltered, readAt: now, pass: null});
      return null;
    }
    const total = mayBePageCount ? Math.max(last.total, count) : recordsFiltered;
    this.#setSearched(day, {...last, total, known: addKnown(last.known, fresh, total)}, !mayBePageCount);
    return {count, areNew: fresh === count && !mayBePageCount, mayBePageCount};
  }

  /**
   * Reads more of a list after its first rows, if the budget allows it.
   * @param readsRecent - Whether the day is today, so that the list may have recent bookings.
   */
  async readMore(day: string, first: FirstRows, budget: Budget, readsRecent: boolean): Promise<void> {
    const {search, now} = this.context;
    if (first.mayBePageCount && this.state(day).known !== null) await this.#readAfterEnd(day);
    let mayReadRecent = readsRecent;
    let mayReadLast = search.hasShortPages;
    for (; budget.left > 0; budget.left -= 1) {
      const state = this.state(day);
      const {total} = state;
      const isUnexplained = isUnknown(state);
      const mayReadPage = now - state.pageFailedAt >= PAGE_RETRY_MS;
      const isPassDue = mayReadPage && (isDue(state, now) || (isUnexplained && !readsRecent));
      if (isUnexplained && mayReadLast) {
        mayReadLast = false;
        await this.#readRows(day, {start: Math.max(first.count, total - SHORT_PAGE_LENGTH), length: SHORT_PAGE_LENGTH});
      } else if (isUnexplained && mayReadRecent && (state.pagedLast || !isPassDue)) {
        mayReadRecent = false;
        await this.#readNews(day, first.areNew);
      } else if (isPassDue) await this.#continuePass(day, state.pass ?? {position: first.count, total});
      else return;
    }
  }

  state(day: string): ListState {
    return listState(this.context.progress, day);
  }

  setState(day: string, state: ListState): void {
    this.context.progress.lists[day] = state;
  }

  /** Stores the state after a search. @param isEndKnown - Whether the list has no rows after those that were counted. */
  #setSearched(day: string, state: ListState, isEndKnown = true): void {
    const isComplete = isEndKnown && state.known === state.total;
    this.setState(day, isComplete ? {...state, completeAt: this.context.now} : state);
  }

  /** Counts new rows of a list that has `total` rows. */
  #addFresh(day: string, fresh: number, total: number, isEndKnown?: boolean): void {
    const state = this.state(day);
    this.#setSearched(day, {...state, total, known: addKnown(state.known, fresh, total)}, isEndKnown);
  }

  /** Records that the list of this day has no rows. */
  setEmpty(day: string): void {
    this.#setSearched(day, {...EMPTY_LIST, known: 0, sweep: this.context.progress.sweeps});
  }

  /** Deletes the progress of the lists of all other days. */
  keepOnly(days: readonly string[]): void {
    const {progress} = this.context;
    progress.lists = Object.fromEntries(Object.entries(progress.lists).filter(([day]) => days.includes(day)));
  }

  /** Reads and processes one page of a pass. */
  async #readPage(day: string, position: number): Promise<Page> {
    const {search, processRows} = this.context;
    const {data, recordsFiltered, askedAt} = await search.read({day}, position, LONG_PAGE_LENGTH);
    const fresh = await processRows(data.rows, askedAt);
    const count = countRows(data);
    const next = position + count;
    const mayBePageCount = mayCountPage(recordsFiltered, count);
    const isEnd = count === 0 || (mayBePageCount ? count < SHORT_PAGE_LENGTH : next >= recordsFiltered);
    return {fresh, next, isEnd, total: mayBePageCount ? next : recordsFiltered, mayBePageCount};
  }

  /** Reads the rows after the known end of a list, because the platform may count only the rows of a page. */
  async #readAfterEnd(day: string): Promise<void> {
    const {fresh, next: total, isEnd} = await this.#readPage(day, this.state(day).total);
    this.#addFresh(day, fresh, total, isEnd);
  }

  /** Reads rows that are not part of a pass, and counts the new rows. */
  async #readRows(day: string, {start, length, since}: {start: number; length: number; since?: number}): Promise<void> {
    const {search, processRows} = this.context;
    const found = await search.read({day, ...(since !== undefined && {since})}, start, length);
    const fresh = await processRows(found.data.rows, found.askedAt);
    this.#addFresh(day, fresh, this.state(day).total);
  }

  /**
   * Reads the newest rows: many more of the first if newer rows come first, and otherwise recent bookings. The first come
   * with a count of the same time, so what arrives between two searches of a sweep does not look like a row that no
   * search shows. If the rows do not explain the count, the whole list must be read.
   * @param areNew - Whether all of the first rows were new.
   */
  async #readNews(day: string, areNew: boolean): Promise<void> {
    this.setState(day, {...this.state(day), pagedLast: false});
    if (areNew) {
      const {fresh, total} = await this.#readPage(day, 0);
      this.#addFresh(day, fresh, total);
    } else await this.#readRows(day, {start: 0, length: LONG_PAGE_LENGTH, since: this.context.now - RECENT_MS});
    const state = this.state(day);
    if (isUnknown(state)) this.setState(day, {...state, known: null});
  }

  async #continuePass(day: string, pass: Pass): Promise<void> {
    const {now, save} = this.context;
    const before = this.state(day);
    // The time of the failure is stored before the search, so that the retry is delayed even if the process dies.
    this.setState(day, {...before, pageFailedAt: now});
    save();
    const page = await this.#readPage(day, pass.position);
    const state = {...this.state(day), pageFailedAt: before.pageFailedAt, pagedLast: true};
    const known = addKnown(state.known, page.fresh, state.total);
    if (!page.isEnd) return this.setState(day, {...state, known, pass: {position: page.next, total: pass.total}});
    const {total: count, mayBePageCount} = page;
    const isUnchanged = count === pass.total;
    // If the count changed during the first pass, there may be new rows on pages that were already read, so the pass
    // runs once more.
    const isFirst = state.known === null && !isUnchanged;
    this.#setSearched(day, {
      ...state,
      known: isUnchanged || mayBePageCount ? count : (known ?? count),
      total: mayBePageCount ? count : state.total,
      readAt: isFirst ? 0 : now,
      pass: null,
    });
  }
}

function isUnknown({known, total}: ListState): boolean {
  return known === null || known < total;
}

function isDue({known, total, readAt, pass}: ListState, now: number): boolean {
  return pass !== null || known === null || known > total || now - readAt >= PASS_EVERY_MS;
}
