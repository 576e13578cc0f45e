/** Texts of `vezne-payment-notice`, the form for shoppers who sent a transfer without the order code. */

import type {Locale} from '../core/locale.ts';

const tr = {
  title: 'Kodu yazmayı unuttum',
  text: 'Gönderdiğiniz parayı bulabilmemiz için bildirin. Yeniden göndermeyin.',
  notAgain: 'Parayı yeniden göndermeyin.',
  bank: 'Hangi bankadaki hesaba gönderdiniz?',
  bankChoose: 'Banka seçin',
  amount: 'Gönderdiğiniz tutar',
  when: 'Ne zaman gönderdiniz?',
  whenExactly: 'Tarih ve saat (Türkiye saatiyle)',
  justNow: 'Az önce',
  today: 'Bugün',
  yesterday: 'Dün',
  more: 'Bilgi ekleyin (isteğe bağlı)',
  name: 'Gönderenin adı soyadı',
  phone: 'Cep telefonu',
  email: 'E-posta',
  identity: 'T.C. kimlik numarası',
  identityHint: 'Bazı bankalar kimlik numarasıyla arar. Saklanmaz.',
  note: 'Not',
  noteHint: 'Dekonttaki açıklama ya da işlem numarası.',
  send: 'Ödememi bildir',
  sending: 'Gönderiliyor…',
  fieldErrors: {
    bank: 'Parayı hangi bankadaki hesaba gönderdiğinizi seçin.',
    amount: 'Gönderdiğiniz tutarı rakamla yazın, örneğin 149,90.',
    when: 'Parayı gönderdiğiniz tarihi ve saati seçin.',
    future: 'Geçmiş bir tarih ve saat seçin.',
    email: 'E-posta adresini kontrol edin.',
  },
  identityWarning: 'Bu bir T.C. kimlik numarasına benzemiyor. Doğruysa devam edin.',
};

export type PaymentNoticeMessages = typeof tr;

const en: PaymentNoticeMessages = {
  title: 'Forgot to include the code?',
  text: 'Report your transfer so that we can find your money. Don’t send it again.',
  notAgain: 'Don’t send the money again.',
  bank: 'Which bank did you send it to?',
  bankChoose: 'Choose a bank',
  amount: 'Amount you sent',
  when: 'When did you send it?',
  whenExactly: 'Date and time (Turkish time)',
  justNow: 'Just now',
  today: 'Today',
  yesterday: 'Yesterday',
  more: 'Add details (optional)',
  name: 'Sender’s full name',
  phone: 'Mobile number',
  email: 'E-mail',
  identity: 'Turkish ID number',
  identityHint: 'Some banks search by it. We don’t keep it.',
  note: 'Note',
  noteHint: 'The description or transaction number on your receipt.',
  send: 'Report my payment',
  sending: 'Sending…',
  fieldErrors: {
    bank: 'Choose the bank you sent the money to.',
    amount: 'Enter the amount you sent in digits, such as 149.90.',
    when: 'Choose the date and time you sent the money.',
    future: 'Choose a date and time in the past.',
    email: 'Check the e-mail address.',
  },
  identityWarning: 'This doesn’t look like a Turkish ID number. If it’s right, you can continue.',
};

export const paymentNoticeMessages: Record<Locale, PaymentNoticeMessages> = {tr, en};
