/**
 * What is shown of a payment: one of these views, and nothing beside it. The first row that is for the situation is the
 * view. `locales/payment.ts` has its title and its text.
 */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';
import type {Situation, State} from './payment-situation.ts';

/** What the shopper does next. Only its button is a primary one. */
export type Action =
  | 'choose-bank'
  | 'copy-code'
  | 'send-report'
  | 'finish-report'
  | 'start-over'
  | 'ask-seller'
  | 'none';

/** Texts that take the place of the usual text of a view. */
export type OtherText = 'refunding' | 'lost-elsewhere' | 'unsaved' | 'refunded-part' | 'reopen' | 'none';

/** The amounts that words may name. Those of a part are the last ones that the page has read. */
export interface Sums extends Partial<Pick<Payment, 'paid' | 'remaining' | 'refunded' | 'refunding'>> {
  /** What the shopper has to send, where no other place names it. */
  readonly due: string | undefined;
  /** By how much more has arrived than the order costs. */
  readonly excess: string;
}

export interface Row {
  /** Whether the view is for this situation, if no earlier row is. By default, it is for the state of the same name. */
  when?(situation: Situation): unknown;
  /** The step of the checkout; by default `pay`. */
  readonly step?: CheckoutStep | 'done';
  /** How to send the money. By default it is open, or closed while there is no reason to send money now. */
  readonly instructions?: 'hidden';
  /** By default, the shopper copies the code while the instructions are open, and asks the seller after the end. */
  readonly action?: Action;
  /** The amounts that title and text name. */
  readonly amounts?: readonly (keyof Sums)[];
  /** The text, if it is not that of the view. */
  text?(situation: Situation): OtherText | false | undefined;
  /** Whether the text and its amount become those of a refund while the seller is sending money back. */
  readonly mayRefund?: true;
  /** Whether the words name the amount of the payment, so that it is shown nowhere else. */
  readonly namesSum?: true;
  /** Whether the view says nothing. `vezne-payment-code` says why there is no code, or has the form for the buyer. */
  readonly isSilent?: true;
  /** Whether the shopper has to do something, and not only to wait. */
  readonly isUrgent?: true;
}

/** The states with a view of the same name. Money that is awaited has several views, and what is pending is unclear. */
type Named = Exclude<State, 'waiting' | 'pending'>;

/** The text names the step that the page offers. */
const otherStep = ({leavesTo}: Situation): OtherText | false =>
  leavesTo !== 'new-order' && (leavesTo === 'nothing' ? 'reopen' : 'lost-elsewhere');

/** Whether the shopper sent the whole amount twice, and nothing else. */
function isTwice({amount, paid, transactions}: Payment): boolean {
  const whole = transactions.filter((each) => each.amount === amount && each.currency === 'TRY');
  return whole.length === 2 && Number(paid) === 2 * Number(amount);
}

const PARTS = ['paid', 'remaining'] as const;
const LATE = {instructions: 'hidden', mayRefund: true} as const;
const TOO_MUCH = {...LATE, step: 'done', amounts: ['excess']} as const;
const DONE = {...LATE, step: 'done', action: 'none'} as const;
const PAID = {
  ...DONE,
  amounts: ['refunded'],
  text: ({payment}) => Number(payment?.refunded) > 0 && 'refunded-part',
  namesSum: true,
} as const satisfies Row;

export const VIEWS = {
  'choose-bank': {step: 'bank', action: 'choose-bank'},
  /** A part of the money had arrived before the order was lost. */
  'lost-partial': {when: (s) => s.isLost && s.part, amounts: PARTS},
  'lost-sent': {when: (s) => s.isLost && s.isSent},
  /** The order was started on another device, where it may still be tracked. */
  'lost-elsewhere': {when: (s) => s.isLost && s.isBrought},
  /** The page can no longer read the payment of an order whose code the shopper has seen. */
  lost: {action: 'start-over', text: otherStep},
  /** The order asks who buys before it has a code. */
  'no-buyer': {isSilent: true},
  /** There is no code to pay with, or no bank is chosen yet. */
  'no-code': {isSilent: true},
  /** The payment could not be read. The code is shown if there is one. */
  failed: {},
  /** The payment is not read yet. */
  unread: {},
  /** The seller is sending all of the money back. */
  refunding: {...DONE, amounts: ['refunding']},
  /** All money has arrived, but some of it only after the deadline. The seller has to decide about it. */
  late: {...LATE, when: (s) => s.state === 'paid' && s.payment?.late},
  /** All money has arrived. A part of it may have been sent back. */
  paid: PAID,
  completed: PAID,
  /** More money has arrived. With `paid-twice`, it is the whole amount again. */
  'paid-twice': {...TOO_MUCH, when: (s) => s.state === 'overpaid' && s.payment && isTwice(s.payment)},
  overpaid: TOO_MUCH,
  refunded: DONE,
  /** The seller has cancelled the order. Money that arrived has to be sent back. */
  cancelled: {instructions: 'hidden', step: 'done'},
  /** Money has arrived that does not count, or not yet, so less money may be missing than the state says. */
  unclear: {when: (s) => s.payment?.unclear, instructions: 'hidden', isUrgent: true},
  /** The platform has received the report and looks for the money, which may be the rest. */
  'report-received': {when: (s) => s.payment?.notice?.sent, action: 'none'},
  /** The shopper has started the report of a transfer without its code, but has not submitted it. */
  'report-unfinished': {
    when: (s) => s.isReportUnfinished && s.state === 'waiting',
    action: 'finish-report',
    isUrgent: true,
  },
  /** The shopper has just submitted the report on the platform's page, and the platform soon says that it has it. */
  'report-checked': {when: (s) => s.isReportChecked},
  /** The shopper has submitted the report, and the platform never says whether it has received it. */
  'report-submitted': {when: (s) => s.isReportSubmitted},
  /** The time to pay is over, and the shopper says that the money is sent, or may have paid. */
  'expired-sent': {
    when: (s) => !s.mayPay && (s.isSent || (s.state === 'expired' && s.via && !s.place.isUnpaid)),
  },
  /** The time to pay is over. */
  expired: {action: 'start-over', text: otherStep},
  /** A part of the money has arrived, and the time to pay is over, so the shopper has to ask before sending the rest. */
  'partial-over': {when: (s) => !s.mayPay, amounts: PARTS},
  /** The shopper says that the money is sent. */
  'on-its-way': {when: (s) => s.isSent, amounts: ['due']},
  /** A part of the money has arrived, and the shopper has to send the rest: on the platform's page, or with the code. */
  'partial-at-platform': {when: (s) => s.part && s.via, amounts: PARTS, isUrgent: true},
  partial: {amounts: PARTS, isUrgent: true},
  /** The shopper has returned from one of the platform's pages without paying. */
  'unpaid-at-platform': {when: (s) => s.via && s.place.isUnpaid, amounts: ['due'], isUrgent: true},
  /** The shopper has been sent to one of the platform's pages. */
  'at-platform': {when: (s) => s.via, amounts: ['due']},
  /** The shopper has to send the money. */
  pay: {
    when: () => true,
    text: (s) => (s.isOffline || s.place.isCutOff ? 'none' : !s.isKept && 'unsaved'),
  },
} as const satisfies Readonly<Record<Named, Row> & Record<string, Row>>;

export type Shown = keyof typeof VIEWS;
