/** Stores the books of one service and month: one row for each booking, and an index of what it is found by. */

import type {BookingType} from '../../contract/booking-types.ts';
import type {PaymentState} from '../../contract/browser/answers.ts';
import type {Kurus} from '../../lib/money.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {newRow, type Sql, type SqlPart, sqlPart} from '../object-storage.ts';
import {closingTimeOf, type DatedBooking} from './booking.ts';
import {
  type BooksConditions,
  has,
  matchOf,
  orderOf,
  subjectOf,
  type TokenKind,
  TOKENIZER,
  tokensOf,
  withoutKinds,
} from './books-index.ts';

/** A row of the books. */
export interface BookedRow extends DatedBooking {
  /** The row's number in the day: rows of a day are in the sequence in which they were booked. */
  readonly number: number;
  readonly bookedAt: number;
}

/** Which rows to read. */
export interface BooksQuery extends BooksConditions {
  /** Days of the month. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Rows before this one are read, newest first; or rows after it, oldest first. Null for the first page. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
  /** Only rows of orders that no money of this month is for. */
  readonly unpaid?: true | undefined;
}

export interface BooksPage {
  readonly rows: readonly BookedRow[];
  /** Where the next page begins; null if nothing is left in the month. */
  readonly next: number | null;
}

/** Bookings that are alike, with their number and sums. */
export interface BookedTotal extends Pick<
  BookedRow,
  'type' | 'state' | 'late' | 'bank' | 'method' | 'currency' | 'corrects'
> {
  readonly count: number;
  /** How many of them have an amount. Money whose amount is read later has a row without and a row with its amount. */
  readonly readable: number;
  readonly amount: Kurus;
  readonly due: Kurus;
}

/** The orders that reached a state on a day, each of them once. A type, because statements return it. */
export type BookedOrders = {readonly state: PaymentState; readonly count: number; readonly due: Kurus};

export interface DaySums {
  readonly totals: readonly BookedTotal[];
  readonly orders: readonly BookedOrders[];
}

/**
 * The key of a row begins with its day, so that the rows of a day are together. `found_by` has the tokens of each row, with
 * the row's key. Its `secure-delete` removes deleted tokens from the pages of the index at once. `moved` names the day of
 * another month on which a booking was made whose own day was closed.
 */
export const BOOKS: StoreSchema = {
  name: 'books',
  createdOn: 'first write',
  steps: [
    statements(
      `CREATE TABLE bookings (
         key INTEGER PRIMARY KEY, subject TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
         time_unknown INTEGER NOT NULL, known_before INTEGER NOT NULL, booked_at INTEGER NOT NULL, corrects TEXT,
         code TEXT, state TEXT, late INTEGER NOT NULL, amount INTEGER, currency TEXT NOT NULL, bank TEXT, method TEXT,
         due INTEGER, user_id TEXT, sender TEXT, description TEXT, "transaction" TEXT, refund TEXT, receipt TEXT, notice TEXT,
         "by" TEXT NOT NULL, api_key TEXT, sold_offer TEXT, sold_campaign TEXT)`,
      `CREATE VIRTUAL TABLE found_by USING fts5(tokens, detail=column, columnsize=0, tokenize="${TOKENIZER}")`,
      `INSERT INTO found_by (found_by, rank) VALUES ('secure-delete', 1)`,
      'CREATE TABLE moved (booking TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
    ),
  ],
};

export const KEYS_PER_DAY = 1_000_000_000;
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 140;
/** Of how many rows one call looks for money of their orders. If few are unpaid, the page is short. */
const MAX_LOOKED_AT = 1_000;

/** What is stored as 0 or 1. */
type Flag = 'late' | 'timeUnknown' | 'knownBefore';

type Row = {
  [K in keyof Omit<BookedRow, Flag | 'order' | 'day' | 'number' | 'sale'>]: BookedRow[K];
} & {key: number; subject: string} & Record<Flag, number>;

const COLUMNS = sqlPart`key, subject, id, type, at, booked_at AS bookedAt, corrects, code, state, late,
  time_unknown AS timeUnknown, known_before AS knownBefore, amount, currency, bank, method, due, user_id AS userId,
  sender, description, "transaction", refund, receipt, notice, "by", api_key AS apiKey`;

export class BooksStore {
  constructor(private readonly sql: Sql) {}

  /**
   * Stores the bookings that are not stored yet. A day that is closed at `now` gets no more rows.
   * @param month - The month of these books. @returns the bookings that belong to a day of another month.
   */
  add(month: string, bookings: readonly DatedBooking[], now: number): DatedBooking[] {
    const today = formatPlatformDay(now);
    // Before the inserts: a search of the index after each would write the index each time.
    const stored = new Set([...new Set(bookings.map(subjectOf))].flatMap((subject) => this.#namesOf(subject)));
    return bookings.flatMap((booking) => {
      const subject = subjectOf(booking);
      const name = nameOf(subject, booking.id);
      if (stored.has(name)) return [];
      stored.add(name);
      const known = this.sql<{day: string}>`SELECT day FROM moved WHERE booking = ${name}`[0];
      const isClosed = booking.day < today && now >= closingTimeOf(booking.day);
      // The clock of a bank may be fast.
      const day = known?.day ?? (isClosed || booking.day > today ? today : booking.day);
      const corrects = booking.corrects ?? (day > booking.day ? booking.day : null);
      const dated = {...booking, day, corrects};
      if (booking.type === 'money.matched') this.#endWork(subject, booking.transaction);
      if (day.startsWith(month)) return this.#insert(dated, now);
      if (!known) this.sql`INSERT INTO moved (booking, day) VALUES (${name}, ${day})`;
      return [dated];
    });
  }

  #namesOf(subject: string): string[] {
    return this.#ofSubject<{id: string}>(subject, sqlPart`id`).map(({id}) => nameOf(subject, id));
  }

  /** The rows of an order, or of money without an order, in the sequence in which they were booked. */
  #ofSubject<R extends Record<string, SqlStorageValue> = Row>(subject: string, columns = COLUMNS): R[] {
    return this.sql<R>`
      SELECT ${columns} FROM found_by CROSS JOIN bookings ON key = found_by.rowid
      WHERE found_by MATCH ${has('subject', subject)} ORDER BY found_by.rowid`;
  }

  /** Money that has found its order asks for no more work, also if the row that says so is one of another month. */
  #endWork(subject: string, transaction: string | null): void {
    for (const row of this.#ofSubject(subject))
      if (row.transaction === transaction && row.type === 'money.unmatched') this.#removeTokens(row.key, ['work']);
  }

  #removeTokens(key: number, kinds: readonly TokenKind[]): void {
    const [found] = this.sql<{tokens: string}>`SELECT tokens FROM found_by WHERE rowid = ${key}`;
    const tokens = withoutKinds(found?.tokens ?? '', kinds);
    if (found && tokens !== found.tokens) this.sql`UPDATE found_by SET tokens = ${tokens} WHERE rowid = ${key}`;
  }

  #insert(booking: DatedBooking, now: number): [] {
    const {id, type, at, corrects, code, state, late, amount, currency, bank, method, due, transaction, refund} =
      booking;
    const sender = booking.sender?.slice(0, MAX_NAME_LENGTH) ?? null;
    const key = this.#nextKey(Number(booking.day.slice(8)));
    const columns = {
      key,
      subject: subjectOf(booking),
      id,
      type,
      at,
      booked_at: now,
      corrects,
      code,
      state,
      late: late ? 1 : 0,
      time_unknown: booking.timeUnknown ? 1 : 0,
      known_before: booking.knownBefore ? 1 : 0,
      amount,
      currency,
      bank,
      method,
      due,
      user_id: booking.userId,
      sender,
      transaction,
      refund,
      by: booking.by,
      api_key: booking.apiKey,
      receipt: booking.receipt,
      notice: booking.notice,
      description: booking.description?.slice(0, MAX_DESCRIPTION_LENGTH) ?? null,
      sold_offer: booking.sale?.offer ?? null,
      sold_campaign: booking.sale?.campaign ?? null,
    };
    this.sql`INSERT INTO bookings ${newRow(columns)}`;
    this.sql`INSERT INTO found_by (rowid, tokens) VALUES (${key}, ${tokensOf({...booking, sender})})`;
    return [];
  }

  #nextKey(day: number): number {
    const [from, to] = [day * KEYS_PER_DAY, (day + 1) * KEYS_PER_DAY];
    const [last] = this.sql<{
      key: number | null;
    }>`SELECT max(key) AS key FROM bookings WHERE key >= ${from} AND key < ${to}`;
    return (last?.key ?? from) + 1;
  }

  /** The sums of a day's rows. @param day - Day of the month. */
  totals(day: number): BookedTotal[] {
    return this.sql<{-readonly [K in keyof Omit<BookedTotal, 'late'>]: BookedTotal[K]} & {late: number}>`
      SELECT type, state, late, bank, method, currency, corrects, count(*) AS count,
        count(amount) AS readable, coalesce(sum(amount), 0) AS amount, coalesce(sum(due), 0) AS due
      FROM bookings WHERE ${isOn(day)} GROUP BY type, state, late, bank, method, currency, corrects`.map(
      ({late, ...total}) => Object.assign(total, {late: late === 1}),
    );
  }

  /** How many orders reached each state on a day, and the sum of their amounts. */
  orders(day: number): BookedOrders[] {
    // With `max`, the other columns are those of the same row.
    const last = sqlPart`SELECT state, due, max(key) FROM bookings
      WHERE ${isOn(day)} AND state IS NOT NULL GROUP BY subject, state`;
    return this.sql<BookedOrders>`
      SELECT state, count(*) AS count, coalesce(sum(due), 0) AS due FROM (${last}) GROUP BY state ORDER BY state`;
  }

  /** Reads one page. Rows that are added later never move the rows of a page. */
  find(month: string, query: BooksQuery): BooksPage {
    const limit = query.unpaid ? MAX_LOOKED_AT : query.limit;
    const found = this.sql<Row>`${statementOf(query)} LIMIT ${limit + 1}`;
    const rows = query.unpaid ? this.#unpaid(found.slice(0, limit), query.limit) : found.slice(0, limit);
    const last = rows.length < query.limit ? found[limit - 1] : rows.at(-1);
    const isEnd = last === undefined || last === found.at(-1);
    return {rows: rows.map((row) => toBookedRow(month, row)), next: isEnd ? null : last.key};
  }

  /** The first rows of orders that have no money. */
  #unpaid(rows: readonly Row[], limit: number): Row[] {
    const unpaid: Row[] = [];
    for (const row of rows) {
      if (unpaid.length === limit) break;
      const types = this.#ofSubject<{type: BookingType}>(row.subject, sqlPart`type`);
      if (!types.some(({type}) => type === 'money.arrived')) unpaid.push(row);
    }
    return unpaid;
  }

  /** All rows of an order, in the sequence in which they were booked. */
  ofOrder(month: string, order: string): BookedRow[] {
    return this.#ofSubject(order).map((row) => toBookedRow(month, row));
  }

  /** All rows of the money of a transaction, in the sequence in which they were booked. */
  ofMoney(month: string, transaction: string): BookedRow[] {
    return this.#ofMoney(transaction).map((row) => toBookedRow(month, row));
  }

  #ofMoney(transaction: string): Row[] {
    return this.sql<Row>`
      SELECT ${COLUMNS} FROM found_by CROSS JOIN bookings ON key = found_by.rowid
      WHERE found_by MATCH ${has('id', transaction)} AND "transaction" = ${transaction} AND refund IS NULL
      ORDER BY found_by.rowid`;
  }

  /** The references of the orders of a user. */
  ordersOf(user: string, limit: number): string[] {
    return this.sql<{subject: string}>`
      SELECT DISTINCT subject FROM found_by CROSS JOIN bookings ON key = found_by.rowid
      WHERE found_by MATCH ${has('user', user)} LIMIT ${limit}`.map(({subject}) => subject);
  }

  transactionsOf(order: string): string[] {
    return [...new Set(this.#ofSubject(order).map(({transaction}) => transaction))].filter((each) => each !== null);
  }

  /** Removes who sent the money of an order, or a transaction, whichever orders had it. @returns how many rows changed. */
  forgetNames({order, transaction}: {readonly order?: string; readonly transaction?: string}): number {
    const all = order === undefined ? this.#ofMoney(transaction ?? '') : this.#ofSubject(order);
    const rows = all.filter(({sender, description}) => sender !== null || description !== null);
    for (const {key} of rows) {
      this.#removeTokens(key, ['word', 'wordBeginning']);
      this.sql`UPDATE bookings SET sender = NULL, description = NULL WHERE key = ${key}`;
    }
    return rows.length;
  }

  /** Removes the user of an order. @returns how many rows changed. */
  forgetUser(order: string): number {
    const rows = this.#ofSubject(order).filter(({userId}) => userId !== null);
    for (const {key} of rows) {
      this.#removeTokens(key, ['user']);
      this.sql`UPDATE bookings SET user_id = NULL WHERE key = ${key}`;
    }
    return rows.length;
  }
}

const isOn = (day: number): SqlPart => sqlPart`key >= ${day * KEYS_PER_DAY} AND key < ${(day + 1) * KEYS_PER_DAY}`;

/** The name of a booking among all of the month. */
const nameOf = (subject: string, id: string) => `${subject}\n${id}`;

/** Reads all rows that fit: by the index if there is a condition, and otherwise those of the days. */
export function statementOf(query: BooksQuery): SqlPart {
  const {before, after, fromDay, toDay} = query;
  const match = matchOf(query);
  const from = Math.max(fromDay * KEYS_PER_DAY, (after ?? -1) + 1);
  const to = Math.min((toDay + 1) * KEYS_PER_DAY, before ?? Infinity);
  const sequence = after === undefined ? sqlPart`DESC` : sqlPart`ASC`;
  // A number of JavaScript is not an integer for SQLite, and the index would read all rows up to it.
  return match === null
    ? sqlPart`SELECT ${COLUMNS} FROM bookings WHERE key >= ${from} AND key < ${to} ORDER BY key ${sequence}`
    : sqlPart`SELECT ${COLUMNS} FROM found_by CROSS JOIN bookings ON key = found_by.rowid
        WHERE found_by MATCH ${match} AND found_by.rowid >= CAST(${from} AS INTEGER)
        AND found_by.rowid < CAST(${to} AS INTEGER) ORDER BY found_by.rowid ${sequence}`;
}

/** The key by which the rows of a month are sorted. */
export const keyInMonth = ({day, number}: BookedRow): number => Number(day.slice(8)) * KEYS_PER_DAY + number;

function toBookedRow(month: string, {key, subject, late, timeUnknown, knownBefore, ...row}: Row): BookedRow {
  const day = String(Math.floor(key / KEYS_PER_DAY)).padStart(2, '0');
  return {
    ...row,
    day: `${month}-${day}`,
    number: key % KEYS_PER_DAY,
    order: orderOf(subject),
    late: late === 1,
    timeUnknown: timeUnknown === 1,
    knownBefore: knownBefore === 1,
  };
}
