/** The texts that the shopper reads about each state of a payment. */

import type {Payment, PaymentState} from '../../../worker/contract/browser/answers.ts';
import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

/** Decides the icon and the colors of the status. */
export type Mood = 'waiting' | 'attention' | 'good' | 'late' | 'overpaid' | 'refunded' | 'expired' | 'expiredSent';

export interface Outcome {
  readonly mood: Mood;
  readonly title: string;
  readonly text: string;
  /** True if the shopper may have sent the money. The button for a new payment then says that no money was sent. */
  readonly isSent?: boolean;
}

type DescribeOutcome = (t: PaymentMessages, payment: Payment, money: (amount: string) => string) => Outcome;

/** One row per state, and rows for special cases with their own texts. */
const OUTCOMES: Record<
  PaymentState | 'late' | 'twice' | 'unclear' | 'noticed' | 'expiredSent' | 'partialOnPage' | WaitingFor,
  DescribeOutcome
> = {
  waiting: (t) => ({mood: 'waiting', title: t.waitingTitle, text: t.waitingText}),
  partial: (t, {paid, remaining}, money) => ({
    mood: 'attention',
    title: t.partialTitle(money(paid), money(remaining)),
    text: t.partialText,
  }),
  partialOnPage: (t, {paid, remaining}, money) => ({
    mood: 'attention',
    title: t.partialTitle(money(paid), money(remaining)),
    text: t.restText,
  }),
  offline: (t) => ({mood: 'waiting', title: t.waitingTitle, text: ''}),
  unsaved: (t) => ({mood: 'waiting', title: t.waitingTitle, text: t.unsavedText}),
  onPage: (t) => ({mood: 'waiting', title: t.onPageTitle, text: t.onPageText}),
  unpaid: (t) => ({mood: 'attention', title: t.unpaidTitle, text: t.unpaidText}),
  sent: (t) => ({mood: 'waiting', title: t.waitingTitle, text: t.sentText}),
  expiredSent: (t) => ({mood: 'expiredSent', isSent: true, title: t.expiredTitle, text: t.expiredSentText}),
  noticeUnsent: (t) => ({mood: 'attention', title: t.noticeUnsentTitle, text: t.noticeUnsentText}),
  noticeCheck: (t, payment) => ({mood: sentMood(payment), title: t.noticeCheckTitle, text: t.noticeCheckText}),
  reported: (t, payment) => ({
    mood: sentMood(payment),
    isSent: true,
    title: t.noticedTitle,
    text: t.reportedText,
  }),
  noticed: (t, payment) => ({mood: sentMood(payment), title: t.noticedTitle, text: t.noticedText}),
  unclear: (t) => ({mood: 'attention', title: t.unclearTitle, text: t.unclearText}),
  paid: (t, payment, money) => ({mood: 'good', title: t.paidTitle, text: refundText(t, payment, money) ?? t.paidText}),
  late: (t) => ({mood: 'late', title: t.lateTitle, text: t.lateText}),
  twice: (t, {amount}, money) => ({mood: 'overpaid', title: t.twiceTitle, text: t.twiceText(money(amount))}),
  overpaid: (t, {paid, amount}, money) => ({
    mood: 'overpaid',
    title: t.overpaidTitle,
    text: t.overpaidText(money(excessAmount(paid, amount))),
  }),
  completed: (t, payment, money) => ({
    mood: 'good',
    title: t.completedTitle,
    text: refundText(t, payment, money) ?? t.completedText,
  }),
  refunded: (t) => ({mood: 'refunded', title: t.refundedTitle, text: t.refundedText}),
  expired: (t) => ({mood: 'expired', title: t.expiredTitle, text: t.expiredText}),
};

/** What the shopper reads about a refund of a part of the money. An older Worker does not report refunds. */
function refundText(
  t: PaymentMessages,
  {refunded}: Partial<Payment>,
  money: (amount: string) => string,
): string | undefined {
  return Number(refunded ?? 0) > 0 ? t.refundedPartText(money(refunded ?? '')) : undefined;
}

/** What the page knows about an order that it can no longer read. */
interface LostOrder {
  /** Whether the shopper says that the money is sent. */
  readonly isSent: boolean;
  /** Whether the order was started on another device, where it may still be tracked. */
  readonly isFromHandoff: boolean;
  /** The part of the money that has arrived; undefined if the page has seen no money. */
  readonly paid: string | undefined;
}

/** The texts about an order that the page can no longer read. */
export function lostOutcome({isSent, isFromHandoff, paid}: LostOrder, t: PaymentMessages, locale: Locale): Outcome {
  const text = paid
    ? t.lostPartialText(formatAmount(paid, locale))
    : isSent
      ? t.lostSentText
      : isFromHandoff
        ? t.elsewhereText
        : t.lostText;
  return {mood: text === t.lostText ? 'expired' : 'expiredSent', isSent, title: t.lostTitle, text};
}

/** What the page knows about the shopper while money is missing. */
export type WaitingFor =
  /** The shopper has been sent to one of the platform's pages. */
  | 'onPage'
  /** The shopper has returned from one of these pages, which says that the shopper has not paid. */
  | 'unpaid'
  /** The shopper says that the money is sent, or has reported a transfer without a code. */
  | 'sent'
  /** The device is offline, so the page cannot update. The checkout says so. */
  | 'offline'
  /** The order code is lost when the page is closed, because the browser stores nothing. */
  | 'unsaved'
  /** The shopper has started a notice on this device, but has not submitted it. */
  | 'noticeUnsent'
  /** The shopper has just submitted the report of a transfer on the platform's page. */
  | 'noticeCheck'
  /** The shopper has submitted such a report, and the platform never says whether it has received the report. */
  | 'reported';

/**
 * The texts that the shopper reads about a payment. A payment is shown as late only in the state `paid`, because every
 * state after `paid` is more important.
 */
export function paymentOutcome(payment: Payment, t: PaymentMessages, locale: Locale, waitingFor?: WaitingFor): Outcome {
  return OUTCOMES[outcomeKey(payment, waitingFor)](t, payment, (amount) => formatAmount(amount, locale));
}

function outcomeKey(payment: Payment, waitingFor?: WaitingFor): keyof typeof OUTCOMES {
  const {state, late, unclear, notice} = payment;
  // Money has arrived that could not be counted, so less money may be missing than the state says.
  if (unclear && (state === 'waiting' || state === 'partial' || state === 'expired')) return 'unclear';
  if ((state === 'waiting' || state === 'expired') && notice?.sent) return 'noticed';
  if (state === 'waiting' && waitingFor) return waitingFor;
  if (state === 'expired' && (waitingFor === 'sent' || waitingFor === 'onPage')) return 'expiredSent';
  if (state === 'partial' && /onPage|unpaid/.test(waitingFor ?? '')) return 'partialOnPage';
  const isSent = waitingFor === 'sent' || waitingFor === 'noticeCheck' || waitingFor === 'reported';
  if ((state === 'partial' || state === 'expired') && isSent) return waitingFor;
  if (state === 'paid' && late) return 'late';
  return state === 'overpaid' && isTwice(payment) ? 'twice' : state;
}

/** After the deadline, the status is shown in the card that ends a payment. */
function sentMood({state}: Payment): Mood {
  return state === 'expired' ? 'expiredSent' : 'waiting';
}

/** Whether the shopper sent the whole amount twice. */
function isTwice({amount, paid, transactions}: Payment): boolean {
  return (
    excessAmount(paid, amount) === amount &&
    transactions.filter((transaction) => transaction.amount === amount && transaction.currency === 'TRY').length === 2
  );
}

/** The amount by which `paid` exceeds `amount`. */
export function excessAmount(paid: string, amount: string): string {
  const kurus = Math.max(0, toKurus(paid) - toKurus(amount));
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}

function toKurus(amount: string): number {
  return Number(amount.replace('.', ''));
}
