/** Texts of `vezne-subscription`, where a subscriber views and cancels a subscription. */

import type {SubscriptionState} from '../../worker/contract/fields.ts';
import type {Locale} from '../core/locale.ts';

export interface SubscriptionMessages {
  readonly states: Record<SubscriptionState, string>;
  readonly title: string;
  readonly number: string;
  readonly price: string;
  readonly since: string;
  readonly renews: string;
  readonly cancelledAt: string;
  /** The words for how often a subscription renews, by the platform's name of the period. */
  readonly every: Partial<Record<string, string>>;
  readonly cancel: string;
  readonly cancelQuestion: string;
  readonly cancelText: string;
  readonly cancelYes: string;
  readonly cancelNo: string;
  readonly cancelling: string;
  readonly cancelledTitle: string;
  readonly cancelledText: string;
}

export const subscriptionMessages: Record<Locale, SubscriptionMessages> = {
  tr: {
    states: {
      active: 'Etkin',
      retry: 'Ödeme alınamadı, yeniden denenecek',
      suspend: 'Ödeme alınamadığı için durduruldu',
      cancelled: 'İptal edildi',
      rejected: 'Operatör kabul etmedi',
      unknown: 'Durumu bilinmiyor',
    },
    title: 'Aboneliğiniz',
    number: 'Numara',
    price: 'Ücret',
    since: 'Başlangıç',
    renews: 'Yenilenme',
    cancelledAt: 'İptal',
    every: {daily: 'günde bir', weekly: 'haftada bir', monthly: 'ayda bir', yearly: 'yılda bir'},
    cancel: 'Aboneliği iptal et',
    cancelQuestion: 'Aboneliğiniz iptal edilsin mi?',
    cancelText: 'Bundan sonra ücret alınmaz. Yeniden abone olmak için numaranızı tekrar onaylamanız gerekir.',
    cancelYes: 'Evet, iptal et',
    cancelNo: 'Vazgeç',
    cancelling: 'İptal ediliyor…',
    cancelledTitle: 'Aboneliğiniz iptal edildi',
    cancelledText: 'Bundan sonra ücret alınmaz.',
  },
  en: {
    states: {
      active: 'Active',
      retry: 'The last charge failed and will be tried again',
      suspend: 'Suspended, because a charge failed',
      cancelled: 'Cancelled',
      rejected: 'Not accepted by the operator',
      unknown: 'Not known',
    },
    title: 'Your subscription',
    number: 'Number',
    price: 'Price',
    since: 'Since',
    renews: 'Renews',
    cancelledAt: 'Cancelled',
    every: {daily: 'daily', weekly: 'weekly', monthly: 'monthly', yearly: 'yearly'},
    cancel: 'Cancel the subscription',
    cancelQuestion: 'Cancel your subscription?',
    cancelText: 'Nothing more will be charged. To subscribe again you would have to confirm your number again.',
    cancelYes: 'Yes, cancel it',
    cancelNo: 'Keep it',
    cancelling: 'Cancelling…',
    cancelledTitle: 'Your subscription is cancelled',
    cancelledText: 'Nothing more will be charged.',
  },
};
