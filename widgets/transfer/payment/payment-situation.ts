/** What a page knows of a payment, in the terms in which the rows of `payment-views.ts` speak of it. */

import type {Bank, OrderCode, OrderReference, Payment, PaymentState} from '../../../worker/contract/browser/answers.ts';
import type {Localized} from '../../../worker/contract/fields.ts';
import {valueOf} from '../../core/query.ts';
import {canStartOver, isBrought, savedOrder, type PurchaseFacts} from '../purchase/facts.ts';
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
  /** Whether the element says that it has lost the connection. */
  readonly isCutOff?: boolean;
  /** The bank whose account the element shows, if it is not the bank that the shopper chose. */
  readonly bank?: string;
  /** The list of banks, if the element has loaded it. */
  readonly banks?: readonly Bank[] | undefined;
}

/**
 * The state of the payment, or what comes before it: the checkout asks for a bank, the page can no longer read the
 * payment, the order asks who buys, the shopper cannot have sent money yet, the payment could not be read or is not read
 * yet, or the seller is sending all of the money back.
 */
export type State = PaymentState | 'choose-bank' | 'lost' | 'no-buyer' | 'no-code' | 'failed' | 'unread' | 'refunding';

export interface Situation {
  /** Undefined if the payment is not known, but the shopper says that the money is sent. */
  readonly state: State | undefined;
  readonly place: Place;
  /** Undefined until it is read, and if it could not be read. */
  readonly payment: Payment | undefined;
  /** Whether the page has known the payment before the money arrived. */
  readonly hasWaited: boolean | undefined;
  /** What the shopper buys, as far as the page knows. */
  readonly title: Localized | null | undefined;
  readonly code: OrderCode | undefined;
  readonly account: Bank | undefined;
  /** The amounts of an order of which only a part has arrived, even if the order was lost since. */
  readonly part: Pick<Payment, 'paid' | 'remaining'> | undefined;
  /** What the shopper needs to ask the seller about the order. A field is missing if the page does not know it. */
  readonly reference: {readonly [K in keyof OrderReference]?: OrderReference[K] | undefined};
  /**
   * Whether money may still be sent: the payment is not settled, its deadline has not passed, and the seller does not
   * have to look at it. This is the opposite of `isOver` and `isEnded`, with two exceptions. After the deadline, the
   * platform may still search for the money of a report: no money may be sent, but nothing is over or has ended. A lost
   * order has ended for the page, although its payment may not be over.
   */
  readonly mayPay: boolean;
  /** Whether the shopper has no reason to send money now. */
  readonly isPausing: boolean;
  /** Whether the seller is sending money back. */
  readonly isRefunding: boolean;
  /** Whether this page shows the order of a hand-off link. */
  readonly isBrought: boolean;
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
  /** The platform's page that a button opens; empty if the shopper has sent the money from a bank. */
  readonly via: string | undefined;
  /** Whether the page can no longer read the payment of an order whose code the shopper has seen. */
  readonly isLost: boolean;
  /** Whether the payment is being read, and what is saved says that the shopper probably has no reason to send money. */
  readonly isLoading: boolean;
  /** Whether there is nothing more to pay, and nothing more to wait for; see `mayPay`. */
  readonly isOver: boolean;
  /** Whether a card ends the payment: it is over or lost; see `mayPay`. */
  readonly isEnded: boolean;
  /** The report of a transfer without its code: whether the shopper may open its form, or has it open. */
  readonly report: 'none' | 'offered' | 'open';
  /** Whether the shopper has started such a report, but has not submitted it. */
  readonly isReportUnfinished: boolean;
  /** Whether the shopper has just submitted the report on the platform's page, and the platform soon says that it has it. */
  readonly isReportChecked: boolean;
  /** Whether the shopper has submitted the report, and the platform does not say whether it has it. */
  readonly isReportSubmitted: boolean;
  /** Where the shopper goes by leaving this order: to a new order, or back to the own order. */
  readonly leavesTo: 'new-order' | 'own-order' | 'nothing';
  /** After this time the view changes by itself; undefined if it does not. */
  readonly changesInMs: number | undefined;
}

/** The page says for this time that it checks a submitted notice. The platform usually confirms a notice faster. */
const CHECK_MS = 30_000;
/** After this time the Worker no longer asks the platform, and the shopper may report the transfer again. */
const CONFIRM_MS = 3_600_000;

/** @param now - Epoch milliseconds of this device. */
export function situationOf(facts: PurchaseFacts, now: number, place: Place): Situation {
  const {session, bank, order, orderCode} = facts;
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
  const isDone = !!payment && isFinal(payment);
  // The platform's search for the money of a report goes on after the deadline.
  const isSearching = !!notice?.sent && !isDone && !unclear && !isReturning;
  // If another tab has started another order and saved its code, only this page still has the code of a lost order.
  const isLost = !!isSessionEnded && (!isOver || isSearching) && (!!saved || orderCode.status === 'done');

  const isPartial = state === 'partial';
  const isFailed = order.payment?.status === 'failed';

  // Of a lost order, and until the page has read the payment, the amounts are the last ones that the page has read.
  const wasSettled = !payment && !!saved?.isSettled;
  const wasOver = !payment && !!saved?.isOver;
  const {paid: lastPaid = NOTHING, remaining} = ((isLost || !(payment || wasSettled)) && saved) || {};
  const lastPart = lastPaid !== NOTHING && remaining ? {paid: lastPaid, remaining} : undefined;
  const part = isPartial ? payment : lastPart;

  // The shopper says that the money is sent, and no money has arrived since. A notice that the shopper has started says
  // the same, on every device. Of a lost order, the page does not know what has arrived since. What is saved comes
  // first, because the shopper may have said it in another tab.
  const sentAfter = saved?.sentAfter ?? order.sentAfter;
  const isSent = isLost
    ? sentAfter !== undefined
    : !isDone && ((!isPartial && !!notice) || !!notice?.sent || sentAfter === paid);

  // The shopper has submitted the notice on this device. The platform soon says that it has the notice; it never does
  // so if `sent` is null.
  const passedMs = Math.abs(now - (ofOrder(facts, savedOrder(facts).report)?.at ?? Infinity));
  const isSubmitted = !!notice && passedMs < CONFIRM_MS;
  const isChecked = notice?.sent === false && passedMs < CHECK_MS;
  const isReported = !!notice?.sent || isSubmitted;
  // `vezne-payment-code` alone does not speak of reports that the platform does not have.
  const isNamed = place.in !== 'code';
  const mayReport =
    !!payment && !isDone && !unclear && !isReported && !isSessionEnded && (isSent || place.via !== 'payment-page');

  // Without a choice of the shopper, the checkout does not ask for a bank if money has arrived that could not be
  // matched, if the shopper says that the money is sent, or if the time to pay is over.
  const isWaitingFor = unclear || isReturning || (payment && (isSent || isOver) && !order.isChangingBank);
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

  const stateOf = (): Situation['state'] => {
    if (isInCheckout && !isDone && !isWaitingFor && facts.step === 'bank') return 'choose-bank';
    if (isLost) return 'lost';
    if (!isOver && orderCode.status === 'failed' && orderCode.problem.code === 'buyer_required') return 'no-buyer';
    if (isTooEarly()) return 'no-code';
    if (payment) return isReturning ? 'refunding' : payment.state;
    // `vezne-payment-code` has no words of its own for a failure.
    if (isFailed && !(isSent && place.in === 'code')) return 'failed';
    return isSent ? undefined : 'unread';
  };

  return {
    state: stateOf(),
    place,
    payment,
    hasWaited: order.hasWaited,
    title: payment?.title ?? session?.title,
    code,
    account,
    part,
    reference: {order: session?.order, ...(saved?.orderCode ?? code), ...payment},
    mayPay: !isOver,
    isPausing: isOver || isLost || isSent || wasOver || (!!isReporting && !isReported),
    isRefunding,
    isBrought: isFromHandoff,
    isReadOnly: isFromHandoff || !!isSessionEnded,
    isKept: facts.isKept,
    isOffline: isInCheckout && !facts.isOnline && !isSettled(payment),
    isSent,
    sentAt: saved?.sentAt ?? order.sentAt ?? (notice ? Date.parse(notice.at) : undefined),
    canUnsay: isSent && !notice && !isOver && !isLost,
    via: isSent ? '' : place.via,
    isLost,
    // Only after a reload: a page that has shown more keeps it.
    isLoading: !payment && !order.isCreated && !isFailed && (wasOver || (isSent && order.sentAfter === undefined)),
    isOver: isOver && (isLost || !isSearching),
    isEnded: isLost || (isOver && !isSearching),
    report: !mayReport ? 'none' : isReporting ? 'open' : 'offered',
    isReportUnfinished: isNamed && mayReport && notice?.sent === false,
    isReportChecked: isNamed && isSent && isChecked,
    isReportSubmitted: isNamed && isSent && isSubmitted && notice.sent !== false,
    leavesTo: leavesTo(facts, !!part && (isLost || isPart)),
    changesInMs: isSubmitted ? (isChecked ? CHECK_MS : CONFIRM_MS) - passedMs : undefined,
  };
}

/** @param isPartKept - Whether the seller has a part of the money, and the rest is not to be sent. */
function leavesTo(facts: PurchaseFacts, isPartKept: boolean): Situation['leavesTo'] {
  const {key, own} = facts;
  if (isBrought(facts) && (key.session !== '' || own.step === 'pay')) return 'own-order';
  // A bill has one order, on every device. Its name ends in a dot and 30 characters or more.
  const isBill = /\.[\w-]{30,}$/.test(key.offer);
  return canStartOver(facts) && !isBill && !isPartKept ? 'new-order' : 'nothing';
}
