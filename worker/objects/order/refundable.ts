/** Works out what may be sent back of an order's money now, and why. The functions are pure. */

import type {PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, type Kurus, parseAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';

export type RefundReason = 'overpaid' | 'late' | 'cancelled';

export interface Refundable {
  /** What the state of the order is a reason to send back: the excess, or all money. */
  readonly amount: Kurus;
  /** Null if `amount` is 0. */
  readonly reason: RefundReason | null;
  /** The most that may be sent back. Never less than `amount`. */
  readonly left: Kurus;
}

/** An order's payment with its amounts as text; `refunding` is what the platform is sending back. */
export interface PaidOrder {
  readonly state: PaymentState;
  readonly amount: string;
  readonly paid: string;
  readonly refunded: string;
  readonly refunding?: string | undefined;
  readonly late: boolean;
}

/** Money that arrived. Money of a charge, which has no bank, is not refunded by bank transfer. */
interface Money {
  readonly amount: Kurus | string | null;
  readonly currency: string;
  readonly bank: string | null;
}

/** What is known of the order's refunds beside the payment. */
interface KnownRefunds {
  /** The sum of all refunds that sent money back, or still may. */
  readonly sent: Kurus;
  /** The sum of refunds whose outcome is not known. */
  readonly unsettled: Kurus;
}

/** What may be sent back of the order's transfers. Nothing of a completed order: the platform refuses its refunds. */
export function refundableOf(
  {state, amount, paid, refunded, refunding = '0.00', late}: PaidOrder,
  money: readonly Money[],
  known?: KnownRefunds,
): Refundable {
  const [returned, returning] = [kurusOf(refunded), kurusOf(refunding)];
  const {sent, unsettled} = known ?? {sent: returned + returning, unsettled: 0};
  const transfers = money.filter(({bank, currency}) => bank !== null && currency === 'TRY');
  const arrived = sumOf(transfers, (transfer) => kurusOf(transfer.amount));
  // `Refunds` may know of a refund earlier than the order.
  const whole = kurusOf(paid) - Math.max(returning, sent - returned) - unsettled;
  const left = state === 'completed' ? 0 : Math.max(0, Math.min(whole, arrived - sent - unsettled));
  const reason = state === 'cancelled' || state === 'overpaid' ? state : late ? 'late' : null;
  const due = reason === null ? 0 : reason === 'overpaid' ? Math.max(0, Math.min(left, whole - kurusOf(amount))) : left;
  return {amount: due, reason: due > 0 ? reason : null, left};
}

/** The same with its amounts as text, as events and the merchant API show it. */
export function describeRefundable({amount, reason, left}: Refundable) {
  return {amount: formatAmount(amount), reason, left: formatAmount(left)};
}

function kurusOf(amount: Kurus | string | null): Kurus {
  return typeof amount === 'string' ? (parseAmount(amount) ?? 0) : (amount ?? 0);
}
