import type {Bank, OrderCode, Payment} from '../../../worker/contract/browser/answers.ts';
import {isBank, isOrderCode} from '../purchase/order-client.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {tokenSuffix, type SavedInstructions} from '../purchase/saved-order.ts';
import {PaymentClient} from './payment-client.ts';
import {PaymentStore, isFinal} from './payment-store.ts';

/** The payment of a purchase, made when it is first needed. Its code comes with the elements of the payment step. */
export function paymentStoreOf(purchase: Purchase): PaymentStore {
  return (purchase.payment ??= createPaymentStore(purchase));
}

/** Whether this page can only show the order, because it was handed over or its session has ended. */
export function isReadOnly({isFromHandoff, isSessionEnded}: Purchase): boolean {
  return isFromHandoff || isSessionEnded;
}

function createPaymentStore(purchase: Purchase): PaymentStore {
  const {api, session} = purchase;
  const client = new PaymentClient(api);
  return new PaymentStore({
    read: (signal) => purchase.withToken(signal, (token) => client.readPayment(token, signal)),
    openSocket: async (signal) => client.openSocket((await session.wait(signal)).token),
    retry: () => {
      if (session.result.status === 'failed') session.reload();
    },
    onPayment: (payment) => recordSettled(purchase, payment),
  });
}

/** What a shopper was given to pay with is kept under the order's session, and never replaced by another code without them. */

/** What is remembered of this order; nothing where another has taken its place. */
export function savedInstructions({session, storage}: Purchase): SavedInstructions | undefined {
  const token = session.value?.token;
  const {slip: instructions} = storage.read();
  if (token === undefined || instructions?.of !== tokenSuffix(token) || !isOrderCode(instructions.orderCode))
    return undefined;
  return isBank(instructions.account) ? instructions : {...instructions, account: undefined};
}

/** Remembers what is shown. */
export function saveInstructions(purchase: Purchase, orderCode: OrderCode, account: Bank | undefined): void {
  const instructions = savedInstructions(purchase);
  const isKnown =
    instructions?.orderCode.order_code === orderCode.order_code &&
    (!account || instructions.account?.iban === account.iban);
  if (!isKnown) writeInstructions(purchase, {...instructions, orderCode, account: account ?? instructions?.account});
}

/** Remembers whether it was paid. */
export function recordSettled(purchase: Purchase, payment: Payment): void {
  const instructions = savedInstructions(purchase);
  const settled = isFinal(payment);
  if (instructions && settled !== !!instructions.settled) writeInstructions(purchase, {...instructions, settled});
}

function writeInstructions({session, storage}: Purchase, instructions: Omit<SavedInstructions, 'of'>): void {
  const token = session.value?.token;
  const stored = storage.read().session?.token ?? token;
  // Another tab may have begun another order: what is remembered is its.
  if (token !== undefined && stored === token) storage.write({slip: {...instructions, of: tokenSuffix(token)}});
}

/** The order's code; the one that was shown before, where the Worker cannot be asked or answers no more. */
export function orderCodeOf(purchase: Purchase): OrderCode | undefined {
  const {result, value} = purchase.orderCode;
  if (result.status !== 'failed') return value;
  const {endsSession, retryable} = result.problem;
  return endsSession || retryable ? savedInstructions(purchase)?.orderCode : undefined;
}

/** Purchases whose session was replaced: where the new one is refused too, another would be no better. */
const withReplacedSession = new WeakSet<Purchase>();

/**
 * A public session that the Worker no longer takes is replaced once, without a word, but never under a code that the shopper was
 * given: they may be typing it into their bank's app. Tells whether it was.
 */
export function replaceRefusedSession(purchase: Purchase, token: string): boolean {
  // Another question was refused before, and has seen to it.
  if (purchase.session.value?.token !== token) return true;
  const instructions = savedInstructions(purchase);
  const isShown = purchase.orderCode.value !== undefined || (purchase.payment?.value?.state ?? 'waiting') !== 'waiting';
  const isMissed = isShown || (instructions && !instructions.settled);
  purchase.isSessionEnded = purchase.isFromHandoff || !purchase.canStartOver || !!isMissed;
  if (purchase.isSessionEnded || withReplacedSession.has(purchase)) return false;
  withReplacedSession.add(purchase);
  // What was paid is over: another code is for another purchase, which begins with the bank.
  if (instructions) purchase.startOver();
  else renewSession(purchase, token);
  return true;
}

function renewSession({session, storage, payment}: Purchase, token: string): void {
  if (storage.read().session?.token === token) storage.write({session: undefined});
  session.reload();
  payment?.reset();
}
