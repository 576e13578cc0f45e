/** Texts of the cards that end a sign-up: the subscription has started, or cannot start. */

import type {Locale} from '../core/locale.ts';

const tr = {
  doneText: 'Operatörünüz aboneliğinizi SMS ile onaylayacak. Nasıl iptal edeceğiniz de o mesajda yazar.',
  /** Replaces `doneText` once the operator's SMS must have arrived. */
  cancelAdvice: 'Nasıl iptal edeceğiniz operatörünüzün SMS’inde yazar.',
  manage: 'Aboneliğimi yönet',
  otherNumber: 'Başka bir numara kullan',
  /** What is certain after an attempt that was refused. */
  notCharged: 'Bu denemede ücret alınmadı.',
  /** What is certain after an attempt whose outcome is unknown. */
  notTwice: 'Aynı numaradan iki kez ücret alınmaz.',
};

export type SubscriptionEndMessages = typeof tr;

const en: SubscriptionEndMessages = {
  doneText: 'Your operator will confirm by text message and tell you how to cancel.',
  cancelAdvice: 'Your operator’s text says how to cancel.',
  manage: 'Manage my subscription',
  otherNumber: 'Use another number',
  notCharged: 'You weren’t charged this time.',
  notTwice: 'The same number won’t be charged twice.',
};

export const subscriptionEndMessages: Record<Locale, SubscriptionEndMessages> = {tr, en};
