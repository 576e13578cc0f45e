/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

const tr = {
  /** The labels of the button. The amount is empty until the page knows it. */
  bankPage: (amount: string) => `Havale\u00a0/ EFT\u00a0/ FAST ile ${amount ? `${amount} ` : ''}öde`,
  paymentPage: (amount: string) => (amount ? `Cep telefonuyla ${amount} öde` : 'Cep telefonuyla öde'),
  leaving: 'Ödeme sayfası açılıyor…',
  again: 'Ödeme sayfasını yeniden aç',
  /** The shopper has left for the page of the other button, and no outcome is known. */
  leftOtherwise: 'Diğer ödeme sayfasını açtınız. Orada ödediyseniz yeniden ödemeyin.',
  notPaidOtherwise: 'Ödemedim, bu yöntemle öderim',
  onItsWay: 'Diğer yöntemle yaptığınız ödemeyi kontrol ediyoruz; yeniden ödemeyin.',
};

export type PayButtonMessages = typeof tr;

const en: PayButtonMessages = {
  bankPage: (amount) => (amount ? `Pay ${amount} by bank transfer` : 'Pay by bank transfer'),
  paymentPage: (amount) => (amount ? `Pay ${amount} by mobile` : 'Pay by mobile'),
  leaving: 'Opening the payment page…',
  again: 'Reopen the payment page',
  leftOtherwise: 'You opened the other payment page. If you’ve paid there, don’t pay again.',
  notPaidOtherwise: 'I haven’t paid, use this method',
  onItsWay: 'We’re checking the payment you made another way. Don’t pay again.',
};

export const payButtonMessages: Record<Locale, PayButtonMessages> = {tr, en};

/** The text above the button if the price has changed. The button shows the new price. */
export const priceNowMessages: Record<Locale, (amount: string) => string> = {
  tr: (amount) => `Fiyat değişti; yeni tutar ${amount}.`,
  en: (amount) => `The price is now ${amount}.`,
};
