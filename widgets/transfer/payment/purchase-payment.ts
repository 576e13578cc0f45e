/** The payment of a purchase: its store, and the shopper's saved instructions. This file is in the payment bundle. */

import type {Bank, OrderCode, OrderReference, Payment} from '../../../worker/contract/browser/answers.ts';
import {findBank} from '../purchase/bank-directory.ts';
import {isSettled} from '../purchase/order-client.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {tokenSuffix, type SavedInstructions} from '../purchase/saved-order.ts';
import {PaymentClient} from './payment-client.ts';
import {PaymentStore, isFinal} from './payment-store.ts';
import {validInstructions} from './valid-instructions.ts';

const NOTHING = '0.00';

/** The store of the purchase's payment. The first call creates the store. */
export function paymentStoreOf(purchase: Purchase): PaymentStore {
  return (purchase.payment ??= createPaymentStore(purchase));
}

/** Whether this page can only show the order, because it came from a hand-off link or its session has ended. */
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
    onPayment: (payment) => recordPayment(purchase, payment),
  });
}

/** Whether the shopper finds the order again after closing the page. The merchant's server knows its own orders. */
export function isKept({key, storage}: Purchase): boolean {
  return key.session !== '' || storage.isKept;
}

/** Records that the shopper has sent the money, or reports a transfer that has no code. */
export function markSent(purchase: Purchase): void {
  const instructions = savedInstructions(purchase);
  const store = paymentStoreOf(purchase);
  const sentAfter = store.value?.paid ?? NOTHING;
  if (instructions) writeInstructions(purchase, {...instructions, sentAfter});
  store.markSent(sentAfter);
}

/**
 * Whether the shopper says that the money is sent, and no money has arrived since. A payment notice that the shopper
 * has started says the same, on every device. If the page can no longer read the payment, it does not know what has
 * arrived since.
 */
export function isSent(purchase: Purchase): boolean {
  const {payment} = purchase;
  const sentAfter = payment?.sentAfter ?? savedInstructions(purchase)?.sentAfter;
  if (isLost(purchase)) return sentAfter !== undefined;
  const {state = 'waiting', paid = NOTHING, notice} = payment?.value ?? {};
  const isNothingThere = state === 'waiting' || state === 'expired';
  if (isNothingThere && notice) return true;
  const isExpected = isNothingThere || state === 'partial';
  return isExpected && sentAfter === paid;
}

/** Records that the shopper has returned from the platform's page after submitting a payment notice. */
export function recordReport(purchase: Purchase): void {
  const {session, storage} = purchase;
  markSent(purchase);
  if (session.value && isStorageOf(purchase, session.value.token))
    storage.write({report: {of: tokenSuffix(session.value.token), at: Date.now()}});
}

/** The time since `recordReport`, as measured by this device. It is infinite if the shopper has not returned. */
export function msSinceReport({session, storage}: Purchase): number {
  const {of, at} = storage.read().report ?? {};
  const isOfOrder = session.value !== undefined && of === tokenSuffix(session.value.token);
  return isOfOrder && typeof at === 'number' ? Math.abs(Date.now() - at) : Infinity;
}

/** After this time the Worker no longer asks the platform, and the shopper may report the transfer again. */
export const CONFIRM_MS = 3_600_000;

/** Whether the shopper has submitted the notice of this order on this device. */
export function isNoticeSubmitted(purchase: Purchase): boolean {
  return !!purchase.payment?.value?.notice && msSinceReport(purchase) < CONFIRM_MS;
}

/** Whether the form for a payment notice is open. It disappears when the notice is submitted. */
function isReporting(purchase: Purchase): boolean {
  const {payment} = purchase;
  return !!payment?.isReporting && !payment.value?.notice?.sent && !isNoticeSubmitted(purchase);
}

/** Whether the page shows the instructions only if the shopper asks for them, because the shopper need not pay now. */
export function areInstructionsClosed(purchase: Purchase): boolean {
  const payment = purchase.payment?.value;
  if (isFinal(payment)) return false;
  const isOver = payment?.state === 'expired' || payment?.unclear || isLost(purchase);
  return isOver || isReporting(purchase) || isSent(purchase);
}

/**
 * Whether the page can no longer read the payment of an order whose code the shopper has seen. The code is saved, or
 * this page still has it, if another tab has started another order.
 */
export function isLost(purchase: Purchase): boolean {
  const payment = purchase.payment?.value;
  const isKnown = payment?.unclear || isSettled(payment);
  return purchase.isSessionEnded && !isKnown && (!!savedInstructions(purchase) || !!purchase.orderCode.value);
}

/**
 * The amounts of an order of which only a part has arrived: the current amounts, or the last ones that the page read
 * before the order was lost.
 */
export function partialAmounts(purchase: Purchase): Pick<Payment, 'paid' | 'remaining'> | undefined {
  const payment = purchase.payment?.value;
  if (payment?.state === 'partial') return payment;
  const {paid = NOTHING, remaining} = (isLost(purchase) && savedInstructions(purchase)) || {};
  return paid !== NOTHING && remaining !== undefined ? {paid, remaining} : undefined;
}

/** The saved instructions of this order; undefined if the saved instructions belong to another order. */
export function savedInstructions({session, storage}: Purchase): SavedInstructions | undefined {
  const token = session.value?.token;
  const {slip: instructions} = storage.read();
  return token !== undefined && instructions?.of === tokenSuffix(token) ? validInstructions(instructions) : undefined;
}

/** The reference of an order. A field is missing if the page does not know it. */
export type KnownReference = {readonly [K in keyof OrderReference]?: OrderReference[K] | undefined};

/**
 * The reference of the purchase's order. Without a payment, and from an older Worker, it is what this device has saved.
 * The function requests no code, because an order that was paid in another way must not get one.
 */
export function knownReference(purchase: Purchase, payment?: Payment): KnownReference {
  // If another tab has started another order, only this page still has the code of a lost order.
  const shown = isLost(purchase) ? purchase.orderCode.value : undefined;
  const {order = purchase.session.value?.order, ...saved} = savedInstructions(purchase)?.orderCode ?? shown ?? {};
  return {order, ...saved, ...payment};
}

/** Saves the order code and the account that are shown to the shopper. */
export function saveInstructions(purchase: Purchase, orderCode: OrderCode, account: Bank | undefined): void {
  const instructions = savedInstructions(purchase);
  const isKnown =
    instructions?.orderCode.order_code === orderCode.order_code &&
    (!account || instructions.account?.iban === account.iban);
  if (isKnown) return;
  const {paid, remaining} = purchase.payment?.value ?? instructions ?? {};
  writeInstructions(purchase, {
    ...instructions,
    orderCode,
    account: account ?? instructions?.account,
    paid,
    remaining,
  });
}

/**
 * Saves what has arrived, and whether the payment is final. If it is, the shopper no longer needs the instructions.
 */
function recordPayment(purchase: Purchase, payment: Payment): void {
  const instructions = savedInstructions(purchase);
  const {paid, remaining} = payment;
  const settled = isFinal(payment);
  if (instructions && (settled !== !!instructions.settled || paid !== (instructions.paid ?? NOTHING)))
    writeInstructions(purchase, {...instructions, settled, paid, remaining});
}

function writeInstructions(purchase: Purchase, instructions: Omit<SavedInstructions, 'of'>): void {
  const token = purchase.session.value?.token;
  if (token !== undefined && isStorageOf(purchase, token))
    purchase.storage.write({slip: {...instructions, of: tokenSuffix(token)}});
}

/** If another tab has started another order, the storage belongs to that order and must not change. */
function isStorageOf({storage}: Purchase, token: string): boolean {
  return (storage.read().session?.token ?? token) === token;
}

/**
 * The order code from the Worker. If the Worker cannot be reached or no longer accepts the session, the saved order
 * code.
 */
export function orderCodeOf(purchase: Purchase): OrderCode | undefined {
  const {result, value} = purchase.orderCode;
  if (result.status !== 'failed') return value;
  const {endsSession, retryable} = result.problem;
  return endsSession || retryable ? savedInstructions(purchase)?.orderCode : undefined;
}

/** Whether the shopper cannot have sent money yet: there is no code, or the page waits for the choice of a bank. */
export function isTooEarly(
  {order_code: code, state, unclear}: Payment,
  purchase: Purchase,
  banks: readonly Bank[] | undefined,
): boolean {
  if (state !== 'waiting' || unclear || isSent(purchase)) return false;
  if (code === null && !orderCodeOf(purchase)) return true;
  return purchase.shownBank === '' && !purchase.checkout.bank && !accountOf(purchase, '', banks);
}

/** For each purchase, the order code for which a checkout has dispatched `vezne-order-code`. */
const announcedCodes = new WeakMap<Purchase, string>();

/**
 * Whether no checkout has dispatched `vezne-order-code` for this code. A checkout renders the code anew when the
 * instructions close or open, and when the shopper has changed the bank. Only the first call for a code returns true.
 */
export function isNewCode(purchase: Purchase, {order_code: code}: OrderCode): boolean {
  if (announcedCodes.get(purchase) === code) return false;
  announcedCodes.set(purchase, code);
  return true;
}

/** Finds the account in a list of banks, unless the Worker did not find this bank in its current list. */
export function findAccount(
  {codeBank, orderCode}: Purchase,
  banks: readonly Bank[],
  wanted: string | undefined,
): Bank | undefined {
  const isGone = wanted && wanted === codeBank && orderCode.value?.account === null;
  return isGone ? undefined : (banks.find(({code}) => code === wanted) ?? findBank(banks));
}

/**
 * The account to which the shopper sends the money. It comes with the code. If an older Worker sent the code without an
 * account, or with the account of another bank, the account comes from the list of banks. The saved account is used if
 * the list is not loaded, or if the session has ended and the bank is no longer in the list.
 */
export function accountOf(
  purchase: Purchase,
  wanted: string | undefined,
  banks: readonly Bank[] | undefined,
): Bank | undefined {
  const answered = orderCodeOf(purchase)?.account;
  if (answered && (!wanted || wanted === answered.code)) return answered;
  const listed = banks && findAccount(purchase, banks, wanted);
  const saved = savedInstructions(purchase)?.account;
  const isWanted = saved?.code === wanted;
  return listed ?? (isWanted && (!banks || purchase.isSessionEnded) ? saved : undefined);
}

/** The bank for whose account each element has last requested the code again. */
const requestedBanks = new WeakMap<object, string>();

/**
 * Requests the code again if it came with the account of a bank other than the wanted one. Each element does so once
 * for each bank, so that two elements with different banks do not take turns for ever. An older Worker sends no
 * accounts.
 * @returns Whether the element must wait for the account, which will come with the code.
 */
export function requestAccount(element: object, purchase: Purchase, wanted: string | undefined): boolean {
  const {codeBank, isSessionEnded, orderCode} = purchase;
  const account = orderCodeOf(purchase)?.account;
  purchase.shownBank = wanted;
  if (account === undefined || isSessionEnded || !wanted) return false;
  if (wanted === (account ? account.code : codeBank)) return false;
  if (!orderCode.value) return true;
  if (requestedBanks.get(element) === wanted) return false;
  requestedBanks.set(element, wanted);
  queueMicrotask(() => orderCode.reload());
  return true;
}

/** Purchases whose session was replaced. If the Worker also rejects the new session, the page opens no third one. */
const withReplacedSession = new WeakSet<Purchase>();

/**
 * Silently replaces an offer's session that the Worker has rejected, once per purchase. The session is not replaced
 * while the shopper has an unpaid order code, because the shopper may be typing this code into a bank's app.
 * @returns Whether the purchase has a new session now.
 */
export function replaceRefusedSession(purchase: Purchase, token: string): boolean {
  // Another rejected request has already replaced the session.
  if (purchase.session.value?.token !== token) return true;
  const instructions = savedInstructions(purchase);
  const isShown = purchase.orderCode.value !== undefined || (purchase.payment?.value?.state ?? 'waiting') !== 'waiting';
  const isNeeded = isShown || (instructions && !instructions.settled);
  purchase.isSessionEnded = purchase.isFromHandoff || !purchase.canStartOver || !!isNeeded;
  if (purchase.isSessionEnded || withReplacedSession.has(purchase)) return false;
  withReplacedSession.add(purchase);
  // The saved order was paid. The next order code is for a new purchase, which starts with choosing a bank.
  if (instructions) purchase.startOver();
  else renewSession(purchase, token);
  return true;
}

function renewSession({session, storage, payment}: Purchase, token: string): void {
  if (storage.read().session?.token === token) storage.write({session: undefined});
  session.reload();
  payment?.reset();
}
