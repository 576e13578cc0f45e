/** Texts for paying and for waiting for the payment, in Turkish. Use whole sentences only; never build a sentence from parts. */

import type {OtherText, Shown} from '../../transfer/payment/payment-views.ts';
import {checkoutMessages} from '../checkout.ts';

/** Words with the amounts of their view. */
export type Line = string | ((...amounts: string[]) => string);

export type ViewWords = readonly [title: Line, text: Line];

/** Views in which the shopper reads other words. */
type Wordless = 'choose-bank' | 'no-code' | 'no-buyer' | 'unread' | 'failed';

/** What the shopper reads in each view of a payment, and texts in place of the usual ones. */
type Views = {readonly [Name in Exclude<Shown | OtherText, Wordless | 'none'>]: ViewWords};

export const texts = {
  ...checkoutMessages.tr,

  // The code and the account
  payTitle: 'Parayı bankanızdan gönderin',
  codeLabel: 'Açıklamaya yalnızca bunu yazın',
  codeCopy: 'Kodu kopyala',
  codeCopied: 'Ödeme kodu kopyalandı.',
  ibanLabel: 'IBAN',
  ibanCopy: 'IBAN’ı kopyala',
  ibanCopied: 'IBAN kopyalandı.',
  holderLabel: 'Alıcı',
  holderCopy: 'Alıcı adını kopyala',
  holderCopied: 'Alıcı adı kopyalandı.',
  holderOf: (seller = 'Satıcı') => `${seller} adına ödeme alan kuruluş. Bankanızda bu ad görünür.`,
  amountLabel: 'Tutar',
  amountRemainingLabel: 'Kalan tutar',
  amountCopy: 'Tutarı kopyala',
  amountCopied: 'Tutar kopyalandı.',
  allCopied: 'Ödeme bilgileri kopyalandı.',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  account: 'Alıcı banka',
  bankChange: 'Bankayı değiştir',
  change: 'Değiştir',
  bankChoose: 'Banka seç',
  bankUnchosen: 'Hesap bilgilerini görmek için bir banka seçin.',
  bankGone: 'Seçtiğiniz banka artık listede değil. Ödeme kodunuz değişmez.',
  payUntil: 'Son ödeme:',
  payWithin: 'Kalan süre:',
  lastMinute: '1 dakikadan az kaldı; yetişmeyecekse göndermeyin.',
  overSoon: 'Süre dolunca nasıl devam edeceğinizi görürsünüz.',
  payOnce: 'Tutarın tamamını tek seferde gönderin.',
  openApp: (bank: string) => `${bank} uygulamasını aç`,
  share: 'Bilgileri paylaş',
  allCopy: 'Tümünü kopyala',
  sent: 'Parayı gönderdim',
  details: 'Ödeme bilgileri',
  openOnPhone: 'Telefonda aç',
  begunElsewhere: 'Bu sipariş başka bir cihazda başlatıldı; siz başlatmadıysanız ödemeyin.',
  backToOwn: 'Kendi siparişime dön',
  contactShop: 'Satıcıya, sipariş verdiğiniz mağaza üzerinden ulaşabilirsiniz.',
  codeOnly: 'Açıklamada kod yoksa ödemenizi eşleştiremeyiz.',

  // State of the payment
  unsavedCode: 'Tarayıcınız bu kodu saklayamıyor. Sayfayı kapatmadan bilgileri kopyalayın.',
  unsent: 'Henüz göndermedim',
  codeForgotten: 'Kodu yazmayı unuttum',
  cancel: 'Vazgeç',
  noticeFinish: 'Bildirimi tamamla',
  notAgain: 'Para gönderdiyseniz yeniden göndermeyin.',
  receivedAt: (bank: string) => `${bank} hesabına`,
  phoneBill: 'Telefon faturasından',
  offlinePay:
    'Son ödeme saatine kadar bu bilgilerle ödeyebilirsiniz; ödemenizin durumu bağlantı kurulunca güncellenir.',
  connectionLost: 'Bağlantı kurulamadı; yeniden deniyoruz. Ödemeniz etkilenmez.',
  accountMissing: 'Alıcı hesabını şu an gösteremiyoruz. Kodunuz ve siparişiniz kaybolmaz.',
  checkNow: 'Şimdi kontrol et',

  // Title and text of each view of a payment. What takes the place of a usual text has no title.
  views: {
    pay: ['Ödemenizi bekliyoruz', 'Bu sayfa kendiliğinden güncellenir. Kapatsanız da kodunuz kaybolmaz.'],
    unsaved: ['', 'Bu sayfa kendiliğinden güncellenir.'],
    'on-its-way': [
      (sum = '') => (sum ? `${sum} ödemenizin ulaşmasını bekliyoruz` : 'Ödemenizin ulaşmasını bekliyoruz'),
      'Paranız ulaşınca bu sayfa kendiliğinden güncellenir; yeniden göndermeyin.',
    ],
    'at-platform': [
      (sum) => `${sum} ödemenizi kontrol ediyoruz`,
      'Ödediyseniz para ulaşınca burada görünür; yeniden ödemeyin. Ödemediyseniz devam edebilirsiniz.',
    ],
    'unpaid-at-platform': [
      (sum) => `${sum} ödemeniz henüz görünmüyor`,
      'Ödediyseniz para ulaşınca burada görünür; yeniden ödemeyin. Ödemediyseniz devam edebilirsiniz.',
    ],
    'report-unfinished': [
      'Bildiriminiz henüz ulaşmadı',
      'Tamamlamadıysanız şimdi tamamlayın; parayı yeniden göndermeyin.',
    ],
    'report-checked': ['Bildiriminizi kontrol ediyoruz', 'Birkaç saniye sürebilir. Parayı yeniden göndermeyin.'],
    'report-submitted': ['Ödemenizi arıyoruz', 'Bulununca bu sayfa güncellenir; parayı yeniden göndermeyin.'],
    'report-received': ['Ödemenizi arıyoruz', 'Bulununca bu sayfa güncellenir; parayı yeniden göndermeyin.'],
    partial: [
      (paid: string, remaining: string) => `${paid} geldi, ${remaining} kaldı`,
      'Kalanı aynı kodla tek seferde gönderin.',
    ],
    'partial-at-platform': [
      (paid: string, remaining: string) => `${paid} geldi, ${remaining} kaldı`,
      'Kalanı da ödediyseniz ulaşınca burada görünür; yeniden ödemeyin. Ödemediyseniz devam edebilirsiniz.',
    ],
    'partial-over': [
      'Ödeme süresi doldu',
      (paid, remaining) => `${paid} geldi, ${remaining} eksik kaldı. Kalanını göndermeden önce satıcıya sorun.`,
    ],
    unclear: [
      'Bir ödeme geldi',
      'Siparişinize işlenmesi için satıcının onayı gerekiyor. Yeniden göndermeyin; sorunuz olursa satıcıyla iletişime geçin.',
    ],
    paid: ['Ödemeniz alındı', 'Teşekkürler. Başka bir şey yapmanız gerekmiyor.'],
    completed: ['Siparişiniz onaylandı', 'Başka bir şey yapmanız gerekmiyor.'],
    'refunded-part': ['', (refund) => `${refund} iade edildi. Size ulaşması birkaç iş günü sürebilir.`],
    late: [
      'Ödemeniz süre dolduktan sonra geldi',
      'Paranız satıcıya ulaştı; satıcı siparişinizi kontrol edecek. Yeniden göndermeyin.',
    ],
    overpaid: [
      'Ödemeniz fazla geldi',
      (extra) => `Siparişiniz ödendi. ${extra} tutarındaki fazla ödemenin iadesi için satıcıyla iletişime geçin.`,
    ],
    'paid-twice': [
      'Ödemeniz iki kez geldi',
      (extra) => `Siparişiniz ödendi. İkinci ödemenin (${extra}) iadesi için satıcıyla iletişime geçin.`,
    ],
    refunding: ['İadeniz yolda', (sum) => `${sum} iade ediliyor. Size ulaşması birkaç iş günü sürebilir.`],
    refunded: ['Ödemeniz iade edildi', 'Satıcı tutarı iade etti. Size ulaşması birkaç iş günü sürebilir.'],
    cancelled: ['Siparişiniz iptal edildi', 'Para göndermeyin. Gönderdiyseniz satıcıyla iletişime geçin.'],
    expired: [
      'Ödeme süresi doldu',
      'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz yeni bir ödeme başlatın.',
    ],
    reopen: [
      '',
      'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz yeni bir ödeme için satıcıyla iletişime geçin.',
    ],
    'expired-sent': ['Ödeme süresi doldu', 'Gönderdiğiniz para yine de satıcıya ulaşır; yeniden göndermeyin.'],
    lost: [
      'Bu sipariş buradan izlenemiyor',
      'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz yeni bir ödeme başlatın.',
    ],
    'lost-sent': [
      'Bu sipariş buradan izlenemiyor',
      'Gönderdiğiniz para satıcıya ulaşır; yeniden göndermeyin. Sorunuz olursa satıcıyla iletişime geçin.',
    ],
    'lost-elsewhere': [
      'Bu sipariş buradan izlenemiyor',
      'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz siparişi başlattığınız cihazda devam edin.',
    ],
    'lost-partial': [
      'Bu sipariş buradan izlenemiyor',
      (paid) =>
        `${paid} satıcıya ulaştı. Kalanını gönderdiyseniz yeniden göndermeyin; göndermediyseniz satıcıya sorun.`,
    ],
  } as Views,
};

export type PaymentMessages = typeof texts;
