/** Checks that the books are up to date: searches are recent, and nothing was booked after its day had closed. */

import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {formatPlatformDay} from '../lib/time.ts';
import type {Objects} from '../objects.ts';
import type {DaySums} from '../objects/archive/books-store.ts';
import {type Finding, ok, skipped, warning} from './explain.ts';

/** What the check needs to know of the books of a service. */
export interface BooksReport {
  readonly service: string;
  /** How long ago the platform was last searched for money; null while no order is open. */
  readonly searchedMsAgo: number | null;
  /** How many transfers and refunds of closed days were booked today or yesterday. */
  readonly corrections: number;
}

/** Sweeps search at least every five minutes. */
const LATE_MS = 15 * MINUTE_MS;

export function readBooksReports(objects: Objects, services: Iterable<string>, now: number): Promise<BooksReport[]> {
  return Promise.all(
    [...services].map(async (service) => {
      const days = [now, now - DAY_MS].map(formatPlatformDay);
      const sums = await Promise.all(
        days.map((day) => objects.books(service, day.slice(0, 7)).sumsOf(Number(day.slice(8))) as Promise<DaySums>),
      );
      const late = sums
        .flatMap(({totals}) => totals)
        .filter(({type, corrects}) => corrects !== null && (type === 'money.arrived' || type === 'refund.settled'));
      return {
        service,
        searchedMsAgo: await objects.sweep(service).age(),
        corrections: late.reduce((sum, {count}) => sum + count, 0),
      };
    }),
  );
}

/** @param reports - Null if the objects that have the books do not answer. */
export function checkBooks(reports: readonly BooksReport[] | null): Finding {
  if (reports === null) return skipped('The Durable Objects that have the books do not answer.');
  const behind = reports.filter(({searchedMsAgo}) => (searchedMsAgo ?? 0) > LATE_MS);
  const corrected = reports.filter(({corrections}) => corrections > 0);
  const sentences = [
    ...behind.map(
      ({service, searchedMsAgo}) =>
        `The books of ${service} lag: the platform was last searched ${Math.round((searchedMsAgo ?? 0) / MINUTE_MS)} minutes ago.`,
    ),
    ...corrected.map(
      ({service, corrections}) =>
        `${corrections} ${corrections === 1 ? 'transfer or refund' : 'transfers and refunds'} of ${service} came to the books after the day had closed.`,
    ),
  ];
  if (sentences.length === 0) return ok('The books are up to date.');
  return warning(
    sentences.join(' '),
    behind.length > 0
      ? 'Find out why searches fail: docs/operations.md, “sweep_failed”. A day closes all the same.'
      : 'GET /merchant/v1/days/{day} names these rows under corrections. docs/books.md says what to do.',
  );
}
