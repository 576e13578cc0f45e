/**
 * What a shopper sees of a payment. The elements only render a view, with the words that `locales/payment.ts` has for
 * it, and report what the shopper does as events (`purchase/facts.ts`, `payment-events.ts`).
 */

import type {Bank, OrderCode, OrderReference, Payment} from '../../../worker/contract/browser/answers.ts';
import type {Localized} from '../../../worker/contract/fields.ts';
import {valueOf} from '../../core/query.ts';
import {canStartOver, isBrought, savedOrder, type PurchaseFacts} from '../purchase/facts.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';
import {accountOf, instructionsOf} from './instructions.ts';
import {isSettled} from './payment-client.ts';
import {isFinal, isOver as isPaymentOver, isPartOver, NOTHING, ofOrder} from './payment-events.ts';

/** Where a view is shown, and what only the element there knows. */
export interface Place {
  /** `checkout`: a checkout with its inner elements. `code`, `status`, `button`: an element that a page uses alone. */
  readonly in: 'checkout' | 'code' | 'status' | 'button';
  /** In a button: the platform's page to which the shopper has been sent, `bank-page` or `payment-page`. */
  readonly via?: string;
  /** Whether the shopper has returned from that page without paying, as the return URL says. */
  readonly isUnpaid?: boolean;
  /** The bank whose account the element shows, if it is not the bank that the shopper chose. */
  readonly bank?: string;
  /** The list of banks, if the element has loaded it. */
  readonly banks?: readonly Bank[] | undefined;
}

/** The amounts of an order of which only a part has arrived. */
type Part = Pick<Payment, 'paid' | 'remaining'>;

/** What is shown: one of these, and nothing beside it. */
type Shown =
  | 'choose-bank'
  /** There is no code to pay with, or no bank is chosen yet. `vezne-payment-code` says why; the status says nothing. */
  | 'no-code'
  /** The order asks who buys before it has a code. `vezne-payment-code` has the form; the status says nothing. */
  | 'no-buyer'
  /** The page does not know the payment: it is not read yet, or could not be read. The code is shown if there is one. */
  | 'unread'
  | 'failed'
  /** The shopper has to send the money. */
  | 'pay'
  /** The shopper has been sent to one of the platform's pages, or has returned from it without paying. */
  | 'at-platform'
  | 'unpaid-at-platform'
  /** The shopper says that the money is sent. */
  | 'on-its-way'
  /** The shopper has started the report of a transfer without its code, but has not submitted it. */
  | 'report-unfinished'
  /** The shopper has just submitted the report on the platform's page, and the platform soon says that it has it. */
  | 'report-checked'
  /** The shopper has submitted the report, and the platform never says whether it has received it. */
  | 'report-submitted'
  /** The platform has received the report and looks for the money. */
  | 'report-received'
  /** A part of the money has arrived, and the shopper has to send the rest: with the code, or on the platform's page. */
  | 'partial'
  | 'partial-at-platform'
  /** A part of the money has arrived, and the time to pay is over, so the shopper has to ask before sending the rest. */
  | 'partial-over'
  /** Money has arrived that does not count, or not yet, so less money may be missing than the state says. */
  | 'unclear'
  /** All money has arrived. A part of it may have been sent back. */
  | 'paid'
  | 'completed'
  /** All money has arrived, but some of it only after the deadline. */
  | 'late'
  /** More money has arrived. With `paid-twice`, it is the whole amount again. */
  | 'overpaid'
  | 'paid-twice'
  /** The seller is sending all of the money back. `refunded`: it was sent back. */
  | 'refunding'
  | 'refunded'
  /** The seller has cancelled the order. Money that arrived has to be sent back. */
  | 'cancelled'
  /** The time to pay is over. `expired-sent`: the shopper says that the money is sent, or may have paid. */
  | 'expired'
  | 'expired-sent'
  /** The page can no longer read the payment of an order whose code the shopper has seen. */
  | 'lost'
  | 'lost-sent'
  /** The order was started on another device, where it may still be tracked. */
  | 'lost-elsewhere'
  /** A part of the money had arrived before the order was lost. */
  | 'lost-partial';

export interface PaymentView {
  readonly is: Shown;
  readonly step: CheckoutStep | 'done';
  /** What the shopper buys, as far as the page knows. */
  readonly title: Localized | null | undefined;
  /**
   * The amount of the payment, which is due, or remains to be paid, or is not asked for. Undefined until it is read, and
   * empty if the view names it elsewhere.
   */
  readonly amount: {readonly is: 'due' | 'remaining' | 'settled'; readonly sum: string} | undefined;
  /** How to send the money. With closed instructions, the shopper has no reason to send money now, but can read them. */
  readonly instructions: 'open' | 'closed' | 'hidden';
  readonly code: OrderCode | undefined;
  readonly account: Bank | undefined;
  /** Set if only a part of the money has arrived, even if the order was lost since. */
  readonly part: Part | undefined;
  /** The amounts that the words name: what is awaited, on its way back, too much or sent back, or those of `part`. */
  readonly amounts: readonly string[];
  /** Whether the seller is sending money back. */
  readonly isRefunding: boolean;
  /** Whether this page can only show the order, because it came from a hand-off link or its session has ended. */
  readonly isReadOnly: boolean;
  /** Whether the shopper finds the order again after closing the page. */
  readonly isKept: boolean;
  /** Whether the page says that the device is offline. Only a checkout does. */
  readonly isOffline: boolean;
  /** Whether the shopper says that the money is sent, and no money has arrived since. */
  readonly isSent: boolean;
  /** When the shopper said so, or began a report, in epoch milliseconds; undefined if nobody knows. */
  readonly sentAt: number | undefined;
  /** Whether the shopper may still say that the money is not sent. */
  readonly canUnsay: boolean;
  /** Whether the page can no longer read the payment. */
  readonly isLost: boolean;
  /** Whether the payment is being read, and what is saved says that the shopper probably has no reason to send money. */
  readonly isLoading: boolean;
  /** Whether there is nothing more to pay: the payment is settled, or the seller has to look at it. */
  readonly isOver: boolean;
  /** The report of a transfer without its code: whether the shopper may open its form, or has it open. */
  readonly report: 'none' | 'offered' | 'open';
  /** Whether the shopper has started such a report, but has not submitted it. */
  readonly isReportUnfinished: boolean;
  /** What the shopper does next. Only its button is a primary one. */
  readonly action: 'choose-bank' | 'copy-code' | 'send-report' | 'finish-report' | 'start-over' | 'ask-seller' | 'none';
  /** Where the shopper goes by leaving this order: to a new order, or back to the own order. */
  readonly leavesTo: 'new-order' | 'own-order' | 'nothing';
  /** What the shopper needs to ask the seller about the order. A field is missing if the page does not know it. */
  readonly reference: {readonly [K in keyof OrderReference]?: OrderReference[K] | undefined};
  /** After this time the view changes by itself; undefined if it does not. */
  readonly changesInMs: number | undefined;
}

/** The page says for this time that it checks a submitted notice. The platform usually confirms a notice faster. */
const CHECK_MS = 30_000;
/** After this time the Worker no longer asks the platform, and the shopper may report the transfer again. */
const CONFIRM_MS = 3_600_000;

/** @param now - Epoch milliseconds of this device. */
export function paymentView(facts: PurchaseFacts, now: number, place: Place = {in: 'checkout'}): PaymentView {
  const {session, key, own, bank, isKept, order} = facts;
  const isFromHandoff = isBrought(facts);
  const {isSessionEnded, isReporting} = order;
  const instructions = instructionsOf(facts);
  const {code, saved} = instructions;
  const payment = valueOf(order.payment);
  const {state = 'waiting', paid = saved?.paid ?? NOTHING, notice, unclear} = payment ?? {};
  const isInCheckout = place.in === 'checkout';
  // Money that is on its way back is no part of a payment that goes on.
  const isRefunding = Number(payment?.refunding) > 0;
  const isPart = !!payment && isPartOver(payment);
  /** Whether all of the money is on its way back, or the part that was too little. */
  const isReturning = isRefunding && (isPart || Number(payment?.refunding) >= Number(paid));
  const isOver = !!payment && isPaymentOver(payment);
  const isDone = payment !== undefined && isFinal(payment);
  const isReadOnly = isFromHandoff || !!isSessionEnded;
  // The platform's search for the money of a report goes on after the deadline.
  const isSearching = !!notice?.sent && !isDone && !unclear && !isReturning;
  // If another tab has started another order and saved its code, only this page still has the code of a lost order.
  const isLost = !!isSessionEnded && (!isOver || isSearching) && (!!saved || facts.orderCode.status === 'done');

  const isPartial = state === 'partial';
  const isNothingThere = !isDone && !isPartial;

  // Of a lost order, and until the page has read the payment, the amounts are the last ones that the page has read.
  const wasSettled = !payment && !!saved?.isSettled;
  const wasOver = !payment && !!saved?.isOver;
  const {paid: lastPaid = NOTHING, remaining} = ((isLost || !(payment || wasSettled)) && saved) || {};
  const lastPart = lastPaid !== NOTHING && remaining ? {paid: lastPaid, remaining} : undefined;
  const part: Part | undefined = isPartial ? payment : lastPart;

  // The shopper says that the money is sent, and no money has arrived since. A notice that the shopper has started says
  // the same, on every device. Of a lost order, the page does not know what has arrived since. What is saved comes
  // first, because the shopper may have said it in another tab.
  const sentAfter = saved?.sentAfter ?? order.sentAfter;
  const isSent = isLost
    ? sentAfter !== undefined
    : !isDone && ((isNothingThere && !!notice) || !!notice?.sent || sentAfter === paid);
  // A shopper who has sent the money from a bank has not paid on the platform's page.
  const via = isSent ? '' : place.via;

  // The shopper has submitted the notice on this device. The platform soon says that it has the notice; it never does
  // so if `sent` is null.
  const {report} = savedOrder(facts);
  const passedMs = Math.abs(now - (ofOrder(facts, report)?.at ?? Infinity));
  const isSubmitted = !!notice && passedMs < CONFIRM_MS;
  const isChecked = notice?.sent === false && passedMs < CHECK_MS;
  const isReported = !!notice?.sent || isSubmitted;
  const mayReport =
    !!payment && !isDone && !unclear && !isReported && !isSessionEnded && (isSent || place.via !== 'payment-page');
  const isReportUnfinished = mayReport && notice?.sent === false;

  // Without a choice of the shopper, the checkout does not ask for a bank if money has arrived that could not be
  // matched, if the shopper says that the money is sent, or if the time to pay is over.
  const isWaitingFor = unclear || isReturning || (payment && (isSent || isOver) && !order.isChangingBank);
  // The seller has to decide about late money.
  const step = isDone && !(state === 'paid' && payment.late) ? 'done' : isDone || isWaitingFor ? 'pay' : facts.step;
  const account = accountOf(facts, instructions, place.bank || bank, place.banks);

  /** Whether the shopper cannot have sent money yet: there is no code, or the page waits for the choice of a bank. */
  const isTooEarly = (): boolean => {
    if (isOver) return false;
    // In a checkout, `vezne-payment-code` is beside the status, and says why there is no code.
    if (isInCheckout && isSessionEnded) return true;
    if (place.in === 'button' || isSent || state !== 'waiting') return false;
    if (!code && (isInCheckout || payment?.order_code === null)) return true;
    return !!payment && order.shownBank === '' && !bank && !account;
  };

  const shownOf = (): Shown => {
    if (isInCheckout && step === 'bank') return 'choose-bank';
    if (isLost) return part ? 'lost-partial' : isSent ? 'lost-sent' : isFromHandoff ? 'lost-elsewhere' : 'lost';
    if (!isOver && facts.orderCode.status === 'failed' && facts.orderCode.problem.code === 'buyer_required')
      return 'no-buyer';
    if (isTooEarly()) return 'no-code';
    if (!payment) {
      // `vezne-payment-code` has no words of its own for a failure.
      if (isSent && place.in === 'code') return 'on-its-way';
      return order.payment?.status === 'failed' ? 'failed' : isSent ? 'on-its-way' : 'unread';
    }
    if (isReturning) return 'refunding';
    switch (state) {
      case 'paid':
        return payment.late ? 'late' : state;
      case 'overpaid':
        return isTwice(payment) ? 'paid-twice' : state;
      case 'completed':
      case 'refunded':
      case 'cancelled':
        return state;
    }
    if (unclear) return 'unclear';
    // The report may be about the rest, so the shopper waits even if a part has arrived.
    if (notice?.sent) return 'report-received';
    // `vezne-payment-code` alone does not speak of reports.
    if (place.in !== 'code') {
      if (isReportUnfinished && state === 'waiting') return 'report-unfinished';
      if (isSent && isChecked) return 'report-checked';
      // If `sent` is false, the platform does not have the report yet.
      if (isSent && isSubmitted && notice.sent !== false) return 'report-submitted';
    }
    if (state === 'expired') return isSent || (via && !place.isUnpaid) ? 'expired-sent' : state;
    if (isPart) return isSent ? 'expired-sent' : 'partial-over';
    if (isSent) return 'on-its-way';
    if (isPartial) return via ? 'partial-at-platform' : state;
    return !via ? 'pay' : place.isUnpaid ? 'unpaid-at-platform' : 'at-platform';
  };
  const is = shownOf();

  const isClosed = isOver || isLost || isSent || wasOver || (isReporting && !isReported);
  const openness = isDone || unclear || isReturning ? 'hidden' : isClosed ? 'closed' : 'open';
  const hasOwnOrder = isFromHandoff && (key.session !== '' || own.step === 'pay');
  // A bill has one order, on every device. Its name ends in a dot and 30 characters or more.
  const isBill = /\.[\w-]{30,}$/.test(key.offer);
  const mayLeave = canStartOver(facts) && (hasOwnOrder || (!isBill && !(part && (isLost || isPart))));

  const amountsOf = (): readonly string[] => {
    const due = part?.remaining ?? payment?.amount ?? code?.amount;
    // Beside a status and in a checkout, the amount is in another place.
    if (/^(on-its-way|(unpaid-)?at-platform)$/.test(is)) return due && /code|button/.test(place.in) ? [due] : [];
    if (isRefunding) return [payment?.refunding ?? ''];
    if (part) return [part.paid, part.remaining];
    return payment ? [state === 'overpaid' ? excessOf(payment) : payment.refunded] : [];
  };

  const actionOf = (): PaymentView['action'] => {
    if (is === 'choose-bank') return is;
    if (mayReport && isReporting) return 'send-report';
    if (is === 'report-unfinished') return 'finish-report';
    if (openness === 'open') {
      // While the list of banks is loading, the shopper can already copy the code.
      if (code) return account || (!place.banks && code.account) ? 'copy-code' : 'choose-bank';
    } else if ((is === 'expired' || is === 'lost') && mayLeave) return 'start-over';
    else if ((isOver || isLost) && !/^(paid$|completed|refund|report-received)/.test(is)) return 'ask-seller';
    return 'none';
  };

  return {
    is,
    step,
    title: payment?.title ?? session?.title,
    amount: (payment || part) && {
      is: isOver ? 'settled' : part ? 'remaining' : 'due',
      // The card of a paid order names the amount.
      sum: is === 'paid' || is === 'completed' ? '' : (((!isOver && part?.remaining) || payment?.amount) ?? ''),
    },
    instructions: openness,
    code,
    account,
    part,
    amounts: amountsOf(),
    isRefunding,
    isReadOnly,
    isKept,
    isOffline: isInCheckout && !facts.isOnline && !isSettled(payment),
    isSent,
    sentAt: saved?.sentAt ?? order.sentAt ?? (notice ? Date.parse(notice.at) : undefined),
    canUnsay: isSent && !notice && !isOver && !isLost,
    isOver: isOver && !(isSearching && !isLost),
    isLost,
    // Only after a reload: a page that has shown more keeps it.
    isLoading:
      !payment &&
      !order.isCreated &&
      order.payment?.status !== 'failed' &&
      (wasOver || (isSent && order.sentAfter === undefined)),
    report: !mayReport ? 'none' : isReporting ? 'open' : 'offered',
    isReportUnfinished,
    action: actionOf(),
    leavesTo: !mayLeave ? 'nothing' : hasOwnOrder ? 'own-order' : 'new-order',
    reference: {order: session?.order, ...(saved?.orderCode ?? code), ...payment},
    changesInMs: isSubmitted ? (isChecked ? CHECK_MS : CONFIRM_MS) - passedMs : undefined,
  };
}

/** Whether the shopper sent the whole amount twice, and nothing else. */
function isTwice({amount, paid, transactions}: Payment): boolean {
  const whole = transactions.filter((each) => each.amount === amount && each.currency === 'TRY');
  return whole.length === 2 && Number(paid) === 2 * Number(amount);
}

/** The amount by which `paid` exceeds `amount`. */
function excessOf({paid, amount}: Payment): string {
  return Math.max(0, Number(paid) - Number(amount)).toFixed(2);
}
