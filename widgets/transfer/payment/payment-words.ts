import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import type {Line, PaymentMessages} from '../../locales/payment.ts';
import type {PaymentView} from './payment-view.ts';

/** The icon and the colors of the status. */
export type Mood = 'waiting' | 'attention' | 'good' | 'late' | 'overpaid' | 'refunded' | 'expired' | 'over';

/** The moods of the views in which the shopper does more than wait for money that may have been sent. */
const MOODS: {readonly [View in PaymentView['is']]?: Mood} = {
  'unpaid-at-platform': 'attention',
  'report-unfinished': 'attention',
  partial: 'attention',
  'partial-at-platform': 'attention',
  'partial-over': 'over',
  unclear: 'attention',
  paid: 'good',
  completed: 'good',
  late: 'late',
  overpaid: 'overpaid',
  'paid-twice': 'overpaid',
  refunding: 'refunded',
  refunded: 'refunded',
};

/** What the shopper reads. The text may be empty. */
export interface Words {
  readonly mood: Mood;
  readonly title: string;
  readonly text: string;
}

export function wordsOf(view: PaymentView, t: PaymentMessages, locale: Locale): Words {
  const {is, isOver, isLost, amounts} = view;
  const views: {readonly [View in PaymentView['is']]?: readonly [title: Line, text: Line]} = t.views;
  const [title, text] = views[is] ?? ['', ''];
  return {
    // After the deadline and of a lost order, the status is shown in the card that ends a payment.
    mood: MOODS[is] ?? (isOver || isLost ? 'expired' : 'waiting'),
    title: fillIn(title, amounts, locale),
    text: fillIn(exceptionalText(view, t) ?? text, amounts, locale),
  };
}

/** Puts amounts into words. */
export function fillIn(line: Line, amounts: readonly string[], locale: Locale): string {
  return typeof line === 'string' ? line : line(...amounts.map((amount) => formatAmount(amount, locale)));
}

/** The text in place of the usual text of a view. */
function exceptionalText(view: PaymentView, t: PaymentMessages): Line | undefined {
  switch (view.is) {
    case 'pay':
      return view.isOffline ? '' : view.isKept ? undefined : t.unsavedText;
    case 'overpaid':
    case 'paid-twice':
    case 'late':
      return view.isRefunding ? t.views.refunding[1] : undefined;
    case 'paid':
    case 'completed':
      return view.isRefunding ? t.views.refunding[1] : Number(view.amounts[0]) > 0 ? t.refundedPartText : undefined;
    // The text names the step that the page offers.
    case 'expired':
    case 'lost':
      if (view.leavesTo === 'new-order') return undefined;
      return view.leavesTo === 'nothing' ? t.reopenText : t.views['lost-elsewhere'][1];
    default:
      return undefined;
  }
}
