import type {Locale} from '../../widgets/core/locale.ts';
import type {StatusName} from '../../worker/contract/merchant/answer-fields.ts';
import type {COMMAND_NAMES, COMMAND_STATES} from '../../worker/contract/merchant/commands.ts';
import type {RefundLinkState} from '../../worker/contract/merchant/refund-links.ts';
import type {CodeOrigin} from '../../worker/contract/merchant/timeline.ts';
import type {DELIVERY_STATES, EVENT_TYPES} from '../../worker/contract/merchant/webhooks.ts';
import type {Answer, Day, Diagnosis, Payment, Timeline, WorkItem} from '../client.ts';

type Words = Readonly<Record<Locale, string>>;

type StateName =
  | Payment['state']
  | Day['refunds'][number]['state']
  | StatusName
  | RefundLinkState
  | (typeof COMMAND_STATES)[number]
  | (typeof DELIVERY_STATES)[number];

interface Names {
  readonly state: StateName;
  readonly happening: Timeline['items'][number]['what'];
  readonly event: (typeof EVENT_TYPES)[number];
  readonly operation: (typeof COMMAND_NAMES)[number];
  readonly origin: CodeOrigin;
  readonly fault: NonNullable<NonNullable<WorkItem['delivery']>['last_fault']>;
  readonly quota: Answer<'showQuotas'>['items'][number]['name'];
  readonly check: Diagnosis['checks'][number]['name'];
  readonly result: Diagnosis['checks'][number]['state'];
}

/** Words for each name that the merchant API has. A name without words does not compile. */
const NAMES: {readonly [K in keyof Names]: Readonly<Record<Names[K], Words>>} = {
  state: {
    active: {tr: 'etkin', en: 'active'},
    approved: {tr: 'onaylandı', en: 'approved'},
    awaiting_approval: {tr: 'onay bekliyor', en: 'waiting for approval'},
    awaiting_confirmation: {tr: 'doğrulama bekliyor', en: 'waiting for confirmation'},
    cancelled: {tr: 'iptal edildi', en: 'cancelled'},
    completed: {tr: 'tamamlandı', en: 'completed'},
    dead: {tr: 'denemeler bitti', en: 'given up'},
    done: {tr: 'yapıldı', en: 'done'},
    expired: {tr: 'süresi doldu', en: 'expired'},
    failed: {tr: 'başarısız', en: 'failed'},
    inactive: {tr: 'kapatıldı', en: 'closed'},
    not_notified: {tr: 'bildirilmedi', en: 'not notified'},
    open: {tr: 'açık', en: 'open'},
    overpaid: {tr: 'fazla ödendi', en: 'overpaid'},
    paid: {tr: 'ödendi', en: 'paid'},
    partial: {tr: 'eksik', en: 'partial'},
    pending: {tr: 'onay bekliyor', en: 'pending'},
    processing: {tr: 'işleniyor', en: 'in progress'},
    queued: {tr: 'sırada', en: 'queued'},
    refund_in_progress: {tr: 'iade ediliyor', en: 'being refunded'},
    refunded: {tr: 'iade edildi', en: 'refunded'},
    rejected: {tr: 'reddedildi', en: 'rejected'},
    requested: {tr: 'istendi', en: 'requested'},
    retry: {tr: 'yeniden deneniyor', en: 'being retried'},
    running: {tr: 'sürüyor', en: 'running'},
    sending: {tr: 'sonucu bekleniyor', en: 'waiting for the result'},
    settled: {tr: 'gönderildi', en: 'sent'},
    successful: {tr: 'başarılı', en: 'successful'},
    suspend: {tr: 'askıda', en: 'suspended'},
    unknown: {tr: 'bilinmiyor', en: 'unknown'},
    used: {tr: 'kullanıldı', en: 'used'},
    waiting: {tr: 'bekliyor', en: 'waiting'},
    withdrawn: {tr: 'geri çekildi', en: 'withdrawn'},
  },
  happening: {
    'order.placed': {tr: 'sipariş verildi', en: 'order placed'},
    'order.changed': {tr: 'sipariş değişti', en: 'order changed'},
    'order.amended': {tr: 'tutar veya kod değişti', en: 'amount or code changed'},
    'order.overdue': {tr: 'süre eksik parayla doldu', en: 'time ended with a part'},
    'money.arrived': {tr: 'para geldi', en: 'money arrived'},
    'money.withdrawn': {tr: 'para geri alındı', en: 'money withdrawn'},
    'money.unmatched': {tr: 'eşleşmeyen para', en: 'unmatched money'},
    'money.matched': {tr: 'para eşleşti', en: 'money matched'},
    'refund.requested': {tr: 'iade istendi', en: 'refund requested'},
    'refund.settled': {tr: 'iade gönderildi', en: 'refund sent'},
    'refund.withdrawn': {tr: 'iade kaydı geri alındı', en: 'refund withdrawn'},
    'refund.failed': {tr: 'iade başarısız', en: 'refund failed'},
    'notice.created': {tr: 'ödeme bildirimi', en: 'payment notice'},
    'notice.failed': {tr: 'ödeme bildirimi başarısız', en: 'payment notice failed'},
    'code.created': {tr: 'kod verildi', en: 'code given'},
    'code.changed': {tr: 'kod değişti', en: 'code changed'},
    'code.change_failed': {tr: 'kod değiştirilemedi', en: 'code not changed'},
    'code.failed': {tr: 'kod verilemedi', en: 'no code given'},
    'bank_page.opened': {tr: 'banka sayfası açıldı', en: 'bank page opened'},
    'payment_page.opened': {tr: 'ödeme sayfası açıldı', en: 'payment page opened'},
    'payment_page.failed': {tr: 'ödeme sayfası açılamadı', en: 'payment page not opened'},
    handed_over: {tr: 'başka bir cihazda açıldı', en: 'opened on another device'},
    'refund_link.created': {tr: 'iade bağlantısı oluşturuldu', en: 'refund link created'},
    'refund_link.opened': {tr: 'iade bağlantısı açıldı', en: 'refund link opened'},
    'refund_link.used': {tr: 'iade bağlantısı kullanıldı', en: 'refund link used'},
    'refund_link.withdrawn': {tr: 'iade bağlantısı geri çekildi', en: 'refund link withdrawn'},
    'refund_link.expired': {tr: 'iade bağlantısının süresi doldu', en: 'refund link expired'},
    event: {tr: 'bildirim hazırlandı', en: 'notification prepared'},
    'delivery.accepted': {tr: 'sunucunuz bildirimi aldı', en: 'your server accepted the notification'},
    'delivery.failed': {tr: 'bildirim alınmadı', en: 'notification not accepted'},
    command: {tr: 'işlem', en: 'command'},
  },
  event: {
    'payment.partial': {tr: 'ödemenin bir kısmı geldi', en: 'part of the payment arrived'},
    'payment.pending': {tr: 'ödeme onay bekliyor', en: 'payment waits for approval'},
    'payment.received': {tr: 'ödeme geldi', en: 'payment arrived'},
    'payment.overpaid': {tr: 'fazla ödeme geldi', en: 'too much arrived'},
    'payment.withdrawn': {tr: 'ödeme geri alındı', en: 'payment withdrawn'},
    'payment.expired': {tr: 'ödeme süresi doldu', en: 'time to pay ended'},
    'payment.cancelled': {tr: 'sipariş iptal edildi', en: 'order cancelled'},
    'payment.completed': {tr: 'sipariş tamamlandı', en: 'order completed'},
    'payment.refunded': {tr: 'ödeme iade edildi', en: 'payment refunded'},
    'payment.changed': {tr: 'ödeme değişti', en: 'payment changed'},
    'payment_notice.created': {tr: 'ödeme bildirimi yapıldı', en: 'payment notice made'},
    'payment_notice.changed': {tr: 'ödeme bildirimi değişti', en: 'payment notice changed'},
    'refund.requested': {tr: 'iade istendi', en: 'refund requested'},
    'refund.changed': {tr: 'iade değişti', en: 'refund changed'},
    'refund.settled': {tr: 'iade gönderildi', en: 'refund sent'},
    'refund.failed': {tr: 'iade başarısız', en: 'refund failed'},
    'subscription.started': {tr: 'abonelik başladı', en: 'subscription started'},
    'subscription.cancelled': {tr: 'abonelik iptal edildi', en: 'subscription cancelled'},
    'subscription.changed': {tr: 'abonelik değişti', en: 'subscription changed'},
    'subscription.renewed': {tr: 'abonelik yenilendi', en: 'subscription renewed'},
    'charge.changed': {tr: 'tahsilat değişti', en: 'charge changed'},
    'command.unknown': {tr: 'işlemin sonucu bilinmiyor', en: 'result of a command unknown'},
    'command.settled': {tr: 'işlem sonuçlandı', en: 'command has its result'},
    'transaction.unmatched': {tr: 'eşleşmeyen para', en: 'unmatched money'},
    'vendor.registered': {tr: 'satıcı kaydoldu', en: 'vendor registered'},
    'quota.low': {tr: 'sınır dolmak üzere', en: 'limit almost used up'},
    'quota.queued': {tr: 'işlem sıraya alındı', en: 'command queued'},
    'webhook.changed': {tr: 'bildirim adresi değişti', en: 'webhook changed'},
    'webhook.test': {tr: 'deneme bildirimi', en: 'test notification'},
  },
  operation: {
    createRefund: {tr: 'iade', en: 'refund'},
    refundCharge: {tr: 'telefon faturasıyla ödemenin iadesi', en: 'refund of a phone bill payment'},
    cancelSubscription: {tr: 'abonelik iptali', en: 'cancellation of a subscription'},
    cancelLandingSubscription: {
      tr: 'açılış sayfasından alınan aboneliğin iptali',
      en: 'cancellation of a landing page’s subscription',
    },
    resetTestNumber: {tr: 'deneme numarasını sıfırlama', en: 'reset of a test number'},
    completeOrder: {tr: 'siparişi tamamlama', en: 'completion of the order'},
  },
  origin: {
    create: {tr: 'sayfada gösterildi', en: 'shown on the page'},
    direct: {tr: 'bankanın sayfası için', en: 'for the bank page'},
    unknown: {tr: 'nasıl verildiği bilinmiyor', en: 'origin not known'},
  },
  fault: {
    timeout: {tr: 'yanıt gelmedi', en: 'no answer in time'},
    connection: {tr: 'bağlantı kurulamadı', en: 'no connection'},
    interrupted: {tr: 'gönderim yarıda kaldı', en: 'interrupted'},
    secret_unreadable: {tr: 'imza anahtarı okunamadı', en: 'signing secret not readable'},
  },
  quota: {
    get_subscription: {tr: 'Abonelik okuma', en: 'Reads of a subscription'},
    cancel_subscription: {tr: 'Abonelik iptali', en: 'Cancellations of subscriptions'},
    search_subscriptions: {tr: 'Abonelik arama', en: 'Searches for subscriptions'},
    reset_test_number: {tr: 'Deneme numarasını sıfırlama', en: 'Resets of test numbers'},
    get_charge: {tr: 'Tahsilat okuma', en: 'Reads of a charge'},
    refund_charge: {tr: 'Telefon faturasıyla ödemelerin iadesi', en: 'Refunds of phone bill payments'},
    search_charges: {tr: 'Tahsilat arama', en: 'Searches for charges'},
    search_messages: {tr: 'Mesaj arama', en: 'Searches for messages'},
  },
  check: {
    configuration: {tr: 'Ayarlar', en: 'Settings'},
    egress: {tr: 'Platforma çıkış', en: 'Way to the platform'},
    token: {tr: 'Platforma giriş', en: 'Access to the platform'},
    services: {tr: 'Hizmetler', en: 'Services'},
    banks: {tr: 'Bankalar', en: 'Banks'},
    landing: {tr: 'Açılış sayfaları', en: 'Landing pages'},
    micropayment: {tr: 'Mobil ödeme', en: 'Mobile billing'},
    payment_page: {tr: 'Ödeme sayfası', en: 'Payment page'},
    webhooks: {tr: 'Sunucunuza bildirimler', en: 'Notifications to your server'},
    books: {tr: 'Günlük kayıtlar', en: 'The day’s books'},
    clock: {tr: 'Saat', en: 'Clock'},
    limits: {tr: 'Sınırlar', en: 'Limits'},
    keys: {tr: 'API anahtarları', en: 'API keys'},
  },
  result: {
    ok: {tr: 'iyi', en: 'ok'},
    warning: {tr: 'uyarı', en: 'warning'},
    failed: {tr: 'hatalı', en: 'failed'},
    skipped: {tr: 'atlandı', en: 'skipped'},
  },
};

/** The words for a name; the name itself if the platform has statuses of its own (`PLATFORM_STATUSES`). */
export function nameOf(kinds: readonly (keyof Names)[], name: string, locale: Locale): string {
  for (const kind of kinds) {
    const words: Readonly<Record<string, Words>> = NAMES[kind];
    if (Object.hasOwn(words, name)) return words[name]?.[locale] ?? name;
  }
  return name;
}

/** The words for a state, or for a row of the books. */
export const stateName = (state: string | null, locale: Locale): string =>
  state === null ? '–' : nameOf(['state', 'happening'], state, locale);

interface Failed {
  readonly last_status: number | null;
  readonly last_fault: Names['fault'] | null;
}

/** Why a notification was not accepted; empty if none failed. */
export const explainDelivery = ({last_status: status, last_fault: fault}: Failed, locale: Locale): string =>
  status !== null ? `HTTP ${status}` : fault !== null ? nameOf(['fault'], fault, locale) : '';

const TONES: Readonly<Record<string, string>> = {
  paid: 'good',
  completed: 'good',
  ok: 'good',
  partial: 'warn',
  pending: 'warn',
  overpaid: 'warn',
  'money.unmatched': 'warn',
  warning: 'warn',
  expired: 'bad',
  cancelled: 'bad',
  'refund.failed': 'bad',
  failed: 'bad',
  dead: 'bad',
};

/** The class of a state's tag. */
export const toneOf = (state: string | null): string =>
  `tag ${(state !== null && Object.hasOwn(TONES, state) && TONES[state]) || ''}`;
