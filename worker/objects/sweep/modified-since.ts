/** Searches mobile billing for records that changed since a moment (`docs/spec/subscriptions.md`, section 2.5). */

import {formatPlatformTime} from '../../lib/time.ts';
import type {TimeSpelling} from './charge-store.ts';
import {isSearchRefused} from './transaction-search.ts';

/** Where the spelling of times that the platform accepts is stored. */
export interface TimeSpellingStore {
  timeSpelling(): TimeSpelling;
  setTimeSpelling(spelling: TimeSpelling): void;
}

/** The highest number of rows that the platform returns at once (`docs/spec/subscriptions.md`, 8). */
export const BILLING_PAGE_LENGTH = 100;

/** One page of the records that changed since a moment, as input of a search. */
function modifiedSince(since: number, page: number, spelling: TimeSpelling) {
  const time = formatPlatformTime(since);
  return {
    search: [{column: 'modifiedDate', term: spelling === 'iso' ? time.replace(' ', 'T') : time, condition: '>='}],
    // New rows come last, so no row moves to a page that was already read.
    sort: [{column: 'id', asc: true}],
    limit: BILLING_PAGE_LENGTH,
    page,
  };
}

/**
 * Searches with the spelling of the time that worked last. If the platform refuses it, searches with the other one.
 * @param send sends one search.
 */
export async function searchModifiedSince<T>(
  {since, page}: {readonly since: number; readonly page: number},
  store: TimeSpellingStore,
  send: (input: ReturnType<typeof modifiedSince>) => Promise<T>,
): Promise<T> {
  const spelling = store.timeSpelling();
  try {
    return await send(modifiedSince(since, page, spelling));
  } catch (error) {
    if (!isSearchRefused(error)) throw error;
    const other = spelling === 'space' ? 'iso' : 'space';
    const found = await send(modifiedSince(since, page, other));
    store.setTimeSpelling(other);
    return found;
  }
}

/** Whether a page of a search is the last one. */
export function isLastPage(page: number, {pageCount}: {readonly pageCount: number | null}, rowCount: number): boolean {
  return pageCount === null ? rowCount < BILLING_PAGE_LENGTH : pageCount <= page;
}
