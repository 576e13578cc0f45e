import type {Locale} from '../../core/locale.ts';
import {paymentMessages} from '../../locales/payment.ts';
import {paymentView, type PaymentView} from '../payment/payment-view.ts';
import {wordsOf} from '../payment/payment-words.ts';
import type {Purchase} from '../purchase/purchase.ts';

/** What a pay button shows of the payment, and says in its own place. The payment bundle contains this function. */
export function buttonView({facts}: Purchase, via: string, locale: Locale): {view: PaymentView; note: string} {
  const view = paymentView(facts, Date.now(), {in: 'button', via});
  const {title, text} = wordsOf(view, paymentMessages[locale], locale);
  return {view, note: view.isOver ? title : text};
}
