/**
 * Everything that a page knows of one purchase, as one value that is never changed, and every event that leads from one
 * such value to the next. What the shopper sees of it is decided in `payment/payment-view.ts`.
 */

import type {NewPaymentSession, OrderCode, Payment, RedeemedSession} from '../../../worker/contract/browser/answers.ts';
import type {Problem} from '../../core/problem.ts';
import type {QueryResult} from '../../core/query.ts';
import type {HandoffLink} from './handoff-link.ts';
import type {CheckoutStep, PurchaseKey, SavedOrder} from './saved-order.ts';

/** An open session. Title and amount are missing if the merchant's server created it. */
export type OpenSession = Pick<NewPaymentSession, 'token'> &
  Partial<Pick<NewPaymentSession, 'human_check' | 'order' | 'create_until' | 'buyer_form'>> &
  Partial<Pick<RedeemedSession, 'title' | 'amount'>>;

/** What happened to the order that is shown. Another order begins with nothing. */
interface OrderHistory {
  /** Whether this page has opened the session itself. Otherwise, the order may be paid already. */
  readonly isCreated?: boolean;
  /** Whether the Worker no longer accepts the session. The saved instructions are still shown. */
  readonly isSessionEnded?: boolean;
  /** The bank whose account an element shows, or empty. By default, this is the bank that the shopper chose. */
  readonly shownBank?: string;
  /** The last answer about the payment. */
  readonly payment?: QueryResult<Payment>;
  /** Whether the page has known the payment of this order before the money arrived. */
  readonly hasWaited?: boolean;
  /** The amount that had arrived when the shopper said on this page that the money is sent. */
  readonly sentAfter?: string | undefined;
  /** When the shopper said so, in epoch milliseconds. */
  readonly sentAt?: number | undefined;
  /** Whether the shopper has opened the form for a transfer without its code. */
  readonly isReporting?: boolean;
  /** Whether a shopper with no reason to send money now has asked for the banks all the same. */
  readonly isChangingBank?: boolean;
}

export interface PurchaseFacts {
  readonly key: PurchaseKey;
  /** Undefined until the session is open. */
  readonly session: OpenSession | undefined;
  readonly orderCode: QueryResult<OrderCode>;
  /** The bank that the page named when it requested the order code. The answer contains the account at this bank. */
  readonly codeBank: string;
  /** What the browser has saved of the shopper's own order. Another tab may have saved it. */
  readonly own: Partial<SavedOrder>;
  /** What the browser has saved of the order that a hand-off link brought. The own order is kept beside it. */
  readonly brought: Partial<SavedOrder>;
  /** Whether the shopper finds the order again after closing the page. The merchant's server knows its own orders. */
  readonly isKept: boolean;
  readonly isOnline: boolean;
  /** Which of the two is shown. */
  readonly shown: 'own' | 'brought';
  readonly order: OrderHistory;
  /** Whether a new session has silently replaced one that the Worker rejected. The page replaces only one session. */
  readonly isSessionReplaced?: boolean;
  /** The id of the chosen account, or an empty string. */
  readonly bank: string;
  /** The id of the account that the shopper last chose at this Worker before this page, for any offer; or empty. */
  readonly lastBank: string;
  readonly step: CheckoutStep;
  /** The amount in the page's script, if the offer costs another amount now. The shopper has to choose the bank again. */
  readonly outdatedAmount?: string | undefined;
  /** The hand-off link that opened this page, until the shopper has decided whether to open its order. */
  readonly link: HandoffLink | undefined;
  /** Why the link could not be opened. The next choice that the shopper makes removes this problem. */
  readonly linkProblem?: Problem | undefined;
  /** The session of the link's order that the shopper has just agreed to open. */
  readonly acceptedToken?: string | undefined;
}

type Choice = Partial<Pick<PurchaseFacts, 'bank' | 'step'>>;

export type Answers = Pick<
  PurchaseFacts,
  'session' | 'orderCode' | 'codeBank' | 'own' | 'brought' | 'isKept' | 'isOnline'
>;

/** What a page knows before it shows its first order. */
type FirstFacts = Omit<PurchaseFacts, 'session' | 'orderCode' | 'order' | 'shown' | 'bank' | 'step'>;

/** Tells what a page knows after an event. */
export type Next<E> = (facts: PurchaseFacts, event: E) => PurchaseFacts;

/** What can happen to the order: a choice of the shopper, an answer of the Worker. `payment-events.ts` has the rest. */
export type OrderEvent =
  /** The page has read what the Worker has answered so far, what all tabs have saved, and whether it is online. */
  | {readonly is: 'answers-read'; readonly answers: Answers}
  /** The shopper has chosen a bank, or a step of the checkout. */
  | {readonly is: 'chosen'; readonly choice: Choice}
  | {readonly is: 'session-created'; readonly session: NewPaymentSession}
  /** The shopper leaves this order for a new one, or for the own order. */
  | {readonly is: 'started-over'};

/** What the page knows after an event of the order. */
export function nextOrder(facts: PurchaseFacts, event: OrderEvent): PurchaseFacts {
  const {order} = facts;
  switch (event.is) {
    case 'answers-read':
      return {...facts, ...event.answers};
    case 'chosen':
      return choose(facts, event.choice);
    case 'session-created':
      return save({...facts, order: {...order, isCreated: true}}, {session: event.session, attempt: undefined});
    case 'started-over': {
      // If another tab has already started a new order, continue with that order.
      const isLeft = isBrought(facts) || savedOrder(facts).session?.token === facts.session?.token;
      const left = isLeft && {session: undefined, instructions: undefined, attempt: undefined};
      return showOrder(save(facts, {step: 'bank', ...left}), 'own');
    }
  }
}

/** What the browser has saved of the order that is shown. */
export function savedOrder(facts: PurchaseFacts): Partial<SavedOrder> {
  return facts[facts.shown];
}

/** Whether the order of a hand-off link is shown. */
export function isBrought({shown}: PurchaseFacts): boolean {
  return shown === 'brought';
}

/** Whether the page may start another payment, or return to the shopper's own order. */
export function canStartOver(facts: PurchaseFacts): boolean {
  return isBrought(facts) || facts.key.offer !== '';
}

/**
 * Whether nobody can have sent money yet: this page starts the order, and has not shown its code. The order of a session
 * that the merchant's server created, or that the browser had saved, may have been paid elsewhere.
 */
export function isUnseen(facts: PurchaseFacts): boolean {
  const {instructions, session} = savedOrder(facts);
  return !!facts.key.offer && !instructions && (!!facts.order.isCreated || !session);
}

export function choose(facts: PurchaseFacts, choice: Choice): PurchaseFacts {
  return save({...facts, ...choice, linkProblem: undefined}, choice);
}

/** Shows the own order or the link's order as the browser has saved it. The answers about another order are dropped. */
export function showOrder(facts: FirstFacts, shown: PurchaseFacts['shown']): PurchaseFacts {
  const {bank = facts.lastBank, step} = facts[shown];
  return {
    ...facts,
    session: undefined,
    orderCode: {status: 'pending'},
    order: {},
    shown,
    bank,
    step: step === 'pay' ? step : 'bank',
    linkProblem: undefined,
  };
}

export function save(facts: PurchaseFacts, change: Partial<SavedOrder>): PurchaseFacts {
  return {...facts, [facts.shown]: {...savedOrder(facts), ...change}};
}
