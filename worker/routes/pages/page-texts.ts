/** The texts of the pages that the Worker serves. The elements on these pages have texts of their own. */

export type Language = 'tr' | 'en';

/** Why a page shows no payment: a title and a sentence. */
type Notice = readonly [title: string, text: string];

const tr = {
  name: 'Türkçe',
  payment: 'Ödeme',
  subscription: 'Abonelik',
  refund: 'İade',
  questions: 'Satıcıya ulaşın',
  thisPage: 'Bu sayfa',
  onPhone: 'Bu sayfayı telefonunuzda açmak için kodu okutun ya da bağlantıyı paylaşın.',
  onPaper: 'Ödemek için kodu okutun ya da bu adresi açın:',
  qr: 'Bu sayfanın karekodu',
  share: 'Bağlantıyı paylaş',
  copied: 'Bağlantı kopyalandı',
  print: 'Yazdır',
  /** What follows a subscription's price, by the platform's name of the period. */
  each: {daily: ' / gün', weekly: ' / hafta', monthly: ' / ay', yearly: ' / yıl'} as Partial<Record<string, string>>,
  until: (time: string) => `Son ödeme: ${time}`,
  noScript:
    'Bu sayfa şu anda tam çalışmıyor. Ödemeye ödeme kuruluşunun banka sayfasında devam edebilirsiniz. Havale açıklamasına yazacağınız kodu orada görürsünüz.',
  noScriptContact:
    'Bu sayfa açılamadı. Sayfayı yenileyin; JavaScript kapalıysa açın. Sorun sürerse satıcıyla iletişime geçin.',
  toBanks: 'Banka sayfasına git',
  sent: 'Parayı gönderdiyseniz yeniden ödemeyin. Para gelince satıcıya haber verilir.',
  priceChanged: 'Fiyat değişti. Devam etmeden önce yeni tutara bakın.',
  notices: {
    unknown: [
      'Bu bağlantı geçerli değil',
      'Bağlantının tamamını açtığınızdan emin olun ya da satıcıdan yeni bir bağlantı isteyin.',
    ],
    expired: ['Bu bağlantının süresi doldu', 'Ödemek için satıcıdan yeni bir bağlantı isteyin.'],
    paid: ['Bu fatura ödendi', 'Yeniden ödemeyin. Sorunuz varsa satıcıyla iletişime geçin.'],
    cancelled: ['Bu fatura iptal edildi', 'Ödeme yapmayın. Sorunuz varsa satıcıyla iletişime geçin.'],
    misconfigured: ['Satıcı şu anda ödeme alamıyor', 'Daha sonra yeniden deneyin ya da satıcıyla iletişime geçin.'],
    limited: ['Çok fazla istek geldi', 'Bir dakika bekleyip yeniden deneyin.'],
    human: ['Bu ödeme için JavaScript gerekli', 'Tarayıcınızda JavaScript’i açıp sayfayı yenileyin.'],
    invalid: ['İstek anlaşılamadı', 'Sayfayı yeniden açıp bir daha deneyin.'],
    busy: ['Şu anda bağlantı kurulamıyor', 'Birkaç dakika sonra yeniden deneyin.'],
  } satisfies Record<string, Notice>,
};

const en: typeof tr = {
  name: 'English',
  payment: 'Payment',
  subscription: 'Subscription',
  refund: 'Refund',
  questions: 'Contact the seller',
  thisPage: 'This page',
  onPhone: 'To open this page on your phone, scan the code or share the link.',
  onPaper: 'To pay, scan the code, or open this address:',
  qr: 'QR code of this page',
  share: 'Share the link',
  copied: 'Link copied',
  print: 'Print',
  each: {daily: ' a day', weekly: ' a week', monthly: ' a month', yearly: ' a year'},
  until: (time) => `Pay until ${time}`,
  noScript:
    'This page does not fully work at the moment. You can continue on the payment platform’s bank page. There you see the code to write into the description of your transfer.',
  noScriptContact:
    'This page did not open. Reload it; if JavaScript is off, turn it on. If that does not help, contact the seller.',
  toBanks: 'Go to the bank page',
  sent: 'If you have sent the money, do not pay again. The seller is told when the money arrives.',
  priceChanged: 'The price has changed. Look at the new amount before you continue.',
  notices: {
    unknown: ['This link is not valid', 'Make sure that you opened the whole link, or ask the seller for a new one.'],
    expired: ['This link has expired', 'To pay, ask the seller for a new link.'],
    paid: ['This bill is paid', 'Do not pay again. If you have a question, contact the seller.'],
    cancelled: ['This bill was cancelled', 'Do not pay. If you have a question, contact the seller.'],
    misconfigured: ['The seller cannot take payments now', 'Try again later, or contact the seller.'],
    limited: ['Too many requests', 'Wait a minute, then try again.'],
    human: ['This payment needs JavaScript', 'Turn JavaScript on in your browser, and reload the page.'],
    invalid: ['The request could not be understood', 'Open the page again, and try once more.'],
    busy: ['There is no connection now', 'Try again in a few minutes.'],
  },
};

export const PAGE_TEXTS: Readonly<Record<Language, typeof tr>> = {tr, en};
export type NoticeName = keyof typeof tr.notices;
