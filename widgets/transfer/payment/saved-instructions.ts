/** What a shopper was given to pay with is kept under the order's session, and never replaced by another code without them. */

import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import type {PaymentSession} from '../purchase/purchase.ts';
import {endOf, type Slip} from '../purchase/saved-order.ts';
import {isBank, isOrderCode, isSettled} from '../purchase/validate-order.ts';

/** What is remembered of this order; nothing where another has taken its place. */
export function slipOf({session, store}: PaymentSession): Slip | undefined {
  const token = session.value?.token;
  const {slip} = store.read();
  if (token === undefined || slip?.of !== endOf(token) || !isOrderCode(slip.orderCode)) return undefined;
  return isBank(slip.account) ? slip : {...slip, account: undefined};
}

/** Remembers what is shown. */
export function keepSlip(purchase: PaymentSession, orderCode: OrderCode, account: Bank | undefined): void {
  const slip = slipOf(purchase);
  const isKnown =
    slip?.orderCode.order_code === orderCode.order_code && (!account || slip.account?.iban === account.iban);
  if (!isKnown) write(purchase, {...slip, orderCode, account: account ?? slip?.account});
}

/** Remembers whether it was paid. */
export function noteSettled(purchase: PaymentSession, payment: Payment): void {
  const slip = slipOf(purchase);
  const settled = isPaid(payment);
  if (slip && settled !== !!slip.settled) write(purchase, {...slip, settled});
}

function write({session, store}: PaymentSession, slip: Omit<Slip, 'of'>): void {
  const token = session.value?.token;
  const stored = store.read().session?.token ?? token;
  // Another tab may have begun another order: what is remembered is its.
  if (token !== undefined && stored === token) store.write({slip: {...slip, of: endOf(token)}});
}

/** The order's code; the one that was shown before, where the Worker cannot be asked or answers no more. */
export function codeOf(purchase: PaymentSession): OrderCode | undefined {
  const {state, value} = purchase.orderCode;
  if (state.status !== 'failed') return value;
  const {endsSession, retryable} = state.problem;
  return endsSession || retryable ? slipOf(purchase)?.orderCode : undefined;
}

/** Purchases whose session was replaced: where the new one is refused too, another would be no better. */
const replaced = new WeakSet<PaymentSession>();

/**
 * A public session that the Worker no longer takes is replaced once, without a word, but never under a code that the shopper was
 * given: they may be typing it into their bank's app. Tells whether it was.
 */
export function replaceRefused(purchase: PaymentSession, token: string): boolean {
  // Another question was refused before, and has seen to it.
  if (purchase.session.value?.token !== token) return true;
  const slip = slipOf(purchase);
  const isShown = purchase.orderCode.value !== undefined || (purchase.payment?.value?.state ?? 'waiting') !== 'waiting';
  const isMissed = isShown || (slip && !slip.settled);
  purchase.isLost = purchase.isBrought || !purchase.canStartOver || !!isMissed;
  if (purchase.isLost || replaced.has(purchase)) return false;
  replaced.add(purchase);
  // What was paid is over: another code is for another purchase, which begins with the bank.
  if (slip) purchase.startOver();
  else renew(purchase, token);
  return true;
}

function renew({session, store, payment}: PaymentSession, token: string): void {
  if (store.read().session?.token === token) store.write({session: undefined});
  session.reload();
  payment?.reset();
}

/** Whether nothing more is awaited, because it came. */
function isPaid(payment: Payment): boolean {
  return isSettled(payment) && payment.state !== 'expired';
}
