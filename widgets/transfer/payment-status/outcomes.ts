/** How each state of a payment is told: one row a state. */

import type {Payment, PaymentState} from '../../../worker/contract/browser/answers.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

/** What the shopper feels at a glance. */
export type Mood = 'waiting' | 'attention' | 'good' | 'late' | 'extra' | 'back' | 'over';

export interface Outcome {
  readonly mood: Mood;
  readonly title: string;
  readonly text: string;
}

type DescribeOutcome = (say: PaymentMessages, payment: Payment, money: (amount: string) => string) => Outcome;

/** The states, and what of two of them deserves words of its own. */
const OUTCOMES: Record<PaymentState | 'late' | 'twice' | 'unclear' | 'noticed' | 'onPage', DescribeOutcome> = {
  waiting: (say) => ({mood: 'waiting', title: say.waitingTitle, text: say.waitingText}),
  partial: (say, {paid, remaining}, money) => ({
    mood: 'attention',
    title: say.partialTitle(money(paid), money(remaining)),
    text: say.partialText,
  }),
  onPage: (say) => ({mood: 'waiting', title: say.onPageTitle, text: say.onPageText}),
  noticed: (say) => ({mood: 'waiting', title: say.noticedTitle, text: say.noticedText}),
  unclear: (say) => ({mood: 'attention', title: say.unclearTitle, text: say.unclearText}),
  paid: (say) => ({mood: 'good', title: say.paidTitle, text: say.paidText}),
  late: (say) => ({mood: 'late', title: say.lateTitle, text: say.lateText}),
  twice: (say, {amount}, money) => ({mood: 'extra', title: say.twiceTitle, text: say.twiceText(money(amount))}),
  overpaid: (say, {paid, amount}, money) => ({
    mood: 'extra',
    title: say.overpaidTitle,
    text: say.overpaidText(money(excessAmount(paid, amount))),
  }),
  completed: (say) => ({mood: 'good', title: say.completedTitle, text: say.completedText}),
  refunded: (say) => ({mood: 'back', title: say.refundedTitle, text: say.refundedText}),
  expired: (say) => ({mood: 'over', title: say.expiredTitle, text: say.expiredText}),
};

/**
 * What to tell of a payment. Only the arrival of the money can be late; what came of it after that counts more.
 * @param isOnPage whether it is paid on the common payment page.
 */
export function paymentOutcome(payment: Payment, say: PaymentMessages, locale: Locale, isOnPage = false): Outcome {
  return OUTCOMES[outcomeKey(payment, isOnPage)](say, payment, (amount) => formatAmount(amount, locale));
}

function outcomeKey(payment: Payment, isOnPage: boolean): keyof typeof OUTCOMES {
  const {state, late, unclear, notice} = payment;
  // Less may be missing than it seems.
  if (unclear && (state === 'waiting' || state === 'partial' || state === 'expired')) return 'unclear';
  if (state === 'waiting' && notice?.sent) return 'noticed';
  if (state === 'waiting' && isOnPage) return 'onPage';
  if (state === 'paid' && late) return 'late';
  return state === 'overpaid' && isTwice(payment) ? 'twice' : state;
}

/** Whether what is too much is the whole amount, sent a second time. */
function isTwice({amount, paid, transactions}: Payment): boolean {
  return (
    excessAmount(paid, amount) === amount &&
    transactions.filter((one) => one.amount === amount && one.currency === 'TRY').length === 2
  );
}

/** What of `paid` is more than `amount`. */
export function excessAmount(paid: string, amount: string): string {
  const kurus = Math.max(0, toKurus(paid) - toKurus(amount));
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}

function toKurus(amount: string): number {
  return Number(amount.replace('.', ''));
}
