/**
 * Texts for choosing a bank, and for the frame around every step. The elements' file contains them in both languages,
 * because a separate file would cost another request and more bytes. Use whole sentences only; never build a sentence
 * from parts.
 */

import type {Locale} from '../core/locale.ts';

const tr = {
  // Steps of the checkout
  transferTitle: 'Banka havalesiyle ödeme',
  dueLabel: 'Ödenecek tutar',
  steps: 'Ödeme adımları',
  stepBank: 'Banka',
  stepPay: 'Gönder',
  stepDone: 'Onay',
  next: 'Devam',
  chooseFirst: 'Devam etmek için bir banka seçin.',
  startOver: 'Yeni bir ödeme başlat',

  // Choosing a bank
  bankQuestion: 'Hangi bankadan göndereceksiniz?',
  bankSearch: 'Banka ara',
  bankLast: 'Son seçtiğiniz banka',
  bankMissing: 'Bankanız listede yoksa herhangi birini seçin: her bankadan gönderebilirsiniz.',
  bankNone: (query: string) =>
    `“${query}” ile eşleşen banka yok. Her bankadan gönderebilirsiniz; listeden birini seçin.`,
  bankShowAll: 'Bütün bankaları göster',
  bankFound: (count: number) => `${count} banka bulundu.`,
  bankListStale: 'Banka listesi şu an yenilenemiyor; bilinen son hesaplar gösteriliyor.',
  bankListEmpty: 'Şu anda para gönderilebilecek bir hesap yok.',
  bankListEmptyAdvice: 'Birazdan yeniden deneyin.',

  // Remaining amount
  amountRemainingLabel: 'Kalan tutar',

  // State of the payment
  expiredText: 'Gönderdiyseniz paranız yine ulaşır. Göndermediyseniz yeni bir ödeme başlatın.',
};

export type CheckoutMessages = typeof tr;

const en: CheckoutMessages = {
  // Steps of the checkout
  transferTitle: 'Pay by bank transfer',
  dueLabel: 'Amount to pay',
  steps: 'Payment steps',
  stepBank: 'Bank',
  stepPay: 'Send',
  stepDone: 'Done',
  next: 'Continue',
  chooseFirst: 'Choose a bank to continue.',
  startOver: 'Start a new payment',

  // Choosing a bank
  bankQuestion: 'Which bank will you send from?',
  bankSearch: 'Search banks',
  bankLast: 'The bank you chose last time',
  bankMissing: 'If your bank is not listed, choose any: you can send from any bank.',
  bankNone: (query) => `No bank matches “${query}”. You can send from any bank; choose one from the list.`,
  bankShowAll: 'Show all banks',
  bankFound: (count) => (count === 1 ? 'One bank found.' : `${count} banks found.`),
  bankListStale: 'The bank list cannot be updated right now; these are the last known accounts.',
  bankListEmpty: 'There is no account to send money to right now.',
  bankListEmptyAdvice: 'Try again in a moment.',

  // Remaining amount
  amountRemainingLabel: 'Amount left to pay',

  // State of the payment
  expiredText: 'If you have sent the money it still arrives. If not, start a new payment.',
};

export const checkoutMessages: Record<Locale, CheckoutMessages> = {tr, en};
