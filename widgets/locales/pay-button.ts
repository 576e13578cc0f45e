/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

export interface PayButtonMessages {
  readonly bankPage: string;
  readonly paymentPage: string;
  readonly leaving: string;
  readonly again: string;
  readonly onItsWay: string;
}

export const payButtonMessages: Record<Locale, PayButtonMessages> = {
  tr: {
    bankPage: 'Havale / EFT / FAST ile öde',
    paymentPage: 'Cep telefonuyla öde',
    leaving: 'Ödeme sayfası açılıyor…',
    again: 'Ödeme sayfasını yeniden aç',
    onItsWay: 'Ödemenizi kontrol ediyoruz; yeniden ödemeyin.',
  },
  en: {
    bankPage: 'Pay by bank transfer',
    paymentPage: 'Pay by mobile',
    leaving: 'Opening the payment page…',
    again: 'Reopen the payment page',
    onItsWay: 'We’re checking your payment. Don’t pay again.',
  },
};
