/** Texts of the cards that end a sign-up or a subscription: it has started, cannot start, or is cancelled. */

import type {Locale} from '../core/locale.ts';

const tr = {
  doneText: 'Operatörünüz aboneliğinizi SMS ile onaylayacak. Nasıl iptal edeceğiniz de o mesajda yazar.',
  /** Replaces `doneText` once the operator's SMS must have arrived. */
  cancelAdvice: 'Nasıl iptal edeceğiniz operatörünüzün SMS’inde yazar.',
  cancelled: 'İptal tarihi',
  cancelledText: 'Bundan sonra ücret alınmaz.',
  /** When the current period ends. Vezne does not know whether the merchant lets the subscriber use it until then. */
  periodEnd: 'Dönem sonu',
  subscribeAgain: 'Yeniden abone olmak için satıcının sayfasına gidin.',
  manage: 'Aboneliğimi yönet',
  otherNumber: 'Başka bir numara kullan',
  /** What is certain after an attempt that was refused. */
  notCharged: 'Bu denemede ücret alınmadı.',
  /** What is certain after an attempt whose outcome is unknown. */
  notTwice: 'İki kez ücret alınmaz.',
};

export type SubscriptionEndMessages = typeof tr;

const en: SubscriptionEndMessages = {
  doneText: 'Your operator will confirm by text message and tell you how to cancel.',
  cancelAdvice: 'Your operator’s text says how to cancel.',
  cancelled: 'Cancelled',
  cancelledText: 'You won’t be charged again.',
  periodEnd: 'Period ends',
  subscribeAgain: 'To subscribe again, go to the seller’s page.',
  manage: 'Manage my subscription',
  otherNumber: 'Use another number',
  notCharged: 'You weren’t charged this time.',
  notTwice: 'You won’t be charged twice.',
};

export const subscriptionEndMessages: Record<Locale, SubscriptionEndMessages> = {tr, en};
