/** Checks that the books are up to date: searches are recent, nothing waits, and no money came after its day had closed. */

import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {sumOf} from '../lib/sum.ts';
import {formatPlatformDay} from '../lib/time.ts';
import type {Objects} from '../objects.ts';
import {BOOKING_SIGNS} from '../objects/archive/booking.ts';
import type {DaySums} from '../objects/archive/books-store.ts';
import {isSearchLate} from './check-searches.ts';
import {ok, type OwnCheck, warning} from './check.ts';

/** What the check needs to know of the books of a service. */
interface BooksReport {
  readonly service: string;
  /** How long ago the platform was last searched for money; null while no order is open. */
  readonly searchedMsAgo: number | null;
  /** How many transfers and refunds the books or their orders could not get yet. */
  readonly waiting: number;
  /** How many rows of money and refunds were booked today or yesterday for closed days. */
  readonly corrections: number;
}

const WAITING = 'Each is repeated. If this lasts: docs/operations.md, “history_waiting”.';

export const books: OwnCheck<readonly BooksReport[]> = {
  read: ({objects, config}) => Promise.all([...config.services.keys()].map((service) => readReport(objects, service))),

  find(reports) {
    if (reports === null)
      return warning(
        'The books lag: the Durable Objects that have them do not answer. They get later what they lack.',
        WAITING,
      );
    const sentences = reports.flatMap((report) => {
      const {service, waiting, corrections} = report;
      const minutes = Math.round((report.searchedMsAgo ?? 0) / MINUTE_MS);
      return [
        isBehind(report) && `The books of ${service} lag: the platform was last searched ${minutes} minutes ago.`,
        waiting > 0 && `The books of ${service} lag. Transfers and refunds that wait: ${waiting}.`,
        corrections > 0 &&
          `Money and refunds of ${service} that came after their day had closed, in rows: ${corrections}.`,
      ].filter((sentence) => sentence !== false);
    });
    if (sentences.length === 0) return ok('The books are up to date.');
    return warning(
      sentences.join(' '),
      reports.some(isBehind)
        ? 'Find out why searches fail: docs/operations.md, “sweep_failed”. A day closes all the same.'
        : reports.some(({waiting}) => waiting > 0)
          ? WAITING
          : 'GET /merchant/v1/days/{day} names these rows under corrections. docs/books.md says what to do.',
    );
  },
};

const isBehind = ({searchedMsAgo}: BooksReport) => isSearchLate(searchedMsAgo ?? 0);

async function readReport(objects: Objects, service: string): Promise<BooksReport> {
  const now = Date.now();
  const days = [now, now - DAY_MS].map(formatPlatformDay);
  const sums = await Promise.all(
    days.map((day) => objects.books(service, day.slice(0, 7)).sumsOf(Number(day.slice(8))) as Promise<DaySums>),
  );
  const late = sums
    .flatMap(({totals}) => totals)
    .filter(({type, corrects}) => corrects !== null && BOOKING_SIGNS[type] !== 0);
  return {
    service,
    searchedMsAgo: (await objects.service(service).ages()).transfers,
    waiting: (await objects.service(service).countUndelivered()) + (await objects.refunds().waiting(service)),
    corrections: sumOf(late, ({count}) => count),
  };
}
