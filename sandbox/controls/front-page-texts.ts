/** The texts of the front page, in Turkish and English, and the body that the form of each control shows first. */

import type {Language} from '../pay/texts.ts';

export type Group = 'payments' | 'mobile' | 'platform';

export interface ControlForm extends Readonly<Record<Language, string>> {
  readonly group: Group;
  /** The body that the form of a POST shows first. */
  readonly body?: object;
  /** What the values of the body mean. */
  readonly values?: Readonly<Record<Language, string>>;
}

/** The form of each control, by method and path. */
export const CONTROL_FORMS: Readonly<Record<string, ControlForm>> = {
  'POST /_sandbox/transfers': {
    group: 'payments',
    tr: 'Para gönder',
    en: 'Send money',
    body: {description: '123456789012', bank: 'ziraat', amount: '149.90'},
  },
  'GET /_sandbox/transfers': {group: 'payments', tr: 'Gönderilen paralar', en: 'Transfers'},
  'POST /_sandbox/transfers/{id}/status': {
    group: 'payments',
    tr: 'Para hareketinin durumunu değiştir',
    en: 'Change a transfer’s status',
    body: {status: 5},
    values: {
      tr: '1 işleniyor · 2 bildirilemedi · 3 başarılı · 5 iş yerinin onayı bekleniyor · 6 iade edildi · 8 eksik ödeme',
      en: '1 processing · 2 could not notify · 3 successful · 5 waiting for the merchant · 6 refunded · 8 partial payment',
    },
  },
  'GET /_sandbox/orders': {group: 'payments', tr: 'Siparişler', en: 'Orders'},
  'GET /_sandbox/notices': {group: 'payments', tr: 'Ödeme bildirimleri', en: 'Payment notices'},
  'POST /_sandbox/notices/{code}/approve': {
    group: 'payments',
    tr: 'Ödeme bildirimini onayla',
    en: 'Approve a payment notice',
    body: {transaction_id: 1},
  },
  'POST /_sandbox/notices/{code}/status': {
    group: 'payments',
    tr: 'Ödeme bildiriminin durumunu değiştir',
    en: 'Change a notice’s status',
    body: {status: -1},
    values: {
      tr: '-1 etkin değil · 0 gönderilmesi bekleniyor · 1 işleniyor',
      en: '-1 inactive · 0 waiting for submission · 1 processing',
    },
  },
  'POST /_sandbox/day-end': {
    group: 'payments',
    tr: 'Gün sonu yap, iadeleri sonuçlandır',
    en: 'End the day and settle refunds',
    body: {notify: 'post'},
    values: {
      tr: 'İade: -1 bildirim hatası · 2 bankada işleniyor · 3 iade edildi · 4 hata · 6 iptal',
      en: 'Refunds: -1 notification failed · 2 processing at the bank · 3 refunded · 4 error · 6 cancelled',
    },
  },
  'GET /_sandbox/vendors': {group: 'payments', tr: 'Pazaryeri satıcıları', en: 'Vendors'},

  'GET /_sandbox/sms': {group: 'mobile', tr: 'Gönderilen SMS’ler', en: 'Text messages'},
  'POST /_sandbox/number-tokens': {
    group: 'mobile',
    tr: 'Numara belirteci oluştur',
    en: 'Issue a number token',
    body: {msisdn: '5321234567'},
  },
  'POST /_sandbox/subscriptions': {
    group: 'mobile',
    tr: 'Bir numarayı abone yap',
    en: 'Subscribe a number',
    body: {msisdn: '5321234567'},
  },
  'GET /_sandbox/subscriptions': {group: 'mobile', tr: 'Abonelikler', en: 'Subscriptions'},
  'POST /_sandbox/subscriptions/{id}/status': {
    group: 'mobile',
    tr: 'Aboneliğin durumunu değiştir',
    en: 'Change a subscription’s status',
    body: {status: 'suspend'},
  },
  'POST /_sandbox/subscriptions/{id}/cancel': {
    group: 'mobile',
    tr: 'Aboneliği SMS ile iptal et',
    en: 'Cancel a subscription by SMS',
    body: {source: 'sms'},
  },
  'POST /_sandbox/subscriptions/{id}/renew': {group: 'mobile', tr: 'Aboneliği yenile', en: 'Renew a subscription'},
  'POST /_sandbox/charges/{id}/status': {
    group: 'mobile',
    tr: 'Tahsilatın durumunu değiştir',
    en: 'Change a charge’s status',
    body: {status: 4},
    values: {
      tr: '1 onay bekleniyor · 3 başarılı · 4 operatör tahsil edemedi · 5 süresi doldu · 6 iade edildi · 7 iade ediliyor · 9 onaylanmadı · -5 fiyat farklı · -8 numara hatalı · 8 ve -18 bekleyen başka bir ödeme var',
      en: '1 waiting for confirmation · 3 successful · 4 operator could not charge · 5 expired · 6 refunded · 7 being refunded · 9 not confirmed · -5 price differs · -8 bad number · 8 and -18 other payment pending (same meaning)',
    },
  },
  'GET /_sandbox/activities': {group: 'mobile', tr: 'Ziyaretler ve dokunuşlar', en: 'Visits and clicks'},
  'GET /_sandbox/funnel': {group: 'mobile', tr: 'Dönüşüm hunisi', en: 'Funnel'},
  'POST /_sandbox/limits': {
    group: 'mobile',
    tr: 'Mobil ödeme kotalarını değiştir',
    en: 'Change the limits of mobile billing',
    body: {limits: null},
  },

  'POST /_sandbox/clock': {
    group: 'platform',
    tr: 'Saati ilerlet',
    en: 'Move the clock forward',
    body: {advance_seconds: 3600},
  },
  'POST /_sandbox/faults': {
    group: 'platform',
    tr: 'Hata üret',
    en: 'Cause an error',
    body: {operation: '/phs/transaction/search', kind: '500-html', times: 1},
  },
  'GET /_sandbox/faults': {group: 'platform', tr: 'Bekletilen çağrılar', en: 'Calls that are held'},
  'POST /_sandbox/address': {
    group: 'platform',
    tr: 'İş yerinin adresine izin ver ya da engelle',
    en: 'Allow or block the merchant’s address',
    body: {allowed: true},
  },
  'POST /_sandbox/readings': {
    group: 'platform',
    tr: 'Sözleşmede açık kalanları seç',
    en: 'Choose how the contract is read',
    body: {},
  },
  'POST /_sandbox/tokens/expire': {group: 'platform', tr: 'Oturumları sonlandır', en: 'Expire all tokens'},
  'GET /_sandbox/calls': {group: 'platform', tr: 'Platforma gelen çağrılar', en: 'Calls to the platform'},
  'GET /_sandbox/notifications': {
    group: 'platform',
    tr: 'İş yerine giden bildirimler',
    en: 'Notifications to the merchant',
  },
  'POST /_sandbox/reset': {group: 'platform', tr: 'Platformu sıfırla', en: 'Reset the platform'},
};

const tr = {
  title: 'Deneme ortamı',
  description: 'Vezne’nin deneme ortamı: gerçek ödeme platformunun yerine geçer.',
  otherLanguage: 'English',
  demo: 'Demo sayfaları',
  lead: 'Gerçek ödeme platformunun yerine geçer. Gerçek banka, operatör ve para yoktur; platformun yapacağı her şeyi buradan siz yaparsınız.',
  interfaces: 'Worker’ın çağırdığı arayüzler:',
  payments: 'Havale',
  mobile: 'Mobil ödeme ve abonelik',
  platform: 'Platformun kendisi',
  run: 'Uygula',
  confirm: 'Her şeyi sil',
  show: 'Göster',
  body: 'Gövde (JSON)',
  away: 'Deneme ortamı yanıt vermedi.',
  details: 'Durumlara nasıl ulaşıldığını docs/sandbox.md anlatır. Uç noktaların açıklamaları İngilizcedir.',
};

export type FrontPageTexts = typeof tr;

const en: FrontPageTexts = {
  title: 'Sandbox',
  description: 'The Vezne sandbox: it stands in for the payment platform.',
  otherLanguage: 'Türkçe',
  demo: 'Demo pages',
  lead: 'Stands in for the real payment platform. There is no real bank, operator or money here; whatever the platform would do, you do from this page.',
  interfaces: 'Interfaces that the Worker calls:',
  payments: 'Bank transfers',
  mobile: 'Mobile billing and subscriptions',
  platform: 'The platform itself',
  run: 'Run',
  confirm: 'Delete everything',
  show: 'Show',
  body: 'Body (JSON)',
  away: 'The sandbox didn’t answer.',
  details: 'docs/sandbox.md explains how to reach each status.',
};

export const FRONT_PAGE_TEXTS: Readonly<Record<Language, FrontPageTexts>> = {tr, en};
