/** How the card that ends a payment looks in each view, and which ways on it offers. */

import type {Result} from '../../core/result.ts';
import type {Shown} from '../payment/payment-views.ts';

/** A view that has no card: the shopper has to do something, or sees something else. */
type WithoutCard =
  | 'choose-bank'
  | 'no-buyer'
  | 'no-code'
  | 'failed'
  | 'unread'
  | 'report-unfinished'
  | 'partial'
  | 'partial-at-platform'
  | 'unpaid-at-platform'
  | 'at-platform'
  | 'pay';

/** `ended` and `refused`: there is no code, because the session has ended, or the order was refused. */
export type CardName = Exclude<Shown, WithoutCard> | 'ended' | 'refused';

export interface Card {
  readonly tone: Result['tone'];
  /** The SVG path of a sign that replaces the tone's sign. */
  readonly sign?: string;
  /** Whether all of the money has arrived, so that the card shows the page's own next step in the slot `paid`. */
  readonly isPaid?: true;
  /** Whether there is something to print and to share. */
  readonly isReceipt?: true;
  /** Whether the title is another one if the money is in another currency. */
  readonly mayBeForeign?: true;
  /** How many of the seller's contacts are shown; all by default. */
  readonly maxContacts?: number;
  /**
   * The text of the button that starts a new payment. A shopper who may have sent money says not to have paid. With
   * `backToOwn`, the card offers only the way back to the own order; without it, no way at all.
   */
  readonly again?: 'startOver' | 'notSent' | 'orderAgain' | 'backToOwn';
  /** Whether that button is the only way if the page does not know how to reach the seller. */
  readonly isAgainNeeded?: true;
  /** Whether the code is left out, because it is of no use without instructions. */
  readonly isCodeless?: true;
  /** Where the money is, while the shopper waits for it. */
  readonly point?: 'bankPoint' | 'searchPoint';
}

const CLOCK = 'M12 5v7.5l4.5 2.5';
const INFO = 'M12 11v6.5M12 6.5v.5';
const CROSS = 'm7 7 10 10M17 7 7 17';
const PLUS = 'M12 6v12M6 12h12';
const ARROW_BACK = 'M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3';

const PAID = {tone: 'good', isPaid: true, isReceipt: true, again: 'orderAgain'} as const;
const OVERPAID = {...PAID, tone: 'stopped', sign: PLUS} as const;
// The shopper waits for the refund.
const REFUNDED = {tone: 'over', sign: ARROW_BACK, isReceipt: true, maxContacts: 1} as const;
const EXPIRED = {tone: 'over', sign: CLOCK, again: 'notSent'} as const;
const LOST = {...EXPIRED, sign: INFO} as const;
const SEARCHED = {...EXPIRED, point: 'searchPoint'} as const;
// The payment has not ended: the card has no button, and its sign is not shown.
const WAIT = {tone: 'over'} as const;

const CARDS: Readonly<Record<CardName, Card>> = {
  paid: PAID,
  completed: PAID,
  // The seller still decides about this order.
  late: {...OVERPAID, sign: CLOCK, again: 'backToOwn'},
  overpaid: OVERPAID,
  'paid-twice': OVERPAID,
  refunding: {...REFUNDED, again: 'backToOwn'},
  refunded: {...REFUNDED, again: 'startOver'},
  cancelled: {tone: 'over', sign: CROSS, again: 'startOver'},
  unclear: {tone: 'stopped', isReceipt: true, mayBeForeign: true, again: 'backToOwn'},
  'partial-over': {tone: 'stopped', sign: CLOCK, isReceipt: true, again: 'backToOwn'},
  expired: EXPIRED,
  'expired-sent': {...EXPIRED, isAgainNeeded: true},
  lost: LOST,
  'lost-sent': LOST,
  'lost-partial': LOST,
  'lost-elsewhere': {...LOST, again: 'backToOwn'},
  'on-its-way': {...WAIT, point: 'bankPoint'},
  'report-checked': SEARCHED,
  'report-submitted': SEARCHED,
  'report-received': {...WAIT, point: 'searchPoint'},
  ended: {tone: 'over', sign: CLOCK, again: 'startOver', isCodeless: true},
  refused: {tone: 'stopped', isCodeless: true, again: 'backToOwn'},
};

/** @param name - The view; it has no card for a moment, while the element around it changes. */
export function cardOf(name: CardName | Shown): Card {
  return (CARDS as Readonly<Partial<Record<typeof name, Card>>>)[name] ?? WAIT;
}
