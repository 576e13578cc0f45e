/**
 * Reads the pages of a transaction search. Platforms read the dates and the count of a search differently
 * (docs/contract.md, "Searches"), so a search with a start date reads one day after the other, the latest first, and
 * each list is read on after a full page.
 */

import type * as z from 'zod/mini';
import type {Context} from '../../context.ts';
import type {TransactionSearch} from '../../contract/merchant/transactions.ts';
import {ApiError} from '../../http/errors.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {formatPlatformDay, startOfDay} from '../../lib/time.ts';
import {toRetryAfterSeconds} from '../../objects/limits/counter.ts';
import {areValuesRefused, failureOf, isRateLimited} from '../../platform/failure.ts';
import {instantOf} from '../../platform/habits.ts';
import type {OperationInput, OperationOutput} from '../../platform/operations/index.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {countRows} from '../../platform/reply-json.ts';
import type {PageCursor} from './cursor.ts';
import {readableRows} from './records.ts';

/** The default `length` of the contract, which every platform accepts. */
const DEFAULT_LENGTH = 100;
/** How many searches one page may need. */
const MAX_SEARCHES = 10;

export type Search = z.output<typeof TransactionSearch>;
export type Filter = OperationInput<'transactionSearch'>['Transaction'];

/** The next row to read. The day is empty if the search has no start date, and so is not read by days. */
export interface Position {
  readonly day: string;
  readonly start: number;
}

/**
 * Reads up to `limit` rows, 100 by default. `total` is null if it is not certain.
 * @param toFilter - Makes the platform's filter of a search.
 */
export async function readTransactions(
  search: Search,
  cursor: PageCursor<Position>,
  toFilter: (search: Search) => Filter,
  {platform, objects}: Pick<Context, 'platform' | 'objects'>,
) {
  const {start_date: first, end_date: last, limit = DEFAULT_LENGTH} = search;
  const items = new Map<string, TransactionItem>();
  let total: number | null = null;
  let position: Position | null = cursor.start ?? {day: latestDay(search), start: 0};
  for (let searches = 0, left = limit; position && left > 0 && searches < MAX_SEARCHES; searches += 1) {
    const {day, start}: Position = position;
    const asked: Search = day === '' ? search : {...search, start_date: day, end_date: day};
    const send = (length: number) =>
      platform.call('transactionSearch', {code: search.service, start, length, Transaction: toFilter(asked)});
    // If a search has to wait, what was read before is returned; the rest begins at the cursor.
    const waitMs = await objects.service(search.service).admitSearch();
    if (waitMs > 0 && searches === 0)
      throw new ApiError('rate_limited', {retryAfterSeconds: toRetryAfterSeconds(waitMs)});
    const page =
      waitMs > 0 ? null : await readPage(send, start, left, isFuture(day)).catch(nullIfLimited(searches > 0));
    if (!page) break;
    for (const row of page.rows) if (isWithin(asked, row)) items.set(row.id, row);
    left -= page.count;
    total = page.total;
    if (!page.isEnd) position = {day, start: start + page.count};
    else position = first !== undefined && day > first ? {day: dayOf(startOfDay(day) - DAY_MS), start: 0} : null;
  }
  const isWhole = position === null && cursor.start === null;
  if (first !== undefined || last !== undefined) total = isWhole ? items.size : null;
  return {
    rows: [...items.values()],
    next_cursor: await cursor.next(position),
    total,
  };
}

const dayOf = formatPlatformDay;
const isFuture = (day: string) => day > dayOf(Date.now());

/** Returns null if the platform is called too often and something was read before. Throws any other error. */
const nullIfLimited = (hasRead: boolean) => (error: unknown) => {
  if (hasRead && isRateLimited(failureOf(error))) return null;
  throw error;
};

/** The first day to read: the last one that was asked for, but not after tomorrow. */
function latestDay({start_date: first, end_date: last}: Search): string {
  const tomorrow = dayOf(Date.now() + DAY_MS);
  const latest = last !== undefined && last < tomorrow ? last : tomorrow;
  if (first === undefined) return '';
  return first > latest ? first : latest;
}

/** @param send - Sends the search with a length. */
async function readPage(
  send: (length: number) => Promise<OperationOutput<'transactionSearch'>>,
  start: number,
  length: number,
  mayBeRefused: boolean,
): Promise<{rows: readonly TransactionItem[]; count: number; isEnd: boolean; total: number | null}> {
  const found = await send(length).catch((error: unknown) => {
    const failure = failureOf(error);
    // A platform may refuse long pages, and a platform that refuses a future day has no transactions of that day.
    if (length > DEFAULT_LENGTH && areValuesRefused(failure)) return null;
    if (mayBeRefused && failure.outcome === 'refused' && !isRateLimited(failure))
      return {data: {rows: [], unreadable: 0}, recordsFiltered: 0};
    throw error;
  });
  if (!found) return readPage(send, start, DEFAULT_LENGTH, mayBeRefused);
  const count = countRows(found.data);
  // The count may be that of the page. A platform may return fewer rows than asked, but not fewer than 100.
  const isOfAll = found.recordsFiltered > count;
  const end = start + count;
  const isEnd = count === 0 || (isOfAll ? end >= found.recordsFiltered : count < Math.min(length, DEFAULT_LENGTH));
  const total = isOfAll ? found.recordsFiltered : isEnd ? end : null;
  return {rows: readableRows('transactionSearch', found.data), count, isEnd, total};
}

/** Whether one of a row's times is within the asked days: the contract does not say which of them the days mean. */
function isWithin({start_date: first = '', end_date: last = '9'}: Search, row: TransactionItem): boolean {
  const days = [row.transaction_date, row.create_time].flatMap((time) => instantOf(time)?.slice(0, 10) ?? []);
  return days.length === 0 || days.some((day) => first <= day && day <= last);
}
