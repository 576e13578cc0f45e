import {formatAmount} from '../../core/format.ts';
import type {Locale} from '../../core/locale.ts';
import type {Line, PaymentMessages, ViewWords} from '../../locales/payment.ts';
import type {PaymentView} from './payment-view.ts';

/** What the shopper reads. The text may be empty. */
export interface Words {
  readonly title: string;
  readonly text: string;
}

export function wordsOf({is, text, amounts}: PaymentView, t: PaymentMessages, locale: Locale): Words {
  const views: {readonly [name in PaymentView['text']]?: ViewWords} = t.views;
  return {
    title: fillIn(views[is]?.[0], amounts, locale),
    text: fillIn(views[text]?.[1], amounts, locale),
  };
}

/** Puts amounts into words. */
export function fillIn(line: Line = '', amounts: readonly string[], locale: Locale): string {
  return typeof line === 'string' ? line : line(...amounts.map((amount) => formatAmount(amount, locale)));
}
