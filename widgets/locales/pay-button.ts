/** Texts of `vezne-pay-button`, which opens the platform's own pages. */

import type {Locale} from '../core/locale.ts';

export interface PayButtonMessages {
  readonly bankPage: string;
  readonly paymentPage: string;
  readonly leaving: string;
  readonly again: string;
}

export const payButtonMessages: Record<Locale, PayButtonMessages> = {
  tr: {
    bankPage: 'Havale ile öde',
    paymentPage: 'Cep telefonuyla öde',
    leaving: 'Ödeme sayfasına gidiliyor…',
    again: 'Ödeme sayfasını yeniden aç',
  },
  en: {
    bankPage: 'Pay by bank transfer',
    paymentPage: 'Pay with your mobile phone',
    leaving: 'Going to the payment page…',
    again: 'Open the payment page again',
  },
};
