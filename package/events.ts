/** The events of the elements, as a page receives them. They bubble to `document`. None of them proves a payment. */

import type {Bank, OrderCode, PageErrorCode, Payment, Subscription} from './generated/data.ts';

/** The event of this name. */
export type VezneEvent<Name extends keyof VezneEventData = keyof VezneEventData> = Event &
  VezneEventData[Name] & {readonly type: Name};
export type PaymentEvent = VezneEvent<'vezne-payment'>;
export type OrderCodeEvent = VezneEvent<'vezne-order-code'>;
export type ProblemEvent = VezneEvent<'vezne-error'>;

/** An order whose whole amount has arrived. */
export interface PaidPurchase {
  readonly kind: 'payment';
  /** The merchant's reference of the order, which no other purchase has. */
  readonly order: string;
  readonly order_code: string | null;
  /** Decimal text, such as `149.90`. */
  readonly amount: string;
  readonly currency: 'TRY';
  /** The offer; null if the merchant's server set the terms. */
  readonly offer: string | null;
  /** The campaign in the address of the page that ordered. */
  readonly campaign: {readonly [Name in 'source' | 'medium' | 'campaign' | 'term' | 'content']?: string | undefined};
}

/** The events by their names. */
export type VezneEvents = {[Name in keyof VezneEventData]: VezneEvent<Name>};

/** What each event carries. `trackingId` is the id that links the steps of one visit. */
export interface VezneEventData {
  /** The shopper chose the bank to pay from. */
  'vezne-bank-select': {readonly bank: Bank};
  /** The order has a code, so the shopper can pay. The same for an order of an offer and for one of a session. */
  'vezne-order-code': {readonly orderCode: OrderCode};
  /** The shopper copied `text`. */
  'vezne-copy': {readonly field: 'code' | 'iban' | 'holder' | 'amount' | 'all'; readonly text: string};
  /** The payment was read for the first time, or has changed. Deliver only after an event has reached your server. */
  'vezne-payment': {readonly payment: Payment};
  /** The whole amount of an order has arrived; once for each order in this browser. It proves nothing to your server. */
  'vezne-purchase': {readonly purchase: PaidPurchase};
  /** The platform has created the shopper's payment notice, and given it this code. */
  'vezne-notice': {readonly noticeCode: string};
  /** The shopper is about to leave for a page of the platform. A page that prevents this has to open `url` itself. */
  'vezne-redirect': {readonly url: string};
  /** A PIN was requested. An SMS arrives only if the number can subscribe. */
  'vezne-pin-sent': unknown;
  'vezne-subscribe': {readonly trackingId: string};
  'vezne-cancel': {readonly subscription: Subscription};
  /** The vendor came back from the form. */
  'vezne-vendor': {readonly outcome: 'success' | 'failure'};
  /** The platform accepted the refund of a refund link. */
  'vezne-refund': unknown;
  /** A visit or click was counted. */
  'vezne-activity': {readonly activity: 'visit' | 'subscribe_clicked' | 'confirm_clicked'; readonly trackingId: string};
  /** Something failed; the element shows what. `retryable`: the element repeats the request by itself. */
  'vezne-error': {
    readonly code: PageErrorCode | 'offline' | 'network' | 'timeout' | 'unreadable';
    readonly retryable: boolean;
  };
}
