/**
 * Finds new transactions, whatever the platform's searches return (docs/contract.md, "Searches").
 *
 * The contract leaves open what a missing `endDate` means, so every search has an `endDate`. It also leaves open if a
 * search includes its end day, so a row that two searches return is processed once. A platform may refuse a search of
 * many days, or answer it with only its first days. So a sweep searches single days: today, and the days whose turn it
 * is (`rotation.ts`).
 *
 * If the search of a day fails, the sweep still reads the other days. That day is searched again after growing delays.
 */

import {DAY_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {isSearchRefused} from '../../platform/habits.ts';
import {type Budget, ListReader, PAGE_RETRY_MS, type ProcessRows} from './list-reader.ts';
import {nextTurn, searchableDays, withTurns} from './rotation.ts';
import {DAY_HOLD, type SweepProgress} from './sweep-progress.ts';
import type {SweepStore} from './sweep-store.ts';
import {describeSearchError, endsSweep, isLimited, TransactionSearch} from './transaction-search.ts';

/** How many searches a sweep may make for today after the first. `short` applies while long pages are refused. */
const TODAY_BUDGET = {long: 1, short: 4};
/** The same for all near days of the turn together, and for its far day, after the first search of each day. */
const TURN_BUDGET = {long: 1, short: 2};

interface DayTurn {
  readonly budget: Budget;
  readonly isFar: boolean;
  readonly isTodayRead: boolean;
}

export interface SweepResult {
  readonly searches: number;
  /** The highest number of unreadable rows in one search. */
  readonly unreadable: number;
}

export class TransactionList {
  readonly #progress: SweepProgress;
  readonly #search: TransactionSearch;
  readonly #reader: ListReader;

  /** @param processRows - Hands rows to their orders. */
  constructor(
    platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly now: number,
    processRows: ProcessRows,
  ) {
    const progress = store.progress();
    this.#progress = progress;
    this.#search = new TransactionSearch(platform, progress, service, now);
    const save = () => store.saveProgress(progress);
    this.#reader = new ListReader({search: this.#search, progress, save, processRows, now});
  }

  /** @throws {PlatformError} if today could not be read, or nothing could be sent. */
  async read(oldestRegisteredAt: number): Promise<SweepResult> {
    // A bank may book a transfer with the date of the day before, and without a time of day.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(begin - DAY_MS);
    try {
      await this.#readDays(searchableDays(begin, this.now));
    } catch (error) {
      // If today was read, the other days wait for the next sweep.
      if (!isLimited(error) || this.#progress.asOf !== this.now) throw error;
    } finally {
      this.#progress.searches = this.#search.searches;
    }
    const {searches, unreadable} = this.#search;
    return {searches, unreadable};
  }

  /** Reads today, and the days whose turn it is. */
  async #readDays(days: readonly string[]): Promise<void> {
    const progress = this.#progress;
    progress.sweeps += 1;
    this.#reader.keepOnly(days);
    const {near, far} = nextTurn(progress, days, this.now);
    const planned = [...near, ...far];
    // A search may end the process. The first sweep after a restart therefore stores the turns before it searches, so
    // that another restart begins with other days.
    this.store.saveFirst(withTurns(progress, planned));
    const error = await this.#readToday().then(() => null, throwIfEnding);
    // If today could not be read, the search of one other day shows whether the platform fails for every day.
    const isTodayRead = error === null;
    if (isTodayRead) progress.asOf = this.now;
    const budgets = {near: this.#budget(TURN_BUDGET), far: this.#budget(TURN_BUDGET)};
    let hasFailed = false;
    for (const day of isTodayRead ? planned : planned.slice(0, 1)) {
      const isFar = far.includes(day);
      // Too many failures would open the circuit.
      if (isFar && hasFailed) break;
      hasFailed ||= !(await this.#readDay(day, {budget: isFar ? budgets.far : budgets.near, isFar, isTodayRead}));
    }
    if (!isTodayRead) throw error;
  }

  async #readToday(): Promise<void> {
    const today = formatPlatformDay(this.now);
    const first = await this.#reader.readFirst(today);
    if (first) await this.#reader.readMore(today, first, this.#budget(TODAY_BUDGET), true);
  }

  /** Reads a day. A failure concerns only this day, unless today could not be read either. @returns whether it was read. */
  async #readDay(day: string, {budget, isFar, isTodayRead}: DayTurn): Promise<boolean> {
    const reader = this.#reader;
    const before = reader.state(day);
    let isFirstRead = false;
    try {
      const first = await reader.readFirst(day);
      isFirstRead = true;
      if (first) await reader.readMore(day, first, budget, false);
      return true;
    } catch (error) {
      throwIfEnding(error);
      // A platform that refuses a future day has no transactions of that day.
      if (!isFirstRead && isSearchRefused(error)) {
        reader.setEmpty(day);
        return true;
      }
      // If only a page of a near day failed, the next sweeps still search for its new rows.
      const isHeld = isTodayRead && (isFar || !isFirstRead);
      const state = reader.state(day);
      const hold = isHeld ? nextFailures(DAY_HOLD, before.hold, this.now) : state.hold;
      reader.setState(day, {...state, sweep: this.#progress.sweeps, hold});
      this.#logFailure(day, error, hold ? hold.retryAt - this.now : PAGE_RETRY_MS);
      return false;
    }
  }

  #logFailure(day: string, error: unknown, retryInMs: number): void {
    const {service} = this;
    log('warn', 'sweep_day_failed', {...describeSearchError(error), service, day, retry_in_ms: retryInMs});
  }

  #budget({long, short}: {readonly long: number; readonly short: number}): Budget {
    return {left: this.#search.hasShortPages ? short : long};
  }
}

/** Throws an error that ends the sweep. Returns any other error. */
function throwIfEnding(error: unknown): unknown {
  if (endsSweep(error)) throw error;
  return error;
}
