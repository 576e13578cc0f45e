/** Writes rows of the books as a CSV file (RFC 4180) that spreadsheets open without a question. */

import {utf8} from '../../lib/crypto.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {bookedMonths, closingTimeOf, liraOf} from '../../objects/archive/booking.ts';
import type {BookedRow, BooksPage, BooksQuery} from '../../objects/archive/books-store.ts';

/** How numbers and columns are written: `tr` as a Turkish spreadsheet expects them. */
export type Numbers = 'plain' | 'tr' | undefined;

interface FileQuery {
  readonly service: string;
  readonly from: string;
  readonly to: string;
  readonly query: Omit<BooksQuery, 'fromDay' | 'toDay' | 'limit'>;
}

/** A request may make 1,000 calls, so that a file may have some million rows. */
const ROWS_PER_READ = 5_000;
/** Makes a spreadsheet read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/** The columns of a file, by their names. */
export type Columns<T> = Readonly<Record<string, (row: T) => Value>>;

const COLUMNS: Columns<BookedRow> = {
  day: ({day}) => ({time: day}),
  number: ({number}) => number,
  corrects: ({corrects}) => corrects && {time: corrects},
  at: ({at}) => ({time: formatPlatformTime(at)}),
  booked_at: ({bookedAt}) => ({time: formatPlatformTime(bookedAt)}),
  type: ({type}) => type,
  state: ({state}) => state,
  late: ({late}) => (late ? 'late' : null),
  time_unknown: ({timeUnknown}) => (timeUnknown ? 'time_unknown' : null),
  known_before: ({knownBefore}) => (knownBefore ? 'known_before' : null),
  order: ({order}) => order,
  order_code: ({code}) => code,
  order_amount: ({due}) => amountOf(due),
  user_id: ({userId}) => userId,
  amount: ({amount}) => amountOf(amount),
  balance: (row) => ({kurus: liraOf(row)}),
  currency: ({currency}) => currency,
  bank_name: ({bank}) => bank,
  method: ({method}) => method,
  sender: ({sender}) => sender,
  description: ({description}) => description,
  transaction_id: ({transaction}) => transaction,
  refund_id: ({refund}) => refund,
  bank_receipt_no: ({receipt}) => receipt,
  notice_code: ({notice}) => notice,
};

interface Amount {
  readonly kurus: Kurus;
}

/** A date or a time, which a spreadsheet may read as one. */
interface Time {
  readonly time: string;
}

type Value = string | number | Amount | Time | null;

export const amountOf = (kurus: Kurus | null): Amount | null => (kurus === null ? null : {kurus});

/** The rows from the first to the last day, oldest first. The rows are read while the file is sent. */
export function bookingsCsv(objects: Objects, file: FileQuery, numbers: Numbers): Response {
  const {service, from, to} = file;
  const days = from === to ? from : `${from}-${to}`;
  // The file of open days may be another one tomorrow.
  const name = `${service}-${days}${Date.now() < closingTimeOf(to) ? '-open' : ''}`;
  return csvFile(name, COLUMNS, readPages(objects, file), numbers);
}

/** A file whose rows are read while it is sent. @param name - Without its ending. */
export function csvFile<T>(
  name: string,
  columns: Columns<T>,
  pages: Iterator<readonly T[], undefined> | AsyncIterator<readonly T[], undefined>,
  numbers: Numbers,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const write = (cells: readonly string[]) => `${cells.join(numbers === 'tr' ? ';' : ',')}\r\n`;
  const cellsOf = (row: T) => Object.values(columns).map((read) => cell(read(row), numbers));
  let head = BYTE_ORDER_MARK + write(Object.keys(columns));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const {value = [], done} = await pages.next();
      controller.enqueue(utf8(head + value.map((row) => write(cellsOf(row))).join('')));
      head = '';
      if (done) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w-]/g, '_')}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

async function* readPages(
  objects: Objects,
  {service, from, to, query}: FileQuery,
): AsyncGenerator<readonly BookedRow[], undefined> {
  for (const month of monthsWithin(from, to).toReversed()) {
    let after: number | null = -1;
    while (after !== null) {
      const asked: BooksQuery = {...query, ...daysWithin(month, from, to), after, limit: ROWS_PER_READ};
      const found: BooksPage = await objects.books(service, month).findBookings(month, asked);
      if (found.rows.length > 0) yield found.rows;
      after = found.next;
    }
  }
  return undefined;
}

/** The days of the month that are within these days. */
export function daysWithin(month: string, from: string, to: string): Pick<BooksQuery, 'fromDay' | 'toDay'> {
  return {
    fromDay: from.startsWith(month) ? Number(from.slice(8)) : 1,
    toDay: to.startsWith(month) ? Number(to.slice(8)) : 31,
  };
}

/** The months that may have rows of these days, newest first. */
export function monthsWithin(from: string, to: string): string[] {
  return bookedMonths().filter((month) => from.slice(0, 7) <= month && month <= to);
}

/** Text that a spreadsheet reads as a number, a date or a time. A number of more than 15 digits loses the rest. */
const LOOKS_LIKE_NUMBER = /^\d[\d.,:/\sEe+-]*$/;

/**
 * Where a spreadsheet would begin a formula: at the start, and after whatever may be a separator or a line break for it,
 * because another program, or one of another language, splits the file elsewhere.
 */
const FORMULA = /(?<=^|[,;\t\r\n])(?=["\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r])/gu;

/**
 * Writes a cell. For a Turkish spreadsheet, a code is a formula that gives the text, because neither Excel nor
 * LibreOffice Calc reads `00123` as text, quoted or not. Other text that a spreadsheet would run as a formula gets an
 * apostrophe in front, because strangers choose the sender's name.
 */
export function cell(value: Value, numbers: Numbers): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') {
    if ('time' in value) return value.time;
    const text = formatAmount(value.kurus);
    return numbers === 'tr' ? text.replace('.', ',') : text;
  }
  const safe = value.replaceAll(FORMULA, "'");
  if (numbers === 'tr' && LOOKS_LIKE_NUMBER.test(value)) return `"=""${safe.trim()}"""`;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
