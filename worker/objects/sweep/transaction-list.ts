/**
 * Finds new transactions, whatever the platform's searches return (docs/contract.md, "Searches").
 *
 * The contract leaves open what a missing `endDate` means, whether a search includes its end day, and how many days it
 * may span. A platform may refuse a longer search, or answer it with fewer days. Every search therefore has an
 * `endDate`, and a row that two searches return is processed once. A sweep searches single days, which every platform
 * allows: today, and half of the other last days in turn, so that every day is searched within two sweeps.
 *
 * One search over the last days and the next ones replaces the single days for an hour whenever it has shown a row that
 * a shortened search would not show.
 *
 * A pass over all other days that may have money of an open order runs once an hour, one page a sweep.
 */

import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatPlatformDay, parsePlatformTime} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {type Budget, ListReader, PAGE_RETRY_MS, type ProcessedRows, type ProcessRows} from './list-reader.ts';
import {type Days, daysFrom, EMPTY_LIST, nextRefusal, oneDay, type SweepProgress, startOf} from './sweep-progress.ts';
import type {SweepStore} from './sweep-store.ts';
import {isSearchRefused, TransactionSearch} from './transaction-search.ts';

/** How many days before today most sweeps read. On Monday, a bank may report a transfer that it booked on Friday. */
const LAST_DAYS_MS = 3 * DAY_MS;
/** A bank may book money on a day to come: before a weekend, on the next working day. */
const AHEAD_MS = 7 * DAY_MS;
/** How many days a shortened search may show: its first day, and the day after if it includes the end day. */
const SHORTENED_DAYS = 2;
/** How long a search over several days is used after it last showed a row that a shortened search would not show. */
const SPAN_SHOWN_MS = HOUR_MS;
const DAYS_PASS_EVERY_MS = HOUR_MS;

/** How many searches a sweep may make after the first one of each list; the second number is for short pages. */
const MAIN_BUDGET = [1, 4] as const;
const OTHERS_BUDGET = [1, 2] as const;

export interface SweepResult {
  readonly searches: number;
  /** The highest number of unreadable rows in one search. */
  readonly unreadable: number;
}

export class TransactionList {
  readonly #progress: SweepProgress;
  readonly #search: TransactionSearch;
  readonly #reader: ListReader;
  /** Whether a row of this sweep would prove the span of a search over several days. */
  #hasLateRow = false;

  /** @param processRows hands rows to their orders. */
  constructor(
    platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly now: number,
    private readonly processRows: (rows: readonly TransactionItem[]) => Promise<ProcessedRows>,
  ) {
    const progress = store.progress();
    this.#progress = progress;
    this.#search = new TransactionSearch(platform, progress, service, now);
    this.#reader = new ListReader({
      search: this.#search,
      progress,
      save: () => store.setProgress(progress),
      processRows: this.#processPage,
      now,
    });
  }

  /** @throws {PlatformError} */
  async read(oldestRegisteredAt: number): Promise<SweepResult> {
    // A bank may book a transfer with the date of the day before, and without a time of day.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(Math.min(begin, this.now - LAST_DAYS_MS) - DAY_MS);
    try {
      await this.#readDays(begin);
    } finally {
      // What was read before an error is known.
      this.store.setProgress(this.#progress);
    }
    const {searches, unreadable} = this.#search;
    return {searches, unreadable};
  }

  async #readDays(begin: number): Promise<void> {
    const {now} = this;
    const progress = this.#progress;
    progress.sweeps += 1;
    // After an outage, the last days are more than three days.
    const firstDay = formatPlatformDay(Math.max(begin, progress.completeAt - LAST_DAYS_MS));
    const today = formatPlatformDay(now);
    const span = this.#span(firstDay);
    const others = [...daysFrom(firstDay, formatPlatformDay(now - DAY_MS)), formatPlatformDay(now + DAY_MS)].map(
      oneDay,
    );
    this.#reader.keepOnly([span, oneDay(today), ...others]);
    const earlierDays = daysFrom(formatPlatformDay(begin), formatPlatformDay(startOf(firstDay) - DAY_MS));
    if (now - progress.spanShownAt < SPAN_SHOWN_MS && (await this.#readSpan(span)))
      return this.#continueDaysPass(earlierDays);
    await this.#readSingleDays(today, others);
    const daysAhead = daysFrom(formatPlatformDay(now + 2 * DAY_MS), formatPlatformDay(now + AHEAD_MS));
    await this.#continueDaysPass([...earlierDays, ...daysAhead]);
    if (this.#hasLateRow && now >= (progress.spanRefusal?.until ?? 0)) await this.#trySpan(span);
  }

  /** The last days, and the next ones, as one search. It begins early enough for a row of today to prove its span. */
  #span(firstDay: string): Days {
    const latestFirstDay = formatPlatformDay(this.now - LAST_DAYS_MS);
    return {
      startDate: firstDay < latestFirstDay ? firstDay : latestFirstDay,
      endDate: formatPlatformDay(this.now + AHEAD_MS),
    };
  }

  /** Reads the last days with one search. @returns whether the platform still answers it with all days. */
  async #readSpan(span: Days): Promise<boolean> {
    const {known} = this.#reader.state(span);
    try {
      await this.#reader.read(span, this.#budget(MAIN_BUDGET), true);
    } catch (error) {
      if (!isSearchRefused(error)) throw error;
      return this.#refuseSpan();
    }
    const {total, completeAt} = this.#reader.state(span);
    // Transactions do not disappear from a list, so the platform now shows fewer days.
    if (known !== null && total < known) return this.#refuseSpan();
    this.#progress.completeAt = Math.max(this.#progress.completeAt, completeAt);
    return true;
  }

  /** Reads today, and half of the other last days in turn. */
  async #readSingleDays(today: string, others: readonly Days[]): Promise<void> {
    const progress = this.#progress;
    await this.#reader.read(oneDay(today), this.#budget(MAIN_BUDGET), true);
    const count = Math.ceil(others.length / 2);
    const budget = this.#budget(OTHERS_BUDGET);
    const byLastSearch = others.toSorted((a, b) => this.#reader.state(a).sweep - this.#reader.state(b).sweep);
    for (const days of byLastSearch.slice(0, count)) await this.#readOther(days, budget);
    const completeAt = Math.min(...[oneDay(today), ...others].map((days) => this.#reader.state(days).completeAt));
    progress.completeAt = Math.max(progress.completeAt, completeAt);
  }

  async #readOther(days: Days, budget: Budget): Promise<void> {
    try {
      await this.#reader.read(days, budget, false);
    } catch (error) {
      if (!isSearchRefused(error)) throw error;
      // A platform that refuses a day to come has no transactions of that day.
      this.#reader.setState(days, {...EMPTY_LIST, known: 0, sweep: this.#progress.sweeps});
    }
  }

  /** Tries whether one search shows all the last days. */
  async #trySpan(span: Days): Promise<void> {
    const progress = this.#progress;
    try {
      await this.#reader.read(span, this.#budget(MAIN_BUDGET), true);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.failure.outcome === 'unsent') return;
    }
    if (progress.spanShownAt === this.now) progress.spanRefusal = null;
    else this.#refuseSpan();
  }

  #refuseSpan(): false {
    const progress = this.#progress;
    progress.spanShownAt = 0;
    progress.spanRefusal = nextRefusal(progress.spanRefusal, this.now);
    log('warn', 'search_days_limited', {service: this.service, retry_in_ms: progress.spanRefusal.holdMs});
    return false;
  }

  /** Reads the next page of the pass over these days, if one is due. */
  async #continueDaysPass(days: readonly string[]): Promise<void> {
    const {now} = this;
    const progress = this.#progress;
    const last = progress.daysPass;
    const isDue = last ? now - progress.pageFailedAt >= PAGE_RETRY_MS : now - progress.daysPassAt >= DAYS_PASS_EVERY_MS;
    if (!isDue) return;
    const day = days.find((candidate) => candidate >= (last?.day ?? ''));
    const former = last ?? {position: 0, undelivered: 0};
    if (day === undefined) return this.#endDaysPass(former.undelivered);
    if (!last) progress.daysPassAt = now;
    const position = last?.day === day ? last.position : 0;
    progress.daysPass = {day, position, undelivered: former.undelivered};
    const page = await this.#readDayPage(day, position);
    const undelivered = former.undelivered + page.undelivered;
    const nextDay = page.isEnd ? days.find((candidate) => candidate > day) : day;
    if (nextDay === undefined) return this.#endDaysPass(undelivered);
    progress.daysPass = {day: nextDay, position: page.isEnd ? 0 : page.next, undelivered};
  }

  #endDaysPass(undelivered: number): void {
    const progress = this.#progress;
    progress.daysPass = null;
    // If a row could not be delivered, the pass runs again soon.
    if (undelivered > 0) progress.daysPassAt = this.now - DAYS_PASS_EVERY_MS + PAGE_RETRY_MS;
  }

  async #readDayPage(day: string, position: number): Promise<{undelivered: number; next: number; isEnd: boolean}> {
    const {pageFailedAt} = this.#progress;
    try {
      return await this.#reader.readPage(oneDay(day), position);
    } catch (error) {
      if (!isSearchRefused(error)) throw error;
      this.#progress.pageFailedAt = pageFailedAt;
      return {undelivered: 0, next: 0, isEnd: true};
    }
  }

  #budget([long, short]: readonly [number, number]): Budget {
    return {left: this.#search.isShort ? short : long};
  }

  /** Processes the rows of one search, and notes what they prove about its span. */
  readonly #processPage: ProcessRows = async (rows, {startDate, endDate}) => {
    const spanStart = Math.min(startOf(startDate), startOf(formatPlatformDay(this.now - LAST_DAYS_MS)));
    const isLate = rows.some((row) => earliestTime(row) >= spanStart + SHORTENED_DAYS * DAY_MS);
    if (isLate && startOf(endDate) - startOf(startDate) > SHORTENED_DAYS * DAY_MS)
      this.#progress.spanShownAt = this.now;
    else if (isLate) this.#hasLateRow = true;
    return this.processRows(rows);
  };
}

/** The earlier of a row's two times, because the contract leaves open which one a search compares. */
function earliestTime({transaction_date: booked, create_time: created}: TransactionItem): number {
  const times = [booked, created].map((time) => parsePlatformTime(time ?? '')).filter((time) => time !== null);
  return times.length === 0 ? 0 : Math.min(...times);
}
