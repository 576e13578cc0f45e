/** What can happen to a payment. The order's own events are in `purchase/facts.ts`, which a checkout loads first. */

import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import {valueOf, type QueryResult} from '../../core/query.ts';
import {
  canStartOver,
  choose,
  isBrought,
  nextOrder,
  save,
  savedOrder,
  type OrderEvent,
  type PurchaseFacts,
} from '../purchase/facts.ts';
import {isOrderCode} from '../purchase/order-client.ts';
import {tokenSuffix, type SavedInstructions, type SavedOrder} from '../purchase/saved-order.ts';
import {isSettled} from './payment-client.ts';

export type PaymentEvent =
  /** The Worker no longer accepts the session with this token. */
  | {readonly is: 'session-refused'; readonly token: string}
  /** The Worker does not place the order: the attempt is too old, or has the amount in the script, which is outdated. */
  | {readonly is: 'attempt-refused'; readonly isOver: boolean; readonly outdatedAmount: string | undefined}
  | {readonly is: 'payment-answered'; readonly payment: QueryResult<Payment>}
  /** An element shows the code, and the account if it is known. */
  | {readonly is: 'code-shown'; readonly orderCode: OrderCode; readonly account: Bank | undefined}
  /** An element shows the account at this bank, or waits for the choice of a bank if the code is empty. */
  | {readonly is: 'bank-shown'; readonly bank: string}
  /** The shopper wants another bank. @param isClosed - Whether there is no reason to send money now. */
  | {readonly is: 'bank-change-asked'; readonly isClosed: boolean}
  /** The shopper says that the money is sent, or has begun the report of a transfer without its code. */
  | {readonly is: 'money-sent'; readonly at: number}
  /** The shopper has not sent the money after all. */
  | {readonly is: 'money-unsent'}
  | {readonly is: 'report-opened'}
  | {readonly is: 'report-closed'}
  /** The shopper has returned from the platform's page, after submitting a notice. @param at - Epoch milliseconds. */
  | {readonly is: 'report-submitted'; readonly at: number};

/** Everything that can change what a page knows of a purchase. */
export type PurchaseEvent = OrderEvent | PaymentEvent;

export const NOTHING = '0.00';

/** What the page knows after an event. */
export function next(facts: PurchaseFacts, event: PurchaseEvent): PurchaseFacts {
  const {order} = facts;
  switch (event.is) {
    case 'session-refused':
      // Another request may have replaced the session already.
      return event.token === facts.session?.token ? withoutSession(facts, event.token) : facts;
    case 'attempt-refused': {
      const {isOver: isTooOld, outdatedAmount = facts.outdatedAmount} = event;
      const dropped = save({...facts, outdatedAmount}, {attempt: undefined});
      // The shopper must see a new amount before the code, and must choose again if the attempt is too old.
      return isTooOld || event.outdatedAmount ? choose(dropped, {step: 'bank'}) : dropped;
    }
    case 'payment-answered':
      return withPayment(facts, event.payment);
    case 'code-shown': {
      const saved = savedInstructions(facts);
      const {orderCode, account = saved?.account} = event;
      if (saved?.orderCode.order_code === orderCode.order_code && saved.account?.iban === account?.iban) return facts;
      const payment = valueOf(order.payment);
      return saveInstructions(facts, {...saved, ...(payment && seenOf(payment)), orderCode, account});
    }
    case 'bank-shown':
      return event.bank === order.shownBank ? facts : withOrder(facts, {shownBank: event.bank});
    case 'bank-change-asked':
      return choose(withOrder(facts, {isChangingBank: event.isClosed}), {step: 'bank'});
    case 'money-sent':
      return withMoneySent(facts, event.at);
    case 'money-unsent':
      return withSent(facts, {sentAfter: undefined, sentAt: undefined});
    case 'report-opened':
    case 'report-closed':
      return withOrder(facts, {isReporting: event.is === 'report-opened'});
    case 'report-submitted': {
      // The shopper has sent the money before the report, and a part may have arrived since.
      const isSaid = order.sentAfter !== undefined || savedInstructions(facts)?.sentAfter !== undefined;
      const sent = isSaid ? facts : withMoneySent(facts, event.at);
      return saveOfOrder(sent, (session) => ({report: {session, at: event.at}}));
    }
    default:
      return nextOrder(facts, event);
  }
}

/** Whether the state of the payment is final. `expired` is not final: money may still arrive. */
export function isFinal(payment: Payment): boolean {
  return isSettled(payment) && payment.state !== 'expired';
}

/** Whether a part of the money has arrived, and the shopper must ask before sending the rest. */
export function isPartOver({state, overdue, refunding}: Payment): boolean {
  return state === 'partial' && (!!overdue || Number(refunding) > 0);
}

/** Whether there is nothing more to pay: the payment is settled, or the seller has to look at it. */
export function isOver(payment: Payment): boolean {
  return payment.unclear || isPartOver(payment) || isSettled(payment);
}

/** What is saved of a payment: whether its answer or the order code comes first, both save the same. */
function seenOf(payment: Payment): Pick<SavedInstructions, 'paid' | 'remaining' | 'isSettled' | 'isOver'> {
  const {paid, remaining} = payment;
  return {paid, remaining, isSettled: isFinal(payment), isOver: isOver(payment)};
}

/** Also saves what has arrived, and whether the payment is final. If it is, the shopper needs no instructions. */
function withPayment(facts: PurchaseFacts, payment: QueryResult<Payment>): PurchaseFacts {
  const value = valueOf(payment);
  if (!value) return withOrder(facts, {payment});
  const seen = seenOf(value);
  const saved = savedInstructions(facts);
  const {hasWaited = false} = facts.order;
  // `sentAfter` is kept here, because another tab may replace what is saved.
  const {sentAfter, sentAt} = saved?.sentAfter === undefined ? facts.order : saved;
  const known = withOrder(facts, {payment, hasWaited: hasWaited || !seen.isSettled, sentAfter, sentAt});
  const isSaved =
    !saved ||
    (seen.isSettled === !!saved.isSettled && seen.isOver === !!saved.isOver && seen.paid === (saved.paid ?? NOTHING));
  return isSaved ? known : saveInstructions(known, {...saved, ...seen});
}

function withMoneySent(facts: PurchaseFacts, sentAt: number): PurchaseFacts {
  const sentAfter = valueOf(facts.order.payment)?.paid ?? savedInstructions(facts)?.paid ?? NOTHING;
  return withSent(facts, {sentAfter, sentAt});
}

function withSent(facts: PurchaseFacts, sent: Pick<SavedInstructions, 'sentAfter' | 'sentAt'>): PurchaseFacts {
  const saved = savedInstructions(facts);
  const known = withOrder(facts, sent);
  return saved ? saveInstructions(known, {...saved, ...sent}) : known;
}

/**
 * Silently leaves an offer's session that the Worker has rejected, once per purchase. The session is not left while the
 * shopper has an unpaid order code, because the shopper may be typing this code into a bank's app.
 */
function withoutSession(facts: PurchaseFacts, token: string): PurchaseFacts {
  const {orderCode, order} = facts;
  const saved = savedInstructions(facts);
  const isShown = orderCode.status === 'done' || (valueOf(order.payment)?.state ?? 'waiting') !== 'waiting';
  const isSessionEnded = isBrought(facts) || !canStartOver(facts) || isShown || (!!saved && !saved.isSettled);
  // If the Worker also rejects the new session, the page opens no third one.
  if (isSessionEnded || facts.isSessionReplaced) return withOrder(facts, {isSessionEnded});
  const left = {...facts, isSessionReplaced: true};
  // The saved order was paid. The next order code is for a new purchase, which starts with choosing a bank.
  if (saved) return nextOrder(left, {is: 'started-over'});
  const {shownBank} = order;
  const renewed = {...left, session: undefined, order: shownBank === undefined ? {} : {shownBank}};
  return savedOrder(facts).session?.token === token ? save(renewed, {session: undefined}) : renewed;
}

function withOrder(facts: PurchaseFacts, change: PurchaseFacts['order']): PurchaseFacts {
  return {...facts, order: {...facts.order, ...change}};
}

/** The saved instructions of this order; undefined if the saved instructions belong to another order. */
export function savedInstructions(facts: PurchaseFacts): SavedInstructions | undefined {
  const instructions = ofOrder(facts, savedOrder(facts).instructions);
  return isOrderCode(instructions?.orderCode) ? instructions : undefined;
}

/** What the browser has saved, if it belongs to the order that is shown. */
export function ofOrder<T extends {readonly session: string}>(
  {session}: PurchaseFacts,
  saved: T | undefined,
): T | undefined {
  return session && saved?.session === tokenSuffix(session.token) ? saved : undefined;
}

function saveInstructions(facts: PurchaseFacts, instructions: Omit<SavedInstructions, 'session'>): PurchaseFacts {
  return saveOfOrder(facts, (session) => ({instructions: {...instructions, session}}));
}

/** If another tab has started another order, the storage belongs to that order and must not change. */
function saveOfOrder(facts: PurchaseFacts, change: (session: string) => Partial<SavedOrder>): PurchaseFacts {
  const token = facts.session?.token;
  if (token === undefined || (savedOrder(facts).session?.token ?? token) !== token) return facts;
  return save(facts, change(tokenSuffix(token)));
}
