/** Texts of the cards that end a subscription's sign-up: it has started, or it cannot start with this number. */

import type {Locale} from '../core/locale.ts';

export interface SubscriptionEndMessages {
  readonly doneText: string;
  readonly number: string;
  readonly price: string;
  readonly started: string;
  readonly nextCharge: string;
  readonly cancelled: string;
  readonly cancelledText: string;
  /** The end of the period that was paid last. */
  readonly paidUntil: string;
  readonly manage: string;
  readonly otherNumber: string;
  readonly reload: string;
}

export const subscriptionEndMessages: Record<Locale, SubscriptionEndMessages> = {
  tr: {
    doneText: 'Operatörünüz aboneliğinizi SMS ile onaylayacak. Nasıl iptal edeceğiniz de o mesajda yazar.',
    number: 'Numara',
    price: 'Ücret',
    started: 'Başlangıç',
    nextCharge: 'Sonraki ödeme',
    cancelled: 'İptal tarihi',
    cancelledText: 'Bundan sonra ücret alınmaz.',
    paidUntil: 'Ödenmiş dönemin sonu',
    manage: 'Aboneliğimi yönet',
    otherNumber: 'Başka bir numara kullan',
    reload: 'Sayfayı yenile',
  },
  en: {
    doneText: 'Your operator will confirm by text message and tell you how to cancel.',
    number: 'Number',
    price: 'Price',
    started: 'Started',
    nextCharge: 'Next payment',
    cancelled: 'Cancelled on',
    cancelledText: 'You won’t be charged again.',
    paidUntil: 'Paid until',
    manage: 'Manage my subscription',
    otherNumber: 'Use another number',
    reload: 'Reload the page',
  },
};
