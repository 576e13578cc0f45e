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
  readonly cancel: string;
  readonly cancelQuestion: string;
  readonly cancelText: string;
  readonly cancelYes: string;
  readonly cancelNo: string;
  readonly cancelling: string;
  readonly cancelledTitle: string;
}

export const subscriptionMessages: Record<Locale, SubscriptionMessages> = {
  tr: {
    states: {
      active: 'Etkin',
      retry: 'Ödeme alınamadı, yeniden denenecek',
      suspend: 'Ödeme alınamadığı için durduruldu',
      cancelled: 'İptal edildi',
      rejected: 'Operatör onaylamadı',
      unknown: 'Durumu bilinmiyor',
    },
    title: 'Aboneliğiniz',
    number: 'Numara',
    price: 'Ücret',
    since: 'Başlangıç',
    renews: 'Sonraki ödeme',
    cancelledAt: 'İptal tarihi',
    cancel: 'Aboneliği iptal et',
    cancelQuestion: 'Aboneliğiniz iptal edilsin mi?',
    cancelText: 'Bundan sonra ücret alınmaz. Yeniden abone olmak isterseniz numaranızı tekrar onaylamanız gerekir.',
    cancelYes: 'Evet, iptal et',
    cancelNo: 'Hayır, aboneliğim kalsın',
    cancelling: 'İptal ediliyor…',
    cancelledTitle: 'Aboneliğiniz iptal edildi',
  },
  en: {
    states: {
      active: 'Active',
      retry: 'Last payment failed; it will be retried',
      suspend: 'Paused because a payment failed',
      cancelled: 'Cancelled',
      rejected: 'Not approved by your operator',
      unknown: 'Status unknown',
    },
    title: 'Your subscription',
    number: 'Number',
    price: 'Price',
    since: 'Started',
    renews: 'Next payment',
    cancelledAt: 'Cancelled on',
    cancel: 'Cancel subscription',
    cancelQuestion: 'Cancel your subscription?',
    cancelText: 'You won’t be charged again. To subscribe again, you’ll need to confirm your number.',
    cancelYes: 'Yes, cancel it',
    cancelNo: 'No, keep my subscription',
    cancelling: 'Cancelling…',
    cancelledTitle: 'Your subscription is cancelled',
  },
};
