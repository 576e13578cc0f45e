import type {Locale} from '../../widgets/core/locale.ts';

/** The names of states and of rows of the books, and how a list colors them. */
const names: Readonly<Record<string, Record<Locale, string>>> = {
  waiting: {tr: 'bekliyor', en: 'waiting'},
  pending: {tr: 'onay bekliyor', en: 'pending'},
  partial: {tr: 'eksik', en: 'partial'},
  paid: {tr: 'ödendi', en: 'paid'},
  overpaid: {tr: 'fazla ödendi', en: 'overpaid'},
  completed: {tr: 'tamamlandı', en: 'completed'},
  refunded: {tr: 'iade edildi', en: 'refunded'},
  expired: {tr: 'süresi doldu', en: 'expired'},
  cancelled: {tr: 'iptal edildi', en: 'cancelled'},
  requested: {tr: 'istendi', en: 'requested'},
  settled: {tr: 'gönderildi', en: 'settled'},
  failed: {tr: 'başarısız', en: 'failed'},
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
  unknown: {tr: 'bilinmiyor', en: 'unknown'},
};

export function stateName(state: string | null, locale: Locale): string {
  if (state === null) return '–';
  return (Object.hasOwn(names, state) ? names[state] : undefined)?.[locale] ?? state;
}

const TONES: Readonly<Record<string, string>> = {
  paid: 'good',
  completed: 'good',
  'money.arrived': 'good',
  partial: 'warn',
  pending: 'warn',
  overpaid: 'warn',
  'money.unmatched': 'warn',
  expired: 'bad',
  cancelled: 'bad',
  'refund.failed': 'bad',
  failed: 'bad',
};

/** The class of a state's tag. */
export const toneOf = (state: string | null): string =>
  `tag ${(state !== null && Object.hasOwn(TONES, state) && TONES[state]) || ''}`;
