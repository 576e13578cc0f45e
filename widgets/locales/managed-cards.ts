/** Texts of the card of a cancelled subscription. */

import type {Locale} from '../core/locale.ts';

const tr = {
  cancelled: 'İptal tarihi',
  cancelledText: 'Bundan sonra ücret alınmaz.',
  /** When the current period ends. Vezne does not know whether the merchant lets the subscriber use it until then. */
  periodEnd: 'Dönem sonu',
  subscribeAgain: 'Yeniden abone olmak için satıcının sayfasına gidin.',
};

export type ManagedCardMessages = typeof tr;

const en: ManagedCardMessages = {
  cancelled: 'Cancelled',
  cancelledText: 'You won’t be charged again.',
  periodEnd: 'Period ends',
  subscribeAgain: 'To subscribe again, go to the seller’s page.',
};

export const managedCardMessages: Record<Locale, ManagedCardMessages> = {tr, en};
