/** Compares what the Worker tells of one order in different places: its events, its rows in the books, its timeline. */

import type {Event, OrderBook} from './books.ts';
import {type Json, parse, toKurus} from './values.ts';

/** A page of the books has no more rows. */
const MOST_ROWS = 100;
const BOOKED = /^(?:(?:order|money|refund)\.\w+|notice\.created)$/;

/** What a server asks to compare them, below `/merchant/v1/`. */
export const storyPaths = ({service, ref}: OrderBook): readonly string[] =>
  ['orders/timeline', 'bookings'].map((path) => `${path}?service=${service}&order=${ref}`);

/** What is wrong with the story of an order; null if nothing is, or if the Worker was not asked. */
export function faultOfStory({events, bookings, timeline}: OrderBook): string | null {
  if (!bookings || !timeline || bookings.length >= MOST_ROWS) return null;
  const rows = bookings.toReversed();
  const lines = timeline.filter(({what}) => BOOKED.test(String(what)));
  const [told, booked] = [lines.map(lineOf).toSorted(), rows.map(lineOf).toSorted()];
  if (told.join('\n') !== booked.join('\n')) return `the timeline has ${told.join()}, the books have ${booked.join()}`;
  const payments = events.filter(({type}) => type.startsWith('payment.'));
  const listed = new Set(timeline.filter(({what}) => what === 'event').map(({id}) => id));
  const unlisted = payments.find(({id}) => !listed.has(id));
  if (unlisted) return `the timeline lacks ${unlisted.body}`;
  const reached = rows.flatMap(({state}) => (state === null || state === 'waiting' ? [] : [String(state)]));
  // An order that nobody can pay expires without a row. The books have it from its first money on.
  const bookedAt = Math.min(...rows.map(({booked_at: at}) => Date.parse(String(at))));
  const isUnbooked = ({data, body}: Event) =>
    data['state'] === 'expired' &&
    !reached.includes('expired') &&
    Date.parse(String(parse(body)['created_at'])) <= bookedAt;
  const reported = payments.filter((event) => !isUnbooked(event)).map(({data}) => String(data['state']));
  // A row belongs to the day of the bank's time, so the rows may have another sequence than the events.
  if (rows.length > 0 && changesOf(reported).toSorted().join() !== reached.toSorted().join())
    return `the events report ${reported.join()}, the books have ${reached.join()}`;
  const last = payments.at(-1)?.data;
  const isPlain = rows.every(({type, time_unknown: isUnknown}) => !String(type).startsWith('refund.') && !isUnknown);
  const sum = rows.reduce((total, {balance}) => total + toKurus(balance), 0);
  if (last && rows.length > 0 && isPlain && last['state'] !== 'pending' && toKurus(last['paid']) !== sum)
    return `the last event has ${String(last['paid'])}, the books have ${sum}`;
  return null;
}

const changesOf = (states: readonly string[]): string[] =>
  states.filter((state, index) => state !== 'waiting' && state !== states[index - 1]);

/** A line of a notice has the state that the notice has now. */
function lineOf({
  what,
  type,
  at,
  state,
  transaction_id: transaction,
  refund_id: refund,
  notice_code: notice,
  id,
}: Json) {
  const name = String(what ?? type);
  return [name, at, name.startsWith('notice.') ? null : state, id ?? refund ?? transaction ?? notice].join(' ');
}
