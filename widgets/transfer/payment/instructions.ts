/** How to send the money: the order code and the account, from the Worker or as the browser has saved them. */

import type {Bank, OrderCode} from '../../../worker/contract/browser/answers.ts';
import {valueOf} from '../../core/query.ts';
import {findBank} from '../purchase/bank-directory.ts';
import type {PurchaseFacts} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';
import type {SavedInstructions} from '../purchase/saved-order.ts';
import {next, savedInstructions} from './payment-events.ts';
import {validInstructions} from './valid-instructions.ts';

export interface Instructions {
  readonly code: OrderCode | undefined;
  /** What the browser has saved of this order. */
  readonly saved: SavedInstructions | undefined;
}

/**
 * The order code from the Worker. If the Worker cannot be reached or no longer accepts the session, the saved order
 * code.
 */
export function instructionsOf(facts: PurchaseFacts): Instructions {
  const {orderCode} = facts;
  const found = savedInstructions(facts);
  const saved = found && validInstructions(found);
  const isSavedUsed = orderCode.status === 'failed' && (orderCode.problem.endsSession || orderCode.problem.retryable);
  return {saved, code: isSavedUsed ? saved?.orderCode : valueOf(orderCode)};
}

/** Finds the account in a list of banks, unless the Worker did not find this bank in its current list. */
function findAccount({codeBank, orderCode}: PurchaseFacts, banks: readonly Bank[], wanted: string): Bank | undefined {
  const isGone = wanted && wanted === codeBank && valueOf(orderCode)?.account === null;
  return isGone ? undefined : findBank(banks, wanted);
}

/**
 * The account to which the shopper sends the money. It comes with the code. If the code came with the account of
 * another bank, the account comes from the list of banks. The saved account is used if the list is not loaded, or if
 * the session has ended and the bank is no longer in the list.
 */
export function accountOf(
  facts: PurchaseFacts,
  {code, saved}: Instructions,
  wanted: string,
  banks: readonly Bank[] | undefined,
): Bank | undefined {
  const answered = code?.account;
  if (answered && (!wanted || isNamed(answered, wanted))) return answered;
  const listed = banks && findAccount(facts, banks, wanted);
  const kept = saved?.account;
  return listed ?? (kept && isNamed(kept, wanted) && (!banks || facts.order.isSessionEnded) ? kept : undefined);
}

/** Whether this text names the account: by its id, or by its bank's code. */
function isNamed({id, code}: Bank, wanted: string): boolean {
  return id === wanted || code === wanted;
}

/** The bank whose account each element shows. */
const shownBanks = new WeakMap<object, string>();

/** The bank for whose account each element has last requested the code again. */
const requestedBanks = new WeakMap<object, string>();

/**
 * Requests the code again if it came with the account of a bank other than the wanted one. Each element does so once
 * for each bank, so that two elements with different banks do not take turns for ever.
 * @returns Whether the element must wait for the account, which will come with the code.
 */
export function requestAccount(element: object, purchase: Purchase, wanted: string): boolean {
  const {facts} = purchase;
  const show = () => purchase.send({is: 'bank-shown', bank: wanted}, next);
  // An element says this once, so that two elements with different banks do not take turns for ever.
  if (facts.order.shownBank === undefined || shownBanks.get(element) !== wanted) show();
  shownBanks.set(element, wanted);
  const {code} = instructionsOf(facts);
  if (!code || facts.order.isSessionEnded || !wanted) return false;
  if (code.account ? isNamed(code.account, wanted) : wanted === facts.codeBank) return false;
  if (facts.orderCode.status !== 'done') return true;
  if (requestedBanks.get(element) === wanted) return false;
  requestedBanks.set(element, wanted);
  show();
  queueMicrotask(() => purchase.orderCode.reload());
  return true;
}
