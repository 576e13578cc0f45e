/** The day's books: sums of a day, the search of their rows, as JSON or as a CSV file, and what was visited and sold. */

import type {ParsedInput} from '../../contract/merchant/endpoints.ts';
import {fieldError, orUnavailable} from '../../http/errors.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {formatAmount, formatAmountOrNull, type Kurus, parseAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatInstant, formatInstantOrNull, formatPlatformDay, startOfDay} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {ARCHIVE_RETENTION_MS, balanceOf, BOOKING_SIGNS, closingTimeOf, liraOf} from '../../objects/archive/booking.ts';
import {
  type BookedRow,
  type BookedTotal,
  type BooksPage,
  type BooksQuery,
  type DaySums,
  keyInMonth,
} from '../../objects/archive/books-store.ts';
import {MAX_CAMPAIGNS, NO_CAMPAIGN, OTHER_CAMPAIGNS} from '../../objects/visit-store.ts';
import {bookingsCsv, daysWithin, monthsWithin} from './books-csv.ts';
import {readCursor} from './cursor.ts';
import type {Handlers, WriteContext} from './handler.ts';

const PAGE_LENGTH = 100;
const MAX_FILE_DAYS = 31;
/** How many months one request asks at the same time. With the times of the sweep these are six calls. */
const MONTHS_AT_ONCE = 5;

export const bookHandlers = {
  async showDay({service, day, numbers}, context, request) {
    const {objects} = context;
    requireReadable(day);
    if (isCsv(request, context)) return bookingsCsv(objects, {service, from: day, to: day, query: {}}, numbers);
    const closesAt = closingTimeOf(day);
    // Before the sums are read, so that sums of a closed day are final.
    const closed = Date.now() >= closesAt;
    const [sums, {transfers}] = await Promise.all([
      objects.books(service, day.slice(0, 7)).sumsOf(Number(day.slice(8))) as Promise<DaySums>,
      objects.service(service).pollTimes(),
    ]);
    return {
      service,
      day,
      closed,
      closes_at: formatInstant(closesAt),
      searched_at: formatInstantOrNull(transfers.asOf),
      ...describeSums(sums),
    };
  },

  async searchBookings({numbers, ...input}, context, request) {
    const {objects} = context;
    const {service, cursor: after, ...search} = input;
    const query = await toQuery(input, objects);
    if (isCsv(request, context)) {
      const {from, to = formatPlatformDay(Date.now())} = search;
      const days = from === undefined ? null : (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
      if (from === undefined || days === null || days > MAX_FILE_DAYS)
        throw fieldError('invalid_request', 'from', `Expected a day at most ${MAX_FILE_DAYS} days before to.`);
      requireReadable(from, 'from');
      return bookingsCsv(objects, {service, from, to, query: query ?? NOTHING}, numbers);
    }
    const cursor = await readCursor<MonthStart>({cursor: after, service, ...search}, 'bookings', context);
    const [{rows, next}, {transfers}] = await Promise.all([
      query === null ? NOTHING_FOUND : searchMonths(objects, service, {...search, query, at: cursor.start}),
      objects.service(service).pollTimes(),
    ]);
    const next_cursor = await cursor.next(next);
    return {items: rows.map(toBooking), next_cursor, total: null, searched_at: formatInstantOrNull(transfers.asOf)};
  },
} satisfies Partial<Handlers>;

/** @throws {ApiError} `invalid_request` if the day has not begun, or its rows are kept no longer. */
function requireReadable(day: string, path = 'day'): void {
  const [first, today] = [Date.now() - ARCHIVE_RETENTION_MS, Date.now()].map(formatPlatformDay) as [string, string];
  if (first <= day && day <= today) return;
  throw fieldError('invalid_request', path, `Expected a day from ${first} to ${today}, which is today.`);
}

/** Whether the caller wants a file. */
export function isCsv(request: Request, {url}: {readonly url: URL}): boolean {
  return url.pathname.endsWith('.csv') || /\btext\/csv\b/i.test(request.headers.get('accept') ?? '');
}

type Conditions = Omit<BooksQuery, 'fromDay' | 'toDay' | 'limit' | 'before' | 'after'>;
/** Fits no row. */
const NOTHING: Conditions = {id: ''};
const NOTHING_FOUND = {rows: [], next: null};

/** The conditions of a search; null if an id is not known. */
async function toQuery(
  input: Omit<ParsedInput<'searchBookings'>, 'numbers'>,
  objects: Objects,
): Promise<Conditions | null> {
  const {service, sender, user_id, amount, bank, state, type, code, order, id} = input;
  const named = id === undefined ? {} : await findSubject(id, service, objects);
  if (named.order !== undefined && order !== undefined && named.order !== order) return null;
  return {
    sender,
    user: user_id,
    amount: amount === undefined ? undefined : (parseAmount(amount) ?? undefined),
    bank,
    state,
    types: type && [type],
    code: code?.replaceAll(' ', ''),
    order,
    ...named,
  };
}

/** What an id of a message names: the order or the money of an event, a refund link or a command; or a row itself. */
async function findSubject(id: string, service: string, objects: Objects): Promise<Pick<Conditions, 'order' | 'id'>> {
  // The platform's ids are numbers.
  if (/^\d+$/.test(id)) return {id};
  if (!id.startsWith('evt_')) {
    const link = await objects.refunds().findLink(id);
    if (link?.service === service) return {order: link.order};
    return (await objects.commands(service).subjectOf(id)) ?? {id};
  }
  const data: object = (await objects.outbox().find(id))?.data ?? {};
  const {
    service: owner,
    order,
    transaction_id: transaction,
  } = data as Partial<Record<'service' | 'order' | 'transaction_id', string | null>>;
  if (owner !== service) return {id};
  return order ? {order} : {id: transaction ?? id};
}

/** A month, and a row of it before which a page begins. */
export interface MonthStart {
  readonly month: string;
  readonly before: number | undefined;
}

interface MonthSearch {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly query: Conditions;
  /** Where the page begins; null for the newest row. */
  readonly at: MonthStart | null;
  readonly pageLength?: number;
}

/** Searches the months from the newest to the oldest until the page is full: the newest alone, then several at once. */
export async function searchMonths(
  objects: Objects,
  service: string,
  {from = '', to = '9', query, at, pageLength = PAGE_LENGTH}: MonthSearch,
) {
  const months = monthsWithin(from, to).filter((month) => at === null || month <= at.month);
  const rows: BookedRow[] = [];
  const search = async (month: string) => ({
    month,
    found: (await objects.books(service, month).findBookings(month, {
      ...query,
      ...daysWithin(month, from, to),
      limit: pageLength - rows.length,
      before: month === at?.month ? at.before : undefined,
    })) as BooksPage,
  });
  let first = 0;
  for (let count = 1; first < months.length && rows.length < pageLength; first += count, count = MONTHS_AT_ONCE) {
    for (const {month, found} of await Promise.all(months.slice(first, first + count).map(search))) {
      const read = found.rows.slice(0, pageLength - rows.length);
      rows.push(...read);
      const last = read.at(-1);
      const isCut = read.length < found.rows.length;
      if (isCut || found.next !== null)
        return {rows, next: {month, before: isCut ? last && keyInMonth(last) : (found.next ?? undefined)}};
    }
  }
  const month = months[first];
  return {rows, next: month === undefined ? null : {month, before: undefined}};
}

export function toBooking(row: BookedRow) {
  return {
    day: row.day,
    number: row.number,
    corrects: row.corrects,
    at: formatInstant(row.at),
    booked_at: formatInstant(row.bookedAt),
    type: row.type,
    state: row.state,
    late: row.late,
    time_unknown: row.timeUnknown,
    known_before: row.knownBefore ? (true as const) : undefined,
    order: row.order,
    order_code: row.code,
    order_amount: formatAmountOrNull(row.due),
    user_id: row.userId,
    amount: formatAmountOrNull(row.amount),
    balance: formatAmount(liraOf(row)),
    currency: row.currency,
    bank_name: row.bank,
    method: row.method,
    sender: row.sender,
    description: row.description,
    transaction_id: row.transaction,
    refund_id: row.refund,
    bank_receipt_no: row.receipt,
    notice_code: row.notice,
  };
}

/** The state of a refund. One that is taken back counts as one less that was settled. */
const stateOf = (type: BookedTotal['type']): 'requested' | 'settled' | 'failed' =>
  type === 'refund.requested' ? 'requested' : type === 'refund.failed' ? 'failed' : 'settled';

function describeSums({totals, orders}: DaySums) {
  const lira = totals.filter(({currency}) => currency === 'TRY');
  const refunds = lira.filter(({type}) => type.startsWith('refund.'));
  const money = totals.filter(({type}) => type.startsWith('money.'));
  const arrived = balance(money.filter(({currency}) => currency === 'TRY'));
  const refunded = -balance(refunds);
  const overdue = lira.filter(({type}) => type === 'order.overdue');
  return {
    arrived: formatAmount(arrived),
    refunded: formatAmount(refunded),
    balance: formatAmount(arrived - refunded),
    banks: groups(money, ({bank, method, currency}) => [bank, method, currency]).map((group) => {
      const {bank, method, currency} = group[0];
      return {bank_name: bank, method, currency, count: countOf(group), arrived: formatAmount(balance(group))};
    }),
    orders: orders.map(({state, count, due}) => ({state, count, amount: formatAmount(due)})),
    late: toSum(lira.filter(({late}) => late)),
    overdue: {count: rowsOf(overdue), amount: formatAmount(dueOf(overdue))},
    unmatched: toSum(lira.filter(({type}) => type === 'money.unmatched' || type === 'money.matched')),
    refunds: groups(refunds, ({type, bank, method}) => [stateOf(type), bank, method]).map((group) => {
      const {type, bank, method} = group[0];
      const amount = formatAmount(sumOf(group, refundsIn('amount')));
      return {state: stateOf(type), bank_name: bank, method, count: sumOf(group, refundsIn('count')), amount};
    }),
    corrections: groups(
      lira.filter(({corrects}) => corrects !== null),
      ({corrects}) => [corrects],
    ).map((group) => ({
      day: group[0].corrects ?? '',
      count: rowsOf(group),
      balance: formatAmount(balance(group)),
    })),
  };
}

type Group = readonly [BookedTotal, ...BookedTotal[]];

function groups(totals: readonly BookedTotal[], by: (total: BookedTotal) => readonly unknown[]): Group[] {
  return [...Map.groupBy(totals, (total) => JSON.stringify(by(total)))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group as unknown as Group);
}

const refundsIn =
  (field: 'count' | 'amount') =>
  ({type, [field]: value}: BookedTotal) =>
    type === 'refund.withdrawn' ? -value : value;
const rowsOf = (totals: readonly BookedTotal[]) => sumOf(totals, ({count}) => count);
/** How often money came whose amount is known, less what was taken back. */
const countOf = (totals: readonly BookedTotal[]) => sumOf(totals, ({type, readable}) => BOOKING_SIGNS[type] * readable);
const balance = (totals: readonly BookedTotal[]) => sumOf(totals, balanceOf);
const dueOf = (totals: readonly BookedTotal[]) => sumOf(totals, ({due}) => due);
const toSum = (totals: readonly BookedTotal[]) => ({count: countOf(totals), amount: formatAmount(balance(totals))});

const MAX_FUNNEL_DAYS = 31;
/** A row of fewer visits and clicks, with or without a campaign, counts them among the others, which may be few too. */
const MIN_COUNT = 5;

interface Cell {
  readonly day: string;
  readonly offer: string;
  readonly campaign: string;
  readonly visits: number;
  readonly clicks: number;
  readonly sales: number;
  readonly amount: Kurus;
}

const NONE = {visits: 0, clicks: 0, sales: 0, amount: 0};

export const funnelHandlers = {
  async showFunnel({from, to = formatPlatformDay(Date.now())}, context) {
    const days = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
    if (days < 1 || days > MAX_FUNNEL_DAYS)
      throw fieldError('invalid_request', 'from', `Expected a day at most ${MAX_FUNNEL_DAYS} days before to.`);
    const cells = summed([...(await readVisits(from, to, context)), ...(await readSales(from, to, context))]);
    const items = [...Map.groupBy(cells, ({day}) => day).values()].flatMap(shownOf);
    return {items: items.toSorted(bySequence).map(toRow)};
  },
} satisfies Partial<Handlers>;

async function readVisits(from: string, to: string, {objects}: WriteContext): Promise<Cell[]> {
  const counts = await orUnavailable(() => Promise.all(objects.allActivities().map((each) => each.visits(from, to))));
  return counts.flat().map((count) => Object.assign({}, NONE, count));
}

async function readSales(from: string, to: string, {config, objects}: WriteContext): Promise<Cell[]> {
  const reads = [...config.services.keys()].flatMap((service) =>
    monthsWithin(from, to).map(async (month) => {
      const {fromDay, toDay} = daysWithin(month, from, to);
      const sold = await objects.books(service, month).salesOf(fromDay, toDay);
      return sold.map(({day, offer, campaign, count: sales, amount}) =>
        Object.assign({}, NONE, {offer, campaign, sales, amount, day: `${month}-${String(day).padStart(2, '0')}`}),
      );
    }),
  );
  return (await orUnavailable(() => Promise.all(reads))).flat();
}

/** One cell for each day, offer and campaign. */
function summed(cells: readonly Cell[]): Cell[] {
  const sums = new Map<string, Cell>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.day, cell.offer, cell.campaign]);
    const {visits, clicks, sales, amount} = sums.get(key) ?? NONE;
    sums.set(key, {
      ...cell,
      visits: cell.visits + visits,
      clicks: cell.clicks + clicks,
      sales: cell.sales + sales,
      amount: cell.amount + amount,
    });
  }
  return [...sums.values()];
}

/** The rows of a day: its largest campaigns, and the others of each offer together. */
function shownOf(cells: readonly Cell[]): Cell[] {
  const isNamed = ({campaign}: Cell) => campaign !== NO_CAMPAIGN && campaign !== OTHER_CAMPAIGNS;
  const bySize = cells.filter(isNamed).toSorted((a, b) => b.sales - a.sales || b.visits - a.visits);
  const named = new Set(bySize.slice(0, MAX_CAMPAIGNS));
  return summed(
    cells.flatMap((cell): Cell[] => {
      const {visits, clicks, sales, campaign} = cell;
      if (!named.has(cell) && campaign !== NO_CAMPAIGN) return [{...cell, campaign: OTHER_CAMPAIGNS}];
      if (visits + clicks >= MIN_COUNT) return [cell];
      const rest = {...cell, ...NONE, visits, clicks, campaign: OTHER_CAMPAIGNS};
      return sales > 0 ? [{...cell, visits: 0, clicks: 0}, rest] : [rest];
    }),
  );
}

const keyOf = ({day, offer, campaign}: Cell) => [day, offer, campaign === OTHER_CAMPAIGNS ? '\uffff' : campaign];

function bySequence(a: Cell, b: Cell): number {
  const [first, second] = [keyOf(a), keyOf(b)].map((key) => key.join('\n')) as [string, string];
  return first < second ? -1 : 1;
}

function toRow({offer, campaign, amount, ...counts}: Cell) {
  const others = campaign === OTHER_CAMPAIGNS;
  return {
    ...counts,
    offer: offer || null,
    campaign: others ? null : campaign || null,
    others,
    amount: formatAmount(amount),
  };
}
