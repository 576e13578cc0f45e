/**
 * Texts for choosing a bank, and for the frame around every step. The elements' file contains these texts in both
 * languages, because a separate file would cost another request and more bytes. Use whole sentences only; never build a
 * sentence from parts. Rarer texts of the bank list are in `bank-list-extras.ts`.
 */

import type {Locale} from '../core/locale.ts';

const tr = {
  // Steps of the checkout
  transferTitle: 'Havale\u00a0/ EFT\u00a0/ FAST ile ödeme',
  steps: 'Ödeme adımları',
  stepBank: 'Banka',
  stepPay: 'Ödeme',
  stepDone: 'Sonuç',
  stepFinished: 'tamamlandı',
  startOver: 'Yeni bir ödeme başlat',

  // The end of a notice of a problem
  nothingSent: 'Hesabınızdan para çıkmadı.',
  orderKept: 'Siparişiniz kaybolmaz.',

  // Choosing a bank
  bankQuestion: 'Hangi bankadan göndereceksiniz?',
  bankSearch: 'Banka ara',
  bankLast: 'Son seçtiğiniz banka',
  bankMissing: 'Bankanız listede yok mu?',
  bankMissingText: 'Her bankadan gönderebilirsiniz.',
};

export type CheckoutMessages = typeof tr;

const en: CheckoutMessages = {
  // Steps of the checkout
  transferTitle: 'Payment by bank transfer',
  steps: 'Payment steps',
  stepBank: 'Bank',
  stepPay: 'Pay',
  stepDone: 'Done',
  stepFinished: 'completed',
  startOver: 'Start a new payment',

  // The end of a notice of a problem
  nothingSent: 'No money has left your account.',
  orderKept: 'You won’t lose your order.',

  // Choosing a bank
  bankQuestion: 'Which bank will you pay from?',
  bankSearch: 'Search banks',
  bankLast: 'Last used',
  bankMissing: 'Bank not listed?',
  bankMissingText: 'You can pay from any bank.',
};

export const checkoutMessages: Record<Locale, CheckoutMessages> = {tr, en};
