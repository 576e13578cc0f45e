/** Reads orders: from the order's own object or, when the object has deleted the order, from the service's history. */

import type * as z from 'zod/mini';
import type {ListedOrder, OrderAnswer} from '../../contract/merchant/order-details.ts';
import {ApiError} from '../../http/errors.ts';
import {inTime} from '../../lib/async.ts';
import {formatAmount, formatAmountOrNull, normalizeAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatInstant, formatInstantOrNull, formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {findBuyerReceipt, findPastOrder} from '../../objects/archive/find-in-archive.ts';
import type {PastOrder, ReachedState} from '../../objects/archive/order-history-store.ts';
import type {KnownBuyer} from '../../objects/order/buyer.ts';
import type {OrderDetails} from '../../objects/order/order-details.ts';
import type {OrderParts} from '../../objects/order/order-parts.ts';
import {closesAt} from '../../objects/order/order-state.ts';
import {describeRefundable, type Refundable, refundableOf} from '../../objects/order/refundable.ts';
import {readRefundable} from '../../objects/refunds/find-refundable.ts';
import type {RefundRow} from '../../objects/refunds/refund-store.ts';
import type {FoundOrders} from '../../objects/sweep/buyer-index.ts';
import {readCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';
import {toStoredRefund} from './refunds.ts';

/** How many orders are on a page. */
const PAGE_LENGTH = 100;
/** How many orders of a buyer a search lists. */
const MAX_FOUND = 100;

/** How long an answer waits for the objects of the history. */
const HISTORY_TIMEOUT_MS = 2_000;

export const orderHandlers = {
  async getOrder({service, order: reference, code}, {objects}) {
    // Pages show the code in groups of digits.
    const wanted = code?.replaceAll(' ', '');
    // The archive lacks an order that nobody has read again, and has those that closed.
    const open = wanted === undefined ? null : await objects.service(service).orderOfCode(wanted);
    const named =
      wanted === undefined || open !== null
        ? null
        : await awaitHistory(findPastOrder(objects, service, (month) => month.findOrderByCode(wanted)));
    const order = reference ?? open ?? named?.order;
    if (order === undefined) throw new ApiError('unknown_order');
    const [details, buyer, refunds] = await Promise.all([
      objects.order(service, order).details(),
      objects.order(service, order).buyer() as Promise<KnownBuyer | null>,
      objects.refunds().ofOrder(service, order),
    ]);
    const past = named ?? (await awaitHistory(findHistory(objects, service, order, details)));
    if (details === null && past === null && buyer === null && refunds.length === 0)
      throw new ApiError('unknown_order');
    const found = details ?? (past && toDetails(past));
    return {
      service,
      order,
      order_code: found?.code ?? null,
      offer: found?.offer ?? null,
      user_id: details?.userId ?? null,
      title: found?.title ?? null,
      metadata: found?.metadata ?? {},
      ...(found?.page && {page: found.page}),
      buyer: buyer && toBuyer(buyer),
      parts: toParts(found?.parts, refunds),
      created_at: formatInstantOrNull(found?.createdAt ?? null),
      deleted_at: formatInstantOrNull(found?.deletedAt ?? null),
      payment: found && toPayment(found, await readRefundable(objects, {service, order}, found.payment, found.money)),
      check: details && (await readCheck(objects, service, details)),
      history: past?.states.map(toReachedState) ?? [],
      payment_notices: details ? toNotices(details) : [],
      refunds: refunds.map(toStoredRefund),
    };
  },

  async listOrders(input, context) {
    const {service, day, state} = input;
    const cursor = await readCursor<string>(input, 'orders by reference', context);
    const month = context.objects.archivedOrders(service, day.slice(0, 7));
    // The query asks for one order more than fits on the page. If it gets this order, there is another page.
    const query = {day, state: state ?? null, after: cursor.start ?? '', limit: PAGE_LENGTH + 1};
    const found: PastOrder[] = await month.listOrders(query);
    const page = found.slice(0, PAGE_LENGTH);
    const last = found.length > PAGE_LENGTH ? page.at(-1)?.order : undefined;
    return {items: page.map(toListedOrder), next_cursor: await cursor.next(last), total: null};
  },

  async searchOrders({service, email, phone}, {objects}) {
    const {orders}: FoundOrders = await objects.service(service).ordersOfBuyer({email, phone}, MAX_FOUND);
    const found = await Promise.all(
      orders.map(async (order) => {
        const buyer = (await objects.order(service, order).buyer()) as KnownBuyer | null;
        return buyer ? [{order, buyer}] : [];
      }),
    );
    const items = found
      .flat()
      .toSorted((a, b) => b.buyer.at - a.buyer.at)
      .map(({order, buyer}) => ({order, buyer: toBuyer(buyer)}));
    return {items, next_cursor: null, total: items.length};
  },

  async getOrderConsent({service, order}, {objects}) {
    const receipt = await findBuyerReceipt(objects, service, order);
    if (!receipt) throw new ApiError('not_found');
    const {texts, ticked, marketing} = receipt;
    return {
      id: receipt.id,
      service,
      order,
      offer: receipt.offer,
      origin: receipt.origin,
      language: receipt.language,
      seller: texts.seller,
      privacy_url: texts.privacy_url,
      terms_url: texts.terms_url ?? null,
      ticks: texts.ticks.map(({id, label, links = [], required = false}) => ({
        id,
        label,
        links,
        required,
        ticked: ticked[id] === true,
      })),
      marketing: texts.marketing && marketing !== null ? {label: texts.marketing, ticked: marketing} : null,
      texts_digest: receipt.textsDigest,
      sent_at: formatInstant(receipt.at),
      network: receipt.network,
    };
  },
} satisfies Partial<Handlers>;

/** The buyer as the merchant gets it. */
const toBuyer = ({person, at}: KnownBuyer) => ({...person, at: formatInstant(at)});

/** @throws {ApiError} `temporarily_unavailable` if the history does not answer in time. */
function awaitHistory(search: Promise<PastOrder | null>): Promise<PastOrder | null> {
  return inTime(search, HISTORY_TIMEOUT_MS, () => new ApiError('temporarily_unavailable'));
}

/** The history of an order. If the order is stored, the order says in which month the history is. */
async function findHistory(
  objects: Objects,
  service: string,
  order: string,
  details: OrderDetails | null,
): Promise<PastOrder | null> {
  if (!details) return findPastOrder(objects, service, (month) => month.findOrder(order));
  return objects.archivedOrders(service, formatMonth(details.createdAt)).findOrder(order);
}

/**
 * When the Worker last read the platform's new payments and when it reads them next. Only objects that track the order
 * are asked, because asking an object of a service without orders would create its store.
 */
export async function readCheck(
  objects: Objects,
  service: string,
  details: OrderDetails,
): Promise<OrderAnswer['check']> {
  const isOnPage = (details.pageUntil ?? 0) > Date.now();
  const isTracked = details.code !== null || isOnPage;
  const lists = isTracked ? await objects.service(service).pollTimes() : null;
  const times = lists
    ? [...(details.code === null ? [] : [lists.transfers]), ...(isOnPage ? [lists.charges] : [])]
    : [];
  const checked = times.flatMap(({asOf}) => asOf ?? []);
  return {
    checked_at: checked.length > 0 ? formatInstant(Math.max(...checked)) : null,
    next_check_at: times.length > 0 ? formatInstant(Math.min(...times.map(({nextAt}) => nextAt))) : null,
    open_pages: details.openPages,
  };
}

/** An order with its payment, from the order's own object or from the history. */
type KnownOrder = Pick<
  OrderDetails,
  | 'parts'
  | 'code'
  | 'offer'
  | 'title'
  | 'metadata'
  | 'page'
  | 'createdAt'
  | 'expiresAt'
  | 'completedAt'
  | 'cancelledAt'
  | 'deletedAt'
  | 'knownBefore'
  | 'amountUnclear'
  | 'money'
> & {
  readonly payment: Pick<
    OrderDetails['payment'],
    'state' | 'amount' | 'paid' | 'refunded' | 'remaining' | 'late' | 'unclear'
  > & {readonly refunding?: string | undefined};
};

function toDetails(past: PastOrder): KnownOrder {
  return {
    ...past,
    deletedAt: closesAt(past),
    payment: past,
    money: past.money.map((item) => ({...item, state: 'unknown'})),
  };
}

function toReachedState({state, at}: ReachedState) {
  return {state, at: formatInstant(at)};
}

function toAmounts(payment: KnownOrder['payment'], refundable: Refundable) {
  const {state, amount, paid, refunded, remaining, late} = payment;
  const fields = {state, amount, paid, refunded, remaining, currency: 'TRY', late} as const;
  return {...fields, refundable: describeRefundable(refundable)};
}

function toListedOrder(past: PastOrder): z.output<typeof ListedOrder> {
  const {order, code, offer, title, metadata, page} = past;
  return {
    order,
    order_code: code,
    offer,
    title,
    metadata,
    ...(page && {page}),
    created_at: formatInstant(past.createdAt),
    changed_at: formatInstant(past.changedAt),
    pay_until: formatInstant(past.expiresAt),
    ...toAmounts(past, refundableOf(past, past.money)),
  };
}

function toPayment(
  {payment, amountUnclear, expiresAt, completedAt, cancelledAt, knownBefore, money}: KnownOrder,
  refundable: Refundable,
): OrderAnswer['payment'] {
  return {
    ...toAmounts(payment, refundable),
    unclear: payment.unclear,
    amount_unclear: amountUnclear ?? false,
    pay_until: formatInstant(expiresAt),
    completed_at: formatInstantOrNull(completedAt),
    cancelled_at: formatInstantOrNull(cancelledAt),
    transactions: money.map((item) => ({
      id: item.id,
      kind: item.bank === null ? 'charge' : 'transfer',
      amount: formatAmountOrNull(item.amount),
      currency: item.currency,
      bank_name: item.bank,
      at: formatInstant(item.at),
      time_unknown: item.timeUnknown ?? false,
      state: item.state,
      known_before: knownBefore,
    })),
  };
}

function toParts(parts: OrderParts = [], refunds: readonly RefundRow[]): OrderAnswer['parts'] {
  return parts.map(({subMerchantId = null, code, amount, payout = null, fee = null}) => ({
    sub_merchant_id: subMerchantId,
    order_code: code ?? null,
    state: code === undefined ? 'waiting' : code === null ? 'unknown' : 'created',
    amount: formatAmount(amount),
    payout,
    fee: fee === null ? null : normalizeAmount(fee),
    refunded: formatAmount(
      sumOf(
        refunds.filter((refund) => refund.sub_merchant_id === subMerchantId && refund.state === 'successful'),
        (refund) => refund.amount ?? 0,
      ),
    ),
  }));
}

function toNotices({notices}: OrderDetails): OrderAnswer['payment_notices'] {
  return notices.map(({code, bank, amount, state, at}) => ({
    notice_code: code,
    bank_code: bank,
    amount: formatAmount(amount),
    state,
    created_at: formatInstant(at),
  }));
}
