/** The names of the states in the list of the builder. */

type Name = readonly [tr: string, en: string];

export const STATE_NAMES = {
  // A payment
  pay: ['kod alındı', 'with an order code'],
  'no-code': ['kod alınamadı', 'no code'],
  'no-buyer': ['bilgileri soruluyor', 'asked for details'],
  'on-its-way': ['para gönderildi', 'the money is sent'],
  'qr-code': ['QR kodu açık', 'with the QR code'],
  partial: ['eksik ödendi', 'paid in part'],
  'partial-over': ['eksik ödendi, süre doldu', 'paid in part, time over'],
  unclear: ['para eşleşmedi', 'unclear money'],
  'report-unfinished': ['bildirim yarım kaldı', 'report unfinished'],
  'report-checked': ['bildirim kontrol ediliyor', 'report checked'],
  'report-submitted': ['bildirim gönderildi', 'report submitted'],
  'report-received': ['bildirim ulaştı', 'report received'],
  paid: ['ödendi', 'paid'],
  completed: ['sipariş onaylandı', 'completed'],
  late: ['geç ödendi', 'paid late'],
  overpaid: ['fazla ödendi', 'paid too much'],
  'paid-twice': ['iki kez ödendi', 'paid twice'],
  refunding: ['iade istendi', 'a refund is requested'],
  refunded: ['iade edildi', 'refunded'],
  cancelled: ['iptal edildi', 'cancelled'],
  expired: ['süre doldu', 'expired'],
  'expired-sent': ['süre doldu, para yolda', 'expired, money sent'],
  lost: ['izlenemiyor', 'cannot be tracked'],
  'lost-partial': ['eksik ödendi, izlenemiyor', 'paid in part, cannot be tracked'],
  'lost-sent': ['para gönderildi, izlenemiyor', 'money sent, cannot be tracked'],
  'lost-elsewhere': ['başka cihazdan, izlenemiyor', 'from another device, cannot be tracked'],
  'at-platform': ['banka sayfasından döndü', 'back from the bank page'],
  'unpaid-at-platform': ['ödemeden döndü', 'back without paying'],
  'partial-at-platform': ['eksik ödeyip döndü', 'back, paid in part'],
  'phone-bill': ['telefon faturasıyla', 'by phone bill'],
  link: ['bağlantıyla açıldı', 'opened by a link'],
  brought: ['başka cihazdan', 'from another device'],
  unread: ['ödeme okunuyor', 'payment not read yet'],
  failed: ['ödeme okunamadı', 'payment unreadable'],
  // Lists and forms
  chosen: ['banka seçildi', 'a bank is chosen'],
  disabled: ['kapalı', 'disabled'],
  empty: ['banka yok', 'no banks'],
  form: ['form', 'the form'],
  invalid: ['form boş gönderildi', 'sent empty'],
  // A subscription
  recognized: ['numara tanındı', 'the number is recognized'],
  'another-number': ['başka numara', 'another number'],
  'pin-asked': ['SMS kodu soruluyor', 'asked for the PIN'],
  'pin-wrong': ['yanlış kod', 'a wrong PIN'],
  subscribed: ['abone oldu', 'subscribed'],
  'already-subscribed': ['zaten abone', 'already subscribed'],
  'not-eligible': ['abone olunamıyor', 'not eligible'],
  'outcome-unknown': ['sonuç belli değil', 'outcome unknown'],
  active: ['aktif', 'active'],
  retry: ['ödeme yeniden denenecek', 'payment to be retried'],
  suspend: ['askıda', 'suspended'],
  rejected: ['reddedildi', 'rejected'],
  unknown: ['durumu bilinmiyor', 'state unknown'],
  'cancel-asked': ['iptal soruluyor', 'asked whether to cancel'],
  // A refund
  summary: ['özet', 'the summary'],
  sent: ['talep alındı', 'accepted'],
  checking: ['kontrol ediliyor', 'being checked'],
  refused: ['hesap kabul edilmedi', 'account refused'],
  used: ['bağlantı kullanıldı', 'link used'],
  'link-expired': ['bağlantının süresi doldu', 'link expired'],
  withdrawn: ['geri çekildi', 'withdrawn'],
  'money-gone': ['iade edilemiyor', 'cannot be refunded'],
  // Any element
  loading: ['yükleniyor', 'loading'],
  unavailable: ['hizmet yanıt vermiyor', 'service unavailable'],
  'rate-limited': ['çok fazla istek', 'rate limited'],
  'not-on-sale': ['satışta değil', 'not on sale'],
  unreachable: ['bağlantı yok', 'no connection'],
} as const satisfies Readonly<Record<string, Name>>;

export type StateName = keyof typeof STATE_NAMES;

const NAMES: Readonly<Record<string, Name>> = {...STATE_NAMES, '': ['yeni müşteri', 'a new shopper']};

/** The name of a state; the state itself if it has no name. @param state - Empty for a new shopper's. */
export const nameOfState = (state: string, language: string): string =>
  NAMES[state]?.[language === 'tr' ? 0 : 1] ?? state;
