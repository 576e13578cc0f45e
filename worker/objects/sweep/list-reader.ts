/**
 * Reads one list of transactions with few searches per sweep, however long the list is.
 *
 * The platform's search cannot filter by order, promises no order of rows, and does not show changes, but it returns a
 * total count. The first search therefore reads the first rows and the count. If needed, a second search does one of
 * two things; when both are needed, sweeps alternate:
 * - If the count is higher than the number of known transactions, it reads recently booked transactions.
 * - If a pass over the whole list is due or running, it reads the next page of the pass.
 *
 * A pass runs regularly, and whenever recent bookings do not explain the count (a bank may book without a time of day).
 * Only a pass finds a transaction that was matched to its order after a sweep had first read it.
 *
 * While the platform refuses long pages, a sweep reads several short ones: the last page of the list (the newest rows,
 * if the oldest come first), recent bookings, and pages of the pass.
 */

import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import {addKnown, type Days, EMPTY_LIST, type ListState, type Pass, type SweepProgress} from './sweep-progress.ts';
import {FIRST_LENGTH, PAGE_LENGTH, type TransactionSearch} from './transaction-search.ts';

/** The age up to which a booking counts as recent. */
const RECENT_MS = 2 * HOUR_MS;
const PASS_EVERY_MS = 10 * MINUTE_MS;
/** Delay after a page of a pass could not be read. In the meantime, sweeps read recent bookings. */
export const PAGE_RETRY_MS = MINUTE_MS;

export interface ProcessedRows {
  /** How many of the rows were new. */
  readonly fresh: number;
  /** How many rows could not be handed to their order. These rows are read again. */
  readonly undelivered: number;
}

/** Processes the rows of one search. */
export type ProcessRows = (rows: readonly TransactionItem[], days: Days) => Promise<ProcessedRows>;

/** How many searches a sweep may still make after the first one of each list. */
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

  /**
   * Reads a list: its first rows and their count, and more if the budget allows it.
   * @param readsRecent whether the days include today, so that the list may have recent bookings.
   */
  async read(days: Days, budget: Budget, readsRecent: boolean): Promise<void> {
    const {search, progress, processRows, now} = this.context;
    const last = {...this.state(days), sweep: progress.sweeps};
    const first = await search.read(days, 0, FIRST_LENGTH);
    const total = first.recordsFiltered;
    const rowCount = countRows(first.data);
    const {fresh, undelivered} = await processRows(first.data.rows, days);
    const isWhole = total <= rowCount;
    const read = isWhole
      ? {known: total - undelivered, readAt: now, pass: null}
      : {known: addKnown(last.known, fresh, total)};
    this.setState(days, {...last, total, ...read});
    if (isWhole) return;
    let mayReadRecent = readsRecent;
    let mayReadLast = search.isShort;
    for (; budget.left > 0; budget.left -= 1) {
      const state = this.state(days);
      const isUnexplained = isUnknown(state);
      const isPassDue = this.#mayReadPage && (isDue(state, now) || (isUnexplained && !readsRecent));
      if (isUnexplained && mayReadLast) {
        mayReadLast = false;
        await this.#readRows(days, {start: Math.max(rowCount, total - FIRST_LENGTH), length: FIRST_LENGTH});
      } else if (isUnexplained && mayReadRecent && (state.pagedLast || !isPassDue)) {
        mayReadRecent = false;
        await this.#readRecent(days);
      } else if (isPassDue) await this.#continuePass(days, state.pass ?? {position: rowCount, total, undelivered});
      else return;
    }
  }

  state(days: Days): ListState {
    return this.context.progress.lists[keyOf(days)] ?? EMPTY_LIST;
  }

  setState(days: Days, state: ListState): void {
    const {progress, now} = this.context;
    progress.lists[keyOf(days)] = state.known === state.total ? {...state, completeAt: now} : state;
  }

  /** Forgets all lists but those of these days. */
  keepOnly(days: readonly Days[]): void {
    const {progress} = this.context;
    progress.lists = Object.fromEntries(days.map((kept) => [keyOf(kept), this.state(kept)]));
  }

  /** Reads and processes one page of a pass. */
  async readPage(days: Days, position: number) {
    const {search, progress, save, processRows, now} = this.context;
    const failedAt = progress.pageFailedAt;
    // The time of the failure is stored before the search, so that the retry delay holds even if the process dies.
    progress.pageFailedAt = now;
    save();
    const {data, recordsFiltered: total} = await search.read(days, position, PAGE_LENGTH);
    const processed = await processRows(data.rows, days);
    progress.pageFailedAt = failedAt;
    const rowCount = countRows(data);
    const next = position + rowCount;
    return {...processed, total, next, isEnd: rowCount === 0 || next >= total};
  }

  /** Whether a page of a pass may be read: not soon after one failed. */
  get #mayReadPage(): boolean {
    return this.context.now - this.context.progress.pageFailedAt >= PAGE_RETRY_MS;
  }

  /** Reads rows out of turn, and counts the fresh ones. */
  async #readRows(days: Days, {start, length, since}: {start: number; length: number; since?: number}): Promise<void> {
    const {search, processRows} = this.context;
    const found = await search.read({...days, ...(since !== undefined && {since})}, start, length);
    const {fresh} = await processRows(found.data.rows, days);
    const state = this.state(days);
    this.setState(days, {...state, known: addKnown(state.known, fresh, state.total)});
  }

  /** Reads recent bookings. If they do not explain the count, the whole list must be read. */
  async #readRecent(days: Days): Promise<void> {
    const since = this.context.now - RECENT_MS;
    this.setState(days, {...this.state(days), pagedLast: false});
    await this.#readRows(days, {start: 0, length: PAGE_LENGTH, since});
    const state = this.state(days);
    if (isUnknown(state)) this.setState(days, {...state, known: null});
  }

  async #continuePass(days: Days, pass: Pass): Promise<void> {
    const {fresh, undelivered, total: count, next, isEnd} = await this.readPage(days, pass.position);
    const state = this.state(days);
    const known = addKnown(state.known, fresh, state.total);
    const missing = pass.undelivered + undelivered;
    if (!isEnd) {
      const running = {position: next, total: pass.total, undelivered: missing};
      return this.setState(days, {...state, known, pass: running, pagedLast: true});
    }
    const isUnchanged = count === pass.total;
    // During a first pass, new rows may have appeared on pages that were already read. Run the pass once more, now that
    // the count is known.
    const isFirst = state.known === null && !isUnchanged;
    this.setState(days, {
      ...state,
      known: (isUnchanged ? count : (known ?? count)) - missing,
      readAt: isFirst ? 0 : this.context.now,
      pass: null,
      pagedLast: true,
    });
  }
}

function keyOf({startDate, endDate}: Days): string {
  return `${startDate}/${endDate}`;
}

function isUnknown({known, total}: ListState): boolean {
  return known === null || known < total;
}

function isDue({known, total, readAt, pass}: ListState, now: number): boolean {
  return pass !== null || known === null || known > total || now - readAt >= PASS_EVERY_MS;
}
