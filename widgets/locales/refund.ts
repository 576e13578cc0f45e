/** Texts of `vezne-refund-contact`, with which a shopper says where the money of a refund link goes. */

import type {ShownRefund} from '../../worker/contract/browser/answers.ts';
import type {IbanError} from '../../worker/contract/readers/iban.ts';
import type {Locale} from '../core/locale.ts';

/** The states in which the link has ended, or nobody may send details now. */
export type EndState = Exclude<ShownRefund['state'], 'open' | 'refused'>;
type Text = (seller: string) => string;

const tr = {
  title: 'Size iade edilecek tutar',
  /** Below the amount. */
  from: (seller: string, title: string) => [seller, title].filter(Boolean).join(' · '),
  text: 'İadenin yatırılacağı hesabı girin. Hesap sizin adınıza olmalı.',
  name: 'Hesap sahibinin adı soyadı',
  iban: 'IBAN',
  ibanHint: 'TR ile başlar; banka uygulamanızda hesap bilgilerinde yazar.',
  bank: 'Banka',
  amount: 'İade tutarı',
  continue: 'Devam et',
  checkTitle: 'Bilgileri kontrol edin',
  checkText: 'Para bu hesaba yatırılır. Gönderdikten sonra hesabı değiştiremezsiniz.',
  send: (amount: string) => `İade talebini gönder · ${amount}`,
  edit: 'Düzelt',
  sending: 'Gönderiliyor…',
  refused: 'Bu hesap bilgileri kabul edilmedi. Ad soyadı ve IBAN’ı kontrol edin ya da başka bir hesap yazın.',
  notSent: 'Bilgileriniz iletilemedi, para gönderilmedi.',
  mayResend: (seconds: number) => `${seconds}\u00a0saniye sonra yeniden gönderebilirsiniz.`,
  lost: 'Yanıt gelmedi. Aynı bilgilerle yeniden deneyebilirsiniz: iade yalnızca bir kez yapılır.',
  time: 'İadeler bankaya gün sonunda iletilir. Paranın hesabınıza ulaşması birkaç iş günü sürebilir.',
  until: (time: string) => `Bağlantının son kullanım tarihi: ${time}`,
  someone: 'Satıcı',
  assurance: 'İadeniz bundan etkilenmez.',
  subject: 'İade',
  nameError: 'Hesap sahibinin adını ve soyadını yazın.',
  ibanErrors: {
    missing: 'IBAN’ınızı yazın.',
    foreign: 'TR ile başlayan bir IBAN yazın.',
    length: 'IBAN’da TR’den sonra 24\u00a0rakam olur. Eksik ya da fazla rakam var.',
    mistyped: 'IBAN’da bir yazım hatası var. Rakamları kontrol edin.',
  } satisfies Record<IbanError, string>,
  ends: {
    sent: ['İade talebiniz alındı', () => ''],
    checking: [
      'İadeniz kontrol ediliyor',
      () => 'Bilgileriniz gönderildi, sonucu bekliyoruz. Yeniden göndermeyin; bu sayfa kendiliğinden güncellenir.',
    ],
    used: [
      'Bu bağlantı kullanıldı',
      (seller) => `Hesap bilgileri gönderildi. Siz göndermediyseniz ${seller} ile hemen iletişime geçin.`,
    ],
    expired: [
      'Bu bağlantının süresi doldu',
      (seller) => `Bu bağlantıyla para gönderilmedi. ${seller} size yeni bir bağlantı gönderebilir.`,
    ],
    withdrawn: [
      'Bu bağlantı geri çekildi',
      (seller) => `Bu bağlantıyla para gönderilmedi. Bilgi için ${seller} ile iletişime geçin.`,
    ],
    unavailable: [
      'Bu bağlantıyla iade yapılamıyor',
      (seller) => `Para başka bir yoldan iade edilmiş olabilir. Bilgi için ${seller} ile iletişime geçin.`,
    ],
  } as Record<EndState, readonly [string, Text]>,
  unknownTitle: 'Bu bağlantı geçerli değil',
  unknownText: 'Bağlantının tamamını açtığınızdan emin olun ya da satıcıdan yeni bir bağlantı isteyin.',
};

export type RefundMessages = typeof tr;

const en: RefundMessages = {
  title: 'Your refund',
  from: tr.from,
  text: 'Enter the account to send your refund to. It must be in your name.',
  name: 'Account holder’s full name',
  iban: 'IBAN',
  ibanHint: 'It starts with TR. You’ll find it in your bank app, with your account details.',
  bank: 'Bank',
  amount: 'Refund amount',
  continue: 'Continue',
  checkTitle: 'Check your details',
  checkText: 'The money goes to this account. You can’t change the account afterwards.',
  send: (amount) => `Send my ${amount} refund`,
  edit: 'Edit',
  sending: 'Sending…',
  refused: 'These details weren’t accepted. Check the name and the IBAN, or enter another account.',
  notSent: 'Your details weren’t passed on, and no money was sent.',
  mayResend: (seconds) => `You can send them again in ${seconds}\u00a0second${seconds > 1 ? 's' : ''}.`,
  lost: 'No answer came. You can try again with the same details: the refund is made only once.',
  time: 'Refunds are passed to the bank at the end of the day. The money can take a few business days to reach you.',
  until: (time) => `You can use this link until ${time}.`,
  someone: 'the seller',
  assurance: 'Your refund isn’t affected.',
  subject: 'Refund',
  nameError: 'Enter the account holder’s full name.',
  ibanErrors: {
    missing: 'Enter your IBAN.',
    foreign: 'Enter an IBAN that starts with TR.',
    length: 'An IBAN has 24\u00a0digits after TR. Some are missing, or there are too many.',
    mistyped: 'There is a typing mistake in the IBAN. Check the digits.',
  },
  ends: {
    sent: ['We’ve received your details', () => ''],
    checking: [
      'We’re checking your refund',
      () =>
        'Your details were sent, and we’re waiting for the result. Don’t send them again; this page updates itself.',
    ],
    used: [
      'This link was used',
      (seller) => `Account details were sent. If you didn’t send them, contact ${seller} at once.`,
    ],
    expired: ['This link has expired', (seller) => `No money was sent through it. Ask ${seller} for a new link.`],
    withdrawn: [
      'This link was withdrawn',
      (seller) => `No money was sent through it. To ask about your refund, contact ${seller}.`,
    ],
    unavailable: [
      'This link can’t be used for a refund',
      (seller) => `It may have been refunded in another way. Ask ${seller}.`,
    ],
  },
  unknownTitle: 'This link isn’t valid',
  unknownText: 'Make sure that you opened the whole link, or ask the seller for a new one.',
};

export const refundMessages: Record<Locale, RefundMessages> = {tr, en};
