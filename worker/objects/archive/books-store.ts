/** Stores the books of one service and month: one row for each booking, and an index of what bookings are found by. */

import type {BookingType} from '../../contract/booking-types.ts';
import type {PaymentState} from '../../contract/browser/answers.ts';
import type {Kurus} from '../../lib/money.ts';
import {foldedWords} from '../../lib/names.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {newRow, type Sql, SqlPart, sqlPart} from '../object-storage.ts';
import {closingTimeOf, type DatedBooking} from './booking.ts';

/** A row of the books. */
export interface BookedRow extends DatedBooking {
  /** The row's number in the day: rows of a day are in the sequence in which they were booked. */
  readonly number: number;
  readonly bookedAt: number;
}

/**
 * What is found by an entry of the index `terms`. Each entry costs a row, so only what nothing else finds has one:
 * orders by code, user and amount; money by sender, id and amount; refunds by id, code and amount; rows that ask for
 * work; and rare types and states, because a page of frequent ones is full after few rows.
 */
export type Term = 'code' | 'user' | 'amount' | 'name' | 'id' | 'work' | 'type' | 'state';
export type WorkTerm = 'late' | 'unmatched';
const FREQUENT: ReadonlySet<BookingType | PaymentState | null> = new Set([
  'order.placed',
  'order.changed',
  'money.arrived',
  'waiting',
  'paid',
  null,
] as const);

/** Which rows to read. All given fields must fit. */
export interface BooksQuery {
  /** Days of the month. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Rows before this one are read, newest first; or rows after it, oldest first. Null for the first page. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
  /** Words of the sender's name; the last one may be a beginning. */
  readonly sender?: string | undefined;
  readonly user?: string | undefined;
  readonly amount?: Kurus | undefined;
  readonly bank?: string | undefined;
  readonly state?: PaymentState | undefined;
  readonly types?: readonly BookingType[] | undefined;
  readonly code?: string | undefined;
  /** The beginning of an order code; the search then has no sender. */
  readonly codeBeginning?: string | undefined;
  readonly order?: string | undefined;
  /** Id of a transaction or of a refund: both are the platform's own numbers, and may coincide. */
  readonly id?: string | undefined;
  readonly work?: WorkTerm | undefined;
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
 * The key of a row begins with its day, so that the rows of a day are together. A booking is found again by its subject:
 * the order, or the transaction of money without an order. `moved` names the day of another month on which a booking
 * was made whose own day was closed.
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
         due INTEGER, user_id TEXT, sender TEXT, description TEXT, sender_words TEXT, "transaction" TEXT, refund TEXT,
         sold_offer TEXT, sold_campaign TEXT)`,
      'CREATE INDEX bookings_subject ON bookings (subject)',
      'CREATE TABLE terms (term TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (term, key)) WITHOUT ROWID',
      'CREATE TABLE moved (booking TEXT PRIMARY KEY, day TEXT NOT NULL) WITHOUT ROWID',
    ),
  ],
};

export const KEYS_PER_DAY = 1_000_000_000;
/** How many words of a name are in the index. */
const MAX_NAME_WORDS = 5;
const MAX_NAME_LENGTH = 100;
const MIN_BEGINNING = 3;
const MAX_DESCRIPTION_LENGTH = 140;
/** How many rows one call looks at. If few of them fit, the page is short, and `next` leads on. */
const MAX_LOOKED_AT = 5_000;
/** Which rows have their sender in the index, as `termsOf` says. */
const HAS_NAME = sqlPart`type IN ('money.arrived', 'money.unmatched')`;
/** No reference of an order has this character. */
const NO_ORDER = '\n';

/** What is stored as 0 or 1. */
type Flag = 'late' | 'timeUnknown' | 'knownBefore';

type Row = {
  [K in keyof Omit<BookedRow, Flag | 'order' | 'day' | 'number' | 'sale'>]: BookedRow[K];
} & {key: number; subject: string} & Record<Flag, number>;

const COLUMNS = sqlPart`bookings.key, subject, id, type, at, booked_at AS bookedAt, corrects, code, state, late,
  time_unknown AS timeUnknown, known_before AS knownBefore, amount, currency, bank, method, due, user_id AS userId, sender, description, "transaction", refund`;

export class BooksStore {
  constructor(private readonly sql: Sql) {}

  /**
   * Stores the bookings that are not stored yet. A day that is closed at `now` gets no more rows.
   * @param month - The month of these books. @returns the bookings that belong to a day of another month.
   */
  add(month: string, bookings: readonly DatedBooking[], now: number): DatedBooking[] {
    const today = formatPlatformDay(now);
    return bookings.flatMap((booking) => {
      const subject = subjectOf(booking);
      if (this.sql`SELECT 1 FROM bookings WHERE subject = ${subject} AND id = ${booking.id}`.length > 0) return [];
      const name = [subject, booking.id].join(NO_ORDER);
      const known = this.sql<{day: string}>`SELECT day FROM moved WHERE booking = ${name}`[0];
      const isClosed = booking.day < today && now >= closingTimeOf(booking.day);
      // The clock of a bank may be fast.
      const day = known?.day ?? (isClosed || booking.day > today ? today : booking.day);
      const corrects = booking.corrects ?? (day > booking.day ? booking.day : null);
      const late = booking.late || (booking.type === 'money.withdrawn' && this.#cameLate(subject, booking.transaction));
      const dated = {...booking, day, corrects, late};
      // Money that has found its order asks for no more work, also if the row is one of another month.
      if (booking.type === 'money.matched')
        this.sql`
          DELETE FROM terms WHERE term = 'work unmatched' AND key IN
            (SELECT key FROM bookings WHERE subject = ${subject} AND "transaction" = ${booking.transaction})`;
      if (day.startsWith(month)) return this.#insert(dated, now);
      if (!known) this.sql`INSERT INTO moved (booking, day) VALUES (${name}, ${day})`;
      return [dated];
    });
  }

  #cameLate(subject: string, transaction: string | null): boolean {
    const [last] = this.sql<{late: number}>`
      SELECT late FROM bookings
      WHERE subject = ${subject} AND "transaction" = ${transaction} AND type = 'money.arrived' ORDER BY key DESC LIMIT 1`;
    return last?.late === 1;
  }

  #insert(booking: DatedBooking, now: number): [] {
    const {id, type, at, corrects, code, state, late, amount, currency, bank, method, due, transaction, refund} =
      booking;
    const sender = booking.sender?.slice(0, MAX_NAME_LENGTH) ?? null;
    const words = sender === null ? [] : foldedWords(sender);
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
      description: booking.description?.slice(0, MAX_DESCRIPTION_LENGTH) ?? null,
      sold_offer: booking.sale?.offer ?? null,
      sold_campaign: booking.sale?.campaign ?? null,
      sender_words: words.length > 0 ? ` ${words.join(' ')}` : null,
    };
    this.sql`INSERT INTO bookings ${newRow(columns)}`;
    for (const term of termsOf(booking, words))
      this.sql`INSERT OR IGNORE INTO terms (term, key) VALUES (${term}, ${key})`;
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
    const keys = keysOf(query, this.#isRare(query));
    const rows = this.sql<Row>`
      SELECT ${COLUMNS} FROM (${keys.statement}) AS keys CROSS JOIN bookings ON bookings.key = keys.key
      WHERE ${filterOf(query)} ORDER BY keys.key ${keys.sequence} LIMIT ${query.limit + 1}`;
    const page = rows.slice(0, query.limit);
    const next = rows.length > query.limit ? (page.at(-1)?.key ?? null) : this.#endOf(keys);
    return {rows: page.map((row) => toBookedRow(month, row)), next};
  }

  /** Whether so few entries begin like the name's last word, or the code, that all of them can be read. */
  #isRare(query: BooksQuery): boolean {
    const range = rangeOf(query);
    if (range === null) return false;
    const [found] = this.sql<{count: number}>`
      SELECT count(*) AS count FROM (SELECT 1 FROM terms WHERE ${range} LIMIT ${MAX_LOOKED_AT})`;
    return (found?.count ?? 0) < MAX_LOOKED_AT;
  }

  /** The last row that a search without a full page has looked at; null if it has looked at all rows. */
  #endOf({statement, sequence}: FoundKeys): number | null {
    const last = sequence === ASCENDING ? sqlPart`max(key)` : sqlPart`min(key)`;
    const [found] = this.sql<{
      count: number;
      last: number;
    }>`SELECT count(*) AS count, ${last} AS last FROM (${statement})`;
    return found?.count === MAX_LOOKED_AT ? found.last : null;
  }

  /** All rows of an order, in the sequence in which they were booked. */
  ofOrder(month: string, order: string): BookedRow[] {
    const rows = this.sql<Row>`SELECT ${COLUMNS} FROM bookings WHERE subject = ${order} ORDER BY key`;
    return rows.map((row) => toBookedRow(month, row));
  }

  /** All rows of the money of a transaction, in the sequence in which they were booked. */
  ofMoney(month: string, transaction: string): BookedRow[] {
    const rows = this.sql<Row>`
      SELECT ${COLUMNS} FROM terms CROSS JOIN bookings USING (key)
      WHERE term = ${`id ${transaction}`} AND "transaction" = ${transaction} AND refund IS NULL ORDER BY key`;
    return rows.map((row) => toBookedRow(month, row));
  }

  /** The references of the orders of a user. */
  ordersOf(user: string, limit: number): string[] {
    return this.sql<{subject: string}>`
      SELECT DISTINCT subject FROM terms JOIN bookings USING (key) WHERE term = ${`user ${user}`} LIMIT ${limit}`.map(
      ({subject}) => subject,
    );
  }

  transactionsOf(order: string): string[] {
    return this.sql<{id: string}>`
      SELECT DISTINCT "transaction" AS id FROM bookings WHERE subject = ${order} AND "transaction" IS NOT NULL`.map(
      ({id}) => id,
    );
  }

  /** Removes who sent the money of an order, or a transaction, whichever orders had it. @returns how many rows changed. */
  forgetNames({order, transaction}: {readonly order?: string; readonly transaction?: string}): number {
    const isMeant =
      order === undefined
        ? sqlPart`refund IS NULL AND key IN (SELECT key FROM terms WHERE term = ${`id ${transaction}`})`
        : sqlPart`subject = ${order}`;
    const rows = this.sql<{key: number; words: string | null}>`
      SELECT key, sender_words AS words FROM bookings
      WHERE ${isMeant} AND (sender IS NOT NULL OR description IS NOT NULL)`;
    for (const {key, words} of rows) {
      for (const term of nameTerms(words?.trim().split(' ') ?? []))
        this.sql`DELETE FROM terms WHERE term = ${term} AND key = ${key}`;
      this.sql`UPDATE bookings SET sender = NULL, description = NULL, sender_words = NULL WHERE key = ${key}`;
    }
    return rows.length;
  }

  /** Removes the user of an order. @returns how many rows changed. */
  forgetUser(order: string): number {
    const rows = this.sql<{key: number; user: string}>`
      SELECT key, user_id AS user FROM bookings WHERE subject = ${order} AND user_id IS NOT NULL`;
    for (const {key, user} of rows) {
      this.sql`DELETE FROM terms WHERE term = ${`user ${user}`} AND key = ${key}`;
      this.sql`UPDATE bookings SET user_id = NULL WHERE key = ${key}`;
    }
    return rows.length;
  }
}

const isOn = (day: number): SqlPart => sqlPart`key >= ${day * KEYS_PER_DAY} AND key < ${(day + 1) * KEYS_PER_DAY}`;

function subjectOf({order, transaction}: Pick<DatedBooking, 'order' | 'transaction'>): string {
  return order ?? NO_ORDER + (transaction ?? '');
}

function nameTerms(words: readonly string[]): string[] {
  return words.slice(0, MAX_NAME_WORDS).map((word) => `name ${word}`);
}

function termsOf(booking: DatedBooking, words: readonly string[]): Set<string> {
  const {type, state, late, amount, due, code, userId, transaction, refund} = booking;
  const terms = new Set<string>();
  const isOfOrder = type === 'order.placed' || type === 'order.amended';
  if (code !== null && (isOfOrder || refund !== null)) terms.add(`code ${code}`);
  if (isOfOrder) {
    if (due !== null) terms.add(`amount ${due}`);
    if (userId !== null) terms.add(`user ${userId}`);
  }
  const id = refund ?? transaction;
  if (id !== null) terms.add(`id ${id}`);
  if (type === 'money.arrived' || type === 'money.unmatched') for (const term of nameTerms(words)) terms.add(term);
  if (amount !== null) terms.add(`amount ${amount}`);
  if (type === 'money.unmatched') terms.add('work unmatched');
  if (!FREQUENT.has(type)) terms.add(`type ${type}`);
  if (!FREQUENT.has(state)) terms.add(`state ${state}`);
  if (late && type === 'money.arrived' && amount !== null) terms.add('work late');
  return terms;
}

const ASCENDING = sqlPart`ASC`;
const DESCENDING = sqlPart`DESC`;

/** The keys of rows that a search looks at. */
interface FoundKeys {
  readonly statement: SqlPart;
  readonly sequence: SqlPart;
}

const allOf = (conditions: readonly SqlPart[]): SqlPart =>
  conditions.reduce((all, each) => sqlPart`${all} AND ${each}`, sqlPart`TRUE`);

/** The entries of the index that begin with the last word of a name, or with the beginning of a code. */
function rangeOf({sender, codeBeginning}: BooksQuery): SqlPart | null {
  const {lastWord} = wordsOf(sender);
  const beginning = codeBeginning === undefined ? lastWord && `name ${lastWord}` : `code ${codeBeginning}`;
  return beginning === undefined ? null : sqlPart`term >= ${beginning} AND term < ${`${beginning}\u{10FFFF}`}`;
}

/** The whole words of a name, and the last one if it may be a beginning: a shorter one would fit too many names. */
function wordsOf(sender = ''): {words: string[]; lastWord: string | undefined} {
  const words = foldedWords(sender).slice(0, MAX_NAME_WORDS);
  const lastWord = (words.at(-1)?.length ?? 0) >= MIN_BEGINNING ? words.pop() : undefined;
  return {words, lastWord};
}

/**
 * The statement that finds the keys of rows by the index of terms, or by their subject, or those of the days if neither
 * is given. The last word of a name may be a beginning: rare ones are found by the index, and frequent ones are looked
 * for in the newest rows that fit otherwise, because sorting a frequent name's rows takes seconds.
 */
export function keysOf(query: BooksQuery, isRare: boolean): FoundKeys {
  const {order, id, code, sender, user, amount, work, types = [], state = null, before, after, fromDay, toDay} = query;
  const [type = null, ...otherTypes] = types;
  const from = Math.max(fromDay * KEYS_PER_DAY, (after ?? -1) + 1);
  const to = Math.min((toDay + 1) * KEYS_PER_DAY, before ?? Infinity);
  const sequence = after === undefined ? DESCENDING : ASCENDING;
  const {words} = wordsOf(sender);
  const terms = [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(user === undefined ? [] : [`user ${user}`]),
    ...words.toSorted((a, b) => b.length - a.length).map((word) => `name ${word}`),
    ...(work === undefined ? [] : [`work ${work}`]),
    ...(FREQUENT.has(type) || otherTypes.length > 0 ? [] : [`type ${type}`]),
    ...(FREQUENT.has(state) ? [] : [`state ${state}`]),
    ...(amount === undefined || isFoundWithoutAmount(query) ? [] : [`amount ${amount}`]),
  ];
  const range = isRare && order === undefined ? rangeOf(query) : null;
  const [first] = terms;
  const rest = order !== undefined || range ? terms : terms.slice(1);
  const [table, condition] =
    order !== undefined
      ? [sqlPart`bookings AS found`, sqlPart`subject = ${order}`]
      : range
        ? [sqlPart`(SELECT DISTINCT key FROM terms WHERE ${range}) AS found`, null]
        : first === undefined
          ? [sqlPart`bookings AS found`, null]
          : [sqlPart`terms AS found`, sqlPart`term = ${first}`];
  const all = allOf([
    ...(condition ? [condition] : []),
    sqlPart`found.key >= ${from} AND found.key < ${to}`,
    ...rest.map(
      (term) => sqlPart`EXISTS (SELECT 1 FROM terms AS other WHERE other.term = ${term} AND other.key = found.key)`,
    ),
  ]);
  return {
    statement: sqlPart`SELECT found.key FROM ${table} WHERE ${all} ORDER BY found.key ${sequence} LIMIT ${MAX_LOOKED_AT}`,
    sequence,
  };
}

/** Whether so few rows fit without the amount that it is checked for each. */
function isFoundWithoutAmount({order, id, types = [], state}: BooksQuery): boolean {
  const isOfRareType = types.length === 1 && !FREQUENT.has(types[0] ?? null);
  return order !== undefined || id !== undefined || isOfRareType || !FREQUENT.has(state ?? null);
}

const UNPAID = sqlPart`NOT EXISTS
  (SELECT 1 FROM bookings AS money WHERE money.subject = bookings.subject AND money.type = 'money.arrived')`;

/** The conditions that have no index. They are checked for the rows that were found. */
function filterOf(query: BooksQuery): SqlPart {
  const {bank, state, types, sender, codeBeginning, unpaid, amount} = query;
  const {lastWord} = wordsOf(sender);
  const begins =
    codeBeginning === undefined
      ? lastWord && sqlPart`${HAS_NAME} AND instr(sender_words, ${` ${lastWord}`}) > 0`
      : sqlPart`type IN ('order.placed', 'order.amended') AND instr(code, ${codeBeginning}) = 1`;
  const conditions = [
    bank === undefined ? null : sqlPart`bank = ${bank}`,
    state === undefined ? null : sqlPart`state = ${state}`,
    types && sqlPart`type IN (SELECT value FROM json_each(${JSON.stringify(types)}))`,
    begins,
    unpaid && UNPAID,
    amount !== undefined && isFoundWithoutAmount(query) ? sqlPart`coalesce(amount, due) = ${amount}` : null,
  ];
  return allOf(conditions.filter((each) => each instanceof SqlPart));
}

function toBookedRow(month: string, {key, subject, late, timeUnknown, knownBefore, ...row}: Row): BookedRow {
  const day = String(Math.floor(key / KEYS_PER_DAY)).padStart(2, '0');
  return {
    ...row,
    day: `${month}-${day}`,
    number: key % KEYS_PER_DAY,
    order: subject.startsWith(NO_ORDER) ? null : subject,
    late: late === 1,
    timeUnknown: timeUnknown === 1,
    knownBefore: knownBefore === 1,
  };
}
