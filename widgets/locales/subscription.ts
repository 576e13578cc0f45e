/** Texts of `vezne-subscription`, where a subscriber views and cancels a subscription. */

import type {SubscriptionState} from '../../worker/contract/fields.ts';
import type {Locale} from '../core/locale.ts';

interface StateMessages {
  /** A word beside the title. It is missing if the platform does not report the state. */
  readonly badge?: string;
  /** What the state means, and what the subscriber can do. */
  readonly advice?: string;
}

export interface SubscriptionMessages {
  readonly states: Record<Exclude<SubscriptionState, 'cancelled'>, StateMessages>;
  readonly title: string;
  readonly cancel: string;
  readonly cancelQuestion: string;
  readonly cancelText: string;
  readonly cancelYes: string;
  readonly cancelNo: string;
  readonly cancelling: string;
  readonly cancelledTitle: string;
  readonly assurance: string;
}

export const subscriptionMessages: Record<Locale, SubscriptionMessages> = {
  tr: {
    states: {
      active: {badge: 'Aktif'},
      retry: {
        badge: 'Ödeme alınamadı',
        advice: 'Ödeme yeniden denenecek. Bakiyenizi ve harcama limitinizi kontrol edin.',
      },
      suspend: {
        badge: 'Durduruldu',
        advice: 'Ödeme alınamadığı için aboneliğiniz durduruldu. Sürdürmek için satıcıyla iletişime geçin.',
      },
      rejected: {
        badge: 'Onaylanmadı',
        advice:
          'Operatörünüz onaylamadığı için aboneliğiniz başlamadı, ücret alınmadı. Nedenini operatörünüze sorun; yeniden abone olmak için satıcıyla iletişime geçin.',
      },
      unknown: {
        advice: 'Aboneliğinizin durumu şu\u00a0an görünmüyor. Sonra yeniden bakın ya da iptal edin.',
      },
    },
    title: 'Aboneliğiniz',
    cancel: 'Aboneliği iptal et',
    cancelQuestion: 'Aboneliğiniz iptal edilsin mi?',
    cancelText: 'İptal ettikten sonra ücret alınmaz. Yeniden abone olmak için numaranızı tekrar onaylarsınız.',
    cancelYes: 'Evet, iptal et',
    cancelNo: 'Hayır, aboneliğim kalsın',
    cancelling: 'İptal ediliyor…',
    cancelledTitle: 'Aboneliğiniz iptal edildi',
    assurance: 'Aboneliğiniz bundan etkilenmez.',
  },
  en: {
    states: {
      active: {badge: 'Active'},
      retry: {
        badge: 'Payment failed',
        advice: 'We’ll try the payment again. Check your balance and spending limit.',
      },
      suspend: {
        badge: 'Paused',
        advice: 'Your subscription is paused because a payment failed. To resume it, contact the seller.',
      },
      rejected: {
        badge: 'Not approved',
        advice:
          'Your operator didn’t approve this subscription, so it never started and you weren’t charged. Ask your operator why, or contact the seller.',
      },
      unknown: {
        advice: 'We can’t see your subscription’s status right now. Check again later, or cancel it.',
      },
    },
    title: 'Your subscription',
    cancel: 'Cancel subscription',
    cancelQuestion: 'Cancel your subscription?',
    cancelText: 'You won’t be charged after you cancel. To subscribe again, you’ll need to confirm your number.',
    cancelYes: 'Yes, cancel it',
    cancelNo: 'No, keep it',
    cancelling: 'Cancelling…',
    cancelledTitle: 'Your subscription is cancelled',
    assurance: 'Your subscription isn’t affected.',
  },
};
