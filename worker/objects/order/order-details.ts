/** Describes an order for pages, for the merchant's server and for commands. The functions are pure. */

import type {OrderReference, Payment, PaymentState} from '../../contract/browser/answers.ts';
import type {PageFacts} from '../../contract/browser/page-facts.ts';
import type {Localized, Seller} from '../../contract/fields.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import type {CodeOrigin} from './order-calls.ts';
import {type Moment, paymentOf, withToldState} from './order-effects.ts';
import {costOf, isAmountUnclear, type OrderParts} from './order-parts.ts';
import {closesAt, EMPTY_ORDER, isVisible, moneyOf, opened, type OrderRecord, type OrderState} from './order-state.ts';
import type {PaymentSummary, StoredNotice} from './payment.ts';

/** What pages get of an order besides its payment. */
export function referenceOf({
  order,
  code,
  seller,
  title,
}: Pick<OrderRecord, 'order' | 'code' | 'seller' | 'title'>): OrderReference {
  return {
    order,
    order_code: code,
    ...(seller && {seller}),
    ...(title && {title}),
  };
}

const PAID: ReadonlySet<PaymentState> = new Set(['paid', 'overpaid', 'completed'] as const);

/** The same of a payment in this state: once all money has arrived, also what the page does then. */
export function toldTo(
  {after, page, ...record}: Parameters<typeof referenceOf>[0] & Pick<OrderRecord, 'after' | 'page'>,
  {state}: Pick<Payment, 'state'>,
): OrderReference & Pick<Payment, 'purchase'> {
  const purchase = {...after, ...(page?.campaign && {campaign: page.campaign})};
  return {...referenceOf(record), ...(PAID.has(state) && Object.keys(purchase).length > 0 && {purchase})};
}

/** The payment as pages show it. While the shopper cannot pay yet, the payment follows from the terms. */
export function paymentShown(
  {record, money}: OrderState,
  terms: OrderTerms,
  moment: Moment,
): Omit<Payment, 'revision'> {
  if (record && isVisible(record, money)) {
    const payment = paymentOf(record, money, moment);
    return {...payment, ...toldTo(record, payment)};
  }
  const {record: fresh, money: none} = opened(EMPTY_ORDER, {...terms, amount: costOf(record ?? terms)}, moment.now);
  return {
    ...paymentOf(fresh, none, {now: moment.now, asOf: moment.now}),
    ...referenceOf({...terms, ...record, code: null}),
  };
}

export interface OrderDetails {
  readonly code: string | null;
  /** What created the code; null while nobody requested it. */
  readonly madeBy: CodeOrigin | null;
  /** Set if the order was adopted from another system. */
  readonly knownBefore?: true | undefined;
  readonly offer: string | null;
  readonly userId: string | null;
  /** How a marketplace's order is split. */
  readonly parts?: OrderParts | undefined;
  readonly title: Localized | null;
  readonly seller: Seller | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the page that ordered said of the order. Nobody has proven it. */
  readonly page?: PageFacts | undefined;
  /** All times here are epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When the alarm asks whether a search has found that no money came in time; null if it does not wait for one. */
  readonly expiryDueAt: number | null;
  /** When the alarm reads the status of the money. */
  readonly statusDueAt: number | null;
  readonly completedAt: number | null;
  readonly cancelledAt: number | null;
  /** When the order and all that is stored about it are deleted. */
  readonly deletedAt: number;
  readonly payment: PaymentSummary;
  /** Set while nobody knows which amount the platform has. */
  readonly amountUnclear?: true | undefined;
  /** All money of the order, also money that does not count towards the amount. Charges have no bank. */
  readonly money: readonly Arrival[];
  /** The last payment notices, oldest first. */
  readonly notices: readonly StoredNotice[];
  /** How many pages have an open socket. */
  readonly openPages: number;
  /** Until when the platform's payment page may be open; null if no payment page was opened. */
  readonly pageUntil: number | null;
}

/** Describes the order; null if it has no record. */
export function describeOrder(
  {record, money}: OrderState,
  {openPages, expiryDueAt, statusDueAt}: Pick<OrderDetails, 'openPages' | 'expiryDueAt' | 'statusDueAt'>,
): OrderDetails | null {
  if (!record) return null;
  const now = Date.now();
  const {
    code,
    madeBy,
    knownBefore,
    offer,
    userId,
    parts,
    title = null,
    seller = null,
    metadata = {},
    page,
    createdAt,
    expiresAt,
    completedAt,
    cancelledAt,
    notices = [],
    pageUntil,
  } = record;
  return {
    code,
    madeBy,
    ...(knownBefore && {knownBefore}),
    offer: offer ?? null,
    userId: userId ?? null,
    parts,
    title,
    seller,
    metadata,
    ...(page && {page}),
    createdAt,
    expiresAt,
    expiryDueAt,
    statusDueAt,
    completedAt,
    cancelledAt: cancelledAt ?? null,
    deletedAt: closesAt(record),
    payment: withToldState(paymentOf(record, money, {now, asOf: now}), record),
    ...(isAmountUnclear(record) && {amountUnclear: true}),
    money: moneyOf(money),
    notices,
    openPages,
    pageUntil: pageUntil ?? null,
  };
}
