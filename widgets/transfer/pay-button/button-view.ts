import type {Locale} from '../../core/locale.ts';
import {paymentMessages} from '../../locales/payment.ts';
import {paymentView, type PaymentView} from '../payment/payment-view.ts';
import {wordsOf} from '../payment/payment-words.ts';
import type {Purchase} from '../purchase/purchase.ts';

/** What a pay button shows of the payment, and the title of it. The payment bundle contains this function. */
export function buttonView({facts}: Purchase, via: string, locale: Locale): {view: PaymentView; title: string} {
  const view = paymentView(facts, Date.now(), {in: 'button', via});
  return {view, title: wordsOf(view, paymentMessages[locale], locale).title};
}
