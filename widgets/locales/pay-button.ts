/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

export interface PayButtonMessages {
  /** The labels of the button. The amount is empty until the page knows it. */
  readonly bankPage: (amount: string) => string;
  readonly paymentPage: (amount: string) => string;
  readonly leaving: string;
  readonly again: string;
  readonly onItsWay: string;
}

export const payButtonMessages: Record<Locale, PayButtonMessages> = {
  tr: {
    bankPage: (amount) => (amount ? `Havale / EFT / FAST ile ${amount} öde` : 'Havale / EFT / FAST ile öde'),
    paymentPage: (amount) => (amount ? `Cep telefonuyla ${amount} öde` : 'Cep telefonuyla öde'),
    leaving: 'Ödeme sayfası açılıyor…',
    again: 'Ödeme sayfasını yeniden aç',
    onItsWay: 'Ödemenizi kontrol ediyoruz; yeniden ödemeyin.',
  },
  en: {
    bankPage: (amount) => (amount ? `Pay ${amount} by bank transfer` : 'Pay by bank transfer'),
    paymentPage: (amount) => (amount ? `Pay ${amount} by mobile` : 'Pay by mobile'),
    leaving: 'Opening the payment page…',
    again: 'Reopen the payment page',
    onItsWay: 'We’re checking your payment. Don’t pay again.',
  },
};

/** The text above the button if the price has changed. The button shows the new price. */
export const priceNowMessages: Record<Locale, (amount: string) => string> = {
  tr: (amount) => `Fiyat değişti; yeni tutar ${amount}.`,
  en: (amount) => `The price is now ${amount}.`,
};
