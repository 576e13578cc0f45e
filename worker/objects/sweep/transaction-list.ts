/**
 * Finds new transactions, whatever the platform's searches return (docs/contract.md, "Searches"). For an example with
 * dates, see "A sweep by example" in docs/decisions/sweeps-and-notifications.md.
 *
 * The contract leaves open what a missing `endDate` means, so every search has an `endDate`. It also leaves open if a
 * search includes its end day, so a row that two searches return is processed once. A platform may refuse a search of
 * many days, or answer it with only its first days (a shortened search). But every platform allows a search of a single
 * day. A sweep therefore searches single days: today, and half of the near days. The next sweep searches today and the
 * other half. The near days are the last days before today, and tomorrow.
 *
 * The span is one search of the near days and the coming week. A shortened search would not show the span's late days.
 * For an hour after the span has shown a row of a late day, sweeps therefore search the span and not single days.
 *
 * The far days are all other days that may have money of an open order. Once an hour, sweeps read the far days, one
 * page a sweep. This is the days pass.
 *
 * If the search of a day fails, the sweep still reads the other days. That day is searched again after growing delays.
 */

import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {type Budget, ListReader, PAGE_RETRY_MS, type ProcessRows} from './list-reader.ts';
import {
  DAY_HOLD,
  dayAfter,
  type Days,
  daysFrom,
  EMPTY_LIST,
  isHeld,
  nextHold,
  oneDay,
  REFUSAL_HOLD,
  type SweepProgress,
  startOf,
} from './sweep-progress.ts';
import type {SweepStore} from './sweep-store.ts';
import {describeSearchError, earliestTime, isSearchRefused, TransactionSearch, wasSent} from './transaction-search.ts';

/** How far the near days reach back. On Monday, a bank may report a transfer that it booked on Friday. */
const NEAR_DAYS_MS = 3 * DAY_MS;
/** A bank may book money on a future day. On Saturday, for example, a bank may book a transfer with Monday's date. */
const COMING_WEEK_MS = 7 * DAY_MS;
/** How many days a shortened search may show: its first day and, if the platform includes the end day, the next day. */
const SHORTENED_DAYS = 2;
/** How long the span is used after it last showed a row that a shortened search would not show. */
const SPAN_SHOWN_MS = HOUR_MS;
const DAYS_PASS_EVERY_MS = HOUR_MS;
/** How many near days a sweep may search. After a long outage, there are many near days. */
const MAX_NEAR_DAYS = 6;

/** How many searches a sweep may make for today after the first. `short` applies while long pages are refused. */
const TODAY_BUDGET = {long: 1, short: 4};
/** The same for all near days together, after the first search of each day. */
const NEAR_DAYS_BUDGET = {long: 1, short: 2};

export interface SweepResult {
  readonly searches: number;
  /** The highest number of unreadable rows in one search. */
  readonly unreadable: number;
}

export class TransactionList {
  readonly #progress: SweepProgress;
  readonly #search: TransactionSearch;
  readonly #reader: ListReader;
  /** Whether the search of a single day showed a row that the span would show, but a shortened search would not. */
  #provesSpan = false;

  /** @param processRows - Hands rows to their orders. */
  constructor(
    platform: PlatformClient,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly now: number,
    private readonly processRows: (rows: readonly TransactionItem[]) => Promise<number>,
  ) {
    const progress = store.progress();
    this.#progress = progress;
    this.#search = new TransactionSearch(platform, progress, service, now);
    this.#reader = new ListReader({
      search: this.#search,
      progress,
      save: this.#save,
      processRows: this.#processPage,
      now,
    });
  }

  /** @throws {PlatformError} if today could not be read, or nothing could be sent. */
  async read(oldestRegisteredAt: number): Promise<SweepResult> {
    // A bank may book a transfer with the date of the day before, and without a time of day.
    const begin = oldestRegisteredAt - DAY_MS;
    this.store.deleteBefore(Math.min(begin, this.now - NEAR_DAYS_MS) - DAY_MS);
    try {
      await this.#readDays(begin);
      this.#progress.asOf = this.now;
    } finally {
      // Transactions that were read before an error stay known.
      this.#save();
    }
    const {searches, unreadable} = this.#search;
    return {searches, unreadable};
  }

  readonly #save = () => this.store.setProgress(this.#progress);

  async #readDays(begin: number): Promise<void> {
    const {now} = this;
    const progress = this.#progress;
    progress.sweeps += 1;
    progress.begunAt = now;
    const today = formatPlatformDay(now);
    const tomorrow = dayAfter(today);
    // After an outage, the near days are more than four days.
    const firstDay = formatPlatformDay(Math.max(begin, progress.completeAt - NEAR_DAYS_MS));
    const span = this.#span(firstDay);
    const nearDays = [...daysFrom(firstDay, formatPlatformDay(now - DAY_MS)), tomorrow].map(oneDay);
    this.#reader.keepOnly([span, oneDay(today), ...nearDays]);
    const pastDays = daysFrom(formatPlatformDay(begin), formatPlatformDay(startOf(firstDay) - DAY_MS));
    const comingDays = daysFrom(dayAfter(tomorrow), formatPlatformDay(now + COMING_WEEK_MS));
    if (now - progress.spanShownAt < SPAN_SHOWN_MS && (await this.#readSpan(span)))
      // A row of the span proves only that the platform searched the days up to the day of this row.
      return this.#continueDaysPass([...pastDays, tomorrow, ...comingDays]);
    const error = await this.#readSingleDays(oneDay(today), nearDays);
    await this.#continueDaysPass([...pastDays, ...comingDays]);
    if (error !== null) throw error;
    if (this.#provesSpan && !isHeld(progress.spanRefusal, now)) await this.#trySpan(span);
  }

  /** Returns the days of the span. The span begins so early that a shortened search would not show a row of today. */
  #span(firstDay: string): Days {
    const latestFirstDay = formatPlatformDay(this.now - NEAR_DAYS_MS);
    return {
      startDate: firstDay < latestFirstDay ? firstDay : latestFirstDay,
      endDate: formatPlatformDay(this.now + COMING_WEEK_MS),
    };
  }

  /** @returns whether the platform still answers the span with all days. */
  async #readSpan(span: Days): Promise<boolean> {
    const {known} = this.#reader.state(span);
    this.#save();
    try {
      await this.#readWithToday(span);
    } catch (error) {
      if (isSearchRefused(error)) return this.#refuseSpan();
      // The next sweep searches single days, because the failure may concern one of them.
      if (wasSent(error)) this.#progress.spanShownAt = 0;
      throw error;
    }
    const {total, completeAt} = this.#reader.state(span);
    // Transactions do not disappear from a list. If the total fell, the platform now shows fewer days.
    if (known !== null && total < known) return this.#refuseSpan();
    this.#progress.completeAt = Math.max(this.#progress.completeAt, completeAt);
    return true;
  }

  /** Reads a list that includes today. */
  async #readWithToday(days: Days): Promise<void> {
    const first = await this.#reader.readFirst(days);
    if (first) await this.#reader.readMore(days, first, this.#budget(TODAY_BUDGET), true);
  }

  /** Reads today, and half of the near days in turn. @returns why today could not be read; null if today was read. */
  async #readSingleDays(today: Days, nearDays: readonly Days[]): Promise<unknown> {
    const progress = this.#progress;
    const state = (days: Days) => this.#reader.state(days);
    const planned = nearDays
      .filter((days) => !isHeld(state(days).hold, this.now))
      .toSorted((a, b) => state(a).sweep - state(b).sweep)
      .slice(0, Math.min(Math.ceil(nearDays.length / 2), MAX_NEAR_DAYS));
    const turns = planned.map((days) => ({days, before: state(days).sweep}));
    // The turns are stored before the searches. So if the search of a day ends the process, the next sweep begins with
    // other days.
    for (const {days} of turns) this.#reader.setState(days, {...state(days), sweep: progress.sweeps});
    this.#save();
    const error = await this.#readWithToday(today).then(() => null, throwUnsent);
    // If today could not be read, the search of one near day shows whether the platform fails for every day.
    const inTurn = error === null ? planned : planned.slice(0, 1);
    for (const {days, before} of turns.slice(inTurn.length))
      this.#reader.setState(days, {...state(days), sweep: before});
    const budget = this.#budget(NEAR_DAYS_BUDGET);
    for (const days of inTurn) await this.#readNearDay(days, budget, error === null);
    const readable = [today, ...nearDays].filter((days) => !isHeld(state(days).hold, this.now));
    progress.completeAt = Math.max(progress.completeAt, Math.min(...readable.map((days) => state(days).completeAt)));
    return error;
  }

  /** @param isTodayRead - Whether today was read. If so, a failure concerns only this day. */
  async #readNearDay(days: Days, budget: Budget, isTodayRead: boolean): Promise<void> {
    const {hold} = this.#reader.state(days);
    try {
      const first = await this.#reader.readFirst(days).catch((error: unknown) => {
        if (!isTodayRead || !wasSent(error) || isSearchRefused(error)) throw error;
        this.#reader.setState(days, {...this.#reader.state(days), hold: nextHold(hold, DAY_HOLD, this.now)});
        throw error;
      });
      if (first) await this.#reader.readMore(days, first, budget, false);
    } catch (error) {
      throwUnsent(error);
      // A platform that refuses a future day has no transactions of that day.
      if (isSearchRefused(error))
        return this.#reader.setState(days, {...EMPTY_LIST, known: 0, sweep: this.#progress.sweeps});
      // The days pass waits a minute, because too many failures would open the circuit.
      this.#progress.pageFailedAt = this.now;
      this.#logFailure(days.startDate, error, this.#reader.state(days).hold?.holdMs ?? PAGE_RETRY_MS);
    }
  }

  #logFailure(day: string, error: unknown, retryInMs: number): void {
    const {service} = this;
    log('warn', 'sweep_day_failed', {...describeSearchError(error), service, day, retry_in_ms: retryInMs});
  }

  /** Searches the span, to find out whether the platform answers it with all days. */
  async #trySpan(span: Days): Promise<void> {
    const progress = this.#progress;
    try {
      await this.#readWithToday(span);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (!wasSent(error)) return;
    }
    if (progress.spanShownAt === this.now) progress.spanRefusal = null;
    else this.#refuseSpan();
  }

  #refuseSpan(): false {
    const progress = this.#progress;
    progress.spanShownAt = 0;
    progress.spanRefusal = nextHold(progress.spanRefusal, REFUSAL_HOLD, this.now);
    log('warn', 'search_days_limited', {service: this.service, retry_in_ms: progress.spanRefusal.holdMs});
    return false;
  }

  /** Reads the next page of the days pass, if a page is due. */
  async #continueDaysPass(farDays: readonly string[]): Promise<void> {
    const {now} = this;
    const progress = this.#progress;
    const {pageFailedAt} = progress;
    if (now - pageFailedAt < PAGE_RETRY_MS || !(progress.daysPass || this.#isDaysPassDue)) return;
    const pass = progress.daysPass ?? {day: '', position: 0, hasFailed: false};
    const day = farDays.find((candidate) => candidate >= pass.day);
    if (day === undefined) return this.#endDaysPass(pass.hasFailed);
    if (!progress.daysPass) progress.daysPassAt = now;
    // The search is stored as failed before it is sent, so that the pass goes on to the next day if the process dies.
    const nextDay = {day: dayAfter(day), position: 0};
    progress.daysPass = {...nextDay, hasFailed: true};
    progress.pageFailedAt = now;
    this.#save();
    try {
      const {isEnd, next} = await this.#reader.readPage(oneDay(day), pass.day === day ? pass.position : 0);
      progress.daysPass = {...(isEnd ? nextDay : {day, position: next}), hasFailed: pass.hasFailed};
      progress.pageFailedAt = pageFailedAt;
    } catch (error) {
      if (!wasSent(error)) progress.daysPass = pass;
      else if (isSearchRefused(error)) {
        progress.daysPass = {...nextDay, hasFailed: pass.hasFailed};
        progress.pageFailedAt = pageFailedAt;
      } else this.#logFailure(day, error, DAYS_PASS_EVERY_MS);
    }
    if (farDays.at(-1) === day && progress.daysPass.day > day) this.#endDaysPass(progress.daysPass.hasFailed);
  }

  get #isDaysPassDue(): boolean {
    const {daysPassAt, daysPassHold} = this.#progress;
    const hasHoldEnded = daysPassHold !== null && !isHeld(daysPassHold, this.now);
    return hasHoldEnded || this.now - daysPassAt >= DAYS_PASS_EVERY_MS;
  }

  #endDaysPass(hasFailed: boolean): void {
    const progress = this.#progress;
    progress.daysPass = null;
    progress.daysPassHold = hasFailed ? nextHold(progress.daysPassHold, DAY_HOLD, this.now) : null;
  }

  #budget({long, short}: {readonly long: number; readonly short: number}): Budget {
    return {left: this.#search.hasShortPages ? short : long};
  }

  /** Processes the rows of one search, and stores whether they prove that the platform searches the whole span. */
  readonly #processPage: ProcessRows = async (rows, {startDate, endDate}) => {
    const spanStart = Math.min(startOf(startDate), startOf(formatPlatformDay(this.now - NEAR_DAYS_MS)));
    const provesSpan = rows.some((row) => earliestTime(row) >= spanStart + SHORTENED_DAYS * DAY_MS);
    const isSpan = startOf(endDate) - startOf(startDate) > SHORTENED_DAYS * DAY_MS;
    if (provesSpan && isSpan) this.#progress.spanShownAt = this.now;
    else if (provesSpan) this.#provesSpan = true;
    return this.processRows(rows);
  };
}

/** Throws the error, which ends the sweep, if nothing can be sent. Otherwise returns the error. */
function throwUnsent(error: unknown): unknown {
  if (!wasSent(error)) throw error;
  return error;
}
