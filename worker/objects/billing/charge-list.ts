/**
 * Decides how the platform's list of charges is read, page by page. The contract does not show which columns a search of
 * charges has, so the list is read by the time of change only as long as the platform searches and sorts by it. All
 * functions are pure. Times are epoch milliseconds.
 */

import {DAY_MS} from '../../lib/durations.ts';
import {BILLING_PAGE_LENGTH, isOldestFirst, readTime} from '../../platform/habits.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {isLastPage, type TimeSpellings, modifiedSince} from './modified-since.ts';

/** Why the list is not read by the time of change. */
export type Unsearchable = 'refused' | 'ignored';

export type ChargeList =
  /** The platform returns the charges that changed since a moment. */
  | {readonly is: 'changed'; readonly checkedAt: number}
  /** Perhaps the platform returns all charges, because it ignores the time of change. The next search checks this. */
  | {readonly is: 'suspected'}
  /** The newest charges come first. A pass ends at a charge that is older than every open payment page. */
  | {readonly is: 'newest'; readonly because: Unsearchable; readonly decidedAt: number}
  /** The same, but the platform ignores the sort, and the oldest charges come first. No page changes when it is full. */
  | {readonly is: 'oldest'; readonly because: Unsearchable; readonly decidedAt: number; readonly firstPage: number};

export const BY_CHANGE: ChargeList = {is: 'changed', checkedAt: 0};
/** After this time, the list is read by the time of change again, and a suspicion is checked again. */
const VALID_MS = DAY_MS;
/** A pass over the newest charges reads no more pages. */
const MAX_PAGES = 10;

/** One pass over the charges that changed, or began, since the moment `since`. */
export interface ChargeReading {
  readonly since: number;
  /** The page to read next. */
  readonly page: number;
  /** When the pass began; null if it has not begun. */
  readonly begunAt: number | null;
}

/** What a search returned. */
export interface ChargePage {
  readonly rows: readonly ChargeRecord[];
  /** How many rows the platform sent, including those that cannot be read. */
  readonly count: number;
  readonly pageCount: number | null;
}

export function currentList(list: ChargeList, now: number): ChargeList {
  return 'decidedAt' in list && now - list.decidedAt >= VALID_MS ? BY_CHANGE : list;
}

/** @param since - When the oldest charge may have changed that is looked for. */
export function beginReading(list: ChargeList, last: ChargeReading | undefined, since: number): ChargeReading {
  if (last && (list.is === 'changed' || last.begunAt !== null)) return last;
  return {since, page: list.is === 'oldest' ? list.firstPage : 1, begunAt: null};
}

type ChargeSearch = Omit<OperationInput<'chargeSearch'>, 'serviceId'>;

export function chargeSearch(
  list: ChargeList,
  {since, page}: ChargeReading,
  spellings: TimeSpellings,
  now: number,
): ChargeSearch {
  // No charge has changed in the future.
  if (list.is === 'suspected') return {...modifiedSince({since: now + DAY_MS, page: 1}, spellings), limit: 1};
  if (list.is === 'changed') return modifiedSince({since, page}, spellings);
  return {search: [], sort: [{column: 'id', asc: false}], limit: BILLING_PAGE_LENGTH, page};
}

/** How the list is read after a page. @returns `isLast` - Whether the page ends the pass. */
export function afterPage(
  list: ChargeList,
  {since, page}: ChargeReading,
  {rows, count, pageCount}: ChargePage,
  now: number,
): {readonly list: ChargeList; readonly isLast: boolean} {
  const isFull = count >= BILLING_PAGE_LENGTH;
  switch (list.is) {
    case 'suspected':
      return {list: count > 0 ? newestFirst('ignored', now) : {is: 'changed', checkedAt: now}, isLast: false};
    case 'changed': {
      const isOld = isFull && rows.every((row) => isBefore(row, since - DAY_MS)) && now - list.checkedAt >= VALID_MS;
      return {list: isOld ? {is: 'suspected'} : list, isLast: isLastPage(page, {pageCount}, count)};
    }
    case 'newest':
      if (page === 1 && isFull && isOldestFirst(rows))
        return {list: {...list, is: 'oldest', firstPage: Math.max(1, (pageCount ?? 1) - 1)}, isLast: false};
      return {list, isLast: !isFull || page >= MAX_PAGES || rows.some((row) => isBefore(row, since))};
    case 'oldest': {
      const isPast = isFull && page === list.firstPage && rows.every((row) => isBefore(row, since));
      return {list: isPast ? {...list, firstPage: page + 1} : list, isLast: !isFull};
    }
  }
}

export function newestFirst(because: Unsearchable, now: number): ChargeList {
  return {is: 'newest', because, decidedAt: now};
}

/** Whether the charge is older; false if its time is unknown. */
function isBefore({transactionDate}: ChargeRecord, moment: number): boolean {
  return (readTime(transactionDate) ?? moment) < moment;
}
