/** Lists what a person has to decide, and forgets a person. */

import type {WORK_KINDS} from '../../contract/merchant/books-work.ts';
import type {EndpointAnswer, ParsedInput} from '../../contract/merchant/endpoints.ts';
import {ApiError, fieldError, orUnavailable} from '../../http/errors.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {parseAmount} from '../../lib/money.ts';
import {formatInstant, formatPlatformDay, formatPlatformTime} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {BookedRow, BooksQuery} from '../../objects/archive/books-store.ts';
import {describeRefundable, type PaidOrder} from '../../objects/order/refundable.ts';
import {findRefundable, readRefundable} from '../../objects/refunds/find-refundable.ts';
import type {Forgotten} from '../../objects/service/erasure.ts';
import type {CodedOrder, WaitingPosition} from '../../objects/sweep/sweep-store.ts';
import {amountOf, type Columns, csvFile, type Numbers} from './books-csv.ts';
import {isCsv, type MonthStart, searchMonths, toBooking} from './books.ts';
import {toCommand} from './commands.ts';
import {type PageCursor, readCursor} from './cursor.ts';
import type {Handlers, WriteContext} from './handler.ts';
import {toDeliveryAnswer} from './webhooks.ts';

type Kind = (typeof WORK_KINDS)[number];
/** What rows of the books tell. */
type BookedKind = Exclude<Kind, 'waiting' | 'refund_unknown' | 'delivery_failed'>;
type Item = EndpointAnswer<'listWork'>['items'][number];

const PAGE_LENGTH = 20;
const COMMANDS_PAGE_LENGTH = 100;
/** A request may make 1,000 calls. */
const FILE_LENGTH = 900;
const CALL_CONCURRENCY = 50;
/** How many orders are proposed for money without an order, and how many are looked at for each reason. */
const MAX_PROPOSALS = 5;
const MAX_CANDIDATES = 10;
const PROPOSED_WITHIN_MS = 30 * DAY_MS;

/** The rows that ask for work. */
const ROWS_OF: Readonly<Record<BookedKind, Partial<BooksQuery>>> = {
  unmatched: {work: 'unmatched'},
  partial: {types: ['order.overdue']},
  late: {work: 'late'},
  overpaid: {state: 'overpaid'},
  pending: {state: 'pending'},
  cancelled: {state: 'cancelled'},
  refund_failed: {types: ['refund.failed']},
  expired: {state: 'expired'},
};

/** Whether an order still asks for work. */
const ASKS: Readonly<Record<Exclude<BookedKind, 'unmatched' | 'refund_failed'>, (order: OrderNow) => boolean>> = {
  partial: ({payment}) => payment.state === 'partial',
  late: ({payment, refundable, onBill}) =>
    payment.late && (refundable.left > 0 || (onBill > 0 && payment.state !== 'completed')),
  overpaid: ({payment, refundable, onBill}) =>
    refundable.amount > 0 || (payment.state === 'overpaid' && onBill > (parseAmount(payment.amount) ?? 0)),
  pending: ({payment, expiresAt}) => payment.state === 'pending' && expiresAt <= Date.now(),
  cancelled: ({payment, refundable, onBill}) =>
    payment.state === 'cancelled' && (refundable.amount > 0 || onBill > 0 || payment.unclear),
  expired: ({payment}) => payment.state === 'expired',
};

/** The order as it is now, or as it was when it was deleted. */
type OrderNow = NonNullable<Awaited<ReturnType<typeof findRefundable>>>;

export const bookWorkHandlers = {
  async listWork({numbers, ...input}, context, request) {
    const {objects} = context;
    const {service, kind} = input;
    const cursor = await readCursor<WorkStart>(input, 'work', context);
    if (isCsv(request, context)) return waitingCsv(input, cursor, context, numbers);
    const isOfYesterday = kind === 'expired' && input.from === undefined && input.to === undefined;
    // The next page is of the same day, also after midnight.
    const {at, day: firstDay} = cursor.start ?? {at: null, day: formatPlatformDay(Date.now() - DAY_MS)};
    const next = (start: WorkStart['at']) => cursor.next(start === null ? null : {at: start, day: firstDay});
    const {from, to} = isOfYesterday ? {from: firstDay, to: firstDay} : input;
    if (kind === 'waiting' || kind === 'refund_unknown' || kind === 'delivery_failed') {
      const {items, ...page} = await LISTS[kind](service, at, context);
      const within = items.filter(({day}) => (from ?? '') <= day && day <= (to ?? '9'));
      const next_cursor = await next(page.next);
      return {items: within.map(({item}) => Object.assign({}, NOT_BOOKED, item)), next_cursor, total: null};
    }
    const search = {from, to, query: ROWS_OF[kind], at: at as MonthStart | null, pageLength: PAGE_LENGTH};
    const {rows, ...page} = await searchMonths(objects, service, search);
    // One order is one decision, and its newest row tells it.
    const isNewest = ({order}: BookedRow, index: number) => rows.findIndex((row) => row.order === order) === index;
    const asking = kind === 'unmatched' || kind === 'refund_failed' ? rows : rows.filter(isNewest);
    const items = await Promise.all(asking.map((row) => toItem(objects, service, kind, row)));
    return {
      items: items.filter((item) => item !== null),
      next_cursor: await next(page.next),
      total: null,
    };
  },

  async forgetPerson({service, ...named}, {objects}) {
    const forget = (): Promise<Forgotten> => objects.service(service).forgetPerson(service, named);
    const forgotten = await orUnavailable(forget);
    if ('unknown' in forgotten) throw unknownPerson(forgotten.unknown, Object.keys(named).join());
    const {orders, rows, left, lostAt} = forgotten;
    const unknown = lostAt === undefined ? {} : {unknown_before: formatInstant(lostAt)};
    return {orders, rows, left, complete: left === 0, ...unknown};
  },
} satisfies Partial<Handlers>;

/** @param field - What the person was named by. */
function unknownPerson(what: 'person' | 'order' | 'transaction', field: string) {
  if (what === 'order') return new ApiError('unknown_order');
  return what === 'transaction' ? new ApiError('not_found') : fieldError('not_found', field, 'No order has this.');
}

const NOT_BOOKED = {
  booking: null,
  waiting: null,
  payment: null,
  proposals: [],
  command: null,
  delivery: null,
} satisfies Item;

/** Where a page begins, and the day before the one on which the first page was asked for. */
interface WorkStart {
  readonly at: number | MonthStart | WaitingPosition | null;
  readonly day: string;
}

/** One page of what other objects than the books list. */
interface Listed {
  readonly items: readonly {readonly day: string; readonly item: Partial<Item>}[];
  readonly next: number | WaitingPosition | null;
}

type List = (service: string, at: WorkStart['at'], context: WriteContext) => Promise<Listed>;

/** Orders whose shoppers have a code and may still send money, also those that no page has read again. */
const waitingOrders: List = async (service, at, {objects}) => {
  const {orders, next} = await readWaiting(objects, service, at, PAGE_LENGTH);
  const items = orders.map(async ({order, code, offer, createdAt, expiresAt, payment, money}) => {
    const waiting = {
      order,
      order_code: code,
      offer,
      created_at: formatInstant(createdAt),
      pay_until: formatInstant(expiresAt),
    };
    const refundable = await readRefundable(objects, {service, order}, payment, money);
    return {day: formatPlatformDay(createdAt), item: {waiting, payment: describePayment({payment, refundable})}};
  });
  return {items: await Promise.all(items), next};
};

async function readWaiting(objects: Objects, service: string, at: WorkStart['at'], length: number) {
  const start = (at ?? {registeredAt: 0, order: ''}) as WaitingPosition;
  const found: WaitingPosition[] = await objects.service(service).waitingOrders(start, length);
  const orders = await mapConcurrent(CALL_CONCURRENCY, found, async ({order}) => {
    const details = await objects.order(service, order).details();
    if (!details || details.cancelledAt !== null) return [];
    const {state} = details.payment;
    const mayPay = state === 'waiting' || (state === 'partial' && details.expiresAt > Date.now());
    return mayPay ? [Object.assign({}, details, {order})] : [];
  });
  return {orders: orders.flat(), next: found.length === length ? (found.at(-1) ?? null) : null};
}

type WaitingOrder = Awaited<ReturnType<typeof readWaiting>>['orders'][number];

const WAITING_COLUMNS: Columns<WaitingOrder> = {
  order: ({order}) => order,
  order_code: ({code}) => code,
  offer: ({offer}) => offer,
  created_at: ({createdAt}) => ({time: formatPlatformTime(createdAt)}),
  pay_until: ({expiresAt}) => ({time: formatPlatformTime(expiresAt)}),
  state: ({payment}) => payment.state,
  amount: ({payment}) => amountOf(parseAmount(payment.amount)),
  paid: ({payment}) => amountOf(parseAmount(payment.paid)),
  remaining: ({payment}) => amountOf(parseAmount(payment.remaining)),
};

/** A file of waiting orders. Each costs a call, so a file has a part of many, and the header `link` names the next one. */
async function waitingCsv(
  {service, kind, from = '', to = '9'}: Pick<ParsedInput<'listWork'>, 'service' | 'kind' | 'from' | 'to'>,
  cursor: PageCursor<WorkStart>,
  {objects, url}: WriteContext,
  numbers: Numbers,
): Promise<Response> {
  if (kind !== 'waiting') throw fieldError('invalid_request', 'kind', 'Only waiting orders have a file.');
  const {orders, next} = await readWaiting(objects, service, cursor.start?.at ?? null, FILE_LENGTH);
  const isAsked = (day: string) => from <= day && day <= to;
  const rows = orders.filter(({createdAt}) => isAsked(formatPlatformDay(createdAt)));
  const after = await cursor.next(next && {at: next, day: ''});
  const more = new URL(url);
  more.searchParams.set('cursor', after ?? '');
  const headers = after === null ? {} : {link: `<${more.pathname}${more.search}>; rel="next"`};
  return csvFile(`${service}-waiting`, WAITING_COLUMNS, [rows].values(), numbers, headers);
}

const unknownRefunds: List = async (service, at, {objects, config}) => {
  const {items} = await objects.commands(service).list(['unknown'], Number(at ?? 0), COMMANDS_PAGE_LENGTH + 1);
  const page = items.slice(0, COMMANDS_PAGE_LENGTH);
  return {
    items: page
      .filter(({name}) => name === 'createRefund' || name === 'refundCharge')
      .map((command) => ({day: formatPlatformDay(command.createdAt), item: {command: toCommand(command, config)}})),
    next: items.length > page.length ? (page.at(-1)?.createdAt ?? null) : null,
  };
};

const failedDeliveries: List = async (service, at, {objects, caller}) => {
  const filter = {webhook: null, state: null, limit: caller.services, services: [service]};
  const page = await objects.outbox().listDeliveries(Number(at ?? 0), filter);
  return {
    items: page.items
      .map((listed) => toDeliveryAnswer(listed))
      .filter(({attempts}) => attempts > 0)
      .map((delivery) => ({day: formatPlatformDay(Date.parse(delivery.created_at)), item: {delivery}})),
    next: page.more ? page.position : null,
  };
};

const LISTS = {waiting: waitingOrders, refund_unknown: unknownRefunds, delivery_failed: failedDeliveries};

function describePayment({
  payment,
  refundable,
}: Pick<OrderNow, 'refundable'> & {readonly payment: PaidOrder & {readonly remaining: string}}) {
  const {state, amount, paid, remaining, refunded} = payment;
  return {state, amount, paid, remaining, refunded, refundable: describeRefundable(refundable)};
}

async function toItem(objects: Objects, service: string, kind: BookedKind, row: BookedRow): Promise<Item | null> {
  const booking = toBooking(row);
  if (kind === 'unmatched') return {...NOT_BOOKED, booking, proposals: await propose(objects, service, row)};
  const now = row.order === null ? null : await findRefundable(objects, service, row.order);
  const asks = kind === 'refund_failed' ? await isOwed(objects, service, row, now) : now !== null && ASKS[kind](now);
  if (!asks) return null;
  if (!now) return {...NOT_BOOKED, booking};
  return {...NOT_BOOKED, booking, payment: describePayment(now)};
}

/** Whether a failed refund was not made up for: by itself, by a later one of its amount, or as nothing is left. */
async function isOwed(objects: Objects, service: string, row: BookedRow, now: OrderNow | null): Promise<boolean> {
  // The platform refuses refunds of a completed order, so that its money has to be sent back in another way.
  if (now?.refundable.left === 0 && now.payment.state !== 'completed') return false;
  const refunds = await objects.refunds().ofOrder(service, row.order ?? '');
  const since = refunds.slice(Math.max(0, refunds.map(({id}) => id).indexOf(row.refund ?? '')));
  return !since.some(({id, state, amount}) => state === 'successful' && (id === row.refund || amount === row.amount));
}

/**
 * Orders that money without an order may belong to. First those that are not paid and have the code that the sender
 * began to write, then those that cost the same, and last those with the code whose money it is not needed for.
 */
async function propose(objects: Objects, service: string, row: BookedRow) {
  const {amount, description} = row;
  const digits = (description ?? '').replaceAll(/(?<=\d) (?=\d)/g, '').match(/\d{6,}/g) ?? [];
  const searches: [because: 'code' | 'amount', query: Partial<BooksQuery>][] = [
    ...digits.slice(0, 2).map((codeBeginning): ['code', Partial<BooksQuery>] => ['code', {codeBeginning}]),
    ...(amount === null
      ? []
      : [
          ['amount', {amount, types: ['order.placed', 'order.amended'], unpaid: true}] as [
            'amount',
            Partial<BooksQuery>,
          ],
        ]),
  ];
  const from = formatPlatformDay(row.at - PROPOSED_WITHIN_MS);
  const proposals = new Map<string, {order_code: string | null; because: 'code' | 'amount'}>();
  // The books lack an order that nobody has read again.
  for (const beginning of digits.slice(0, 2)) {
    const open: CodedOrder[] = await objects.service(service).ordersByCode(beginning, MAX_CANDIDATES);
    for (const {order, code} of open) proposals.set(order, {order_code: code, because: 'code'});
  }
  for (const [because, query] of searches) {
    const search = {from, to: row.day, query, at: null, pageLength: MAX_CANDIDATES};
    for (const {order, code} of (await searchMonths(objects, service, search)).rows)
      if (order !== null && !proposals.has(order)) proposals.set(order, {order_code: code, because});
  }
  const candidates = await Promise.all(
    [...proposals].map(async ([order, {order_code, because}]) => {
      const details = await objects.order(service, order).details();
      if (!details) return [];
      const {state, amount: due, remaining} = details.payment;
      const isAwaited = (parseAmount(remaining) ?? 0) > 0 && details.cancelledAt === null;
      if (!isAwaited && because === 'amount') return [];
      const rank = !isAwaited ? 2 : because === 'amount' ? 1 : 0;
      return [{rank, proposal: {order, order_code, amount: due, state, because}}];
    }),
  );
  return candidates
    .flat()
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_PROPOSALS)
    .map(({proposal}) => proposal);
}
