/** Texts of `vezne-payment-notice`, the form for shoppers who sent a transfer without the order code. */

import type {Locale} from '../core/locale.ts';

export interface PaymentNoticeMessages {
  readonly title: string;
  readonly text: string;
  readonly bank: string;
  readonly bankChoose: string;
  readonly amount: string;
  readonly when: string;
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly identity: string;
  readonly identityHint: string;
  readonly note: string;
  readonly noteHint: string;
  readonly optional: string;
  readonly send: string;
  readonly sending: string;
  readonly fieldErrors: {
    readonly bank: string;
    readonly amount: string;
    readonly name: string;
    readonly email: string;
    readonly when: string;
  };
  readonly identityWarning: string;
}

export const paymentNoticeMessages: Record<Locale, PaymentNoticeMessages> = {
  tr: {
    title: 'Kodu yazmadan mı gönderdiniz?',
    text: 'Gönderdiğiniz parayı bulabilmemiz için bildirin. Yeniden göndermeyin.',
    bank: 'Hangi bankadaki hesaba gönderdiniz?',
    bankChoose: 'Banka seçin',
    amount: 'Gönderdiğiniz tutar',
    when: 'Ne zaman gönderdiniz?',
    name: 'Gönderenin adı soyadı',
    phone: 'Cep telefonu',
    email: 'E-posta',
    identity: 'T.C. kimlik numarası',
    identityHint: 'Bankanız kimlik numarasıyla arıyorsa işe yarar. Saklanmaz.',
    note: 'Not',
    noteHint: 'Dekonttaki açıklama ya da işlem numarası.',
    optional: 'isteğe bağlı',
    send: 'Ödememi bildir',
    sending: 'Gönderiliyor…',
    fieldErrors: {
      bank: 'Parayı gönderdiğiniz bankayı seçin.',
      amount: 'Tutarı rakamla yazın, örneğin 149,90.',
      name: 'Dekontta yazan adı yazın.',
      email: 'E-posta adresini kontrol edin.',
      when: 'Geçmiş bir tarih ve saat seçin.',
    },
    identityWarning: 'Bu numara bir T.C. kimlik numarasına benzemiyor; kontrol edin. Doğruysa devam edebilirsiniz.',
  },
  en: {
    title: 'Did you send it without the code?',
    text: 'Tell us, so that your money can be found. Do not send it again.',
    bank: 'To the account at which bank?',
    bankChoose: 'Choose a bank',
    amount: 'Amount you sent',
    when: 'When did you send it?',
    name: 'Name of the sender',
    phone: 'Mobile phone',
    email: 'E-mail',
    identity: 'Turkish identity number',
    identityHint: 'Helps where the bank searches by it. It is not kept.',
    note: 'Note',
    noteHint: 'The description on your receipt, or its transaction number.',
    optional: 'optional',
    send: 'Tell of my payment',
    sending: 'Sending…',
    fieldErrors: {
      bank: 'Choose the bank you sent the money to.',
      amount: 'Write the amount in digits, such as 149.90.',
      name: 'Write the name on your receipt.',
      email: 'Check the e-mail address.',
      when: 'Choose a time in the past.',
    },
    identityWarning: 'This does not look like a Turkish identity number; check it. If it is right, you can go on.',
  },
};
